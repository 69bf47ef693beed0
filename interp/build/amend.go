package build

import (
	"slices"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file lets a script be tried with other values than it has.

// Amendment is what a script says otherwise. Its clauses have the places of its own file.
type Amendment struct {
	Member string    // whose fields the clauses set, as the brackets behind a member do; "": they are declarations and changes
	File   *ast.File // the clauses
}

// amend makes a script's tree say so, and gives the files that are to be linked beside it. What the script says of the same
// is taken out of it.
func amend(script *ast.File, list []Amendment) (beside []*ast.File) {
	for _, a := range list {
		if a.Member == "" {
			for _, cl := range a.File.Body {
				script.Body = slices.DeleteFunc(slices.Clone(script.Body), func(own ast.Clause) bool { return sameChange(own, cl) })
			}
			beside = append(beside, a.File)
			continue
		}
		if m := MemberOf(script, a.Member); m != nil {
			m.Body = amended(m.Body, a.File.Body)
		}
	}
	return beside
}

// sameChange tells whether two clauses change the same.
func sameChange(a, b ast.Clause) bool {
	x, ok := a.(*ast.Change)
	y, also := b.(*ast.Change)
	return ok && also && link.PathText(&x.Path) == link.PathText(&y.Path)
}

// MemberOf finds a member of a script's sides; nil: there is none of that name.
func MemberOf(script *ast.File, name string) *ast.Member {
	for _, cl := range script.Body {
		if side, ok := cl.(*ast.Side); ok && side.Body != nil {
			for _, cl := range side.Body.Clauses {
				if m, ok := cl.(*ast.Member); ok && m.Name.Name == name {
					return m
				}
			}
		}
	}
	return nil
}

// amended is what stands in the brackets behind a member, with these properties instead of its own.
func amended(body *ast.Block, with []ast.Clause) *ast.Block {
	b := &ast.Block{}
	if body != nil {
		b.Span = body.Span
		for _, cl := range body.Clauses {
			p, ok := cl.(*ast.Property)
			if !ok || !slices.ContainsFunc(with, func(w ast.Clause) bool { q, ok := w.(*ast.Property); return ok && q.Name.Name == p.Name.Name }) {
				b.Clauses = append(b.Clauses, cl)
			}
		}
	}
	b.Clauses = append(b.Clauses, with...)
	return b
}
