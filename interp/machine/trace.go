package machine

import (
	"slices"

	"arbiter/interp/program"
)

// This file keeps which stats were read to compute a number, so that an explanation can go down to its terms.
//
// While a stat is explained, caches are off, and every stat that is read on the way is explained as well. Explanations
// are kept like cached stats (stats.go), so a stat that others read again and again is explained once.

// StatRead is a stat that was read to compute a number.
type StatRead struct {
	At int32 // the instruction that read it
	*Explanation
}

// tracer collects the stats that are read while one is being explained.
type tracer struct {
	reads []StatRead
	kept  map[explanationKey]*keptExplanation
}

// maxKept limits the explanations that are kept, and maxReads those of one line.
const (
	maxKept  = 4096
	maxReads = 64
)

// maxTraceSteps limits the steps of an explanation that a command makes on the way. What takes more is not explained.
const maxTraceSteps = 200_000

type explanationKey struct {
	stat, who int32
	situation [maxSituation]int64
}

// keptExplanation is valid as long as a cached value of the stat would be.
type keptExplanation struct {
	version uint32
	stamp   readStamp
	*Explanation
}

// beginLine begins collecting the reads of the next line of an explanation; endLine ends it. Without an explanation
// neither does anything.
func (m *Machine) beginLine(x *Explanation) (outer []StatRead) {
	if x != nil {
		outer, m.tracer.reads = m.tracer.reads, nil
	}
	return outer
}

func (m *Machine) endLine(x *Explanation, outer []StatRead) {
	if x == nil {
		return
	}
	if len(m.tracer.reads) > 0 {
		x.lineReads = append(x.lineReads, lineReads{len(x.sources), m.tracer.reads})
	}
	m.tracer.reads = outer
}

// lineReads are the reads of the line that comes from a source.
type lineReads struct {
	source int
	reads  []StatRead
}

// explained returns the explanation of a stat whose creature and situation are in the registers from args on.
func (m *Machine) explained(id int32, args, top int) *Explanation {
	outer, noCache := m.tracer, m.NoCache
	if m.tracer == nil {
		m.tracer, m.NoCache = &tracer{kept: m.explanationCache}, true
		if noCache {
			m.tracer.kept = nil
		}
		defer func() { m.tracer, m.NoCache = outer, noCache }()
	}
	info := &m.stats[id]
	who := m.s.Regs[args]
	situation := m.s.Regs[args+1 : args+1+int(info.paramCount)]
	isKept := m.tracer.kept != nil && info.cacheable && len(situation) <= maxSituation && !slices.ContainsFunc(situation, func(v int64) bool { return v >= program.RecordTag })
	key := explanationKey{stat: id, who: int32(who)}
	version := m.version(int(id), who)
	if isKept {
		copy(key.situation[:], situation)
		if k := m.tracer.kept[key]; k != nil && k.version == version && m.isFresh(&k.stamp) {
			m.reads |= k.stamp.reads
			return k.Explanation
		}
	}
	x := &Explanation{Stat: id, Who: int32(who), Situation: slices.Clone(situation)}
	outerReads := m.BeginReads()
	x.Total = m.total(id, args, top, x)
	reads := m.EndReads(outerReads)
	if m.err != nil {
		return x
	}
	m.makeLines(x)
	if isKept {
		if len(m.tracer.kept) >= maxKept {
			clear(m.tracer.kept)
		}
		m.tracer.kept[key] = &keptExplanation{version, readStamp{m.moveCount, reads}, x}
	}
	return x
}

// traceRead is stat while one is being explained: what is read on the way is explained as well.
func (m *Machine) traceRead(id int32, args, top int, at int32) int64 {
	x := m.explained(id, args, top)
	t := m.tracer
	if m.err == nil && len(t.reads) < maxReads && !slices.ContainsFunc(t.reads, func(r StatRead) bool { return r.At == at && r.Explanation == x }) {
		t.reads = append(t.reads, StatRead{at, x})
	}
	return x.Total
}
