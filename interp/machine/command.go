package machine

import "arbiter/interp/program"

// This file begins and ends commands from outside, one at a time.

// Do makes a creature do a procedure or an action as a command, which must be paid for. An argument that is
// program.Absent, or missing, takes its default.
func (m *Machine) Do(actor, proc int32, args []int64) (r Result) {
	return m.runTopLevel(actor, proc, args, asCommand)
}

// DoFollowed does the command that Follow has just found, without checking again that it is legal.
func (m *Machine) DoFollowed(actor, proc int32, args []int64) Result {
	return m.runTopLevel(actor, proc, args, asAllowed)
}

func (m *Machine) runTopLevel(actor, proc int32, args []int64, how callMode) (r Result) {
	if m.Busy() {
		return m.misuse("another command is going on")
	}
	if proc < 0 || int(proc) >= len(m.p.Procs) || actor >= int32(len(m.s.Entities)) {
		return m.misuse("there is no such creature or command")
	}
	m.openCommand()
	defer m.finishCommand(&r)
	s := m.s
	if refusal := m.call(proc, m.putArgs(actor, proc, args, s.top()), -1, false, how); refusal >= 0 && m.err == nil {
		if m.Journal != nil {
			m.recordRefusal(proc, int64(actor), refusal)
		}
		m.refuse(proc, refusal)
		return r
	}
	m.frames()
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
	m.frames()
	return r
}

// Run runs a chunk of loose code; its registers from 1 on are the variables of the script.
func (m *Machine) Run(chunk int32, kept []program.Shape, zeros []program.InitialValue) (r Result) {
	if m.Busy() {
		return m.misuse("another command is going on")
	}
	m.Relink()
	m.openCommand()
	defer m.finishCommand(&r)
	s := m.s
	ch := &m.p.Chunks[chunk]
	for len(s.Vars) < len(kept) {
		s.Vars, s.Shapes = append(s.Vars, program.None), append(s.Shapes, uint8(kept[len(s.Vars)]))
	}
	s.reserve(int(ch.Regs))
	clear(s.Regs[:ch.Regs])
	s.Regs[0] = program.None
	copy(s.Regs[1:], s.Vars[:len(kept)])
	for _, z := range zeros {
		s.Regs[z.Reg] = z.Value
	}
	m.push(Frame{Kind: codeFrame, Code: scriptCode, ID: chunk, PC: ch.Start, Top: ch.Regs, Ret: -1, Outer: -1, Within: -1})
	m.frames()
	return r
}

// keepVars saves the variables of a script for its next piece.
func (m *Machine) keepVars(f *Frame) {
	n := min(len(m.s.Vars), int(m.p.Chunks[f.ID].Params)-1)
	copy(m.s.Vars[:n], m.s.Regs[f.Base+1:])
	m.lasting = -1
}

// Busy says whether a command is waiting for an answer.
func (m *Machine) Busy() bool { return len(m.s.Frames) > 0 || m.s.Asking.Kind != Done }

func (m *Machine) misuse(why string) Result {
	return Result{Status: Failed, Err: &Error{Message: why}}
}

// openCommand begins a top-level command.
func (m *Machine) openCommand() {
	s := m.s
	s.Budget, s.Fired, s.Nest = MaxSteps, 0, 0
	m.status, m.err, m.depth, m.hostBase = running, nil, 0, 0
	if m.result.Status != Done { // avoid clearing a large struct
		m.result = Result{}
	}
}

// finishCommand ends or suspends a top-level command.
func (m *Machine) finishCommand(r *Result) {
	var err error
	if x := recover(); x != nil {
		err = m.crashed(x)
	}
	if err != nil || m.err != nil {
		if m.err != nil {
			m.err.Calls = append(m.callTrail(), m.err.Calls...)
			err = m.err
		}
		*r = Result{Status: Failed, Err: err}
		m.abandon()
		m.status, m.err = running, nil
		return
	}
	switch {
	case m.s.Asking.Kind != Done:
		*r = m.question()
	default:
		if m.result.Status != Done {
			*r = m.result
		}
		m.abandon()
		m.collect()
	}
	m.status = running
}

// abandon clears what only a running command has.
func (m *Machine) abandon() {
	s := m.s
	s.Frames, s.Queue, s.Paid, s.EffectChanges, s.EndedEffects, s.Faces = s.Frames[:0], s.Queue[:0], s.Paid[:0], s.EffectChanges[:0], s.EndedEffects[:0], s.Faces[:0]
	s.Nest = 0
	if s.Roll.Active {
		s.Roll = Roll{}
	}
	if s.Asking.Kind != Done {
		s.Asking = Question{}
	}
	m.entries, m.dirty, m.depth, m.settling = m.entries[:0], m.dirty[:0], 0, false
}

// Abort gives up the command that waits for an answer. What it has already done remains; restore a copy of the state to
// undo it.
func (m *Machine) Abort() {
	m.abandon()
	m.collect()
}
