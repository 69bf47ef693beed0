package session

import (
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/lang/ast"
)

// This file compares the printed values of a creature with those of a newly made one on its own.

// PlayPrinted makes a creature and checks its printed values.
func PlayPrinted(s *build.Script, x build.Printed, o Options) *Played {
	p := newPlayer(s, o)
	p.sides = []string{"printed"}
	p.placeMember(&ast.Member{Span: x.Creature.Span, Template: x.Creature, Name: x.Creature}, 0, nil)
	if !p.stopped {
		p.names.SetSelf(0)
	}
	for _, claim := range x.Claims {
		if p.stopped {
			break
		}
		p.claim(claim)
	}
	p.finish()
	return &Played{Result: p.result, Output: string(p.narrator.output), player: p}
}

// claim checks one printed value. If a number differs, the failure explains how it is computed.
func (p *player) claim(n *ast.Claim) {
	x, vars, diags := p.names.Expr(n.Cond, check.YesNo)
	if len(diags) > 0 {
		p.haltWith(diags)
		return
	}
	v, ok := p.eval(n.Span, x, vars)
	if !ok || v != 0 {
		return
	}
	equals, ok := n.Cond.(*ast.Binary)
	if !ok || equals.Op.Name != "=" {
		p.fail(n.Span, "printed", "this does not hold")
		p.addHint(p.operands(n.Cond))
		return
	}
	computed, _ := p.tryFormat(equals.X)
	p.fail(n.Span, "printed", "%s is printed, but it is %s", p.text(equals.Y), computed)
	if why, diags := p.explainExpr(equals.X, UsualDepth); len(diags) == 0 && len(why.Parts) > 0 {
		last := &p.result.Failures[len(p.result.Failures)-1]
		last.Message += ":\n" + strings.TrimRight(why.Text(), "\n")
	}
}
