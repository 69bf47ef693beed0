package link

import (
	"reflect"
	"slices"

	"arbiter/lang/ast"
)

// This file copies and compares trees, mostly by reflection, so new types of nodes need no code here.

// copyClause copies a tree.
func copyClause(cl ast.Clause) ast.Clause {
	return copyValue(reflect.ValueOf(&cl).Elem()).Interface().(ast.Clause)
}

func copyValue(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type().Elem())
		w.Elem().Set(copyValue(v.Elem()))
		return w
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type()).Elem()
		w.Set(copyValue(v.Elem()))
		return w
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			w.Index(i).Set(copyValue(v.Index(i)))
		}
		return w
	case reflect.Struct:
		w := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			w.Field(i).Set(copyValue(v.Field(i)))
		}
		return w
	}
	return v
}

// shallowCopy copies a clause; what it points to is shared.
func shallowCopy(cl ast.Clause) ast.Clause {
	v := reflect.ValueOf(cl).Elem()
	w := reflect.New(v.Type())
	w.Elem().Set(v)
	return w.Interface().(ast.Clause)
}

// editable copies of a clause what changes edit: itself, its body with what has bodies in turn, the rows of a table and
// the members of an enum. All else is shared, for it is replaced and never edited. The copies have the origins of the
// originals.
func (s *Set) editable(cl ast.Clause) ast.Clause {
	now := shallowCopy(cl)
	if o := s.Origins[cl]; o != nil {
		s.Origins[now] = o
	}
	switch n := now.(type) {
	case *ast.Table:
		n.Rows = editableRows(n.Rows)
	case *ast.Enum:
		n.Members = slices.Clone(n.Members)
	}
	if body := bodyOf(now); body != nil {
		*body = s.editableBody(*body)
	}
	return now
}

func (s *Set) editableBody(b *ast.Block) *ast.Block {
	if b == nil {
		return nil
	}
	now := *b
	now.Clauses = slices.Clone(b.Clauses)
	for i, cl := range now.Clauses {
		if bodyOf(cl) != nil {
			now.Clauses[i] = s.editable(cl)
		}
	}
	return &now
}

func editableRows(rows []ast.Row) []ast.Row {
	now := slices.Clone(rows)
	for i := range now {
		now[i].Cells = slices.Clone(now[i].Cells)
	}
	return now
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
