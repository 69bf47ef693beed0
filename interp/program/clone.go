package program

import "reflect"

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
}

// Clone copies a program so that loose code can be added to the copy.
func (p *Program) Clone() *Program {
	if !p.finished {
		p.Finish()
	}
	c := *p
	c.finished = false
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Slice || f.IsNil() {
			continue
		}
		w := reflect.MakeSlice(f.Type(), f.Len(), f.Len()+f.Len()/8) // with room for what will be added
		reflect.Copy(w, f)
		f.Set(w)
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
