package machine

import (
	"fmt"
	"math/bits"
	"slices"

	"arbiter/interp/program"
	"arbiter/stdlib/modifier"
)

// This file computes stats, tables and permissions, and caches the stats.
//
// A cached value stores the version of its stat for its creature. A write increments the versions of the stats that may
// read the slot, so a value is valid as long as its version matches and no creature whose square it read has moved
// (reads.go). Entries are never searched for or deleted.

const (
	cacheBits    = 10
	maxSituation = 6 // a stat with more parameters is not cached
)

type cachedStat struct {
	stat, who int32
	version   uint32
	stamp     readStamp
	situation [maxSituation]int64
	value     int64
}

// entrySource is a term, modifier or denial of a stat, and where it comes from.
type entrySource struct {
	term, mod, denial int32 // index of one of them; the others are -1
	of                int32 // the stat that it belongs to
	who               int32
	instance          int32
	holds             bool // its guard holds
	entry             int32
	value             int64
	hook              *hookLine // the value of a hook; else nil
}

// stat returns the value of a stat. The creature and its situation are in the registers from args on; registers from
// top on are free.
func (m *Machine) stat(id int32, args, top int, at int32) int64 {
	s := m.s
	info := &m.stats[id]
	who := s.Regs[args]
	if !m.isEntity(who) {
		m.fail(at, "%s has no %s", m.FormatThing(who), m.p.Stats[id].Name)
		return 0
	}
	if m.Journal != nil || m.NoCache {
		if m.tracer != nil {
			return m.traceRead(id, args, top, at)
		}
		m.explainRead(id, args, at)
	}
	if !info.cacheable {
		return m.total(id, args, top, nil)
	}
	situation := s.Regs[args+1 : args+1+int(info.paramCount)]
	for _, v := range situation {
		if v >= program.RecordTag {
			return m.total(id, args, top, nil) // a record's address may soon be that of another record
		}
	}
	c := &m.cache[statKey(id, who, situation)]
	version := m.version(int(id), who)
	if c.stat == id && c.who == int32(who) && c.version == version && hasPrefix(c.situation[:], situation) &&
		m.isFresh(&c.stamp) && !m.NoCache {
		m.reads |= c.stamp.reads
		return c.value
	}
	outerReads := m.BeginReads()
	v := m.total(id, args, top, nil)
	reads := m.EndReads(outerReads)
	if m.err == nil {
		c.stat, c.who, c.version, c.value, c.stamp = id, int32(who), version, v, readStamp{m.moveCount, reads}
		copy(c.situation[:], s.Regs[args+1:args+1+int(info.paramCount)])
	}
	return v
}

// statKey is the cache index of a stat of a creature in a situation.
func statKey(id int32, who int64, situation []int64) uint64 {
	h := statBegin(id, who)
	for _, v := range situation {
		h = statMore(h, v)
	}
	return statEnd(h)
}

// statBegin, statMore and statEnd compute statKey incrementally. Values that mean that something is missing have nothing but
// the highest bit, which multiplying leaves where it is: without rotating, two of them would cancel out.
func statBegin(id int32, who int64) uint64 { return uint64(id)<<8 + uint64(who) }
func statMore(h uint64, v int64) uint64 {
	return bits.RotateLeft64(h*0x9e3779b97f4a7c15, 29) ^ uint64(v)
}
func statEnd(h uint64) uint64 { return h * 0xbf58476d1ce4e5b9 >> (64 - cacheBits) }

// total adds up a stat. With an explanation it keeps everything that was considered.
func (m *Machine) total(id int32, args, top int, x *Explanation) int64 {
	first := len(m.entries)
	// Free the lists made on the way: a cached stat leaves none in the arena either.
	arena, outerFrom := len(m.s.Arena), m.explainedFrom
	defer func() { m.s.Arena, m.explainedFrom = m.s.Arena[:arena], outerFrom }()
	if x != nil {
		m.explainedFrom = first
	}
	if first > 4096 || m.depth > m.Limits.Depth {
		m.fail(m.currentInstr(), "stats and defines nested more than %d deep, the last %s", m.Limits.Depth, m.p.Stats[id].Name)
		return 0
	}
	if m.watch != nil {
		m.enter(Evaluation{Kind: StatEvaluation, ID: id, Base: int32(args), Outer: -1}, top)
	}
	m.depth++
	var lost, without modifier.Loss
	m.collectEntries(id, args, top, &lost, &without, x, 0)
	m.depth--
	v := int64(0)
	if m.err == nil {
		if x != nil {
			x.verdicts = make([]modifier.Verdict, len(m.entries)-first)
			v = modifier.Explain(m.p.Laws, m.entries[first:], lost, without, x.verdicts)
			x.entries, x.lost, x.without = slices.Clone(m.entries[first:]), lost, without
		} else {
			if m.marks {
				m.cover(m.p.Stats[id].Part)
			}
			if m.p.RecordsCoverage {
				m.coverLaws(m.entries[first:])
			}
			v = modifier.Total(m.p.Laws, m.entries[first:], lost, without)
		}
	}
	m.entries = m.entries[:first]
	if v > maxTotal || v < -maxTotal {
		m.fail(m.currentInstr(), "a number too large: %s", m.p.Stats[id].Name)
	}
	if m.watch != nil {
		m.leave(v)
	}
	return v
}

// maxTotal is the largest total of a stat. Only factors lead beyond the numbers that are added; their product is clamped.
const maxTotal = 1 << 62

// collectEntries collects the entries of a stat; for a view, those of the underlying stat before its own.
func (m *Machine) collectEntries(id int32, args, top int, lost, without *modifier.Loss, x *Explanation, depth int) {
	s, st := m.s, &m.p.Stats[id]
	if depth > 16 {
		m.fail(m.currentInstr(), "views of views more than 16 deep: %s", st.Name)
		return
	}
	if st.ViewOf >= 0 {
		addLoss(lost, st.Denied)
		addLoss(without, st.Without)
		if x != nil {
			addLoss(&x.ownLoss, st.Denied)
		}
		m.collectEntries(st.ViewOf, args, top, lost, without, x, depth+1)
	}
	n := 1 + len(st.Params)
	s.reserve(top + n + 1)
	copy(s.Regs[top:top+n], s.Regs[args:args+n])
	who := s.Regs[top]
	terms := st.Terms
	if st.TermsChunk != program.NoChunk && x == nil {
		if m.evalAt(st.TermsChunk, top, -1); m.err != nil {
			return
		}
		terms = nil
	}
	for i := range terms {
		t := &terms[i]
		if t.Chunk == program.NoChunk {
			continue
		}
		outer := m.beginLine(x)
		v := m.evalAt(t.Chunk, top, -1)
		m.endLine(x, outer)
		if m.err != nil {
			return
		}
		if isPresent(v) || x != nil {
			from := entrySource{term: int32(i), mod: -1, denial: -1, of: id, who: int32(who), value: v}
			m.enterEntry(t.Chunk, modifier.Entry{Type: t.Bonus, Term: int16(i), Source: -1 - int32(i), Value: v}, from, x)
		}
	}
	presence := int(who)*m.stride + int(m.p.Slots.Effects)
	for _, k := range m.stats[id].ownMods {
		if s.Slots[presence+int(k.effect)] == 0 {
			continue
		}
		m.enterModifier(id, int(k.index), int32(who), top, n, lost, x)
		if m.err != nil {
			return
		}
	}
	if st.Against >= 0 {
		m.enterFoeModifiers(id, who, top, n, lost, x)
	}
	for i := range st.Denials {
		d := &st.Denials[i]
		if m.err != nil || s.Slots[presence+int(d.Effect)] == 0 {
			continue
		}
		m.enterDenial(id, i, int32(who), top, n, lost, x)
	}
}

// enterTerm enters the value of a term, without recording its source.
func (m *Machine) enterTerm(stat int32, term int, v int64, at int32) {
	st := &m.p.Stats[stat]
	if v > modifier.Limit || v < -modifier.Limit {
		m.fail(at, "a number too large to add to %s", st.Name)
		return
	}
	m.entries = append(m.entries, modifier.Entry{Type: st.Terms[term].Bonus, Term: int16(term), Source: -1 - int32(term), Value: v})
}

func addLoss(to *modifier.Loss, l modifier.Loss) {
	to.Types |= l.Types
	to.Terms |= l.Terms
}

// enterModifier enters a modifier once per instance of its effect.
func (m *Machine) enterModifier(id int32, i int, bearer int32, top, n int, lost *modifier.Loss, x *Explanation) {
	k := &m.p.Stats[id].Mods[i]
	list := m.s.Effects.OfBearer(bearer)
	m.chargeScan(len(list))
	for j := range list {
		if list[j].Def != k.Effect || m.isDuplicate(list, j) {
			continue
		}
		m.s.Regs[top+n] = int64(list[j].ID)
		from := entrySource{term: -1, mod: int32(i), denial: -1, of: id, who: bearer, instance: list[j].ID}
		if k.Hooked {
			m.openSum(&from, x)
		}
		outer := m.beginLine(x)
		v := m.evalAt(k.Chunk, top, -1)
		m.endLine(x, outer)
		if m.err == nil && (isPresent(v) || x != nil) {
			from.value = v
			m.enterEntry(k.Chunk, modifier.Entry{Op: k.Op, Den: k.Den, Type: k.Bonus, Term: modifier.NoTerm, Source: k.Effect, Value: v}, from, x)
		}
		if k.Hooked {
			addLoss(lost, m.closeSum())
		}
		if m.err != nil {
			return
		}
	}
}

// enterFoeModifiers enters the modifiers of the opponent for those who target it.
func (m *Machine) enterFoeModifiers(id int32, who int64, top, n int, lost *modifier.Loss, x *Explanation) {
	s, st := m.s, &m.p.Stats[id]
	slot := top + 1 + int(st.Against)
	foe := s.Regs[slot]
	if !m.isEntity(foe) {
		return
	}
	presence := int(foe)*m.stride + int(m.p.Slots.Effects)
	for _, k := range m.stats[id].foeMods {
		if s.Slots[presence+int(k.effect)] == 0 {
			continue
		}
		s.Regs[top], s.Regs[slot] = foe, who
		m.enterModifier(id, int(k.index), int32(foe), top, n, lost, x)
		s.Regs[top], s.Regs[slot] = who, foe
		if m.err != nil {
			return
		}
	}
}

func (m *Machine) enterDenial(id int32, i int, who int32, top, n int, lost *modifier.Loss, x *Explanation) {
	d := &m.p.Stats[id].Denials[i]
	list := m.s.Effects.OfBearer(who)
	m.chargeScan(len(list))
	for j := range list {
		inst := &list[j]
		if inst.Def != d.Effect {
			continue
		}
		holds := true
		outer := m.beginLine(x)
		if d.Guard != program.NoChunk {
			m.s.Regs[top+n] = int64(inst.ID)
			holds = m.evalAt(d.Guard, top, -1) == 1
		}
		m.endLine(x, outer)
		if m.err != nil {
			return
		}
		if holds {
			addLoss(lost, d.Loss)
		}
		if x != nil {
			x.sources = append(x.sources, entrySource{term: -1, mod: -1, denial: int32(i), of: id, who: who, instance: inst.ID, holds: holds, entry: -1})
		}
	}
}

// isPresent says whether the value of a term or modifier applies: it is neither none nor Absent.
func isPresent(v int64) bool { return v != program.Absent && v != program.None }

// enterEntry enters the value of a term or modifier if it applies, and records its source for an explanation.
func (m *Machine) enterEntry(chunk int32, e modifier.Entry, from entrySource, x *Explanation) {
	from.entry = -1
	if isPresent(e.Value) {
		if e.Value > modifier.Limit || e.Value < -modifier.Limit {
			m.fail(m.p.Chunks[chunk].Start, "a number too large to add to %s", m.p.Stats[from.of].Name)
			return
		}
		if e.Op == modifier.Times && e.Value < 0 {
			m.fail(m.p.Chunks[chunk].Start, "%v", NegativeFactor(e.Value))
			return
		}
		from.holds, from.entry = true, int32(len(m.entries)-m.explainedFrom)
		m.entries = append(m.entries, e)
	}
	if x != nil {
		x.sources = append(x.sources, from)
	}
}

// NegativeFactor says why a stat cannot be multiplied by a number.
func NegativeFactor(n int64) error {
	return fmt.Errorf("%d is below zero: a stat is multiplied by zero or more", n)
}

// coverLaws marks the stacking laws that were applied: those of types with several bonuses.
func (m *Machine) coverLaws(entries []modifier.Entry) {
	for i := range entries {
		for k := range entries[:i] {
			if t := entries[i].Type; t >= 0 && entries[k].Type == t && entries[i].Value > 0 && entries[k].Value > 0 && int(t) < len(m.p.BonusParts) {
				m.Covered.Add(m.p.BonusParts[t])
			}
		}
	}
}

// can says whether nothing forbids a permission to the creature in register args; the n parameters of the action follow
// it.
func (m *Machine) can(permission int32, args, n, top int) bool {
	who := m.s.Regs[args]
	if !m.isEntity(who) {
		return false
	}
	p := &m.p.Permissions[permission]
	if m.p.ActPermission >= 0 && permission != m.p.ActPermission && p.Proc >= 0 && m.isForbidden(m.p.ActPermission, who, args, 0, top) {
		return false
	}
	return !m.isForbidden(permission, who, args, n, top)
}

// isForbidden checks the effects of the creature.
func (m *Machine) isForbidden(permission int32, who int64, args, n, top int) bool {
	s := m.s
	left := int64(m.index.forbidding[int(who)*len(m.p.Permissions)+int(permission)]) // how many forbid it and are still to be found
	presence := int(who)*m.stride + int(m.p.Slots.Effects)
	for i := 0; left > 0 && i < len(m.cannots[permission]); i++ {
		f := m.cannots[permission][i]
		count := s.Slots[presence+int(f.effect)]
		if count == 0 {
			continue
		}
		left -= count
		k := &m.p.Effects[f.effect].Cannots[f.index]
		if k.Guard == program.NoChunk {
			m.lastCannot = k
			return true
		}
		if a := &k.Argument; a.Param >= 0 {
			v := program.None
			if int(a.Param) < n {
				v = s.Regs[args+1+int(a.Param)]
			}
			if v < a.Low || v > a.High {
				continue
			}
		}
		list := s.Effects.OfBearer(int32(who))
		for i := 0; i < len(list) && count > 0; i++ {
			inst := &list[i]
			if inst.Def != f.effect {
				continue
			}
			count--
			paramCount := int(m.p.Chunks[k.Guard].Params)
			s.reserve(top + paramCount)
			s.Regs[top], s.Regs[top+1] = who, int64(inst.ID)
			for i := 2; i < paramCount; i++ {
				s.Regs[top+i] = program.None
				if i-2 < n {
					s.Regs[top+i] = s.Regs[args+1+i-2]
				}
			}
			if m.evalAt(k.Guard, top, -1) != 0 || m.err != nil {
				m.lastCannot = k
				return true
			}
		}
	}
	return false
}

// property of an action: of the running one with its own parameters, or of a named one without parameters.
func (m *Machine) property(name int32, action int64, ofRunning bool, top int) int64 {
	s := m.s
	frame := -1
	if ofRunning {
		if frame = m.actionFrame(); frame >= 0 {
			action = int64(s.Frames[frame].ID)
		}
	}
	if action < 0 || action >= int64(len(m.p.Procs)) {
		return 0
	}
	p := &m.p.Procs[action]
	if int(name) >= len(p.Properties) || p.Properties[name] == program.NoChunk {
		if int(name) < len(m.p.PropertyDefaults) {
			return m.p.PropertyDefaults[name]
		}
		return 0
	}
	n := 1 + len(p.Params)
	s.reserve(top + n)
	for i := range n {
		s.Regs[top+i] = program.None
		if frame >= 0 {
			s.Regs[top+i] = s.Regs[int(s.Frames[frame].Base)+i]
		}
	}
	return m.evalAt(p.Properties[name], top, -1)
}

// amountPaid is the amount of a resource that was paid for the running action.
func (m *Machine) amountPaid(resource int32) int64 {
	i, sum := m.actionFrame(), int64(0)
	for _, p := range m.s.Paid {
		if int(p.Frame) == i && p.Resource == resource {
			sum += p.Amount
		}
	}
	return sum
}
