package sandbox

import (
	"math"

	"go.starlark.net/starlark"
)

// meter counts the resources that one call uses. The interpreter counts its own steps and stops at a limit. The meter
// lowers that limit as memory is used, so that one comparison in the interpreter's loop checks both.
//
// The functions that the rewritten program calls use charge. What the interpreter allocates without asking - a small
// frame, a tuple, an iterator, a cell - is at most about 32 bytes per step on average. Each step counts as bytesPerStep
// bytes for it, so the count is never too low by more than the quotient of the two.
type meter struct {
	thread      *starlark.Thread
	limits      Limits
	bytes       int64     // paid for, in addition to those of the interpreter's steps
	nativeSteps uint64    // steps paid for, in addition to those of the interpreter
	stepLimit   uint64    // the step at which the interpreter stops; 0 when the call has ended
	ended       *rawError // the limit that ended the current call

	operands // of guarded operators; see operators.go
}

// bytesPerStep is the number of bytes that a step of the interpreter counts as.
const bytesPerStep = 8

// meterKey is the key of the meter in the locals of a thread.
const meterKey = "meter"

func meterOf(thread *starlark.Thread) (*meter, error) {
	m, ok := thread.Local(meterKey).(*meter)
	if !ok {
		return nil, rawErrorf(Internal, "", "a function of the sandbox is called on a thread that is not the sandbox's")
	}
	return m, nil
}

// reset restores the full budgets for the next call.
func (m *meter) reset() {
	m.bytes, m.nativeSteps = 0, 0
	m.stack = m.stack[:0]
	m.thread.Steps = 0
	m.updateLimit()
	if m.ended != nil {
		m.ended = nil
		m.thread.Uncancel()
	}
}

// updateLimit sets the step at which the interpreter stops, when either steps or bytes are used up.
func (m *meter) updateLimit() {
	stepLimit := m.limits.Steps
	if left := uint64(m.limits.Bytes-m.bytes) / bytesPerStep; left < stepLimit {
		stepLimit = min(stepLimit, m.nativeSteps+left)
	}
	m.stepLimit = stepLimit
	m.thread.SetMaxExecutionSteps(stepLimit)
}

// charge counts bytes and steps of native work before it is done, and returns an error if a limit would be exceeded.
func (m *meter) charge(bytes int64, steps uint64) error {
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
	m.nativeSteps += steps
	m.thread.Steps += steps
	m.updateLimit()
	return nil
}

// remaining is how many nodes of a value can still be visited, or bytes written.
func (m *meter) remaining() int {
	if m.thread.Steps >= m.limits.Steps {
		return 0
	}
	return int(min(m.limits.Steps-m.thread.Steps, uint64(m.limits.Bytes-m.bytes)))
}

// end ends the call: immediately if the caller returns the error, else before the next step of the interpreter.
func (m *meter) end(kind Kind) error {
	if m.ended == nil {
		switch kind {
		case Steps:
			m.ended = rawErrorf(Steps, "a loop runs too long: do less in one call", "stopped after %d steps", m.limits.Steps)
		case Memory:
			m.ended = rawErrorf(Memory, "a string, list or dict grows too large: keep less of it", "stopped after %d bytes of memory", m.limits.Bytes)
		default:
			m.ended = rawErrorf(kind, "call fewer functions inside each other", "more than %d calls inside each other", m.limits.Depth)
		}
		m.stepLimit = 0
		m.thread.Cancel("limit")
	}
	return m.ended
}

// outOfSteps is called by the interpreter at the step set by limit.
func (m *meter) outOfSteps(*starlark.Thread) {
	if m.thread.Steps >= m.limits.Steps {
		m.end(Steps)
	} else {
		m.end(Memory)
	}
}

// checkDepth returns an error if calls are nested deeper than the limit.
func (m *meter) checkDepth() error {
	// The calling built-in function is on the stack itself.
	if m.thread.CallStackDepth()-1 > m.limits.Depth {
		return m.end(Depth)
	}
	return nil
}

// mulSizes multiplies sizes without overflow.
func mulSizes(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64/4/a {
		return math.MaxInt64 / 4
	}
	return a * b
}
