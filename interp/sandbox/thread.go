package sandbox

import (
	"go.starlark.net/starlark"
)

// Thread runs functions of Modules, one call after the other, each under the same limits. A worker has one and reuses it;
// it must not be used by two goroutines at once.
type Thread struct {
	thread *starlark.Thread
	limits Limits
	ended  *stop // the limit that ended the present call
}

// NewThread makes a Thread whose calls have the limits.
func NewThread(limits Limits) *Thread { return newThread(limits.orDefaults()) }

func newThread(limits Limits) *Thread {
	t := &Thread{thread: new(starlark.Thread), limits: limits}
	t.thread.OnMaxSteps = t.outOfSteps
	return t
}

// Call calls a function with positional arguments, under budgets of its own. The arguments are neither changed nor kept.
// An error is always an *Error.
func (t *Thread) Call(fn starlark.Callable, args starlark.Tuple) (_ starlark.Value, err error) {
	t.reset()
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Kind: Internal, Message: "internal error in " + fn.Name()}
		}
	}()
	v, err := starlark.Call(t.thread, fn, args, nil)
	if err != nil {
		return nil, t.asError(err, textsOf(fn))
	}
	return v, nil
}

// Steps gives how many the last call has taken.
func (t *Thread) Steps() uint64 { return t.thread.Steps }

// reset gives the next call its whole budgets.
func (t *Thread) reset() {
	t.thread.Steps = 0
	t.thread.SetMaxExecutionSteps(t.limits.Steps)
	if t.ended != nil {
		t.ended = nil
		t.thread.Uncancel()
	}
}

// outOfSteps is called by the interpreter.
func (t *Thread) outOfSteps(thread *starlark.Thread) {
	t.ended = stopped(Steps, "a loop runs too long: do less in one call", "stopped after %d steps", t.limits.Steps)
	thread.Cancel("out of steps")
}

// asError gives an error of a call its kind and places.
func (t *Thread) asError(err error, texts *texts) *Error {
	e := asError(err, texts)
	if t.ended != nil {
		e.Kind, e.Message, e.Hint = t.ended.kind, t.ended.message, t.ended.hint
	}
	return e
}
