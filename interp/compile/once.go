package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file computes loop-invariant expressions of a loop over a list only once: the reach of a weapon while the
// squares around its wielder are tested, the squares of a path for each creature that might be next to it.
//
// An expression that is worth it gets a register of its own, which is Absent when the loop begins. Where the value is
// used, it is computed if it is still Absent. So nothing is computed that is not used, nothing earlier than before, and
// errors stay where they are. This applies only to code that only reads, and to nothing that makes an object.

const (
	worthOnce = 4  // minimum cost of what is computed once, in instructions
	mostOnce  = 12 // maximum number of those in a loop
	mostLooks = 5000
)

// site is an expression and where it is compiled: the body of an inlined define is compiled in many places.
type site struct {
	in int // the inlined call, 0: none
	e  *ir.Expr
}

// inliningOf numbers an inlined call within the one around it.
func (f *fn) inliningOf(call *ir.Expr) int {
	if f.inlinings == nil {
		f.inlinings = map[site]int{}
	}
	at := site{f.in, call}
	if f.inlinings[at] == 0 {
		f.inlinings[at] = 1 + len(f.inlinings)
	}
	return f.inlinings[at]
}

// once prepares what the loop of a query computes once, and returns the function that ends that.
func (f *fn) once(q *ir.Query) (end func()) {
	l := &loop{f: f, on: map[*ir.Var]uint64{}}
	x := l.within(q)
	if l.acts || f.next > maxRegs/2 {
		return func() {}
	}
	sites := x.worth[:min(len(x.worth), mostOnce)]
	if f.onces == nil {
		f.onces = map[site]int{}
	}
	for _, at := range sites {
		f.onces[at] = f.temp()
		f.load(f.onces[at], program.Absent)
	}
	return func() {
		for _, at := range sites {
			delete(f.onces, at)
		}
	}
}

// reckoned returns the register of an expression that is computed once, and emits the code that computes it; ok is
// false for others.
func (f *fn) reckoned(e *ir.Expr) (r int, ok bool) {
	at := site{f.in, e}
	if r, ok = f.onces[at]; !ok {
		return 0, false
	}
	delete(f.onces, at)
	there := f.emit(program.OpJumpGiven, r, 0, 0, 0)
	f.expr(e, r)
	f.patch([]int{there})
	f.onces[at] = r
	return r, true
}

// loop searches a loop for invariant expressions.
type loop struct {
	f    *fn
	on   map[*ir.Var]uint64 // the loops that a variable depends on, from this one inwards; one bit each
	self uint64             // those that self depends on
	bits uint64             // bits in use
	acts bool               // something in it does not only read, or it is too large to analyze
	seen int                // expressions
}

// finding is the result for an expression: the loops that it depends on, its approximate cost, and the subexpressions
// worth computing once because they depend on no loop.
type finding struct {
	on    uint64
	cost  int
	worth []site
}

func (x *finding) add(y finding) {
	x.on |= y.on
	x.cost += y.cost
	x.worth = append(x.worth, y.worth...)
}

// within analyzes what a query computes for its elements.
func (l *loop) within(q *ir.Query) (x finding) {
	bit := l.bits + 1
	l.bits = l.bits<<1 | 1
	if q.Var != nil {
		l.on[q.Var] = bit
	}
	for _, e := range []*ir.Expr{q.Where, q.Sort, q.Of} {
		x.add(l.look(e))
	}
	x.on &^= bit
	return x
}

// look analyzes an expression as it is compiled, including inlined calls.
func (l *loop) look(e *ir.Expr) (x finding) {
	f := l.f
	if l.seen++; l.seen > mostLooks {
		l.acts = true
	}
	if e = f.c.settled(e); e == nil || l.acts {
		return x
	}
	cost, known := costs[e.Op]
	if !known {
		l.acts = true
	}
	switch {
	case e.Op == ir.OpVar:
		on, loops := l.on[e.Var]
		if !loops && e.Var != nil && e.Var.Kind == ir.VarSelf {
			on = l.self
		}
		return finding{on: on}
	case e.Op == ir.OpDefine && f.inlines(e.Define):
		x, cost = l.inside(e), 0
	case e.Query != nil:
		x = l.look(e.Query.In)
		x.add(l.within(e.Query))
	default:
		for _, a := range e.Args {
			x.add(l.look(a))
		}
		if e.Op == ir.OpBuiltin && instruction(e.Name) || e.Op == ir.OpHas && len(e.Args) == 1 {
			cost = 1
		}
	}
	if x.cost += cost; x.on == 0 && x.cost >= worthOnce {
		x.worth = []site{{f.in, e}}
	}
	return x
}

// instruction says whether a function is a single instruction.
func instruction(name string) bool {
	id, core := program.Functions[name]
	return name == "length" || name == "min" || name == "max" || core && id == program.FnMapped
}

// inside analyzes an inlined call: its arguments, then the body with them.
func (l *loop) inside(e *ir.Expr) (x finding) {
	f, d := l.f, e.Define
	var on []uint64
	for _, a := range e.Args {
		y := l.look(a)
		on = append(on, y.on)
		x.add(y)
	}
	for i, v := range d.Func.Params {
		if i < len(on) {
			l.on[v] = on[i]
		}
	}
	self, in := l.self, f.in
	if l.self = 0; len(on) > 0 {
		l.self = on[0]
	}
	f.in = f.inliningOf(e)
	f.inside = append(f.inside, d)
	x.add(l.look(d.Func.Body))
	f.inside = f.inside[:len(f.inside)-1]
	l.self, f.in = self, in
	return x
}

// costs are approximate costs of operations without their arguments, in instructions. Operations not listed act or make
// an object.
var costs = map[ir.Op]int{
	ir.OpConst: 0, ir.OpVar: 0, ir.OpField: 1, ir.OpResource: 1, ir.OpStat: 4, ir.OpDefine: 4, ir.OpTable: 4, ir.OpHas: 4, ir.OpMemory: 4,
	ir.OpCan: 5, ir.OpProperty: 5, ir.OpSpent: 5, ir.OpList: 4, ir.OpRecordGet: 1, ir.OpAdd: 1, ir.OpSub: 1, ir.OpMul: 1, ir.OpDiv: 1, ir.OpNeg: 1, ir.OpNot: 1,
	ir.OpEq: 1, ir.OpNe: 1, ir.OpLt: 1, ir.OpLe: 1, ir.OpAnd: 1, ir.OpOr: 1, ir.OpIf: 1, ir.OpOtherwise: 1, ir.OpEnumAdd: 1,
	ir.OpDiceAdd: 1, ir.OpDiceMul: 1, ir.OpConcat: 5, ir.OpLess: 5, ir.OpIn: 5, ir.OpSame: 5, ir.OpIndex: 4, ir.OpQuery: 10, ir.OpBuiltin: 5,
}
