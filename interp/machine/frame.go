package machine

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/program"
	"arbiter/stdlib/clock"
	"arbiter/stdlib/mix"
)

// This file is the call stack: what runs, what it interrupts, and how it ends.

type frameKind uint8

const (
	codeFrame    frameKind = iota // a procedure, a rule, a plan, a script
	insteadFrame                  // `default`: a section of a procedure, run in its own registers
	pointFrame                    // rules at a point, one after the other
	effectFrame                   // rules of effects that were gained or lost
	passFrame                     // time that passes
	turnFrame                     // the advance to the next turn in the order
	moveFrame                     // a creature moving square by square
)

type codeKind uint8

const (
	procedureCode codeKind = iota
	ruleCode
	planCode
	scriptCode
)

// Frame is one entry of the stack.
type Frame struct {
	Kind     frameKind
	Code     codeKind
	Flags    uint8
	ID       int32 // of the procedure, rule, plan, chunk, point
	PC       int32 // where it continues; of a moveFrame, how far its step has got
	Base     int32 // of its register window
	Top      int32 // where the windows of its callees begin
	Ret      int32 // register that receives the value, or -1
	Event    int32 // in the journal
	QueueLen int32 // lengths to restore
	PaidLen  int32

	// What a rule or a point interrupts.
	Outer       int32 // first register of the interrupted names, or -1
	Interrupted int32 // frame of the interrupted code, or -1

	Actor int64 // of the interrupted code; of a moveFrame, who moves

	// What only some kinds of frames have.
	Parent         int32      // of a rule, the frame of its point; of an insteadFrame, that of its procedure
	Next           int32      // next rule of a pointFrame, in the queue; step of a moveFrame; creature of a turnFrame
	End            int32      // end of the rules of a pointFrame, in the queue; of an insteadFrame, of its code
	Path           int32      // of a moveFrame, the address of its squares
	NewestInstance int32      // of a pointFrame, the latest instance that existed before it
	Until          clock.Time // when a passFrame ends
}

const (
	flagRecord   uint8 = 1 << iota // its record is wanted
	flagCommand                    // runs as a command
	flagCanceled                   // it has been canceled
	flagInstead                    // a point of `instead`
	flagFired                      // a point at which something ran
	flagAccepted                   // a point whose rule has been offered and accepted; a rule of which an offer has been accepted
	flagOpening                    // a turnFrame that is about to announce its turn
	flagOpened                     // a turnFrame that has announced it

	flagDefault = flagOpening // a point of `instead` at which what it replaces ran after all
)

func (f *Frame) is(flag uint8) bool { return f.Flags&flag != 0 }

func (f *Frame) hash(h uint64) uint64 {
	h = mix.Add(h, uint64(f.Kind)<<48|uint64(f.Code)<<40|uint64(f.Flags)<<32|uint64(uint32(f.ID)))
	h = mix.Add(h, uint64(uint32(f.PC))<<32|uint64(uint32(f.Base)))
	h = mix.Add(h, uint64(uint32(f.Ret))<<32|uint64(uint32(f.Outer)))
	h = mix.Add(h, uint64(uint32(f.Parent))<<32|uint64(uint32(f.Next)))
	h = mix.Add(h, uint64(uint32(f.End))<<32|uint64(uint32(f.Path)))
	return mix.Add(mix.Add(h, uint64(f.Until)), uint64(f.Actor))
}

// Limits of one command; the error names the limit that was exceeded.
const (
	MaxRuleDepth = 16         // nesting depth of rules
	MaxRules     = 1_000      // rules in one command, of a fight of at most a hundred creatures
	MaxFrames    = 512        // nesting depth of procedures
	MaxSteps     = 10_000_000 // instructions in one command, approximately
	MaxDepth     = 100        // nesting depth of stats and defines
	MaxArena     = 1 << 22    // words of lists and records in one command
	MaxEvents    = 250_000    // events of one command
	MaxTexts     = 16 << 20   // bytes of the texts of these events
)

// Limits of one game. In a large one each creature has EffectsPerCreature.
const (
	MaxEffects         = 20_000
	EffectsPerCreature = 50
	MaxEffectsOfOne    = 5_000 // on one creature
)

// Limits of one command in a large fight, for each creature: some commands, such as the beginning of a fight, concern
// all of them, and pairs of them.
const (
	RulesPerCreature  = 10
	StepsPerCreature  = 50_000
	EventsPerCreature = 500
)

// Limits are those of one command; tests lower them, so that less is needed to reach them.
type Limits struct {
	RuleDepth, Rules, RulesPerCreature int
	Steps, StepsPerCreature            int64
	Frames, Depth, Arena               int
	Events, EventsPerCreature, Texts   int

	Effects, EffectsPerCreature, EffectsOfOne int // of a game
}

// DefaultLimits are the limits above.
var DefaultLimits = Limits{MaxRuleDepth, MaxRules, RulesPerCreature, MaxSteps, StepsPerCreature, MaxFrames, MaxDepth, MaxArena,
	MaxEvents, EventsPerCreature, MaxTexts, MaxEffects, EffectsPerCreature, MaxEffectsOfOne}

// Halved returns limits of half the size.
func (l Limits) Halved() Limits {
	return Limits{l.RuleDepth / 2, l.Rules / 2, l.RulesPerCreature / 2, l.Steps / 2, l.StepsPerCreature / 2, l.Frames / 2, l.Depth / 2, l.Arena / 2,
		l.Events / 2, l.EventsPerCreature / 2, l.Texts / 2, l.Effects / 2, l.EffectsPerCreature / 2, l.EffectsOfOne / 2}
}

// maxSteps is the limit on instructions in one command. Marking what runs takes steps, too, which are allowed beside.
func (m *Machine) maxSteps() int64 {
	if m.marks {
		return 2 * max(m.Limits.Steps, m.Limits.StepsPerCreature*int64(len(m.s.Entities)))
	}
	return max(m.Limits.Steps, m.Limits.StepsPerCreature*int64(len(m.s.Entities)))
}

// maxEvents is the limit on events in one command.
func (m *Machine) maxEvents() int64 {
	return int64(max(m.Limits.Events, m.Limits.EventsPerCreature*len(m.s.Entities)))
}

// allowEvents allows as many events as one command may record: at its beginning, and for what happens between commands.
func (m *Machine) allowEvents() {
	m.s.EventsLeft, m.s.TextLeft = m.maxEvents(), int64(m.Limits.Texts)
}

// push pushes a frame and counts it against the limits.
func (m *Machine) push(f Frame) *Frame {
	s := m.s
	if len(s.Frames) >= m.Limits.Frames {
		m.fail(m.currentInstr(), "more than %d nested procedures: %s", m.Limits.Frames, m.callChain())
		m.advise("what does itself again never ends: let it `stop` when something holds")
		return &s.Frames[len(s.Frames)-1]
	}
	if f.Code == ruleCode && f.Kind == codeFrame {
		s.RuleDepth++
		s.RuleCount++
		switch {
		case int(s.RuleDepth) > m.Limits.RuleDepth:
			m.fail(m.currentInstr(), "rules nested more than %d deep: %s", m.Limits.RuleDepth, m.callChain())
			m.advise("a rule that does what it waits for sets itself off again: write `once per turn`, or `keep` what it is doing and ask for that in its `when`")
		case int(s.RuleCount) > max(m.Limits.Rules, m.Limits.RulesPerCreature*len(s.Entities)):
			m.fail(m.currentInstr(), "more than %d rules in one command: %s", s.RuleCount-1, m.callChain())
		}
	}
	s.Frames = append(s.Frames, f)
	top := &s.Frames[len(s.Frames)-1]
	top.QueueLen, top.PaidLen = int32(len(s.Queue)), int32(len(s.Paid))
	return top
}

// frameWithoutRegs completes a frame that needs no registers of its own: the windows of what it begins start at the end
// of those in use.
func (m *Machine) frameWithoutRegs(f Frame) Frame {
	f.Base, f.Top, f.Ret = int32(m.s.top()), int32(m.s.top()), -1
	f.Event = m.causeEvent()
	return f
}

// enterWindow clears a window above all frames for a chunk, and returns where it begins.
func (m *Machine) enterWindow(ch *program.Chunk, initialValues []program.InitialValue) (base int, regs []int64) {
	base = m.s.top()
	m.s.reserve(base + int(ch.Regs))
	regs = m.s.Regs[base : base+int(ch.Regs)]
	clear(regs)
	for _, z := range initialValues {
		regs[z.Reg] = z.Value
	}
	return base, regs
}

// pop removes the top frame.
func (m *Machine) pop() {
	s := m.s
	f := &s.Frames[len(s.Frames)-1]
	s.Queue, s.Paid = s.Queue[:f.QueueLen], s.Paid[:f.PaidLen]
	if f.Code == ruleCode && f.Kind == codeFrame {
		s.RuleDepth--
	}
	s.Frames = s.Frames[:len(s.Frames)-1]
}

// unwind pops all frames above frame i.
func (m *Machine) unwind(i int) {
	for len(m.s.Frames) > i+1 {
		m.pop()
	}
}

// callChain names the running code, outermost first.
func (m *Machine) callChain() string {
	var names []string
	for i := range m.s.Frames {
		if f := &m.s.Frames[i]; f.Kind == codeFrame && f.Code != scriptCode {
			names = append(names, m.nameOf(f))
		}
	}
	if len(names) == 0 {
		return "the script"
	}
	return FormatChain(names)
}

// FormatChain formats a chain of calls, outermost first; of a long one only the ends.
func FormatChain(names []string) string {
	const first, last = 4, 2
	if len(names) <= first+last+1 {
		return strings.Join(names, " > ")
	}
	return fmt.Sprintf("%s > ... > %s (%d in all)", strings.Join(names[:first], " > "), strings.Join(names[len(names)-last:], " > "), len(names))
}

// callTrail returns the current position in each running procedure, rule and plan, outermost first.
func (m *Machine) callTrail() []Call {
	var calls []Call
	for i := range m.s.Frames {
		f := &m.s.Frames[i]
		if f.Kind != codeFrame || f.Code == scriptCode || slices.ContainsFunc(m.p.Chunks, func(c program.Chunk) bool { return c.Start == f.PC }) {
			continue // it has not begun
		}
		at, packedCall := f.PC-1, int64(0)
		in := &m.p.Code[f.PC]
		if in.Op == program.OpHookDo {
			if packedCall = m.s.Regs[int(f.Base)+int(in.A)+program.HookWaitsAt]; packedCall != 0 {
				at = f.PC // the function will be restarted
			}
		}
		pos := m.pos(at)
		if int(pos.File) < len(m.p.Files) && pos.Span.Start.Line > 0 {
			calls = append(calls, Call{File: m.p.Files[pos.File], Span: pos.Span, Name: m.nameOf(f)})
		}
		if where, ok := m.unpackCall(packedCall); ok && packedCall != 0 {
			name, _, _ := strings.Cut(m.p.Hooks[m.p.Sites[in.D].Hook].Name, " ") // a registered function is followed by its file
			calls = append(calls, Call{File: m.p.Files[where.File], Span: where.Span, Name: name})
		}
	}
	return calls
}

func (m *Machine) nameOf(f *Frame) string {
	switch f.Code {
	case procedureCode:
		return m.p.Procs[f.ID].Name
	case ruleCode:
		return m.p.Rules[f.ID].Name
	case planCode:
		return m.p.Plans[f.ID].Name
	}
	return "script"
}

// ownerFrame is the frame of the procedure that a section belongs to; for a code frame, the frame itself.
func (m *Machine) ownerFrame(i int) int {
	if i >= 0 && m.s.Frames[i].Kind == insteadFrame {
		return int(m.s.Frames[i].Parent)
	}
	return i
}

// cancelTarget is where the code of a frame continues when it is canceled.
func (m *Machine) cancelTarget(f *Frame) int32 {
	switch f.Code {
	case procedureCode:
		return m.p.Procs[f.ID].CancelPC
	case ruleCode:
		return m.p.Rules[f.ID].CancelPC
	case planCode:
		return m.p.Plans[f.ID].CancelPC
	}
	return m.p.Chunks[f.ID].End - 1
}

// cancelFrame cancels the code of a frame; its `after` rules still run. Code that has already ended is left alone.
func (m *Machine) cancelFrame(i int) bool {
	i = m.ownerFrame(i)
	f := &m.s.Frames[i]
	to := m.cancelTarget(f)
	if f.Kind != codeFrame || f.is(flagCanceled) || f.PC > to {
		return false
	}
	m.unwind(i)
	f.PC = to
	f.Flags |= flagCanceled
	if i > 0 && m.s.Frames[i-1].Kind == moveFrame { // the announcement of a step may forbid it
		m.s.Frames[i-1].Flags |= flagCanceled
	}
	return true
}

// stop ends the running procedure or rule.
func (m *Machine) stop() {
	s := m.s
	i := m.ownerFrame(len(s.Frames) - 1)
	m.unwind(i)
	s.Frames[i].PC = m.cancelTarget(&s.Frames[i])
}

// actionFrame is the frame of the action that is running or interrupted, -1 if there is none.
func (m *Machine) actionFrame() int {
	for i := len(m.s.Frames) - 1; i >= 0; i-- {
		if f := &m.s.Frames[i]; f.Kind == codeFrame && f.Code == procedureCode && m.p.Procs[f.ID].Action {
			return i
		}
	}
	return -1
}

// callMode is how a procedure was started.
type callMode uint8

const (
	asPart callMode = iota // as part of other code: nothing is paid
	asCommand
	asAllowed // a command known to be legal
)

// call begins a procedure. Its arguments are in the registers from args on: the actor, then the parameters. ret is the
// register that receives its record, or -1. If the procedure is refused, call returns the refusal and pushes no frame.
func (m *Machine) call(proc int32, args int, ret int32, wantsRecord bool, mode callMode) (refusal int64) {
	s := m.s
	p := &m.p.Procs[proc]
	if p.Ways != nil {
		proc = m.ownProcedure(p, proc, s.Regs[args:])
		p = &m.p.Procs[proc]
	}
	n := 1 + len(p.Params)
	ch := &m.p.Chunks[p.Chunk]
	base := s.top()
	top := base + int(ch.Regs)
	s.reserve(top)
	regs := s.Regs[base:top]
	absent := uint64(0)    // parameters that take their defaults
	fillStart := int32(-1) // where the code of the non-constant ones begins
	regs[0] = s.Regs[args]
	for i, v := range s.Regs[args+1 : args+n] { // faster than copy, for so few
		if v == program.Absent {
			absent |= 1 << uint(i&63)
			if v = p.Defaults[i].Value; v == program.Absent && fillStart < 0 {
				fillStart = p.Defaults[i].Start
			}
		}
		regs[1+i] = v
	}
	clear(regs[n:])
	for _, z := range p.InitialValues {
		regs[z.Reg] = z.Value
	}
	if who := regs[0]; who != program.None && !m.isEntity(who) {
		m.fail(m.currentInstr(), "%s needs a creature to do it", p.Name)
		return -1
	}
	if p.Action && regs[0] == program.None {
		m.fail(m.currentInstr(), "nobody does %s", p.Name)
		return -1
	}
	if fillStart >= 0 {
		m.fillDefaults(p, fillStart, base)
	}
	if m.err != nil {
		return -1
	}
	if p.Action && p.Legal != program.NoChunk && mode != asAllowed {
		if refusal = m.checkLegal(p, base, top, mode == asCommand); refusal >= 0 || m.err != nil {
			return refusal
		}
	}
	s.Budget -= int64(ch.End - ch.Start)
	event := m.causeEvent()
	if m.Journal != nil {
		event = m.recordBegin(proc, base, absent)
	}
	// Fill in the frame in place: a wide copy of what was just written in parts stalls the processor.
	f := m.push(Frame{})
	if m.err != nil {
		return -1
	}
	f.Kind, f.Code, f.ID, f.PC = codeFrame, procedureCode, proc, ch.Start
	f.Base, f.Top, f.Ret, f.Event = int32(base), int32(top), ret, event
	f.Outer, f.Interrupted = -1, -1
	if wantsRecord {
		f.Flags |= flagRecord
	}
	if mode != asPart {
		f.Flags |= flagCommand
	}
	return -1
}

// fillDefaults computes the defaults of the parameters of a procedure whose window is at base, for those whose code
// begins at start or later.
func (m *Machine) fillDefaults(p *program.Proc, start int32, base int) {
	ch := &m.p.Chunks[p.DefaultsChunk]
	top := base + int(ch.Regs)
	m.s.reserve(top)
	m.s.Budget -= int64(ch.End - start)
	m.depth++ // stats read here are not worth reporting, and their explanation would use the registers of this window
	m.exec(start, base, top, -1)
	m.depth--
}

// ownProcedure returns the procedure that runs instead of one of a kind: that of the template of the thing it is about.
// A thing that was made in play has no procedure of its own.
func (m *Machine) ownProcedure(p *program.Proc, proc int32, args []int64) int32 {
	thing := args[1]
	if p.SelectedByActor {
		thing = args[0]
	}
	if t := m.templateOf(thing); t >= 0 && t < int64(len(p.Ways)) {
		return p.Ways[t]
	}
	return proc
}

// checkLegal checks whether an action may be done with the actor and parameters at base; it returns -1 or the index of
// a refusal.
func (m *Machine) checkLegal(p *program.Proc, base, top int, command bool) int64 {
	s := m.s
	s.reserve(top + len(p.Params) + 2)
	n := 1 + len(p.Params)
	copy(s.Regs[top:top+n], s.Regs[base:base+n])
	s.Regs[top+n] = int64(bit(command))
	return m.evalAt(p.Legal, top, -1)
}

// endCode finishes the code frame on top.
func (m *Machine) endCode() {
	s := m.s
	f := &s.Frames[len(s.Frames)-1]
	ret, value := f.Ret, program.None
	switch f.Code {
	case procedureCode:
		if f.is(flagRecord) {
			value = m.makeRecord(f.ID, int(f.Base))
		}
		if m.Journal != nil {
			m.recordEnd(f)
		}
	case scriptCode:
		m.saveVars(f)
	}
	m.pop()
	if ret >= 0 {
		s.Regs[ret] = value
	}
}

// makeRecord makes the record of a procedure from its registers.
func (m *Machine) makeRecord(proc int32, base int) int64 {
	p := &m.p.Procs[proc]
	at, values := m.alloc(program.ProcObject, proc, len(p.Record))
	if m.err != nil {
		return program.None
	}
	for i, r := range p.Record {
		values[i] = m.s.Regs[base+int(r.Reg)]
	}
	return at
}

// payCost pays the first cost that can be paid.
func (m *Machine) payCost() {
	s := m.s
	i := len(s.Frames) - 1
	f := &s.Frames[i]
	var costs []program.Cost
	outer := f.Outer
	if f.Code == procedureCode {
		if !f.is(flagCommand) {
			return
		}
		costs = m.p.Procs[f.ID].Costs
	} else {
		costs = m.p.Rules[f.ID].Costs
	}
	for k := range costs {
		x := &costs[k]
		argCount := int(f.Top - f.Base)
		if x.Guard != program.NoChunk && m.evalWith(x.Guard, int(f.Base), argCount, outer) == 0 {
			continue
		}
		if m.err != nil {
			return
		}
		first := len(s.Paid)
		ok := true
		for _, part := range x.Parts {
			amount := part.Count
			if part.Amount != program.NoChunk {
				amount = m.evalWith(part.Amount, int(f.Base), argCount, outer)
			}
			if m.err != nil {
				return
			}
			if m.availableAmount(s.Regs[f.Base], part.Resource) < amount {
				ok = false
				break
			}
			s.Paid = append(s.Paid, Payment{Frame: int32(i), Resource: part.Resource, Amount: amount})
		}
		if !ok || m.err != nil {
			s.Paid = s.Paid[:first]
			continue
		}
		m.paying = true
		for _, paid := range s.Paid[first:] {
			m.loseAmount(s.Regs[f.Base], paid.Resource, paid.Amount)
		}
		m.paying = false
		return
	}
}
