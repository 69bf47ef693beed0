package machine

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/exact"
)

// This file rolls dice and judges checks.
//
// A die has a name: who rolls it, the label, and an ordinal. With seeded dice its face is a function of the seed and
// that name, so the machine need not ask; otherwise it stops at every die. The result so far of a roll is in the state.

// What a roll is for.
const (
	forSum uint8 = iota
	forCheck
	forPick // picking an element; Dice is the list
)

type plainDice struct {
	count, sides int32
	flat         int64
	ok           bool
}

// singleDie is the die of a check that rolls exactly one.
type singleDie struct {
	hash  uint64 // of its label
	label int32
	sides int32 // 0: the check rolls something else
}

// singleDieOf returns the die of a check that rolls one plain die, without anything added.
func (m *Machine) singleDieOf(k *program.Check) singleDie {
	d := ir.UnpackDice(m.p.Rolls[k.Roll].Die)
	if k.Opposed >= 0 || d.Times != 1 || d.Flat != 0 || int(d.Expr) >= len(m.plainDice) || int(k.Label) >= len(m.p.Labels) || m.marks {
		return singleDie{}
	}
	x := &m.plainDice[d.Expr]
	if !x.ok || x.count != 1 || x.flat != 0 {
		return singleDie{}
	}
	return singleDie{m.p.Labels[k.Label].Hash, k.Label, x.sides}
}

// drawFace returns the next face of a creature's dice with a label.
func (m *Machine) drawFace(who int64, label, sides int32) int64 {
	count := m.s.Draws.Next(who, label)
	return int64(dice.Face(m.s.Seed, uint64(who+1), m.p.Labels[label].Hash, count, sides))
}

// SeededFace returns the seeded face of the die that is asked for, for a caller that answers some dice itself and
// leaves others to the seed. Resume counts it.
func (m *Machine) SeededFace() int32 {
	q := &m.s.Asking
	return dice.Face(m.s.Seed, uint64(q.Who+1), m.p.Labels[q.Label].Hash, m.s.Draws.Count(q.Who, q.Label), q.Sides)
}

// rollPlain rolls plain seeded dice if there is no journal.
func (m *Machine) rollPlain(packed, who int64, label int32) (int64, bool) {
	d := ir.UnpackDice(packed)
	if int(d.Expr) >= len(m.plainDice) {
		return 0, false
	}
	x := &m.plainDice[d.Expr]
	if !x.ok || d.Times > 100 {
		return 0, false
	}
	sum := int64(d.Flat) + int64(d.Times)*x.flat
	for n := int32(d.Times) * x.count; n > 0; n-- {
		sum += m.drawFace(who, label, x.sides)
	}
	return sum, true
}

func (m *Machine) quickRoll(packed, who int64, label int32) (int64, bool) {
	if m.AskDice || m.Journal != nil || packed == program.None {
		return 0, false
	}
	return m.rollPlain(packed, who, label)
}

// quickCheck rolls the faces of a check, if they are plain.
func (m *Machine) quickCheck(id int32, c *[program.CheckBlock]int64) bool {
	if m.p.Checks[id].ResultOnly && m.skipDice(id, c) {
		return true
	}
	if d := &m.singleDice[id]; d.sides > 0 {
		who := c[program.CheckRoller]
		c[program.CheckNatural] = int64(dice.Face(m.s.Seed, uint64(who+1), d.hash, m.s.Draws.Next(who, d.label), d.sides))
		return true
	}
	k := &m.p.Checks[id]
	roll := m.p.Rolls[k.Roll].Die
	m.coverRoll(k.Roll)
	if !m.isPlain(roll) || k.Opposed >= 0 && !m.isPlain(m.p.Rolls[k.Opposed].Die) {
		return false
	}
	c[program.CheckNatural], _ = m.rollPlain(roll, c[program.CheckRoller], k.Label)
	if k.Opposed >= 0 {
		c[program.CheckOpposed], _ = m.rollPlain(m.p.Rolls[k.Opposed].Die, c[program.CheckFoe], k.OpposedLabel)
	}
	return true
}

func (m *Machine) isPlain(packed int64) bool {
	d := ir.UnpackDice(packed)
	return int(d.Expr) < len(m.plainDice) && m.plainDice[d.Expr].ok && d.Times <= 100
}

// rollDice begins a roll whose sum goes to a register.
func (m *Machine) rollDice(packed, who int64, label int32, reg int) {
	if packed == program.None {
		m.fail(m.currentInstr(), "there are no dice to roll")
		return
	}
	m.s.Roll = Roll{Active: true, For: forSum, Label: label, Reg: int32(reg), Dice: packed, Who: who}
	m.continueRoll()
}

// coverRoll marks a roll and its die as run.
func (m *Machine) coverRoll(id int32) {
	if m.marks {
		m.cover(m.p.Rolls[id].Part)
		m.cover(m.p.Rolls[id].DiePart)
	}
}

// cover marks a part as run, if there is one.
func (m *Machine) cover(part int32) {
	if part >= 0 {
		m.Covered.Add(part)
	}
}

// rollCheck begins the roll of a check whose block is at a register.
func (m *Machine) rollCheck(id int32, block int) {
	k := &m.p.Checks[id]
	if k.ResultOnly && m.skipDice(id, (*[program.CheckBlock]int64)(m.s.Regs[block:])) {
		return
	}
	m.coverRoll(k.Roll)
	m.s.Roll = Roll{
		Active: true, For: forCheck, Label: k.Label, Reg: int32(block), Check: id, Dice: m.p.Rolls[k.Roll].Die,
		Who: m.s.Regs[block+program.CheckRoller],
	}
	m.continueRoll()
}

// continueRoll continues a roll until it is done or has to ask for a die.
func (m *Machine) continueRoll() {
	s := m.s
	t := &s.Roll
	for t.Active && m.err == nil && m.phase == running {
		if t.For == forPick {
			m.rollPick(t)
			continue
		}
		if m.AskDice && m.AskTotal != nil && t.TimesRolled == 0 && len(s.Faces) == 0 && m.AskTotal(t.Dice) {
			m.askQuestion(Question{Status: NeedDie, Who: t.Who, Label: t.Label, Reg: -1})
			return
		}
		d := ir.UnpackDice(t.Dice)
		if t.TimesRolled >= int32(d.Times) {
			m.endRoll(t.Sum + int64(d.Flat))
			continue
		}
		if int(d.Expr) >= len(m.dice) || m.dice[d.Expr] == nil {
			m.fail(m.currentInstr(), "there are no such dice")
			return
		}
		x := m.dice[d.Expr]
		sides, done := x.Next(s.Faces)
		if !done {
			if m.AskDice {
				m.askQuestion(Question{Status: NeedDie, Who: t.Who, Label: t.Label, Sides: sides, Reg: -1})
				return
			}
			m.takeFace(int32(m.drawFace(t.Who, t.Label, sides)), sides)
			continue
		}
		sum, ok := exact.Add(t.Sum, x.Total(s.Faces))
		if !ok {
			m.failOverflow(m.currentInstr())
			return
		}
		t.Sum = sum
		t.TimesRolled++
		s.Faces = s.Faces[:0]
	}
}

// rollPick picks an element of a list with a die that has as many sides.
func (m *Machine) rollPick(t *Roll) {
	s := m.s
	list := m.list(t.Dice)
	switch {
	case len(s.Faces) > 0:
		reg, face := t.Reg, int(s.Faces[0])
		if face >= 1 && face <= len(list) {
			s.Regs[reg] = list[face-1]
			if m.Journal != nil {
				m.recordPick(t, face, list)
			}
		}
		s.Faces, s.Roll = s.Faces[:0], Roll{}
	case len(list) > 1<<20:
		m.fail(m.currentInstr(), "a die has at most 1,048,576 sides")
	case m.AskDice:
		m.askQuestion(Question{Status: NeedDie, Who: t.Who, Label: t.Label, Sides: int32(len(list)), Reg: -1})
	default:
		m.takeFace(int32(m.drawFace(t.Who, t.Label, int32(len(list)))), int32(len(list)))
	}
}

// takeFace takes the face of a rolled die.
func (m *Machine) takeFace(face, sides int32) {
	s := m.s
	s.Budget -= 4
	if s.Budget < 0 {
		m.fail(m.currentInstr(), "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
	}
	if m.Journal != nil {
		m.recordDie(face, sides)
	}
	s.Faces = append(s.Faces, face)
}

// endRoll stores the sum of a roll.
func (m *Machine) endRoll(sum int64) {
	s := m.s
	t := s.Roll
	s.Roll = Roll{}
	if m.Journal != nil {
		m.recordRoll(&t, sum)
	}
	if t.For == forSum {
		s.Regs[t.Reg] = sum
		return
	}
	k := &m.p.Checks[t.Check]
	if t.Opposed {
		s.Regs[t.Reg+program.CheckOpposed] = sum
		return
	}
	s.Regs[t.Reg+program.CheckNatural] = sum
	if k.Opposed >= 0 {
		s.Roll = Roll{
			Active: true, For: forCheck, Label: k.OpposedLabel, Reg: t.Reg, Check: t.Check, Dice: m.p.Rolls[k.Opposed].Die,
			Who: s.Regs[t.Reg+program.CheckFoe], Opposed: true,
		}
	}
}

// skipDice leaves out the dice of a check that they could not change; false if they could.
func (m *Machine) skipDice(id int32, c *[program.CheckBlock]int64) bool {
	if _, foregone := m.foregone(&m.p.Checks[id], c); !foregone {
		return false
	}
	c[program.CheckNatural], c[program.CheckOpposed] = 0, 0
	return true
}

// foregone returns the result of a check whose dice cannot change it.
func (m *Machine) foregone(k *program.Check, c *[program.CheckBlock]int64) (success, is bool) {
	least, most, ok := m.extremes(m.p.Rolls[k.Roll].Die)
	lead, fits := exact.Sub(c[program.CheckBonus], c[program.CheckDifficulty])
	if !ok || !fits || lead > farApart || lead < -farApart {
		return false, false
	}
	if k.Opposed >= 0 {
		otherLeast, otherMost, ok := m.extremes(m.p.Rolls[k.Opposed].Die)
		if !ok {
			return false, false
		}
		least, most = least-otherMost, most-otherLeast
	}
	return lead+least >= 0, lead+least >= 0 || lead+most < 0
}

// farApart is how far apart bonus and difficulty are compared without rolling; beyond it sums could overflow.
const farApart = 1 << 40

// extremes returns the lowest and the highest sum of plain dice that show at least 1 together.
func (m *Machine) extremes(packed int64) (least, most int64, ok bool) {
	d := ir.UnpackDice(packed)
	if !m.isPlain(packed) {
		return 0, 0, false
	}
	x := &m.plainDice[d.Expr]
	flat := int64(d.Flat) + int64(d.Times)*x.flat
	count := int64(d.Times) * int64(x.count)
	return flat + count, flat + count*int64(x.sides), count > 0 && flat >= 0
}

// judge computes total, margin and success of a check.
func (m *Machine) judge(id int32, block, top int, at int32) {
	s := m.s
	k := &m.p.Checks[id]
	c := (*[program.CheckBlock]int64)(s.Regs[block:])
	total, ok1 := exact.Add(c[program.CheckNatural], c[program.CheckBonus])
	difficulty, ok2 := c[program.CheckDifficulty], true
	if k.Opposed >= 0 {
		difficulty, ok2 = exact.Add(difficulty, c[program.CheckOpposed])
		c[program.CheckDifficulty] = difficulty
	}
	margin, ok3 := exact.Sub(total, difficulty)
	if !ok1 || !ok2 || !ok3 {
		m.failOverflow(at)
		return
	}
	success, byFace := int64(bit(total >= difficulty)), false
	if k.ResultOnly {
		if won, is := m.foregone(k, c); is {
			success = int64(bit(won))
		}
	}
	verdicts := m.p.Rolls[k.Roll].Verdicts
	for i := range verdicts {
		v := &verdicts[i]
		if v.Natural != c[program.CheckNatural] {
			continue
		}
		if v.When != program.NoChunk {
			holds := m.eval2(v.When, top, c[program.CheckRoller], c[program.CheckFoe]) != 0
			if m.err != nil {
				return
			}
			c = (*[program.CheckBlock]int64)(s.Regs[block:])
			if !holds {
				continue
			}
		}
		if m.marks && v.Part >= 0 {
			m.Covered.Add(v.Part)
		}
		success, byFace = int64(bit(v.Succeeds)), true
		break
	}
	c[program.CheckTotal], c[program.CheckMargin], c[program.CheckSuccess] = total, margin, success
	if m.Journal != nil {
		m.recordCheck(id, block, byFace, top)
	}
}

// outcome makes the record of a check, in the order of ir.OutcomeFields: in the arena if its capacity suffices, else by
// alloc. id is -1 if there was no roll.
func (m *Machine) outcome(c *[program.CheckBlock]int64, id int32) int64 {
	s, n := m.s, len(m.s.Arena)
	if n+outcomeSize > min(cap(s.Arena), m.Limits.Arena) {
		at, _ := m.alloc(program.OutcomeObject, 0, outcomeSize-1)
		if m.err != nil {
			return program.None
		}
		n = int(at - program.ArenaBase)
	}
	s.Arena = s.Arena[:n+outcomeSize]
	o := (*[outcomeSize]int64)(s.Arena[n:])
	o[0] = program.PackHeader(program.OutcomeObject, 0, outcomeSize-1)
	o[1], o[2], o[3] = c[program.CheckNatural], c[program.CheckTotal], c[program.CheckDifficulty]
	o[4], o[outcomeSuccess], o[6] = c[program.CheckMargin], c[program.CheckSuccess], c[program.CheckBonus]
	o[outcomeRoll] = c[program.CheckRoller]<<32 | int64(id+1)
	return program.ArenaBase + int64(n)
}

// Words of an outcome, header included.
const (
	outcomeSuccess = 5
	outcomeRoll    = 7 // the roller and the check plus 1, which no rule reads; 0 if there was no roll
	outcomeSize    = 8
)

// setPart changes a number of an outcome. That is recorded, since what was shown of the roll is no longer true.
func (m *Machine) setPart(outcome int64, part int32, v int64, at int32) {
	o := m.object(outcome)
	if int(part)+1 >= len(o) {
		m.fail(at, "that roll no longer exists")
		return
	}
	old := o[part+1]
	o[part+1] = v
	if old == v || m.Journal == nil || len(o) < outcomeSize {
		return
	}
	check := int32(uint32(o[outcomeRoll])) - 1
	if name := slices.Index(ir.CheckVars, ir.OutcomeFields[part]); check >= 0 && name >= 0 {
		m.recordRevision(check, o[outcomeRoll]>>32, int32(name), old, v)
	}
}
