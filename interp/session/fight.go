package session

import (
	"fmt"
	"slices"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/stdlib/clock"
)

// This file lets tactics play a fight to its end.

// A fight without a bound is broken off after defaultRounds; maxRounds is the highest bound allowed.
const (
	defaultRounds = 1_000
	maxRounds     = 10_000
)

// fight lets tactics play until at most one side is left.
func (p *player) fight(n *ast.Directive) {
	p.seedFight()
	limit, turns, ok := p.fightLimit(n)
	if !ok {
		return
	}
	reached, ok := p.stopCondition(n)
	if !ok {
		return
	}
	if p.buildLock != nil { // playing reads no source
		p.buildLock.Unlock()
		defer p.buildLock.Lock()
	}
	if !p.m.State().InFight {
		p.begin(n.Span)
	}
	p.playing = true
	defer func() { p.playing = false }()
	round := int(p.m.State().Order.Round())
	last, active := round+limit-1, round // active: the last round in which anyone did something
	fought, over := 0, p.decided()       // fought: the last round in which anyone had a turn, or in which it was decided
	defer func() { p.countRounds(fought) }()
	p.result.Ended = ""
	for !p.stopped && !p.decided() && !reached() {
		fought = round
		p.roundsLeft, p.turnsLeft = last-round+1, turns
		if p.turn(n.Span) {
			active = int(p.m.State().Order.Round())
		}
		if p.stopped || p.decided() || reached() {
			break
		}
		if p.mustBreakOff() || !p.hasTurnOrder(n.Span) || !p.must(n.Span, p.m.NextTurn) {
			return
		}
		round = int(p.m.State().Order.Round())
		turns--
		switch {
		case turns == 0:
			return
		case round-active > IdleRounds:
			p.breakOff(fmt.Sprintf("Nobody has done anything for %d rounds%s", IdleRounds, p.whyNobodyActs()))
			return
		case round > last && n.Value == nil:
			p.breakOff(fmt.Sprintf("Nobody has won after %d rounds", limit))
			return
		case round > last:
			return
		}
	}
	if !p.stopped && p.decided() {
		if !over {
			fought = int(p.m.State().Order.Round())
		}
		if p.result.Ended = "won"; p.outcome() == outcomeNobody {
			p.result.Ended = "nobody is left"
		}
		p.endDecided(n.Span)
	}
}

// stopCondition returns a function that reports whether the condition of `fight on until` holds. It is compiled once
// and evaluated after each turn.
func (p *player) stopCondition(n *ast.Directive) (reached func() bool, ok bool) {
	if n.Until == nil {
		return func() bool { return false }, true
	}
	x, vars, diags := p.names.Expr(n.Until, check.YesNo)
	if len(diags) > 0 {
		p.haltWith(diags)
		return nil, false
	}
	read, ok := p.compiled(n.Until.Extent(), x, vars)
	return func() bool {
		v, ok := read()
		return ok && v != 0
	}, ok
}

// countRounds adds up the rounds of several fights, each of which can be played in several parts.
func (p *player) countRounds(round int) {
	p.rounds += max(0, round-p.counted)
	p.counted = max(round, p.counted)
}

// seedFight sets the seed with which one fight of many diverges from the others.
func (p *player) seedFight() {
	if p.o.FightSeed != nil {
		p.m.State().Seed = *p.o.FightSeed
		p.o.Seed, p.o.FightSeed = p.o.FightSeed, nil // otherwise a `seed` would make all fights alike
	}
}

// fightLimit returns the number of rounds and turns that a fight may last; turns below 0: no limit.
func (p *player) fightLimit(n *ast.Directive) (rounds, turns int, ok bool) {
	limit := defaultRounds
	if p.o.Rounds > 0 {
		limit = p.o.Rounds
	}
	switch {
	case n.Turns:
		v, ok := p.number(n.Value, check.Number)
		if ok && (v < 1 || v > maxRounds) {
			p.halt(n.Value.Extent(), "limit", "a fight can go on for 1 to %d turns, not %d", maxRounds, v)
			return 0, 0, false
		}
		return limit, int(v), ok
	case n.Value != nil:
		seconds, ok := p.number(n.Value, check.Seconds)
		rounds := seconds / int64(clock.Round)
		if ok && (rounds < 1 || rounds > maxRounds) {
			p.halt(n.Value.Extent(), "limit", "a fight can go on for 1 to %d rounds, not %d", maxRounds, rounds)
			return 0, 0, false
		}
		return int(rounds), -1, ok
	case n.Until == nil && p.m.Program().CoreDefines[ir.CoreDefeated] < 0:
		p.halt(n.Span, "no-winner", "this fight cannot end: the rules do not say who is defeated")
		p.addHint("add `define creature.defeated = ...`, or give a limit: fight on for 10 rounds")
		return 0, 0, false
	}
	return limit, -1, true
}

// IdleRounds is the number of rounds without any action after which a fight is broken off.
const IdleRounds = 20

// whyNobodyActs explains that no one could act, if tactics are missing.
func (p *player) whyNobodyActs() string {
	led := func(m member) bool { return m.tactics != nil }
	if p.checked.Tactics(ir.DefaultTactics) != nil || slices.ContainsFunc(p.members, led) {
		return ""
	}
	return ", since nobody follows tactics and the rules have no `tactics " + ir.DefaultTactics + " { ... }`"
}

// breakOff ends a fight without a winner and reports why.
func (p *player) breakOff(why string) {
	p.result.Ended = why
	if !p.quiet {
		p.narrator.line(0, why+": the fight is over.")
	}
}

// maxActions limits the actions in one turn, since tactics may never end.
const maxActions = 100

// turn lets the creature whose turn it is follow its tactics, and reports whether it did anything.
func (p *player) turn(span ast.Span) (acted bool) {
	who := p.m.State().Order.Current()
	if who < 0 || int(who) >= len(p.members) || !p.canTurn(who) {
		return false
	}
	t := p.members[who].tactics
	if t == nil {
		if t = p.checked.Tactics(ir.DefaultTactics); t == nil {
			return false
		}
	}
	for step := range maxActions {
		proc, args, err := p.chooseByTactics(who, t, step)
		if err != nil {
			p.failed(span, err)
			return acted
		}
		if proc < 0 {
			return acted
		}
		acted = true
		if why, ok := p.drive(span, func() machine.Result {
			if p.quiet {
				return p.m.DoChosen(who, proc, args)
			}
			return p.m.Do(who, proc, args)
		}); !ok {
			p.halt(span, "refused", "tactics %s: refused: %s", t.Name, why)
			return acted
		}
		if p.stopped || p.decided() || !p.canTurn(who) || p.m.State().Order.Current() != who {
			return acted
		}
	}
	return acted
}

// chooseByTactics returns what tactics choose, or the best of what could be done; proc -1 if the turn is over.
func (p *player) chooseByTactics(who int32, t *ir.Tactics, step int) (proc int32, args []int64, err error) {
	if t.Playouts == 0 {
		return p.m.ChooseByTactics(who, int32(t.Index))
	}
	if p.adviser == nil || p.adviser.field != p.field {
		o, err := p.newOutlook()
		if err != nil {
			return -1, nil, err
		}
		p.adviser = &adviser{outlook: o, field: p.field}
	}
	p.adviser.outlook.enroll(p.members)
	c, err := p.adviser.best(p.m, who, t.Playouts, step, p.roundsLeft, p.turnsLeft)
	return c.Proc, c.Args, err
}

func (p *player) canTurn(who int32) bool {
	ok, err := p.m.CanTurn(who)
	return ok && err == nil
}

func (p *player) defeated(who int32) bool {
	down, err := p.m.Defeated(who)
	return down && err == nil
}

// decided reports whether at most one side has an undefeated member, and the rules do not let the fight go on.
func (p *player) decided() bool {
	_, n := p.standing()
	return n <= 1 && !p.m.FightContinues()
}

// standing returns the last side with an undefeated member, and how many sides have one.
func (p *player) standing() (side, count int) {
	side = -1
	for i := range p.sides {
		for k := range p.members {
			if p.members[k].side == i && !p.m.State().Entities[k].Away && !p.defeated(int32(k)) {
				side = i
				count++
				break
			}
		}
	}
	return side, count
}
