package ast

import (
	"fmt"
	"io"
	"reflect"
)

// Contains reports whether ask returns true for some node of a tree. It passes a pointer to each node, outer nodes
// first. It uses reflection: for rare questions, not for passes.
func Contains(root any, ask func(node any) bool) bool { return contains(reflect.ValueOf(root), ask) }

func contains(v reflect.Value, ask func(any) bool) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && contains(v.Elem(), ask)
	case reflect.Slice:
		for i := range v.Len() {
			if contains(v.Index(i), ask) {
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
			if contains(v.Field(i), ask) {
				return true
			}
		}
	}
	return false
}

// Dump writes everything that trees say, positions included: equal texts mean equal trees.
func Dump(w io.Writer, roots ...any) {
	for _, root := range roots {
		dump(w, reflect.ValueOf(root))
	}
}

func dump(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			io.WriteString(w, "-")
			return
		}
		if v.Kind() == reflect.Interface {
			io.WriteString(w, v.Elem().Type().String())
		}
		dump(w, v.Elem())
	case reflect.Slice:
		fmt.Fprintf(w, "[%d ", v.Len())
		for i := range v.Len() {
			dump(w, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			dump(w, v.Field(i))
		}
	case reflect.String:
		fmt.Fprintf(w, "%q", v.String())
	default:
		fmt.Fprint(w, v, " ")
	}
}
