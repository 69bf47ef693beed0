package machine

import (
	"math/bits"

	"arbiter/interp/program"
)

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

// memoArgs are the arguments of a define; those that it does not take are 0.
type memoArgs [program.MaxCachedParams]int64

// memoEntry is a cached result with the define and arguments that are its key.
type memoEntry struct {
	define int32
	args   memoArgs
	cachedDefine
}

// apply returns the value of a define; registers are free from top on. A define that takes only a creature, as most do,
// has a cache entry of its own; all others share a hash table.
func (m *Machine) apply(id int32, args []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	if def.cacheable == program.CacheNothing {
		return m.runDefine(id, args, top, outer, at)
	}
	version := m.sharedVersions[def.version]
	if who := args[0]; uint64(who) < uint64(len(m.s.Entities)) {
		version += m.versions[int(who)*len(m.sharedVersions)+int(def.version)]
		if def.ownIndex >= 0 {
			k := &m.ownDefines[int(who)*m.ownDefineCount+int(def.ownIndex)]
			if m.isValid(k, version) {
				return m.reuse(k)
			}
			v, _ := m.computeDefine(k, version, id, args, top, outer, at)
			return v
		}
	}
	h, key := uint64(id)*0x9e3779b97f4a7c15, memoArgs{}
	for i, v := range args {
		if !isPlainNumber(v) {
			return m.runDefine(id, args, top, outer, at)
		}
		h = bits.RotateLeft64(h^uint64(v), 29) * 0xbf58476d1ce4e5b9
		key[i&(program.MaxCachedParams-1)] = v
	}
	k := &m.memo[h>>(64-memoBits)]
	if k.define == id && k.args == key && m.isValid(&k.cachedDefine, version) {
		return m.reuse(&k.cachedDefine)
	}
	v, isCached := m.computeDefine(&k.cachedDefine, version, id, args, top, outer, at)
	if isCached {
		k.define, k.args = id, key
	}
	return v
}

// isValid says whether a cached result is still valid.
func (m *Machine) isValid(k *cachedDefine, version uint32) bool {
	return k.version == version && (k.moves == m.moveCount || m.isFresh(&k.readStamp)) && !m.NoCache
}

// reuse returns a cached result.
func (m *Machine) reuse(k *cachedDefine) int64 {
	m.reads |= k.reads
	if k.isList {
		return m.MakeList(k.list)
	}
	return k.value
}

// computeDefine evaluates a define and caches the result if it is a number or a list of numbers.
func (m *Machine) computeDefine(k *cachedDefine, version uint32, id int32, args []int64, top int, outer, at int32) (v int64, isCached bool) {
	s, cacheable := m.s, m.defines[id].cacheable
	arena := len(s.Arena)
	outerReads := m.BeginReads()
	v = m.runDefine(id, args, top, outer, at)
	reads := m.EndReads(outerReads)
	if m.err != nil {
		return 0, false
	}
	isList := cacheable == program.CacheList && v >= program.ArenaBase+int64(arena)
	switch {
	case isList:
		m.buffer = append(m.buffer[:0], m.list(v)...)
		for _, x := range m.buffer {
			if !isPlainNumber(x) {
				return v, false
			}
		}
	case cacheable == program.CacheList && v >= program.ArenaBase, !isPlainNumber(v):
		// A list in a creature's field may be moved.
		s.Arena = s.Arena[:arena]
		return v, false
	}
	s.Arena = s.Arena[:arena]
	k.version, k.moves, k.reads, k.value, k.isList = version, m.moveCount, reads, v, isList
	if isList {
		k.list = append(k.list[:0], m.buffer...)
		v = m.MakeList(k.list)
	}
	return v, true
}

// runDefine evaluates a define.
func (m *Machine) runDefine(id int32, args []int64, top int, outer, at int32) int64 {
	def := &m.defines[id]
	m.s.reserve(top + int(def.regCount))
	r := (*[windowSize]int64)(m.s.Regs[top : top+windowSize])
	for i, v := range args { // faster than copy, for so few
		r[i] = v
	}
	m.depth++
	m.s.Budget -= int64(def.length)
	if m.depth > m.Limits.Depth || m.s.Budget < 0 {
		m.failTooDeep(m.p.Defines[id].Name, at)
		return 0
	}
	pc, v := m.execFast(int(def.start), r, outer)
	if pc >= 0 {
		v = m.execSlow(pc, top, top+int(def.regCount), outer)
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
