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
	minInvariantCost = 4  // minimum cost of what is computed once, in instructions
	maxInvariants    = 12 // maximum number of those in a loop
	maxLoopExprs     = 5000
)

// occurrence is an expression and where it is compiled: the body of an inlined define is compiled in many places.
type occurrence struct {
	inlining int // the inlined call, 0: none
	e        *ir.Expr
}

// inliningOf numbers an inlined call within the one around it.
func (f *chunkBuilder) inliningOf(call *ir.Expr) int {
	if f.inlinings == nil {
		f.inlinings = map[occurrence]int{}
	}
	at := occurrence{f.inlining, call}
	if f.inlinings[at] == 0 {
		f.inlinings[at] = 1 + len(f.inlinings)
	}
	return f.inlinings[at]
}

// memoizeInvariants prepares what the loop of a query computes once, and returns the function that ends that.
func (f *chunkBuilder) memoizeInvariants(q *ir.Query) (end func()) {
	l := &loopAnalysis{f: f, varLoops: map[*ir.Var]uint64{}}
	x := l.analyzeQuery(q)
	if l.unsuitable || f.next > maxRegs/2 {
		return func() {}
	}
	sites := x.invariants[:min(len(x.invariants), maxInvariants)]
	if f.invariants == nil {
		f.invariants = map[occurrence]int{}
	}
	for _, at := range sites {
		f.invariants[at] = f.temp()
		f.load(f.invariants[at], program.Absent)
	}
	return func() {
		for _, at := range sites {
			delete(f.invariants, at)
		}
	}
}

// invariantReg returns the register of an expression that is computed once, and emits the code that computes it; ok is
// false for others.
func (f *chunkBuilder) invariantReg(e *ir.Expr) (r int, ok bool) {
	at := occurrence{f.inlining, e}
	if r, ok = f.invariants[at]; !ok {
		return 0, false
	}
	delete(f.invariants, at)
	there := f.emit(program.OpJumpGiven, r, 0, 0, 0)
	f.expr(e, r)
	f.patch([]int{there})
	f.invariants[at] = r
	return r, true
}

// loopAnalysis searches a loop for invariant expressions.
type loopAnalysis struct {
	f          *chunkBuilder
	varLoops   map[*ir.Var]uint64 // the loops that a variable depends on, from this one inwards; one bit each
	selfLoops  uint64             // those that self depends on
	usedBits   uint64             // bits in use
	unsuitable bool               // something in it does not only read, or it is too large to analyze
	seen       int                // expressions
}

// exprInfo is the result for an expression: the loops that it depends on, its approximate cost, and the subexpressions
// worth computing once because they depend on no loop.
type exprInfo struct {
	loops      uint64
	cost       int
	invariants []occurrence
}

func (x *exprInfo) add(y exprInfo) {
	x.loops |= y.loops
	x.cost += y.cost
	x.invariants = append(x.invariants, y.invariants...)
}

// analyzeQuery analyzes what a query computes for its elements.
func (l *loopAnalysis) analyzeQuery(q *ir.Query) (x exprInfo) {
	bit := l.usedBits + 1
	l.usedBits = l.usedBits<<1 | 1
	if q.Var != nil {
		l.varLoops[q.Var] = bit
	}
	for _, e := range []*ir.Expr{q.Where, q.Sort, q.Of} {
		x.add(l.analyze(e))
	}
	x.loops &^= bit
	return x
}

// analyze analyzes an expression as it is compiled, including inlined calls.
func (l *loopAnalysis) analyze(e *ir.Expr) (x exprInfo) {
	f := l.f
	if l.seen++; l.seen > maxLoopExprs {
		l.unsuitable = true
	}
	if e = f.c.foldIf(e); e == nil || l.unsuitable {
		return x
	}
	cost, known := opCosts[e.Op]
	if !known {
		l.unsuitable = true
	}
	switch {
	case e.Op == ir.OpVar:
		on, loops := l.varLoops[e.Var]
		if !loops && e.Var != nil && e.Var.Kind == ir.VarSelf {
			on = l.selfLoops
		}
		return exprInfo{loops: on}
	case e.Op == ir.OpDefine && f.canInline(e.Define):
		x, cost = l.analyzeInlined(e), 0
	case e.Query != nil:
		x = l.analyze(e.Query.In)
		x.add(l.analyzeQuery(e.Query))
	default:
		for _, a := range e.Args {
			x.add(l.analyze(a))
		}
		if e.Op == ir.OpBuiltin && isInstruction(e.Name) || e.Op == ir.OpHas && len(e.Args) == 1 {
			cost = 1
		}
	}
	if x.cost += cost; x.loops == 0 && x.cost >= minInvariantCost {
		x.invariants = []occurrence{{f.inlining, e}}
	}
	return x
}

// isInstruction says whether a function is a single instruction.
func isInstruction(name string) bool {
	id, core := program.BuiltinFuncs[name]
	return name == "length" || name == "min" || name == "max" || core && id == program.FnMapped
}

// analyzeInlined analyzes an inlined call: its arguments, then the body with them.
func (l *loopAnalysis) analyzeInlined(e *ir.Expr) (x exprInfo) {
	f, d := l.f, e.Define
	var on []uint64
	for _, a := range e.Args {
		y := l.analyze(a)
		on = append(on, y.loops)
		x.add(y)
	}
	for i, v := range d.Func.Params {
		if i < len(on) {
			l.varLoops[v] = on[i]
		}
	}
	self, in := l.selfLoops, f.inlining
	if l.selfLoops = 0; len(on) > 0 {
		l.selfLoops = on[0]
	}
	f.inlining = f.inliningOf(e)
	f.inlineStack = append(f.inlineStack, d)
	x.add(l.analyze(d.Func.Body))
	f.inlineStack = f.inlineStack[:len(f.inlineStack)-1]
	l.selfLoops, f.inlining = self, in
	return x
}

// opCosts are approximate costs of operations without their arguments, in instructions. Operations not listed act or
// make an object.
var opCosts = map[ir.Op]int{
	ir.OpConst: 0, ir.OpVar: 0, ir.OpField: 1, ir.OpResource: 1, ir.OpStat: 4, ir.OpDefine: 4, ir.OpTable: 4, ir.OpHas: 4, ir.OpMemory: 4,
	ir.OpCan: 5, ir.OpProperty: 5, ir.OpSpent: 5, ir.OpList: 4, ir.OpRecordGet: 1, ir.OpAdd: 1, ir.OpSub: 1, ir.OpMul: 1, ir.OpDiv: 1, ir.OpNeg: 1, ir.OpNot: 1,
	ir.OpEq: 1, ir.OpNe: 1, ir.OpLt: 1, ir.OpLe: 1, ir.OpAnd: 1, ir.OpOr: 1, ir.OpIf: 1, ir.OpOtherwise: 1, ir.OpEnumAdd: 1,
	ir.OpDiceAdd: 1, ir.OpDiceMul: 1, ir.OpConcat: 5, ir.OpListDiff: 5, ir.OpIn: 5, ir.OpListEq: 5, ir.OpIndex: 4, ir.OpQuery: 10, ir.OpBuiltin: 5,
}
