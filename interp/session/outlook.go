package session

import (
	"errors"
	"fmt"

	"arbiter/interp/advise"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
)

// This file plays on from a moment of a fight with each of the commands that could be given then, for a search of the
// best one.

// Figures of a playout, see advise.Outcome.
const (
	figureWins   = iota // 1, or a half if nobody has won
	figureOwn           // what the own side has left, as a share
	figureFoes          // what the others have left
	figureRounds        // from the present one on
)

// shareWeight is how much the shares left count against the chance to win: a tenth of the hit points of a side as much as
// two of a hundred fights.
const shareWeight = 0.2

// playoutRounds limits a playout; what is undecided then counts as half won.
const playoutRounds = 100

// outlook plays on from one moment. Its machine is its own.
type outlook struct {
	p          *player // reads the rules by the machine of t
	t          *Trials
	who        int32
	side       int
	rounds     int // limits of each playout; turns below 0: none
	turns      int
	list       *[]alternative // shared with those of other goroutines
	enumerator *enumerator
	vital      []int32 // resources that decide who is defeated and begin full
	here       []bool  // by member: takes part at the start
}

// newOutlook makes an outlook on the fight of a player, which goes on meanwhile on a machine of its own.
func (p *player) newOutlook() (*outlook, error) {
	m := machine.New(p.m.Program())
	if h := p.script.Rules.Hooks; h != nil {
		m.Hooks = h.NewRunner()
	}
	q := *p
	q.m, q.live, q.story, q.recorder = m, nil, nil, nil
	t := &Trials{m: m, inFight: true}
	if p.field != nil {
		field, err := ground.Attach(m, p.field.Map)
		if err != nil {
			return nil, err
		}
		q.field, t.ground = field, p.field.Map
	}
	t.resume = m.Resume
	o := &outlook{p: &q, t: t, rounds: playoutRounds, turns: -1}
	o.enroll(p.members)
	return o, nil
}

// enroll makes those the members of the fight. Nobody searches in a playout.
func (o *outlook) enroll(members []member) {
	o.p.members, o.t.members = members, o.t.members[:0]
	for _, x := range members {
		m := trialMember{side: x.side, tactics: -1}
		if base := o.p.tacticsOf(x.tactics); base != nil {
			m.tactics = int32(base.Index)
		}
		o.t.members = append(o.t.members, m)
	}
}

// tacticsOf returns the tactics of one who is assigned those, or none; nil if the rules have none.
func (p *player) tacticsOf(t *ir.Tactics) *ir.Tactics {
	if t == nil {
		return p.checked.Tactics(ir.DefaultTactics)
	}
	return t
}

// from prepares playouts from a state, in which it is the turn of who.
func (o *outlook) from(s *machine.State, who int32) error {
	m := o.t.m
	m.Relink()
	m.Restore(s)
	o.who, o.side = who, o.t.members[who].side
	list, err := o.p.alternatives(who, o.t.members[who].tactics)
	if err != nil {
		return err
	}
	o.list, o.enumerator = &list, &enumerator{p: o.p, who: who, known: map[string]bool{}}
	for i := range list {
		if list[i].proc >= 0 {
			o.enumerator.known[o.p.alternativeKey(who, &list[i])] = true
		}
	}
	m.Snapshot(&o.t.start) // with the lists among the arguments
	if o.vital == nil {
		o.vital = o.p.vital(len(o.t.members))
	}
	o.here = o.here[:0]
	for i := range o.t.members {
		o.here = append(o.here, !m.State().Entities[i].Away)
	}
	return nil
}

// vital lists the resources that decide who is defeated and of which somebody has begun with all.
func (p *player) vital(members int) (list []int32) {
	k := p.viewBuilder()
	for r := range p.m.Program().Resources {
		id := int32(r)
		if k.renewed[id] || p.m.Program().Resources[r].Counted || !k.defeats(id) {
			continue
		}
		for i := range members {
			if k.beginsFull(int32(i), id, k.amount(int32(i), id)) {
				list = append(list, id)
				break
			}
		}
	}
	return list
}

// clone returns an outlook on the same moment for another goroutine.
func (o *outlook) clone() (*outlook, error) {
	c, err := o.p.newOutlook()
	if err != nil {
		return nil, err
	}
	c.t.start.CopyFrom(&o.t.start)
	c.t.members = o.t.members
	c.who, c.side, c.rounds, c.turns, c.list, c.vital, c.here = o.who, o.side, o.rounds, o.turns, o.list, o.vital, o.here
	return c, nil
}

// Play implements advise.Player.
func (o *outlook) Play(candidate int, seed uint64) (advise.Outcome, error) {
	t := o.t
	t.m.Restore(&t.start)
	t.m.State().Seed = seed
	t.rounds, t.turns = o.rounds, o.turns
	began := int(t.m.State().Order.Round())
	end, err := t.playOn(&(*o.list)[candidate])
	if err != nil {
		return advise.Outcome{}, err
	}
	return o.outcome(end, began)
}

// outcome values the end of a playout.
func (o *outlook) outcome(end Outcome, began int) (x advise.Outcome, err error) {
	m := o.t.m
	shares, counts, worth := [2]float64{}, [2]float64{}, [2]int64{}
	define := m.Program().CoreDefines[ir.CoreWorth]
	for i := range o.t.members {
		if !o.here[i] {
			continue
		}
		of := 0
		if o.t.members[i].side != o.side {
			of = 1
		}
		counts[of]++
		shares[of] += remaining(m, int32(i), o.vital)
		if define >= 0 {
			v, err := m.Define(define, int64(i))
			if err != nil {
				return x, err
			}
			worth[of] += v
		}
	}
	for of := range shares {
		if counts[of] > 0 {
			shares[of] /= counts[of]
		}
	}
	x.End = m.State().Hash()
	x.Figures[figureWins] = 0.5
	if end.Side >= 0 {
		x.Figures[figureWins] = 0
		if end.Side == o.side {
			x.Figures[figureWins] = 1
		}
	}
	x.Figures[figureOwn], x.Figures[figureFoes] = shares[0], shares[1]
	x.Figures[figureRounds] = float64(end.Rounds - began + 1)
	if x.Value = x.Figures[figureWins] + shareWeight*(shares[0]-shares[1]); define >= 0 {
		x.Value = float64(worth[0] - worth[1])
	}
	return x, nil
}

// remaining is what a creature has left of what decides who is defeated: nothing once it is.
func remaining(m *machine.Machine, who int32, vital []int32) float64 {
	if down, err := m.Defeated(who); down || err != nil || m.State().Entities[who].Away {
		return 0
	}
	if len(vital) == 0 {
		return 1
	}
	left, all := int64(0), int64(0)
	for _, r := range vital {
		if _, high, err := m.Bounds(who, r); err == nil && high > 0 {
			left, all = left+min(max(0, m.Resource(who, r)), high), all+high
		}
	}
	if all == 0 {
		return 1
	}
	return float64(left) / float64(all)
}

// widen adds the alternatives that have a square near that of one.
func (o *outlook) widen(around int) (added int) {
	if (*o.list)[around].param < 0 || len(*o.list) >= 2*maxAlternatives {
		return 0
	}
	o.t.m.Restore(&o.t.start)
	a := (*o.list)[around]
	for _, x := range o.enumerator.near(&a) {
		if o.enumerator.add(x) {
			added++
		}
	}
	*o.list = append(*o.list, o.enumerator.list...)
	o.enumerator.list = nil
	return added
}

// search searches for the best command.
func (o *outlook) search(workers int, how advise.Options) (*advise.Result, error) {
	players := []advise.Player{o}
	for len(players) < workers {
		c, err := o.clone()
		if err != nil {
			return nil, err
		}
		players = append(players, c)
	}
	return advise.Search(advise.Problem{Players: players, Candidates: len(*o.list), Widen: o.widen}, how)
}

// adviser chooses commands in a fight for those who follow `best of N`.
type adviser struct {
	origin  *player // the fight as it was prepared; it is only read
	outlook *outlook
	field   *ground.Field // the ground of a player
}

var errNotInFight = errors.New("there is no fight")

// best returns the best command for the one whose turn it is by so many playouts; proc -1 ends the turn. Then the state
// is that of the machine, with the lists among its arguments.
func (a *adviser) best(m *machine.Machine, who int32, playouts, step int, rounds, turns int) (machine.Choice, error) {
	if a.outlook == nil {
		o, err := a.origin.newOutlook()
		if err != nil {
			return machine.Choice{}, err
		}
		a.outlook = o
	}
	o := a.outlook
	s := m.State()
	if !s.InFight {
		return machine.Choice{}, errNotInFight
	}
	if err := o.from(s, who); err != nil {
		return machine.Choice{}, err
	}
	if len(*o.list) == 0 {
		return machine.Choice{Proc: -1}, nil
	}
	o.rounds, o.turns = min(rounds, playoutRounds), turns
	seed := s.Seed ^ uint64(s.TurnCount)<<20 ^ uint64(step)
	r, err := o.search(1, advise.Options{Playouts: playouts, Seed: seed})
	if err != nil {
		return machine.Choice{}, fmt.Errorf("best of %d: %w", playouts, err)
	}
	m.Restore(&o.t.start)
	return (*o.list)[r.Best].choice(), nil
}
