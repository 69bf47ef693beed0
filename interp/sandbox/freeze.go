package sandbox

import (
	"go.starlark.net/starlark"
)

// mostFrozen bounds the nodes that one freezing visits.
const mostFrozen = 200_000

// Freeze freezes a value that a script has made, as the host must do with one that it keeps: a function above all, which
// may hold lists. Starlark's own Freeze visits what tuples and functions share as often as it is reached, and does not
// return from a function that holds itself.
func Freeze(v starlark.Value) error { return freeze(starlark.StringDict{"": v}) }

func freeze(values starlark.StringDict) error {
	f := freezer{left: mostFrozen, seen: map[starlark.Value]bool{}}
	for _, name := range values.Keys() {
		if err := f.visit(values[name], 0); err != nil {
			if name != "" {
				err = stopped(err.kind, err.hint, "%s: %s", name, err.message)
			}
			return err
		}
	}
	for _, name := range values.Keys() { // in the order of the visits, so that it is not deeper
		values[name].Freeze()
	}
	return nil
}

// freezer visits what Freeze will visit.
type freezer struct {
	left int
	seen map[starlark.Value]bool // lists and dicts, which are frozen once
}

func (f *freezer) visit(v starlark.Value, depth int) *stop {
	f.left--
	switch {
	case v == nil: // a variable of a function that was never set
		return nil
	case depth > deepest:
		return errTooDeep
	case f.left < 0:
		return stopped(Memory, "keep less of it", "a global value has more than %d parts", mostFrozen)
	}
	switch v := v.(type) {
	case *starlark.List:
		if f.seen[v] {
			return nil
		}
		f.seen[v] = true
		for i := range v.Len() {
			if err := f.visit(v.Index(i), depth+1); err != nil {
				return err
			}
		}
	case starlark.Tuple:
		for _, e := range v {
			if err := f.visit(e, depth+1); err != nil {
				return err
			}
		}
	case *starlark.Dict:
		if f.seen[v] {
			return nil
		}
		f.seen[v] = true
		for k, e := range v.Entries() {
			if err := f.visit(k, depth+1); err != nil {
				return err
			}
			if err := f.visit(e, depth+1); err != nil {
				return err
			}
		}
	case *starlark.Function:
		for i := range v.NumParams() {
			if err := f.visit(v.ParamDefault(i), depth+1); err != nil {
				return err
			}
		}
		for i := range v.NumFreeVars() {
			_, e := v.FreeVar(i)
			if err := f.visit(e, depth+1); err != nil {
				return err
			}
		}
	case *starlark.Builtin:
		return f.visit(v.Receiver(), depth+1)
	}
	return nil
}
