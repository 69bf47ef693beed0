package sandbox

import (
	"go.starlark.net/syntax"
)

// This file determines statically what needs no meter.

// largestSize limits the results of size: operations on values up to this many times as large as a value of the host
// cost no more than a few steps of the interpreter.
const largestSize = 16

// shortText is the maximum length of a small literal, in bytes.
const shortText = 64

// size is an upper bound of an expression's value, as a multiple of the size of a value of the host; 0 is unknown.
// Attributes that are not methods of strings, lists and dicts are the host's, whose values are small: see the package
// comment.
func (r *rewriter) size(e syntax.Expr) int {
	n := 0
	switch e := e.(type) {
	case *syntax.ParenExpr:
		n = r.size(e.X)
	case *syntax.Literal:
		if s, ok := e.Value.(string); !ok || len(s) <= shortText {
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
			n = r.size(e.X)
		}
	case *syntax.CondExpr:
		n = either(r.size(e.True), r.size(e.False))
	case *syntax.BinaryExpr:
		x, y := r.size(e.X), r.size(e.Y)
		switch e.Op {
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN, syntax.NOT_IN:
			n = 1
		case syntax.AND, syntax.OR, syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX:
			n = either(x, y)
		case syntax.PLUS, syntax.MINUS, syntax.PIPE:
			if x > 0 && y > 0 {
				n = x + y
			}
		case syntax.STAR:
			n = max(x*multiplier(e.Y), y*multiplier(e.X))
		case syntax.PERCENT:
			if smallInt(e.Y) {
				n = x
			}
		}
	}
	if n > largestSize {
		return 0
	}
	return n
}

func either(x, y int) int {
	if x == 0 || y == 0 {
		return 0
	}
	return max(x, y)
}

// multiplier returns the value of a small literal, 0 for any other expression.
func multiplier(e syntax.Expr) int {
	if l, ok := unparen(e).(*syntax.Literal); ok {
		if n, ok := l.Value.(int64); ok && n <= largestSize {
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

// smallInt reports whether an expression is a 32-bit integer literal.
func smallInt(e syntax.Expr) bool {
	if l, ok := unparen(e).(*syntax.Literal); ok {
		n, ok := l.Value.(int64)
		return ok && int64(int32(n)) == n
	}
	return false
}

// cheapWithInt reports whether an operator with an int on one side is cheap, whatever the other side is.
func cheapWithInt(op syntax.Token) bool {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.SLASHSLASH, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.GTGT:
		return true
	}
	return false
}

// number reports whether an expression can only be a number, given the values that scripts can create.
func (r *rewriter) number(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Literal:
		return e.Token == syntax.INT
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.MINUS:
			return r.number(e.X) || r.number(e.Y)
		case syntax.SLASHSLASH:
			return true
		}
	case *syntax.CallExpr:
		fn, ok := e.Fn.(*syntax.Ident)
		return ok && fn.Name == "len" && !r.bound["len"]
	}
	return false
}

// free reports whether an operator needs no meter.
func (r *rewriter) free(e *syntax.BinaryExpr) bool {
	switch e.Op {
	case syntax.AND, syntax.OR, syntax.EQ: // EQ is a named argument
		return true
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE:
		return r.short(e.X) || r.short(e.Y) || r.number(e.X) || r.number(e.Y) || r.size(e.X) > 0 && r.size(e.Y) > 0
	case syntax.IN, syntax.NOT_IN:
		return r.shortDisplay(e.Y) || r.size(e.X) > 0 && r.size(e.Y) > 0
	case syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX, syntax.GTGT: // only for numbers, which do not grow
		return r.size(e) > 0 || r.leaf(e.X) && r.leaf(e.Y)
	}
	if cheapWithInt(e.Op) && (smallInt(e.X) && r.leaf(e.Y) || smallInt(e.Y) && r.leaf(e.X)) {
		return true
	}
	return r.size(e) > 0
}

// leaf reports whether an expression is not arithmetic, except on small values. A free operator on numbers creates a
// number of at most 64 bits, which the steps for its operands pay for; without such steps, as in -x // 1 // 1 // 1, it
// would use more.
func (r *rewriter) leaf(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Ident, *syntax.Literal, *syntax.DotExpr, *syntax.IndexExpr, *syntax.CallExpr:
		return true
	default:
		return r.size(e) > 0
	}
}

// short reports whether an expression is a small constant, so that comparing with it costs nothing.
func (r *rewriter) short(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Literal, *syntax.Ident:
		return r.size(e) > 0
	}
	return false
}

// shortDisplay reports whether an expression is a tuple of constants.
func (r *rewriter) shortDisplay(e syntax.Expr) bool {
	t, ok := unparen(e).(*syntax.TupleExpr)
	if !ok {
		return false
	}
	for _, x := range t.List {
		if !r.short(x) {
			return false
		}
	}
	return true
}
