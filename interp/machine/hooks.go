package machine

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/mix"
	"arbiter/stdlib/modifier"
	"arbiter/stdlib/resource"
)

// This file calls the Starlark functions that a host runs.
//
// A hook that returns a value only reads, and is done when it returns. An acting hook may need a die, a choice or a
// command in the middle, and the machine may stop there for good, so none of the hook's state may live outside the
// State. The hook is therefore restarted each time: the answers so far are in a list, and it receives them again until
// it asks something new. The machine then does what it wants, as an instruction would, and continues at the same
// instruction.

// Hooks runs the Starlark functions of a host. Their results must depend only on what they receive and read.
type Hooks interface {
	// Value returns the value of a site. sum, unless nil, takes the modifiers that it adds.
	Value(m *Machine, site int32, args []int64, sum *StatSum) (int64, error)
	// Act runs a hook until it wants something, and describes that in request. answers is the list of answers so far;
	// Act returns it with those appended that it read itself.
	Act(m *Machine, site int32, args, answers []int64, request *HookRequest) ([]int64, error)
}

// HookRequestKind is the kind of thing that a hook wants.
type HookRequestKind uint8

const (
	Returned     HookRequestKind = iota // nothing more: Amount is its value
	WantsRoll                           // Amount is dice, rolled by Who as Label; answers the sum
	WantsGain                           // Who gains Amount of resource ID; answers what did not fit
	WantsLoss                           // Who loses Amount of resource ID; answers what could not be taken
	WantsAmount                         // resource ID of Who = Amount
	WantsField                          // field ID of Who = Amount
	WantsEffect                         // Who gains effect ID with Args for Rounds or Seconds
	WantsRelease                        // Who loses effect ID with Args
	WantsCall                           // Who does procedure ID with Args; answers its record
	WantsChoice                         // Who picks one of Args, which are texts, as Label; answers it
	WantsNote                           // notes Text in the transcript
	WantsDefault                        // runs the replaced code
	WantsCancel                         // cancels the interrupted code, with Text
	WantsStop                           // ends this rule
)

// HookRequest is something that a hook wants done. Before that, Sets assigns names, given by their index in the site.
type HookRequest struct {
	Kind    HookRequestKind
	Who     int64
	ID      int32
	Label   int32
	Amount  int64
	Args    []int64
	Text    string
	Rounds  int64 // of an effect; may be none
	Seconds int64 // likewise
	Quietly bool  // the transcript leaves out what it changes
	Sets    []Setting
	Where   ir.Pos // of the call in the hook
}

// Setting assigns a value to a name of a site.
type Setting struct {
	Var   int
	Value int64
}

// StatSum is a stat being added up, for a hook among its modifiers.
type StatSum struct {
	m    *Machine
	from entrySource
	lost modifier.Loss
	x    *Explanation
}

// hookLine is a line that a hook adds to an explanation.
type hookLine struct {
	kind   LineKind
	reason string
	op     modifier.Op
	den    int32
	bonus  int16
	loss   modifier.Loss
	where  ir.Pos
}

// openSum opens the sum that the next hook among the modifiers adds to; closeSum closes it and returns the bonuses that
// the hook has taken away.
func (m *Machine) openSum(from *entrySource, x *Explanation) {
	if m.sumsInUse == len(m.sums) {
		m.sums = append(m.sums, new(StatSum))
	}
	s := m.sums[m.sumsInUse]
	s.m, s.lost, s.x = m, modifier.Loss{}, x
	if s.from.of, s.from.mod = from.of, from.mod; x != nil {
		s.from = *from
	}
	m.hookSum = s
	m.sumsInUse++
}

func (m *Machine) closeSum() modifier.Loss {
	m.sumsInUse--
	m.hookSum = nil
	return m.sums[m.sumsInUse].lost
}

// Stat is the stat being added up.
func (s *StatSum) Stat() int32 { return s.from.of }

// Explains says whether the stat is being explained.
func (s *StatSum) Explains() bool { return s.x != nil }

// Add enters a modifier. said is the reason for it.
func (s *StatSum) Add(e modifier.Entry, reason string, where ir.Pos) {
	e.Term = modifier.NoTerm
	if reason == "" {
		e.Source = s.m.p.Stats[s.from.of].Mods[s.from.mod].Effect
	} else { // so that two reasons stack like different sources
		if reason != s.m.hookReason {
			s.m.hookReason, s.m.hookReasonSource = reason, int32(mix.Finish(mix.Text(reason))>>34)|1<<30
		}
		e.Source = s.m.hookReasonSource
	}
	s.m.entries = append(s.m.entries, e)
	if s.x != nil {
		from := s.from
		from.holds, from.value, from.entry = true, e.Value, int32(len(s.m.entries)-1-s.m.explainedFrom)
		from.hook = &hookLine{ModifierLine, reason, e.Op, max(1, e.Den), e.Type, modifier.Loss{}, where}
		s.x.sources = append(s.x.sources, from)
	}
}

// Lose takes bonuses away from the stat.
func (s *StatSum) Lose(l modifier.Loss, reason string, where ir.Pos) {
	addLoss(&s.lost, l)
	if s.x != nil {
		from := s.from
		from.holds, from.entry = true, -1
		from.hook = &hookLine{DenialLine, reason, modifier.Add, 1, modifier.Untyped, l, where}
		s.x.sources = append(s.x.sources, from)
	}
}

// Mark is the progress of a machine when it asks a hook for a value, so that what the hook does can be undone.
type Mark struct {
	budget         int64
	entries, arena int
}

// Mark returns the current mark.
func (m *Machine) Mark() Mark { return Mark{m.s.Budget, len(m.entries), len(m.s.Arena)} }

// Undo undoes what a hook has done since a mark, including what it added to a stat that is not being explained.
func (m *Machine) Undo(k Mark, sum *StatSum) {
	m.s.Budget, m.entries, m.s.Arena = k.budget, m.entries[:k.entries], m.s.Arena[:k.arena]
	if sum != nil {
		sum.lost = modifier.Loss{}
	}
}

// callHook calls a hook for a value.
func (m *Machine) callHook(site int32, args, n, top int, at int32) int64 {
	x := &m.p.Sites[site]
	if m.Hooks == nil {
		m.fail(at, "%s is a Starlark function, and none can run here", m.p.Hooks[x.Hook].Name)
		return 0
	}
	sum := m.hookSum
	m.hookSum = nil
	if !x.Modifies {
		sum = nil
	}
	oldHostBase := m.hostBase
	m.hostBase = top
	m.s.reserve(top)
	if m.watch != nil {
		m.enter(Evaluation{Kind: HookEvaluation, ID: site, Base: int32(args), Outer: -1}, top)
	}
	v, err := m.Hooks.Value(m, site, m.s.Regs[args:args+n], sum)
	if m.watch != nil {
		m.leave(v)
	}
	m.hostBase = oldHostBase
	m.setHookError(err, at)
	if m.s.Budget < 0 && m.err == nil {
		m.fail(at, "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
	}
	return v
}

// setHookError keeps the error of a hook, which knows its own position.
func (m *Machine) setHookError(err error, at int32) {
	switch e := err.(type) {
	case nil:
	case *Error:
		m.err = e
	default:
		m.fail(at, "%v", err)
	}
}

// runActingHook runs an acting hook until it wants something, and does that. The block is at register i.
func (m *Machine) runActingHook(site int32, i int, at int32) {
	s, x := m.s, &m.p.Sites[site]
	if m.Hooks == nil {
		m.fail(at, "%s is a Starlark function, and none can run here", m.p.Hooks[x.Hook].Name)
		return
	}
	m.hookAnswers = m.hookAnswers[:0]
	if log := s.Regs[i+program.HookAnswers]; log != program.None {
		m.hookAnswers = append(m.hookAnswers, m.list(log)...)
	}
	if s.Regs[i+program.HookWaitsAt] != 0 { // the previous wish has been fulfilled
		m.hookAnswers = append(m.hookAnswers, s.Regs[i+program.HookValue])
		s.Regs[i+program.HookWaitsAt] = 0
	}
	firstArg := i + program.HookArgs
	d := HookRequest{Who: program.None, Label: x.Label, Rounds: program.None, Seconds: program.None, Where: ir.Pos{File: -1}}
	if m.watch != nil {
		m.enter(Evaluation{Kind: HookEvaluation, ID: site, Base: int32(firstArg), Outer: -1}, s.top())
	}
	answers, err := m.Hooks.Act(m, site, s.Regs[firstArg:firstArg+len(x.Names)], m.hookAnswers, &d)
	if m.watch != nil {
		m.leave(d.Amount)
	}
	m.hookAnswers = answers
	if m.setHookError(err, at); m.err != nil {
		return
	}
	if s.Budget < 0 {
		m.fail(at, "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
		return
	}
	frame := len(s.Frames) - 1
	for _, set := range d.Sets {
		m.setHookVar(&x.Vars[set.Var], &s.Frames[frame], set.Value, at)
	}
	if m.err != nil {
		return
	}
	if d.Kind == Returned {
		s.Regs[i+program.HookValue] = d.Amount
		return
	}
	s.Regs[i+program.HookAnswers] = m.makeObject(program.ListObject, int32(program.Scalar), answers)
	s.Regs[i+program.HookValue] = program.None
	s.Regs[i+program.HookWaitsAt] = packCall(d.Where)
	s.Frames[frame].PC = at // the next call continues here, with the answer
	if m.doRequest(&d, i+program.HookValue, at); m.err != nil && (m.err.Pos == m.pos(at) || m.err.Pos == m.pos(at-1)) {
		if file := d.Where.File; file >= 0 && int(file) < len(m.p.Files) { // the error is in the Starlark function
			m.err.File, m.err.Pos = m.p.Files[file], d.Where
		}
	}
}

// packCall packs the position of a call into a register; the result is not 0.
func packCall(at ir.Pos) int64 {
	start := at.Span.Start
	return int64(at.File+1)<<40 | int64(min(start.Line, 1<<20))<<16 | int64(min(start.Column, 1<<16-1)) | 1<<62
}

// unpackCall unpacks a position; ok is false if it is unknown.
func (m *Machine) unpackCall(v int64) (at ir.Pos, ok bool) {
	at.File = int32(v>>40&(1<<20-1)) - 1
	at.Span.Start = ast.Pos{Line: int(v >> 16 & (1<<24 - 1)), Column: int(v & (1<<16 - 1))}
	at.Span.End = at.Span.Start
	at.Span.End.Column++
	return at, at.File >= 0 && int(at.File) < len(m.p.Files)
}

// setHookVar assigns a value to a name, wherever it is stored.
func (m *Machine) setHookVar(p *program.HookVar, f *Frame, v int64, at int32) {
	if p.Scope == program.InMemory {
		m.setValue(int32(m.s.Regs[f.Base+program.RuleParams-1]), int(p.Index), v)
		return
	}
	if r := m.hookVarReg(p, f, at); r >= 0 {
		if m.Journal != nil && p.Scope == program.InOuter {
			m.recordPartSet(f, p.Index, v)
		}
		m.s.Regs[r] = v
	}
}

// hookVarReg is the register of a name, -1 if the code it belongs to no longer runs.
func (m *Machine) hookVarReg(p *program.HookVar, f *Frame, at int32) int32 {
	switch p.Scope {
	case program.InOuter:
		if f.Outer >= 0 {
			return f.Outer + p.Index
		}
	case program.InWithin:
		if r := m.registerOf(m.s.Regs[f.Base+program.RuleParams-1], p.Index); r >= 0 {
			return r
		}
	default:
		return f.Base + p.Index
	}
	m.fail(at, "the procedure that %s belongs to has already ended", p.Name)
	return -1
}

// ReadHookVar reads a name of the site of the acting hook.
func (m *Machine) ReadHookVar(site int32, index int) (int64, error) {
	f := &m.s.Frames[len(m.s.Frames)-1]
	p := &m.p.Sites[site].Vars[index]
	if p.Scope == program.InMemory {
		if x := m.instance(int32(m.s.Regs[f.Base+program.RuleParams-1])); x != nil {
			return x.Vals[p.Index&7], nil
		}
		return 0, &Error{Message: "the effect whose memory " + p.Name + " is has ended"}
	}
	r := m.hookVarReg(p, f, f.PC-1)
	if r < 0 {
		err := m.err
		m.err = nil
		return 0, err
	}
	return m.s.Regs[r], nil
}

// doRequest does what a hook wants; the answer goes into register ret.
func (m *Machine) doRequest(d *HookRequest, ret int, at int32) {
	s := m.s
	switch d.Kind {
	case WantsGain, WantsLoss, WantsAmount, WantsEffect, WantsRelease:
		if !m.checkCreature(d.Who, at) {
			return
		}
	}
	m.quietly = d.Quietly && m.Journal != nil
	defer func() { m.quietly = false }()
	switch d.Kind {
	case WantsRoll:
		m.rollDice(d.Amount, d.Who, d.Label, ret)
	case WantsGain:
		now, left := resource.Gain(m.amountOf(d.Who, d.ID), d.Amount, m.upperBound(d.Who, d.ID))
		if s.Regs[ret] = left; m.err == nil {
			m.changeResource(d.Who, d.ID, now)
		}
	case WantsLoss:
		s.Regs[ret] = m.loseAmount(d.Who, d.ID, d.Amount)
	case WantsAmount:
		m.setResource(d.Who, d.ID, d.Amount)
	case WantsField:
		shape := program.Scalar
		if kind := m.KindOf(d.Who); kind >= 0 {
			shape = m.p.Kinds[kind].Fields[d.ID].Shape
		}
		m.setField(d.Who, d.ID, d.Amount, shape, at)
	case WantsEffect:
		m.giveEffect(d, at)
	case WantsRelease:
		m.loseEffect(int32(d.Who), d.ID, d.Args, at)
	case WantsCall:
		args := m.putArgs(who32(d.Who), d.ID, d.Args, s.top())
		if refusal := m.call(d.ID, args, int32(ret), true, asPart); refusal >= 0 && m.err == nil && m.Journal != nil {
			m.recordRefusal(d.ID, d.Who, refusal)
		}
	case WantsChoice:
		list := m.makeObject(program.ListObject, int32(program.Scalar), d.Args)
		if len(d.Args) == 1 {
			s.Regs[ret] = d.Args[0]
			return
		}
		m.askQuestion(Question{Status: NeedChoice, ChoiceKind: ElementChoice, Index: m.p.TextPick, Label: d.Label, Who: d.Who, Options: list, Reg: int32(ret)})
	case WantsNote:
		if m.Journal != nil {
			m.recordText(d.Text)
		}
	case WantsDefault:
		m.doDefault(at)
	case WantsCancel:
		m.cancel(d.Text)
	case WantsStop:
		m.stop()
	}
}

// giveEffect makes a creature gain an effect, for a time by the clock or for the effect's own duration.
func (m *Machine) giveEffect(d *HookRequest, at int32) {
	e := &m.p.Effects[d.ID]
	if e.While != program.NoChunk {
		m.fail(at, "%s follows its condition and cannot be gained", e.Name)
		return
	}
	values := make([]int64, len(e.Values))
	for i := range values {
		values[i] = program.Absent
		if i < len(d.Args) {
			values[i] = d.Args[i]
		}
	}
	duration, captured := int32(-1), program.None
	if d.Rounds != program.None || d.Seconds != program.None {
		duration = m.p.ClockDuration
		captured = m.makeObject(program.CaptureObject, duration, []int64{d.Rounds, d.Seconds})
	}
	source := effect.NoSource
	if f := m.topFrame(); f != nil && m.isEntity(m.s.Regs[f.Base]) {
		source = int32(m.s.Regs[f.Base])
	}
	m.startInstance(effect.Instance{Def: d.ID, Bearer: int32(d.Who), Source: source, Origin: originGained}, values, duration, captured)
}

// ReadStat cheaply computes a stat of a creature for a host that is answering a question; what it makes in the arena is
// freed.
func (m *Machine) ReadStat(stat int32, who int64, situation []int64) (int64, error) {
	arena := len(m.s.Arena)
	outer, top := m.beginHostRead()
	n := m.pushSituation(who, stat, situation, top)
	m.hostBase = top + n
	v := m.stat(stat, top, top+n, m.currentInstr())
	m.s.Arena = m.s.Arena[:arena]
	return v, m.endHostRead(outer)
}

// ReadDefine evaluates a define of self and its parameters for a host that is answering a question. A list or a record
// that it makes stays until the command ends.
func (m *Machine) ReadDefine(define int32, args []int64) (int64, error) {
	outer, top := m.beginHostRead()
	v := m.evalArgs(m.p.Defines[define].Chunk, top, args)
	return v, m.endHostRead(outer)
}

// ReadCan says whether nothing forbids a permission to a creature.
func (m *Machine) ReadCan(permission int32, who int64) (bool, error) {
	outer, top := m.beginHostRead()
	m.s.reserve(top + 1)
	m.s.Regs[top] = who
	m.hostBase = top + 1
	can := m.can(permission, top, 0, top+1)
	return can, m.endHostRead(outer)
}

// ReadField returns a field of a thing, and whether the thing has it.
func (m *Machine) ReadField(thing int64, field int32) (int64, bool) {
	if v, known := m.fastField(thing, int(field)); known {
		return v, true
	}
	return m.recordField(thing, field)
}

// KindOf is the kind of a thing, -1 if it is not a thing.
func (m *Machine) KindOf(thing int64) int32 {
	switch {
	case m.isEntity(thing):
		return 0
	case thing >= program.RecordTag:
		if o := m.object(thing &^ program.RecordTag); len(o) > 0 {
			if kind, of, _ := program.UnpackHeader(o[0]); kind == program.RecordObject {
				return of
			}
		}
	case thing < 0 && -thing-1 < int64(len(m.p.Templates)):
		return m.p.Templates[-thing-1].Kind
	}
	return -1
}

// Values returns the values of a list, an outcome or the record of a procedure, and for a record, its procedure.
func (m *Machine) Values(at int64) (values []int64, of int32) {
	o := m.object(at)
	if len(o) == 0 {
		return nil, -1
	}
	_, of, _ = program.UnpackHeader(o[0])
	return o[1:], of
}

// NewList makes a list of scalar values in the arena, for a hook that returns one.
func (m *Machine) NewList(values []int64) (int64, error) {
	outer, _ := m.beginHostRead()
	at := m.makeObject(program.ListObject, int32(program.Scalar), values)
	return at, m.endHostRead(outer)
}
