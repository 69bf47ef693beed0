package session

import (
	"fmt"
	"slices"
	"sync"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
)

// This file repeatedly plays scripts in which more happens than one fight played by tactics: someone joins in the third
// round, or three fights follow each other with an hour's rest in between. Such a script is played as written, each
// time from the moment before its first fight, which is slower than a single fight in Trials. Checking and compiling
// statements uses shared data: only one worker at a time reads its script while the others fight.

// fightScript is the part of a script that belongs to each fight.
type fightScript struct {
	script          *build.Script
	opening         []ast.Clause // played once
	part            []ast.Clause // played for each fight
	p               *player
	start           *moment     // the start of the part
	maxInstructions int         // limit on instructions before the player is replaced, because each statement adds some
	castIndex       []int32     // by number of a combatant in the latest fight: its number in the cast
	buildLock       *sync.Mutex // held by the worker that is reading its script
}

// trialsOfPart returns trials of a script that has been played up to clause from; the clauses from there up to end
// belong to each fight.
func (p *player) trialsOfPart(from, end int) (*Trials, error) {
	body := p.script.File.Body
	a := &fightScript{script: p.script, opening: body[:from], part: body[from:end], buildLock: new(sync.Mutex)}
	sides, members := castIn(body[:end])
	t := &Trials{m: p.m, script: a, cast: p.castOf(sides, members)}
	if !p.dice.strict {
		t.cast.DiceBefore = p.m.State().Draws.Total()
	}
	a.prepare(p)
	return t, a.rehearse(t)
}

// maxAddedInstructions is how many instructions statements may add: some megabytes, including related data.
const maxAddedInstructions = 1 << 16

// prepare prepares a player that has played the opening to play the part repeatedly.
func (f *fightScript) prepare(p *player) {
	p.opening, p.o.Unchecked = f.part[0], true
	if !scriptsAny(f.part) { // otherwise scripted values have to be asked for
		p.m.Journal, p.m.AskDice, p.quiet = nil, false, true
		p.buildLock = f.buildLock
	}
	f.p, f.start = p, p.snapshot()
	f.maxInstructions = len(p.m.Program().Code) + maxAddedInstructions
}

// restart replaces the player with a new one that has played the opening, with a ledger.
func (f *fightScript) restart(t *Trials, l *machine.Ledger) error {
	t.marks = t.Marks()
	p := newPlayer(f.script, f.p.o)
	if p.run(f.opening); len(p.result.Failures) > 0 {
		return Failures(p.result.Failures)
	}
	p.m.Ledger = l
	t.m = p.m
	if t.observe != nil {
		t.observe(t.m)
	}
	f.prepare(p)
	return nil
}

// clone returns the same trials for another goroutine.
func (f *fightScript) clone(of *Trials) (*Trials, error) {
	f.buildLock.Lock()
	defer f.buildLock.Unlock()
	b, t := *f, *of
	b.castIndex, t.script = nil, &b
	l := of.m.Ledger
	if l != nil {
		l = &machine.Ledger{Watched: of.cast.Watched}
	}
	return &t, b.restart(&t, l)
}

// rehearsals is enough fights for every combatant that ever joins to join at least once.
const rehearsals = 20

// rehearse plays some fights to determine what to watch of combatants who join later, and which of them get no turn.
func (f *fightScript) rehearse(t *Trials) error {
	p := f.p
	var late []int32 // joined during a fight
	var u custom
	for i := range p.members {
		u.noteThings(p, int32(i))
	}
	p.onPlaced = func(who int32) {
		u.noteThings(p, who)
		if t.cast.watch(p.viewBuilder(), who); p.m.State().InFight {
			late = append(late, who)
		}
	}
	for seed := range uint64(rehearsals) {
		late = late[:0]
		if _, err := f.play(t, seed); err != nil {
			return err
		}
		u.noteTactics(f.p)
		for _, who := range late {
			name := p.members[who].name
			if _, has := p.m.State().Order.Place(who); !has && !slices.Contains(t.cast.Turnless, name) {
				t.cast.Turnless = append(t.cast.Turnless, name)
			}
		}
	}
	p.onPlaced = nil
	t.cast.addAdditions(p, &u)
	if p.o.Additions == nil {
		return nil
	}
	if err := f.restart(t, t.m.Ledger); err != nil {
		return err
	}
	t.marks = nil // what only rehearsals used is not used
	return nil
}

// play plays a script from its first fight to the end of its last.
func (f *fightScript) play(t *Trials, seed uint64) (Outcome, error) {
	f.buildLock.Lock()
	defer f.buildLock.Unlock()
	if len(f.p.m.Program().Code) > f.maxInstructions {
		if err := f.restart(t, t.m.Ledger); err != nil {
			return Outcome{}, err
		}
	}
	p := f.p
	p.restore(f.start)
	o := p.o
	p.o.FightSeed, p.rounds, p.counted = &seed, 0, 0
	p.run(f.part)
	p.o = o
	f.castIndex = f.castIndex[:0]
	for _, x := range p.members {
		f.castIndex = append(f.castIndex, int32(slices.IndexFunc(t.cast.Members, func(m CastMember) bool { return m.Name == x.name })))
	}
	switch {
	case len(p.result.Failures) > 0:
		return Outcome{}, Failures(p.result.Failures)
	case len(p.members) == 0:
		return Outcome{}, fmt.Errorf("%s has no combatants: write `side NAME { CREATURE NAME }`", f.script.Path)
	}
	if l := t.m.Ledger; l != nil {
		f.cast(l.Entries)
	}
	end := Outcome{Side: -1, Rounds: p.rounds}
	if side, n := p.standing(); n == 1 {
		end.Side = slices.Index(t.cast.Sides, p.sides[side])
	}
	return end, nil
}

// cast renumbers the entries of a ledger for the cast.
func (f *fightScript) cast(entries []machine.Entry) {
	for i := range entries {
		for _, who := range []*int32{&entries[i].Who, &entries[i].By} {
			if *who >= 0 && int(*who) < len(f.castIndex) {
				*who = f.castIndex[*who]
			}
		}
	}
}

// castIn lists everyone placed anywhere in a script, in source order.
func castIn(body []ast.Clause) (sides []string, members []CastMember) {
	for cl := range ast.WithNested(body...) {
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

// scriptsAny reports whether any of these clauses scripts dice or answers.
func scriptsAny(list []ast.Clause) bool {
	for cl := range ast.WithNested(list...) {
		if _, ok := cl.(*ast.Scripted); ok {
			return true
		}
	}
	return false
}
