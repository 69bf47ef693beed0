package link

import (
	"reflect"

	"arbiter/lang/ast"
)

// This file reduces a tree to what matters in play: it removes doc strings and citations.

var (
	metaType  = reflect.TypeFor[ast.Meta]()
	citesType = reflect.TypeFor[[]ast.Cite]()
)

// WithoutMeta copies a clause without its doc strings and citations, including nested ones.
func WithoutMeta(cl ast.Clause) ast.Clause {
	c := copyClause(cl)
	stripMeta(reflect.ValueOf(c))
	return c
}

func stripMeta(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			stripMeta(v.Elem())
		}
	case reflect.Slice:
		if v.Type() == citesType {
			v.SetZero()
			return
		}
		for i := range v.Len() {
			stripMeta(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == metaType {
			v.SetZero()
			return
		}
		if b, ok := v.Addr().Interface().(*ast.Block); ok {
			var kept []ast.Clause
			for _, cl := range b.Clauses {
				if _, ok := cl.(*ast.Documentation); !ok {
					kept = append(kept, cl)
				}
			}
			b.Clauses = kept
		}
		for i := range v.NumField() {
			stripMeta(v.Field(i))
		}
	}
}
