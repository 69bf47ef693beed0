package machine

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/stdlib/modifier"
)

// This file explains numbers, as data; the host puts it into words. An explanation is made by the same walk over terms
// and modifiers that computes the number (stats.go), which keeps what it passes, so the two cannot differ.

// LineKind is the kind of a line of an explanation.
type LineKind uint8

const (
	TermLine LineKind = iota
	ModifierLine
	DenialLine
)

// Explanation of a stat: every term and modifier that was considered, and its effect.
type Explanation struct {
	Stat      int32
	Who       int32
	Situation []int64
	Total     int64
	Lines     []Line

	sources       []entrySource
	entries       []modifier.Entry
	verdicts      []modifier.Verdict
	lineReads     []lineReads
	lost, ownLoss modifier.Loss // what is denied to bonuses, and of that by the view itself
	without       modifier.Loss
}

// Line of an explanation.
type Line struct {
	Kind         LineKind
	Name         string // of the term, or of the effect
	Op           modifier.Op
	Value        int64
	Den          int32 // of Times: the value's denominator
	Bonus        int16 // type, -1: none
	Bearer       int32
	Part         int32
	Holds        bool // its guard holds
	Counted      bool
	Reason       modifier.Reason
	OverriddenBy int    // the line that overrides it, -1
	DeniedBy     int32  // the part that takes it away, -1
	IncludedBy   int32  // the effect that includes the line's effect, -1
	Where        ir.Pos // of what a hook adds; File is -1 for all others
	Reads        []StatRead

	entry int32         // its entry, -1
	loss  modifier.Loss // of a denial that holds
}

// Explain explains the value of a stat in a situation.
func (m *Machine) Explain(who, stat int32, situation ...int64) (*Explanation, error) {
	if stat < 0 || int(stat) >= len(m.p.Stats) || !m.isEntity(int64(who)) {
		return nil, &Error{Message: "there is no such creature or stat"}
	}
	return m.explainWithin(MaxSteps, who, stat, situation)
}

// PosOf returns the source position of an instruction.
func (m *Machine) PosOf(at int32) ir.Pos {
	if at < 0 {
		return ir.Pos{File: -1}
	}
	return m.pos(at)
}

// explainWithin is Explain within a number of steps.
func (m *Machine) explainWithin(steps int64, who, stat int32, situation []int64) (*Explanation, error) {
	if !m.isEntity(int64(who)) {
		return nil, &Error{Message: "there is no such creature"}
	}
	var x *Explanation
	_, err := m.readPure(func(top int) int64 {
		m.s.Budget = steps
		n := m.pushSituation(int64(who), stat, situation, top)
		x = m.explained(stat, top, top+n)
		return x.Total
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// makeLines makes the lines from what was kept.
func (m *Machine) makeLines(x *Explanation) {
	lineOf := make([]int, len(x.entries))
	for i, s := range x.sources {
		if s.entry >= 0 && int(s.entry) < len(lineOf) {
			lineOf[s.entry] = i
		}
	}
	for i, s := range x.sources {
		st := &m.p.Stats[s.of]
		l := Line{Bearer: s.who, Holds: s.holds, entry: s.entry, OverriddenBy: -1, DeniedBy: -1, Bonus: -1, Den: 1, Value: s.value, IncludedBy: m.outermostIncluder(s.instance)}
		l.Where.File = -1
		for _, r := range x.lineReads {
			if r.source == i {
				l.Reads = append(l.Reads, r.reads...)
			}
		}
		switch {
		case s.hook != nil:
			h := s.hook
			l.Kind, l.Name, l.Op, l.Den, l.Bonus, l.Part, l.Where = h.kind, h.reason, h.op, h.den, h.bonus, st.Mods[s.mod].Part, h.where
			l.loss = h.loss
		case s.term >= 0:
			t := &st.Terms[s.term]
			l.Name, l.Bonus, l.Part = t.Name, t.Bonus, t.Part
		case s.mod >= 0:
			k := &st.Mods[s.mod]
			l.Kind, l.Name, l.Op, l.Den, l.Bonus, l.Part = ModifierLine, m.p.Effects[k.Effect].Name, k.Op, k.Den, k.Bonus, k.Part
		default:
			d := &st.Denials[s.denial]
			l.Kind, l.Name, l.Part, l.Value = DenialLine, m.p.Effects[d.Effect].Name, d.Part, 0
			if s.holds {
				l.loss = d.Loss
			}
		}
		if !s.holds {
			l.Value = 0
		}
		if s.entry >= 0 && int(s.entry) < len(x.verdicts) {
			v := x.verdicts[s.entry]
			l.Counted, l.Reason = v.Counted, v.Reason
			if v.By >= 0 && int(v.By) < len(lineOf) {
				l.OverriddenBy = lineOf[v.By]
			}
			if v.Reason == modifier.Lost || v.Reason == modifier.Without {
				l.DeniedBy = m.denyingPart(x, &x.entries[s.entry], v.Reason)
			}
		}
		x.Lines = append(x.Lines, l)
	}
	x.sources, x.verdicts, x.lineReads = nil, nil, nil
}

// Without returns what the number would be without one of its lines.
func (m *Machine) Without(x *Explanation, line int) int64 {
	l := &x.Lines[line]
	if l.entry >= 0 {
		rest := slices.Delete(slices.Clone(x.entries), int(l.entry), int(l.entry)+1)
		return modifier.Total(m.p.Laws, rest, x.lost, x.without)
	}
	if l.loss == (modifier.Loss{}) {
		return x.Total
	}
	lost := x.ownLoss
	for i := range x.Lines {
		if i != line {
			addLoss(&lost, x.Lines[i].loss)
		}
	}
	return modifier.Total(m.p.Laws, x.entries, lost, x.without)
}

// outermostIncluder is the outermost effect that includes an instance, or -1.
func (m *Machine) outermostIncluder(instance int32) int32 {
	effect := int32(-1)
	for n := 0; instance > 0 && n < 16; n++ {
		x := m.s.Effects.ByID(instance)
		if x == nil || x.Origin <= 0 {
			break
		}
		instance = x.Origin
		if by := m.s.Effects.ByID(instance); by != nil {
			effect = by.Def
		}
	}
	return effect
}

// denyingPart finds the part that takes an entry away: a denial, or the view.
func (m *Machine) denyingPart(x *Explanation, e *modifier.Entry, why modifier.Reason) int32 {
	matches := func(l modifier.Loss) bool {
		return e.Type >= 0 && l.Types>>uint(e.Type)&1 != 0 || e.Term >= 0 && l.Terms>>uint(e.Term)&1 != 0
	}
	if why == modifier.Lost {
		for _, s := range x.sources {
			if s.hook != nil && matches(s.hook.loss) {
				return m.p.Stats[s.of].Mods[s.mod].Part
			}
			if s.denial >= 0 && s.holds && matches(m.p.Stats[s.of].Denials[s.denial].Loss) {
				return m.p.Stats[s.of].Denials[s.denial].Part
			}
		}
	}
	for id, n := x.Stat, 0; id >= 0 && n < 16; id, n = m.p.Stats[id].ViewOf, n+1 {
		if st := &m.p.Stats[id]; why == modifier.Lost && matches(st.Denied) || why == modifier.Without && matches(st.Without) {
			return st.Part
		}
	}
	return -1
}
