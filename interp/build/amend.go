package build

import (
	"cmp"
	"fmt"
	"slices"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file builds a script with different values.

// Amendment is a modification of a script. Its clauses have positions in its own file.
type Amendment struct {
	Member string    // whose fields the clauses set, like the braces after a member; "": they are declarations and changes
	File   *ast.File // the clauses
	Group  string    // who changes together, a name that Group or MemberOf knows; "": nobody. There are no clauses then
	Count  int       // how many there are of the group, unless one of the following is given

	Template string           // what the group is made from; "": what they are
	Follows  *ast.TacticsName // what the group follows; nil: what they do
}

// isRole reports whether an amendment changes what somebody is or follows.
func (a *Amendment) isRole() bool { return a.Template != "" || a.Follows != nil }

// amend returns the modified tree of a script, and the files to be linked with it. It removes the clauses of the script
// that the amendments replace. Changes of properties that templates of the script state are made there, unless they are to
// stay apart, where their mistakes have their own place. The original tree is unchanged.
func amend(script *ast.File, list []Amendment, apart bool) (amended *ast.File, parts []*ast.File) {
	if len(list) == 0 {
		return script, nil
	}
	f := *script
	for _, a := range list {
		if a.isRole() {
			f.Body = withRole(&f, &a)
			continue
		}
		if a.Group != "" {
			f.Body = withCount(&f, a.Group, a.Count)
			continue
		}
		if a.Member != "" {
			f.Body = withFields(f.Body, a.Member, a.File.Body)
			continue
		}
		rest := *a.File
		rest.Body = nil
		for _, cl := range a.File.Body {
			f.Body = slices.DeleteFunc(slices.Clone(f.Body), func(own ast.Clause) bool { return sameChange(own, cl) })
			if body := withTemplateProperty(f.Body, cl); body != nil && !apart {
				f.Body = body
			} else {
				rest.Body = append(rest.Body, cl)
			}
		}
		if len(rest.Body) > 0 {
			parts = append(parts, &rest)
		}
	}
	return &f, parts
}

// Amended returns the script with different fields, templates or tactics of its members, under the same rules. It is not
// ok if more than that is amended; then the rules must be built again. The caller must have checked the fields.
func (s *Script) Amended(list []Amendment) (amended *Script, ok bool) {
	if slices.ContainsFunc(list, func(a Amendment) bool { return a.Member == "" && !a.isRole() }) { // statements may name somebody who is gone
		return nil, false
	}
	x := *s
	x.File, _ = amend(s.File, list, false)
	return &x, true
}

// withTemplateProperty returns the clauses of a script with another value of a property that one of its own templates
// states; nil if the change is of anything else. A change of what the script itself declares leaves the rules under it as
// they are, so that they need not be built again.
func withTemplateProperty(body []ast.Clause, cl ast.Clause) []ast.Clause {
	change, ok := cl.(*ast.Change)
	if !ok || change.Value == nil || len(change.Path.Parts) != 2 {
		return nil
	}
	of, field := change.Path.Parts[0].Name.Name, change.Path.Parts[1].Name
	for i, own := range body {
		t, ok := own.(*ast.Template)
		if !ok || t.Name.Name != of || t.Body == nil {
			continue
		}
		if !slices.ContainsFunc(t.Body.Clauses, func(c ast.Clause) bool { p, ok := c.(*ast.Property); return ok && p.Name.Name == field.Name }) {
			return nil
		}
		again := *t
		again.Body = withProperties(t.Body, []ast.Clause{&ast.Property{Span: change.Span, Name: field, Values: []ast.Expr{change.Value}}})
		body = slices.Clone(body)
		body[i] = &again
		return body
	}
	return nil
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

// Group returns the members of a script's sides that a name stands for together: those of a side, else those of a
// template.
func Group(script *ast.File, name string) (list []*ast.Member) {
	var ofSide []*ast.Member
	for _, cl := range script.Body {
		side, ok := cl.(*ast.Side)
		if !ok {
			continue
		}
		for m := range ast.Members(side) {
			if side.Name.Name == name {
				ofSide = append(ofSide, m)
			}
			if m.Template.Name == name {
				list = append(list, m)
			}
		}
	}
	if ofSide != nil {
		return ofSide
	}
	return list
}

// withCount returns the clauses of a script with another number of members of a group: the first ones, and copies of
// the last one, which stand near it. What the script asserts or explains on the way is left out: it is about those who
// are there as written.
func withCount(script *ast.File, name string, count int) []ast.Clause {
	group := Group(script, name)
	taken := Creatures(script)
	body := slices.DeleteFunc(slices.Clone(script.Body), asserts)
	for i, cl := range body {
		side, ok := cl.(*ast.Side)
		if !ok || side.Body == nil {
			continue
		}
		newBlock, newSide := *side.Body, *side
		newBlock.Clauses = nil
		for _, cl := range side.Body.Clauses {
			m, _ := cl.(*ast.Member)
			at := slices.Index(group, m)
			if m == nil || at < count {
				newBlock.Clauses = append(newBlock.Clauses, cl)
			}
			if m == nil || at != len(group)-1 {
				continue
			}
			for n := len(group); n < count; n++ {
				c := *m
				for k := 2; ; k++ {
					c.Name.Name = fmt.Sprintf("%s-%d", m.Name.Name, k)
					if _, is := taken[c.Name.Name]; !is {
						break
					}
				}
				taken[c.Name.Name] = 0
				c.Near = c.At != nil
				newBlock.Clauses = append(newBlock.Clauses, &c)
			}
		}
		newSide.Body = &newBlock
		body[i] = &newSide
	}
	return body
}

// withRole returns the clauses of a script with a group made from another template, or following other tactics.
func withRole(script *ast.File, a *Amendment) []ast.Clause {
	group := Together(script, a.Group)
	named := map[string]bool{}
	for _, m := range group {
		named[m.Name.Name] = true
	}
	var body []ast.Clause
	for _, cl := range script.Body {
		switch n := cl.(type) {
		case *ast.Follows: // it would replace what they are given here
			if a.Follows != nil && named[n.Who.Name] {
				continue
			}
		case *ast.Side:
			if n.Body == nil {
				break
			}
			newBlock, newSide := *n.Body, *n
			newBlock.Clauses = slices.Clone(newBlock.Clauses)
			for i, cl := range newBlock.Clauses {
				m, ok := cl.(*ast.Member)
				if !ok || !slices.Contains(group, m) {
					continue
				}
				c := *m
				if c.Template.Name = cmp.Or(a.Template, c.Template.Name); a.Follows != nil {
					c.Follows = a.Follows
				}
				newBlock.Clauses[i] = &c
			}
			newSide.Body = &newBlock
			cl = &newSide
		}
		body = append(body, cl)
	}
	return body
}

// Together returns whom a name stands for: a member of a script's sides, else a group.
func Together(script *ast.File, name string) []*ast.Member {
	if m := MemberOf(script, name); m != nil {
		return []*ast.Member{m}
	}
	return Group(script, name)
}

// asserts reports whether a clause only says something about the fight.
func asserts(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Expect:
		return true
	case *ast.Directive:
		return n.Word.Name == "explain" || n.Word.Name == "transcript"
	}
	return false
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
