package compile

import (
	"math"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles expressions. expr leaves the value in a given register; value leaves it where it already is; jump
// branches on a yes-no without computing it.

// value compiles e and returns its register: the variable's own, or a new one.
func (f *chunkBuilder) value(e *ir.Expr) int {
	e = f.c.foldIf(e)
	if e != nil && e.Op == ir.OpVar && e.Var != nil {
		if r := f.regOf(e.Var); r >= 0 {
			return r
		}
	}
	if e != nil {
		if r, ok := f.invariantReg(e); ok {
			return r
		}
	}
	r := f.temp()
	f.expr(e, r)
	return r
}

// foldIf returns the branch of an `if` that is decided at compile time by an option; otherwise the expression itself.
func (c *compiler) foldIf(e *ir.Expr) *ir.Expr {
	for e != nil && e.Op == ir.OpIf && c.isConstant(e.Args[0]) {
		if e.Args[0].Int != 0 {
			e = e.Args[1]
		} else {
			e = e.Args[2]
		}
	}
	return e
}

// regOf returns the register of a variable of this code, -1 if it is not one.
func (f *chunkBuilder) regOf(v *ir.Var) int {
	if r, ok := f.vars[v]; ok {
		return r
	}
	switch v.Kind {
	case ir.VarSelf:
		return f.self
	case ir.VarActor:
		return f.actor
	case ir.VarInstance:
		return f.inst
	case ir.VarOuter:
		if i, ok := f.outerIndex(v); ok && f.interrupted >= 0 {
			return f.interrupted + int(i)
		}
	}
	return -1
}

// outerIndex returns the index of a variable of the interrupted code.
func (f *chunkBuilder) outerIndex(v *ir.Var) (int32, bool) {
	from := v
	if v.Outer != nil {
		from = v.Outer
	}
	if !f.interruptsCheck && from.Owner != nil {
		if r, ok := f.c.registers(from.Owner)[from]; ok {
			return int32(r), true
		}
	}
	for i, name := range ir.CheckVars {
		if name == v.Name {
			return int32(i), true
		}
	}
	return 0, false
}

// withinIndex returns the index of a variable of the running procedure whose body contains the rule.
func (f *chunkBuilder) withinIndex(v *ir.Var) (int32, bool) {
	if v.Outer == nil || v.Outer.Owner == nil {
		return 0, false
	}
	r, ok := f.c.registers(v.Outer.Owner)[v.Outer]
	return int32(r), ok
}

// expr leaves the value of e in dst, and frees all registers that it took.
func (f *chunkBuilder) expr(e *ir.Expr, dst int) {
	if e == nil {
		f.emit(program.OpLoadNone, dst, 0, 0, 0)
		return
	}
	saved, mark := f.at, f.next
	e = f.c.foldIf(e)
	f.at = e.Pos
	if r, ok := f.invariantReg(e); ok {
		f.emit(program.OpCopy, dst, r, 0, 0)
	} else {
		f.compute(e, dst)
	}
	f.at, f.next = saved, mark
}

// binaryOps operations that are a single instruction.
var binaryOps = map[ir.Op]program.Op{
	ir.OpAdd: program.OpAdd, ir.OpSub: program.OpSub, ir.OpMul: program.OpMul, ir.OpDiv: program.OpDiv,
	ir.OpEq: program.OpEq, ir.OpNe: program.OpNe, ir.OpLt: program.OpLt, ir.OpLe: program.OpLe,
	ir.OpDiceAdd: program.OpDiceAdd, ir.OpDiceMul: program.OpDiceMul, ir.OpConcat: program.OpConcat, ir.OpListDiff: program.OpListDiff,
	ir.OpIn: program.OpIn, ir.OpListEq: program.OpListEq, ir.OpIndex: program.OpIndex,
}

// binaryOp compiles a binary operation; a small constant that is added or subtracted goes into the instruction.
func (f *chunkBuilder) binaryOp(op program.Op, e *ir.Expr, dst int) {
	if k := e.Args[1]; e.Op == ir.OpAdd && f.c.isConstant(k) && k.Int == int64(int32(k.Int)) {
		f.emit(program.OpAddInt, dst, f.value(e.Args[0]), 0, int32(k.Int))
		return
	}
	if k := e.Args[1]; e.Op == ir.OpSub && f.c.isConstant(k) && -k.Int == int64(int32(-k.Int)) {
		f.emit(program.OpAddInt, dst, f.value(e.Args[0]), 0, int32(-k.Int))
		return
	}
	x := f.value(e.Args[0])
	y := f.value(e.Args[1])
	f.emit(op, dst, x, y, 0)
}

// compute compiles e by its operation; expr has set the position and frees the registers.
func (f *chunkBuilder) compute(e *ir.Expr, dst int) {
	c := f.c
	if f.comparesForValue(e) {
		f.materializeBool(e, dst)
		return
	}
	if op, ok := binaryOps[e.Op]; ok && len(e.Args) == 2 {
		f.binaryOp(op, e, dst)
		return
	}
	switch e.Op {
	case ir.OpConst:
		f.load(dst, f.useConstant(e))
	case ir.OpVar:
		f.variable(e.Var, dst)
	case ir.OpField:
		if len(e.Args) == 1 {
			f.coverField(e.Kind, int(e.Int))
			f.emit(program.OpGetField, dst, f.value(e.Args[0]), 0, int32(e.Int))
		}
	case ir.OpResource:
		if c.mustCover(e.Resource.Part) {
			f.cover(e.Resource.Part)
		}
		f.emit(program.OpGetSlot, dst, f.value(e.Args[0]), 0, c.p.Slots.Resources+int32(e.Resource.Index))
	case ir.OpStat:
		f.stat(e, dst)
	case ir.OpDefine:
		f.define(e, dst)
	case ir.OpTable:
		f.lookup(e, dst)
	case ir.OpHas:
		f.has(e, dst)
	case ir.OpMemory:
		f.emit(program.OpMemory, dst, f.value(e.Args[0]), int(e.Int), int32(e.Effect.Index))
	case ir.OpCan:
		f.emit(program.OpCan, dst, f.value(e.Args[0]), 0, int32(e.Int))
	case ir.OpProperty:
		of := program.NoReg // of the running action, whose parameters are known
		if a := e.Args[0]; a.Op != ir.OpBuiltin || a.Name != "action" {
			of = f.value(a)
		}
		f.emit(program.OpProperty, dst, of, 0, intern(&c.props, &c.p.Properties, e.Name))
	case ir.OpSpent:
		f.emit(program.OpSpent, dst, 0, 0, int32(e.Resource.Index))
	case ir.OpList:
		f.list(e, dst)
	case ir.OpRecord:
		f.emitWithArgs(program.OpRecord, e.Args, dst, c.kinds[e.Kind])
	case ir.OpOutcome: // the record that a check makes
		block := f.block(program.CheckBlock)
		for i, part := range [...]int{program.CheckNatural, program.CheckTotal, program.CheckDifficulty, program.CheckMargin, program.CheckSuccess, program.CheckBonus} {
			f.expr(e.Args[i], block+part)
		}
		f.emit(program.OpMakeOutcome, dst, block, 0, -1)
	case ir.OpRecordGet:
		zero := int32(0)
		if program.ZeroOf(e.Type) != 0 {
			zero = 1
		}
		f.emit(program.OpPart, dst, f.value(e.Args[0]), int(e.Int), zero)
	case ir.OpNeg:
		f.emit(program.OpNeg, dst, f.value(e.Args[0]), 0, 0)
	case ir.OpNot:
		f.emit(program.OpNot, dst, f.value(e.Args[0]), 0, 0)
	case ir.OpAnd, ir.OpOr:
		f.materializeBool(e, dst)
	case ir.OpIf:
		no := f.jump(e.Args[0], false)
		f.expr(e.Args[1], dst)
		end := f.emit(program.OpJump, 0, 0, 0, 0)
		f.patch(no)
		f.expr(e.Args[2], dst)
		f.patch([]int{end})
	case ir.OpOtherwise:
		f.otherwise(e, dst)
	case ir.OpEnumAdd:
		x := f.value(e.Args[0])
		y := f.value(e.Args[1])
		f.emit(program.OpEnumAdd, dst, x, y, int32(len(e.Enum.Members)-1))
	case ir.OpQuery:
		f.query(e.Query, e.Type, dst)
	case ir.OpBuiltin:
		f.builtin(e, dst)
	case ir.OpHook:
		f.hookCall(e, dst)
	case ir.OpHookRoll:
		f.hookDo(e, dst)
	case ir.OpRoll:
		f.roll(e, dst)
	case ir.OpPick:
		f.pick(e, dst)
	case ir.OpCall:
		f.call(e.Call, dst)
	case ir.OpPlan:
		f.plan(e.Plan, dst)
	default:
		c.fail(e.Pos, "an expression that was not checked (%d)", e.Op)
		f.load(dst, 0)
	}
}

// stat compiles the reading of a stat; one with few arguments in separate registers needs no block of them.
func (f *chunkBuilder) stat(e *ir.Expr, dst int) {
	n := len(e.Stat.Params)
	if regs := f.separateRegs(e.Args, 1+n, 4); regs != nil && e.Stat.Index <= math.MaxUint16 {
		for len(regs) < 4 {
			regs = append(regs, regs[0])
		}
		f.emit(program.OpStatOf, dst, regs[0], regs[1], int32(regs[3])<<24|int32(regs[2])<<16|int32(e.Stat.Index))
		return
	}
	f.emit(program.OpGetStat, dst, f.args(e.Args, 1+n), n, int32(e.Stat.Index))
}

// define compiles the application of a define, in its place if it is small.
func (f *chunkBuilder) define(e *ir.Expr, dst int) {
	if f.canInline(e.Define) {
		f.inline(e, func(body *ir.Expr) { f.expr(body, dst) })
		return
	}
	id, n := e.Define.Index, defineParams(e.Define)
	switch regs := f.separateRegs(e.Args, n, 3); {
	case len(regs) == 2:
		f.emit(program.OpApply2, dst, regs[0], regs[1], int32(id))
	case len(regs) == 3 && id <= math.MaxUint16:
		f.emit(program.OpApply3, dst, regs[0], regs[1], int32(regs[2]<<16|id))
	default:
		f.emit(program.OpApply, dst, f.args(e.Args, n), n, int32(id))
	}
}

// otherwise compiles x otherwise y; a field with a small constant is one instruction.
func (f *chunkBuilder) otherwise(e *ir.Expr, dst int) {
	if x, k := e.Args[0], f.c.resolveAlias(e.Args[1]); x.Op == ir.OpField && len(x.Args) == 1 && f.c.isConstant(k) && k.Int == int64(int8(k.Int)) {
		f.coverField(x.Kind, int(x.Int))
		f.emit(program.OpFieldOr, dst, f.value(x.Args[0]), int(uint8(k.Int)), int32(x.Int))
		return
	}
	if !f.readsRegister(e.Args[1], dst) {
		f.expr(e.Args[0], dst)
		some := f.emit(program.OpJumpSome, dst, 0, 0, 0)
		f.expr(e.Args[1], dst)
		f.patch([]int{some})
		return
	}
	t := f.value(e.Args[0]) // the value in dst is still needed
	none := f.emit(program.OpJumpNone, t, 0, 0, 0)
	f.emit(program.OpCopy, dst, t, 0, 0)
	end := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch([]int{none})
	f.expr(e.Args[1], dst)
	f.patch([]int{end})
}

// has compiles whether a creature has an effect; an omitted parameter matches any value.
func (f *chunkBuilder) has(e *ir.Expr, dst int) {
	n := len(e.Args)
	base, ok := f.adjacentRegs(e.Args, n)
	if !ok {
		base = f.block(n)
		for i, a := range e.Args {
			f.exprOrAbsent(a, base+i)
		}
	}
	f.emit(program.OpHasAny, dst, base, n-1, int32(e.Effect.Index))
}

// materializeBool makes the value of an `and` or an `or`, which are jumps.
func (f *chunkBuilder) materializeBool(e *ir.Expr, dst int) {
	t := dst
	if f.readsRegister(e, dst) {
		t = f.temp() // the value in dst is still needed
	}
	f.load(t, 0)
	skip := f.jump(e, false)
	f.load(t, 1)
	f.patch(skip)
	if t != dst {
		f.emit(program.OpCopy, dst, t, 0, 0)
	}
}

// pick makes a creature, or chance, pick an element of the list that a query makes.
func (f *chunkBuilder) pick(e *ir.Expr, dst int) {
	c := f.c
	list := f.temp()
	f.query(e.Query, ir.Type{Kind: ir.List, Elem: &e.Type}, list)
	who := f.creatureReg(e.Args)
	c.p.Picks = append(c.p.Picks, program.Pick{Label: c.label(e.Label), Type: c.typeOf(e.Type), Chance: e.Name == "chance"})
	f.emit(program.OpPickOne, dst, list, who, int32(len(c.p.Picks)-1))
}

// variable reads a variable, wherever it is stored.
func (f *chunkBuilder) variable(v *ir.Var, dst int) {
	if v == nil {
		f.c.fail(f.at, "a variable that was not checked")
		return
	}
	if r := f.regOf(v); r >= 0 {
		if r != dst {
			f.emit(program.OpCopy, dst, r, 0, 0)
		}
		return
	}
	switch v.Kind {
	case ir.VarOuter:
		if i, ok := f.outerIndex(v); ok {
			f.emit(program.OpOuter, dst, 0, 0, i)
			return
		}
	case ir.VarWithin:
		if r, ok := f.withinIndex(v); ok {
			f.emit(program.OpWithin, dst, 0, 0, r)
			return
		}
	case ir.VarMemory:
		if f.inst >= 0 {
			f.emit(program.OpOwnValue, dst, f.inst, v.Index, 0)
			return
		}
	case ir.VarGlobal:
		f.emit(program.OpGlobal, dst, 0, 0, int32(v.Index))
		return
	case ir.VarSelf, ir.VarActor, ir.VarInstance:
		f.load(dst, program.None)
		return
	}
	f.c.fail(f.at, "%s has no place in %s", v.Name, f.name)
}

// list makes a list: a constant one in the program, a long one element by element.
func (f *chunkBuilder) list(e *ir.Expr, dst int) {
	elem := ir.Type{Kind: ir.Number}
	if e.Type.Elem != nil {
		elem = *e.Type.Elem
	}
	shape := program.ShapeOf(elem)
	constant := []int64{program.PackHeader(program.ListObject, int32(shape), len(e.Args))}
	for _, a := range e.Args {
		if !f.c.isConstant(a) {
			constant = nil
			break
		}
		constant = append(constant, f.c.literal(a.Int, a.Type))
	}
	switch {
	case constant != nil:
		f.load(dst, f.c.constantObject(constant))
	case len(e.Args) <= maxRegs/2:
		f.emitWithArgs(program.OpList, e.Args, dst, int32(shape))
	default:
		n, t := f.temp(), f.temp()
		f.load(n, int64(len(e.Args)))
		f.emit(program.OpNewList, t, n, 0, int32(shape))
		for _, a := range e.Args {
			mark := f.next
			f.emit(program.OpPush, t, f.value(a), 0, 0)
			f.next = mark
		}
		f.emit(program.OpCopy, dst, t, 0, 0)
	}
}

// lookup reads a cell of a table. In acting code, it asks for a cell that the game master decides.
func (f *chunkBuilder) lookup(e *ir.Expr, dst int) {
	x := f.value(e.Args[0])
	y := x
	if len(e.Args) > 1 {
		y = f.value(e.Args[1])
	}
	f.emit(program.OpLookup, dst, x, y, int32(e.Table.Index))
	if !e.Table.HasGMCells() {
		return
	}
	real := f.emit(program.OpJumpFixed, dst, 0, 0, 0)
	if f.mayAct {
		f.emit(program.OpAskMaster, dst, 0, 0, f.c.label(e.Table.Name))
	} else {
		f.emit(program.OpFail, 0, 0, 0, f.c.text("the game master decides this cell of "+e.Table.Name+": read it in a procedure, an action or a rule"))
	}
	f.patch([]int{real})
}

// builtin compiles a function of the core or of the host.
func (f *chunkBuilder) builtin(e *ir.Expr, dst int) {
	c, args := f.c, e.Args
	switch e.Name {
	case "length":
		f.emit(program.OpLength, dst, f.value(args[0]), 0, 0)
		return
	case "action":
		f.emit(program.OpAction, dst, 0, 0, 0)
		return
	case "round-up", "half-up":
		// They say how the division inside them rounds; without a division there is nothing to round.
		if len(args) == 1 && args[0].Op == ir.OpDiv {
			args = args[0].Args
		}
		if len(args) == 1 {
			f.expr(args[0], dst)
			return
		}
	case "min", "max":
		f.minMax(e.Name == "max", args, dst)
		return
	}
	if id, ok := program.BuiltinFuncs[e.Name]; ok {
		f.emitWithArgs(program.OpBuiltin, args, dst, id)
		return
	}
	id := intern(&c.natives, &c.p.Natives, e.Name)
	if len(args) == 2 {
		if regs := f.separateRegs(args, 2, 2); regs != nil {
			f.emit(program.OpNative2, dst, regs[0], regs[1], id)
			return
		}
	}
	f.emitWithArgs(program.OpNative, args, dst, id)
}

// minMax compiles the minimum or the maximum of its arguments.
func (f *chunkBuilder) minMax(highest bool, args []*ir.Expr, dst int) {
	op := program.OpMin
	if highest {
		op = program.OpMax
	}
	if len(args) == 1 {
		f.expr(args[0], dst)
		return
	}
	best := f.value(args[0])
	for i, a := range args[1:] {
		x := f.value(a)
		to := dst
		if i < len(args)-2 {
			to = f.temp()
		}
		f.emit(op, to, best, x, 0)
		best = to
	}
}

// roll rolls dice for their sum.
func (f *chunkBuilder) roll(e *ir.Expr, dst int) {
	if e.Args[0].Type.Kind == ir.Number {
		f.expr(e.Args[0], dst) // a number used as dice is that many points
		return
	}
	d := f.value(e.Args[0])
	who := f.creatureReg(e.Args[1:])
	label := f.c.label(e.Label)
	if st := f.addedStat(e.Args[0]); st != nil {
		f.c.explainLabel(label, st)
	}
	f.emit(program.OpRoll, dst, d, who, label)
}

// equalityJumps maps comparisons to their jumps: taken if it holds, and if it does not, with the operands in order.
var equalityJumps = map[ir.Op]struct{ yes, no program.Op }{
	ir.OpEq: {program.OpJumpEq, program.OpJumpNe}, ir.OpNe: {program.OpJumpNe, program.OpJumpEq},
}

// constJumps is the same for comparisons with a constant on the right.
var constJumps = map[ir.Op]struct{ yes, no program.Op }{
	ir.OpEq: {program.OpJumpEqC, program.OpJumpNeC}, ir.OpNe: {program.OpJumpNeC, program.OpJumpEqC},
	ir.OpLt: {program.OpJumpLtC, program.OpJumpGeC}, ir.OpLe: {program.OpJumpLeC, program.OpJumpGtC},
}

// mirrored maps comparisons to those with swapped operands.
var mirrored = map[program.Op]program.Op{
	program.OpJumpEqC: program.OpJumpEqC, program.OpJumpNeC: program.OpJumpNeC, program.OpJumpLtC: program.OpJumpGtC,
	program.OpJumpGtC: program.OpJumpLtC, program.OpJumpLeC: program.OpJumpGeC, program.OpJumpGeC: program.OpJumpLeC,
}

// boolJumps are the jumps on a yes-no in a register.
var boolJumps = map[bool]program.Op{true: program.OpJumpIf, false: program.OpJumpNot}

// readJumps are the jumps on something read from a creature or a thing, which the instruction names.
var readJumps = map[ir.Op]struct{ yes, no program.Op }{
	ir.OpField:     {program.OpJumpField, program.OpJumpNoField},
	ir.OpHas:       {program.OpJumpHas, program.OpJumpHasNo},
	ir.OpRecordGet: {program.OpJumpPart, program.OpJumpNoPart},
}
