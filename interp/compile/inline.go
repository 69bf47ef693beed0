package compile

import (
	"slices"

	"arbiter/interp/ir"
)

// This file compiles the call of a small define in place: most defines are a few words long, and calling one costs more
// than what it says.

// A define that is compiled in place has at most so many expressions. What it is asked about decides which: to ask it again
// about one creature, or one creature and another, mostly costs little, for its answer is remembered; that three things are
// asked about again is rare. maxInlined is how deep one may lie in another. In a chunk that is long already nothing more is
// compiled in place: defines that name each other many times over would fill the memory.
const (
	maxInline     = 16
	maxInlineMany = 48 // of a define that is asked about three things or more
	maxInlined    = 6
	maxInlineInto = 1000 // instructions
)

// inlines says whether a define is compiled in place: it is small, has no variables of its own, and asks for nothing but
// its parameters.
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

// inlined compiles the body of a define in place: its parameters are the registers in which the arguments lie.
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

// idle says whether nothing is lost when an argument is not computed.
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
