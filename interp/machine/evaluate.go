package machine

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file evaluates chunks for other parts of the machine, and has helpers of the dispatch loop.

// evalAt evaluates a pure chunk in place; its arguments are at base. It is the most frequently called function, so it
// avoids another call.
func (m *Machine) evalAt(chunk int32, base int, outer int32) int64 {
	s, ch := m.s, &m.p.Chunks[chunk]
	top := base + int(ch.Regs)
	s.reserve(top)
	m.depth++
	s.Budget -= int64(ch.End - ch.Start)
	if m.depth > m.Limits.Depth || s.Budget < 0 {
		m.failTooDeep(ch.Name, ch.Start)
		return 0
	}
	pc, v := m.execFast(int(ch.Start), (*[windowSize]int64)(s.Regs[base:base+windowSize]), outer)
	if pc >= 0 {
		v = m.execSlow(pc, base, top, outer)
	}
	m.depth--
	return v
}

// evalWith evaluates a pure chunk above all frames; its arguments are copied from those at from.
func (m *Machine) evalWith(chunk int32, from, argCount int, outer int32) int64 {
	ch := &m.p.Chunks[chunk]
	base := m.s.top()
	m.s.reserve(base + int(ch.Regs))
	n := min(int(ch.Params), argCount)
	copy(m.s.Regs[base:base+n], m.s.Regs[from:from+n])
	return m.evalChunk(ch, base, outer, ch.Start)
}

// eval1 to eval3 evaluate a pure chunk with one to three arguments, which they put at base.
func (m *Machine) eval1(chunk int32, base int, a int64) int64 {
	m.s.reserve(base)
	m.s.Regs[base] = a
	return m.evalAt(chunk, base, -1)
}

func (m *Machine) eval2(chunk int32, base int, a, b int64) int64 {
	m.s.reserve(base)
	m.s.Regs[base], m.s.Regs[base+1] = a, b
	return m.evalAt(chunk, base, -1)
}

func (m *Machine) eval3(chunk int32, base int, a, b, c int64, outer int32) int64 {
	m.s.reserve(base)
	m.s.Regs[base], m.s.Regs[base+1], m.s.Regs[base+2] = a, b, c
	return m.evalAt(chunk, base, outer)
}

func (m *Machine) failOverflow(at int32) {
	m.fail(at, "a number too large: numbers are from %d to %d", int64(exact.Min), int64(exact.Max))
}

// recordField of a record.
func (m *Machine) recordField(thing int64, i int32) (int64, bool) {
	if thing < program.RecordTag {
		return 0, false
	}
	object := m.object(thing &^ program.RecordTag)
	if int(i)+1 >= len(object) {
		return 0, false
	}
	return object[i+1], true
}

// registerOf finds a variable of a running procedure, given the number of its frame.
func (m *Machine) registerOf(frame int64, reg int32) int32 {
	if frame < 0 || frame >= int64(len(m.s.Frames)) {
		return -1
	}
	return m.s.Frames[frame].Base + reg
}

// isEntity says whether a value is a creature of this fight.
func (m *Machine) isEntity(v int64) bool { return uint64(v) < uint64(len(m.s.Entities)) }

// checkCreature is isEntity for an instruction that fails otherwise.
func (m *Machine) checkCreature(v int64, at int32) bool {
	if m.isEntity(v) {
		return true
	}
	m.fail(at, "%s is not a creature of this fight", m.FormatThing(v))
	return false
}

// execCall calls a procedure from code.
func (m *Machine) execCall(in *program.Instr, base int, at int32) {
	ret := int32(-1)
	if in.A != program.NoReg {
		ret = int32(base) + int32(in.A)
		m.s.Regs[ret] = program.None
	}
	caller := len(m.s.Frames) - 1
	mode := asPart
	if in.C == 1 {
		mode = asCommand
	}
	refusal := m.call(in.D, base+int(in.B), ret, ret >= 0, mode)
	if refusal < 0 || m.err != nil {
		return
	}
	// A refusal inside a rule or a step skips the call; in a script it is reported to its author.
	if m.Journal != nil {
		m.recordRefusal(in.D, m.s.Regs[base+int(in.B)], refusal)
	}
	if m.s.Frames[caller].Code == scriptCode && m.s.Frames[caller].Kind == codeFrame {
		m.refuse(in.D, refusal)
	}
}

// refuse ends the command with a refusal.
func (m *Machine) refuse(proc int32, refusal int64) {
	m.result = Result{Status: Refused}
	m.result.Part, m.result.Why = m.refusalReason(proc, refusal)
	m.phase = halted
}

// refusalReason returns what refuses an action, and why; if the action is forbidden, the clause that forbids it.
func (m *Machine) refusalReason(proc int32, refusal int64) (part int32, why string) {
	x := &m.p.Refusals[refusal]
	part, why = x.Part, x.Why
	switch {
	case x.Forbidden && m.lastCannot != nil:
		part, why = m.lastCannot.Part, m.lastCannot.Why
	case part < 0:
		part = m.p.Procs[proc].Part
	}
	return part, why
}

// runFrames runs what is on the stack until the stack is empty, or something asks or fails.
func (m *Machine) runFrames() {
	s := m.s
	for len(s.Frames) > 0 && m.phase == running && m.err == nil {
		f := &s.Frames[len(s.Frames)-1]
		if s.Budget < 0 {
			m.fail(f.PC, "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
			return
		}
		switch f.Kind {
		case codeFrame, insteadFrame:
			m.exec(f.PC, int(f.Base), int(f.Top), f.Outer)
		case pointFrame:
			m.stepPoint()
		case effectFrame:
			m.stepEffects()
		case passFrame:
			m.stepPass()
		case turnFrame:
			m.stepTurn()
		case moveFrame:
			m.stepMove()
		}
	}
}

// pos is the source position of an instruction.
func (m *Machine) pos(at int32) ir.Pos { return m.p.Pos.Of(at) }

// failTooDeep fails if stats and defines are nested too deeply, or have used up the steps.
func (m *Machine) failTooDeep(name string, at int32) {
	if m.depth > m.Limits.Depth {
		m.fail(at, "stats and defines nested more than %d deep, the last %s", m.Limits.Depth, name)
	} else {
		m.fail(at, "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
	}
	m.depth--
}
