package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Thread runs functions of Modules, one call after the other, each under the same limits. A worker has one and reuses
// it; it must not be used by two goroutines at the same time.
type Thread struct {
	thread      *starlark.Thread
	meter       meter
	meterKwargs []starlark.Tuple // the hidden argument of a function that needs the meter
	busy        bool

	// Reusable memory for functions that are run quickly.
	quickStack []starlark.Value
	iters      []starlark.Iterator
	kwargs     []starlark.Tuple
}

// NewThread returns a Thread whose calls have the limits.
func NewThread(limits Limits) *Thread { return newThread(limits.orDefaults()) }

func newThread(limits Limits) *Thread {
	t := &Thread{thread: new(starlark.Thread)}
	t.meter.thread, t.meter.limits = t.thread, limits
	t.meter.initOperands()
	t.thread.OnMaxSteps = t.meter.outOfSteps
	t.thread.SetLocal(meterKey, &t.meter)
	t.meterKwargs = []starlark.Tuple{{starlark.String(paramName), &t.meter}}
	return t
}

// Run calls a function with positional arguments and full budgets. It neither changes nor keeps the arguments. An error
// is always an *Error. A function of the host that is called by a script must not call Run again, but may use
// starlark.Call on the given thread.
//
// undo allows the function to be run quickly: it must undo everything that the functions and values of the host have
// done since the start, before Starlark starts again. The host must then neither use the frames of the thread nor keep
// the arguments it is given. If undo is nil, Starlark runs the function from the start.
func (t *Thread) Run(f *Func, args starlark.Tuple, undo func()) (v starlark.Value, err error) {
	if t.busy {
		return nil, &Error{Kind: Internal, Message: "a call inside a call of the same thread"}
	}
	t.busy = true
	t.meter.reset()
	defer t.recoverPanic(&err)
	if undo != nil && f.code != nil && !f.quickFailed.Load() {
		v = t.runQuick(f.code, args)
		for _, it := range t.iters {
			it.Done()
		}
		if t.iters = t.iters[:0]; v != nil {
			return v, nil
		}
		f.quickFailed.Store(true)
		undo()
		t.meter.reset()
	}
	var kwargs []starlark.Tuple
	if f.metered {
		kwargs = t.meterKwargs
	}
	v, err = starlark.Call(t.thread, f.fn, args, kwargs)
	if err != nil {
		return nil, t.asError(err, fileSetOf(f.fn))
	}
	return v, nil
}

// Charge charges the running call for memory that the host allocates, in bytes, and for its work, in steps of about 50
// nanoseconds. The host must return the error.
func (t *Thread) Charge(bytes int64, steps uint64) error { return t.meter.charge(bytes, steps) }

// Steps returns the number of steps of the last call.
func (t *Thread) Steps() uint64 { return t.thread.Steps }

// recoverPanic ends a call, and converts a panic of the interpreter or the host to an error.
func (t *Thread) recoverPanic(err *error) {
	t.busy = false
	if r := recover(); r != nil {
		*err = &Error{Kind: Internal, Message: fmt.Sprintf("internal error: %v", r)}
	}
}

// asError converts an error of a call, adding its kind and positions.
func (t *Thread) asError(err error, texts *fileSet) *Error {
	e := asError(err, texts)
	if s := t.meter.ended; s != nil {
		e.Kind, e.Message, e.Hint = s.kind, s.message, s.hint
	}
	return e
}
