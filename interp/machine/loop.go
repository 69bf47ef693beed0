package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
)

// This file is the dispatch loop. The same loop runs pure code, which returns its value, and acting code, which may
// begin frames, roll dice and ask.
//
// The registers of a frame are a window of 256, which the eight-bit operands of an instruction cannot leave. So the Go
// compiler eliminates the bounds checks of registers; only the position of the window is checked, once. Anything that
// runs other code may reallocate the registers, so the window is taken again after it.
//
// An instruction is executed in one of three places. What is common and short, and calls nothing, is in
// execFast (fast.go). What calls, fails or is rare is in execSlow, in this file, including the uncommon half of the
// instructions of execFast. What changes the state is in execActing.

// exec runs code from pc on. Pure code ends at its Return with a value. Acting code ends when another frame is on top,
// when it asks, or when it fails; its frame then holds the pc to continue at.
func (m *Machine) exec(start int32, base, top int, outer int32) int64 {
	at, v := m.execFast(int(start), (*[windowSize]int64)(m.s.Regs[base:base+windowSize]), outer)
	if at < 0 {
		return v
	}
	return m.execSlow(at, base, top, outer)
}

// execSlow is exec, starting at an instruction that execFast does not handle.
func (m *Machine) execSlow(pc, base, top int, outer int32) int64 {
	s, p := m.s, m.p
	code := m.code
	r := (*[windowSize]int64)(s.Regs[base : base+windowSize])
	for v := int64(0); ; pc, v = m.execFast(pc, r, outer) {
		if pc < 0 {
			return v
		}
		in := &code[pc]
		pc++
	dispatch:
		switch in.Op {
		case program.OpReport: // for the program's own instruction
			pc--
			if v, ended := m.report(pc, base, top, outer); ended {
				return v
			}
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			code[pc] = p.Code[pc]
			next, v := m.execFast(pc, r, outer)
			code[pc] = reporting
			if next < 0 {
				return v
			}
			if next != pc {
				pc = next
				continue
			}
			in = &p.Code[pc]
			pc++
			goto dispatch
		case program.OpClear:
			clear(r[in.A : int(in.A)+int(in.C)])
		case program.OpOuter:
			m.fail(int32(pc)-1, "this code does not interrupt anything")
			return m.failedAt(pc, base)
		case program.OpSetOuter:
			if outer < 0 {
				m.fail(int32(pc)-1, "this code does not interrupt anything")
				return m.failedAt(pc, base)
			}
			if m.Journal != nil {
				m.recordPartSet(&s.Frames[len(s.Frames)-1], in.D, r[in.A])
			}
			s.Regs[outer+in.D] = r[in.A]
		case program.OpWithin, program.OpSetWithin:
			at := m.registerOf(r[program.RuleParams-1], in.D)
			if at < 0 {
				m.fail(int32(pc)-1, "the procedure of this rule has already ended")
				return m.failedAt(pc, base)
			}
			if in.Op == program.OpWithin {
				r[in.A] = s.Regs[at]
			} else {
				s.Regs[at] = r[in.A]
			}
		case program.OpGetField, program.OpFieldOr:
			v, ok := m.recordField(r[in.B], in.D)
			if !ok {
				m.fail(int32(pc)-1, "%s has no such field", m.FormatThing(r[in.B]))
				return m.failedAt(pc, base)
			}
			if in.Op == program.OpFieldOr && v == program.None {
				v = int64(int8(in.C))
			}
			r[in.A] = v
		case program.OpGetSlot:
			m.fail(int32(pc)-1, "%s is not a creature of this fight", m.FormatThing(r[in.B]))
			return m.failedAt(pc, base)
		case program.OpGetStat:
			v := m.stat(in.D, base+int(in.B), top, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpStatOf:
			args := (*[windowSize]int64)(s.Regs[top : top+windowSize])
			args[0], args[1], args[2], args[3] = r[in.B], r[in.C], r[uint8(in.D>>16)], r[uint8(in.D>>24)]
			v := m.stat(in.D&0xffff, top, top+4, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpApply:
			v := m.apply(in.D, r[in.B:int(in.B)+int(in.C)], top, outer, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpApply2:
			args := s.Regs[top : top+2]
			args[0], args[1] = r[in.B], r[in.C]
			v := m.apply(in.D, args, top, outer, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpApply3:
			args := s.Regs[top : top+3]
			args[0], args[1], args[2] = r[in.B], r[in.C], r[uint8(in.D>>16)]
			v := m.apply(in.D&0xffff, args, top, outer, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpLookup:
			v := m.lookup(in.D, r[in.B], r[in.C], top, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpHasAny:
			r[in.A] = int64(bit(m.has(r[in.B], in.D, r[in.B:int(in.B)+1+int(in.C)])))
		case program.OpMemory:
			x := m.firstInstance(r[in.B], in.D)
			if r[in.A] = program.None; x != nil {
				r[in.A] = x.Vals[in.C&7]
			}
		case program.OpOwnValue:
			x := m.instance(int32(r[in.B]))
			if x == nil {
				m.fail(int32(pc)-1, "the effect that owns this memory has ended")
				return m.failedAt(pc, base)
			}
			r[in.A] = x.Vals[in.C&7]
		case program.OpGlobal:
			r[in.A] = s.Globals[in.D]
		case program.OpCan:
			n := 0
			if in.C > 0 {
				n = int(in.C) - 1
			}
			v := m.can(in.D, base+int(in.B), n, top)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = int64(bit(v))
		case program.OpProperty:
			of := program.None
			if in.B != program.NoReg {
				of = r[in.B]
			}
			v := m.property(in.D, of, in.B == program.NoReg, top)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpSpent:
			r[in.A] = m.amountPaid(in.D)
		case program.OpAction:
			r[in.A] = program.None
			if i := m.actionFrame(); i >= 0 {
				r[in.A] = int64(s.Frames[i].ID)
			}
		case program.OpList:
			r[in.A] = m.makeObject(program.ListObject, in.D, r[in.B:int(in.B)+int(in.C)])
		case program.OpRecord:
			r[in.A] = program.RecordTag | m.makeObject(program.RecordObject, in.D, r[in.B:int(in.B)+int(in.C)])
		case program.OpMakePlan:
			r[in.A] = m.makeObject(program.PlanObject, in.D, r[in.B:int(in.B)+int(in.C)])
		case program.OpCapture:
			r[in.A] = m.makeObject(program.CaptureObject, in.D, r[in.B:int(in.B)+int(in.C)])
		case program.OpPart:
			object := m.object(r[in.B])
			switch {
			case r[in.B] == program.None || len(object) <= 1+int(in.C):
				r[in.A] = 0
				if in.D == 1 {
					r[in.A] = program.None
				}
			default:
				r[in.A] = object[1+int(in.C)]
			}
		case program.OpAdd, program.OpSub, program.OpAddInt:
			m.failOverflow(int32(pc) - 1)
			return m.failedAt(pc, base)
		case program.OpMul:
			v, ok := exact.Mul(r[in.B], r[in.C])
			if !ok {
				m.failOverflow(int32(pc) - 1)
				return m.failedAt(pc, base)
			}
			r[in.A] = v
		case program.OpDiv:
			v, ok := exact.FloorDiv(r[in.B], r[in.C])
			if !ok {
				if r[in.C] == 0 {
					m.fail(int32(pc)-1, "division by zero")
				} else {
					m.failOverflow(int32(pc) - 1)
				}
				return m.failedAt(pc, base)
			}
			r[in.A] = v
		case program.OpNeg:
			v, ok := exact.Sub(0, r[in.B])
			if !ok {
				m.failOverflow(int32(pc) - 1)
				return m.failedAt(pc, base)
			}
			r[in.A] = v
		case program.OpEnumAdd:
			sum, ok := exact.Add(r[in.B], r[in.C])
			if !ok {
				m.failOverflow(int32(pc) - 1)
				return m.failedAt(pc, base)
			}
			r[in.A] = min(max(sum, 0), int64(in.D))
		case program.OpDiceAdd, program.OpDiceMul:
			v, ok := changeDice(in.Op, r[in.B], r[in.C])
			if !ok {
				m.fail(int32(pc)-1, "too many dice, or too much added to them")
				return m.failedAt(pc, base)
			}
			r[in.A] = v
		case program.OpConcat:
			r[in.A] = m.concat(r[in.B], r[in.C])
		case program.OpListDiff:
			r[in.A] = m.listDifference(r[in.B], r[in.C])
		case program.OpIn:
			r[in.A] = int64(bit(m.contains(r[in.C], r[in.B])))
		case program.OpListEq:
			r[in.A] = int64(bit(m.equalLists(r[in.B], r[in.C])))
		case program.OpIndex:
			list := m.list(r[in.B])
			i := r[in.C]
			if i < 1 || i > int64(len(list)) {
				m.fail(int32(pc)-1, "the list has %d elements, so there is no element %d", len(list), i)
				return m.failedAt(pc, base)
			}
			r[in.A] = list[i-1]
		case program.OpLength:
			r[in.A] = 0 // not a list
		case program.OpNewList:
			r[in.A] = m.newList(in.D, r[in.B])
		case program.OpPush:
			m.pushElement(r[in.A], r[in.B])
		case program.OpSort:
			m.sortList(r[in.A], r[in.B], in.D == 1)
		case program.OpBuiltin:
			if in.D == program.FnMapped {
				r[in.A] = int64(bit(m.Ground != nil))
				continue
			}
			v := m.builtin(in.D, r[in.B:int(in.B)+int(in.C)], int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r[in.A] = v
		case program.OpNative:
			if f := m.fastNatives[in.D]; f != nil {
				if v, known := f(m, r[in.B], r[in.B+1]); known {
					s.Budget -= nativeSteps
					r[in.A] = v
					continue
				}
			}
			v := m.native(in.D, base+int(in.B), int(in.C), top, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpHook:
			v := m.callHook(in.D, base+int(in.B), int(in.C), top, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpNative2:
			if f := m.fastNatives[in.D]; f != nil {
				if v, known := f(m, r[in.B], r[in.C]); known {
					s.Budget -= nativeSteps
					r[in.A] = v
					continue
				}
			}
			args := (*[windowSize]int64)(s.Regs[top : top+windowSize])
			args[0], args[1] = r[in.B], r[in.C]
			v := m.native(in.D, top, 2, top+2, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			r[in.A] = v
		case program.OpTerm:
			if v := r[in.A]; isPresent(v) {
				m.enterTerm(in.D, int(in.B), v, int32(pc)-1)
				if m.err != nil {
					return 0
				}
			}
		case program.OpCover:
			if in.A != 0 {
				m.Considered.Add(in.D)
			} else {
				m.Covered.Add(in.D)
			}
		case program.OpFail:
			m.fail(int32(pc)-1, "%s", p.Texts[in.D])
			return m.failedAt(pc, base)

		case program.OpJumpField, program.OpJumpNoField, program.OpJumpIs, program.OpJumpIsNot, program.OpJumpFieldNone, program.OpJumpFieldSome:
			i := int32(constOperand(in))
			if in.Op == program.OpJumpIs || in.Op == program.OpJumpIsNot {
				i = int32(in.B)
			}
			v, ok := m.recordField(r[in.A], i)
			if !ok {
				m.fail(int32(pc)-1, "%s has no such field", m.FormatThing(r[in.A]))
				return m.failedAt(pc, base)
			}
			if takesFieldJump(in, v) {
				pc = int(in.D)
			}
		case program.OpJumpPart, program.OpJumpNoPart:
			v := int64(0)
			if object := m.object(r[in.A]); r[in.A] != program.None && len(object) > 1+int(in.C) {
				v = object[1+int(in.C)]
			}
			if (v != 0) == (in.Op == program.OpJumpPart) {
				pc = int(in.D)
			}
		case program.OpJumpAwaited:
			if !m.isQuiet(int32(constOperand(in))) {
				pc = int(in.D)
			}
		case program.OpEach: // not a list
			r[in.A], r[in.A+1] = 0, 0
			pc = int(in.D)
		case program.OpFrom: // an empty range; execFast handles the others
			m.rangeLength(r[in.A+1], r[in.A], int32(pc)-1)
			return 0
		case program.OpNext, program.OpLoop, program.OpTo:
			if s.Budget < 0 {
				m.fail(int32(pc)-1, "more than %d steps in one command: %s", m.maxSteps(), m.callChain())
			} else {
				m.fail(int32(pc)-1, "the list was shortened during the loop")
			}
			return m.failedAt(pc, base)

		case program.OpCheck:
			if m.AskDice || m.Journal != nil {
				continue
			}
			c := (*[program.CheckBlock]int64)(r[in.A:])
			if !m.quickCheck(in.D, c) {
				continue
			}
			m.judge(in.D, base+int(in.A), top, int32(pc)+1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
			pc += 2 // skip rolling and judging
			if made := &code[pc]; made.Op == program.OpMakeOutcome {
				r[made.A] = m.outcome((*[program.CheckBlock]int64)(r[in.A:]), made.D)
				pc++
			}
		case program.OpRollCheck:
			if m.AskDice || m.Journal != nil {
				s.Frames[len(s.Frames)-1].PC = int32(pc)
				if m.rollCheck(in.D, base+int(in.A)); m.phase != running {
					return 0
				}
				continue
			}
			if !m.quickCheck(in.D, (*[program.CheckBlock]int64)(r[in.A:])) {
				s.Frames[len(s.Frames)-1].PC = int32(pc)
				m.rollCheck(in.D, base+int(in.A))
			}
			if m.err != nil {
				return m.failedAt(pc, base)
			}
		case program.OpJudge:
			m.judge(in.D, base+int(in.A), top, int32(pc)-1)
			if m.err != nil {
				return m.failedAt(pc, base)
			}
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
		case program.OpMakeOutcome:
			r[in.A] = m.outcome((*[program.CheckBlock]int64)(r[in.B:]), in.D)
		case program.OpRoll:
			if v, ok := m.quickRoll(r[in.B], r[in.C], in.D); ok {
				r[in.A] = v
				continue
			}
			s.Frames[len(s.Frames)-1].PC = int32(pc)
			m.rollDice(r[in.B], r[in.C], in.D, base+int(in.A))
			if m.phase != running || m.err != nil {
				return 0
			}
		case program.OpEndInstead:
			if f := &s.Frames[len(s.Frames)-1]; f.Kind == insteadFrame && f.End == int32(pc)-1 {
				m.pop()
				return 0
			}
		case program.OpAt, program.OpInstead:
			if in.C == 0 && m.isQuiet(in.D) {
				if in.Op == program.OpInstead {
					pc++ // skip the jump past what might have been replaced
				}
				continue
			}
			fallthrough
		default:
			// Everything else changes the state, and may leave another frame on top.
			s.Frames[len(s.Frames)-1].PC = int32(pc)
			switch in.Op {
			case program.OpEnd:
				m.endCode()
			case program.OpCall:
				m.execCall(in, base, int32(pc)-1)
			case program.OpLoseAmount:
				m.execAmount(in, base, int32(pc)-1)
			default:
				m.execActing(in, base, top, int32(pc)-1)
			}
			if m.mustCheckWhiles || len(s.EffectChanges) > 0 {
				m.boundary()
			}
			if m.err != nil || m.phase != running || len(s.Frames) == 0 {
				return 0
			}
			f := &s.Frames[len(s.Frames)-1]
			if f.Kind > insteadFrame || s.Budget < 0 {
				return 0
			}
			pc, base, top, outer = int(f.PC), int(f.Base), int(f.Top), f.Outer
			r = (*[windowSize]int64)(s.Regs[base : base+windowSize])
		}
	}
}

// failedAt stores where code failed if it is that of the frame on top, so that the error shows the call stack.
func (m *Machine) failedAt(pc, base int) int64 {
	if f := m.topFrame(); f != nil && int(f.Base) == base && f.Kind <= insteadFrame {
		f.PC = int32(pc)
	}
	return 0
}

// takesFieldJump says whether a jump that tests a field is taken when the field is v.
func takesFieldJump(in *program.Instr, v int64) bool {
	switch in.Op {
	case program.OpJumpField:
		return v != 0
	case program.OpJumpNoField:
		return v == 0
	case program.OpJumpIs:
		return v == int64(int8(in.C))
	case program.OpJumpIsNot:
		return v != int64(int8(in.C))
	case program.OpJumpFieldNone:
		return v == program.None
	}
	return v != program.None
}

// constOperand is the constant operand of a comparison.
func constOperand(in *program.Instr) int64 { return int64(int16(uint16(in.B)<<8 | uint16(in.C))) }

// execActing executes an instruction of acting code.
func (m *Machine) execActing(in *program.Instr, base, top int, at int32) {
	s := m.s
	r := (*[windowSize]int64)(s.Regs[base : base+windowSize])
	switch in.Op {
	case program.OpSetField:
		m.setField(r[in.A], in.D, r[in.B], program.Shape(in.C), at)
	case program.OpSetPart:
		m.setPart(r[in.A], in.D, r[in.B], at)
	case program.OpSetResource:
		if m.checkCreature(r[in.A], at) {
			m.hush(at)
			m.setResource(r[in.A], in.D, r[in.B])
			m.quietly = false
		}
	case program.OpSetMemory:
		if x := m.firstInstance(r[in.A], in.D); x != nil {
			m.setValue(x.ID, int(in.C), r[in.B])
		} else {
			m.fail(at, "%s does not have %s", m.FormatThing(r[in.A]), m.p.Effects[in.D].Name)
		}
	case program.OpSetValue:
		if x := m.s.Effects.ByID(int32(r[in.A])); x != nil {
			m.setValue(x.ID, int(in.C), r[in.B])
		}
	case program.OpSetGlobal:
		m.SetGlobal(in.D, r[in.A])
	case program.OpGainAmount, program.OpLoseAll:
		m.execAmount(in, base, at)
	case program.OpGainEffect:
		m.hush(at)
		m.gainEffect(in.D, base+int(in.A), at)
		m.quietly = false
	case program.OpLoseEffect:
		if m.checkCreature(r[in.A], at) {
			m.hush(at)
			m.loseEffect(int32(r[in.A]), in.D, r[int(in.A)+1:int(in.A)+1+int(in.C)], at)
			m.quietly = false
		}
	case program.OpAllowed:
		v := m.allowed(in.D, base+int(in.B), top)
		s.Regs[base+int(in.A)] = int64(bit(v))
	case program.OpChoose:
		m.execChoose(in, base, r)
	case program.OpPickOne:
		m.execPick(in, base, r)
	case program.OpAskMaster:
		m.askQuestion(Question{Status: NeedChoice, ChoiceKind: RulingChoice, Label: in.D, Who: program.None, Reg: int32(base) + int32(in.A)})
	case program.OpMayDo:
		o := &m.p.Offers[in.D]
		q := Question{Status: NeedChoice, ChoiceKind: OfferChoice, Index: in.D, Label: o.Label, Who: r[in.B], Options: 3, Reg: int32(base) + int32(in.A)}
		if in.C != program.NoReg {
			q.Default = advice(r[in.C] != 0)
		}
		m.askQuestion(q)
	case program.OpUsedUp:
		m.settleRun(r[in.A] != 0, r[0])
	case program.OpPay:
		m.payCost()
	case program.OpAt:
		m.beginPoint(in.D, int32(base)+int32(in.A), r[in.B])
	case program.OpInstead:
		m.beginInstead(in.D, int32(base)+int32(in.A), r[in.B])
	case program.OpActsAt:
		m.execActsAt(in, r, at)
	case program.OpMove:
		m.execMove(in, r, at)
	case program.OpNote:
		if m.Journal != nil {
			m.recordNote(in.D, r[in.A:int(in.A)+int(in.C)])
		}
	case program.OpHookDo:
		m.runActingHook(in.D, base+int(in.A), at)
	case program.OpDoPlan:
		m.doPlan(r[in.A], at)
	case program.OpDefault:
		m.doDefault(at)
	case program.OpStop:
		m.stop()
	case program.OpCancel:
		m.cancel(m.p.Texts[in.D])
	default:
		m.fail(at, "an instruction that is not known: %s", in.Op)
	}
}

// boundary is the end of a statement: effects whose condition has become false end, and the rules of effects that were
// gained or lost run.
func (m *Machine) boundary() {
	if m.err != nil || m.phase != running {
		return
	}
	if m.mustCheckWhiles {
		m.endWhiles()
	}
	if len(m.s.EffectChanges) > 0 {
		m.push(m.frameWithoutRegs(Frame{Kind: effectFrame, Outer: -1, Interrupted: int32(len(m.s.Frames) - 1)}))
	}
}

// evalChunk evaluates a pure chunk whose arguments are at base.
func (m *Machine) evalChunk(ch *program.Chunk, base int, outer, at int32) int64 {
	m.depth++
	m.s.Budget -= int64(ch.End - ch.Start)
	if m.depth > m.Limits.Depth || m.s.Budget < 0 {
		m.failTooDeep(ch.Name, at)
		return 0
	}
	v := m.exec(ch.Start, base, base+int(ch.Regs), outer)
	m.depth--
	return v
}
