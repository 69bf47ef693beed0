package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file tells a host what the state keeps, for showing it.

// Held gives the duration of an instance that waits for more than the clock, and what it keeps: the values that
// program.TriggerArg speaks of. The slice is good until the state changes.
func (m *Machine) Held(instance int32) (duration int32, values []int64, ok bool) {
	for _, h := range m.s.Holds {
		if h.Instance == instance {
			return h.Duration, m.list(h.At), true
		}
	}
	return 0, nil, false
}

// PlanOf says which plan a value of that type is.
func (m *Machine) PlanOf(v int64) (plan int32, ok bool) {
	_, plan, ok = m.planObject(v)
	return plan, ok
}

// Included says whether an instance came with another one, and which.
func Included(x *effect.Instance) (by int32, ok bool) { return x.Site, x.Site > derived }

// FieldOf gives the value of a field of a creature.
func (m *Machine) FieldOf(who, field int32) int64 { return m.s.Slots[int(who)*m.stride+int(field)] }

// Answer asks a ruleset a yes-no that the core knows; where it does not say, the answer is otherwise.
func (m *Machine) Answer(define, who int32, otherwise bool) bool {
	if define < 0 {
		return otherwise
	}
	v, ok := m.Ask(define, int64(who), program.None)
	return ok && v != 0
}
