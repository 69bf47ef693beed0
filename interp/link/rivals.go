package link

import (
	"fmt"
	"path"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file handles declarations of the same name by two rulesets neither of which extends the other.

// resolveRival decides between a declaration and existing ones of siblings. One is dropped when a ruleset that extends
// both settles it, or when they are equal. rival reports whether the new one is dropped.
func (l *linker) resolveRival(d *Def) bool {
	for _, old := range slices.Clone(l.byName[d.Name]) {
		if !l.areRivals(old, d) {
			continue
		}
		a, b := old.Origin.Ruleset, d.Origin.Ruleset
		l.alsoDeclaredBy[old] = append(l.alsoDeclaredBy[old], b)
		switch l.winner(a, b, d.Name) {
		case b:
			l.alsoDeclaredBy[d] = append(l.alsoDeclaredBy[old], a)
			l.drop(old)
			continue
		case "":
			if !sameDeclaration(old, d) {
				continue // see reportConflicts
			}
		}
		return true
	}
	return false
}

// areRivals reports whether two definitions exclude each other and come from siblings.
func (l *linker) areRivals(a, b *Def) bool {
	x, y := a.Origin.Root().Ruleset, b.Origin.Root().Ruleset
	return isExclusive(a) && isExclusive(b) && l.areSiblings(x, y)
}

// isExclusive reports whether only one ruleset may declare a definition; several may declare the same kind, role or
// bonus type.
func isExclusive(d *Def) bool {
	switch d.Node.(type) {
	case *ast.Kind, *ast.Role, *ast.Bonus:
		return false
	}
	return true
}

// areSiblings reports whether neither of two rulesets extends the other.
func (l *linker) areSiblings(a, b string) bool {
	return a != b && a != ScriptName && b != ScriptName && !l.parents[a][b] && !l.parents[b][a]
}

// isForeign reports whether a definition is a sibling's, and was declared neither by this ruleset nor by one it
// extends.
func (e *editor) isForeign(d *Def) bool {
	return e.isFromSibling(d.Origin.Root()) && !slices.ContainsFunc(e.alsoDeclaredBy[d], func(r string) bool {
		return r == e.origin.Ruleset || e.parents[e.origin.Ruleset][r]
	})
}

// sameDeclaration reports whether two declarations are equal, ignoring doc strings and citations.
func sameDeclaration(a, b *Def) bool {
	if _, ok := a.Node.(*ast.Use); ok && path.Dir(a.Origin.File) != path.Dir(b.Origin.File) {
		return false // the relative file name refers to different files
	}
	return sameNode(WithoutMeta(a.Node), WithoutMeta(b.Node))
}

// drop removes a definition.
func (l *linker) drop(d *Def) {
	is := func(x *Def) bool { return x == d }
	l.set.Defs = slices.DeleteFunc(l.set.Defs, is)
	l.byName[d.Name] = slices.DeleteFunc(l.byName[d.Name], is)
}

// reportConflicts reports unsettled conflicts.
func (l *linker) reportConflicts() {
	l.diags = append(l.diags, l.additionConflicts...)
	for _, d := range slices.Clone(l.set.Defs) {
		for _, old := range slices.Clone(l.byName[d.Name]) {
			if old == d || !l.areRivals(old, d) || slices.Index(l.set.Defs, old) > slices.Index(l.set.Defs, d) {
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
