package session

import (
	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file prints the stat block of a new creature as its ruleset defines it.

// StatBlock returns the output of the ruleset's procedure for stat blocks, for a new creature on its own. It is "" if
// the ruleset has no such procedure, or if there is no such creature.
func StatBlock(r *build.Rules, creature string) string {
	proc, ok := r.Checked.Lookup(ir.StatBlock).(*ir.Proc)
	t, known := r.Checked.Lookup(creature).(*ir.Template)
	if !ok || proc.Action || !known || t.Kind == nil || t.Kind.Name != "creature" {
		return ""
	}
	p := newPlayer(&build.Script{File: &ast.File{}, Rules: r}, Options{})
	p.sides = []string{creature}
	name := ast.Ident{Name: creature}
	p.placeMember(&ast.Member{Template: name, Name: name}, 0, nil)
	if !p.stopped {
		p.do(&ast.Command{Who: &ast.Name{Ident: name}, Name: ast.Ident{Name: ir.StatBlock}})
	}
	p.narrator.writeEvents()
	return p.narrator.transcript()
}
