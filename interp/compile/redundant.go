package compile

import (
	"slices"

	"arbiter/interp/program"
)

// This file eliminates redundant tests and common subexpressions from a chunk: a test that has been decided on every
// path to it, a value that is already in its register or in another one. Conditions that a rule book states again and
// again (whether the weapon is a bow, whether there is a map) meet where defines are inlined, and are then tested once.
//
// It uses value numbering. Every register holds a value with a number; the same operation on the same values has the
// same number. A fact says that a value equals some constant, or does not. Along the code both stay valid until
// something acts: then anything may have changed, and everything is forgotten. Where two paths join, what both know
// remains. The analysis is repeated until loops no longer change it.
//
// Nothing is computed or tested earlier than before, so errors stay where they are: what is removed has already been
// evaluated without error, with the same values.

// number is the number of a value. Negative ones are values of which only the origin is known.
type number int32

// origin is how a value was computed: an operation and the numbers of its operands.
type origin struct {
	op   program.Op
	a, b number
	d    int32
}

// Origins that are not operations.
const (
	fromConst program.Op = 255 - iota // the constant d
	fromMore                          // a, and one more operand: value b, or the number d
)

// fact says that a value equals a constant, or that it does not.
type fact struct {
	of    number
	equal bool
	value int64
}

// knowledge is what is known before an instruction.
type knowledge struct {
	regs  []number
	facts []fact
}

// numberer computes the knowledge of a chunk, and then rewrites the chunk.
type numberer struct {
	f         *chunkBuilder
	numbers   map[origin]number
	constants map[int64]number
	values    map[number]int64 // of constants
	joins     []bool           // by instruction: whether jumps lead to it
	before    []*knowledge     // knowledge at the joins; nil: not reached yet
	pending   []int            // joins whose knowledge has changed
	rewriting bool
	rewrote   bool
}

// removeRedundant removes what is redundant, and says whether there was anything.
func (f *chunkBuilder) removeRedundant() bool {
	if !f.mayBeRedundant() {
		return false
	}
	k := f.c.numberer
	k.reset(f)
	for i := range f.code {
		if in := &f.code[i]; in.Op.Jumps() {
			k.joins[in.D] = true
		} else if in.Op == program.OpInstead {
			k.joins[i+2] = true
		}
	}
	k.joinAt(0, k.entryKnowledge(0))
	for _, place := range f.tracked {
		k.joins[*place] = true
		k.joinAt(int(*place), k.entryKnowledge(int(*place)))
	}
	for len(k.pending) > 0 {
		at := slices.Min(k.pending)
		k.pending = slices.DeleteFunc(k.pending, func(i int) bool { return i == at })
		k.walk(at, k.before[at].clone())
	}
	k.rewriting = true
	for at, x := range k.before {
		if x != nil {
			k.walk(at, x)
		}
	}
	return k.rewrote
}

// reset prepares for a chunk, reusing the buffers.
func (k *numberer) reset(f *chunkBuilder) {
	clear(k.numbers)
	clear(k.constants)
	clear(k.values)
	n := len(f.code) + 2
	k.f, k.rewriting, k.rewrote = f, false, false
	k.joins, k.before = slices.Grow(k.joins[:0], n)[:n], slices.Grow(k.before[:0], n)[:n]
	clear(k.joins)
	clear(k.before)
}

// mayBeRedundant says whether a chunk may have anything redundant: two tests, or two operations of one kind.
func (f *chunkBuilder) mayBeRedundant() bool {
	questions, seen := 0, [256]bool{}
	for i := range f.code {
		switch op := f.code[i].Op; {
		case op > program.OpJump && op < program.OpJumpAwaited:
			if questions++; questions > 1 {
				return true
			}
		case op < program.OpJump && seen[op]:
			return true
		default:
			seen[op] = true
		}
	}
	return false
}

func (x *knowledge) clone() *knowledge {
	return &knowledge{slices.Clone(x.regs), slices.Clone(x.facts)}
}

// entryKnowledge is the knowledge at an entry point of the code.
func (k *numberer) entryKnowledge(at int) *knowledge {
	x := &knowledge{regs: make([]number, k.f.peakRegs)}
	x.forget(at)
	return x
}

// forget drops everything, because an instruction may have changed it.
func (x *knowledge) forget(at int) {
	for r := range x.regs {
		x.regs[r] = opaqueNumber(r, at)
	}
	x.facts = x.facts[:0]
}

func (k *numberer) number(o origin) number {
	n, ok := k.numbers[o]
	if !ok {
		n = number(len(k.numbers))
		k.numbers[o] = n
	}
	return n
}

// opaqueNumber is the number of what an instruction leaves in a register, if it cannot be computed again. Where paths
// join on which a register has different numbers, its value gets the number of an instruction beyond the end of the
// code.
func opaqueNumber(r, at int) number { return -1 - number(at<<8|r) }

func (k *numberer) constant(v int64) number {
	n, ok := k.constants[v]
	if !ok {
		n = k.number(origin{op: fromConst, d: int32(len(k.constants))})
		k.constants[v], k.values[n] = n, v
	}
	return n
}

// resultNumber is the number of the result of an operation on registers.
func (k *numberer) resultNumber(x *knowledge, op program.Op, d int32, regs ...uint8) number {
	n := k.number(origin{op: op, d: d})
	for _, r := range regs {
		n = k.number(origin{op: fromMore, a: n, b: x.regs[r]})
	}
	return n
}

// joinAt joins the knowledge on a path with that at its target.
func (k *numberer) joinAt(at int, x *knowledge) {
	if k.rewriting {
		return
	}
	was := k.before[at]
	if was == nil {
		k.before[at] = x.clone()
		k.pending = append(k.pending, at)
		return
	}
	weakened := false
	for r, n := range was.regs {
		if n != x.regs[r] {
			if joined := opaqueNumber(r, at+len(k.f.code)); n != joined {
				was.regs[r], weakened = joined, true
			}
		}
	}
	n := len(was.facts)
	was.facts = slices.DeleteFunc(was.facts, func(f fact) bool {
		is, decided := k.decided(x, f.of, f.value)
		return !decided || is != f.equal
	})
	if (weakened || len(was.facts) < n) && !slices.Contains(k.pending, at) {
		k.pending = append(k.pending, at)
	}
}

// decided says whether it is known if a value equals a constant.
func (k *numberer) decided(x *knowledge, of number, value int64) (is, decided bool) {
	if v, ok := k.values[of]; ok {
		return v == value, true
	}
	for i := range x.facts {
		switch f := &x.facts[i]; {
		case f.of != of:
		case f.equal:
			return f.value == value, true
		case f.value == value:
			return false, true
		}
	}
	return false, false
}

// maxFacts limits the number of facts; later tests are not eliminated.
const maxFacts = 64

// learn adds a new fact.
func (x *knowledge) learn(of number, is bool, value int64) {
	if len(x.facts) < maxFacts {
		x.facts = append(x.facts, fact{of, is, value})
	}
}

// walk follows the code from one join to the next, and passes its knowledge on to all targets of jumps. When rewriting,
// it removes what is redundant on the way.
func (k *numberer) walk(at int, x *knowledge) {
	f := k.f
	for first := at; at < len(f.code); at++ {
		if at > first && k.joins[at] {
			k.joinAt(at, x)
			return
		}
		in := &f.code[at]
		k.readFirstCopy(x, in)
		if q, ok := k.testOf(x, in); ok {
			is, decided := k.decided(x, q.of, q.value)
			if !decided {
				n := len(x.facts)
				x.learn(q.of, q.when, q.value)
				k.followJump(in, x)
				x.facts = x.facts[:n]
				x.learn(q.of, !q.when, q.value)
				continue
			}
			to := at + 1
			if is == q.when {
				to = int(in.D)
			}
			k.replaceIfRewriting(in, program.Instr{Op: program.OpJump, D: int32(to)})
			if to != at+1 {
				k.joinAt(to, x)
				return
			}
			continue
		}
		if k.isRedundant(x, in) {
			k.replaceIfRewriting(in, program.Instr{Op: program.OpJump, D: int32(at + 1)})
			continue
		}
		k.apply(x, at)
		switch in.Op {
		case program.OpReturn, program.OpReturnInt, program.OpReturnConst, program.OpFail, program.OpEnd:
			return
		case program.OpInstead: // past the following jump
			k.joinAt(at+2, x)
		case program.OpJump:
			if at == 0 || f.code[at-1].Op != program.OpInstead {
				k.followJump(in, x)
			} else {
				k.joinAt(int(in.D), x)
			}
			return
		case program.OpNext, program.OpLoop, program.OpTo: // they keep their targets, by which steps are counted
			k.joinAt(int(in.D), x)
		default:
			if in.Op.Jumps() {
				k.followJump(in, x)
			}
		}
	}
}

// followJump passes the knowledge on to the target of a jump; when rewriting, it threads the jump past what is
// redundant there.
func (k *numberer) followJump(in *program.Instr, x *knowledge) {
	if !k.rewriting {
		k.joinAt(int(in.D), x)
		return
	}
	to := in.D
	for range k.f.code { // no path is longer, if it ends
		next := &k.f.code[to]
		if next.Op == program.OpJump {
			to = next.D
		} else if q, ok := k.testOf(x, next); ok {
			is, decided := k.decided(x, q.of, q.value)
			if !decided {
				break
			}
			if to++; is == q.when {
				to = next.D
			}
		} else if k.isRedundant(x, next) {
			to++
		} else {
			break
		}
	}
	k.rewrote = k.rewrote || to != in.D
	in.D = to
}

// readFirstCopy makes an instruction read a value from the register that held it first, so that copies become dead. It
// avoids the register that the instruction sets, which some clear before they read, and leaves blocks of registers
// alone.
func (k *numberer) readFirstCopy(x *knowledge, in *program.Instr) {
	is := shapes[in.Op]
	if !k.rewriting || is&setsA != 0 && is&readsA != 0 { // A is modified
		return
	}
	first := func(r *uint8) {
		if i := uint8(slices.Index(x.regs, x.regs[*r])); i != *r && (is&setsA == 0 || i != in.A) {
			*r, k.rewrote = i, true
		}
	}
	if is&readsA != 0 {
		first(&in.A)
	}
	if is&readsB != 0 {
		first(&in.B)
	}
	if is&readsC != 0 {
		first(&in.C)
	}
}

func (k *numberer) replaceIfRewriting(in *program.Instr, by program.Instr) {
	if k.rewriting {
		k.rewrote = k.rewrote || *in != by
		*in = by
	}
}

// jumpTest is the test of a jump: whether a value equals a constant. The jump is taken if the result is when.
type jumpTest struct {
	of    number
	value int64
	when  bool
}

func (k *numberer) testOf(x *knowledge, in *program.Instr) (q jumpTest, ok bool) {
	a, c := in.A, int64(int16(uint16(in.B)<<8|uint16(in.C)))
	truth := func(of number, when bool) (jumpTest, bool) { return jumpTest{of, 0, !when}, true }
	less := func(a, b number, when bool) (jumpTest, bool) {
		return truth(k.number(origin{op: program.OpLt, a: a, b: b}), when)
	}
	switch in.Op {
	case program.OpJumpIf, program.OpJumpNot:
		return truth(x.regs[a], in.Op == program.OpJumpIf)
	case program.OpJumpNone, program.OpJumpSome:
		return jumpTest{x.regs[a], program.None, in.Op == program.OpJumpNone}, true
	case program.OpJumpGiven:
		return jumpTest{x.regs[a], program.Absent, false}, true
	case program.OpJumpFixed:
		return jumpTest{x.regs[a], program.MasterDecides, false}, true
	case program.OpJumpEqC, program.OpJumpNeC:
		return jumpTest{x.regs[a], c, in.Op == program.OpJumpEqC}, true
	case program.OpJumpEq, program.OpJumpNe:
		return truth(k.equal(x.regs[a], x.regs[in.B]), in.Op == program.OpJumpEq)
	case program.OpJumpLt:
		return less(x.regs[a], x.regs[in.B], true)
	case program.OpJumpLe:
		return less(x.regs[in.B], x.regs[a], false)
	case program.OpJumpLtC, program.OpJumpGeC:
		return less(x.regs[a], k.constant(c), in.Op == program.OpJumpLtC)
	case program.OpJumpGtC, program.OpJumpLeC:
		return less(k.constant(c), x.regs[a], in.Op == program.OpJumpGtC)
	case program.OpJumpField, program.OpJumpNoField:
		return truth(k.resultNumber(x, program.OpGetField, int32(c), a), in.Op == program.OpJumpField)
	case program.OpJumpIs, program.OpJumpIsNot:
		return jumpTest{k.resultNumber(x, program.OpGetField, int32(in.B), a), int64(int8(in.C)), in.Op == program.OpJumpIs}, true
	case program.OpJumpFieldNone, program.OpJumpFieldSome:
		return jumpTest{k.resultNumber(x, program.OpGetField, int32(c), a), program.None, in.Op == program.OpJumpFieldNone}, true
	case program.OpJumpHas, program.OpJumpHasNo:
		return truth(k.resultNumber(x, program.OpHasAny, int32(c), a), in.Op == program.OpJumpHas)
	case program.OpJumpMapped, program.OpJumpNoMap:
		return truth(k.resultNumber(x, program.OpBuiltin, program.FnMapped), in.Op == program.OpJumpMapped)
	}
	return q, false
}

// equal is the number of the comparison of two values.
func (k *numberer) equal(a, b number) number {
	if a == b {
		return k.constant(1)
	}
	return k.number(origin{op: program.OpEq, a: min(a, b), b: max(a, b)})
}

// value is the number of what an instruction leaves in A, if that depends only on the values of its registers and on
// the state.
func (k *numberer) value(x *knowledge, in *program.Instr) (n number, ok bool) {
	op, d := in.Op, in.D
	switch op {
	case program.OpInt:
		return k.constant(int64(d)), true
	case program.OpLoadNone:
		return k.constant(program.None), true
	case program.OpConst:
		return k.constant(k.f.c.p.Consts[d]), true
	case program.OpCopy:
		return x.regs[in.B], true
	case program.OpEq:
		return k.equal(x.regs[in.B], x.regs[in.C]), true
	case program.OpLt:
		return k.number(origin{op: op, a: x.regs[in.B], b: x.regs[in.C]}), true
	case program.OpGetStat, program.OpStatOf:
		if k.f.mayAct { // the read is recorded there, to explain checks
			return 0, false
		}
		reads := k.f.operandsOf(in).reads
		if op == program.OpStatOf { // always reads four registers
			d &= 0xffff
			reads = reads[:1+k.f.c.situationSize(d)]
		}
		return k.resultNumber(x, program.OpGetStat, d, reads...), true
	case program.OpApply, program.OpApply2:
		op = program.OpApply
	case program.OpApply3:
		op, d = program.OpApply, d&0xffff
	case program.OpNative, program.OpNative2:
		op = program.OpNative
	case program.OpOuter, program.OpWithin, program.OpGetField, program.OpFieldOr, program.OpGetSlot, program.OpLookup, program.OpHasAny,
		program.OpMemory, program.OpOwnValue, program.OpGlobal, program.OpCan, program.OpPart, program.OpAdd, program.OpSub, program.OpMul,
		program.OpDiv, program.OpAddInt, program.OpMin, program.OpMax, program.OpNeg, program.OpNot, program.OpNe, program.OpLe,
		program.OpEnumAdd, program.OpDiceAdd, program.OpDiceMul, program.OpIn, program.OpListEq, program.OpIndex, program.OpLength, program.OpBuiltin:
	default:
		return 0, false
	}
	n = k.resultNumber(x, op, d, k.f.operandsOf(in).reads...)
	switch op {
	case program.OpFieldOr, program.OpMemory, program.OpOwnValue, program.OpPart: // C is a number
		n = k.number(origin{op: fromMore, a: n, d: 1 + int32(in.C)})
	}
	return n, true
}

// isRedundant says whether an instruction would leave in its register the value that is already there.
func (k *numberer) isRedundant(x *knowledge, in *program.Instr) bool {
	n, ok := k.value(x, in)
	return ok && x.regs[in.A] == n
}

// apply updates the knowledge by an instruction. A repeated computation becomes a copy.
func (k *numberer) apply(x *knowledge, at int) {
	in := &k.f.code[at]
	if n, ok := k.value(x, in); ok {
		if isSlowerThanCopy(in.Op) {
			if r := slices.Index(x.regs[:k.f.peakRegs], n); r >= 0 {
				k.replaceIfRewriting(in, program.Instr{Op: program.OpCopy, A: in.A, B: uint8(r)})
			}
		}
		x.regs[in.A] = n
		if _, decided := k.decided(x, n, program.None); in.Op == program.OpFieldOr && !decided {
			x.learn(n, false, program.None)
		}
		return
	}
	o := k.f.operandsOf(in)
	if o.any {
		x.forget(at)
		return
	}
	for _, r := range o.writes {
		x.regs[r] = opaqueNumber(int(r), at)
	}
}

// isSlowerThanCopy says whether an operation takes longer than a copy.
func isSlowerThanCopy(op program.Op) bool {
	return op != program.OpInt && op != program.OpConst && op != program.OpLoadNone && op != program.OpCopy
}
