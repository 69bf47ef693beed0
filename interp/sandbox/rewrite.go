package sandbox

import (
	"go.starlark.net/syntax"
)

// rewrite changes the syntax tree of a file so that everything that can use more than a little time or memory asks the
// meter first. Every node keeps its position.
//
// The meter is a local variable of a function that needs it. Run passes it as a hidden argument; otherwise the function
// fetches it, which also checks the depth of calls:
//
//	def f(x, *, METER = 0):
//	    if not METER:
//	        METER = $meter()
//
// Lambdas and the top level fetch it wherever they need it.
func rewrite(f *syntax.File, bound map[string]bool) {
	r := &rewriter{bound: bound}
	r.stmts(f.Stmts)
}

type rewriter struct {
	bound          map[string]bool
	hasLocalMeter  bool // the meter is a local variable
	needsMeter     bool // the current function needs the meter
	callsFunctions bool // the current lambda calls functions
}

// meter returns an expression for the meter.
func (r *rewriter) meter(at syntax.Position) syntax.Expr {
	r.needsMeter = true
	if r.hasLocalMeter {
		return &syntax.Ident{NamePos: at, Name: paramName}
	}
	return call(at, meterName)
}

func call(at syntax.Position, name string, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// ask returns METER OP x.
func (r *rewriter) ask(op syntax.Token, at syntax.Position, x syntax.Expr) syntax.Expr {
	return &syntax.BinaryExpr{X: r.meter(at), OpPos: at, Op: op, Y: x}
}

func (r *rewriter) stmts(stmts []syntax.Stmt) {
	for _, s := range stmts {
		r.stmt(s)
	}
}

func (r *rewriter) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.True)
		r.stmts(s.False)
	case *syntax.AssignStmt:
		if s.Op == syntax.EQ {
			s.RHS = r.expr(s.RHS)
			s.LHS = r.target(s.LHS, askAssigned)
			return
		}
		op := s.Op - syntax.PLUS_EQ + syntax.PLUS
		if nameOnlyOps[s.Op] { // x OP= y to x = x OP y: the interpreter does not pass these operators to values other than its own
			x := s.LHS.(*syntax.Ident)
			s.Op, s.RHS = syntax.EQ, r.binary(&syntax.BinaryExpr{X: &syntax.Ident{NamePos: x.NamePos, Name: x.Name}, OpPos: s.OpPos, Op: op, Y: s.RHS})
			return
		}
		s.LHS = r.target(s.LHS, askUpdated)
		free := op == syntax.GTGT || isSmallInt(s.RHS) && isCheapWithInt(op)
		s.RHS = r.expr(s.RHS)
		if !free {
			s.RHS = r.ask(askAugmented, s.OpPos, s.RHS)
		}
	case *syntax.ForStmt:
		s.X = r.expr(s.X)
		s.Vars = r.target(s.Vars, askAssigned)
		r.stmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.Body)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = r.expr(s.Result)
		}
	case *syntax.DefStmt:
		r.def(s)
	}
}

// nameOnlyOps are the augmented assignments that are allowed only for names; see checker.
var nameOnlyOps = map[syntax.Token]bool{syntax.PERCENT_EQ: true, syntax.LTLT_EQ: true}

// target rewrites the target of an assignment.
func (r *rewriter) target(e syntax.Expr, op syntax.Token) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = r.target(e.X, op)
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i], op)
		}
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i], op)
		}
	case *syntax.IndexExpr:
		e.X = r.ask(op, e.Lbrack, r.expr(e.X))
		e.Y = r.expr(e.Y)
	case *syntax.DotExpr:
		return r.expr(e)
	}
	return e
}

// def rewrites a function, and adds the meter as a parameter if it needs it.
func (r *rewriter) def(s *syntax.DefStmt) {
	r.params(s.Params)
	inner := rewriter{bound: r.bound, hasLocalMeter: true}
	inner.stmts(s.Body)
	frame := frameBytes(s.Params, s.Body)
	kwargs := paramOf(s.Params, syntax.STARSTAR)
	if !inner.needsMeter && frame <= maxFreeFrame && kwargs == nil {
		return
	}
	at := s.Name.NamePos
	meter := func() *syntax.Ident { return &syntax.Ident{NamePos: at, Name: paramName} }
	hidden := &syntax.BinaryExpr{X: meter(), OpPos: at, Op: syntax.EQ, Y: intLiteral(at, 0)}

	// The meter is a keyword-only parameter, before **kwargs.
	var params, last []syntax.Expr
	star := false
	for _, p := range s.Params {
		u, ok := p.(*syntax.UnaryExpr)
		if ok && u.Op == syntax.STARSTAR {
			last = append(last, p)
			continue
		}
		star = star || ok
		params = append(params, p)
	}
	if !star {
		params = append(params, &syntax.UnaryExpr{OpPos: at, Op: syntax.STAR})
	}
	s.Params = append(append(params, hidden), last...)

	first := []syntax.Stmt{&syntax.IfStmt{
		If:   at,
		Cond: &syntax.UnaryExpr{OpPos: at, Op: syntax.NOT, X: meter()},
		True: []syntax.Stmt{&syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: meter(), RHS: call(at, meterName)}},
	}}
	pay := func(op syntax.Token, x syntax.Expr) {
		first = append(first, &syntax.ExprStmt{X: &syntax.BinaryExpr{X: meter(), OpPos: at, Op: op, Y: x}})
	}
	if frame > maxFreeFrame {
		pay(askChargeBytes, intLiteral(at, frame))
	}
	if kwargs != nil {
		pay(askChargeNew, &syntax.Ident{NamePos: at, Name: kwargs.Name})
	}
	doc := 0
	if isDoc(s.Body) {
		doc = 1
	}
	s.Body = append(append(s.Body[:doc:doc], first...), s.Body[doc:]...)
}

func isDoc(body []syntax.Stmt) bool {
	if e, ok := body[0].(*syntax.ExprStmt); ok {
		l, ok := e.X.(*syntax.Literal)
		return ok && l.Token == syntax.STRING
	}
	return false
}

func intLiteral(at syntax.Position, n int64) *syntax.Literal {
	return &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: "0", Value: n}
}

// paramOf returns the *args or the **kwargs of a function, nil if it has none.
func paramOf(params []syntax.Expr, op syntax.Token) *syntax.Ident {
	for _, p := range params {
		if u, ok := p.(*syntax.UnaryExpr); ok && u.Op == op {
			id, _ := u.X.(*syntax.Ident)
			return id
		}
	}
	return nil
}

// params rewrites the defaults, which the enclosing function evaluates.
func (r *rewriter) params(params []syntax.Expr) {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y)
		}
	}
}

// lambda rewrites a lambda. Its body cannot contain statements, so code that must run first is put into a condition
// that is always true.
func (r *rewriter) lambda(e *syntax.LambdaExpr) syntax.Expr {
	r.params(e.Params)
	inner := rewriter{bound: r.bound}
	e.Body = inner.expr(e.Body)
	frame := frameBytes(e.Params, []syntax.Stmt{&syntax.ReturnStmt{Result: e.Body}})
	if paramOf(e.Params, syntax.STARSTAR) != nil {
		frame += maxFreeFrame + dictBytes
	}
	if inner.callsFunctions || frame > maxFreeFrame {
		var first syntax.Expr = call(e.Lambda, meterName)
		if frame > maxFreeFrame {
			first = &syntax.BinaryExpr{X: first, OpPos: e.Lambda, Op: askChargeBytes, Y: intLiteral(e.Lambda, frame)}
		}
		e.Body = &syntax.CondExpr{If: e.Lambda, Cond: first, True: e.Body, ElsePos: e.Lambda, False: intLiteral(e.Lambda, 0)}
	}
	return r.ask(askChargeNew, e.Lambda, e)
}

func (r *rewriter) exprs(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.ListExpr:
		r.exprs(e.List)
		return r.ask(askChargeNew, e.Lbrack, e)
	case *syntax.TupleExpr:
		r.exprs(e.List)
	case *syntax.DictExpr:
		return r.dict(e)
	case *syntax.Comprehension:
		return r.comprehension(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.IndexExpr:
		free := r.sizeBound(e.X) > 0 && r.sizeBound(e.Y) > 0
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
		if !free {
			e.X = r.ask(askIndexed, e.Lbrack, e.X)
		}
	case *syntax.SliceExpr:
		e.X = r.ask(askSliced, e.Lbrack, r.expr(e.X))
		for _, p := range []*syntax.Expr{&e.Lo, &e.Hi, &e.Step} {
			if *p != nil {
				*p = r.expr(*p)
			}
		}
	case *syntax.UnaryExpr:
		free := e.Op == syntax.NOT || r.isLeaf(e.X)
		e.X = r.expr(e.X)
		if !free {
			return r.ask(askChargeNew, e.OpPos, e)
		}
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
		if methodNames[e.Name.Name] {
			e.X = &syntax.BinaryExpr{X: &syntax.Ident{NamePos: e.Dot, Name: safeName}, OpPos: e.Dot, Op: syntax.SLASH, Y: e.X}
		}
	case *syntax.CallExpr:
		r.call(e)
	case *syntax.LambdaExpr:
		return r.lambda(e)
	}
	return e
}

func (r *rewriter) call(e *syntax.CallExpr) {
	switch fn := e.Fn.(type) {
	case *syntax.DotExpr: // a method calls no function of a script except its arguments; sorted, min and max check by themselves
	case *syntax.Ident:
		if r.bound[fn.Name] || functions[fn.Name] == nil {
			r.recordCall()
		}
	default:
		r.recordCall()
	}
	e.Fn = r.expr(e.Fn)
	for i, a := range e.Args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				a.Y = r.expr(a.Y)
				continue
			}
		case *syntax.UnaryExpr:
			switch a.Op {
			case syntax.STAR:
				a.X = call(a.OpPos, starName, r.expr(a.X))
				continue
			case syntax.STARSTAR:
				a.X = call(a.OpPos, kwargsName, r.expr(a.X))
				continue
			}
		}
		e.Args[i] = r.expr(a)
	}
}

// recordCall records a call of a function that may be a script's, so that the depth is checked.
func (r *rewriter) recordCall() {
	r.callsFunctions = true
	if r.hasLocalMeter {
		r.needsMeter = true
	}
}

// maxSmallDict is the maximum number of entries of a dict display that is left as it is.
const maxSmallDict = 64

// dict rewrites a dict display to a call that charges for each key, unless the keys are few and short.
func (r *rewriter) dict(e *syntax.DictExpr) syntax.Expr {
	free := len(e.List) <= maxSmallDict
	for _, n := range e.List {
		entry := n.(*syntax.DictEntry)
		free = free && r.sizeBound(entry.Key) > 0
		entry.Key, entry.Value = r.expr(entry.Key), r.expr(entry.Value)
	}
	if free {
		return r.ask(askChargeNew, e.Lbrace, e)
	}
	pairs := &syntax.ListExpr{Lbrack: e.Lbrace, Rbrack: e.Rbrace}
	for _, n := range e.List {
		pairs.List = append(pairs.List, pair(n.(*syntax.DictEntry)))
	}
	return call(e.Lbrace, newDictName, pairs)
}

func pair(e *syntax.DictEntry) syntax.Expr {
	return &syntax.TupleExpr{Lparen: e.Colon, List: []syntax.Expr{e.Key, e.Value}, Rparen: e.Colon}
}

func (r *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.X = r.expr(c.X)
			c.Vars = r.target(c.Vars, askAssigned)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	if !e.Curly {
		e.Body = r.expr(e.Body)
		return e
	}
	entry := e.Body.(*syntax.DictEntry)
	entry.Key, entry.Value = r.expr(entry.Key), r.expr(entry.Value)
	e.Curly, e.Body = false, pair(entry)
	return call(e.Lbrack, newDictName, e, &syntax.Ident{NamePos: e.Lbrack, Name: "True"})
}

func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	free := r.isFree(e)
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	if free {
		return e
	}
	at := e.OpPos
	switch e.Op {
	case syntax.NOT_IN:
		e.X, e.Op = r.ask(askCompared, at, e.X), compareCode[syntax.IN]
		return &syntax.UnaryExpr{OpPos: at, Op: syntax.NOT, X: e}
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN:
		e.X, e.Op = r.ask(askCompared, at, e.X), compareCode[e.Op]
	default:
		e.X = r.ask(askOperand, at, e.X)
	}
	return e
}
