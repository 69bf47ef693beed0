package sandbox

import (
	"go.starlark.net/syntax"
)

// maxFreeFrame is the size of the frames that are not charged. A call allocates a frame for the parameters, the local
// variables and the operands of the function. The steps of a call pay for a few of them; a function with more is
// charged when it starts.
const maxFreeFrame = 10 * slotBytes

// frameBytes is the approximate size of the frame of a function.
func frameBytes(params []syntax.Expr, body []syntax.Stmt) int64 {
	stack := 0
	eachExpr(body, func(e syntax.Expr) { stack = max(stack, stackOf(e)) })
	return slotBytes * int64(len(params)+countLocals(body)+stack)
}

// stackOf is the maximum number of operands that an expression has on the stack at the same time.
func stackOf(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return stackOf(e.X)
	case *syntax.ListExpr:
		return stackOfAll(e.List)
	case *syntax.TupleExpr:
		return stackOfAll(e.List)
	case *syntax.DictExpr:
		n := 0
		for _, entry := range e.List {
			n = max(n, stackOf(entry))
		}
		return 2 + n
	case *syntax.DictEntry:
		return max(stackOf(e.Key), 1+stackOf(e.Value))
	case *syntax.Comprehension:
		n := stackOf(e.Body)
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				n = max(n, 2+stackOf(c.X))
			case *syntax.IfClause:
				n = max(n, stackOf(c.Cond))
			}
		}
		return 2 + n
	case *syntax.CondExpr:
		return max(stackOf(e.Cond), stackOf(e.True), stackOf(e.False))
	case *syntax.IndexExpr:
		return max(stackOf(e.X), 1+stackOf(e.Y))
	case *syntax.SliceExpr:
		n := stackOf(e.X)
		for i, x := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
			if x != nil {
				n = max(n, i+1+stackOf(x))
			}
		}
		return max(n, 4)
	case *syntax.UnaryExpr:
		if e.X == nil {
			return 1
		}
		return stackOf(e.X)
	case *syntax.BinaryExpr:
		return max(stackOf(e.X), 1+stackOf(e.Y))
	case *syntax.DotExpr:
		return stackOf(e.X)
	case *syntax.CallExpr:
		n, at := stackOf(e.Fn), 1
		for _, a := range e.Args {
			n = max(n, at+1+stackOf(a))
			at++
			if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
				at++ // the name
			}
		}
		return n
	case *syntax.LambdaExpr:
		return 2 + countNames(e) // including captured variables
	}
	return 1
}

func stackOfAll(list []syntax.Expr) int {
	n := 1
	for i, e := range list {
		n = max(n, i+stackOf(e))
	}
	return n
}

// eachExpr visits the outermost expressions of statements, except in the functions that they define.
func eachExpr(stmts []syntax.Stmt, visit func(syntax.Expr)) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.ExprStmt:
			visit(s.X)
		case *syntax.IfStmt:
			visit(s.Cond)
			eachExpr(s.True, visit)
			eachExpr(s.False, visit)
		case *syntax.AssignStmt:
			visit(&syntax.TupleExpr{List: []syntax.Expr{s.LHS, s.LHS, s.RHS}}) // they are on the stack together
		case *syntax.ForStmt:
			visit(s.X)
			visit(s.Vars)
			eachExpr(s.Body, visit)
		case *syntax.ReturnStmt:
			if s.Result != nil {
				visit(s.Result)
			}
		case *syntax.DefStmt:
			visit(&syntax.LambdaExpr{Params: s.Params, Body: &syntax.ListExpr{}})
		}
	}
}

// countLocals counts the local variables of a function, without its parameters.
func countLocals(body []syntax.Stmt) int {
	c := &checker{bound: map[string]bool{}}
	inner := 0 // of comprehensions, each of which has its own
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case nil:
			case *syntax.DefStmt:
				c.bind(n.Name)
				return false
			case *syntax.LambdaExpr:
				return false
			case *syntax.ForClause:
				inner += countNames(n.Vars)
			case *syntax.AssignStmt:
				c.bind(n.LHS)
			case *syntax.ForStmt:
				c.bind(n.Vars)
			}
			return true
		})
	}
	return len(c.bound) + inner
}

// countNames counts the identifiers in a node.
func countNames(n syntax.Node) int {
	names := 0
	syntax.Walk(n, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.Ident); ok {
			names++
		}
		return true
	})
	return names
}
