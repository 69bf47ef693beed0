package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Thread runs functions of Modules, one call after the other, each under the same limits. A worker has one and reuses it;
// it must not be used by two goroutines at once.
type Thread struct {
	thread *starlark.Thread
	meter  meter
	hand   []starlark.Tuple // the hidden argument of a function that needs the meter
	busy   bool

	// Of a function that is run quickly: room to be used again.
	space  []starlark.Value
	iters  []starlark.Iterator
	kwargs []starlark.Tuple
}

// NewThread makes a Thread whose calls have the limits.
func NewThread(limits Limits) *Thread { return newThread(limits.orDefaults()) }

func newThread(limits Limits) *Thread {
	t := &Thread{thread: new(starlark.Thread)}
	t.meter.thread, t.meter.limits = t.thread, limits
	t.meter.ready()
	t.thread.OnMaxSteps = t.meter.outOfSteps
	t.thread.SetLocal(meterKey, &t.meter)
	t.hand = []starlark.Tuple{{starlark.String(paramName), &t.meter}}
	return t
}

// Run calls a function with positional arguments, under budgets of its own. The arguments are neither changed nor kept.
// An error is always an *Error. A function of the host that is called by a script must not call it again, but may call
// starlark.Call on the thread that it is given.
//
// undo lets the function be run quickly: it takes back all that the functions and values of the host have done since the
// beginning, and Starlark begins anew. Nothing of the host may look at the frames of the thread then, nor keep the
// arguments that it is given. Nil lets Starlark run it at once.
func (t *Thread) Run(f *Func, args starlark.Tuple, undo func()) (v starlark.Value, err error) {
	if t.busy {
		return nil, &Error{Kind: Internal, Message: "a call inside a call of the same thread"}
	}
	t.busy = true
	t.meter.reset()
	defer t.recovered(&err)
	if undo != nil && f.code != nil && !f.slow.Load() {
		v = t.quick(f.code, args)
		for _, it := range t.iters {
			it.Done()
		}
		if t.iters = t.iters[:0]; v != nil {
			return v, nil
		}
		f.slow.Store(true)
		undo()
		t.meter.reset()
	}
	var kwargs []starlark.Tuple
	if f.metered {
		kwargs = t.hand
	}
	v, err = starlark.Call(t.thread, f.fn, args, kwargs)
	if err != nil {
		return nil, t.asError(err, textsOf(f.fn))
	}
	return v, nil
}

// Charge lets a value of the host that a call reads pay for what it allocates in bytes, and for its work in steps of about
// 50 nanoseconds. It must return the error that it gets.
func (t *Thread) Charge(bytes int64, steps uint64) error { return t.meter.pay(bytes, steps) }

// Steps gives how many the last call has taken.
func (t *Thread) Steps() uint64 { return t.thread.Steps }

// recovered ends a call, and turns a panic of the interpreter or the host into an error.
func (t *Thread) recovered(err *error) {
	t.busy = false
	if r := recover(); r != nil {
		*err = &Error{Kind: Internal, Message: fmt.Sprintf("internal error: %v", r)}
	}
}

// asError gives an error of a call its kind and its places.
func (t *Thread) asError(err error, texts *texts) *Error {
	e := asError(err, texts)
	if s := t.meter.ended; s != nil {
		e.Kind, e.Message, e.Hint = s.kind, s.message, s.hint
	}
	return e
}
