package sandbox

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// Call calls a function without Prepare, so Starlark runs it.
func (t *Thread) Call(fn starlark.Callable, args starlark.Tuple) (starlark.Value, error) {
	return t.Run(&Func{fn: fn, metered: metered(fn)}, args, nil)
}

// Backtrace returns the frames, innermost last, one per line.
func (e *Error) Backtrace() string {
	var b strings.Builder
	for _, f := range e.Frames {
		name := f.Name
		if name == "" {
			name = "the top level"
		}
		fmt.Fprintf(&b, "%s: in %s\n", f, name)
	}
	return b.String()
}
