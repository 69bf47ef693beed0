package machine

import (
	"math/bits"

	"arbiter/interp/program"
)

// This file asks questions: it stops the machine at a die or a choice, and continues with the answer.

// askQuestion halts the machine until the question is answered.
func (m *Machine) askQuestion(q Question) {
	m.s.Asking = q
	m.phase = halted
	if m.Journal != nil {
		m.recordQuestion(&q)
	}
}

// execChoose makes a creature choose one of the available options.
func (m *Machine) execChoose(in *program.Instr, base int, r *[windowSize]int64) {
	c := &m.p.Choices[in.D]
	switch options := uint64(r[in.B]); bits.OnesCount64(options) {
	case 0:
		r[in.A] = program.None
	case 1:
		r[in.A] = int64(bits.TrailingZeros64(options))
	default:
		m.askQuestion(Question{Status: NeedChoice, ChoiceKind: OptionChoice, Index: in.D, Label: c.Label, Who: r[in.C], Options: r[in.B], Reg: int32(base) + int32(in.A)})
	}
}

// execPick makes a creature or a die pick an element of a list.
func (m *Machine) execPick(in *program.Instr, base int, r *[windowSize]int64) {
	list := m.list(r[in.B])
	switch len(list) {
	case 0:
		r[in.A] = program.None
	case 1:
		r[in.A] = list[0]
	default:
		x := &m.p.Picks[in.D]
		if x.Chance {
			m.s.Roll = Roll{Active: true, For: forPick, Check: in.D, Label: x.Label, Reg: int32(base) + int32(in.A), Dice: r[in.B], Who: r[in.C]}
			m.continueRoll()
			return
		}
		m.askQuestion(Question{Status: NeedChoice, ChoiceKind: ElementChoice, Index: in.D, Label: x.Label, Who: r[in.C], Options: r[in.B], Reg: int32(base) + int32(in.A)})
	}
}

// questionResult describes what the state waits for.
func (m *Machine) questionResult() Result {
	q := &m.s.Asking
	r := Result{Status: q.Status, Who: q.Who, ChoiceKind: q.ChoiceKind, Default: q.Default, Sides: q.Sides}
	if q.Label >= 0 && int(q.Label) < len(m.p.Labels) {
		r.Label = m.p.Labels[q.Label].Name
	}
	if q.Status == NeedDie {
		return r
	}
	switch q.ChoiceKind {
	case OptionChoice:
		for i, text := range m.p.Choices[q.Index].Options {
			if q.Options>>uint(i)&1 != 0 {
				r.Options = append(r.Options, text)
			}
		}
	case ElementChoice:
		for _, v := range m.list(q.Options) {
			r.Options = append(r.Options, m.Format(m.p.Picks[q.Index].Type, v))
		}
	case OfferChoice:
		o := &m.p.Offers[q.Index]
		text := o.Text
		if text == "" && o.Proc >= 0 {
			text = m.p.Procs[o.Proc].Name
		}
		r.Why = text
		r.Options = []string{"no", text}
	case ReactionChoice:
		r.Why = m.p.Rules[q.Index].Name
		r.Options = []string{"no", r.Why}
	}
	return r
}

// Resume answers the current question and continues. The answer is the face of a die, the index of an option, or the
// value of a ruling. An invalid answer is refused with Failed, and the question remains.
func (m *Machine) Resume(answer int64) (r Result) {
	s := m.s
	q := s.Asking
	if q.Status == Done {
		return m.misuse("nothing has been asked")
	}
	if why := m.whyInvalid(&q, answer); why != "" {
		return m.misuse(why)
	}
	m.phase, m.err, m.result = running, nil, Result{}
	s.Asking = Question{}
	defer m.finishCommand(&r)
	if m.Journal != nil && q.Status == NeedChoice {
		m.recordChoice(&q, answer)
	}
	switch {
	case q.Status == NeedDie:
		s.Draws.Next(q.Who, q.Label)
		if q.Sides == 0 {
			m.endRoll(answer)
		} else {
			m.takeFace(int32(answer), q.Sides)
		}
		m.continueRoll()
	case q.ChoiceKind == ReactionChoice:
		f := m.topFrame()
		if answer == 1 {
			f.Flags |= flagAccepted
		} else {
			f.Next++
		}
	case q.ChoiceKind == OptionChoice:
		s.Regs[q.Reg] = m.optionOf(&q, answer)
	case q.ChoiceKind == ElementChoice:
		s.Regs[q.Reg] = m.list(q.Options)[answer]
	default:
		s.Regs[q.Reg] = answer
	}
	m.runFrames()
	return r
}

// optionOf is the option that an answer, an index among the available ones, stands for.
func (m *Machine) optionOf(q *Question, answer int64) int64 {
	for i := range int64(64) {
		if q.Options>>uint(i)&1 == 0 {
			continue
		}
		if answer == 0 {
			return i
		}
		answer--
	}
	return program.None
}

// whyInvalid says why an answer is invalid; it returns "" if it is valid.
func (m *Machine) whyInvalid(q *Question, answer int64) string {
	switch {
	case q.Status == NeedDie:
		if q.Sides > 0 && (answer < 1 || answer > int64(q.Sides)) {
			return "a die of this kind does not show that"
		}
	case q.ChoiceKind == OptionChoice:
		if answer < 0 || answer >= int64(bits.OnesCount64(uint64(q.Options))) {
			return "there is no such choice"
		}
	case q.ChoiceKind == ElementChoice:
		if answer < 0 || answer >= int64(len(m.list(q.Options))) {
			return "there is no such element"
		}
	case q.ChoiceKind != RulingChoice:
		if answer != 0 && answer != 1 {
			return "the answer is 0 for no or 1 for yes"
		}
	}
	return ""
}
