package session

import (
	"fmt"
	"slices"
	"sync"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
)

// This file plays a script again and again in which more happens than that tactics play one fight: somebody comes in the third
// round, or three fights follow each other with an hour's rest between. Such a script is played as it is written, each time
// from the moment before its first fight; that takes longer than Trials alone. What checks and compiles a statement is shared by
// all workers: one of them reads on in its script at a time, while the others fight.

// acts is what belongs to each fight.
type acts struct {
	script  *build.Script
	opening []ast.Clause // is played once
	part    []ast.Clause // is played each time
	p       *player
	from    *moment     // where the part begins
	most    int         // instructions until another player takes over: each statement leaves some behind
	parts   []int32     // which members of the cast were placed in the latest fight, in the order of their numbers
	reads   *sync.Mutex // held by the one who reads on
}

// inActs makes trials of a script that has been played to the clause of a number, from which on the others, up to the one
// behind the last, belong to each fight.
func (p *player) inActs(from, end int) (*Trials, error) {
	body := p.script.File.Body
	a := &acts{script: p.script, opening: body[:from], part: body[from:end], reads: new(sync.Mutex)}
	sides, members := castIn(body[:end])
	t := &Trials{m: p.m, acts: a, cast: p.castOf(sides, members)}
	if !p.dice.strict {
		t.cast.Fallen = p.m.State().Draws.All()
	}
	a.ready(p)
	return t, a.rehearse(t)
}

// leftBehind is how many instructions statements may leave behind: some megabytes, with what goes with them.
const leftBehind = 1 << 16

// ready lets somebody who has played the opening play the rest, again and again.
func (a *acts) ready(p *player) {
	p.opening, p.o.Unchecked = a.part[0], true
	if !scriptsAny(a.part) { // else what is scripted must be asked for
		p.m.Journal, p.m.Asked, p.quiet = nil, false, true
		p.reads = a.reads
	}
	a.p, a.from = p, p.moment()
	a.most = len(p.m.Program().Code) + leftBehind
}

// renew lets another player play the opening, and take over with a ledger.
func (a *acts) renew(t *Trials, l *machine.Ledger) error {
	p := newPlayer(a.script, a.p.o)
	if p.run(a.opening); len(p.result.Failures) > 0 {
		return Failures(p.result.Failures)
	}
	p.m.Ledger = l
	t.m = p.m
	a.ready(p)
	return nil
}

// again makes the same trials for another goroutine.
func (a *acts) again(of *Trials) (*Trials, error) {
	a.reads.Lock()
	defer a.reads.Unlock()
	b, t := *a, *of
	b.parts, t.acts = nil, &b
	l := of.m.Ledger
	if l != nil {
		l = &machine.Ledger{Watched: of.cast.Watched}
	}
	return &t, b.renew(&t, l)
}

// rehearsals are enough for whoever comes at all to come once.
const rehearsals = 20

// rehearse plays some fights to find out what is worth counting of those who come later, and who of them is given no turn.
func (a *acts) rehearse(t *Trials) error {
	p := a.p
	var late []int32 // who came while a fight went on
	p.entered = func(who int32) {
		if t.cast.watch(p.looker(), who); p.m.State().InFight {
			late = append(late, who)
		}
	}
	defer func() { p.entered = nil }()
	for seed := range uint64(rehearsals) {
		late = late[:0]
		if _, err := a.play(t, seed); err != nil {
			return err
		}
		for _, who := range late {
			name := p.members[who].name
			if _, has := p.m.State().Order.Place(who); !has && !slices.Contains(t.cast.Turnless, name) {
				t.cast.Turnless = append(t.cast.Turnless, name)
			}
		}
	}
	return nil
}

// play plays a script from its first fight on to the end of its last.
func (a *acts) play(t *Trials, seed uint64) (Outcome, error) {
	a.reads.Lock()
	defer a.reads.Unlock()
	if len(a.p.m.Program().Code) > a.most {
		if err := a.renew(t, t.m.Ledger); err != nil {
			return Outcome{}, err
		}
	}
	p := a.p
	p.recall(a.from)
	o := p.o
	p.o.FightSeed, p.rounds, p.counted = &seed, 0, 0
	p.run(a.part)
	p.o = o
	a.parts = a.parts[:0]
	for _, x := range p.members {
		a.parts = append(a.parts, int32(slices.IndexFunc(t.cast.Members, func(m CastMember) bool { return m.Name == x.name })))
	}
	switch {
	case len(p.result.Failures) > 0:
		return Outcome{}, Failures(p.result.Failures)
	case len(p.members) == 0:
		return Outcome{}, fmt.Errorf("%s places nobody who could fight: write `side NAME { CREATURE NAME }`", a.script.Path)
	}
	if l := t.m.Ledger; l != nil {
		a.cast(l.Entries)
	}
	end := Outcome{Side: -1, Rounds: p.rounds}
	if side, n := p.standing(); n == 1 {
		end.Side = slices.Index(t.cast.Sides, p.sides[side])
	}
	return end, nil
}

// cast turns the numbers of whoever was placed into those of the cast.
func (a *acts) cast(entries []machine.Entry) {
	for i := range entries {
		for _, who := range []*int32{&entries[i].Who, &entries[i].By} {
			if *who >= 0 && int(*who) < len(a.parts) {
				*who = a.parts[*who]
			}
		}
	}
}

// castIn lists who is placed anywhere in a script, in the order in which they stand there.
func castIn(body []ast.Clause) (sides []string, members []CastMember) {
	for cl := range ast.Deep(body...) {
		n, ok := cl.(*ast.Side)
		if !ok {
			continue
		}
		index := slices.Index(sides, n.Name.Name)
		if index < 0 {
			index = len(sides)
			sides = append(sides, n.Name.Name)
		}
		for m := range ast.Members(n) {
			if !slices.ContainsFunc(members, func(x CastMember) bool { return x.Name == m.Name.Name }) {
				members = append(members, CastMember{m.Name.Name, index})
			}
		}
	}
	return sides, members
}

// scriptsAny tells whether dice or answers are scripted in some of these clauses.
func scriptsAny(list []ast.Clause) bool {
	for cl := range ast.Deep(list...) {
		if _, ok := cl.(*ast.Scripted); ok {
			return true
		}
	}
	return false
}
