package machine

import "slices"

// This file counts all instances and holds in the fight: most effects and durations do not occur at all, and a lookup
// of one of those ends immediately.

// index of the state. It is derived from the state, and recomputed when the state is restored.
type index struct {
	counts  []int32 // by effect: how many instances there are
	waiting []int32 // by duration: how many instances wait for its end
}

// recount recomputes the index.
func (m *Machine) recount() {
	x := &m.index
	x.counts = slices.Grow(x.counts[:0], len(m.p.Effects))[:len(m.p.Effects)]
	x.waiting = slices.Grow(x.waiting[:0], len(m.p.Durations))[:len(m.p.Durations)]
	clear(x.counts)
	clear(x.waiting)
	for e := range m.s.Effects.All() {
		x.counts[e.Def]++
	}
	for i := range m.s.Captures {
		x.waiting[m.s.Captures[i].Duration]++
	}
}

// countInstance counts a creature's instances of an effect, by +1 or -1.
func (m *Machine) countInstance(who, effect int32, more int64) {
	m.index.counts[effect] += int32(more)
	slot := m.p.Slots.Effects + effect
	m.write(who, slot, m.s.Slots[int(who)*m.stride+int(slot)]+more)
}
