package lint

import (
	"fmt"
	"math"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about conditions.

var conditionRules = []*Rule{
	{Code: "constant-condition", Severity: diag.Warning, check: constantCondition,
		Summary: "A condition always holds.",
		Why:     "What depends on it does not depend on it: something else was meant.",
		How:     "Leave the condition out, or write what was meant. (That it never holds, `arbiter check` reports.)"},
	{Code: "same-operands", Severity: diag.Warning, check: sameOperands,
		Summary: "Both sides of an operator are the same.",
		Why:     "`x and x`, `x = x` and `x - x` say nothing: one side should be something else.",
		How:     "Correct one side, or leave the operator out."},
	{Code: "impossible-range", Severity: diag.Warning, check: impossibleRange,
		Summary: "Two comparisons of one value with numbers cannot hold together, or one follows from the other.",
		Why:     "`level < 3 and level > 5` never holds; in `level > 3 and level > 5` the first says nothing. A sign or an `or` is wrong.",
		How:     "Correct the numbers, the signs or the `and`; or leave out the one that follows."},
	{Code: "yes-no-comparison", Severity: diag.Warning, check: yesNoComparison, Fixes: true,
		Summary: "A yes-no is compared with `yes` or `no`.",
		Why:     "It says already what the comparison says.",
		How:     "Write `ready` for `ready = yes`, and `not ready` for `ready = no`."},
	{Code: "double-negation", Severity: diag.Warning, check: doubleNegation, Fixes: true,
		Summary: "A negation of what could be said directly.",
		Why:     "`not (a = b)`, `not not a` and `not (x is prone)` have to be turned over in the mind.",
		How:     "Write `a != b`, `a` and `x is not prone`."},
	{Code: "yes-no-choice", Severity: diag.Warning, check: yesNoChoice, Fixes: true,
		Summary: "`if C then yes else no`.",
		Why:     "It is C.",
		How:     "Write the condition itself, or `not` before it."},
	{Code: "negated-unless", Severity: diag.Warning, check: negatedUnless, Fixes: true,
		Summary: "`unless not C`.",
		Why:     "Two negations cancel each other.",
		How:     "Write `when C`."},
	{Code: "guarded-twice", Severity: diag.Warning, check: guardedTwice,
		Summary: "A condition is asked again inside what depends on it.",
		Why:     "It holds there already; usually another one was meant.",
		How:     "Leave the inner one out, or write what was meant."},
}

// truth evaluates a condition that depends on nothing.
func truth(f *file, x ast.Expr) (value, known bool) {
	switch n := bare(x).(type) {
	case *ast.Literal:
		return n.Word == "yes", n.Word == "yes" || n.Word == "no"
	case *ast.Unary:
		if n.Op.Name == "not" {
			v, known := truth(f, n.X)
			return !v, known
		}
	case *ast.Binary:
		a, knownA := truth(f, n.X)
		b, knownB := truth(f, n.Y)
		switch n.Op.Name {
		case "or":
			if knownA && a || knownB && b || opposite(f, n.X, n.Y) {
				return true, true
			}
			return a || b, knownA && knownB
		case "and":
			if knownA && !a || knownB && !b {
				return false, true
			}
			return a && b, knownA && knownB
		case "=", "!=", "<", "<=", ">", ">=":
			m, ok := bare(n.X).(*ast.Number)
			k, also := bare(n.Y).(*ast.Number)
			if ok && also && m.Unit.Name == k.Unit.Name {
				return holds(m.Value, n.Op.Name, k.Value), true
			}
		}
	}
	return false, false
}

// opposite reports whether one of two conditions is the negation of the other.
func opposite(f *file, a, b ast.Expr) bool {
	for _, x := range [][2]ast.Expr{{a, b}, {b, a}} {
		if u, ok := bare(x[0]).(*ast.Unary); ok && u.Op.Name == "not" && f.source(bare(u.X)) == f.source(bare(x[1])) {
			return true
		}
	}
	return false
}

func holds(a int64, op string, b int64) bool {
	switch op {
	case "=":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// conditions iterates over the conditions of a file that decide whether something happens.
func (f *file) conditions(visit func(x ast.Expr)) {
	tail := func(t *ast.Tail) {
		if t.When != nil {
			visit(t.When)
		}
	}
	for _, n := range f.nodes {
		if t := ast.TailOf(n.at); t != nil {
			tail(t)
		}
		switch n := n.at.(type) {
		case *ast.If:
			visit(n.Cond)
		case *ast.Cond:
			visit(n.If)
		case *ast.Needs:
			visit(n.Cond)
		case *ast.Query:
			if n.Where != nil {
				visit(n.Where)
			}
		case *ast.Effect:
			if n.While != nil {
				visit(n.While)
			}
		}
	}
}

func constantCondition(p *pass) {
	p.conditions(func(x ast.Expr) {
		if v, known := truth(p.file, x); known && v {
			p.report(x.Extent(), "this always holds", "leave the condition out, or write what was meant")
		}
	})
}

func sameOperands(p *pass) {
	for i, n := range each[ast.Binary](p.file) {
		switch n.Op.Name {
		case "+", "*", "in": // two dice, a square
			continue
		}
		if p.rolls(i) || p.source(bare(n.X)) != p.source(bare(n.Y)) {
			continue
		}
		if _, number := bare(n.X).(*ast.Number); number {
			continue
		}
		if e, _ := around[ast.Expect](p.file, i); e != nil && n.Op.Name == "=" {
			continue // `arbiter check` reports it
		}
		p.report(n.Span, "both sides of `"+n.Op.Name+"` are the same", "correct one of them")
	}
}

// comparison is `X op NUMBER`, read from either side.
type comparison struct {
	value string // the text of X
	unit  string
	op    string
	n     int64
	at    ast.Expr
}

var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}

func comparisonOf(f *file, x ast.Expr) (c comparison, ok bool) {
	b, isBinary := bare(x).(*ast.Binary)
	if !isBinary || mirrored[b.Op.Name] == "" {
		return c, false
	}
	if k, ok := bare(b.Y).(*ast.Number); ok {
		return comparison{f.source(bare(b.X)), k.Unit.Name, b.Op.Name, k.Value, x}, true
	}
	if k, ok := bare(b.X).(*ast.Number); ok {
		return comparison{f.source(bare(b.Y)), k.Unit.Name, mirrored[b.Op.Name], k.Value, x}, true
	}
	return c, false
}

// bounds is the range of whole numbers for which a comparison holds; ok is false for `!=`.
func (c comparison) bounds() (low, high int64, ok bool) {
	switch c.op {
	case "=":
		return c.n, c.n, true
	case "<":
		return math.MinInt64, c.n - 1, true
	case "<=":
		return math.MinInt64, c.n, true
	case ">":
		return c.n + 1, math.MaxInt64, true
	case ">=":
		return c.n, math.MaxInt64, true
	}
	return 0, 0, false
}

// operands lists what an operator joins: of `a and b and c`, the three.
func operands(x ast.Expr, op string) []ast.Expr {
	if b, ok := bare(x).(*ast.Binary); ok && b.Op.Name == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []ast.Expr{x}
}

func impossibleRange(p *pass) {
	for i, n := range each[ast.Binary](p.file) {
		if outer, ok := p.parent(i).(*ast.Binary); n.Op.Name != "and" || ok && outer.Op.Name == "and" || p.rolls(i) {
			continue
		}
		var seen []comparison
		for _, x := range operands(n, "and") {
			c, ok := comparisonOf(p.file, x)
			if !ok {
				continue
			}
			for _, d := range seen {
				low, high, ok := c.bounds()
				low2, high2, also := d.bounds()
				switch {
				case d.value != c.value || d.unit != c.unit || !ok || !also:
				case max(low, low2) > min(high, high2):
					p.report(c.at.Extent(), "this cannot hold together with "+p.source(d.at), "correct the numbers, the signs or the `and`").relate(d.at.Extent(), "the other comparison")
				case low <= low2 && high >= high2 || low >= low2 && high <= high2:
					p.report(c.at.Extent(), fmt.Sprintf("of this and %s, one follows from the other", p.source(d.at)), "leave out the one that follows").relate(d.at.Extent(), "the other comparison")
				}
			}
			seen = append(seen, c)
		}
	}
}

func yesNoComparison(p *pass) {
	for i, n := range each[ast.Binary](p.file) {
		l, ok := n.Y.(*ast.Literal)
		if !ok || l.Word == "none" || n.Op.Name != "=" && n.Op.Name != "!=" {
			continue
		}
		positive := (l.Word == "yes") == (n.Op.Name == "=")
		want := p.raw(n.X.Extent())
		if _, isAtom := n.X.(*ast.Name); !isAtom {
			if _, isField := n.X.(*ast.Field); !isField {
				continue // it may be none, or bind less tightly
			}
		}
		if !positive {
			want = "not " + want
			if _, inside := p.parent(i).(*ast.Binary); inside && p.comparedAround(i) {
				continue
			}
		}
		p.report(n.Span, "this is a yes-no already", "write "+want, Edit{n.Span, want})
	}
}

// comparedAround reports whether the node around an operator binds more tightly than `not`.
func (p *pass) comparedAround(i int32) bool {
	b := p.parent(i).(*ast.Binary)
	return b.Op.Name != "and" && b.Op.Name != "or"
}

var negated = map[string]string{"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

func doubleNegation(p *pass) {
	for _, n := range each[ast.Unary](p.file) {
		if n.Op.Name != "not" {
			continue
		}
		_, bracketed := n.X.(*ast.Paren)
		switch x := bare(n.X).(type) {
		case *ast.Unary:
			if x.Op.Name == "not" {
				p.report(n.Span, "two negations cancel each other", "write "+p.source(x.X), Edit{n.Span, p.raw(x.X.Extent())})
			}
		case *ast.Binary:
			op := negated[x.Op.Name]
			if op == "" || !bracketed {
				continue
			}
			want := p.raw(x.X.Extent()) + " " + op + " " + p.raw(x.Y.Extent())
			p.report(n.Span, "this can be said without `not`", "write "+strings.Join(strings.Fields(want), " "), Edit{n.Span, want})
		case *ast.IsTest:
			if x.Verb.Name == "can" || !bracketed {
				continue
			}
			verb := x.Verb.Name + " not"
			rest := p.raw(ast.Span{Start: x.Verb.End, End: x.End})
			if x.Not {
				verb, rest = x.Verb.Name, strings.Replace(rest, " not", "", 1)
			}
			want := p.raw(x.X.Extent()) + " " + verb + rest
			p.report(n.Span, "this can be said without `not` before it", "write "+strings.Join(strings.Fields(want), " "), Edit{n.Span, want})
		}
	}
}

func yesNoChoice(p *pass) {
	for _, n := range each[ast.Cond](p.file) {
		a, ok := bare(n.Then).(*ast.Literal)
		b, also := bare(n.Else).(*ast.Literal)
		if !ok || !also || a.Word == b.Word || a.Word == "none" || b.Word == "none" {
			continue
		}
		want := p.raw(n.If.Extent())
		if a.Word == "no" {
			want = "not (" + want + ")"
		}
		p.report(n.Span, "this is the condition itself", "write "+strings.Join(strings.Fields(want), " "), Edit{n.Span, "(" + want + ")"})
	}
}

func negatedUnless(p *pass) {
	for _, n := range p.nodes {
		t := ast.TailOf(n.at)
		if t == nil || t.Unless == nil || t.When != nil {
			continue
		}
		u, ok := t.Unless.(*ast.Unary)
		if !ok || u.Op.Name != "not" {
			continue
		}
		from := strings.LastIndex(string(p.Text[:u.Start.Offset]), "unless")
		if from < 0 {
			continue
		}
		s := ast.Span{Start: ast.Pos{Line: u.Start.Line, Column: max(1, u.Start.Column-(u.Start.Offset-from)), Offset: from}, End: u.X.Extent().Start}
		p.report(u.Span, "two negations cancel each other", "write when "+p.source(u.X), Edit{s, "when "})
	}
}

func guardedTwice(p *pass) {
	for i, n := range each[ast.If](p.file) {
		if n.Then == nil {
			continue
		}
		outer := p.source(bare(n.Cond))
		for k, in := range inside[ast.If](p.file, i) {
			if p.nodes[k].at == any(n) || in.Start.Offset < n.Then.Start.Offset || in.End.Offset > n.Then.End.Offset || p.source(bare(in.Cond)) != outer || p.changes(n.Then, in.Start.Offset) {
				continue
			}
			p.report(in.Cond.Extent(), "this holds here already", "leave it out, or write what was meant").relate(n.Cond.Extent(), "it was asked here")
		}
	}
}

// changes reports whether a block changes anything before an offset.
func (p *pass) changes(b *ast.Block, before int) bool {
	for _, cl := range b.Clauses {
		switch cl.(type) {
		case *ast.If, *ast.Let, *ast.Simple:
		default:
			if cl.Extent().Start.Offset < before {
				return true
			}
		}
	}
	return false
}
