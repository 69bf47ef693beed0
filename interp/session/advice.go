package session

import (
	"fmt"
	"slices"

	"arbiter/interp/advise"
	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file says what one whose turn it is had best do.

// Advice is what one had best do, by playing on with each of the commands that are possible.
type Advice struct {
	Who        string      `json:"who"`
	Side       string      `json:"side"`
	Round      int         `json:"round"`
	Seed       uint64      `json:"seed"`
	Playouts   int         `json:"playouts"`
	Stopped    bool        `json:"stopped,omitempty"` // before all that were asked for
	Best       string      `json:"best"`
	Usual      string      `json:"usual"`          // what tactics would do
	ByRules    bool        `json:"byRules"`        // the value is that of the rules, not the chance to win and the shares left
	Untried    int         `json:"untried"`        // possible commands for which there were not enough playouts
	Alike      int         `json:"alike"`          // commands left out because they have ended like another every time
	Candidates []Advised   `json:"candidates"`     // those tried, the best first
	Why        *Comparison `json:"why,omitempty"`  // the best compared with the next; nil if there is none
	Gain       *Comparison `json:"gain,omitempty"` // the best compared with the usual; nil if it is the usual
}

// Advised is a command with what comes of it.
type Advised struct {
	Command  string          `json:"command"`
	Playouts int             `json:"playouts"` // that the numbers rest on
	Final    bool            `json:"final"`    // they are not those by which it was selected
	Value    advise.Estimate `json:"value"`
	Wins     advise.Estimate `json:"wins"`   // share of fights won; one that nobody has won counts half
	Own      advise.Estimate `json:"own"`    // mean share that the members of the own side have left of what decides who is defeated
	Foes     advise.Estimate `json:"foes"`   // likewise of all others
	Rounds   advise.Estimate `json:"rounds"` // that the fight lasts, with the present one
}

// Comparison is what differs between two commands, in pairs of playouts with the same dice: the first less the second.
type Comparison struct {
	With   string          `json:"with"`
	Pairs  int             `json:"pairs"`
	Value  advise.Estimate `json:"value"`
	Wins   advise.Estimate `json:"wins"`
	Own    advise.Estimate `json:"own"`
	Foes   advise.Estimate `json:"foes"`
	Rounds advise.Estimate `json:"rounds"`
}

// AdviceOptions configure a search for advice.
type AdviceOptions struct {
	advise.Options
	Turn    string // whose turn to go to, by tactics; "" for that which comes first
	Workers int    // at least 1; the result does not depend on it
}

// maxTurnsAhead limits the turns on the way to the one that advice is wanted for.
const maxTurnsAhead = 1_000

// Advise plays a script up to its `fight on`, begins the fight, lets tactics play to a turn and says what is best then.
// The limit of the `fight on` limits the playouts.
func Advise(s *build.Script, o Options, how AdviceOptions) (*Advice, diag.List, error) {
	o.Unchecked = true
	p := newPlayer(s, o)
	body := s.File.Body
	at := slices.IndexFunc(body, playsOn)
	if at < 0 {
		at = len(body)
	}
	p.run(body[:at])
	rounds, turns, span := playoutRounds, -1, ast.Span{}
	if at < len(body) && !p.stopped {
		span = body[at].Extent()
		if d, ok := body[at].(*ast.Directive); ok {
			if r, n, good := p.fightLimit(d); good {
				rounds, turns = min(r, playoutRounds), n
			}
		}
	}
	if !p.stopped && !p.m.State().InFight {
		p.begin(span)
	}
	if len(p.result.Failures) > 0 {
		return nil, p.result.Failures, nil
	}
	if how.Turn != "" {
		if err := p.goToTurn(how.Turn, span); err != nil || len(p.result.Failures) > 0 {
			return nil, p.result.Failures, err
		}
	}
	if p.m.State().Seed = p.result.Seed; how.Seed == 0 {
		how.Seed = p.result.Seed
	}
	x, err := p.advise(rounds, turns, how)
	return x, nil, err
}

// goToTurn lets tactics play until it is the turn of somebody.
func (p *player) goToTurn(name string, span ast.Span) error {
	want := p.memberOf(name)
	if want < 0 {
		return fmt.Errorf("nobody is named %s", name)
	}
	p.playing = true
	defer func() { p.playing = false }()
	for range maxTurnsAhead {
		switch {
		case p.stopped:
			return nil
		case p.decided():
			return fmt.Errorf("the fight is over before it is the turn of %s", name)
		case p.m.State().Order.Current() == want && p.canTurn(want):
			return nil
		}
		if p.turn(span); p.stopped || p.decided() {
			continue
		}
		if !p.hasTurnOrder(span) || !p.must(span, p.m.NextTurn) {
			return nil
		}
	}
	return fmt.Errorf("it is not the turn of %s for %d turns", name, maxTurnsAhead)
}

// Advise says what the one whose turn it is had best do. The fight is not changed.
func (l *Live) Advise(how AdviceOptions) (*Advice, error) {
	if l.aside > 0 {
		return nil, fmt.Errorf("a command waits for its answer")
	}
	return l.p.advise(playoutRounds, -1, how)
}

// advise says what the one whose turn it is had best do.
func (p *player) advise(rounds, turns int, how AdviceOptions) (*Advice, error) {
	s := p.m.State()
	who := s.Order.Current()
	switch {
	case !s.InFight || who < 0 || int(who) >= len(p.members):
		return nil, fmt.Errorf("it is nobody's turn: `begin` starts a fight")
	case p.decided():
		return nil, fmt.Errorf("the fight is decided")
	case !p.canTurn(who):
		return nil, fmt.Errorf("%s cannot act now", p.nameOf(int64(who)))
	}
	o, err := p.newOutlook()
	if err != nil {
		return nil, err
	}
	if err := o.from(s, who); err != nil {
		return nil, err
	}
	if len(*o.list) == 0 {
		return nil, fmt.Errorf("%s can do nothing now", p.nameOf(int64(who)))
	}
	o.rounds, o.turns = rounds, turns
	r, err := o.search(max(1, how.Workers), how.Options)
	if err != nil {
		return nil, err
	}
	x := &Advice{Who: p.nameOf(int64(who)), Side: p.sides[p.members[who].side], Round: int(s.Order.Round()), Seed: how.Seed, Playouts: r.Playouts,
		Stopped: r.Stopped, Untried: r.Untried, Alike: r.Alike, ByRules: p.m.Program().CoreDefines[ir.CoreWorth] >= 0, Candidates: []Advised{}}
	if len(r.Ranked) == 0 {
		return nil, fmt.Errorf("%d playouts are too few to tell anything: allow more of them, or more time", r.Playouts)
	}
	o.t.m.Restore(&o.t.start) // where the lists among the arguments are
	text := func(i int) string { return o.p.alternativeText(&(*o.list)[i]) }
	x.Best, x.Usual = text(r.Best), text(0)
	best := slices.IndexFunc(r.Ranked, func(c *advise.Candidate) bool { return c.Index == r.Best })
	if best > 0 { // what comes before it is not better by more than chance
		c := r.Ranked[best]
		r.Ranked = slices.Insert(slices.Delete(r.Ranked, best, best+1), 0, c)
	}
	var usual *advise.Candidate
	for _, c := range r.Ranked {
		if c.Index == 0 {
			usual = c
		}
		x.Candidates = append(x.Candidates, Advised{Command: text(c.Index), Playouts: len(c.Outcomes()), Final: len(c.Confirmed) > 0, Value: c.Value(),
			Wins: c.Rate(figureWins), Own: c.Figure(figureOwn), Foes: c.Figure(figureFoes), Rounds: c.Figure(figureRounds)})
	}
	if len(r.Ranked) > 1 {
		x.Why = comparison(text(r.Ranked[1].Index), r.Ranked[0], r.Ranked[1])
	}
	if usual != nil && usual != r.Ranked[0] {
		x.Gain = comparison(text(0), r.Ranked[0], usual)
	}
	return x, nil
}

func comparison(with string, a, b *advise.Candidate) *Comparison {
	d := advise.Compare(a, b)
	return &Comparison{with, d.Pairs, d.Value, d.Figures[figureWins], d.Figures[figureOwn], d.Figures[figureFoes], d.Figures[figureRounds]}
}
