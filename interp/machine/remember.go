package machine

import "arbiter/interp/program"

// This file memoizes defines. Tactics and guards evaluate the same ones again and again.
//
// A result stores the version of its define for its creature, like cached stats (stats.go). It is valid until something
// is written that the define may read, or a creature moves whose square it read (places.go).
//
// Caching must leave no trace: a result leaves the same words in the arena whether it is computed or cached, so that
// states are equal whatever a machine has evaluated before.

const rememberedBits = 11

// answer is the cached result of a define, and what it depends on.
type answer struct {
	version uint32
	isList  bool
	stood
	value int64
	list  []int64
}

// remembered is a cached result with the define and arguments that are its key.
type remembered struct {
	define int32
	asked  [program.KeptParams]int64
	answer
}

// apply returns the value of a define; registers are free from top on. A define that takes only a creature, as most do,
// has a cache entry of its own; all others share a hash table.
func (m *Machine) apply(id int32, given []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	if def.keeps == program.KeepsNothing {
		return m.applied(id, given, top, outer, at)
	}
	version := m.common[def.version]
	if who := given[0]; uint64(who) < uint64(len(m.s.Entities)) {
		version += m.versions[int(who)*len(m.common)+int(def.version)]
		if def.own >= 0 {
			k := &m.own[int(who)*m.owned+int(def.own)]
			if m.good(k, version) {
				return m.again(k)
			}
			v, _ := m.answers(k, version, id, given, top, outer, at)
			return v
		}
	}
	h := uint64(id) * 0x9e3779b97f4a7c15
	for _, v := range given {
		if !numbered(v) {
			return m.applied(id, given, top, outer, at)
		}
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
	}
	k := &m.remembered[h>>(64-rememberedBits)]
	if k.define == id && same(k.asked[:], given) && m.good(&k.answer, version) {
		return m.again(&k.answer)
	}
	v, kept := m.answers(&k.answer, version, id, given, top, outer, at)
	if kept {
		k.define = id
		for i, v := range given {
			k.asked[i&(program.KeptParams-1)] = v
		}
	}
	return v
}

// good says whether a cached result is still valid.
func (m *Machine) good(k *answer, version uint32) bool {
	return k.version == version && (k.moves == m.moveCount || m.still(&k.stood)) && !m.Forgetful
}

// again returns a cached result.
func (m *Machine) again(k *answer) int64 {
	m.seen |= k.seen
	if k.isList {
		return m.List(k.list)
	}
	return k.value
}

// answers evaluates a define and caches the result if it is a number or a list of numbers.
func (m *Machine) answers(k *answer, version uint32, id int32, given []int64, top int, outer, at int32) (v int64, kept bool) {
	s, keeps := m.s, m.defines[id].keeps
	arena := len(s.Arena)
	before := m.Look()
	v = m.applied(id, given, top, outer, at)
	seen := m.Looked(before)
	if m.err != nil {
		return 0, false
	}
	isList := keeps == program.KeepsList && v >= program.ArenaBase+int64(arena)
	switch {
	case isList:
		m.spare = append(m.spare[:0], m.list(v)...)
		for _, x := range m.spare {
			if !numbered(x) {
				return v, false
			}
		}
	case keeps == program.KeepsList && v >= program.ArenaBase, !numbered(v):
		// A list in a creature's field may be moved.
		s.Arena = s.Arena[:arena]
		return v, false
	}
	s.Arena = s.Arena[:arena]
	k.version, k.moves, k.seen, k.value, k.isList = version, m.moveCount, seen, v, isList
	if isList {
		k.list = append(k.list[:0], m.spare...)
		v = m.List(k.list)
	}
	return v, true
}

// applied evaluates a define.
func (m *Machine) applied(id int32, given []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	m.s.reserve(top + int(def.regs))
	r := (*[window]int64)(m.s.Regs[top : top+window])
	for i, v := range given { // faster than copy, for so few
		r[i] = v
	}
	m.depth++
	m.s.Budget -= int64(def.length)
	if m.depth > MaxDepth || m.s.Budget < 0 {
		m.tooFar(m.p.Defines[id].Name, at)
		return 0
	}
	pc, v := m.straight(int(def.start), r, outer)
	if pc >= 0 {
		v = m.perform(pc, top, top+int(def.regs), outer)
	}
	m.depth--
	return v
}

// same says whether b is a prefix of a.
func same(a, b []int64) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// numbered says whether a value is a plain number and not the address of a record.
func numbered(v int64) bool { return v < program.RecordTag || v >= 1<<60 }
