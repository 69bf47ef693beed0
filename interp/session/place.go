package session

import (
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/grid"
)

// This file places the combatants.

// side places the members of a side; a side can be written in several parts.
func (p *player) side(n *ast.Side) {
	index := slices.Index(p.sides, n.Name.Name)
	if index < 0 {
		index = len(p.sides)
		p.sides = append(p.sides, n.Name.Name)
	}
	tactics := (*ir.Tactics)(nil)
	if n.Follows != nil { // unknown ones have been reported
		tactics, _ = p.names.Followed(n.Follows)
	}
	err := p.m.PlaceMany(func() {
		for m := range ast.Members(n) {
			p.placeMember(m, index, tactics)
			if len(p.members) > machine.MaxCreatures || p.stopped {
				break
			}
		}
	})
	if err != nil {
		p.failed(n.Name.Span, err)
	}
	if p.story == nil { // a story knows its sides in advance
		p.names.BindSideIfFree(n.Name.Name, p.membersOf(index))
	}
}

// membersOf lists the members of a side.
func (p *player) membersOf(side int) (refs []int64) {
	for i := range p.members {
		if p.members[i].side == side {
			refs = append(refs, int64(i))
		}
	}
	return refs
}

// placeMember places a member of a side, with the tactics of the side unless it has its own.
func (p *player) placeMember(n *ast.Member, side int, tactics *ir.Tactics) {
	for _, have := range p.members {
		if have.name == n.Name.Name {
			p.fail(n.Name.Span, "declared-twice", "%s has been placed already", have.name)
			return
		}
	}
	x, ok := p.specOf(n)
	if !ok {
		return
	}
	if x.tactics == nil {
		x.tactics = tactics
	}
	at, ok := p.squareOf(n)
	if !ok {
		return
	}
	x.placing.Side, x.placing.Square = int32(side), at
	room := true
	if n.Near {
		x.placing.ChooseSquare = func(who int32) {
			p.m.State().Squares[who], room = p.field.NearestFree(p.m, int64(who), at)
			p.m.ForgetCached()
		}
	}
	ref, err := p.m.Place(x.template, x.placing)
	if err != nil {
		p.failed(n.Span, err)
		return
	}
	if !room {
		p.failCrowded(n.At.Extent(), n.Name.Name, at)
		return
	}
	p.members = append(p.members, member{name: n.Name.Name, side: side, tactics: x.tactics})
	p.names.BindCreature(n.Name.Name, int64(ref))
	p.recorder.placed(ref)
	if p.onPlaced != nil {
		p.onPlaced(ref)
	}
	if p.field != nil {
		if why := p.field.WhyUnfit(p.m, int64(ref)); why != "" {
			p.failUnfit(n.At.Extent(), n.Name.Name, at, why)
		}
	}
}

// failCrowded reports that there is no free square near a square.
func (p *player) failCrowded(span ast.Span, name string, at int64) {
	p.halt(span, "no-place", "there is no room for %s near %s", name, machine.FormatSquare(at))
	p.addHint("choose a square with free ground within reach")
}

// specOf returns what a member is made of. A story has checked this for all members in advance.
func (p *player) specOf(n *ast.Member) (memberSpec, bool) {
	if p.story != nil {
		if x, known := p.story.specs[n]; known {
			return x, true
		}
	}
	x, diags := p.buildSpec(n)
	if len(diags) > 0 {
		p.haltWith(diags)
		return memberSpec{}, false
	}
	return x, true
}

// buildSpec computes what a member is made of.
func (p *player) buildSpec(n *ast.Member) (memberSpec, diag.List) {
	m, diags := p.names.Member(n)
	if len(diags) > 0 {
		return memberSpec{}, diags
	}
	x := memberSpec{template: int32(m.Template.Index), tactics: m.Tactics, placing: machine.Placement{Name: n.Name.Name, Fields: map[int32]int64{}, Resources: map[int32]int64{}}}
	for i, v := range m.Values {
		if v != nil {
			x.placing.Fields[int32(i)] = p.compiler.Const(v, p.checked.Kinds[0].Fields[i].Type)
		}
	}
	for _, a := range m.Amounts {
		x.placing.Resources[int32(a.Resource.Index)] = p.compiler.Const(a.Value, a.Resource.Type)
	}
	for _, g := range m.Has {
		x.placing.Effects = append(x.placing.Effects, p.compiler.InitialEffect(g))
	}
	return x, nil
}

// chart sets up the map.
func (p *player) chart(n *ast.Map) {
	switch {
	case p.field != nil:
		p.halt(n.Span, "declared-twice", "there is a map already")
		p.addHint("draw a single map, before anybody is placed")
		return
	case len(p.members) > 0:
		p.halt(n.Span, "misplaced", "%s has been placed before there was a map", p.members[0].name)
		p.addHint("draw the map first")
		return
	}
	m, diags := ground.Read(p.script.Path, p.m.Program(), n)
	if len(diags) > 0 {
		p.haltWith(diags)
		return
	}
	p.stand(n.Span, m)
}

func (p *player) stand(span ast.Span, on *ground.Map) {
	field, err := ground.Attach(p.m, on)
	if err != nil {
		p.failed(span, err)
		return
	}
	p.field = field
}

// squareOf returns the square of a member: `at (x, y)`, `at (x, y, z)`, or a mark of the map, `at "a"`. If there is no
// map, the first member with a square creates open ground. 0 means no square.
func (p *player) squareOf(n *ast.Member) (at int64, ok bool) {
	e := n.At
	if e == nil {
		if p.field != nil {
			p.halt(n.Span, "no-place", "%s has no square", n.Name.Name)
			p.addHint("write `" + n.Template.Name + " " + n.Name.Name + " at (x, y)`, or a mark of the map: `at \"a\"`")
		}
		return 0, p.field == nil
	}
	if p.story != nil {
		if spot, ok := p.story.Spots[n]; ok {
			return p.spotOf(&spot)
		}
	}
	if p.field == nil {
		if len(p.members) > 0 {
			p.halt(e.Extent(), "no-place", "%s has no square", p.members[0].name)
			p.addHint("give a square to everybody, or to nobody")
			return 0, false
		}
		if p.stand(e.Extent(), ground.Open()); p.stopped {
			return 0, false
		}
	}
	square, ok := p.squareAt(e, p.partOf(e, n.Near))
	return square.Pack(), ok
}

// squareAt evaluates a square; number evaluates its coordinates, or the value that stands for it.
func (p *player) squareAt(e ast.Expr, number func(int, ast.Expr) (int64, bool)) (at grid.Square, ok bool) {
	if !check.IsSquareLiteral(e) {
		return p.squareOfValue(e, number)
	}
	at, ok, wrong := p.field.ResolveSquare(e, number)
	if wrong != nil {
		wrong.File = p.path()
		p.haltWith(diag.List{*wrong})
	}
	return at, ok
}

// squareOfValue evaluates a place: a square, or a creature, which stands on one.
func (p *player) squareOfValue(e ast.Expr, number func(int, ast.Expr) (int64, bool)) (at grid.Square, ok bool) {
	v, ok := number(0, e)
	if !ok {
		return at, false
	}
	if !grid.Packed(v) && v >= 0 && v < int64(len(p.m.State().Squares)) {
		v = p.m.State().Squares[v]
	}
	if at, ok = grid.Unpack(v); !ok {
		p.halt(e.Extent(), "no-place", "%s has no square", p.source(e))
		p.addHint("write a square, (x, y), or place that creature first")
	}
	return at, ok
}

// partOf returns how the parts of a square are evaluated as a script writes them: numbers, unless the whole is a value.
func (p *player) partOf(at ast.Expr, near bool) func(int, ast.Expr) (int64, bool) {
	if !check.IsSquareLiteral(at) {
		return func(_ int, x ast.Expr) (int64, bool) { return p.number(x, check.PlaceAt(near)) }
	}
	return func(_ int, x ast.Expr) (int64, bool) {
		if v, ok := ground.NumberLiteral(x); ok {
			return v, true
		}
		return p.number(x, check.Number)
	}
}

// relocate moves a creature to another square, or lets it leave.
func (p *player) relocate(n *ast.Directive) {
	who, ok := p.number(n.Value, ir.Type{Kind: ir.Ref, Name: p.checked.Kinds[0].Name})
	if !ok {
		return
	}
	if build.IsNowhere(n) {
		p.leave(n, who)
		return
	}
	if len(n.At) == 0 {
		p.bringBack(n, who)
		return
	}
	if p.field == nil && p.isAway(who) {
		p.halt(n.Span, "no-place", "there is no ground")
		p.addHint("`place " + p.nameOf(who) + " back` brings one back who has left")
		return
	}
	squares, ok := p.squares(n)
	if !ok {
		return
	}
	at, ok := p.roomAt(n, who, squares[0].Pack())
	if !ok {
		return
	}
	if p.isAway(who) {
		if p.must(n.Span, func() machine.Result { return p.m.BringBack(int32(who), at) }) && !p.quiet {
			p.narrator.line(0, p.nameOf(who)+" is back at "+machine.FormatSquare(at))
		}
		return
	}
	p.must(n.Span, func() machine.Result { return p.m.Relocate(int32(who), at) })
}

// roomAt returns the square at which, or near which, a `place` puts a creature, if there is room for it.
func (p *player) roomAt(n *ast.Directive, who, at int64) (square int64, ok bool) {
	if n.Near {
		if square, ok = p.field.NearestFree(p.m, who, at); !ok {
			p.failCrowded(n.At[0].Extent(), p.nameOf(who), at)
			return at, false
		}
		at = square
	}
	if why := p.field.WhyUnfitAt(p.m, who, at); why != "" {
		p.failUnfit(n.At[0].Extent(), p.nameOf(who), at, why)
		return at, false
	}
	return at, true
}

// failUnfit reports that a creature cannot stand on a square.
func (p *player) failUnfit(span ast.Span, name string, at int64, why string) {
	p.halt(span, "no-place", "%s cannot stand at %s: %s", name, machine.FormatSquare(at), why)
	p.addHint("choose a square that is free and large enough, or write `near` for `at`")
}

// leave lets a creature leave the fight.
func (p *player) leave(n *ast.Directive, who int64) {
	if who < 0 || who >= int64(len(p.members)) || p.isAway(who) {
		p.halt(n.Span, "no-place", "%s is not here", p.source(n.Value))
		return
	}
	// The rules react while it is still there: whoever it holds is released.
	if proc, declared := p.checked.Lookup(ir.LeaveFight).(*ir.Proc); !declared {
		if !p.quiet {
			p.narrator.line(0, p.nameOf(who)+" leaves")
		}
	} else if !p.must(n.Span, func() machine.Result { return p.m.Do(int32(who), int32(proc.Index), nil) }) {
		return
	}
	p.must(n.Span, func() machine.Result { return p.m.Leave(int32(who)) })
}

// bringBack lets a creature that has left take part again, where there is no map.
func (p *player) bringBack(n *ast.Directive, who int64) {
	name := p.nameOf(who)
	switch {
	case !p.isAway(who):
		p.halt(n.Span, "no-place", "%s is here already", name)
		p.addHint("`place NAME back` brings somebody back who was taken out of the fight")
	case p.field != nil:
		p.halt(n.Span, "no-place", "where is %s to stand?", name)
		p.addHint("write `place " + name + " at (x, y)`, or `near (x, y)`")
	case p.must(n.Span, func() machine.Result { return p.m.BringBack(int32(who), program.None) }) && !p.quiet:
		p.narrator.line(0, name+" is back")
	}
}

// isAway reports whether a member has been taken out of the fight.
func (p *player) isAway(who int64) bool {
	return who >= 0 && who < int64(len(p.members)) && p.m.State().Entities[who].Away
}

// changeGround changes the ground of squares.
func (p *player) changeGround(n *ast.Directive) {
	squares, ok := p.squares(n)
	if !ok {
		return
	}
	on, err := p.field.Map.WithTerrain(p.m.Program(), names(n.Names), squares)
	if err != nil {
		p.halt(n.Span, "unknown-name", "%s", err)
		p.addHint("`ground none at ...` clears squares")
		return
	}
	if p.stand(n.Span, on); p.stopped || !p.must(n.Span, p.m.GroundChanged) {
		return
	}
	p.narrator.chart()
}

// squares returns the squares of a directive.
func (p *player) squares(n *ast.Directive) (list []grid.Square, ok bool) {
	if p.field == nil {
		p.halt(n.Span, "no-place", "there is no ground")
		p.addHint("draw a map first, or give everybody a square")
		return nil, false
	}
	for _, e := range n.At {
		at, ok := p.squareAt(e, p.partOf(e, n.Near))
		if !ok {
			return nil, false
		}
		list = append(list, at)
	}
	return list, true
}

func (p *player) follows(n *ast.Follows) {
	t, diags := p.names.Followed(&n.Tactics)
	if len(diags) > 0 {
		p.haltWith(diags)
		return
	}
	for i := range p.members {
		if p.members[i].name == n.Who.Name {
			p.members[i].tactics = t
			return
		}
	}
	p.fail(n.Who.Span, "unknown-name", "nobody is named %s", n.Who.Name)
}
