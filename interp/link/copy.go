package link

import (
	"reflect"

	"arbiter/lang/ast"
)

// This file copies and compares trees by reflection, so new types of nodes need no code here.

// copyClause copies a tree. What the set says of the originals' clauses and values it then says of the copies, too; nil:
// there is no set.
func copyClause(cl ast.Clause, set *Set) ast.Clause {
	out := copyValue(reflect.ValueOf(&cl).Elem(), set)
	return out.Interface().(ast.Clause)
}

func copyValue(v reflect.Value, set *Set) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type().Elem())
		w.Elem().Set(copyValue(v.Elem(), set))
		if set != nil {
			set.sayOfCopy(v.Interface(), w.Interface())
		}
		return w
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type()).Elem()
		w.Set(copyValue(v.Elem(), set))
		return w
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			w.Index(i).Set(copyValue(v.Index(i), set))
		}
		return w
	case reflect.Struct:
		w := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			w.Field(i).Set(copyValue(v.Field(i), set))
		}
		return w
	}
	return v
}

// sayOfCopy says of the copy of a node what is known of the original.
func (s *Set) sayOfCopy(original, copied any) {
	if cl, ok := original.(ast.Clause); ok {
		if o := s.Origins[cl]; o != nil {
			s.Origins[copied.(ast.Clause)] = o
		}
	}
	if e, ok := original.(ast.Expr); ok {
		if o := s.Values[e]; o != nil {
			s.Values[copied.(ast.Expr)] = o
		}
		if was := s.Replaced[e]; was != nil {
			s.Replaced[copied.(ast.Expr)] = was
		}
	}
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
