package sandbox

import (
	"go.starlark.net/starlark"
)

// maxFrozen limits the nodes that one freeze visits.
const maxFrozen = 200_000

// Freeze freezes a value of a script. The host must call it for every value that it keeps, in particular for functions,
// which may refer to lists. Starlark's own Freeze visits shared parts of tuples and functions every time they are
// reached, and never returns for a function that refers to itself.
func Freeze(v starlark.Value) error { return freeze(starlark.StringDict{"": v}) }

func freeze(values starlark.StringDict) error {
	f := freezer{left: maxFrozen, seen: map[starlark.Value]bool{}}
	for _, name := range values.Keys() {
		if err := f.visit(values[name], 0); err != nil {
			if name != "" {
				err = rawErrorf(err.kind, err.hint, "%s: %s", name, err.message)
			}
			return err
		}
	}
	for _, name := range values.Keys() { // in the order of the visits, so that it recurses no deeper
		values[name].Freeze()
	}
	return nil
}

// freezer visits what Starlark's Freeze will visit.
type freezer struct {
	left int
	seen map[starlark.Value]bool // lists and dicts, which are frozen once
}

func (f *freezer) visit(v starlark.Value, depth int) *rawError {
	f.left--
	switch {
	case v == nil: // a variable of a function that was never set
		return nil
	case depth > maxValueDepth:
		return errTooDeep
	case f.left < 0:
		return rawErrorf(Memory, "keep less of it", "a global value has more than %d parts", maxFrozen)
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
