package link

import (
	"slices"

	"arbiter/lang/ast"
)

// This file adds a script to a set that was linked without it, for the things and tactics that a script declares.

// Split divides the declarations of a script's files into those that change the rules, and the things and tactics,
// which only add to them: With then gives what Link gives, since nothing in the set changes and what is added comes
// last in each table. A way of a thing is a procedure, and tactics can wait for an event, which the rules announce:
// these belong to the rules, with those of their kind that come before. What a script does is in neither.
func Split(files ...*ast.File) (rules, additions []*ast.File) {
	lastThing, lastTactics := -1, -1 // the last of its kind that belongs to the rules
	n := 0
	for _, f := range files {
		for _, cl := range f.Body {
			switch x := cl.(type) {
			case *ast.Template:
				if x.Body != nil && slices.ContainsFunc(x.Body.Clauses, func(cl ast.Clause) bool { _, way := cl.(*ast.Way); return way }) {
					lastThing = n
				}
			case *ast.Tactics:
				if x.Body != nil && ast.Contains(x.Body.Clauses, waits) {
					lastTactics = n
				}
			}
			n++
		}
	}
	n = 0
	for _, f := range files {
		r, a := *f, *f
		r.Body, a.Body = nil, nil
		for _, cl := range f.Body {
			switch cl.(type) {
			case *ast.Header, *ast.Documentation:
				r.Body, a.Body = append(r.Body, cl), append(a.Body, cl)
			case *ast.Template:
				if n <= lastThing {
					r.Body = append(r.Body, cl)
				} else {
					a.Body = append(a.Body, cl)
				}
			case *ast.Tactics:
				if n <= lastTactics {
					r.Body = append(r.Body, cl)
				} else {
					a.Body = append(a.Body, cl)
				}
			default:
				if !ScriptOnly(cl) {
					r.Body = append(r.Body, cl)
				}
			}
			n++
		}
		rules, additions = append(rules, &r), append(additions, &a)
	}
	return rules, additions
}

// waits reports whether a part of a command waits for something: a plan, or a duration.
func waits(node any) bool {
	switch node.(type) {
	case *ast.Plan, *ast.Duration:
		return true
	}
	return false
}

// With returns the set with the things and tactics of the second part of a Split, and their definitions. The set itself
// remains as it is; the two share everything else, and neither may be changed.
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
