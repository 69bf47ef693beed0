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
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file puts what a command can come to into words.

// Chances is what a command can come to: counted out, or tried out so often (Sampled). Amounts that actions are paid with are
// left out, and of the effects all that are no conditions.
type Chances struct {
	Command   string         `json:"command"`
	Sampled   int            `json:"sampled"`   // 0: every share is exact
	Beyond    Share          `json:"beyond"`    // but for so much, in which dice explode on and on
	Steps     int            `json:"steps"`     // from one die or choice to the next
	Ends      int            `json:"ends"`      // different states that it ends in
	Reactions []string       `json:"reactions"` // that are taken on some way
	Declined  []string       `json:"declined"`  // that are offered, and taken on none
	Checks    []CheckChance  `json:"checks"`
	Amounts   []AmountChance `json:"amounts"`
	Effects   []EffectChance `json:"effects"`
	Falls     []FallChance   `json:"falls"`
}

// CheckChance is how often a check is made, and how often it succeeds when it is.
type CheckChance struct {
	Roll    string `json:"roll"` // Alia strike.blow, the second one with its number
	Made    Share  `json:"made"`
	Success Share  `json:"success"`
}

// AmountChance is how an amount of somebody is distributed afterwards.
type AmountChance struct {
	Who    string        `json:"who"`
	Name   string        `json:"name"`
	Now    int64         `json:"now"`
	Mean   Share         `json:"mean"`
	Values []ValueChance `json:"values"` // rising
}

// ValueChance is one value with its share.
type ValueChance struct {
	Value int64 `json:"value"`
	Share Share `json:"share"`
}

// EffectChance is how likely a condition comes, or goes.
type EffectChance struct {
	Who   string `json:"who"`
	Name  string `json:"name"`
	Gone  bool   `json:"gone"`
	Share Share  `json:"share"`
}

// FallChance is how likely somebody is out of the fight.
type FallChance struct {
	Who   string `json:"who"`
	Share Share  `json:"share"`
}

// Share is an exact number.
type Share struct{ *big.Rat }

// Float is the number nearest to it.
func (s Share) Float() float64 {
	v, _ := s.Float64()
	return v
}

// MarshalJSON gives the fraction and the number nearest to it.
func (s Share) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Exact string  `json:"exact"`
		Value float64 `json:"value"`
	}{s.RatString(), s.Float()})
}

// CountOut plays a script up to where tactics take over, and counts out what a command can come to there; out of turn, too. An
// error is a *odds.TooMany, or says why the command cannot be done; if rules are at fault, the diagnostic says where.
func CountOut(s *build.Script, o Options, command string, how odds.Options) (*Chances, diag.List, error) {
	o.Unchecked = true
	script := *s
	file := *s.File
	if i := slices.IndexFunc(file.Body, playsOn); i >= 0 {
		file.Body = file.Body[:i]
	}
	script.File = &file
	l, out := NewLive(&script, o, nil)
	if len(out.Failures) > 0 {
		return nil, out.Failures, nil
	}
	q, diags := l.question(command)
	if len(diags) > 0 {
		return nil, diags, nil
	}
	if ok, part, why := l.p.m.Legal(q.who, q.proc, q.args); !ok {
		if why == "" {
			why = l.p.why(&machine.Result{Part: part})
		}
		return nil, nil, fmt.Errorf("%s: not allowed: %s", q.text, why)
	}
	c, err := l.chances(q, how)
	if err != nil {
		return nil, Mistake(err), err
	}
	return c, nil, nil
}

// playsOn tells a `fight on`, also one that stands within something.
func playsOn(cl ast.Clause) bool {
	for x := range ast.Deep(cl) {
		if directs(x, "fight") {
			return true
		}
	}
	return false
}

// chances counts out what a command can come to. What is to be chosen is chosen by default. With a
// *odds.TooMany come the reactions alone.
func (l *Live) chances(q *question, how odds.Options) (*Chances, error) {
	p := l.p
	pr := p.m.Program()
	how.Choose = func(r *machine.Result) (int64, error) {
		if r.Kind == machine.Ruling {
			return 0, fmt.Errorf("the game master decides %s: nobody can count that out", r.Label)
		}
		return byDefault(r, false), nil
	}
	r, err := odds.Of(p.m, func() machine.Result { return p.m.Do(q.who, q.proc, q.args) }, how)
	if r == nil {
		return nil, err
	}
	c := &Chances{Command: q.text, Sampled: r.Sampled, Beyond: Share{r.Beyond}, Steps: r.Steps, Ends: r.Ends, Reactions: []string{}, Declined: []string{}, Checks: []CheckChance{}, Amounts: []AmountChance{}, Effects: []EffectChance{}, Falls: []FallChance{}}
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
	for _, a := range r.Amounts {
		if p.out.paid[a.Resource] {
			continue
		}
		x := AmountChance{Who: p.nameOf(int64(a.Who)), Name: pr.Resources[a.Resource].Name, Now: a.Now, Mean: Share{a.Mean()}}
		for _, v := range a.Values {
			x.Values = append(x.Values, ValueChance{v.Value, Share{v.Share}})
		}
		c.Amounts = append(c.Amounts, x)
	}
	for _, e := range r.Effects {
		if def := p.rs.Effects[e.Effect]; def.Word == "condition" {
			c.Effects = append(c.Effects, EffectChance{p.nameOf(int64(e.Who)), def.Name, e.Gone, Share{e.Share}})
		}
	}
	for _, f := range r.Falls {
		c.Falls = append(c.Falls, FallChance{p.nameOf(int64(f.Who)), Share{f.Share}})
	}
	return c, err
}
