package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file computes the bonus and the difficulty of a check so that they can be explained: each number of a sum stays
// in a register of its own until the check has been judged.

// maxAddends limits the registers that a sum takes; a longer one is explained as a whole.
const maxAddends = 8

// addend is a number of a sum, which may be subtracted.
type addend struct {
	of         *ir.Expr
	subtracted bool
}

// checkSum leaves the value of a check's bonus or difficulty in dst and returns the numbers that it is the sum of.
// Their registers, relative to block, are taken until next is reset.
func (f *chunkBuilder) checkSum(e *ir.Expr, dst, block int) []program.Addend {
	list := f.flatten(e, false, nil)
	if len(list) < 2 || len(list) > maxAddends {
		f.expr(e, dst)
		if e == nil {
			return nil
		}
		return []program.Addend{f.newAddend(addend{of: e})}
	}
	saved := f.at
	f.at = e.Pos
	sum, constant := make([]program.Addend, len(list)), int64(0)
	for i, a := range list {
		x := f.newAddend(a)
		if f.isSmallConstant(a.of) {
			if x.Const = a.of.Int; a.subtracted {
				x.Const = -x.Const
			}
			constant += x.Const
		} else {
			r := f.temp()
			f.expr(a.of, r)
			x.Reg = int32(r - block)
		}
		sum[i] = x
	}
	total := -1 // the register of the sum so far
	for i, a := range list {
		r := block + int(sum[i].Reg)
		switch {
		case sum[i].Reg == program.NoAddendReg:
			continue
		case total < 0 && !a.subtracted:
			total = r
			continue
		case total < 0:
			f.emit(program.OpNeg, dst, r, 0, 0)
		case a.subtracted:
			f.emit(program.OpSub, dst, total, r, 0)
		default:
			f.emit(program.OpAdd, dst, total, r, 0)
		}
		total = dst
	}
	switch {
	case total < 0:
		f.load(dst, constant)
	case constant != int64(int32(constant)):
		r := f.temp()
		f.load(r, constant)
		f.emit(program.OpAdd, dst, total, r, 0)
	case constant != 0:
		f.emit(program.OpAddInt, dst, total, 0, int32(constant))
	case total != dst:
		f.emit(program.OpCopy, dst, total, 0, 0)
	}
	f.at = saved
	return sum
}

// flatten lists the numbers that an expression adds up.
func (f *chunkBuilder) flatten(e *ir.Expr, subtracted bool, list []addend) []addend {
	if e = f.c.foldIf(e); e == nil {
		return list
	}
	switch {
	case e.Type.Kind != ir.Number || f.isSmallConstant(e):
	case e.Op == ir.OpAdd:
		return f.flatten(e.Args[1], subtracted, f.flatten(e.Args[0], subtracted, list))
	case e.Op == ir.OpSub:
		return f.flatten(e.Args[1], !subtracted, f.flatten(e.Args[0], subtracted, list))
	case e.Op == ir.OpNeg:
		return f.flatten(e.Args[0], !subtracted, list)
	}
	return append(list, addend{e, subtracted})
}

func (f *chunkBuilder) isSmallConstant(e *ir.Expr) bool {
	return f.c.isConstant(e) && e.Int == int64(int32(e.Int))
}

// newAddend describes a number of a sum. If it is a variable, its stats were read where that was set.
func (f *chunkBuilder) newAddend(a addend) program.Addend {
	x := program.Addend{Pos: a.of.Pos, Stat: statOf(a.of), Subtracted: a.subtracted, Reg: program.NoAddendReg, Reads: []ir.Pos{a.of.Pos}}
	if a.of.Op != ir.OpVar {
		return x
	}
	for _, e := range f.assigned[a.of.Var] {
		x.Reads = append(x.Reads, e.Pos)
		x.Stat = statOf(e)
	}
	return x
}
