package link

import (
	"fmt"

	"arbiter/lang/ast"
)

// This file defines the parts of a definition, and the names by which paths reach them.

// bodyOf returns a pointer to the body of a clause, nil if it cannot have one.
func bodyOf(cl ast.Clause) **ast.Block { return ast.HeadOf(cl).Body }

// partName returns the name of a clause of a body in paths.
func partName(cl ast.Clause) string {
	switch n := cl.(type) {
	case *ast.Term, *ast.Step, *ast.Rule, *ast.Way, *ast.Keep:
		return ast.HeadOf(cl).Name.Name
	case *ast.Property:
		return n.Name.Name
	case *ast.FieldDecl:
		if len(n.Names) == 1 {
			return n.Names[0].Name
		}
	case *ast.Modifier:
		if len(n.Stats) == 1 {
			return n.Stats[0].Name
		}
	case *ast.Is:
		if len(n.Names) == 1 {
			return n.Names[0].Name
		}
	case *ast.Has:
		if len(n.Effects) == 1 {
			return n.Effects[0].Name.Name
		}
	case *ast.Denied:
		if len(n.Stats) == 1 {
			return "denied-" + n.Stats[0].Name
		}
	case *ast.Cannot:
		if len(n.Names) == 1 {
			return "cannot-" + n.Names[0].Name
		}
	case *ast.Includes:
		if len(n.Names) == 1 {
			return "includes-" + n.Names[0].Name
		}
	case *ast.Cost:
		return "cost"
	case *ast.Needs:
		return "needs"
	case *ast.Lasts:
		return "lasts"
	case *ast.RollClause:
		if n.Die != nil {
			return "die"
		}
		if x, ok := n.Natural.(*ast.Number); ok {
			return fmt.Sprintf("natural-%d", x.Value)
		}
	}
	return ""
}

// countParts returns how many parts have a name.
func countParts(list []ast.Clause, name string) int {
	n := 0
	for _, cl := range list {
		if partName(cl) == name {
			n++
		}
	}
	return n
}

// split splits a clause with several names into one clause for each, so that each has a path of its own.
func split(cl ast.Clause) []ast.Clause {
	var out []ast.Clause
	each := func(names []ast.Ident, one func(id []ast.Ident) ast.Clause) {
		if len(names) > 1 {
			for i := range names {
				out = append(out, one(names[i:i+1:i+1]))
			}
		}
	}
	switch n := cl.(type) {
	case *ast.FieldDecl:
		each(n.Names, func(id []ast.Ident) ast.Clause { m := *n; m.Names = id; return &m })
	case *ast.Modifier:
		each(n.Stats, func(id []ast.Ident) ast.Clause { m := *n; m.Stats = id; return &m })
	case *ast.Denied:
		each(n.Stats, func(id []ast.Ident) ast.Clause { m := *n; m.Stats = id; return &m })
	case *ast.Cannot:
		each(n.Names, func(id []ast.Ident) ast.Clause { m := *n; m.Names = id; return &m })
	case *ast.Includes:
		each(n.Names, func(id []ast.Ident) ast.Clause { m := *n; m.Names = id; return &m })
	case *ast.Is:
		each(n.Names, func(id []ast.Ident) ast.Clause { m := *n; m.Names = id; return &m })
	case *ast.Has:
		if len(n.Effects) > 1 {
			for i := range n.Effects {
				m := *n
				m.Effects = n.Effects[i : i+1 : i+1]
				out = append(out, &m)
			}
		}
	}
	if out == nil {
		return []ast.Clause{cl}
	}
	return out
}

// splitAll splits the clauses of a body; the results get the origins of the originals.
func (e *editor) splitAll(body *ast.Block) {
	var out []ast.Clause
	for _, cl := range body.Clauses {
		parts := split(cl)
		if o := e.set.Origins[cl]; o != nil {
			for _, p := range parts {
				e.set.Origins[p] = o
			}
		}
		out = append(out, parts...)
	}
	body.Clauses = out
}
