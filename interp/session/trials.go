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
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file plays the fight of a script repeatedly without output: nothing is recorded, and only the initial state is
// copied.

// Trials plays a fight from the point where its script hands over to tactics. It is not safe for concurrent use; Clone
// makes one for each goroutine.
type Trials struct {
	m         *machine.Machine
	hooks     *hook.Functions
	ground    *ground.Map
	start     machine.State
	members   []trialMember
	rounds    int // limits on rounds and turns; turns below 0: no limit
	turns     int
	inFight   bool
	cast      *Cast
	script    *fightScript                      // for several fights, or statements in between; nil: a single fight played by tactics
	resume    func(answer int64) machine.Result // hook of tests
	onCommand func()                            // called after each command; nil: not called
	observe   func(*machine.Machine)            // called for each machine; nil: not called
	marks     []int32                           // seen by players that have been replaced
	adviser   adviser                           // for those who follow `best of N`
	course                                      // of the fight that is played
	halt      func() bool                       // called before each turn, ends the fight there; nil: not called
}

// course is how far a fight has come, beside the state of the machine.
type course struct {
	first     int // the round in which it began
	active    int // the last round in which somebody did something
	fought    int // the last round
	turnsLeft int // that it may still last; below 0: without a limit
}

type trialMember struct {
	side     int
	tactics  int32 // -1: none
	playouts int   // of `best of N`; 0: the tactics are followed
}

// Outcome is the result of one fight.
type Outcome struct {
	Side   int // the winner, or -1
	Rounds int // number of rounds in which anyone had a turn, or up to the one in which it was decided
}

// Cast describes who takes part, and what is counted about them.
type Cast struct {
	Title      string
	Digest     string // hash of the script and its rules
	DiceBefore uint64 // dice rolled with the script's seed before the fights, and therefore the same in all of them
	Sides      []string
	Members    []CastMember
	Resources  []string        // all, by number
	Watched    []machine.Watch // by resource
	Actions    []string        // names of all procedures
	Rules      []string        // names of all rules
	Turnless   []string        `json:",omitempty"` // combatants who joined a running fight without getting a place in the turn order
	Absent     []int           `json:",omitempty"` // members who are there under other rules, with which these are compared
	Additions  []Addition      `json:",omitempty"` // of the rulesets of Options.Additions, in source order
}

// CastMember is a combatant.
type CastMember struct {
	Name string
	Side int
}

// Cast returns the cast of the fight. It must not be modified.
func (t *Trials) Cast() *Cast { return t.cast }

// Ledger records losses and gains in a ledger, from the next fight on.
func (t *Trials) Ledger() *machine.Ledger {
	t.m.Ledger = &machine.Ledger{Watched: t.cast.Watched}
	return t.m.Ledger
}

// Observe shows the machine of the fights to an observer, from the next fight on; nil: to nobody.
func (t *Trials) Observe(o machine.Observer, d machine.Detail) {
	t.observe = func(m *machine.Machine) { m.Observe(o, d) }
	t.observe(t.m)
}

// Program returns the program of the fights. Scripts with statements in between add code of their own to it, at its end.
func (t *Trials) Program() *program.Program { return t.m.Program() }

// Marks returns which marks of additions the fights so far have seen, in ascending order; see Addition.Unused.
func (t *Trials) Marks() []int32 {
	list := append(marksOf(t.m), t.marks...)
	slices.Sort(list)
	return slices.Compact(list)
}

// addAdditions lists what the rulesets whose use is counted add or change.
func (c *Cast) addAdditions(p *player, u *custom) {
	if p.o.Additions != nil {
		c.Additions = additionsOf(p.checked.Ruleset, p.o.Additions, u)
	}
}

// Amount returns a combatant's amount of a resource at the end of the latest fight; Down reports whether it was
// defeated then. For one who was not there they return 0 and false.
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

// placed returns the number of a member of the cast in the latest fight, or -1 if it was not there.
func (t *Trials) placed(who int) int {
	if t.script == nil {
		return who
	}
	return slices.Index(t.script.castIndex, int32(who))
}

// placedCast lists who has been placed.
func (p *player) placedCast() (sides []string, members []CastMember) {
	for i := range p.members {
		members = append(members, CastMember{p.members[i].name, p.members[i].side})
	}
	return p.sides, members
}

// castOf returns the cast of the given sides and members. What it watches depends on everyone placed so far.
func (p *player) castOf(sides []string, members []CastMember) *Cast {
	pr := p.m.Program()
	c := &Cast{Title: p.result.Title, Digest: p.script.Digest(), Sides: sides, Members: members, Watched: make([]machine.Watch, len(pr.Resources))}
	k := p.viewBuilder()
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

// watch determines which resources of a creature to watch: for losses what it has to lose, for gains what only
// accumulates. A resource that decides who is defeated is watched in any case.
func (c *Cast) watch(k *viewBuilder, who int32) {
	for r := range c.Watched {
		id := int32(r)
		switch a := k.amount(who, id); {
		case k.renewed[id]:
		case k.m.Program().Resources[r].Counted:
			c.Watched[r] = machine.Noted
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

// Failures are the mistakes of a script that could not be played up to its fight.
type Failures diag.List

func (f Failures) Error() string { return f[0].String() }

// fightPart returns where the part of a script begins that differs in each fight, and its last clause, with which
// tactics play for the last time. It begins with the first `fight on`, or with the `begin` before it if nothing that
// matters is between the two and no die is scripted: then initiative is rolled again for each fight. from is negative
// if there is no fight.
func fightPart(body []ast.Clause) (from, last int) {
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
		case !changesNothing(body[i]):
			return from, last
		}
	}
	return from, last
}

// isSingleFight reports whether a part of a script lets tactics play just one fight, with nothing but observations in
// between.
func isSingleFight(part []ast.Clause) bool {
	fights := 0
	for i, cl := range part {
		switch {
		case directs(cl, "fight"):
			fights++
		case i > 0 && !changesNothing(cl) || i == 0 && !directs(cl, "begin"):
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

// changesNothing reports whether a clause leaves a fight unchanged.
func changesNothing(cl ast.Clause) bool {
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

// OnlySetsUp reports whether a script places combatants and does nothing else.
func OnlySetsUp(body []ast.Clause) bool {
	for _, cl := range body {
		switch cl.(type) {
		case *ast.Side, *ast.Map, *ast.Follows, *ast.Scripted:
		default:
			if link.ScriptOnly(cl) && !directs(cl, "seed") {
				return false
			}
		}
	}
	return true
}

// NewTrials plays a script up to the point where fights diverge. If the script fails before that, the error is
// Failures.
func NewTrials(s *build.Script, o Options) (*Trials, error) {
	if o.Additions != nil {
		var err error
		if s, err = marking(s, o.Additions); err != nil {
			return nil, err
		}
	}
	p := newPlayer(s, o)
	at, last := fightPart(s.File.Body)
	if at < 0 {
		return nil, fmt.Errorf("%s has no fight to play by tactics: write `fight on`", s.Path)
	}
	p.run(s.File.Body[:at])
	if len(p.result.Failures) > 0 {
		return nil, Failures(p.result.Failures)
	}
	if !isSingleFight(s.File.Body[at : last+1]) {
		return p.trialsOfPart(at, last+1)
	}
	rounds, turns, _ := p.fightLimit(s.File.Body[last].(*ast.Directive))
	switch {
	case len(p.result.Failures) > 0:
		return nil, Failures(p.result.Failures)
	case len(p.members) == 0:
		return nil, fmt.Errorf("%s has no combatants: write `side NAME { CREATURE NAME }`", s.Path)
	}
	t := &Trials{hooks: s.Rules.Hooks, m: p.m, rounds: rounds, turns: turns, inFight: p.m.State().InFight}
	if p.field != nil {
		t.ground = p.field.Map
	}
	for _, x := range p.members {
		tactics := x.tactics
		if tactics == nil {
			tactics = p.checked.Tactics(ir.DefaultTactics)
		}
		m := trialMember{side: x.side, tactics: -1}
		if tactics != nil {
			m.tactics, m.playouts = int32(tactics.Index), tactics.Playouts
		}
		t.members = append(t.members, m)
	}
	t.adviser.origin = p
	t.cast = p.castOf(p.placedCast())
	var u custom
	for i := range p.members {
		u.noteThings(p, int32(i))
	}
	u.noteTactics(p)
	t.cast.addAdditions(p, &u)
	if !p.dice.strict {
		t.cast.DiceBefore = t.m.State().Draws.Total()
	}
	t.m.Journal, t.m.AskDice = nil, false
	t.m.Snapshot(&t.start)
	t.resume = t.m.Resume
	return t, nil
}

// Clone returns trials of the same fight for another goroutine.
func (t *Trials) Clone() (*Trials, error) {
	if t.script != nil {
		return t.script.clone(t)
	}
	c := *t
	c.adviser.outlook = nil
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
	if t.script != nil {
		return t.script.play(t, seed)
	}
	m := t.m
	m.Restore(&t.start)
	m.State().Seed = seed
	if !t.inFight {
		if err := t.finish(m.BeginFight()); err != nil {
			return Outcome{}, err
		}
	}
	return t.playOn(nil)
}

// playOn plays a fight from its present state to its end or the last round. The first command, if any, is that of whose
// turn it is, who goes on with the turn by tactics.
func (t *Trials) playOn(first *alternative) (Outcome, error) {
	m := t.m
	round := int(m.State().Order.Round())
	t.course = course{first: round, active: round, fought: round, turnsLeft: t.turns}
	turnOver := false
	if first != nil {
		who := m.State().Order.Current()
		if turnOver = first.proc < 0; !turnOver {
			if err := t.finish(m.Do(who, first.proc, first.args)); err != nil {
				return Outcome{}, err
			}
			turnOver = m.State().Order.Current() != who
		}
	}
	return t.goOn(turnOver)
}

// errHalted is that a fight was ended before a turn, by halt.
var errHalted = errors.New("halted")

// goOn plays a fight from where it is. The turn of whose turn it is may be over.
func (t *Trials) goOn(turnOver bool) (Outcome, error) {
	m := t.m
	for ; ; t.turnsLeft-- {
		if t.halt != nil && t.halt() {
			return Outcome{}, errHalted
		}
		winner, over := t.standing()
		round := int(m.State().Order.Round())
		if over || t.turnsLeft == 0 || round-t.first >= t.rounds || round-t.active > IdleRounds {
			if over {
				return Outcome{Side: winner, Rounds: round}, t.finish(m.EndFight())
			}
			return Outcome{Side: winner, Rounds: t.fought}, nil
		}
		t.fought = round
		if !turnOver {
			acted, over, err := t.turn()
			if err != nil {
				return Outcome{}, err
			}
			if acted {
				t.active = round
			}
			if over {
				continue
			}
		}
		turnOver = false
		if m.State().Order.Len() == 0 {
			return Outcome{}, errors.New("nobody has a turn: " + noTurnOrder)
		}
		if err := t.finish(m.NextTurn()); err != nil {
			return Outcome{}, err
		}
	}
}

// turn lets the creature whose turn it is follow its tactics, until they have nothing to do or the fight is over.
func (t *Trials) turn() (acted, over bool, err error) {
	m := t.m
	who := m.State().Order.Current()
	if who < 0 || int(who) >= len(t.members) || t.members[who].tactics < 0 {
		return false, false, nil
	}
	for step := range maxActions {
		if can, err := m.CanTurn(who); !can || err != nil {
			return acted, false, err
		}
		proc, args, err := t.choose(who, step)
		if proc < 0 || err != nil {
			return acted, false, err
		}
		acted = true
		if err := t.finish(m.DoChosen(who, proc, args)); err != nil {
			return acted, false, err
		}
		if _, over = t.standing(); over || m.State().Order.Current() != who {
			return acted, over, nil
		}
	}
	return acted, false, nil
}

// choose returns the next command of the one whose turn it is, or proc -1 if the turn is over.
func (t *Trials) choose(who int32, step int) (proc int32, args []int64, err error) {
	x := &t.members[who]
	if x.playouts == 0 {
		return t.m.ChooseByTactics(who, x.tactics)
	}
	rounds := t.rounds - (int(t.m.State().Order.Round()) - t.first)
	c, err := t.adviser.best(t.m, who, x.playouts, step, rounds, t.turnsLeft)
	return c.Proc, c.Args, err
}

// finish gives default answers until a command is done: see defaultAnswer.
func (t *Trials) finish(r machine.Result) error {
	for r.Status == machine.NeedChoice || r.Status == machine.NeedDie {
		switch {
		case r.Status == machine.NeedDie:
			r = t.resume(int64(t.m.SeededFace()))
		case r.ChoiceKind == machine.RulingChoice:
			return fmt.Errorf("the game master is asked for %s, but nobody is there to answer", r.Label)
		default:
			r = t.resume(defaultAnswer(&r, true))
		}
	}
	if t.onCommand != nil {
		t.onCommand()
	}
	switch r.Status {
	case machine.Refused:
		return fmt.Errorf("refused: %s", r.Why)
	case machine.Failed:
		return r.Err
	}
	return nil
}

// standing returns the last side with an undefeated member, and whether the fight is over: it is the only one.
func (t *Trials) standing() (side int, over bool) {
	side = -1
	for i := range t.members {
		if t.members[i].side == side || t.m.State().Entities[i].Away {
			continue
		}
		if down, err := t.m.Defeated(int32(i)); !down && err == nil {
			if side >= 0 {
				return -1, false
			}
			side = t.members[i].side
		}
	}
	return side, !t.m.FightContinues()
}
