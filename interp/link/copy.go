package link

import (
	"reflect"

	"arbiter/lang/ast"
)

// This file copies and compares trees by reflection, so new types of nodes need no code here.

// copyClause copies a tree. The copied clauses get the origins of the originals.
func copyClause(cl ast.Clause, origins map[ast.Clause]*Origin) ast.Clause {
	out := copyValue(reflect.ValueOf(&cl).Elem(), origins)
	return out.Interface().(ast.Clause)
}

func copyValue(v reflect.Value, origins map[ast.Clause]*Origin) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type().Elem())
		w.Elem().Set(copyValue(v.Elem(), origins))
		if cl, ok := v.Interface().(ast.Clause); ok {
			if o := origins[cl]; o != nil { // a nil map has none
				origins[w.Interface().(ast.Clause)] = o
			}
		}
		return w
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type()).Elem()
		w.Set(copyValue(v.Elem(), origins))
		return w
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			w.Index(i).Set(copyValue(v.Index(i), origins))
		}
		return w
	case reflect.Struct:
		w := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			w.Field(i).Set(copyValue(v.Field(i), origins))
		}
		return w
	}
	return v
}

var spanType = reflect.TypeFor[ast.Span]()

// sameChange reports whether two changes are equal, ignoring positions.
func sameChange(a, b *ast.Change) bool { return sameValue(reflect.ValueOf(a), reflect.ValueOf(b)) }

func sameValue(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	if !a.IsValid() || a.Type() == spanType {
		return true
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameValue(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameValue(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}
