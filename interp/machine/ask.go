package machine

import (
	"math/bits"

	"arbiter/interp/program"
)

// This file asks questions: it stops the machine at a die or a choice, and continues with the answer.

// ask halts the machine until the question is answered.
func (m *Machine) ask(q Question) {
	m.s.Asking = q
	m.status = halted
	if m.Journal != nil {
		m.recordAsked(&q)
	}
}

// choose makes a creature choose one of the available options.
func (m *Machine) choose(in *program.Instr, base int, r *[window]int64) {
	c := &m.p.Choices[in.D]
	switch ways := uint64(r[in.B]); bits.OnesCount64(ways) {
	case 0:
		r[in.A] = program.None
	case 1:
		r[in.A] = int64(bits.TrailingZeros64(ways))
	default:
		m.ask(Question{Kind: NeedChoice, What: Chosen, Index: in.D, Label: c.Label, Who: r[in.C], Options: r[in.B], Reg: int32(base) + int32(in.A)})
	}
}

// pick makes a creature or a die pick an element of a list.
func (m *Machine) pick(in *program.Instr, base int, r *[window]int64) {
	list := m.list(r[in.B])
	switch len(list) {
	case 0:
		r[in.A] = program.None
	case 1:
		r[in.A] = list[0]
	default:
		x := &m.p.Picks[in.D]
		if x.Chance {
			m.s.Roll = Roll{Active: true, For: forPick, Label: x.Label, Reg: int32(base) + int32(in.A), Dice: r[in.B], Who: r[in.C]}
			m.continueRoll()
			return
		}
		m.ask(Question{Kind: NeedChoice, What: Picked, Index: in.D, Label: x.Label, Who: r[in.C], Options: r[in.B], Reg: int32(base) + int32(in.A)})
	}
}

// question describes what the state waits for.
func (m *Machine) question() Result {
	q := &m.s.Asking
	r := Result{Status: q.Kind, Who: q.Who, Kind: q.What, Default: q.Default, Sides: q.Sides}
	if q.Label >= 0 && int(q.Label) < len(m.p.Labels) {
		r.Label = m.p.Labels[q.Label].Name
	}
	if q.Kind == NeedDie {
		return r
	}
	switch q.What {
	case Chosen:
		for i, text := range m.p.Choices[q.Index].Options {
			if q.Options>>uint(i)&1 != 0 {
				r.Options = append(r.Options, text)
			}
		}
	case Picked:
		for _, v := range m.list(q.Options) {
			r.Options = append(r.Options, m.Format(m.p.Picks[q.Index].Type, v))
		}
	case Offered:
		o := &m.p.Offers[q.Index]
		text := o.Text
		if text == "" && o.Proc >= 0 {
			text = m.p.Procs[o.Proc].Name
		}
		r.Why = text
		r.Options = []string{"no", text}
	case Reaction:
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
	if q.Kind == Done {
		return m.misuse("nothing has been asked")
	}
	if why := m.invalidAnswer(&q, answer); why != "" {
		return m.misuse(why)
	}
	m.status, m.err, m.result = running, nil, Result{}
	s.Asking = Question{}
	defer m.finishCommand(&r)
	if m.Journal != nil && q.Kind == NeedChoice {
		m.recordChosen(&q, answer)
	}
	switch {
	case q.Kind == NeedDie:
		s.Draws.Next(q.Who, q.Label)
		if q.Sides == 0 {
			m.endRoll(answer)
		} else {
			m.takeFace(int32(answer), q.Sides)
		}
		m.continueRoll()
	case q.What == Reaction:
		f := m.top()
		if answer == 1 {
			f.Flags |= flagAccepted
		} else {
			f.A++
		}
	case q.What == Chosen:
		s.Regs[q.Reg] = m.optionOf(&q, answer)
	case q.What == Picked:
		s.Regs[q.Reg] = m.list(q.Options)[answer]
	default:
		s.Regs[q.Reg] = answer
	}
	m.frames()
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

// invalidAnswer says why an answer is invalid; it returns "" if it is valid.
func (m *Machine) invalidAnswer(q *Question, answer int64) string {
	switch {
	case q.Kind == NeedDie:
		if q.Sides > 0 && (answer < 1 || answer > int64(q.Sides)) {
			return "a die of this kind does not show that"
		}
	case q.What == Chosen:
		if answer < 0 || answer >= int64(bits.OnesCount64(uint64(q.Options))) {
			return "there is no such choice"
		}
	case q.What == Picked:
		if answer < 0 || answer >= int64(len(m.list(q.Options))) {
			return "there is no such element"
		}
	case q.What != Ruling:
		if answer != 0 && answer != 1 {
			return "the answer is 0 for no or 1 for yes"
		}
	}
	return ""
}
