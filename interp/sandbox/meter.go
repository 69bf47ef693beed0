package sandbox

import (
	"math"

	"go.starlark.net/starlark"
)

// A meter counts what one call uses. The interpreter counts its own steps and can stop at a number of them; the meter moves
// that number as memory is used, so that one comparison in the interpreter's loop watches over both.
//
// What the rewritten program calls pays for itself by pay. What the interpreter allocates without asking - the space of
// a small frame, a tuple, an iterator, a cell - is at most about 32 bytes a step on average, and each step counts as
// perStep bytes for it. So the count is never short by more than the quotient of the two.
type meter struct {
	thread *starlark.Thread
	limits Limits
	bytes  int64  // paid for; the steps of the interpreter come on top
	native uint64 // steps paid for, which are no steps of the interpreter
	most   uint64 // the step at which the interpreter is told to stop; 0 when the call has ended
	ended  *stop  // the limit that ended the present call

	operands // of guarded operators, see operators.go
}

// perStep is the bytes that a step of the interpreter counts for.
const perStep = 8

// meterKey finds the meter of the thread that a built-in function is called on.
const meterKey = "meter"

func meterOf(thread *starlark.Thread) (*meter, error) {
	m, ok := thread.Local(meterKey).(*meter)
	if !ok {
		return nil, stopped(Internal, "", "a function of the sandbox is called on a thread that is not the sandbox's")
	}
	return m, nil
}

// reset gives the next call its whole budgets.
func (m *meter) reset() {
	m.bytes, m.native = 0, 0
	m.stack = m.stack[:0]
	m.thread.Steps = 0
	m.limit()
	if m.ended != nil {
		m.ended = nil
		m.thread.Uncancel()
	}
}

// limit tells the interpreter at which step to stop: where the steps end, or the bytes.
func (m *meter) limit() {
	most := m.limits.Steps
	if left := uint64(m.limits.Bytes-m.bytes) / perStep; left < most {
		most = min(most, m.native+left)
	}
	m.most = most
	m.thread.SetMaxExecutionSteps(most)
}

// pay counts bytes and steps of native work before it is done, and refuses it when a limit would be passed.
func (m *meter) pay(bytes int64, steps uint64) error {
	if m.ended != nil {
		return m.ended
	}
	if bytes < 0 || bytes > m.limits.Bytes-m.bytes {
		return m.end(Memory)
	}
	if steps > m.limits.Steps || m.thread.Steps+steps >= m.limits.Steps {
		return m.end(Steps)
	}
	m.bytes += bytes
	m.native += steps
	m.thread.Steps += steps
	m.limit()
	return nil
}

// left is how many nodes of a value may still be visited, or bytes written.
func (m *meter) left() int {
	if m.thread.Steps >= m.limits.Steps {
		return 0
	}
	return int(min(m.limits.Steps-m.thread.Steps, uint64(m.limits.Bytes-m.bytes)))
}

// end ends the call: at once if the caller returns the error, else before the next step of the interpreter.
func (m *meter) end(kind Kind) error {
	if m.ended == nil {
		switch kind {
		case Steps:
			m.ended = stopped(Steps, "a loop runs too long: do less in one call", "stopped after %d steps", m.limits.Steps)
		case Memory:
			m.ended = stopped(Memory, "a string, list or dict grows too large: keep less of it", "stopped after %d bytes of memory", m.limits.Bytes)
		default:
			m.ended = stopped(kind, "call fewer functions inside each other", "more than %d calls inside each other", m.limits.Depth)
		}
		m.most = 0
		m.thread.Cancel("limit")
	}
	return m.ended
}

// outOfSteps is called by the interpreter at the step that limit told it.
func (m *meter) outOfSteps(*starlark.Thread) {
	if m.thread.Steps >= m.limits.Steps {
		m.end(Steps)
	} else {
		m.end(Memory)
	}
}

// deep refuses one call more than the limit inside each other.
func (m *meter) deep() error {
	// The built-in function that asks is on the stack itself.
	if m.thread.CallStackDepth()-1 > m.limits.Depth {
		return m.end(Depth)
	}
	return nil
}

// times multiplies sizes without overflow.
func times(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64/4/a {
		return math.MaxInt64 / 4
	}
	return a * b
}
