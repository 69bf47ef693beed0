package machine

import "arbiter/interp/program"

// This file remembers what defines have answered. Tactics and guards ask the same things again and again; as long as
// nothing has changed, the answer is the same.
//
// What is remembered must leave no trace: an answer leaves in the arena the same words whether it is reckoned or
// remembered, so that states are equal whatever a machine has seen before.

const rememberedBits = 11

type remembered struct {
	changes uint64
	define  int32
	isList  bool
	args    [program.KeptParams]int64
	value   int64
	list    []int64
}

// apply gives the answer of a define, whose arguments lie in registers from args on; windows are free from top on.
func (m *Machine) apply(id int32, args, top int, outer, at int32) int64 {
	s := m.s
	def := &m.p.Defines[id]
	ch := &m.p.Chunks[def.Chunk]
	s.reserve(top + int(ch.Regs))
	n := int(ch.Params)
	given := s.Regs[args : args+n]
	if def.Keeps == program.KeepsNothing || m.p.Covers || n > program.KeptParams || !numbered(given) {
		copy(s.Regs[top:top+n], given)
		return m.run(ch, top, outer, at)
	}
	h := uint64(id) * 0x9e3779b97f4a7c15
	for _, v := range given {
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
	}
	k := &m.remembered[h>>(64-rememberedBits)]
	if k.changes == m.changes && k.define == id && same(k.args[:n], given) {
		if k.isList {
			return m.List(k.list)
		}
		return k.value
	}
	var asked [program.KeptParams]int64
	copy(asked[:], given)
	copy(s.Regs[top:top+n], given)
	arena := len(s.Arena)
	v := m.run(ch, top, outer, at)
	if m.err != nil {
		return 0
	}
	if def.Keeps == program.KeepsValue {
		s.Arena = s.Arena[:arena]
		if numbered1(v) {
			k.changes, k.define, k.args, k.value, k.isList = m.changes, id, asked, v, false
		}
		return v
	}
	if v < program.ArenaBase+int64(arena) { // none, a constant, or what a creature keeps and may be moved
		s.Arena = s.Arena[:arena]
		if v < program.ArenaBase {
			k.changes, k.define, k.args, k.value, k.isList = m.changes, id, asked, v, false
		}
		return v
	}
	m.spare = append(m.spare[:0], m.list(v)...)
	if !numbered(m.spare) {
		return v
	}
	k.list = append(k.list[:0], m.spare...)
	k.changes, k.define, k.args, k.isList = m.changes, id, asked, true
	s.Arena = s.Arena[:arena]
	return m.List(k.list)
}

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
