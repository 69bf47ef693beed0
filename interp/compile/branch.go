package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles conditions to jumps, so that no yes-no value is computed only to be tested.

// jump compiles jumps that are taken when e equals when; they have yet to be patched.
func (f *chunkBuilder) jump(e *ir.Expr, when bool) []int {
	saved, mark := f.at, f.next
	e = f.c.foldIf(e)
	f.at = e.Pos
	jumps := f.probedJump(e, when)
	f.at, f.next = saved, mark
	return jumps
}

// branch is jump without saving the position and the registers, which jump does.
func (f *chunkBuilder) branch(e *ir.Expr, when bool) []int {
	if r, ok := f.invariantReg(e); ok {
		return []int{f.emit(boolJumps[when], r, 0, 0, 0)}
	}
	switch e.Op {
	case ir.OpNot:
		return f.jump(e.Args[0], !when)
	case ir.OpAnd, ir.OpOr:
		// Either side alone decides it.
		if decisive := e.Op == ir.OpOr; decisive == when {
			return append(f.jump(e.Args[0], when), f.jump(e.Args[1], when)...)
		}
		past := f.jump(e.Args[0], !when)
		jumps := f.jump(e.Args[1], when)
		f.patch(past)
		return jumps
	case ir.OpConst:
		if (f.useConstant(e) != 0) != when {
			return nil
		}
		return []int{f.emit(program.OpJump, 0, 0, 0, 0)}
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		return f.compare(e, when)
	case ir.OpDefine:
		if f.canInline(e.Define) {
			var jumps []int
			f.inline(e, func(body *ir.Expr) { jumps = f.jump(body, when) })
			return jumps
		}
	case ir.OpIf:
		return f.jumpIfElse(e, func(x *ir.Expr) []int { return f.jump(x, when) })
	}
	op := readJumps[e.Op].no
	if when {
		op = readJumps[e.Op].yes
	}
	switch {
	case e.Op == ir.OpQuery && (e.Query.Word == "some" || e.Query.Word == "no" || e.Query.Word == "every" && e.Query.Where != nil):
		return f.quantifierJumps(e.Query, when)
	case e.Op == ir.OpField && len(e.Args) == 1 && e.Int == int64(int16(e.Int)):
		f.coverField(e.Kind, int(e.Int))
		return []int{f.emit(op, f.value(e.Args[0]), int(uint8(e.Int>>8)), int(uint8(e.Int)), 0)}
	case e.Op == ir.OpRecordGet && program.ZeroOf(e.Type) == 0:
		return []int{f.emit(op, f.value(e.Args[0]), 0, int(e.Int), 0)}
	case e.Op == ir.OpHas && len(e.Args) == 1 && e.Effect.Index == int(int16(e.Effect.Index)):
		return []int{f.emit(op, f.value(e.Args[0]), int(uint8(e.Effect.Index>>8)), int(uint8(e.Effect.Index)), 0)}
	}
	op = boolJumps[when]
	if id, core := program.BuiltinFuncs[e.Name]; e.Op == ir.OpBuiltin && core && id == program.FnMapped {
		op = program.OpJumpNoMap
		if when {
			op = program.OpJumpMapped
		}
		return []int{f.emit(op, 0, 0, 0, 0)}
	}
	return []int{f.emit(op, f.value(e), 0, 0, 0)}
}

// jumpIfElse compiles the jumps of an `if` expression: those of one value, or those of the other.
func (f *chunkBuilder) jumpIfElse(e *ir.Expr, jump func(*ir.Expr) []int) []int {
	no := f.jump(e.Args[0], false)
	jumps := jump(e.Args[1])
	end := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch(no)
	jumps = append(jumps, jump(e.Args[2])...)
	f.patch([]int{end})
	return jumps
}

// jumpNone compiles the jumps that are taken when e is none, or when it is not.
func (f *chunkBuilder) jumpNone(e *ir.Expr, when bool) []int {
	saved, mark := f.at, f.next
	e = f.c.foldIf(e)
	f.at = e.Pos
	defer func() { f.at, f.next = saved, mark }()
	field, plain := program.OpJumpFieldSome, program.OpJumpSome
	if when {
		field, plain = program.OpJumpFieldNone, program.OpJumpNone
	}
	if r, ok := f.invariantReg(e); ok {
		return []int{f.emit(plain, r, 0, 0, 0)}
	}
	switch {
	case f.c.isConstant(e):
		if (e.Int == program.None) != when {
			return nil
		}
		return []int{f.emit(program.OpJump, 0, 0, 0, 0)}
	case e.Op == ir.OpIf:
		return f.jumpIfElse(e, func(x *ir.Expr) []int { return f.jumpNone(x, when) })
	case e.Op == ir.OpDefine && f.canInline(e.Define):
		var jumps []int
		f.inline(e, func(body *ir.Expr) { jumps = f.jumpNone(body, when) })
		return jumps
	case e.Op == ir.OpField && len(e.Args) == 1 && e.Int == int64(int16(e.Int)):
		f.coverField(e.Kind, int(e.Int))
		return []int{f.emit(field, f.value(e.Args[0]), int(uint8(e.Int>>8)), int(uint8(e.Int)), 0)}
	}
	return []int{f.emit(plain, f.value(e), 0, 0, 0)}
}

// compare compiles the jump of a comparison; if one side is a small constant, it goes into the instruction.
func (f *chunkBuilder) compare(e *ir.Expr, when bool) []int {
	x, y := e.Args[0], e.Args[1]
	equality := e.Op == ir.OpEq || e.Op == ir.OpNe
	for i, k := range []*ir.Expr{y, x} {
		other := []*ir.Expr{x, y}[i]
		k = f.c.resolveAlias(k)
		if !f.c.isConstant(k) {
			continue
		}
		if k.Int == program.None && equality {
			return f.jumpNone(other, (e.Op == ir.OpEq) == when)
		}
		if other.Op == ir.OpField && len(other.Args) == 1 && other.Int == int64(uint8(other.Int)) &&
			k.Type.Kind != ir.Text && k.Int == int64(int8(k.Int)) && equality {
			f.coverField(other.Kind, int(other.Int))
			op := program.OpJumpIsNot
			if (e.Op == ir.OpEq) == when {
				op = program.OpJumpIs
			}
			return []int{f.emit(op, f.value(other.Args[0]), int(other.Int), int(uint8(k.Int)), 0)}
		}
		if k.Type.Kind != ir.Text && k.Int == int64(int16(k.Int)) {
			op := constJumps[e.Op].no
			if when {
				op = constJumps[e.Op].yes
			}
			if i == 1 {
				op = mirrored[op]
			}
			r := f.value(other)
			return []int{f.emit(op, r, int(uint8(k.Int>>8)), int(uint8(k.Int)), 0)}
		}
	}
	a := f.value(x)
	b := f.value(y)
	if equality {
		op := equalityJumps[e.Op].no
		if when {
			op = equalityJumps[e.Op].yes
		}
		return []int{f.emit(op, a, b, 0, 0)}
	}
	// Not a < b is b <= a, not a <= b is b < a.
	op := program.OpJumpLt
	if (e.Op == ir.OpLe) == when {
		op = program.OpJumpLe
	}
	if !when {
		a, b = b, a
	}
	return []int{f.emit(op, a, b, 0, 0)}
}
