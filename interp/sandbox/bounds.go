package sandbox

import (
	"go.starlark.net/syntax"
)

// This file determines statically what needs no meter.

// maxSize limits the results of size: operations on values up to this many times as large as a value of the host
// cost no more than a few steps of the interpreter.
const maxSize = 16

// maxShortText is the maximum length of a small literal, in bytes.
const maxShortText = 64

// sizeBound is an upper bound of an expression's value, as a multiple of the size of a value of the host; 0 is unknown.
// Attributes that are not methods of strings, lists and dicts are the host's, whose values are small: see the package
// comment.
func (r *rewriter) sizeBound(e syntax.Expr) int {
	n := 0
	switch e := e.(type) {
	case *syntax.ParenExpr:
		n = r.sizeBound(e.X)
	case *syntax.Literal:
		if s, ok := e.Value.(string); !ok || len(s) <= maxShortText {
			n = 1
		}
	case *syntax.Ident:
		switch e.Name {
		case "None", "True", "False":
			n = 1
		}
	case *syntax.DotExpr:
		if !methodNames[e.Name.Name] {
			n = 1
		}
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			n = 1
		} else if e.X != nil {
			n = r.sizeBound(e.X)
		}
	case *syntax.CondExpr:
		n = maxIfKnown(r.sizeBound(e.True), r.sizeBound(e.False))
	case *syntax.BinaryExpr:
		x, y := r.sizeBound(e.X), r.sizeBound(e.Y)
		switch e.Op {
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN, syntax.NOT_IN:
			n = 1
		case syntax.AND, syntax.OR, syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX:
			n = maxIfKnown(x, y)
		case syntax.PLUS, syntax.MINUS, syntax.PIPE:
			if x > 0 && y > 0 {
				n = x + y
			}
		case syntax.STAR:
			n = max(x*multiplier(e.Y), y*multiplier(e.X))
		case syntax.PERCENT:
			if isSmallInt(e.Y) {
				n = x
			}
		}
	}
	if n > maxSize {
		return 0
	}
	return n
}

func maxIfKnown(x, y int) int {
	if x == 0 || y == 0 {
		return 0
	}
	return max(x, y)
}

// multiplier returns the value of a small literal, 0 for any other expression.
func multiplier(e syntax.Expr) int {
	if l, ok := unparen(e).(*syntax.Literal); ok {
		if n, ok := l.Value.(int64); ok && n <= maxSize {
			return max(1, int(n))
		}
	}
	return 0
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// isSmallInt reports whether an expression is a 32-bit integer literal.
func isSmallInt(e syntax.Expr) bool {
	if l, ok := unparen(e).(*syntax.Literal); ok {
		n, ok := l.Value.(int64)
		return ok && int64(int32(n)) == n
	}
	return false
}

// isCheapWithInt reports whether an operator with an int on one side is cheap, whatever the other side is.
func isCheapWithInt(op syntax.Token) bool {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.SLASHSLASH, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.GTGT:
		return true
	}
	return false
}

// isNumber reports whether an expression can only be a number, given the values that scripts can create.
func (r *rewriter) isNumber(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Literal:
		return e.Token == syntax.INT
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.MINUS:
			return r.isNumber(e.X) || r.isNumber(e.Y)
		case syntax.SLASHSLASH:
			return true
		}
	case *syntax.CallExpr:
		fn, ok := e.Fn.(*syntax.Ident)
		return ok && fn.Name == "len" && !r.bound["len"]
	}
	return false
}

// isFree reports whether an operator needs no meter.
func (r *rewriter) isFree(e *syntax.BinaryExpr) bool {
	switch e.Op {
	case syntax.AND, syntax.OR, syntax.EQ: // EQ is a named argument
		return true
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE:
		return r.isShortConst(e.X) || r.isShortConst(e.Y) || r.isNumber(e.X) || r.isNumber(e.Y) || r.sizeBound(e.X) > 0 && r.sizeBound(e.Y) > 0
	case syntax.IN, syntax.NOT_IN:
		return r.isConstTuple(e.Y) || r.sizeBound(e.X) > 0 && r.sizeBound(e.Y) > 0
	case syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX, syntax.GTGT: // only for numbers, which do not grow
		return r.sizeBound(e) > 0 || r.isLeaf(e.X) && r.isLeaf(e.Y)
	}
	if isCheapWithInt(e.Op) && (isSmallInt(e.X) && r.isLeaf(e.Y) || isSmallInt(e.Y) && r.isLeaf(e.X)) {
		return true
	}
	return r.sizeBound(e) > 0
}

// isLeaf reports whether an expression is not arithmetic, except on small values. A free operator on numbers creates a
// number of at most 64 bits, which the steps for its operands pay for; without such steps, as in -x // 1 // 1 // 1, it
// would use more.
func (r *rewriter) isLeaf(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Ident, *syntax.Literal, *syntax.DotExpr, *syntax.IndexExpr, *syntax.CallExpr:
		return true
	default:
		return r.sizeBound(e) > 0
	}
}

// isShortConst reports whether an expression is a small constant, so that comparing with it costs nothing.
func (r *rewriter) isShortConst(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Literal, *syntax.Ident:
		return r.sizeBound(e) > 0
	}
	return false
}

// isConstTuple reports whether an expression is a tuple of constants.
func (r *rewriter) isConstTuple(e syntax.Expr) bool {
	t, ok := unparen(e).(*syntax.TupleExpr)
	if !ok {
		return false
	}
	for _, x := range t.List {
		if !r.isShortConst(x) {
			return false
		}
	}
	return true
}
