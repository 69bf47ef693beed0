package session

import (
	"fmt"

	"arbiter/interp/check"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/stdlib/clock"
)

// This file lets tactics play a fight to its end.

// A fight that nobody bounds is broken off after usualRounds; mostRounds bounds what may be asked for.
const (
	usualRounds = 1_000
	mostRounds  = 10_000
)

// fight lets tactics play until at most one side is left.
func (p *player) fight(n *ast.Directive) {
	limit := p.o.Rounds
	if limit <= 0 {
		limit = usualRounds
	}
	if n.Value != nil {
		seconds, ok := p.number(n.Value, check.Seconds)
		if !ok {
			return
		}
		rounds := seconds / int64(clock.Round)
		if rounds < 1 || rounds > mostRounds {
			p.halt(n.Value.Extent(), "limit", "a fight goes on for 1 to %d rounds, not %d", mostRounds, rounds)
			return
		}
		limit = int(rounds)
	}
	if !p.m.State().InFight {
		p.begin(n.Span)
	}
	last := int(p.m.State().Order.Round()) + limit - 1
	for !p.stopped && !p.decided() {
		p.turn(n.Span)
		if p.stopped || p.decided() {
			break
		}
		if !p.must(n.Span, p.m.NextTurn) {
			return
		}
		if int(p.m.State().Order.Round()) > last {
			if n.Value == nil {
				p.out.line(0, fmt.Sprintf("After %d rounds nobody has won: the fight is broken off.", limit))
			}
			break
		}
	}
	if !p.stopped && p.decided() {
		p.must(n.Span, p.m.EndFight)
	}
}

// mostActions is more than anybody does in a turn: tactics that never end are broken off.
const mostActions = 100

// turn lets whoever's turn it is follow their tactics.
func (p *player) turn(span ast.Span) {
	who := p.m.State().Order.Current()
	if who < 0 || int(who) >= len(p.members) || !p.canTurn(who) {
		return
	}
	t := p.members[who].tactics
	if t == nil {
		return
	}
	for range mostActions {
		proc, args, err := p.m.Follow(who, int32(t.Index))
		if err != nil {
			p.failed(span, err)
			return
		}
		if proc < 0 {
			return
		}
		if why, ok := p.drive(span, func() machine.Result { return p.m.Do(who, proc, args) }); !ok {
			p.halt(span, "refused", "tactics %s: refused: %s", t.Name, why)
			return
		}
		if p.decided() || !p.canTurn(who) {
			return
		}
	}
}

func (p *player) canTurn(who int32) bool {
	ok, err := p.m.CanTurn(who)
	return ok && err == nil
}

func (p *player) defeated(who int32) bool {
	down, err := p.m.Defeated(who)
	return down && err == nil
}

// decided tells whether at most one side has somebody who is not defeated.
func (p *player) decided() bool {
	_, n := p.standing()
	return n <= 1
}

// standing is the last side with somebody who is not defeated, and how many sides have.
func (p *player) standing() (side, count int) {
	side = -1
	for i := range p.sides {
		for k := range p.members {
			if p.members[k].side == i && !p.defeated(int32(k)) {
				side = i
				count++
				break
			}
		}
	}
	return side, count
}
