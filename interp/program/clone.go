package program

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// This file copies programs, so that loose code can be added to each copy: thousands of tests run one program.

// common is what a finished program and its copies have in common.
type common struct {
	index func() *Index
	facts sync.Once
	fact  any                     // see Derived
	spare atomic.Pointer[Program] // whose slices have room behind what the program has: the next copy appends there
}

// Finish prepares a compiled program for copies that add loose code: appending to one never writes into another.
func (p *Program) Finish() {
	p.finished = true
	p.Pos.share()
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && hasSlices(f.Type().Elem()) {
			for k := range f.Len() {
				limitCapacity(f.Index(k))
			}
		}
	}
	p.Attach()
}

// Attach readies a finished program that was read.
func (p *Program) Attach() {
	now := *p
	x := &common{index: sync.OnceValue(now.newIndex)}
	x.spare.Store(&now)
	p.common = func() *common { return x }
}

// Detach returns the program without what cannot be written; what is read from it can be used after Attach.
func (p *Program) Detach() *Program {
	c := *p
	c.common = nil
	return &c
}

// Derived returns what derive makes of the program as it was when it was finished. That is made once for it and all its
// copies, and must not change; everybody who asks wants the same.
func (p *Program) Derived(derive func() any) any {
	if p.common == nil {
		return derive()
	}
	x := p.common()
	x.facts.Do(func() { x.fact = derive() })
	return x.fact
}

// Clone copies a program so that loose code can be added to the copy. The copy shares what the program has: loose code
// only appends, except to its points (OwnPoints). A copy appends where there is room, unless another one does, and else
// moves what it appends to. So a program that has been copied must not change any more. Several goroutines may copy a
// finished one at once.
func (p *Program) Clone() *Program {
	if !p.finished {
		p.Finish()
	}
	c := *p
	c.finished, c.sharesPoints = false, true
	if spare := p.common().spare.Swap(nil); spare != nil {
		c.takeRoom(spare)
	} else {
		limitCapacity(reflect.ValueOf(&c).Elem())
	}
	return &c
}

// Release says that a copy is no longer used, so that another one appends where it has.
func (c *Program) Release() {
	if !c.finished && c.common != nil {
		c.common().spare.Store(c)
	}
}

// takeRoom lets a new copy append behind what it has in the slices of another, which begin with the same; but its points
// may not.
func (c *Program) takeRoom(spare *Program) {
	points := slices.Clip(c.Points)
	to, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(spare).Elem()
	for i := range to.NumField() {
		if f := to.Field(i); f.Kind() == reflect.Slice {
			f.Set(from.Field(i).Slice(0, f.Len()))
		}
	}
	c.Points = points
	c.Pos.takeRoom(&spare.Pos)
}

// OwnPoints makes the points of a copy its own, to which loose code adds what waits there.
func (c *Program) OwnPoints() {
	if c.sharesPoints {
		c.Points, c.sharesPoints = slices.Clone(c.Points), false
	}
}

// Copy copies a program so that anything in it can be replaced: it shares only what its elements refer to.
func (p *Program) Copy() *Program {
	if !p.finished {
		p.Finish()
	}
	c := *p
	c.finished, c.common, c.sharesPoints = false, nil, false
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && !f.IsNil() {
			w := reflect.MakeSlice(f.Type(), f.Len(), f.Len()+f.Len()/8) // with room for what will be added
			reflect.Copy(w, f)
			f.Set(w)
		}
	}
	return &c
}

// limitCapacity limits the capacity of the slices of a struct to their length.
func limitCapacity(v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Cap() > f.Len() {
			f.Set(f.Slice3(0, f.Len(), f.Len()))
		}
	}
}

// hasSlices says whether a type is a struct with fields that an append could write through.
func hasSlices(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).Type.Kind() == reflect.Slice {
			return true
		}
	}
	return false
}
