package machine

import "arbiter/interp/program"

// This file begins and ends commands from outside, one at a time.

// Do makes a creature do a procedure or an action as a command, which must be paid for. An argument that is
// program.Absent, or missing, takes its default.
func (m *Machine) Do(actor, proc int32, args []int64) (r Result) {
	return m.runTopLevel(actor, proc, args, asCommand)
}

// DoChosen does the command that Follow has just found, without checking again that it is legal.
func (m *Machine) DoChosen(actor, proc int32, args []int64) Result {
	return m.runTopLevel(actor, proc, args, asAllowed)
}

func (m *Machine) runTopLevel(actor, proc int32, args []int64, mode callMode) (r Result) {
	if m.Busy() {
		return m.misuse("another command is going on")
	}
	if proc < 0 || int(proc) >= len(m.p.Procs) || actor >= int32(len(m.s.Entities)) {
		return m.misuse("there is no such creature or command")
	}
	m.openCommand()
	defer m.finishCommand(&r)
	s := m.s
	if refusal := m.call(proc, m.putArgs(actor, proc, args, s.top()), -1, false, mode); refusal >= 0 && m.err == nil {
		if m.Journal != nil {
			m.recordRefusal(proc, int64(actor), refusal)
		}
		m.refuse(proc, refusal)
		return r
	}
	m.runFrames()
	return r
}

// putArgs puts the actor of a procedure and its arguments into the registers from at on, where its window may begin.
func (m *Machine) putArgs(actor, proc int32, args []int64, at int) int {
	p := &m.p.Procs[proc]
	m.s.reserve(at + len(p.Params) + 1)
	regs := m.s.Regs[at : at+len(p.Params)+1]
	regs[0] = int64(actor)
	if actor < 0 {
		regs[0] = program.None
	}
	for i := range p.Params {
		regs[1+i] = program.Absent
		if i < len(args) {
			regs[1+i] = args[i]
		}
	}
	return at
}

// command runs a top-level command that is not a procedure.
func (m *Machine) command(begin func()) (r Result) {
	if m.Busy() {
		return m.misuse("another command is going on")
	}
	m.openCommand()
	defer m.finishCommand(&r)
	begin()
	m.runFrames()
	return r
}

// RunScript runs a chunk of loose code; its registers from 1 on are the variables of the script.
func (m *Machine) RunScript(chunk int32, varShapes []program.Shape, initialValues []program.InitialValue) (r Result) {
	if m.Busy() {
		return m.misuse("another command is going on")
	}
	m.Relink()
	m.openCommand()
	defer m.finishCommand(&r)
	s := m.s
	ch := &m.p.Chunks[chunk]
	for len(s.Vars) < len(varShapes) {
		s.Vars, s.VarShapes = append(s.Vars, program.None), append(s.VarShapes, uint8(varShapes[len(s.Vars)]))
	}
	s.reserve(int(ch.Regs))
	clear(s.Regs[:ch.Regs])
	s.Regs[0] = program.None
	copy(s.Regs[1:], s.Vars[:len(varShapes)])
	for _, z := range initialValues {
		s.Regs[z.Reg] = z.Value
	}
	m.push(Frame{Kind: codeFrame, Code: scriptCode, ID: chunk, PC: ch.Start, Top: ch.Regs, Ret: -1, Outer: -1, Interrupted: -1})
	m.runFrames()
	return r
}

// saveVars saves the variables of a script for its next piece.
func (m *Machine) saveVars(f *Frame) {
	n := min(len(m.s.Vars), int(m.p.Chunks[f.ID].Params)-1)
	copy(m.s.Vars[:n], m.s.Regs[f.Base+1:])
	m.keptWords = -1
}

// Busy says whether a command is waiting for an answer.
func (m *Machine) Busy() bool { return len(m.s.Frames) > 0 || m.s.Asking.Status != Done }

func (m *Machine) misuse(why string) Result {
	return Result{Status: Failed, Err: &Error{Message: why}}
}

// openCommand begins a top-level command.
func (m *Machine) openCommand() {
	s := m.s
	s.Budget, s.RuleCount, s.RuleDepth = m.maxSteps(), 0, 0
	m.phase, m.err, m.depth, m.hostBase = running, nil, 0, 0
	m.allowEvents()
	if m.Journal != nil {
		m.rolls.reset()
	}
	if m.result.Status != Done { // avoid clearing a large struct
		m.result = Result{}
	}
}

// finishCommand ends or suspends a top-level command.
func (m *Machine) finishCommand(r *Result) {
	var err error
	if x := recover(); x != nil {
		err = m.panicError(x)
	}
	if err != nil || m.err != nil {
		if m.err != nil {
			m.err.Calls = append(m.callTrail(), m.err.Calls...)
			err = m.err
		}
		*r = Result{Status: Failed, Err: err}
		m.abandon()
		m.phase, m.err = running, nil
		return
	}
	switch {
	case m.s.Asking.Status != Done:
		*r = m.questionResult()
	default:
		if m.result.Status != Done {
			*r = m.result
		}
		m.abandon()
		m.collectArena()
	}
	m.phase = running
}

// abandon clears what only a running command has.
func (m *Machine) abandon() {
	s := m.s
	s.Frames, s.Queue, s.Paid, s.EffectChanges, s.EndedEffects, s.Faces = s.Frames[:0], s.Queue[:0], s.Paid[:0], s.EffectChanges[:0], s.EndedEffects[:0], s.Faces[:0]
	s.RuleDepth = 0
	if m.watch != nil {
		m.watch.stack = m.watch.stack[:0]
	}
	if s.Roll.Active {
		s.Roll = Roll{}
	}
	if s.Asking.Status != Done {
		s.Asking = Question{}
	}
	m.entries, m.depth, m.evaluatingNodes = m.entries[:0], 0, false
	m.dirtyNodes.clear()
	m.allowEvents()
}

// Abort gives up the command that waits for an answer. What it has already done remains; restore a copy of the state to
// undo it.
func (m *Machine) Abort() {
	m.abandon()
	m.collectArena()
}
