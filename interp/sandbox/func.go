package sandbox

import (
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Func is a function ready to be called by Thread.Run. Workers share it.
type Func struct {
	fn          starlark.Callable
	metered     bool // it takes the meter as its last parameter
	code        *quickCode
	quickFailed atomic.Bool // an attempt to run it quickly failed
}

// Prepare makes a Func of a function, which must have been frozen by a Module, so that its parts no longer change.
func Prepare(fn starlark.Callable) *Func {
	p := &Func{fn: fn, metered: metered(fn)}
	f, ok := fn.(*starlark.Function)
	if !ok {
		return p
	}
	if t := fileSetOf(f); t != nil {
		at := f.Position()
		if program := t.programs[at.Filename()]; program != nil {
			p.code = compileQuick(findCompiled(program, f.Name(), int(at.Line), int(at.Col)), p.metered, f.Globals(), f.Module().Predeclared())
		}
	}
	return p
}

// At returns the position where the function is defined, the zero Frame if it is not defined in a script.
func (p *Func) At() Frame {
	f, ok := p.fn.(*starlark.Function)
	if !ok {
		return Frame{}
	}
	return frameAt(f.Name(), f.Position())
}

// metered reports whether a function takes the meter, as its last parameter before *args and **kwargs.
func metered(fn starlark.Callable) bool {
	f, ok := fn.(*starlark.Function)
	if !ok || f.NumKwonlyParams() == 0 {
		return false
	}
	i := f.NumParams() - 1
	if f.HasVarargs() {
		i--
	}
	if f.HasKwargs() {
		i--
	}
	name, _ := f.Param(i)
	return name == paramName
}
