package build

import (
	"slices"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file builds a script with different values.

// Amendment is a modification of a script. Its clauses have positions in its own file.
type Amendment struct {
	Member string    // whose fields the clauses set, like the braces after a member; "": they are declarations and changes
	File   *ast.File // the clauses
}

// amend returns the modified tree of a script, and the files to be linked with it. It removes the clauses of the script
// that the amendments replace. The original tree is unchanged.
func amend(script *ast.File, list []Amendment) (amended *ast.File, parts []*ast.File) {
	if len(list) == 0 {
		return script, nil
	}
	f := *script
	for _, a := range list {
		if a.Member != "" {
			f.Body = withFields(f.Body, a.Member, a.File.Body)
			continue
		}
		for _, cl := range a.File.Body {
			f.Body = slices.DeleteFunc(slices.Clone(f.Body), func(own ast.Clause) bool { return sameChange(own, cl) })
		}
		parts = append(parts, a.File)
	}
	return &f, parts
}

// Amended returns the script with different fields of its members, under the same rules. It is not ok if more than that
// is amended; then the rules must be built again. The caller must have checked the fields.
func (s *Script) Amended(list []Amendment) (amended *Script, ok bool) {
	if slices.ContainsFunc(list, func(a Amendment) bool { return a.Member == "" }) {
		return nil, false
	}
	x := *s
	x.File, _ = amend(s.File, list)
	return &x, true
}

// withFields returns the clauses of a script with some properties of a member replaced.
func withFields(body []ast.Clause, member string, fields []ast.Clause) []ast.Clause {
	body = slices.Clone(body)
	for i, cl := range body {
		side, ok := cl.(*ast.Side)
		if !ok || side.Body == nil {
			continue
		}
		for k, cl := range side.Body.Clauses {
			if m, ok := cl.(*ast.Member); ok && m.Name.Name == member {
				newMember, newBlock, newSide := *m, *side.Body, *side
				newMember.Body = withProperties(m.Body, fields)
				newBlock.Clauses = slices.Clone(newBlock.Clauses)
				newBlock.Clauses[k] = &newMember
				newSide.Body = &newBlock
				body[i] = &newSide
				return body
			}
		}
	}
	return body
}

// sameChange reports whether two clauses are changes of the same path.
func sameChange(a, b ast.Clause) bool {
	x, ok := a.(*ast.Change)
	y, also := b.(*ast.Change)
	return ok && also && link.PathText(&x.Path) == link.PathText(&y.Path)
}

// MemberOf finds a member of a script's sides by name; nil if there is none.
func MemberOf(script *ast.File, name string) *ast.Member {
	for _, cl := range script.Body {
		if side, ok := cl.(*ast.Side); ok {
			for m := range ast.Members(side) {
				if m.Name.Name == name {
					return m
				}
			}
		}
	}
	return nil
}

// withProperties returns the body of a member with some properties replaced.
func withProperties(body *ast.Block, with []ast.Clause) *ast.Block {
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
