package link

import (
	"fmt"
	"reflect"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file handles additions by siblings (rulesets neither of which extends the other) of the same name to the same
// thing: bonus types, fields of a kind, terms, steps, rules, rows. Equal additions are merged. Different ones are a
// conflict like that of two changes, and are settled in the same way.

// addition is something added by a ruleset.
type addition struct {
	ruleset, file string
	span          ast.Span
	path          string
}

// additionWins reports whether what a sibling has added gives way to an addition of the same name. An unsettled
// conflict is recorded, to be reported once it is known that the two rulesets were meant to be combined.
func (l *linker) additionWins(there *Origin, a addition, equal bool) bool {
	if equal {
		return false
	}
	winner := l.winner(there.Ruleset, a.ruleset, a.path)
	if winner == "" {
		l.additionConflicts = append(l.additionConflicts, diag.Diagnostic{File: a.file, Span: a.span, Severity: diag.Error, Code: "conflict",
			Message: fmt.Sprintf("%s and %s both add %s, but differently", there.Ruleset, a.ruleset, a.path),
			Hint:    fmt.Sprintf("make a ruleset that extends both and `prefers %s` or `prefers %s`, or rename one of them", there.Ruleset, a.ruleset),
			Related: []diag.Related{{File: there.File, Span: there.Span, Message: "the other one"}}})
	}
	return winner == a.ruleset
}

// withoutRivals returns a declaration without the bonus types and the fields that a sibling has declared, nil if
// nothing is left.
func (l *linker) withoutRivals(ruleset, file string, cl ast.Clause) ast.Clause {
	switch n := cl.(type) {
	case *ast.Bonus:
		left := slices.DeleteFunc(slices.Clone(n.Names), func(id ast.Ident) bool { return l.resolveRivalBonus(ruleset, file, n, id) })
		return withParts(n, len(n.Names), len(left), func(m *ast.Bonus) { m.Names = left })
	case *ast.Kind:
		if n.Body == nil {
			break
		}
		var all, left []ast.Clause
		for _, cl := range n.Body.Clauses {
			for _, f := range split(cl) {
				all = append(all, f)
				if !l.resolveRivalField(ruleset, file, n.Name.Name, f) {
					left = append(left, f)
				}
			}
		}
		return withParts(n, len(all), len(left), func(m *ast.Kind) {
			b := *n.Body
			b.Clauses, m.Body = left, &b
		})
	}
	return cl
}

// withParts returns a declaration of which the given number of parts are left: itself if all are, nil if none is.
func withParts[N any, P interface {
	*N
	ast.Clause
}](n P, all, left int, put func(P)) ast.Clause {
	switch left {
	case all:
		return n
	case 0:
		return nil
	}
	m := *n
	put(&m)
	return P(&m)
}

// resolveRivalBonus reports whether a sibling has declared a bonus type too, and keeps one of the two.
func (l *linker) resolveRivalBonus(ruleset, file string, n *ast.Bonus, id ast.Ident) bool {
	d := l.findBonus(id.Name)
	if d == nil || !l.areSiblings(ruleset, d.Origin.Root().Ruleset) {
		return false
	}
	d = l.isolateBonus(id.Name)
	l.alsoDeclaredBy[d] = append(l.alsoDeclaredBy[d], ruleset, d.Origin.Root().Ruleset)
	if l.additionWins(d.Origin.Root(), addition{ruleset, file, id.Span, "bonus " + id.Name}, d.Node.(*ast.Bonus).Law.Name == n.Law.Name) {
		one := *n
		one.Names = []ast.Ident{id}
		d.Node, d.Origin = &one, &Origin{File: file, Span: n.Span, Ruleset: ruleset, Verb: "declare"}
	}
	return true
}

// resolveRivalField reports whether a sibling has declared a field of the kind, which is kept. If the new one is
// preferred, the old one is removed instead.
func (l *linker) resolveRivalField(ruleset, file, kind string, f ast.Clause) bool {
	name := partName(f)
	for _, d := range l.byName[kind] {
		k, ok := d.Node.(*ast.Kind)
		if !ok || k.Body == nil || !l.areSiblings(ruleset, d.Origin.Root().Ruleset) {
			continue
		}
		var kept []ast.Clause
		var found ast.Clause
		for _, cl := range k.Body.Clauses {
			for _, have := range split(cl) {
				if partName(have) == name {
					found = have
				} else {
					kept = append(kept, have)
				}
			}
		}
		if found == nil {
			continue
		}
		l.alsoDeclaredBy[d] = append(l.alsoDeclaredBy[d], ruleset)
		there := *d.Origin.Root()
		there.Span = found.Extent()
		if !l.additionWins(&there, addition{ruleset, file, f.Extent(), kind + "." + name}, sameNode(WithoutMeta(found), WithoutMeta(f))) {
			return true
		}
		d.Node = l.set.editable(d.Node)
		d.Node.(*ast.Kind).Body.Clauses = kept
		l.copied[d] = true
		return false
	}
	return false
}

// resolveRivalPart reports whether a sibling has added a part of this name to the definition: a term, a step, a rule, a
// memory, a value. Clauses without names of their own can occur several times.
func (e *editor) resolveRivalPart(body *ast.Block, cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Term, *ast.Step, *ast.Rule, *ast.Keep, *ast.Property, *ast.FieldDecl, *ast.Way:
	default:
		return false
	}
	name := partName(cl)
	for i, have := range body.Clauses {
		o := e.set.Origins[have]
		if o == nil || name == "" || partName(have) != name || reflect.TypeOf(have) != reflect.TypeOf(cl) || !e.isFromSibling(o) {
			continue
		}
		there := *o
		there.Span = have.Extent()
		if e.additionWins(&there, addition{e.origin.Ruleset, e.origin.File, cl.Extent(), e.def.Name + "." + name}, sameNode(WithoutMeta(have), WithoutMeta(cl))) {
			body.Clauses[i] = cl
		}
		return true
	}
	return false
}

// resolveRivalRow keeps one of two rows with the same key.
func (e *editor) resolveRivalRow(x *ast.Table, have, row *ast.Row, key string, o *Origin) {
	there := *o
	there.Span = have.Span
	if !e.additionWins(&there, addition{e.origin.Ruleset, e.origin.File, row.Span, key}, sameNode(have, row)) {
		return
	}
	*have = *row
	for i := range row.Cells[1:] {
		e.set.Cells[CellPath(x.Name.Name, x.Rows[0], row, i+1)] = e.origin
	}
}

// sameNode reports whether two trees are equal, ignoring positions.
func sameNode(a, b any) bool { return sameValue(reflect.ValueOf(a), reflect.ValueOf(b)) }
