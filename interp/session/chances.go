package session

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/machine"
	"arbiter/interp/odds"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file puts the odds of a command into words.

// Chances are the odds of a command, either exact or estimated from a sample (Sampled).
type Chances struct {
	Command   string         `json:"command"`
	Sampled   int            `json:"sampled"`   // number of samples; 0: every share is exact
	Omitted   Share          `json:"omitted"`   // except this share, in which dice keep exploding
	Steps     int            `json:"steps"`     // number of steps from one die or choice to the next
	Ends      int            `json:"ends"`      // number of distinct end states
	Reactions []string       `json:"reactions"` // taken in some outcomes
	Declined  []string       `json:"declined"`  // offered in some outcomes, but taken in none
	Checks    []CheckChance  `json:"checks"`
	Amounts   []AmountChance `json:"amounts"`
	Effects   []EffectChance `json:"effects"`
	Places    []PlaceChance  `json:"places"`
	Falls     []FallChance   `json:"falls"`
	Rounds    [][]FallChance `json:"rounds,omitempty"` // of several commands in a row: who is out of the fight after each round of them, cumulatively
}

// CheckChance is how often a check is made, and how often it succeeds if made.
type CheckChance struct {
	Roll    string `json:"roll"` // e.g. Alia strike.to-hit; the second one with its number
	Made    Share  `json:"made"`
	Success Share  `json:"success"`
}

// AmountChance is the distribution of an amount afterwards. Paid is the part of its loss that pays for the command.
type AmountChance struct {
	Who      string        `json:"who"`
	Name     string        `json:"name"`
	Now      int64         `json:"now"`
	Mean     Share         `json:"mean"`
	Values   []ValueChance `json:"values"` // ascending
	Paid     int64         `json:"paid,omitempty"`
	Internal bool          `json:"internal,omitempty"` // kept out of sight by the rules
}

// isPrice reports whether the amount changes by nothing but what pays for the command.
func (a *AmountChance) isPrice() bool {
	return a.Paid != 0 && len(a.Values) == 1 && a.Values[0].Value == a.Now-a.Paid
}

// ValueChance is one value with its share.
type ValueChance struct {
	Value int64 `json:"value"`
	Share Share `json:"share"`
}

// EffectChance is the probability that an effect is gained or lost.
type EffectChance struct {
	Who      string `json:"who"`
	Name     string `json:"name"`
	Kind     string `json:"kind"` // the word that declares it: condition, feat, trait, effect, everyone
	Gone     bool   `json:"gone"`
	Share    Share  `json:"share"`
	Derived  bool   `json:"derived,omitempty"`  // it follows from its condition
	Internal bool   `json:"internal,omitempty"` // kept out of sight by the rules
}

// PlaceChance is the probability that a creature gets to a square; nil: off the map.
type PlaceChance struct {
	Who   string  `json:"who"`
	To    *[3]int `json:"to"`
	Share Share   `json:"share"`
}

// FallChance is the probability that a creature is out of the fight.
type FallChance struct {
	Who   string `json:"who"`
	Share Share  `json:"share"`
}

// Share is an exact fraction.
type Share struct{ *big.Rat }

// Float returns the nearest floating-point number.
func (s Share) Float() float64 {
	v, _ := s.Float64()
	return v
}

// MarshalJSON writes the fraction and the nearest floating-point number.
func (s Share) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Exact string  `json:"exact"`
		Value float64 `json:"value"`
	}{s.RatString(), s.Float()})
}

// ComputeOdds plays a script up to the point where tactics take over, and computes the odds of a command there, even
// out of turn, or of several in a row, separated by semicolons, which are repeated for how.Rounds: each
// is done in a turn of its own, so the fight begins first. The error is a *odds.TooManyError, or says why the command is impossible; if rules are at fault, the
// diagnostics say where.
func ComputeOdds(s *build.Script, o Options, command string, how odds.Options) (*Chances, diag.List, error) {
	l, diags := beforeFight(s, o)
	if len(diags) > 0 {
		return nil, diags, nil
	}
	commands := commandsIn(command)
	if (len(commands) > 1 || how.Rounds > 1) && !l.p.m.State().InFight {
		if r := l.Do("begin"); len(r.Failures) > 0 {
			return nil, r.Failures, nil
		}
	}
	var list []*question
	for _, text := range commands {
		q, diags := l.question(text)
		if len(diags) > 0 {
			return nil, diags, nil
		}
		list = append(list, q)
	}
	q := list[0]
	if ok, part, why := l.p.m.Legal(q.who, q.proc, q.args); !ok {
		if why == "" {
			why = l.p.refusalReason(&machine.Result{Part: part})
		}
		return nil, nil, fmt.Errorf("%s: not allowed: %s", q.text, why)
	}
	c, err := l.computeOdds(list, how)
	if err != nil {
		return nil, Mistake(err), err
	}
	return c, nil, nil
}

// beforeFight plays a script up to the point where tactics take over.
func beforeFight(s *build.Script, o Options) (*Live, diag.List) {
	o.Unchecked = true
	script := *s
	file := *s.File
	if i := slices.IndexFunc(file.Body, playsOn); i >= 0 {
		file.Body = file.Body[:i]
	}
	script.File = &file
	l, out := NewLive(&script, o, nil)
	return l, out.Failures
}

// ValueBeforeFight plays a script up to the point where tactics take over, and returns as a text what a number of the
// rules is there, such as a stat of a combatant.
func ValueBeforeFight(s *build.Script, o Options, what string) (string, diag.List, error) {
	l, diags := beforeFight(s, o)
	if len(diags) > 0 {
		return "", diags, nil
	}
	return l.valueOf(what)
}

// ValuesBeforeFight is ValueBeforeFight for several numbers. What cannot be told is "".
func ValuesBeforeFight(s *build.Script, o Options, what []string) ([]string, diag.List) {
	l, diags := beforeFight(s, o)
	if len(diags) > 0 {
		return nil, diags
	}
	values := make([]string, len(what))
	for i, w := range what {
		if value, diags, err := l.valueOf(w); len(diags) == 0 && err == nil {
			values[i] = value
		}
	}
	return values, nil
}

// valueOf returns as a text what a number of the rules is.
func (l *Live) valueOf(what string) (string, diag.List, error) {
	x, diags, err := l.Explain(what, 0)
	if len(diags) > 0 || err != nil {
		return "", diags, err
	}
	_, value, has := strings.Cut(x.Title, " = ")
	if !has {
		return "", nil, fmt.Errorf("%s is no number", what)
	}
	return value, nil, nil
}

// playsOn reports whether a clause is or contains `fight on`.
func playsOn(cl ast.Clause) bool {
	for x := range ast.WithNested(cl) {
		if directs(x, "fight") {
			return true
		}
	}
	return false
}

// computeOdds computes the odds of a command, or of several in a row. Choices are made by default. With a
// *odds.TooManyError the result has only the reactions.
func (l *Live) computeOdds(list []*question, how odds.Options) (*Chances, error) {
	p := l.p
	pr := p.m.Program()
	how.Choose = func(r *machine.Result) (int64, error) {
		if r.ChoiceKind == machine.RulingChoice {
			return 0, fmt.Errorf("the game master decides %s, so the odds are not known", r.Label)
		}
		return defaultAnswer(r, false), nil
	}
	var r *odds.Result
	var err error
	q := list[0]
	text := q.text
	if len(list) == 1 && how.Rounds <= 1 {
		r, err = odds.Of(p.m, func() machine.Result { return p.m.Do(q.who, q.proc, q.args) }, how)
	} else {
		r, err = odds.OfSeries(p.m, l.seriesOf(list), how)
		for _, x := range list[1:] {
			text += "; " + x.text
		}
	}
	if r == nil {
		return nil, err
	}
	c := &Chances{Command: text, Sampled: r.Sampled, Omitted: Share{r.Omitted}, Steps: r.Steps, Ends: r.Ends, Reactions: []string{}, Declined: []string{}, Checks: []CheckChance{}, Amounts: []AmountChance{}, Effects: []EffectChance{}, Places: []PlaceChance{}, Falls: []FallChance{}}
	for _, s := range r.Reactions {
		to := &c.Declined
		if s.Taken {
			to = &c.Reactions
		}
		*to = append(*to, strings.TrimSpace(p.nameOf(int64(s.Who))+" "+s.Name))
	}
	for _, k := range r.Checks {
		name := strings.TrimSpace(p.nameOf(int64(k.Who)) + " " + pr.Labels[k.Label].Name)
		if k.Nth > 1 {
			name += fmt.Sprintf(" (%d)", k.Nth)
		}
		c.Checks = append(c.Checks, CheckChance{name, Share{k.Made}, Share{new(big.Rat).Quo(k.Success, k.Made)}})
	}
	price := l.priceOf(q)
	for _, a := range r.Amounts {
		x := AmountChance{Who: p.nameOf(int64(a.Who)), Name: pr.Resources[a.Resource].Name, Now: a.Now, Mean: Share{a.Mean()}, Internal: pr.Resources[a.Resource].Internal}
		if a.Who == q.who {
			x.Paid = price[a.Resource]
		}
		for _, v := range a.Values {
			x.Values = append(x.Values, ValueChance{v.Value, Share{v.Share}})
		}
		c.Amounts = append(c.Amounts, x)
	}
	for _, e := range r.Effects {
		def := &pr.Effects[e.Effect]
		c.Effects = append(c.Effects, EffectChance{p.nameOf(int64(e.Who)), def.Name, def.Word, e.Gone, Share{e.Share}, def.While != program.NoChunk, def.Internal})
	}
	for _, x := range r.Places {
		c.Places = append(c.Places, PlaceChance{p.nameOf(int64(x.Who)), squareOf(x.Square), Share{x.Share}})
	}
	falls := func(list []odds.Fall) []FallChance {
		chances := []FallChance{}
		for _, f := range list {
			chances = append(chances, FallChance{p.nameOf(int64(f.Who)), Share{f.Share}})
		}
		return chances
	}
	c.Falls = falls(r.Falls)
	for _, list := range r.Rounds {
		c.Rounds = append(c.Rounds, falls(list))
	}
	return c, err
}
