package program

import "reflect"

// Clone copies a program so that loose code can be added to the copy: appending to it never writes into the original.
func (p *Program) Clone() *Program {
	c := *p
	copySlices(reflect.ValueOf(&c).Elem())
	return &c
}

// copySlices copies the slices of a struct and limits the capacity of the slices inside their elements.
func copySlices(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Slice || f.IsNil() {
			continue
		}
		w := reflect.MakeSlice(f.Type(), f.Len(), f.Len()+f.Len()/8) // with room for what will be added
		reflect.Copy(w, f)
		f.Set(w)
		if e := f.Type().Elem(); e.Kind() == reflect.Struct && hasSlices(e) {
			for k := range f.Len() {
				limitCapacity(f.Index(k))
			}
		}
	}
}

// limitCapacity limits the capacity of the slices of a struct to their length.
func limitCapacity(v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Cap() > f.Len() {
			f.Set(f.Slice3(0, f.Len(), f.Len()))
		}
	}
}

// hasSlices says whether a struct has fields that an append could write through.
func hasSlices(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Type.Kind() == reflect.Slice {
			return true
		}
	}
	return false
}
