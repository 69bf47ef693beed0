package session

import (
	"strconv"
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
	return &Played{Result: p.result, Output: p.narrator.transcript(), player: p}
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

// Compared is a printed value beside the computed one.
type Compared struct {
	Claim    *ast.Claim
	Printed  string
	Computed string
	Holds    bool
	Numbers  bool // both are plain numbers
	Delta    int64
	Parts    []Explained // of the computed value
	Problem  string      // why nothing was computed; "" if something was
}

// ComparePrinted makes a creature and compares each of its printed values with the computed one.
func ComparePrinted(s *build.Script, x build.Printed, o Options) []Compared {
	p := newPlayer(s, o)
	p.sides = []string{"printed"}
	p.placeMember(&ast.Member{Span: x.Creature.Span, Template: x.Creature, Name: x.Creature}, 0, nil)
	problem := ""
	if p.stopped {
		problem = "the creature cannot be made"
		if n := len(p.result.Failures); n > 0 {
			problem = p.result.Failures[n-1].Message
		}
	} else {
		p.names.SetSelf(0)
	}
	list := make([]Compared, len(x.Claims))
	for i, claim := range x.Claims {
		list[i] = Compared{Claim: claim, Problem: problem}
		if problem == "" {
			p.compare(&list[i])
		}
	}
	return list
}

// compare computes one printed value.
func (p *player) compare(c *Compared) {
	equals, ok := c.Claim.Cond.(*ast.Binary)
	if !ok || equals.Op.Name != "=" {
		c.Printed = p.text(c.Claim.Cond)
		c.Computed, ok = p.tryFormat(c.Claim.Cond)
		if c.Holds = ok && c.Computed == "yes"; !ok {
			c.Problem = "it cannot be computed"
		}
		return
	}
	c.Printed = p.text(equals.Y)
	var there bool
	if c.Computed, there = p.tryFormat(equals.X); !there {
		c.Problem = "it cannot be computed"
		return
	}
	holds, ok := p.tryFormat(c.Claim.Cond)
	c.Holds = ok && holds == "yes"
	printed, err := strconv.ParseInt(c.Printed, 10, 64)
	computed, err2 := strconv.ParseInt(c.Computed, 10, 64)
	if c.Numbers = err == nil && err2 == nil; c.Numbers {
		c.Delta = computed - printed
	}
	if why, diags := p.explainExpr(equals.X, UsualDepth); len(diags) == 0 {
		c.Parts = why.Parts
	}
}
