package session

import (
	"errors"
	"fmt"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/ground"
	"arbiter/interp/hook"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file plays the fight of a script again and again, with nobody listening: nothing is recorded, and nothing is
// copied but the state at its beginning.

// Trials plays a fight from where its script lets tactics take over. It is not to be used by several goroutines; Clone
// makes one for each.
type Trials struct {
	m       *machine.Machine
	hooks   *hook.Functions
	ground  *ground.Map
	start   machine.State
	members []trialMember
	rounds  int // for so many rounds at most, and for so many turns (below 0: without end)
	turns   int
	inFight bool
	cast    *Cast
	acts    *acts                             // more than one fight, or deeds between; nil: tactics play one, and that is all
	resume  func(answer int64) machine.Result // tests look in between
	watch   func()                            // after each command; nil
}

type trialMember struct {
	side    int
	tactics int32 // -1: none
}

// Outcome of one fight.
type Outcome struct {
	Side   int // that won, -1 if nobody did
	Rounds int // in which anybody had a turn, or in the last of which it was decided
}

// Cast is who takes part, and what is worth counting of them.
type Cast struct {
	Title     string
	Digest    string // of the script and its rules
	Fallen    uint64 // dice that fell by the seed before the fights, and so alike for all of them
	Sides     []string
	Members   []CastMember
	Resources []string        // all, by number
	Watched   []machine.Watch // of them
	Actions   []string        // names of all procedures
	Rules     []string        // and of all rules
	Turnless  []string        `json:",omitempty"` // who came into a fight that was going on, and got no place in the order
}

// CastMember is a combatant.
type CastMember struct {
	Name string
	Side int
}

// Cast of the fight. It must not be changed.
func (t *Trials) Cast() *Cast { return t.cast }

// Account lets what befalls everybody be entered, from the next fight on.
func (t *Trials) Account() *machine.Ledger {
	t.m.Ledger = &machine.Ledger{Watched: t.cast.Watched}
	return t.m.Ledger
}

// Amount of somebody, at the end of the latest fight; Down tells whether somebody was defeated then. Who was not there has
// nothing, and was not.
func (t *Trials) Amount(who, resource int) int64 {
	if who = t.placed(who); who < 0 {
		return 0
	}
	return t.m.Resource(int32(who), int32(resource))
}

func (t *Trials) Down(who int) bool {
	if who = t.placed(who); who < 0 {
		return false
	}
	down, err := t.m.Defeated(int32(who))
	return down && err == nil
}

// placed is the number that a member of the cast had in the latest fight, -1 if they were not there.
func (t *Trials) placed(who int) int {
	if t.acts == nil {
		return who
	}
	return slices.Index(t.acts.parts, int32(who))
}

// present is who has been placed.
func (p *player) present() (sides []string, members []CastMember) {
	for i := range p.members {
		members = append(members, CastMember{p.members[i].name, p.members[i].side})
	}
	return p.sides, members
}

// castOf gives who is to take part, and what is watched of whoever is there.
func (p *player) castOf(sides []string, members []CastMember) *Cast {
	pr := p.m.Program()
	c := &Cast{Title: p.result.Title, Digest: p.script.Digest(), Sides: sides, Members: members, Watched: make([]machine.Watch, len(pr.Resources))}
	k := p.looker()
	for i := range p.members {
		c.watch(k, int32(i))
	}
	for i := range pr.Resources {
		c.Resources = append(c.Resources, pr.Resources[i].Name)
	}
	for i := range pr.Procs {
		c.Actions = append(c.Actions, pr.Procs[i].Name)
	}
	for i := range pr.Rules {
		c.Rules = append(c.Rules, pr.Rules[i].Name)
	}
	return c
}

// watch finds out what is to be watched of somebody: what they have to lose for losses, what only adds up for gains; so is,
// whatever it begins with, what makes them defeated.
func (c *Cast) watch(k *looker, who int32) {
	for r := range c.Watched {
		id := int32(r)
		switch a := k.amount(who, id); {
		case k.given[id]:
		case k.beginsFull(who, id, a):
			c.Watched[r] = machine.Losses
		case c.Watched[r] != machine.Unwatched:
		case a.High == nil || k.defeats(id) && a.Low != nil && a.Value == *a.Low:
			c.Watched[r] = machine.Gains
		case k.defeats(id):
			c.Watched[r] = machine.Losses
		}
	}
}

// Failures are what is wrong with a script that cannot be played up to where it should be.
type Failures diag.List

func (f Failures) Error() string { return f[0].String() }

// unplayed gives where in a script the part begins that is another one in each fight, and the last clause of it: with which
// tactics play for the last time. It begins with the first `fight on`, or with the `begin` before that, if only words stand
// between the two and no die is scripted: then everybody throws for initiative anew. Below 0: there is no fight.
func unplayed(body []ast.Clause) (from, last int) {
	from, last = -1, -1
	for i, cl := range body {
		if playsOn(cl) {
			if last = i; from < 0 {
				from = i
			}
		}
	}
	for i := from - 1; i >= 0; i-- {
		switch {
		case directs(body[i], "begin"):
			if scriptsAny(body[:i]) {
				return from, last
			}
			return i, last
		case !idle(body[i]):
			return from, last
		}
	}
	return from, last
}

// single tells a part of a script that lets tactics play one fight, and only looks round now and then.
func single(part []ast.Clause) bool {
	fights := 0
	for i, cl := range part {
		switch {
		case directs(cl, "fight"):
			fights++
		case i > 0 && !idle(cl) || i == 0 && !directs(cl, "begin"):
			return false
		}
	}
	last, ok := part[len(part)-1].(*ast.Directive)
	return ok && last.Until == nil && (fights == 1 || last.Value == nil)
}

func directs(cl ast.Clause, word string) bool {
	d, ok := cl.(*ast.Directive)
	return ok && d.Word.Name == word
}

// idle tells clauses that leave a fight as it is.
func idle(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Expect:
		return true
	case *ast.Simple:
		return n.Word.Name == "note"
	case *ast.Directive:
		return n.Word.Name == "explain" || n.Word.Name == "transcript"
	}
	return !link.ScriptOnly(cl)
}

// NewTrials plays a script up to where each fight goes its own way. Of a script that fails before that the error is Failures.
func NewTrials(s *build.Script, o Options) (*Trials, error) {
	p := newPlayer(s, o)
	at, last := unplayed(s.File.Body)
	if at < 0 {
		return nil, fmt.Errorf("%s has no fight that tactics play: write `fight on`", s.Path)
	}
	p.run(s.File.Body[:at])
	if len(p.result.Failures) > 0 {
		return nil, Failures(p.result.Failures)
	}
	if !single(s.File.Body[at : last+1]) {
		return p.inActs(at, last+1)
	}
	rounds, turns, _ := p.bound(s.File.Body[last].(*ast.Directive))
	switch {
	case len(p.result.Failures) > 0:
		return nil, Failures(p.result.Failures)
	case len(p.members) == 0:
		return nil, fmt.Errorf("%s places nobody who could fight: write `side NAME { CREATURE NAME }`", s.Path)
	}
	t := &Trials{hooks: s.Rules.Hooks, m: p.m, rounds: rounds, turns: turns, inFight: p.m.State().InFight}
	if p.field != nil {
		t.ground = p.field.Map
	}
	for _, x := range p.members {
		tactics := x.tactics
		if tactics == nil {
			tactics = p.rs.Tactics(ir.DefaultTactics)
		}
		m := trialMember{side: x.side, tactics: -1}
		if tactics != nil {
			m.tactics = int32(tactics.Index)
		}
		t.members = append(t.members, m)
	}
	t.cast = p.castOf(p.present())
	if !p.dice.strict {
		t.cast.Fallen = t.m.State().Draws.All()
	}
	t.m.Journal, t.m.Asked = nil, false
	t.m.Snapshot(&t.start)
	t.resume = t.m.Resume
	return t, nil
}

// Clone makes trials of the same fight for another goroutine.
func (t *Trials) Clone() (*Trials, error) {
	if t.acts != nil {
		return t.acts.again(t)
	}
	c := *t
	c.m = machine.New(t.m.Program())
	if t.m.Ledger != nil {
		c.m.Ledger = &machine.Ledger{Watched: t.cast.Watched}
	}
	c.resume = c.m.Resume
	if t.hooks != nil {
		c.m.Hooks = t.hooks.NewRunner()
	}
	c.start = machine.State{}
	c.start.CopyFrom(&t.start)
	if t.ground != nil {
		if _, err := ground.Attach(c.m, t.ground); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// Fight plays the fight with a seed, to its end or the last round.
func (t *Trials) Fight(seed uint64) (Outcome, error) {
	if t.acts != nil {
		return t.acts.play(t, seed)
	}
	m := t.m
	m.Restore(&t.start)
	m.State().Seed = seed
	if !t.inFight {
		if err := t.finish(m.Begin()); err != nil {
			return Outcome{}, err
		}
	}
	first := int(m.State().Order.Round())
	active, fought := first, first
	for turns := t.turns; ; turns-- {
		winner, over := t.standing()
		round := int(m.State().Order.Round())
		if over || turns == 0 || round-first >= t.rounds || round-active > IdleRounds {
			if over {
				return Outcome{Side: winner, Rounds: round}, t.finish(m.EndFight())
			}
			return Outcome{Side: winner, Rounds: fought}, nil
		}
		fought = round
		acted, over, err := t.turn()
		if err != nil {
			return Outcome{}, err
		}
		if acted {
			active = round
		}
		if over {
			continue
		}
		if m.State().Order.Len() == 0 {
			return Outcome{}, errors.New("nobody takes turns: " + noOrder)
		}
		if err := t.finish(m.NextTurn()); err != nil {
			return Outcome{}, err
		}
	}
}

// turn lets whoever's turn it is follow their tactics, until they are at an end or the fight is over.
func (t *Trials) turn() (acted, over bool, err error) {
	m := t.m
	who := m.State().Order.Current()
	if who < 0 || int(who) >= len(t.members) || t.members[who].tactics < 0 {
		return false, false, nil
	}
	for range mostActions {
		if can, err := m.CanTurn(who); !can || err != nil {
			return acted, false, err
		}
		proc, args, err := m.Follow(who, t.members[who].tactics)
		if proc < 0 || err != nil {
			return acted, false, err
		}
		acted = true
		if err := t.finish(m.Pursue(who, proc, args)); err != nil {
			return acted, false, err
		}
		if _, over = t.standing(); over || m.State().Order.Current() != who {
			return acted, over, nil
		}
	}
	return acted, false, nil
}

// finish answers what is asked as if nobody were there: see byDefault.
func (t *Trials) finish(r machine.Result) error {
	for r.Status == machine.NeedChoice || r.Status == machine.NeedDie {
		switch {
		case r.Status == machine.NeedDie:
			r = t.resume(int64(t.m.Draw()))
		case r.Kind == machine.Ruling:
			return fmt.Errorf("the game master is asked for %s, and nobody is there", r.Label)
		default:
			r = t.resume(byDefault(&r, true))
		}
	}
	if t.watch != nil {
		t.watch()
	}
	switch r.Status {
	case machine.Refused:
		return fmt.Errorf("refused: %s", r.Why)
	case machine.Failed:
		return r.Err
	}
	return nil
}

// standing is the last side with somebody who is not defeated, and whether it is the only one.
func (t *Trials) standing() (side int, over bool) {
	side = -1
	for i := range t.members {
		if t.members[i].side == side {
			continue
		}
		if down, err := t.m.Defeated(int32(i)); !down && err == nil {
			if side >= 0 {
				return -1, false
			}
			side = t.members[i].side
		}
	}
	return side, true
}
