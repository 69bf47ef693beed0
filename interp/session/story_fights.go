package session

import (
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/interp/story"
	"arbiter/lang/ast"
)

// This file lets the party of a story meet and fight others.

// removeStrangers removes those whom the party has met.
func (p *player) removeStrangers() {
	if p.m.State().Story[storyBattle] == 0 {
		return
	}
	p.m.State().Story[storyBattle] = 0
	if p.m.State().InFight {
		p.must(p.currentOp().Span, p.m.EndFight)
	}
	if p.field != nil {
		p.m.LeaveMap()
		p.field = nil
	}
	for n := 0; !p.stopped && len(p.m.State().Entities) > p.story.placed; n++ {
		if n == maxRemovals {
			p.failAt(p.currentOp(), "limit", "the opponents cannot be removed: what they leave behind keeps ending")
			return
		}
		p.must(p.currentOp().Span, func() machine.Result { return p.m.RemoveFrom(int32(p.story.placed)) })
	}
	for i := p.story.placed; i < len(p.members); i++ {
		p.names.Unbind(p.members[i].name)
	}
	p.recorder.removed(p.story.placed)
	p.members, p.sides = p.members[:p.story.placed], p.sides[:p.story.sides]
	for i := range p.members {
		if p.m.State().Entities[i].Away {
			p.bringIn(int32(i), none)
		}
	}
}

// setAsideStrangers sets aside those who are not of the party and were not met.
func (p *player) setAsideStrangers() {
	if p.story.placed > p.story.party {
		p.m.SetAside(int32(p.story.party))
		for i := p.story.placed; i < len(p.members); i++ {
			p.bringIn(int32(i), p.m.State().Squares[i])
		}
	}
}

// bringIn brings in a creature that was set aside. The map shows where it stands.
func (p *player) bringIn(who int32, at int64) {
	p.must(p.currentOp().Span, func() machine.Result { return p.m.BringBack(who, at) })
}

// setUpGround lays out the map of a fight, or open ground if none is drawn. Creatures already there are set aside until
// they are placed.
func (p *player) setUpGround(o *story.Op) {
	defer p.m.SetAside(0)
	if f := p.story.fields[o.A]; f != nil {
		p.field = f
		f.AttachTo(p.m)
		return
	}
	on := ground.Open()
	if drawn := p.story.Battles[o.A].Map; drawn != nil {
		m, diags := ground.Read(o.File, p.m.Program(), drawn)
		if len(diags) > 0 {
			p.haltWith(diags)
			return
		}
		on = m
	}
	p.stand(o.Span, on)
	p.story.fields[o.A] = p.field
}

// spotOf returns the square of a spot in a fight.
func (p *player) spotOf(x *story.Spot) (at int64, ok bool) {
	if p.field == nil {
		if p.setUpGround(p.currentOp()); p.stopped {
			return 0, false
		}
	}
	square, ok := p.squareAt(x.Node, func(i int, _ ast.Expr) (int64, bool) { return p.valueOf(x.Square[i]) })
	return square.Pack(), ok
}

// placeAt puts a creature on a square.
func (p *player) placeAt(o *story.Op, x *story.Placing) {
	who, ok := p.valueOf(x.Who)
	if !ok {
		return
	}
	at, ok := p.spotOf(&x.At)
	if !ok {
		return
	}
	if at, ok = p.roomAt(x.Node, who, at); !ok {
		return
	}
	if p.m.State().Entities[who].Away {
		p.bringIn(int32(who), at)
		return
	}
	p.must(o.Span, func() machine.Result { return p.m.Relocate(int32(who), at) })
}

// openFight begins the fight. Whoever plays continues from there.
func (p *player) openFight(o *story.Op) {
	if p.story.trail.fights++; p.story.trail.fights > maxFightsWithoutChoice {
		p.failInCircle("%d fights follow one another without a choice", maxFightsWithoutChoice)
		return
	}
	p.enter(fighting)
	if p.field == nil {
		p.setAsideStrangers()
	} else {
		for i := range p.members {
			if fights := i < p.story.party || i >= p.story.placed; fights && p.m.State().Squares[i] == none {
				p.failAt(o, "no-place", "%s has no square", p.members[i].name)
				p.addHint("write `place " + p.members[i].name + " at SQUARE` in the fight")
				return
			}
		}
	}
	if p.story.watch != nil {
		p.story.watch.begin(p)
	}
	p.begin(o.Span)
	p.afterFight()
}

// afterFight continues the story if the fight is over.
func (p *player) afterFight() {
	if p.stopped || p.phase() != fighting {
		return
	}
	o := p.currentOp()
	over := p.decided() || p.result.Ended != "" && p.result.Ended != "won" || p.mustBreakOff()
	if !over || p.stopped {
		return
	}
	p.result.Ended = ""
	rounds := int(p.m.State().Order.Round())
	if p.m.State().InFight {
		end := func() bool { return p.must(o.Span, p.m.EndFight) }
		if p.decided() {
			end = func() bool { return p.endDecided(o.Span) }
		}
		if !end() {
			return
		}
	}
	which := 2
	if side, n := p.standing(); n == 1 && side == 0 {
		which = 0
	} else if !p.partyStands() {
		which = 1
	}
	p.countBranch(p.m.State().Story[storyAt], which)
	if p.story.watch != nil {
		p.story.watch.end(p, o.A, FightEnd(which), rounds)
	}
	p.m.State().Story[storyAt] = int64(o.To[which])
	p.narrator.turnOver()
	p.enter(running)
}

// partyStands reports whether anyone of the party is undefeated.
func (p *player) partyStands() bool {
	for i := range p.story.party {
		if !p.defeated(int32(i)) {
			return true
		}
	}
	return false
}

// mustBreakOff reports whether the fight of the story is to be broken off.
func (p *player) mustBreakOff() bool {
	if p.phase() != fighting {
		return false
	}
	b := &p.story.Battles[p.currentOp().A]
	if b.BreakOff < 0 {
		return false
	}
	holds, ok := p.valueOf(b.BreakOff)
	return ok && holds != 0
}

// playFight lets tactics play the fight of the story, then continues.
func (p *player) playFight() {
	o := p.currentOp()
	p.fight(&ast.Directive{Span: o.Span, Word: ast.Ident{Span: o.Span, Name: "fight"}})
	p.continueStory()
}
