package machine

import "arbiter/interp/program"

// This file memoizes defines. Tactics and guards evaluate the same ones again and again.
//
// A result stores the version of its define for its creature, like cached stats (stats.go). It is valid until something
// is written that the define may read, or a creature moves whose square it read (reads.go).
//
// Caching must leave no trace: a result leaves the same words in the arena whether it is computed or cached, so that
// states are equal whatever a machine has evaluated before.

const memoBits = 11

// cachedDefine is the cached result of a define, and what it depends on.
type cachedDefine struct {
	version uint32
	isList  bool
	readStamp
	value int64
	list  []int64
}

// memoEntry is a cached result with the define and arguments that are its key.
type memoEntry struct {
	define int32
	asked  [program.KeptParams]int64
	cachedDefine
}

// apply returns the value of a define; registers are free from top on. A define that takes only a creature, as most do,
// has a cache entry of its own; all others share a hash table.
func (m *Machine) apply(id int32, given []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	if def.keeps == program.KeepsNothing {
		return m.runDefine(id, given, top, outer, at)
	}
	version := m.sharedVersions[def.version]
	if who := given[0]; uint64(who) < uint64(len(m.s.Entities)) {
		version += m.versions[int(who)*len(m.sharedVersions)+int(def.version)]
		if def.own >= 0 {
			k := &m.ownDefines[int(who)*m.ownDefineCount+int(def.own)]
			if m.isValid(k, version) {
				return m.reuse(k)
			}
			v, _ := m.computeAnswer(k, version, id, given, top, outer, at)
			return v
		}
	}
	h := uint64(id) * 0x9e3779b97f4a7c15
	for _, v := range given {
		if !isPlainNumber(v) {
			return m.runDefine(id, given, top, outer, at)
		}
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
	}
	k := &m.memo[h>>(64-memoBits)]
	if k.define == id && hasPrefix(k.asked[:], given) && m.isValid(&k.cachedDefine, version) {
		return m.reuse(&k.cachedDefine)
	}
	v, kept := m.computeAnswer(&k.cachedDefine, version, id, given, top, outer, at)
	if kept {
		k.define = id
		for i, v := range given {
			k.asked[i&(program.KeptParams-1)] = v
		}
	}
	return v
}

// isValid says whether a cached result is still valid.
func (m *Machine) isValid(k *cachedDefine, version uint32) bool {
	return k.version == version && (k.moves == m.moveCount || m.isFresh(&k.readStamp)) && !m.Forgetful
}

// reuse returns a cached result.
func (m *Machine) reuse(k *cachedDefine) int64 {
	m.reads |= k.reads
	if k.isList {
		return m.List(k.list)
	}
	return k.value
}

// computeAnswer evaluates a define and caches the result if it is a number or a list of numbers.
func (m *Machine) computeAnswer(k *cachedDefine, version uint32, id int32, given []int64, top int, outer, at int32) (v int64, kept bool) {
	s, keeps := m.s, m.defines[id].keeps
	arena := len(s.Arena)
	before := m.BeginReads()
	v = m.runDefine(id, given, top, outer, at)
	seen := m.EndReads(before)
	if m.err != nil {
		return 0, false
	}
	isList := keeps == program.KeepsList && v >= program.ArenaBase+int64(arena)
	switch {
	case isList:
		m.buffer = append(m.buffer[:0], m.list(v)...)
		for _, x := range m.buffer {
			if !isPlainNumber(x) {
				return v, false
			}
		}
	case keeps == program.KeepsList && v >= program.ArenaBase, !isPlainNumber(v):
		// A list in a creature's field may be moved.
		s.Arena = s.Arena[:arena]
		return v, false
	}
	s.Arena = s.Arena[:arena]
	k.version, k.moves, k.reads, k.value, k.isList = version, m.moveCount, seen, v, isList
	if isList {
		k.list = append(k.list[:0], m.buffer...)
		v = m.List(k.list)
	}
	return v, true
}

// runDefine evaluates a define.
func (m *Machine) runDefine(id int32, given []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	m.s.reserve(top + int(def.regs))
	r := (*[window]int64)(m.s.Regs[top : top+window])
	for i, v := range given { // faster than copy, for so few
		r[i] = v
	}
	m.depth++
	m.s.Budget -= int64(def.length)
	if m.depth > MaxDepth || m.s.Budget < 0 {
		m.failTooDeep(m.p.Defines[id].Name, at)
		return 0
	}
	pc, v := m.straight(int(def.start), r, outer)
	if pc >= 0 {
		v = m.perform(pc, top, top+int(def.regs), outer)
	}
	m.depth--
	return v
}

// hasPrefix says whether b is a prefix of a.
func hasPrefix(a, b []int64) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// isPlainNumber says whether a value is a plain number and not the address of a record.
func isPlainNumber(v int64) bool { return v < program.RecordTag || v >= 1<<60 }
