package program

import (
	"reflect"
	"slices"
	"sync/atomic"
)

// Finish prepares a compiled program for copies that add loose code: appending to one never writes into another.
func (p *Program) Finish() {
	p.finished, p.room = true, new(uint32)
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

// Clone copies a program so that loose code can be added to the copy. The copy shares what the program has: loose code
// only appends, except to its points and to the ways of its procedures. The first copy appends where there is room, and
// all others move what they append to. So a program that has been copied must not change any more. Several goroutines may
// copy a finished one at once.
func (p *Program) Clone() *Program {
	if !p.finished {
		p.Finish()
	}
	c := *p
	c.finished, c.room = false, nil
	if !atomic.CompareAndSwapUint32(p.room, 0, 1) {
		limitCapacity(reflect.ValueOf(&c).Elem())
	}
	c.Points, c.Procs = slices.Clone(p.Points), slices.Clone(p.Procs)
	return &c
}

// Copy copies a program so that anything in it can be replaced: it shares only what its elements refer to.
func (p *Program) Copy() *Program {
	c := p.Clone()
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && !f.IsNil() {
			w := reflect.MakeSlice(f.Type(), f.Len(), f.Len()+f.Len()/8) // with room for what will be added
			reflect.Copy(w, f)
			f.Set(w)
		}
	}
	return c
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
