package compile

import (
	"slices"

	"arbiter/interp/ir"
)

// This file inlines the calls of small defines: most defines are tiny, and calling one costs more than its body.

// The size of an inlined define is limited, in expressions. A define of one or two creatures is mostly cheap to call
// again, because its result is cached; one with three parameters is rarely called again with the same arguments, so its
// limit is higher. maxInlined is the maximum nesting depth. A chunk that is already long inlines nothing more, because
// defines that refer to each other many times would fill the memory.
const (
	maxInline     = 16
	maxInlineMany = 48 // of a define with three or more parameters
	maxInlined    = 6
	maxInlineInto = 1000 // instructions
)

// inlines says whether a define is inlined: it is small, has no variables of its own, and uses only its parameters.
func (f *fn) inlines(d *ir.Define) bool {
	if d.Func == nil || f.c.neutral(d.Part) || len(f.inside) >= maxInlined || len(f.code) > maxInlineInto {
		return false
	}
	is, known := f.c.small[d]
	if !known {
		most := maxInline
		if len(d.Func.Params) >= 3 {
			most = maxInlineMany
		}
		is = little(d.Func.Body, most)
		f.c.small[d] = is
	}
	return is && !slices.Contains(f.inside, d)
}

// inlined inlines the body of a define: its parameters are the registers of the arguments.
func (f *fn) inlined(e *ir.Expr, compile func(body *ir.Expr)) {
	d := e.Define
	var regs []int
	for i := range defineParams(d) {
		switch {
		case i < len(d.Func.Params) && !reads(d.Func.Body, d.Func.Params[i]) && (i >= len(e.Args) || idle(e.Args[i])):
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
	f.self, f.actor, f.inst, f.check, f.acts = regs[0], -1, -1, false, false
	f.in = f.inliningOf(e)
	f.inside = append(f.inside, d)
	f.cover(d.Part)
	compile(d.Func.Body)
	for _, v := range d.Func.Params {
		delete(f.vars, v)
	}
	f.self, f.actor, f.inst, f.check, f.acts, f.inside, f.in = saved.self, saved.actor, saved.inst, saved.check, saved.acts, saved.inside, saved.in
}

// idle says whether an argument can be left uncomputed.
func idle(e *ir.Expr) bool { return e == nil || e.Op == ir.OpConst || e.Op == ir.OpVar }

// reads says whether an expression reads a variable.
func reads(e *ir.Expr, v *ir.Var) (found bool) {
	walkExpr(e, func(e *ir.Expr) { found = found || e.Op == ir.OpVar && e.Var == v })
	return found
}

func defineParams(d *ir.Define) int {
	if d.Func == nil {
		return 1
	}
	return max(1, len(d.Func.Params))
}
