package compile

import (
	"slices"

	"arbiter/interp/ir"
)

// This file inlines the calls of small defines: most defines are tiny, and calling one costs more than its body.

// The size of an inlined define is limited, in expressions. A define of one or two creatures is mostly cheap to call
// again, because its result is cached; one with three parameters is rarely called again with the same arguments, so its
// limit is higher. maxInlineDepth is the maximum nesting depth. A chunk that is already long inlines nothing more,
// because defines that refer to each other many times would fill the memory.
const (
	maxInlineSize     = 16
	maxInlineSizeMany = ir.MaxSmall // of a define with three or more parameters
	maxInlineDepth    = 6
	maxInlineInto     = 1000 // instructions
)

// canInline says whether a define is inlined: it is small, has no variables of its own, and uses only its parameters.
func (f *chunkBuilder) canInline(d *ir.Define) bool {
	if d.Func == nil || f.c.isNeutral(d.Part) || len(f.inlineStack) >= maxInlineDepth || len(f.code) > maxInlineInto {
		return false
	}
	is, known := f.c.inlinable[d]
	if !known {
		limit := maxInlineSize
		if len(d.Func.Params) >= 3 {
			limit = maxInlineSizeMany
		}
		size := d.Func.Small
		if size == 0 {
			size = ir.SmallnessOf(d.Func.Body)
		}
		is = size.AtMost(limit)
		f.c.inlinable[d] = is
	}
	return is && !slices.Contains(f.inlineStack, d)
}

// inline inlines the body of a define: its parameters are the registers of the arguments.
func (f *chunkBuilder) inline(e *ir.Expr, compile func(body *ir.Expr)) {
	d := e.Define
	var regs []int
	for i := range defineParams(d) {
		switch {
		case i < len(d.Func.Params) && !readsVar(d.Func.Body, d.Func.Params[i]) && (i >= len(e.Args) || canSkip(e.Args[i])):
			regs = append(regs, -1)
		case i < len(e.Args) && e.Args[i] != nil:
			regs = append(regs, f.value(e.Args[i]))
		default:
			r := f.temp()
			f.load(r, ir.None)
			regs = append(regs, r)
		}
	}
	saved := *f
	for i, v := range d.Func.Params {
		f.vars[v] = regs[i]
	}
	f.self, f.actor, f.inst, f.interruptsCheck, f.mayAct = regs[0], -1, -1, false, false
	f.inlining = f.inliningOf(e)
	f.inlineStack = append(f.inlineStack, d)
	f.cover(d.Part)
	compile(d.Func.Body)
	for _, v := range d.Func.Params {
		delete(f.vars, v)
	}
	f.self, f.actor, f.inst, f.interruptsCheck, f.mayAct, f.inlineStack, f.inlining = saved.self, saved.actor, saved.inst, saved.interruptsCheck, saved.mayAct, saved.inlineStack, saved.inlining
}

// canSkip says whether an argument can be left uncomputed.
func canSkip(e *ir.Expr) bool { return e == nil || e.Op == ir.OpConst || e.Op == ir.OpVar }

// readsVar says whether an expression reads a variable.
func readsVar(e *ir.Expr, v *ir.Var) (found bool) {
	ir.WalkExpr(e, func(e *ir.Expr) { found = found || e.Op == ir.OpVar && e.Var == v })
	return found
}

func defineParams(d *ir.Define) int {
	if d.Func == nil {
		return 1
	}
	return max(1, len(d.Func.Params))
}
