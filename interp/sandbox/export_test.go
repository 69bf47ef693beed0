package sandbox

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// Call calls a function that has not been prepared, by Starlark.
func (t *Thread) Call(fn starlark.Callable, args starlark.Tuple) (starlark.Value, error) {
	return t.Run(&Func{fn: fn, metered: metered(fn)}, args, nil)
}

// Backtrace gives the frames, innermost last, a line each.
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
