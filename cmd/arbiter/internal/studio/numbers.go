package studio

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/diag"
)

// This file plays a fight many times: once for its numbers, or the same fights twice for what a change does to them.

// firstFights is how many fights are played before the page hears of them for the first time, and stepFights how many
// are played between one report and the next.
const (
	firstFights = 100
	stepFights  = 300
	maxTrials   = 1_000_000
)

type trialParams struct {
	fight
	Fights uint64 `json:"fights"`
	// Against says what the fight is compared with: the files on the disk ("saved"), or without the house rules
	// ("without").
	Against string `json:"against"`
}

// trials prepares a script to be played many times.
func (s *Studio) trials(ctx context.Context, f *fight) (*session.Trials, error) {
	script, _, err := s.build(ctx, f, compile.Options{})
	if err != nil {
		return nil, err
	}
	return s.trialsOf(script, nil)
}

// trialsOf prepares a script that has been built; additions, if it is not nil, selects the rulesets of which it is
// counted what is used.
func (s *Studio) trialsOf(script *build.Script, additions func(ruleset string) bool) (*session.Trials, error) {
	if script.Story != nil {
		return nil, errors.New("an adventure has no single fight that could be played many times: choose an encounter")
	}
	t, err := session.NewTrials(script, session.Options{Additions: additions})
	if f := (session.Failures)(nil); errors.As(err, &f) {
		return nil, s.mistakes(diag.List(f))
	}
	return t, err
}

// play plays the fights in steps and calls report after each of them. It stops at once when nobody waits any more.
func (s *Studio) play(ctx context.Context, list []sim.Variant, fights uint64, report func(arms []*sim.Arm) any, q question) (any, error) {
	if fights < 1 || fights > maxTrials {
		return nil, fmt.Errorf("%d fights cannot be played here: from 1 to %d", fights, maxTrials)
	}
	o := sim.Options{Seed: 1, Workers: 1, Stop: s.stops(ctx)}
	var total []*sim.Arm
	var answer any
	for done, step := uint64(0), uint64(firstFights); done < fights; step = stepFights {
		o.From, o.Fights = done, min(step, fights-done)
		arms, err := sim.Compare(list, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if wrong := (*sim.FightError)(nil); errors.As(err, &wrong) {
			if at := session.Mistake(wrong); at != nil {
				at[0].Message = fmt.Sprintf("in fight %d: %s", wrong.Fight, at[0].Message)
				return nil, s.mistakes(at)
			}
		}
		if err != nil {
			return nil, err
		}
		if total == nil {
			total = arms
		} else {
			for i := range total {
				total[i].Add(arms[i])
			}
		}
		done += o.Fights
		if answer = report(total); done < fights {
			q.sofar(answer)
		}
	}
	return answer, nil
}

// trialDocument is the result of fights so far.
type trialDocument struct {
	Fights uint64      `json:"fights"` // that are to be played
	Report *sim.Report `json:"report"`
}

// simulate plays a fight many times.
func (s *Studio) simulate(ctx context.Context, q question, p trialParams) (any, error) {
	t, err := s.trials(ctx, &p.fight)
	if err != nil {
		return nil, err
	}
	return s.play(ctx, []sim.Variant{{Trials: t}}, p.Fights, func(arms []*sim.Arm) any {
		return trialDocument{p.Fights, sim.NewReport(arms[0].Cast, 1, arms[0].Tally)}
	}, q)
}

// comparisonDocument is what a change has moved so far.
type comparisonDocument struct {
	Fights uint64          `json:"fights"` // that are to be played
	Same   bool            `json:"same"`   // both are built from the same texts: nothing was played
	Report *sim.Comparison `json:"report"` // null if they are the same
}

// compare plays the same fights before and after a change.
func (s *Studio) compare(ctx context.Context, q question, p trialParams) (any, error) {
	before := p.fight
	name := "the unsaved change"
	switch p.Against {
	case "saved":
		before.Texts = nil
		before.With = nil
		for _, w := range p.With {
			if _, err := s.folder.read(w); err == nil { // else it is new
				before.With = append(before.With, w)
			}
		}
	case "without":
		before.With = nil
		name = "the house rules"
	default:
		return nil, fmt.Errorf("a fight can be compared with what is saved, or with the rules without house rules, not with %q", p.Against)
	}
	scripts := [2]*build.Script{}
	for i, f := range []*fight{&before, &p.fight} {
		var err error
		if scripts[i], _, err = s.build(ctx, f, compile.Options{}); err != nil {
			if wrong := (*mistakes)(nil); i == 0 && errors.As(err, &wrong) {
				return nil, fmt.Errorf("there is nothing to compare with: before the change %w", err)
			}
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if scripts[0].Digest() == scripts[1].Digest() {
		return comparisonDocument{p.Fights, true, nil}, nil
	}
	var list []sim.Variant
	var additions func(string) bool
	if p.Against == "without" {
		additions = func(name string) bool { return slices.Contains(scripts[1].Rules.House, name) }
	}
	for i, script := range scripts {
		t, err := s.trialsOf(script, []func(string) bool{nil, additions}[i])
		if err != nil {
			return nil, err
		}
		list = append(list, sim.Variant{Rules: []string{"", name}[i], Trials: t})
	}
	return s.play(ctx, list, p.Fights, func(arms []*sim.Arm) any {
		return comparisonDocument{p.Fights, false, sim.NewComparison(1, arms)}
	}, q)
}
