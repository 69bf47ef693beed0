package ast

import "reflect"

// Some reports whether ask returns true for some node of a tree. It passes a pointer to each node, outer nodes first.
// It uses reflection: for rare questions, not for passes.
func Some(root any, ask func(node any) bool) bool { return some(reflect.ValueOf(root), ask) }

func some(v reflect.Value, ask func(any) bool) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && some(v.Elem(), ask)
	case reflect.Slice:
		for i := range v.Len() {
			if some(v.Index(i), ask) {
				return true
			}
		}
	case reflect.Struct:
		if !v.CanAddr() || !v.Addr().CanInterface() {
			return false
		}
		if ask(v.Addr().Interface()) {
			return true
		}
		for i := range v.NumField() {
			if some(v.Field(i), ask) {
				return true
			}
		}
	}
	return false
}
