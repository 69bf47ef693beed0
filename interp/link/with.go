package link

import (
	"slices"

	"arbiter/lang/ast"
)

// This file adds a script to a set that was linked without it, for scripts that only add things and tactics.

// OnlyAdds reports whether a script's files declare nothing but things and tactics, so that With gives what Link gives:
// nothing in the set changes, and what the files add comes last in each of its tables. That does not hold for a way of
// a thing, which is a procedure, nor for tactics that wait for something.
func OnlyAdds(files ...*ast.File) bool {
	for _, f := range files {
		for _, cl := range f.Body {
			switch n := cl.(type) {
			case *ast.Header, *ast.Documentation:
			case *ast.Template:
				if n.Body != nil && slices.ContainsFunc(n.Body.Clauses, func(cl ast.Clause) bool { _, way := cl.(*ast.Way); return way }) {
					return false
				}
			case *ast.Tactics:
				if n.Body != nil && ast.Contains(n.Body.Clauses, waits) {
					return false
				}
			default:
				if !ScriptOnly(cl) {
					return false
				}
			}
		}
	}
	return true
}

// waits reports whether a part of a command waits for something: a plan, or a duration.
func waits(node any) bool {
	switch node.(type) {
	case *ast.Plan, *ast.Duration:
		return true
	}
	return false
}

// With returns the set with the things and tactics that a script's files declare (see OnlyAdds), and their definitions.
// The set itself remains as it is; the two share everything else, and neither may be changed.
func (s *Set) With(files ...*ast.File) (*Set, []*Def) {
	var added []*Def
	for _, f := range files {
		for _, cl := range f.Body {
			switch cl.(type) {
			case *ast.Template, *ast.Tactics:
				added = append(added, &Def{Name: NameOf(cl), Node: cl, Depth: scriptDepth,
					Origin: &Origin{File: f.Path, Span: cl.Extent(), Ruleset: ScriptName, Verb: "declare"}})
			}
		}
	}
	larger := *s
	larger.Defs = slices.Concat(s.Defs, added)
	return &larger, added
}
