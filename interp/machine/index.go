package machine

import "slices"

// This file counts what is borne and held anywhere in the fight: most effects and durations nobody has, and what asks for
// one of those is passed at once.

// index of the state. It follows from the state, and is made anew when that is put back.
type index struct {
	borne []int32 // by effect: how many instances there are
	held  []int32 // by duration: how many of them wait for its end
}

// count makes the index anew.
func (m *Machine) count() {
	x := &m.index
	x.borne = slices.Grow(x.borne[:0], len(m.p.Effects))[:len(m.p.Effects)]
	x.held = slices.Grow(x.held[:0], len(m.p.Durations))[:len(m.p.Durations)]
	clear(x.borne)
	clear(x.held)
	for e := range m.s.Effects.All() {
		x.borne[e.Def]++
	}
	for i := range m.s.Holds {
		x.held[m.s.Holds[i].Duration]++
	}
}

// bears notes that somebody bears one instance more of an effect, or one less.
func (m *Machine) bears(who, effect int32, more int64) {
	m.index.borne[effect] += int32(more)
	slot := m.p.Slots.Effects + effect
	m.write(who, slot, m.s.Slots[int(who)*m.stride+int(slot)]+more)
}
