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
	stood
	args  [program.KeptParams]int64
	value int64
	list  []int64
}

// apply gives the answer of a define, whose arguments are given in the registers from top on, where it runs.
func (m *Machine) apply(id int32, given *[window]int64, top int, outer, at int32) int64 {
	s, def := m.s, &m.defines[id]
	n := int(def.params)
	if def.keeps == program.KeepsNothing {
		return m.applied(id, top, outer, at)
	}
	var asked [program.KeptParams]int64
	h := uint64(id) * 0x9e3779b97f4a7c15
	for i, v := range given[:n] {
		if !numbered(v) {
			return m.applied(id, top, outer, at)
		}
		asked[i&(program.KeptParams-1)] = v
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
	}
	k := &m.remembered[h>>(64-rememberedBits)]
	version := m.version(len(m.stats)+int(id), asked[0])
	if k.define == id && k.version == version && k.epoch == m.epoch && k.args == asked &&
		(k.moves == m.moveCount || m.still(&k.stood)) && !m.Forgetful {
		m.seen |= k.seen
		if k.isList {
			return m.List(k.list)
		}
		return k.value
	}
	arena := len(s.Arena)
	before := m.Look()
	v := m.applied(id, top, outer, at)
	seen := m.Looked(before)
	if m.err != nil {
		return 0
	}
	isList := def.keeps == program.KeepsList && v >= program.ArenaBase+int64(arena)
	switch {
	case isList:
		m.spare = append(m.spare[:0], m.list(v)...)
		for _, x := range m.spare {
			if !numbered(x) {
				return v
			}
		}
	case def.keeps == program.KeepsList && v >= program.ArenaBase, !numbered(v):
		// What a creature keeps may be moved.
		s.Arena = s.Arena[:arena]
		return v
	}
	s.Arena = s.Arena[:arena]
	k = &m.remembered[h>>(64-rememberedBits)]
	k.define, k.version, k.epoch, k.moves, k.seen = id, version, m.epoch, m.moveCount, seen
	k.args, k.value, k.isList = asked, v, isList
	if isList {
		k.list = append(k.list[:0], m.spare...)
		return m.List(k.list)
	}
	return v
}

// applied runs a define in its place.
func (m *Machine) applied(id int32, top int, outer, at int32) int64 {
	def := &m.defines[id]
	m.s.reserve(top + int(def.regs))
	m.depth++
	m.s.Budget -= int64(def.length)
	if m.depth > MaxDepth || m.s.Budget < 0 {
		m.tooFar(m.p.Defines[id].Name, at)
		return 0
	}
	v := m.exec(def.start, top, top+int(def.regs), outer)
	m.depth--
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

// numbered says whether a value is what it is by itself, and no address of a record.
func numbered(v int64) bool { return v < program.RecordTag || v >= 1<<60 }
