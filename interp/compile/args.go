package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file puts the arguments of calls into adjacent registers.

// readsRegister says whether an expression reads a register as a variable.
func (f *chunkBuilder) readsRegister(e *ir.Expr, r int) (found bool) {
	ir.WalkExpr(e, func(e *ir.Expr) {
		found = found || e.Op == ir.OpVar && e.Var != nil && f.regOf(e.Var) == r
	})
	return found
}

// args compiles n arguments and returns the first of their registers.
func (f *chunkBuilder) args(args []*ir.Expr, n int) int {
	if base, ok := f.adjacentRegs(args, n); ok {
		return base
	}
	base := f.block(n)
	for i := range n {
		f.arg(args, i, base+i)
	}
	return base
}

// separateRegs returns the registers of n arguments (at least two, up to most) that are not adjacent; otherwise nil.
func (f *chunkBuilder) separateRegs(args []*ir.Expr, n, limit int) (regs []int) {
	if _, together := f.adjacentRegs(args, n); together || n < 2 || n > limit || len(args) != n || slices.Contains(args, nil) {
		return nil
	}
	for _, a := range args {
		regs = append(regs, f.value(a))
	}
	return regs
}

// adjacentRegs says whether all n arguments are variables in adjacent registers already, and where.
func (f *chunkBuilder) adjacentRegs(args []*ir.Expr, n int) (base int, ok bool) {
	if n == 0 || len(args) < n {
		return 0, false
	}
	for i, a := range args[:n] {
		if a == nil || a.Op != ir.OpVar || a.Var == nil {
			return 0, false
		}
		r := f.regOf(a.Var)
		if i == 0 {
			base = r
		}
		if r < 0 || r != base+i {
			return 0, false
		}
	}
	return base, true
}

// arg compiles the i-th argument; a missing one is none.
func (f *chunkBuilder) arg(args []*ir.Expr, i, dst int) {
	if i < len(args) {
		f.expr(args[i], dst)
		return
	}
	f.emit(program.OpLoadNone, dst, 0, 0, 0)
}

// exprOrAbsent compiles an argument that may be omitted.
func (f *chunkBuilder) exprOrAbsent(e *ir.Expr, dst int) {
	if e == nil {
		f.load(dst, program.Absent)
		return
	}
	f.expr(e, dst)
}

// creatureReg is the register of the creature in question: the first argument, else self, else none.
func (f *chunkBuilder) creatureReg(args []*ir.Expr) int {
	if len(args) > 0 && args[0] != nil {
		return f.value(args[0])
	}
	if f.self >= 0 {
		return f.self
	}
	r := f.temp()
	f.load(r, program.None)
	return r
}

// emitWithArgs emits an operation on arguments in adjacent registers.
func (f *chunkBuilder) emitWithArgs(op program.Op, args []*ir.Expr, dst int, d int32) {
	f.emit(op, dst, f.args(args, len(args)), len(args), d)
}

// callArgs puts those of a call into adjacent registers: the actor, then the parameters.
func (f *chunkBuilder) callArgs(k *ir.Call) int {
	base := f.block(1 + len(k.Proc.Params))
	switch {
	case k.Who != nil:
		f.expr(k.Who, base)
	case f.self >= 0:
		f.emit(program.OpCopy, base, f.self, 0, 0)
	default:
		f.load(base, program.None)
	}
	for i := range k.Proc.Params {
		if i < len(k.Args) {
			f.exprOrAbsent(k.Args[i], base+1+i)
		} else {
			f.load(base+1+i, program.Absent)
		}
	}
	return base
}

func (f *chunkBuilder) call(k *ir.Call, dst int) {
	mark := f.next
	base := f.callArgs(k)
	command := 0
	if f.callsAreCommands {
		command = 1
	}
	f.emit(program.OpCall, dst, base, command, int32(k.Proc.Index))
	f.next = mark
}

func (f *chunkBuilder) plan(x *ir.Plan, dst int) {
	base := f.block(len(x.Captured))
	for i, v := range x.Captured {
		f.variable(v, base+i)
	}
	f.emit(program.OpMakePlan, dst, base, len(x.Captured), f.c.plans[x])
}
