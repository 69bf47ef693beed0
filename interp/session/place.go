package session

import (
	"slices"

	"arbiter/interp/check"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
)

// This file places the combatants.

// side places the members of a side; a side may be written in several pieces.
func (p *player) side(n *ast.Side) {
	index := slices.Index(p.sides, n.Name.Name)
	if index < 0 {
		index = len(p.sides)
		p.sides = append(p.sides, n.Name.Name)
	}
	if n.Body == nil {
		return
	}
	for _, cl := range n.Body.Clauses {
		if m, ok := cl.(*ast.Member); ok {
			p.place(m, index)
		}
	}
}

func (p *player) place(n *ast.Member, side int) {
	for _, have := range p.members {
		if have.name == n.Name.Name {
			p.fail(n.Name.Span, "declared-twice", "%s has been placed already", have.name)
			return
		}
	}
	m, diags := p.names.Member(n)
	if len(diags) > 0 {
		p.halted(diags)
		return
	}
	at, ok := p.squareOf(n.At)
	if !ok {
		return
	}
	x := machine.Placing{Name: n.Name.Name, Side: int32(side), Fields: map[int32]int64{}}
	for i, v := range m.Values {
		if v != nil {
			x.Fields[int32(i)] = p.loose.Const(v, p.rs.Kinds[0].Fields[i].Type)
		}
	}
	for _, e := range m.Has {
		x.Effects = append(x.Effects, int32(e.Index))
	}
	ref, err := p.m.Place(int32(m.Template.Index), x)
	if err != nil {
		p.failed(n.Span, err)
		return
	}
	p.members = append(p.members, member{name: n.Name.Name, side: side, at: at, tactics: m.Tactics})
	p.names.Creature(n.Name.Name, int64(ref))
}

// squareOf reads `at (x, y)` or `at (x, y, z)`. Where somebody stands is told in the result; rules cannot ask it without a map.
func (p *player) squareOf(e ast.Expr) (at [3]int64, ok bool) {
	if e == nil {
		return at, true
	}
	t, ok := e.(*ast.Tuple)
	if !ok || len(t.Items) > len(at) {
		p.fail(e.Extent(), "wrong-type", "a place is a square")
		p.hint("write `at (x, y)` or `at (x, y, z)`")
		return at, false
	}
	for i, x := range t.Items {
		if at[i], ok = p.number(x, check.Number); !ok {
			return at, false
		}
	}
	return at, true
}

func (p *player) follows(n *ast.Follows) {
	t := p.rs.Tactics(n.Tactics.Name)
	if t == nil {
		p.fail(n.Tactics.Span, "unknown-tactics", "there are no tactics called %s", n.Tactics.Name)
		return
	}
	for i := range p.members {
		if p.members[i].name == n.Who.Name {
			p.members[i].tactics = t
			return
		}
	}
	p.fail(n.Who.Span, "unknown-name", "nobody is called %s", n.Who.Name)
}
