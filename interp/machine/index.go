package machine

import "slices"

// This file counts all instances and holds in the fight: most effects and durations do not occur at all, most creatures
// are forbidden nothing, and a lookup of one of those ends immediately.

// index of the state. It is derived from the state, and recomputed when the state is restored.
type index struct {
	counts     []int32            // by effect: how many instances there are
	waiting    []int32            // by duration: how many instances wait for its end
	forbidding []int32            // by creature and permission: how many instances have a `cannot` about it
	instances  int                // how many there are in all
	kin        map[int32]kinIndex // by creature, of those that have many instances
}

// recount recomputes the index.
func (m *Machine) recount() {
	x := &m.index
	x.counts = zeros(x.counts, len(m.p.Effects))
	x.waiting = zeros(x.waiting, len(m.p.Durations))
	x.forbidding = zeros(x.forbidding, len(m.s.Entities)*len(m.p.Permissions))
	x.instances = 0
	clear(x.kin)
	for e := range m.s.Effects.All() {
		x.count(m, e.Bearer, e.Def, 1)
	}
	for i := range m.s.Captures {
		x.waiting[m.s.Captures[i].Duration]++
	}
}

// zeros returns n zeros, in the memory of a list if they fit.
func zeros(list []int32, n int) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// count counts an instance of a creature, by +1 or -1.
func (x *index) count(m *Machine, who, effect, more int32) {
	x.counts[effect] += more
	x.instances += int(more)
	for _, k := range m.p.Effects[effect].Cannots {
		x.forbidding[int(who)*len(m.p.Permissions)+int(k.Permission)] += more
	}
}

// countInstance counts a creature's instances of an effect, by +1 or -1.
func (m *Machine) countInstance(who, effect, more int32) {
	m.index.count(m, who, effect, more)
	slot := m.p.Slots.Effects + effect
	m.write(who, slot, m.s.Slots[int(who)*m.stride+int(slot)]+int64(more))
}
