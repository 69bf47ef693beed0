package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/journal"
)

// This file records what happens in the journal, if there is one. Every event names its cause: the procedure, rule or
// command in which it happened. The tables below explain the numbers of an event.

// Kinds of events.
const (
	_               uint8 = iota
	ProcBegan             // Code: procedure, Who: its actor, B, C, D: the first three explicit arguments, A: bits of the defaulted, Text: in Notes, of a list among them; -1: none
	ProcEnded             // Code: procedure, Who
	ProcBrokenOff         // Code: procedure, Who
	CheckRolled           // Code: check, Who: roller, A: natural, B: bonus, C: total, D: difficulty, Text: 1 for success
	DiceRolled            // Code: label, Who, A: sum, B: dice, C: 1 for the die of a check, 2 for that of its opponent, to which D is added
	DieRolled             // Code: label, Who, A: face, B: sides, C: ordinal
	ResourceChanged       // Code: resource, Who, A: from, B: to, Text: its Telling
	EffectGained          // Code: effect, Who: bearer, A: instance, B, C, D: its first values, Text: its Telling
	EffectLost            // as EffectGained
	NoteWritten           // Text: in Notes
	RuleRan               // Code: rule, Who: bearer, A: instance
	QuestionAsked         // Code: label, Who, A: 1 for a die, else 2 and the kind of choice in B
	ChoiceMade            // Code: label, Who, A: answer, B: the kind of choice, Text: in Notes
	ActionRefused         // Code: procedure, Who, A: index of the refusal
	ProcCanceled          // Text: in Notes
	MomentBegan           // Code: edge * 3 + what, Who, A: round
	SquareChanged         // Code: mode or -1, Who, A: from, B: to; None: off the map
	CheckRevised          // Code: check, Who: roller, Text: 1 for a success that was a failure, 0 for the opposite
	StoryEvent            // by the host, about its story
	PickRolled            // Code: label, Who, A: face, B: sides, Text: in Notes, what was picked
	CheckReplaced         // Code: check, Who: roller, A: total, B: the rule that took its place, C: 1 if the face had fallen, D: natural, Text: 1 for success
	CheckChanged          // Code: check, Who: roller, A: from, B: to, C: the part that is changed after the check was judged
)

// Telling says whether the transcript tells a change of a resource or of effects: the Text of its event.
type Telling int32

const (
	Told    Telling = iota
	Paid            // it paid the cost of an action or a reaction, which the transcript does not tell
	Quietly         // the rules keep it out of the transcript
)

// telling is how the running instruction's change is told.
func (m *Machine) telling() Telling {
	switch {
	case m.paying:
		return Paid
	case m.quietly:
		return Quietly
	}
	return Told
}

// hush notes whether the transcript leaves out what an instruction changes itself; what follows from that is told.
func (m *Machine) hush(at int32) {
	if m.Journal != nil {
		_, m.quietly = slices.BinarySearch(m.p.Quiet, at)
	}
}

func who32(v int64) int32 {
	if v == program.None || v < 0 || v > 1<<30 {
		return -1
	}
	return int32(v)
}

// eventSteps is the cost of an event in steps of the command, so that they limit the journal too.
const eventSteps = 20

// bytesPerStep is how many bytes of the text of an event cost a step: the texts of one command are limited, too.
const bytesPerStep = 8

func (m *Machine) recordEvent(e journal.Event) int32 {
	m.s.Budget -= eventSteps
	if m.s.EventsLeft--; m.s.EventsLeft < 0 && m.err == nil {
		m.fail(m.currentInstr(), "more than %d events in one command: %s", m.maxEvents(), m.callChain())
	}
	if e.Cause == journal.None {
		e.Cause = m.causeEvent()
	}
	return m.Journal.Append(e)
}

func (m *Machine) addEventText(text string) int32 {
	m.s.Budget -= int64(len(text) / bytesPerStep)
	if m.s.TextLeft -= int64(len(text)); m.s.TextLeft < 0 && m.err == nil {
		m.fail(m.currentInstr(), "the texts of one command have more than %d bytes: %s", m.Limits.Texts, m.callChain())
	}
	m.EventTexts = append(m.EventTexts, text)
	return int32(m.textsForgotten + len(m.EventTexts) - 1)
}

func (m *Machine) recordBegin(proc int32, base int, absent uint64) int32 {
	e := journal.Event{Kind: ProcBegan, Code: proc, Who: who32(m.s.Regs[base]), A: int64(absent), Text: -1}
	unused := []*int64{&e.B, &e.C, &e.D}
	for _, to := range unused {
		*to = program.None
	}
	listed := false
	for i := range m.p.Procs[proc].Params {
		if absent>>uint(i)&1 == 1 || len(unused) == 0 {
			continue
		}
		typ, v := m.p.Procs[proc].Params[i].Type, m.s.Regs[base+1+i]
		if m.listsThings(typ) && !listed {
			listed = true
			isRecord := func(x int64) bool { return x >= program.RecordTag }
			if list := m.list(v); len(list) <= mostThingsListed && !slices.ContainsFunc(list, isRecord) {
				e.Text = m.addEventText(m.Format(typ, v))
			}
		}
		*unused[0], unused = m.lastingArgument(typ, v), unused[1:]
	}
	return m.recordEvent(e)
}

// mostThingsListed is how many things of a list an event names.
const mostThingsListed = 8

// listsThings reports whether an argument of that type is a list of things, which have names.
func (m *Machine) listsThings(typ int32) bool {
	return m.typeKind(typ) == ir.List && m.typeKind(m.p.Types[typ].Of) == ir.Ref
}

// lastingArgument returns what the journal keeps of an argument that may be gone when the event is shown: where a path
// ends, the number of a plan.
func (m *Machine) lastingArgument(typ int32, v int64) int64 {
	switch m.typeKind(typ) {
	case ir.PathType:
		if path := m.list(v); len(path) > 0 {
			return path[len(path)-1]
		}
	case ir.PlanType:
		if plan, ok := m.PlanOf(v); ok {
			return int64(plan)
		}
	}
	return v
}

func (m *Machine) recordEnd(f *Frame) {
	m.recordEvent(journal.Event{Kind: ProcEnded, Code: f.ID, Who: who32(m.s.Regs[f.Base]), Cause: f.Event})
}

func (m *Machine) recordBreakOff(f *Frame) {
	m.recordEvent(journal.Event{Kind: ProcBrokenOff, Code: f.ID, Who: who32(m.s.Regs[f.Base]), Cause: f.Event})
}

func (m *Machine) recordCancel(why string) {
	m.recordEvent(journal.Event{Kind: ProcCanceled, Who: -1, Text: m.addEventText(why)})
}

func (m *Machine) recordRefusal(proc int32, actor, refusal int64) {
	m.recordEvent(journal.Event{Kind: ActionRefused, Code: proc, Who: who32(actor), A: refusal})
}

func (m *Machine) recordRule(x *PendingRule, cause int32) int32 {
	return m.recordEvent(journal.Event{Kind: RuleRan, Code: x.Rule, Who: who32(x.Bearer), A: int64(x.Instance), Cause: cause})
}

func (m *Machine) recordResource(who int64, id int32, from, to int64) {
	if from != to {
		m.recordEvent(journal.Event{Kind: ResourceChanged, Code: id, Who: who32(who), A: from, B: to, Text: int32(m.telling())})
	}
}

func (m *Machine) recordEffect(kind uint8, x *effect.Instance) {
	if x == nil {
		return
	}
	e := journal.Event{Kind: kind, Code: x.Def, Who: x.Bearer, A: int64(x.ID), B: x.Vals[0], C: x.Vals[1], D: x.Vals[2]}
	switch {
	case m.placing: // somebody is being placed: the fight is set up
		e.Text = int32(Quietly)
	case x.Origin == originGained:
		e.Text = int32(m.telling())
	}
	m.recordEvent(e)
}

// recordSquare records that a creature stands elsewhere.
func (m *Machine) recordSquare(who int64, mode int32, from, to int64) {
	if m.Journal != nil && from != to {
		m.recordEvent(journal.Event{Kind: SquareChanged, Code: mode, Who: who32(who), A: from, B: to})
	}
}

func (m *Machine) recordDie(face, sides int32) {
	t := &m.s.Roll
	m.recordEvent(journal.Event{
		Kind: DieRolled, Code: t.Label, Who: who32(t.Who), A: int64(face), B: int64(sides), C: int64(m.s.Draws.Count(t.Who, t.Label)) - 1,
	})
}

func (m *Machine) recordRoll(t *Roll, sum int64) {
	e := journal.Event{Kind: DiceRolled, Code: t.Label, Who: who32(t.Who), A: sum, B: t.Dice}
	switch {
	case t.Opposed:
		e.C, e.D = 2, m.s.Regs[t.Reg+program.CheckDifficulty]
	case t.For == forCheck:
		e.C = 1
	}
	event := m.recordEvent(e)
	switch {
	case m.noExplanations:
	case t.For == forCheck:
		m.keepDice(t, event)
	default:
		m.explainDice(t, event)
	}
}

func (m *Machine) recordPick(t *Roll, face int, list []int64) {
	text := m.addEventText(m.Format(m.p.Picks[t.Check].Type, list[face-1]))
	m.recordEvent(journal.Event{Kind: PickRolled, Code: t.Label, Who: who32(t.Who), A: int64(face), B: int64(len(list)), Text: text})
}

func (m *Machine) recordQuestion(q *Question) {
	kind := int64(2)
	if q.Status == NeedDie {
		kind = 1
	}
	m.recordEvent(journal.Event{Kind: QuestionAsked, Code: q.Label, Who: who32(q.Who), A: kind, B: int64(q.ChoiceKind)})
}

func (m *Machine) recordChoice(q *Question, answer int64) {
	m.s.Asking = *q
	r := m.questionResult()
	m.s.Asking = Question{}
	text := formatNumber(answer)
	if answer >= 0 && answer < int64(len(r.Options)) {
		text = r.Options[answer]
	}
	m.recordEvent(journal.Event{Kind: ChoiceMade, Code: q.Label, Who: who32(q.Who), A: answer, B: int64(q.ChoiceKind), Text: m.addEventText(text)})
}

func (m *Machine) recordMoment(edge, period int, who int64) {
	m.recordEvent(journal.Event{Kind: MomentBegan, Code: int32(edge*3 + period), Who: who32(who), A: int64(m.s.Order.Round())})
}

func (m *Machine) recordNote(id int32, values []int64) {
	var b strings.Builder
	i := 0
	for _, p := range m.p.Notes[id].Pieces {
		b.WriteString(p.Text)
		if p.Value && i < len(values) {
			b.WriteString(m.Format(p.Type, values[i]))
			i++
		}
	}
	m.recordText(b.String())
}

func (m *Machine) recordText(text string) {
	m.recordEvent(journal.Event{Kind: NoteWritten, Who: -1, Text: m.addEventText(text)})
}

func (m *Machine) recordCheck(id int32, block int, byFace bool, top int) {
	c := (*[program.CheckBlock]int64)(m.s.Regs[block:])
	event := m.recordEvent(journal.Event{
		Kind: CheckRolled, Code: id, Who: who32(c[program.CheckRoller]), A: c[program.CheckNatural],
		B: c[program.CheckBonus], C: c[program.CheckTotal], D: c[program.CheckDifficulty], Text: int32(c[program.CheckSuccess]),
	})
	m.explainCheck(id, int32(block), event, byFace, top)
}

// recordReplacement records that a rule took the place of a check at a point of `instead`, which has just ended.
func (m *Machine) recordReplacement(f *Frame) {
	check := m.checkIn(f.PC, f.Outer-m.s.Frames[f.Interrupted].Base)
	if check < 0 || f.Next == 0 {
		return
	}
	c := (*[program.CheckBlock]int64)(m.s.Regs[f.Outer:])
	m.recordEvent(journal.Event{
		Kind: CheckReplaced, Code: check, Who: who32(c[program.CheckRoller]), A: c[program.CheckTotal], B: int64(m.s.Queue[f.Next-1].Rule),
		C: int64(bit(m.p.Points[f.ID].Check != program.CheckBegins)), D: c[program.CheckNatural], Text: int32(c[program.CheckSuccess]),
	})
}

// checkIn is the check that is judged in the replaceable code from pc on, whose block is at a register; -1 if none is.
func (m *Machine) checkIn(pc, block int32) int32 {
	for nested := 0; int(pc) < len(m.p.Code); pc++ {
		switch in := &m.p.Code[pc]; in.Op {
		case program.OpInstead:
			nested++
		case program.OpEndInstead:
			if nested--; nested < 0 {
				return -1
			}
		case program.OpJudge:
			if int32(in.A) == block {
				return in.D
			}
		}
	}
	return -1
}

func verdictText(success bool) string {
	if success {
		return "success"
	}
	return "failure"
}

// EventText returns the text in Notes of an event that has one.
func (m *Machine) EventText(e *journal.Event) string {
	if at := int(e.Text) - m.textsForgotten; at >= 0 && at < len(m.EventTexts) {
		return m.EventTexts[at]
	}
	return ""
}

// Describe formats an event in one line.
func (m *Machine) Describe(e *journal.Event) string {
	p := m.p
	who := ""
	if e.Who >= 0 && int(e.Who) < len(m.s.Entities) {
		who = m.s.Entities[e.Who].Name
	}
	eventText := func() string { return m.EventText(e) }
	switch e.Kind {
	case ProcBegan:
		text := p.Procs[e.Code].Name
		args, listed := []int64{e.B, e.C, e.D}, false
		for i := range p.Procs[e.Code].Params {
			if e.A>>uint(i)&1 == 1 || len(args) == 0 {
				continue
			}
			x := &p.Procs[e.Code].Params[i]
			switch {
			case m.typeKind(x.Type) == ir.PathType:
				text += " to"
			case x.Label != "":
				text += " " + x.Label
			}
			if m.listsThings(x.Type) && !listed {
				listed = true
				text += " " + cmp.Or(eventText(), "...")
			} else {
				text += " " + m.FormatBrief(x, args[0])
			}
			args = args[1:]
		}
		if who == "" {
			return text
		}
		return who + ": " + text
	case ProcEnded:
		return "end of " + p.Procs[e.Code].Name
	case ProcBrokenOff:
		return fmt.Sprintf("%s breaks off %s", who, p.Procs[e.Code].Name)
	case CheckRolled:
		if k := &p.Checks[e.Code]; k.IsForegone(e.A) {
			return fmt.Sprintf("%s %s: %+d against %d, %s whatever is rolled", who, p.Labels[k.Label].Name, e.B, e.D, verdictText(e.Text == 1))
		}
		return fmt.Sprintf("%s %s: %d%+d = %d against %d, %s", who, p.Labels[p.Checks[e.Code].Label].Name, e.A, e.B, e.C, e.D, verdictText(e.Text == 1))
	case CheckReplaced:
		return fmt.Sprintf("%s %s: %s by %s", who, p.Labels[p.Checks[e.Code].Label].Name, verdictText(e.Text == 1), p.Rules[e.B].Name)
	case CheckRevised:
		return fmt.Sprintf("%s %s: %s after all", who, p.Labels[p.Checks[e.Code].Label].Name, verdictText(e.Text == 1))
	case PickRolled:
		return strings.TrimSpace(fmt.Sprintf("%s %s: d%d = %d, %s", who, p.Labels[e.Code].Name, e.B, e.A, eventText()))
	case CheckChanged:
		return fmt.Sprintf("%s %s: %s %d -> %d", who, p.Labels[p.Checks[e.Code].Label].Name, ir.CheckVars[e.C], e.A, e.B)
	case DiceRolled:
		return fmt.Sprintf("%s %s: %s = %d", who, p.Labels[e.Code].Name, m.FormatDice(e.B), e.A)
	case DieRolled:
		return fmt.Sprintf("%s %s: d%d shows %d", who, DieName(p, e), e.B, e.A)
	case ResourceChanged:
		return fmt.Sprintf("%s %s %d -> %d", who, p.Resources[e.Code].Name, e.A, e.B)
	case EffectGained:
		return fmt.Sprintf("%s gains %s", who, p.Effects[e.Code].Name)
	case EffectLost:
		return fmt.Sprintf("%s loses %s", who, p.Effects[e.Code].Name)
	case NoteWritten:
		return eventText()
	case RuleRan:
		return strings.TrimSpace(who + " " + p.Rules[e.Code].Name)
	case QuestionAsked:
		return fmt.Sprintf("asked %s for %s", m.deciderName(e.Who), p.Labels[e.Code].Name)
	case ChoiceMade:
		label, text := p.Labels[e.Code].Name, eventText()
		if e.A != 0 && e.B == int64(OfferChoice) && letters(label[strings.LastIndexByte(label, '.')+1:]) == letters(text) {
			text = "yes" // the label says to what
		}
		return fmt.Sprintf("%s %s: %s", m.deciderName(e.Who), label, text)
	case ActionRefused:
		return fmt.Sprintf("%s cannot %s: %s", who, p.Procs[e.Code].Name, p.Refusals[e.A].Why)
	case ProcCanceled:
		return "cancelled: " + eventText()
	case SquareChanged:
		return fmt.Sprintf("%s moves to %s", who, FormatSquare(e.B))
	case MomentBegan:
		edge, what := [2]string{"start", "end"}[e.Code/3], [3]string{"turn", "round", "fight"}[e.Code%3]
		switch what {
		case "turn":
			return fmt.Sprintf("%s of turn of %s", edge, who)
		case "round":
			return fmt.Sprintf("%s of round %d", edge, e.A)
		}
		return edge + " of fight"
	}
	return "something unknown"
}

func (m *Machine) deciderName(who int32) string {
	if who < 0 || int(who) >= len(m.s.Entities) {
		return "the game master"
	}
	return m.s.Entities[who].Name
}

// FormatBrief formats an argument by its type, without reading records, which may be gone.
func (m *Machine) FormatBrief(x *program.Param, v int64) string {
	if m.typeKind(x.Type) == ir.PlanType && v >= 0 && v < int64(len(m.p.Plans)) && m.PlanText != nil {
		return m.PlanText(int32(v))
	}
	if _, square := grid.Unpack(v); square {
		return FormatSquare(v)
	}
	if x.Shape.IsAddress() || v >= program.RecordTag {
		return "..."
	}
	return m.Format(x.Type, v)
}

// typeKind returns the kind of a type; ir.Nothing if there is no such type.
func (m *Machine) typeKind(typ int32) ir.TypeKind {
	if typ < 0 || int(typ) >= len(m.p.Types) {
		return ir.Nothing
	}
	return m.p.Types[typ].Kind
}

// DieName formats the name of a die: label#n, from 1.
func DieName(p *program.Program, e *journal.Event) string {
	return fmt.Sprintf("%s#%d", p.Labels[e.Code].Name, e.C+1)
}

// letters are the letters and digits of a text, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
