package machine

import (
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

	sources  []entrySource
	entries  []modifier.Entry
	verdicts []modifier.Verdict
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
}

// Explain explains the value of a stat in a situation.
func (m *Machine) Explain(who, stat int32, situation ...int64) (*Explanation, error) {
	if stat < 0 || int(stat) >= len(m.p.Stats) || !m.isEntity(int64(who)) {
		return nil, &Error{Message: "there is no such creature or stat"}
	}
	x := &Explanation{Stat: stat, Who: who}
	_, err := m.readPure(func(top int) int64 {
		n := m.pushSituation(int64(who), stat, situation, top)
		x.Situation = append(x.Situation, m.s.Regs[top+1:top+n]...)
		x.Total = m.total(stat, top, top+n, x)
		return x.Total
	})
	if err != nil {
		return nil, err
	}
	m.makeLines(x)
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
	for _, s := range x.sources {
		st := &m.p.Stats[s.of]
		l := Line{Bearer: s.who, Holds: s.holds, OverriddenBy: -1, DeniedBy: -1, Bonus: -1, Den: 1, Value: s.value, IncludedBy: m.outermostIncluder(s.instance)}
		l.Where.File = -1
		switch {
		case s.hook != nil:
			h := s.hook
			l.Kind, l.Name, l.Op, l.Den, l.Bonus, l.Part, l.Where = h.kind, h.reason, h.op, h.den, h.bonus, st.Mods[s.mod].Part, h.where
		case s.term >= 0:
			t := &st.Terms[s.term]
			l.Name, l.Bonus, l.Part = t.Name, t.Bonus, t.Part
		case s.mod >= 0:
			k := &st.Mods[s.mod]
			l.Kind, l.Name, l.Op, l.Den, l.Bonus, l.Part = ModifierLine, m.p.Effects[k.Effect].Name, k.Op, k.Den, k.Bonus, k.Part
		default:
			d := &st.Denials[s.denial]
			l.Kind, l.Name, l.Part, l.Value = DenialLine, m.p.Effects[d.Effect].Name, d.Part, 0
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
	x.sources, x.entries, x.verdicts = nil, nil, nil
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

// RollExplanation explains the bonus and the difficulty of a check, or the bonus to dice, at the time of the roll.
type RollExplanation struct {
	Event      int32
	Bonus      *Explanation // nil if it was not a stat
	Difficulty *Explanation // of a check; nil if it was not a stat
}

// Explanations returns those of the rolls in the journal, oldest first.
func (m *Machine) Explanations() []RollExplanation { return m.explanations }

// TruncateExplanations truncates the explanations when the journal is truncated to a mark: events from id on are gone.
func (m *Machine) TruncateExplanations(id int32) {
	for len(m.explanations) > 0 && m.explanations[len(m.explanations)-1].Event >= id {
		m.explanations = m.explanations[:len(m.explanations)-1]
	}
}

// statRead is a stat that acting code has read while there is a journal.
type statRead struct {
	stat        int32
	explanation *Explanation
}

// explainRead explains a stat that acting code reads, so that a roll can later be explained with the numbers of its
// time.
func (m *Machine) explainRead(stat int32, args, n int) {
	if m.depth > 0 {
		return
	}
	if len(m.recentReads) >= 16 {
		m.recentReads = append(m.recentReads[:0], m.recentReads[8:]...)
	}
	who, situation := m.s.Regs[args], append([]int64(nil), m.s.Regs[args+1:args+1+n]...)
	if x, err := m.Explain(who32(who), stat, situation...); err == nil {
		m.recentReads = append(m.recentReads, statRead{stat, x})
	}
}

// latestRead is the explanation of the latest read of a stat.
func (m *Machine) latestRead(stat int32) *Explanation {
	for i := len(m.recentReads) - 1; i >= 0 && stat >= 0; i-- {
		if m.recentReads[i].stat == stat {
			return m.recentReads[i].explanation
		}
	}
	return nil
}
