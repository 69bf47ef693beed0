package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file reads what the state stores, for a host that displays it.

// CapturedValues returns the duration of an instance that waits for more than the clock, and its captured values, which
// program.TriggerArg refers to. The slice is valid until the state changes.
func (m *Machine) CapturedValues(instance int32) (duration int32, values []int64, ok bool) {
	for _, h := range m.s.Captures {
		if h.Instance == instance {
			return h.Duration, m.list(h.Addr), true
		}
	}
	return 0, nil, false
}

// PlanOf returns which plan a value is.
func (m *Machine) PlanOf(v int64) (plan int32, ok bool) {
	_, plan, ok = m.planObject(v)
	return plan, ok
}

// Asking returns the effect instance whose own rule asks the current question; nil if none does.
func (m *Machine) Asking() *effect.Instance {
	if i := m.ruleFrame(); i >= 0 {
		return m.s.Effects.ByID(int32(m.s.Regs[m.s.Frames[i].Base+2])) // see beginRule
	}
	return nil
}

// IncludedBy says whether an instance is included by another one, and by which.
func IncludedBy(x *effect.Instance) (by int32, ok bool) { return x.Origin, x.Origin > originDerived }

// FieldOf returns the value of a creature's field.
func (m *Machine) FieldOf(who, field int32) int64 { return m.s.Slots[int(who)*m.stride+int(field)] }

// TryYesNo evaluates a yes-no define that the core knows; if the ruleset does not declare it, the answer is otherwise.
func (m *Machine) TryYesNo(define, who int32, otherwise bool) bool {
	if define < 0 {
		return otherwise
	}
	v, ok := m.TryDefine(define, int64(who), program.None)
	return ok && v != 0
}
