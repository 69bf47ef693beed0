package sandbox

import (
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Func is a function, ready to be called by Thread.Run. It is shared by workers.
type Func struct {
	fn      starlark.Callable
	metered bool // it takes the meter as its last parameter
	code    *code
	slow    atomic.Bool // it was run quickly, in vain
}

// Prepare makes a Func of a function, which a Module must have frozen: what it is made of does not change any more.
func Prepare(fn starlark.Callable) *Func {
	p := &Func{fn: fn, metered: metered(fn)}
	f, ok := fn.(*starlark.Function)
	if !ok {
		return p
	}
	if t := textsOf(f); t != nil {
		at := f.Position()
		if program := t.programs[at.Filename()]; program != nil {
			p.code = quickly(compiledAt(program, f.Name(), int(at.Line), int(at.Col)), p.metered, f.Globals(), f.Module().Predeclared())
		}
	}
	return p
}

// At gives the place where the function is defined, the zero Frame if that is not in a script.
func (p *Func) At() Frame {
	f, ok := p.fn.(*starlark.Function)
	if !ok {
		return Frame{}
	}
	return frame(f.Name(), f.Position())
}

// metered reports whether a function takes the meter: it is the last of its parameters but for *args and **kwargs.
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
