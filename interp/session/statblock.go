package session

import (
	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file tells the figures of a creature made anew, as its ruleset sets them out.

// StatBlock is what the ruleset's procedure of that name tells of a creature that is made anew, and looked at alone; ""
// when the ruleset has no such procedure, or nothing of that name is a creature.
func StatBlock(r *build.Rules, creature string) string {
	proc, ok := r.Checked.Lookup(ir.StatBlock).(*ir.Proc)
	t, known := r.Checked.Lookup(creature).(*ir.Template)
	if !ok || proc.Action || !known || t.Kind == nil || t.Kind.Name != "creature" {
		return ""
	}
	p := newPlayer(&build.Script{File: &ast.File{}, Rules: r}, Options{})
	p.sides = []string{creature}
	name := ast.Ident{Name: creature}
	p.place(&ast.Member{Template: name, Name: name}, 0)
	if !p.stopped {
		p.do(&ast.Command{Who: &ast.Name{Ident: name}, Name: ast.Ident{Name: ir.StatBlock}})
	}
	p.out.tell()
	return string(p.out.all)
}
