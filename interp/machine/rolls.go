package machine

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/journal"
)

// This file keeps, while there is a journal, why each roll had its numbers: the stats that its code had read, and what
// rules made of them before the roll was judged.

// RollExplanation explains a roll with the numbers of its time.
type RollExplanation struct {
	Event      int32
	Bonus      []AddendExplanation // what is added to the dice
	Difficulty []AddendExplanation // of a check, without the dice of an opponent
	Dice       int32               // of a check, the event of its dice, -1 if none were rolled
	Opposed    int32               // likewise of its opponent
	Changes    []PartChange        // by rules, before it was judged, oldest first
	Faces      []program.Verdict   // of a check whose face was changed: those faces that decide
	ByFace     bool                // the face decided, whatever the total
}

// AddendExplanation explains one of the numbers of a sum.
type AddendExplanation struct {
	Value int64
	Pos   ir.Pos       // of its expression
	Stat  *Explanation // nil if it is not a stat
	Reads []*Explanation
}

// PartChange is a part of a check that a rule has changed, one of program.CheckBonus and so on.
type PartChange struct {
	Part     int32
	From, To int64
	Rule     int32
}

// codeRead is a stat that acting code has read, in the window of registers of its frame.
type codeRead struct {
	pos         ir.Pos // of the instruction
	base        int32
	explanation *Explanation
}

// replaces says whether r is a later run of the same code for the same creature.
func (r *codeRead) replaces(old codeRead) bool {
	return r.base == old.base && r.pos == old.pos && r.explanation.Stat == old.explanation.Stat && r.explanation.Who == old.explanation.Who
}

// pendingChange is a change of a check that has not been judged yet, and pendingDice the dice of one. The block is the
// first register of the check.
type pendingChange struct {
	block int32
	PartChange
}

type pendingDice struct {
	block, event int32
	opposed      bool
}

// rollRecord is what a command has recorded for the explanations of its rolls.
type rollRecord struct {
	reads   []codeRead
	changes []pendingChange
	dice    []pendingDice
}

func (r *rollRecord) reset() {
	clear(r.reads)
	r.reads, r.changes, r.dice = r.reads[:0], r.changes[:0], r.dice[:0]
}

// maxCodeReads is how many reads a command remembers.
const maxCodeReads = 256

// Explanations returns those of the rolls in the journal, oldest first.
func (m *Machine) Explanations() []RollExplanation { return m.explanations }

// ExplanationOf returns that of a roll, nil if there is none.
func (m *Machine) ExplanationOf(event int32) *RollExplanation {
	i, found := slices.BinarySearchFunc(m.explanations, event, func(x RollExplanation, id int32) int { return int(x.Event - id) })
	if !found {
		return nil
	}
	return &m.explanations[i]
}

// TruncateExplanations truncates the explanations when the journal is truncated to a mark: events from id on are gone.
func (m *Machine) TruncateExplanations(id int32) {
	for len(m.explanations) > 0 && m.explanations[len(m.explanations)-1].Event >= id {
		m.explanations = m.explanations[:len(m.explanations)-1]
	}
}

// explanationSteps is the cost of an explanation that is recorded, in steps of the command.
const explanationSteps = 30

// explainRead explains a stat that acting code reads.
func (m *Machine) explainRead(stat int32, args int, at int32) {
	f := m.topFrame()
	if m.depth > 0 || m.Journal == nil || m.noExplanations || f == nil {
		return
	}
	if m.watch != nil {
		defer m.unobserved()()
	}
	r := &m.rolls
	if len(r.reads) >= maxCodeReads {
		r.reads = slices.Delete(r.reads, 0, maxCodeReads/2)
	}
	m.s.Budget -= explanationSteps
	who, situation := m.s.Regs[args], slices.Clone(m.s.Regs[args+1:args+1+int(m.stats[stat].paramCount)])
	base := f.Base
	x, err := m.explainWithin(maxTraceSteps, who32(who), stat, situation)
	if err != nil {
		return
	}
	read := codeRead{m.pos(at), base, x}
	if i := slices.IndexFunc(r.reads, read.replaces); i >= 0 { // in a loop
		r.reads = slices.Delete(r.reads, i, i+1)
	}
	r.reads = append(r.reads, read)
}

// recordPartSet records that a rule sets a part of the check that it interrupts.
func (m *Machine) recordPartSet(f *Frame, part int32, to int64) {
	if f.Kind != codeFrame || f.Code != ruleCode || int(f.Parent) >= len(m.s.Frames) || part < program.CheckBonus || part > program.CheckSuccess {
		return
	}
	from, point := m.s.Regs[f.Outer+part], &m.s.Frames[f.Parent]
	if from == to || point.Kind != pointFrame {
		return
	}
	switch m.p.Points[point.ID].Check {
	case program.CheckStands:
		if m.noExplanations {
			return
		}
		m.rolls.changes = append(m.rolls.changes, pendingChange{f.Outer, PartChange{part, from, to, f.ID}})
	case program.CheckJudged:
		if check, ok := m.checkAt(f); ok {
			m.recordRevision(check, m.s.Regs[f.Outer+program.CheckRoller], part, from, to)
		}
	}
}

// checkAt finds the check that a rule interrupts after it was judged: the last one before the interruption that has
// its registers.
func (m *Machine) checkAt(f *Frame) (check int32, ok bool) {
	if f.Interrupted < 0 || int(f.Interrupted) >= len(m.s.Frames) {
		return 0, false
	}
	in := &m.s.Frames[f.Interrupted]
	for pc := in.PC - 1; pc >= 0; pc-- {
		if code := &m.p.Code[pc]; code.Op == program.OpJudge && in.Base+int32(code.A) == f.Outer {
			return code.D, true
		}
	}
	return 0, false
}

// WithoutExplanations keeps no explanations of rolls until they are wanted again.
func (m *Machine) WithoutExplanations() (wantAgain func()) {
	saved, none := m.rolls, m.noExplanations
	m.rolls, m.noExplanations = rollRecord{}, true
	return func() { m.rolls, m.noExplanations = saved, none }
}

// recordRevision records that a part of a check is changed after it has been judged.
func (m *Machine) recordRevision(check int32, roller int64, part int32, from, to int64) {
	e := journal.Event{Kind: CheckChanged, Code: check, Who: who32(roller), A: from, B: to, C: int64(part)}
	if part == program.CheckSuccess {
		e = journal.Event{Kind: CheckRevised, Code: check, Who: who32(roller), Text: int32(to)}
	}
	m.recordEvent(e)
}

// keepDice keeps the dice of a check for its explanation.
func (m *Machine) keepDice(t *Roll, event int32) {
	r := &m.rolls
	r.dice = append(r.dice, pendingDice{t.Reg, event, t.Opposed})
	if !t.Opposed { // the roll sets the face, whatever it was before
		r.changes = slices.DeleteFunc(r.changes, func(x pendingChange) bool {
			return x.block == t.Reg && x.Part == program.CheckNatural
		})
	}
}

// explainCheck keeps the explanation of a check that has just been judged.
func (m *Machine) explainCheck(id, block, event int32, byFace bool, top int) {
	if m.noExplanations {
		return
	}
	r, k := &m.rolls, &m.p.Checks[id]
	x := RollExplanation{Event: event, Dice: -1, Opposed: -1, ByFace: byFace}
	r.changes = slices.DeleteFunc(r.changes, func(c pendingChange) bool {
		if c.block == block {
			x.Changes = append(x.Changes, c.PartChange)
		}
		return c.block == block
	})
	r.dice = slices.DeleteFunc(r.dice, func(d pendingDice) bool {
		switch {
		case d.block == block && d.opposed:
			x.Opposed = d.event
		case d.block == block:
			x.Dice = d.event
		}
		return d.block == block
	})
	c := (*[program.CheckBlock]int64)(m.s.Regs[block:])
	difficulty := c[program.CheckDifficulty]
	if k.Opposed >= 0 {
		difficulty -= c[program.CheckOpposed]
	}
	x.Bonus = m.explainAddends(k.Bonus, block, x.Before(program.CheckBonus, c[program.CheckBonus]))
	x.Difficulty = m.explainAddends(k.Difficulty, block, x.Before(program.CheckDifficulty, difficulty))
	if x.Before(program.CheckNatural, program.None) != program.None {
		x.Faces = m.decidingFaces(k, c, top)
	}
	m.explanations = append(m.explanations, x)
}

// decidingFaces lists the faces that decide a check, whatever its total.
func (m *Machine) decidingFaces(k *program.Check, c *[program.CheckBlock]int64, top int) (list []program.Verdict) {
	roller, foe := c[program.CheckRoller], c[program.CheckFoe]
	for _, v := range m.p.Rolls[k.Roll].Verdicts {
		if v.When == program.NoChunk || m.eval2(v.When, top, roller, foe) != 0 && m.err == nil {
			list = append(list, v)
		}
	}
	return list
}

// Before returns what a part was before rules changed it; now is what it is.
func (x *RollExplanation) Before(part int32, now int64) int64 {
	for _, c := range x.Changes {
		if c.Part == part {
			return c.From
		}
	}
	return now
}

// Added is how much rules have added to a part.
func (x *RollExplanation) Added(part int32) (sum int64) {
	for _, c := range x.Changes {
		if c.Part == part {
			sum += c.To - c.From
		}
	}
	return sum
}

// explainAddends explains the numbers of a sum.
func (m *Machine) explainAddends(addends []program.Addend, block int32, sum int64) (list []AddendExplanation) {
	base := int32(0)
	if f := m.topFrame(); f != nil {
		base = f.Base
	}
	for i := range addends {
		a := &addends[i]
		x := AddendExplanation{Value: a.Const, Pos: a.Pos}
		switch {
		case len(addends) == 1:
			x.Value = sum
		case a.Reg == program.NoAddendReg:
		case a.Subtracted:
			x.Value = -m.s.Regs[block+a.Reg]
		default:
			x.Value = m.s.Regs[block+a.Reg]
		}
		value := x.Value
		if a.Subtracted {
			value = -value
		}
		for _, read := range slices.Backward(m.rolls.reads) {
			if read.base != base || !liesIn(read.pos, a.Reads) {
				continue
			}
			if read.explanation.Stat == a.Stat && read.explanation.Total == value && x.Stat == nil {
				x.Stat = read.explanation
			}
			if !slices.ContainsFunc(x.Reads, func(o *Explanation) bool { return o.Stat == read.explanation.Stat && o.Who == read.explanation.Who }) {
				x.Reads = append(x.Reads, read.explanation)
			}
		}
		slices.Reverse(x.Reads)
		list = append(list, x)
	}
	return list
}

// liesIn says whether a place in the source belongs to one of some expressions. No place belongs to none.
func liesIn(pos ir.Pos, list []ir.Pos) bool {
	return pos != (ir.Pos{}) && slices.ContainsFunc(list, func(p ir.Pos) bool {
		return p.File == pos.File && p.Span.Start.Offset <= pos.Span.Start.Offset && pos.Span.End.Offset <= p.Span.End.Offset
	})
}

// explainDice keeps the explanation of the stat that is added to dice.
func (m *Machine) explainDice(t *Roll, event int32) {
	added := m.p.Labels[t.Label].Added - 1
	d := ir.UnpackDice(t.Dice)
	for _, read := range slices.Backward(m.rolls.reads) {
		if read.explanation.Stat != added {
			continue
		}
		if x := read.explanation; d.Times > 0 && int64(d.Flat) == int64(d.Times)*x.Total {
			bonus := AddendExplanation{Value: int64(d.Flat), Stat: x}
			m.explanations = append(m.explanations, RollExplanation{Event: event, Bonus: []AddendExplanation{bonus}, Dice: -1, Opposed: -1})
		}
		return
	}
}
