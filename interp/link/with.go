package link

import (
	"slices"

	"arbiter/lang/ast"
)

// This file adds a script to a set that was linked without it, for the things and tactics that a script declares.

// Split divides the declarations of a script's files into those that change the rules, and the things and tactics,
// which only add to them: With then gives what Link gives, since nothing in the set changes and what is added comes
// last in each table. A way of a thing is a procedure, and tactics can wait for an event, which the rules announce:
// these belong to the rules, and so does what the rules name, with those of their kind that come before. What a script
// does is in neither.
func Split(files ...*ast.File) (rules, additions []*ast.File) {
	last := lastOfRules(files)
	n := 0
	for _, f := range files {
		r, a := *f, *f
		r.Body, a.Body = nil, nil
		for _, cl := range f.Body {
			switch cl.(type) {
			case *ast.Header, *ast.Documentation:
				r.Body, a.Body = append(r.Body, cl), append(a.Body, cl)
			case *ast.Template, *ast.Tactics:
				if n <= last[isTactics(cl)] {
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

// lastOfRules returns the numbers of the last thing (under false) and of the last tactics (under true) that belong to the
// rules of a script, counted over the clauses of all its files; -1 for none.
func lastOfRules(files []*ast.File) map[bool]int {
	last := map[bool]int{false: -1, true: -1}
	var all, rest []ast.Clause  // of all files; what belongs to the rules by its kind
	added := map[bool][]int{}   // the numbers of things and tactics that may not belong to them
	named := map[string][]int{} // the same by name
	for _, f := range files {
		for _, cl := range f.Body {
			n := len(all)
			all = append(all, cl)
			switch x := cl.(type) {
			case *ast.Template, *ast.Tactics:
				added[isTactics(cl)] = append(added[isTactics(cl)], n)
				named[NameOf(cl)] = append(named[NameOf(cl)], n)
				if changesRules(x) {
					last[isTactics(cl)] = n
				}
			case *ast.Header, *ast.Documentation:
			default:
				if !ScriptOnly(cl) {
					rest = append(rest, cl)
				}
			}
		}
	}
	for {
		for kind, list := range added {
			for len(list) > 0 && list[0] <= last[kind] {
				rest, list = append(rest, all[list[0]]), list[1:]
			}
			added[kind] = list
		}
		if len(rest) == 0 || len(named) == 0 {
			return last
		}
		ast.Contains(rest[0], func(node any) bool {
			if id, ok := node.(*ast.Ident); ok {
				for _, n := range named[id.Name] {
					last[isTactics(all[n])] = max(last[isTactics(all[n])], n)
				}
			}
			return false
		})
		rest = rest[1:]
	}
}

// changesRules reports whether a thing or tactics bring a procedure or an event with them.
func changesRules(cl ast.Clause) bool {
	switch x := cl.(type) {
	case *ast.Template:
		return x.Body != nil && slices.ContainsFunc(x.Body.Clauses, func(cl ast.Clause) bool { _, way := cl.(*ast.Way); return way })
	case *ast.Tactics:
		return x.Body != nil && ast.Contains(x.Body.Clauses, waits)
	}
	return false
}

func isTactics(cl ast.Clause) bool {
	_, ok := cl.(*ast.Tactics)
	return ok
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
