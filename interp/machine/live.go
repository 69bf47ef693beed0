package machine

import (
	"math/bits"
	"slices"

	"arbiter/interp/program"
)

// This file computes which registers of the frames are live. Dead registers keep states apart that continue alike, such
// as the face of an attack roll once the damage has been rolled.
//
// It is the usual backward liveness analysis over the instructions of a chunk: a register is live before an instruction
// that reads it, and before one that does not set it if it is live after that. Its readers are the chunk itself and
// also: the rules at the points that it reaches, and their Starlark functions, which may read all names of the
// interrupted code; the rules in its body; its end, where code that is canceled continues from anywhere; replaced code,
// which a `default` may still run; the record, if it is wanted; and the properties of the running action, whose
// parameters can be read from anywhere. A register wrongly considered live costs steps; one wrongly considered dead
// gives wrong odds.

// regBits is a set of registers of a window.
type regBits [windowSize / 64]uint64

// each calls do for each of them.
func (r *regBits) each(do func(i int)) {
	for i, word := range r {
		for ; word != 0; word &= word - 1 {
			do(i<<6 + bits.TrailingZeros64(word))
		}
	}
}

// regSet is a set of live registers: whole ones, or only parts of the object whose address they hold. If all that will
// be read of a roll is whether it succeeded, its face is dead.
type regSet struct {
	whole regBits
	parts [maxLiveParts]regBits
}

// maxLiveParts is how many parts of an object are distinguished: those of an outcome.
const maxLiveParts = 6

func (r *regSet) add(i int) {
	if i >= 0 && i < windowSize {
		r.whole[i>>6] |= 1 << (i & 63)
	}
}

func (r *regSet) addPart(i, part int) {
	if part >= maxLiveParts {
		r.add(i)
	}
	if part >= maxLiveParts || i < 0 || i >= windowSize {
		return
	}
	r.parts[part][i>>6] |= 1 << (i & 63)
}

func (r *regSet) addRange(from, n int) {
	for i := range n {
		r.add(from + i)
	}
}

func (r *regSet) remove(i int) {
	if i < 0 || i >= windowSize {
		return
	}
	r.whole[i>>6] &^= 1 << (i & 63)
	for k := range r.parts {
		r.parts[k][i>>6] &^= 1 << (i & 63)
	}
}

func (r *regSet) join(o *regSet) {
	for i := range r.whole {
		r.whole[i] |= o.whole[i]
		for k := range r.parts {
			r.parts[k][i] |= o.parts[k][i]
		}
	}
}

// addShifted adds the registers of o, offset by up.
func (r *regSet) addShifted(o *regSet, offset int) {
	o.whole.each(func(i int) { r.add(offset + i) })
	for k := range o.parts {
		o.parts[k].each(func(i int) { r.addPart(offset+i, k) })
	}
}

// addAs adds a register, as far as another one is live in o.
func (r *regSet) addAs(i int, o *regSet, j int) {
	if o.whole[j>>6]>>(j&63)&1 != 0 {
		r.add(i)
	}
	for k := range o.parts {
		if o.parts[k][j>>6]>>(j&63)&1 != 0 {
			r.addPart(i, k)
		}
	}
}

// liveness computes the live registers of a program, each chunk when it is first asked for. It is not safe for
// concurrent use.
type liveness struct {
	p      *program.Program
	chunks map[liveChunk][]regSet // before each instruction
	outer  []*regSet              // by rule: the interrupted names that it reads
	points []*regSet              // by point: those that its rules read
	within []*regSet              // by procedure: the names that rules in its body read
	absent []bool                 // by effect: no creature has it, or can get it
}

// liveChunk identifies the code of a frame; a procedure whose record is wanted reads more registers.
type liveChunk struct {
	code        codeKind
	id          int32
	wantsRecord bool
}

func newLiveness(p *program.Program, s *State) *liveness {
	return &liveness{
		p: p, chunks: map[liveChunk][]regSet{}, outer: make([]*regSet, len(p.Rules)), points: make([]*regSet, len(p.Points)),
		within: make([]*regSet, len(p.Procs)), absent: absentEffects(p, s),
	}
}

// absentEffects finds the effects that no creature has or can get while code of the program runs: no instruction gives
// them, and no condition or other effect brings them along. So the rules of a feat that no creature has are left out.
func absentEffects(p *program.Program, s *State) []bool {
	absent := make([]bool, len(p.Effects))
	for i := range absent {
		absent[i] = true
	}
	for i := range p.Code {
		switch in := &p.Code[i]; in.Op {
		case program.OpGainEffect:
			absent[p.Gains[in.D].Effect] = false
		case program.OpHookDo: // may give any effect that it names
			clear(absent)
			return absent
		}
	}
	for i := range p.Nodes {
		absent[p.Nodes[i].Effect] = false
	}
	for i := range absent {
		for who := range s.Entities {
			if s.Slots[who*int(p.Stride)+int(p.Slots.Effects)+i] != 0 {
				absent[i] = false
			}
		}
	}
	return absent
}

// How much of a register is live: a bit for each part of the object it refers to, or one for all.
const (
	noMark    uint8 = 0
	wholeMark uint8 = 1 << 7
)

// mark marks how much of each register in use is live.
func (l *liveness) mark(s *State, marks []uint8) {
	clear(marks)
	markSet := func(base int32, set *regSet) {
		markBits := func(of *regBits, with uint8) {
			of.each(func(i int) {
				if r := int(base) + i; r < len(marks) {
					marks[r] |= with
				}
			})
		}
		markBits(&set.whole, wholeMark)
		for k := range set.parts {
			markBits(&set.parts[k], 1<<k)
		}
	}
	for i := range s.Frames {
		f := &s.Frames[i]
		switch f.Kind {
		case codeFrame, insteadFrame:
			if f.Code == scriptCode {
				for r := f.Base; r < f.Top; r++ {
					marks[r] = wholeMark
				}
				continue
			}
			set := l.alwaysLive(f)
			set.join(l.liveBefore(s, i, f.PC))
			markSet(f.Base, &set)
		case pointFrame:
			if f.Outer >= 0 {
				markSet(f.Outer, l.readAtPoint(f.ID))
			}
			// A rule may still replace the following code, or a `default` run it after all.
			if f.is(flagInstead) && s.Frames[f.Interrupted].Code != scriptCode {
				base := s.Frames[f.Interrupted].Base
				markSet(base, l.liveBefore(s, int(f.Interrupted), f.PC-1))
				markSet(base, l.liveBefore(s, int(f.Interrupted), f.PC))
			}
		}
	}
	// A register that waits for an answer is set before it is read.
	if q := &s.Asking; q.Status == NeedChoice && q.Reg >= 0 {
		marks[q.Reg] = noMark
	}
	if t := &s.Roll; t.Active {
		switch {
		case t.For != forCheck:
			marks[t.Reg] = noMark
		case !t.Opposed:
			marks[t.Reg+program.CheckNatural] = noMark
			if l.p.Checks[t.Check].Opposed >= 0 {
				marks[t.Reg+program.CheckOpposed] = noMark
				marks[t.Reg+program.CheckFoe] = wholeMark
			}
		default:
			marks[t.Reg+program.CheckOpposed] = noMark
		}
	}
}

// alwaysLive is the set of registers of a frame that may be read whatever its pc.
func (l *liveness) alwaysLive(f *Frame) (set regSet) {
	set.add(0) // the actor
	switch f.Code {
	case procedureCode:
		p := &l.p.Procs[f.ID]
		if p.Action {
			set.addRange(0, 1+len(p.Params))
		}
		set.join(l.readInBody(f.ID))
	case ruleCode, planCode:
		set.addRange(0, program.RuleParams)
	}
	return set
}

// liveBefore is the set of live registers where frame i continues at an instruction.
func (l *liveness) liveBefore(s *State, i int, pc int32) *regSet {
	f := &s.Frames[i]
	owner := f
	if f.Kind == insteadFrame {
		owner = &s.Frames[f.Parent]
	}
	k := liveChunk{f.Code, f.ID, owner.is(flagRecord)}
	sets, known := l.chunks[k]
	if !known {
		sets = l.analyze(k)
		l.chunks[k] = sets
	}
	return &sets[pc-l.chunkOf(k).Start]
}

func (l *liveness) chunkOf(k liveChunk) *program.Chunk {
	switch k.code {
	case procedureCode:
		return &l.p.Chunks[l.p.Procs[k.id].Chunk]
	case ruleCode:
		return &l.p.Chunks[l.p.Rules[k.id].Chunk]
	}
	return &l.p.Chunks[l.p.Plans[k.id].Chunk]
}

// analyze computes the live registers before each instruction of the code of a frame.
func (l *liveness) analyze(k liveChunk) []regSet {
	switch k.code {
	case procedureCode:
		return l.flow(l.chunkOf(k), l.p.Procs[k.id].CancelPC, k)
	case ruleCode:
		return l.flow(l.chunkOf(k), l.p.Rules[k.id].CancelPC, k)
	}
	return l.flow(l.chunkOf(k), l.p.Plans[k.id].CancelPC, k)
}

// flow computes the live registers before each instruction of a chunk, which continues at leave if it is canceled.
func (l *liveness) flow(ch *program.Chunk, cancelPC int32, k liveChunk) []regSet {
	n := int(ch.End - ch.Start)
	sets := make([]regSet, n+1) // nothing is live after the last
	for changed := true; changed; {
		changed = false
		for at := n - 1; at >= 0; at-- {
			in := &l.p.Code[ch.Start+int32(at)]
			var set regSet
			next, jump := successors(in)
			if next {
				set.join(&sets[at+1])
			}
			if in.Op == program.OpInstead && at+2 <= n {
				set.join(&sets[at+2])
			}
			if to := int(in.D - ch.Start); jump && to >= 0 && to <= n {
				set.join(&sets[to])
			}
			l.transfer(in, k, &set)
			if to := int(cancelPC - ch.Start); to >= 0 && to < n {
				set.join(&sets[to])
			}
			if set != sets[at] {
				sets[at], changed = set, true
			}
		}
	}
	return sets
}

// successors says whether an instruction may continue with the next one, and whether with its jump target.
func successors(in *program.Instr) (next, jump bool) {
	switch in.Op {
	case program.OpJump:
		return false, true
	case program.OpReturn, program.OpReturnInt, program.OpReturnConst, program.OpFail, program.OpEnd:
		return false, false
	}
	return true, in.Op.Jumps()
}

// transfer turns the set live after an instruction into the set live before it. An unknown operation reads all
// registers.
func (l *liveness) transfer(in *program.Instr, k liveChunk, set *regSet) {
	a, b, c, n := int(in.A), int(in.B), int(in.C), int(in.C)
	sets := func() { set.remove(a) }
	switch in.Op {
	case program.OpNop, program.OpCheck, // the following instructions read and set the same
		program.OpCover, program.OpFail, program.OpJump, program.OpJumpAwaited, program.OpJumpMapped, program.OpJumpNoMap,
		program.OpReturnInt, program.OpReturnConst, program.OpEndInstead, program.OpDefault, program.OpStop, program.OpCancel:
	case program.OpConst, program.OpInt, program.OpLoadNone, program.OpOuter, program.OpGlobal, program.OpSpent, program.OpAction, program.OpAskMaster:
		sets()
	case program.OpWithin:
		sets()
		set.add(program.RuleParams - 1)
	case program.OpUsedUp:
		set.add(a)
	case program.OpSetWithin:
		set.add(a)
		set.add(program.RuleParams - 1)
	case program.OpClear:
		for i := range n {
			set.remove(a + i)
		}
	case program.OpPart:
		sets()
		set.addPart(b, c)
	case program.OpCopy, program.OpGetField, program.OpFieldOr, program.OpGetSlot, program.OpMemory, program.OpOwnValue,
		program.OpAddInt, program.OpNeg, program.OpNot, program.OpLength, program.OpNewList:
		sets()
		set.add(b)
	case program.OpMayDo:
		sets()
		set.add(b)
		if in.C != program.NoReg {
			set.add(c)
		}
	case program.OpLookup, program.OpAdd, program.OpSub, program.OpMul, program.OpDiv, program.OpMin, program.OpMax, program.OpEq, program.OpNe,
		program.OpLt, program.OpLe, program.OpEnumAdd, program.OpDiceAdd, program.OpDiceMul, program.OpConcat, program.OpListDiff, program.OpIn, program.OpListEq,
		program.OpIndex, program.OpApply2, program.OpNative2, program.OpRoll, program.OpChoose, program.OpPickOne:
		sets()
		set.add(b)
		set.add(c)
	case program.OpApply3:
		sets()
		set.add(b)
		set.add(c)
		set.add(int(uint8(in.D >> 16)))
	case program.OpStatOf:
		sets()
		set.add(b)
		set.add(c)
		set.add(int(uint8(in.D >> 16)))
		set.add(int(uint8(in.D >> 24)))
	case program.OpApply, program.OpList, program.OpRecord, program.OpMakePlan, program.OpCapture, program.OpBuiltin, program.OpNative:
		sets()
		set.addRange(b, n)
	case program.OpHook:
		sets()
		set.addRange(b, n)
		l.addSiteVars(in.D, program.InCode, set)
	case program.OpGetStat:
		sets()
		set.addRange(b, 1+max(n, len(l.p.Stats[in.D].Params)))
	case program.OpHasAny:
		sets()
		set.addRange(b, 1+n)
	case program.OpCan:
		sets()
		set.addRange(b, max(1, n))
	case program.OpProperty:
		sets()
		if in.B != program.NoReg {
			set.add(b)
		}
	case program.OpPush, program.OpSort, program.OpJumpEq, program.OpJumpNe, program.OpJumpLt, program.OpJumpLe, program.OpLoop,
		program.OpSetField, program.OpSetPart, program.OpSetResource, program.OpSetMemory, program.OpSetValue, program.OpGainAmount, program.OpLoseAmount:
		set.add(a)
		set.add(b)
	case program.OpJumpPart, program.OpJumpNoPart:
		set.addPart(a, c)
	case program.OpTerm, program.OpSetGlobal, program.OpJumpTooDear, program.OpJumpIs, program.OpJumpIsNot, program.OpJumpFieldNone, program.OpJumpFieldSome, program.OpJumpIf, program.OpJumpNot, program.OpJumpNone, program.OpJumpSome, program.OpJumpGiven, program.OpJumpFixed,
		program.OpJumpEqC, program.OpJumpNeC, program.OpJumpLtC, program.OpJumpGtC, program.OpJumpLeC, program.OpJumpGeC,
		program.OpJumpField, program.OpJumpNoField, program.OpJumpHas, program.OpJumpHasNo, program.OpReturn, program.OpSetOuter,
		program.OpLoseAll, program.OpDoPlan:
		set.add(a)
	case program.OpEach:
		sets()
		set.remove(a + 1)
		set.add(c)
	case program.OpNext:
		set.addRange(a, 2)
		set.add(c)
	case program.OpFrom, program.OpTo:
		set.addRange(a, 2)
	case program.OpRollCheck:
		set.remove(a + program.CheckNatural)
		if l.p.Checks[in.D].Opposed >= 0 {
			set.remove(a + program.CheckOpposed)
		}
		set.addRange(a, program.CheckNatural)
	case program.OpJudge:
		for _, i := range []int{program.CheckTotal, program.CheckMargin, program.CheckSuccess} {
			set.remove(a + i)
		}
		set.addRange(a, program.CheckNatural+1)
		if l.p.Checks[in.D].Opposed >= 0 {
			set.add(a + program.CheckOpposed)
		}
	case program.OpMakeOutcome:
		sets()
		set.addRange(b+program.CheckBonus, program.CheckSuccess+1-program.CheckBonus)
	case program.OpGainEffect:
		set.addRange(a, 2+len(l.p.Effects[l.p.Gains[in.D].Effect].Values))
	case program.OpLoseEffect:
		set.addRange(a, 1+n)
	case program.OpAllowed:
		sets()
		set.addRange(b, 1+len(l.p.Procs[in.D].Params))
	case program.OpCall:
		if in.A != program.NoReg {
			sets()
		}
		set.addRange(b, 1+len(l.p.Procs[in.D].Params))
	case program.OpPay:
		l.addCostParams(k, set)
	case program.OpAt, program.OpInstead:
		set.add(b)
		set.addShifted(l.readAtPoint(in.D), a)
	case program.OpActsAt:
		set.add(a)
		set.addRange(b, n)
	case program.OpMove:
		set.add(a)
		set.add(b)
		set.add(c)
	case program.OpNote:
		set.addRange(a, n)
	case program.OpHookDo:
		set.addRange(a, program.HookArgs+len(l.p.Sites[in.D].Names))
		l.addSiteVars(in.D, program.InCode, set)
	case program.OpEnd:
		if k.code == procedureCode && k.wantsRecord {
			for _, r := range l.p.Procs[k.id].Record {
				set.add(int(r.Reg))
			}
		}
	default:
		set.addRange(0, windowSize)
	}
}

// addCostParams adds the parameters of the chunks of costs.
func (l *liveness) addCostParams(k liveChunk, set *regSet) {
	var list []program.Cost
	if k.code == procedureCode {
		list = l.p.Procs[k.id].Costs
	} else if k.code == ruleCode {
		list = l.p.Rules[k.id].Costs
	}
	for _, chunk := range costChunks(list) {
		set.addRange(0, int(l.p.Chunks[chunk].Params))
	}
}

func costChunks(list []program.Cost) (chunks []int32) {
	for i := range list {
		chunks = append(chunks, list[i].Guard)
		for _, part := range list[i].Parts {
			chunks = append(chunks, part.Amount)
		}
	}
	return slices.DeleteFunc(chunks, func(c int32) bool { return c == program.NoChunk })
}

// addSiteVars adds the names of a scope that a Starlark function may read at a site.
func (l *liveness) addSiteVars(site int32, in program.Scope, set *regSet) {
	for _, x := range l.p.Sites[site].Vars {
		if x.Scope == in {
			set.add(int(x.Index))
		}
	}
}

// readAtPoint is the set of interrupted names that are read at a point.
func (l *liveness) readAtPoint(point int32) *regSet {
	if set := l.points[point]; set != nil {
		return set
	}
	set := new(regSet)
	x := &l.p.Points[point]
	for _, rule := range x.Rules {
		set.join(l.readByRule(rule))
	}
	for _, hook := range x.Plans {
		if l.canRun(hook.Rule) {
			set.join(l.readByRule(hook.Rule))
			l.addOuterReads(hook.Guard, hook.Rule, program.InOuter, set, map[int32]bool{})
		}
	}
	for _, e := range x.Endings {
		for _, a := range e.Args {
			set.add(int(a.Outer))
		}
	}
	l.points[point] = set
	return set
}

// readByRule is the set of interrupted names that a rule reads.
func (l *liveness) readByRule(rule int32) *regSet {
	if set := l.outer[rule]; set != nil {
		return set
	}
	set := new(regSet)
	if l.outer[rule] = set; !l.canRun(rule) {
		return set
	}
	// The rule may reach a point at which it waits itself. Until the result is known, all names that it reads count as
	// a whole.
	set.add(int(l.p.Rules[rule].Bearer))
	for _, chunk := range l.chunksOf(rule) {
		l.addOuterReads(chunk, coarse, program.InOuter, set, map[int32]bool{})
	}
	precise := new(regSet)
	precise.add(int(l.p.Rules[rule].Bearer))
	for _, chunk := range l.chunksOf(rule) {
		l.addOuterReads(chunk, rule, program.InOuter, precise, map[int32]bool{})
	}
	l.outer[rule] = precise
	return precise
}

// coarse means no rule: whether only parts of outer names are read is not analyzed.
const coarse int32 = -1

// readInBody is the set of a procedure's names that rules in its body read.
func (l *liveness) readInBody(proc int32) *regSet {
	if set := l.within[proc]; set != nil {
		return set
	}
	set := new(regSet)
	l.within[proc] = set
	for rule := range l.p.Rules {
		if l.p.Rules[rule].Within == proc && l.canRun(int32(rule)) {
			for _, chunk := range l.chunksOf(int32(rule)) {
				l.addOuterReads(chunk, coarse, program.InWithin, set, map[int32]bool{})
			}
		}
	}
	return set
}

// canRun says whether a rule can run at all.
func (l *liveness) canRun(rule int32) bool {
	effect := l.p.Rules[rule].Effect
	return effect < 0 || !l.absent[effect]
}

func (l *liveness) chunksOf(rule int32) []int32 {
	r := &l.p.Rules[rule]
	return append(costChunks(r.Costs), r.Chunk, r.Guard, r.Legal, r.Default)
}

// addOuterReads adds the names of another scope that a chunk of a rule reads, directly or through what it applies.
func (l *liveness) addOuterReads(chunk, rule int32, in program.Scope, set *regSet, seen map[int32]bool) {
	if chunk == program.NoChunk || seen[chunk] {
		return
	}
	seen[chunk] = true
	ch := &l.p.Chunks[chunk]
	var liveAfter []regSet
	if rule != coarse {
		cancelPC := ch.End // of pure code: never canceled
		if l.p.Rules[rule].Chunk == chunk {
			cancelPC = l.p.Rules[rule].CancelPC
		}
		liveAfter = l.flow(ch, cancelPC, liveChunk{code: ruleCode, id: rule})[1:]
	}
	for i, x := range l.p.Code[ch.Start:ch.End] {
		switch x.Op {
		case program.OpOuter:
			switch {
			case in != program.InOuter:
			case liveAfter == nil:
				set.add(int(x.D))
			default:
				set.addAs(int(x.D), &liveAfter[i], int(x.A))
			}
		case program.OpWithin:
			if in == program.InWithin {
				set.add(int(x.D))
			}
		case program.OpHook, program.OpHookDo:
			l.addSiteVars(x.D, in, set)
		case program.OpApply, program.OpApply2:
			l.addOuterReads(l.p.Defines[x.D].Chunk, rule, in, set, seen)
		case program.OpApply3:
			l.addOuterReads(l.p.Defines[x.D&0xffff].Chunk, rule, in, set, seen)
		}
	}
}
