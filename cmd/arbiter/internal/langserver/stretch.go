package langserver

import (
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
)

// This file finds the commands of a script whose odds can be told: those that are carried out before tactics take over,
// in an encounter or in one of several tests.

// stretch is statements that are played in one go.
type stretch struct {
	given      []ast.Clause // what comes before them, written elsewhere
	statements []ast.Clause
}

// stretchesOf lists those of a script: an encounter has one, and each test has one. Tests of an adventure have none: they
// begin in the midst of it.
func stretchesOf(f *ast.File) (list []stretch) {
	switch {
	case kindOf(f) == "encounter":
		list = append(list, stretch{nil, f.Body})
	case kindOf(f) == "tests" && load.HeaderOf(f).Of == nil:
		givens := build.Givens(f)
		for _, cl := range f.Body {
			n, ok := cl.(*ast.Test)
			if !ok || n.Body == nil {
				continue
			}
			var given []ast.Clause
			for _, id := range n.Given {
				if g := givens[id.Name]; g != nil && g.Body != nil {
					given = append(given, g.Body.Clauses...)
				}
			}
			if len(untilTactics(given)) == len(given) {
				list = append(list, stretch{given, n.Body.Clauses})
			}
		}
	}
	return list
}

// untilTactics cuts clauses off where tactics take over.
func untilTactics(list []ast.Clause) []ast.Clause {
	for i, cl := range list {
		for x := range ast.WithNested(cl) {
			if n, ok := x.(*ast.Directive); ok && n.Word.Name == "fight" {
				return list[:i]
			}
		}
	}
	return list
}

// commandsOf lists the commands in the stretches of a script.
func commandsOf(f *ast.File) (list []*ast.Command) {
	for _, st := range stretchesOf(f) {
		for _, cl := range untilTactics(st.statements) {
			if c, ok := cl.(*ast.Command); ok && c.Who != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// before returns the command of a stretch that begins at an offset, and what is played before it.
func (st *stretch) before(offset int) (c *ast.Command, played []ast.Clause) {
	i := slices.IndexFunc(st.statements, func(cl ast.Clause) bool { return cl.Extent().Start.Offset == offset })
	if i < 0 {
		return nil, nil
	}
	if c, _ = st.statements[i].(*ast.Command); c == nil {
		return nil, nil
	}
	return c, slices.Concat(st.given, st.statements[:i])
}

// isLong reports whether it has more statements than are played for a figure.
func (st *stretch) isLong() bool {
	n := 0
	for _, cl := range slices.Concat(st.given, st.statements) {
		if link.ScriptOnly(cl) {
			n++
		}
	}
	return n > maxPlayed
}

// kindOf is the word with which a script says what it is, "" if it says nothing.
func kindOf(f *ast.File) string {
	if h := load.HeaderOf(f); h != nil {
		return h.Word.Name
	}
	return ""
}
