package link

import (
	"fmt"
	"path"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file handles declarations of the same name by two rulesets neither of which extends the other.

// rival decides between a declaration and existing ones of siblings. One is dropped when a ruleset that extends both
// settles it, or when they are equal. rival reports whether the new one is dropped.
func (l *linker) rival(d *Def) bool {
	for _, old := range slices.Clone(l.by[d.Name]) {
		if !l.rivals(old, d) {
			continue
		}
		a, b := old.Origin.Ruleset, d.Origin.Ruleset
		l.shared[old] = append(l.shared[old], b)
		switch l.settled(a, b, d.Name) {
		case b:
			l.shared[d] = append(l.shared[old], a)
			l.drop(old)
			continue
		case "":
			if !alike(old, d) {
				continue // see clashes
			}
		}
		return true
	}
	return false
}

// rivals reports whether two definitions exclude each other and come from siblings.
func (l *linker) rivals(a, b *Def) bool {
	x, y := a.Origin.Root().Ruleset, b.Origin.Root().Ruleset
	return owned(a) && owned(b) && l.siblings(x, y)
}

// owned reports whether only one ruleset may declare a definition; several may declare the same kind, role or bonus
// type.
func owned(d *Def) bool {
	switch d.Node.(type) {
	case *ast.Kind, *ast.Role, *ast.Bonus:
		return false
	}
	return true
}

// siblings reports whether neither of two rulesets extends the other.
func (l *linker) siblings(a, b string) bool {
	return a != b && a != theScript && b != theScript && !l.parents[a][b] && !l.parents[b][a]
}

// foreign reports whether a definition is a sibling's, and was declared neither by this ruleset nor by one it extends.
func (e *editor) foreign(d *Def) bool {
	return e.beside(d.Origin.Root()) && !slices.ContainsFunc(e.shared[d], func(r string) bool {
		return r == e.origin.Ruleset || e.parents[e.origin.Ruleset][r]
	})
}

// alike reports whether two declarations are equal, ignoring doc strings and citations.
func alike(a, b *Def) bool {
	if _, ok := a.Node.(*ast.Use); ok && path.Dir(a.Origin.File) != path.Dir(b.Origin.File) {
		return false // the relative file name refers to different files
	}
	return sameNode(Bare(a.Node), Bare(b.Node))
}

// drop removes a definition.
func (l *linker) drop(d *Def) {
	is := func(x *Def) bool { return x == d }
	l.set.Defs = slices.DeleteFunc(l.set.Defs, is)
	l.by[d.Name] = slices.DeleteFunc(l.by[d.Name], is)
}

// clashes reports unsettled conflicts.
func (l *linker) clashes() {
	l.diags = append(l.diags, l.clashing...)
	for _, d := range slices.Clone(l.set.Defs) {
		for _, old := range slices.Clone(l.by[d.Name]) {
			if old == d || !l.rivals(old, d) || slices.Index(l.set.Defs, old) > slices.Index(l.set.Defs, d) {
				continue
			}
			l.drop(d)
			a, b := old.Origin.Root(), d.Origin.Root()
			l.report(b.File, b.Span, "conflict", fmt.Sprintf("%s and %s both declare %s, but differently", a.Ruleset, b.Ruleset, d.Name),
				fmt.Sprintf("make a ruleset that extends both and `prefers %s` or `prefers %s`, or rename one of them", a.Ruleset, b.Ruleset),
				diag.Related{File: a.File, Span: a.Span, Message: "the other declaration"})
			break
		}
	}
}
