package build

import (
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
)

// This file warns about tests that cannot fail, whatever the rules do.

// futile returns the warnings about a test; all are its statements, those of its givens included.
func (s *Script) futile(n *ast.Test, all []ast.Clause) (list diag.List) {
	switch {
	case n.Body == nil:
	case !slices.ContainsFunc(n.Body.Clauses, happens):
		list = append(list, s.warning(n.Title.Span, "empty-test", "nothing happens in this test", "write what is done, and what must hold then: expect COND"))
	case slices.ContainsFunc(all, isSeed) && !slices.ContainsFunc(all, expects):
		list = append(list, s.warning(n.Title.Span, "empty-test", "whatever its seed rolls, nothing is expected in this test", "write what must hold then: expect COND, or transcript \"\"\" \"\"\""))
	}
	if n.Body == nil {
		return list
	}
	for _, cl := range n.Body.Clauses {
		if x, ok := cl.(*ast.Expect); ok && alwaysHolds(x.Cond) {
			list = append(list, s.warning(x.Cond.Extent(), "always-holds", "this holds whatever happens", "expect something that would be different without the rule"))
		}
	}
	return list
}

func (s *Script) warning(span ast.Span, code, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{File: s.Path, Span: span, Severity: diag.Warning, Code: code, Message: message, Hint: hint}
}

// happens reports whether a clause of a test is more than a citation.
func happens(cl ast.Clause) bool {
	_, cites := cl.(*ast.Documentation)
	return !cites
}

// isSeed reports whether a clause lets a seed roll the dice.
func isSeed(cl ast.Clause) bool {
	d, ok := cl.(*ast.Directive)
	return ok && d.Word.Name == "seed"
}

// expects reports whether a clause states what must hold, or which dice must be rolled.
func expects(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Expect, *ast.Scripted:
		return true
	case *ast.Directive:
		return n.Word.Name == "transcript" || n.Word.Name == "explain"
	case *ast.If, *ast.Repeat, *ast.ForEach:
		return ast.Contains(cl, func(node any) bool { _, ok := node.(*ast.Expect); return ok })
	}
	return false
}

// alwaysHolds reports whether a condition holds by its form alone. What is computed from numbers counts as a test of
// the computing.
func alwaysHolds(e ast.Expr) bool {
	switch n := e.(type) {
	case *ast.Paren:
		return alwaysHolds(n.X)
	case *ast.Literal:
		return n.Word == "yes"
	case *ast.Binary:
		switch n.Op.Name {
		case "and":
			return alwaysHolds(n.X) && alwaysHolds(n.Y)
		case "or":
			return alwaysHolds(n.X) || alwaysHolds(n.Y)
		case "=", "<=", ">=":
			return format.Expr(n.X) == format.Expr(n.Y)
		}
	}
	return false
}
