package machine

import "arbiter/interp/program"

// This file remembers what defines have answered. Tactics and guards ask the same things again and again.
//
// An answer carries the version of its define on its creature, as remembered stats do (stats.go): it is good until
// something is written that the define may read, or somebody moves whom it saw (places.go).
//
// What is remembered must leave no trace: an answer leaves in the arena the same words whether it is reckoned or
// remembered, so that states are equal whatever a machine has seen before.

const rememberedBits = 11

type remembered struct {
	define         int32
	version, epoch uint32
	isList         bool
	stood          stood
	args           [program.KeptParams]int64
	value          int64
	list           []int64
}

// apply gives the answer of a define, whose arguments lie in registers from args on; windows are free from top on.
func (m *Machine) apply(id int32, args, top int, outer, at int32) int64 {
	s := m.s
	def := &m.p.Defines[id]
	ch := &m.p.Chunks[def.Chunk]
	s.reserve(top + int(ch.Regs))
	n := int(ch.Params)
	given := s.Regs[args : args+n]
	if def.Keeps == program.KeepsNothing || m.p.Covers || !numbered(given) {
		copy(s.Regs[top:top+n], given)
		return m.run(ch, top, outer, at)
	}
	h := uint64(id) * 0x9e3779b97f4a7c15
	for _, v := range given {
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
	}
	k := &m.remembered[h>>(64-rememberedBits)]
	version := m.version(len(m.stats)+int(id), given[0])
	if k.define == id && k.version == version && k.epoch == m.epoch && same(k.args[:], given) && m.still(&k.stood) && !m.Forgetful {
		m.seen |= k.stood.seen
		if k.isList {
			return m.List(k.list)
		}
		return k.value
	}
	var asked [program.KeptParams]int64
	copy(asked[:], given)
	copy(s.Regs[top:top+n], given)
	arena := len(s.Arena)
	before := m.Look()
	v := m.run(ch, top, outer, at)
	seen := m.Looked(before)
	if m.err != nil {
		return 0
	}
	isList := def.Keeps == program.KeepsList && v >= program.ArenaBase+int64(arena)
	switch {
	case isList:
		m.spare = append(m.spare[:0], m.list(v)...)
		if !numbered(m.spare) {
			return v
		}
	case def.Keeps == program.KeepsList && v >= program.ArenaBase, !numbered1(v):
		// What a creature keeps may be moved.
		s.Arena = s.Arena[:arena]
		return v
	}
	s.Arena = s.Arena[:arena]
	k.define, k.version, k.epoch, k.stood, k.args, k.value, k.isList = id, version, m.epoch, stood{m.moveCount, seen}, asked, v, isList
	if isList {
		k.list = append(k.list[:0], m.spare...)
		return m.List(k.list)
	}
	return v
}

// same says whether the first values of a are b.
func same(a, b []int64) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// numbered says whether values are what they are by themselves, and no addresses of records.
func numbered(values []int64) bool {
	for _, v := range values {
		if !numbered1(v) {
			return false
		}
	}
	return true
}

func numbered1(v int64) bool { return v < program.RecordTag || v >= 1<<60 }
