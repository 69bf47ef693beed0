package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"arbiter/interp/balance"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/stdlib/estimate"
)

// This file is `balance --suggest`: the smallest changes that reach a wish.

// Sizes of the work: fights with each end of what can be changed, to see what it does; how many changes are searched
// for at most; how many are named.
const (
	screenFights   = 150
	mostSearched   = 8
	mostSuggested  = 3
	clearlyFarther = 1.5 // a change that is expected to be larger by this factor than the ones found is not searched for
)

// candidate is a lever with the end that leads toward the wish.
type candidate struct {
	sweep.Lever
	values   []string // toward the wish, the nearest first
	expected float64  // size of the change that may reach the wish
}

// suggest names the smallest changes that reach the wish.
func (b *balancer) suggest(d *balanceDocument, first *session.Trials, fights uint64) error {
	now, err := b.standingNow(first)
	if err != nil {
		return err
	}
	d.Now = now
	levers := slices.DeleteFunc(sweep.Levers(b.script), func(l sweep.Lever) bool { // of our rules nobody asked to change the options
		return l.Kind == sweep.OptionLever && l.From != "" && !isOwnRuleset(l.From)
	})
	d.Tried = len(levers)
	var list []candidate
	for i := range levers {
		b.progress.Set(i, len(levers))
		c, played, err := b.screen(first, &levers[i], now.Figure)
		if err != nil {
			return err
		}
		d.Screening += played
		if c != nil {
			list = append(list, *c)
		}
		if b.stopped() {
			break
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.expected, b.expected) })
	for i := range list[:min(len(list), mostSearched)] {
		c := &list[i]
		if n := len(d.Answers); b.stopped() || n >= mostSuggested && c.expected > clearlyFarther*d.Answers[mostSuggested-1].size {
			break
		}
		text := c.Text(c.values...)
		x, diags := sweep.Parse("--suggest", text)
		if len(diags) == 0 {
			diags = x.Check(b.script)
		}
		if len(diags) > 0 {
			continue
		}
		r, err := b.searchLever(x, fights)
		if err != nil {
			return err
		}
		if r.Verdict != balance.Reached && r.Verdict != balance.Between {
			continue
		}
		answer := b.answer(x, r)
		answer.Now, answer.size = c.Now, c.Size(answer.Best)
		d.Answers = append(d.Answers, answer)
		slices.SortStableFunc(d.Answers, func(a, b *balanceAnswer) int { return cmp.Compare(a.size, b.size) })
	}
	d.Answers = d.Answers[:min(len(d.Answers), mostSuggested)]
	return nil
}

// searchLever searches the values of a lever, which lead toward the wish in the order in which they stand.
func (b *balancer) searchLever(x *sweep.Sweep, fights uint64) (*balance.Result, error) {
	return b.searchValues(b.houseRules, x, len(x.Values) > 1, fights)
}

// standingNow plays the fight as written.
func (b *balancer) standingNow(first *session.Trials) (*valueDocument, error) {
	arm := &balanceArm{trials: first}
	r, err := balance.Search(b.wish, balance.Options{Values: 1, Fights: 10 * screenFights, Stop: b.stopped}, func(_ int, n, fights uint64) (estimate.Estimate, error) {
		return arm.play(b, n, fights)
	})
	if err != nil || len(r.Tried) == 0 {
		return nil, cmp.Or(err, error(errPartial))
	}
	t := r.Tried[0]
	low, high := t.Estimate.Interval(r.Alpha)
	return &valueDocument{"", t.Estimate.Value(), low, high, t.Fights}, nil
}

// screen plays a few fights with both ends of a lever, on the same dice as those as written. It returns a candidate if
// one of the ends moves the figure toward the wish, and how many fights it played.
func (b *balancer) screen(first *session.Trials, l *sweep.Lever, now float64) (*candidate, uint64, error) {
	list := []sim.Variant{{Trials: first}}
	var ends [][]string
	for _, values := range [][]string{l.Lower, l.Higher} {
		if len(values) == 0 {
			continue
		}
		if t := b.quietTrials(l.Text(values[len(values)-1])); t != nil {
			list, ends = append(list, sim.Variant{Rules: l.Name, Trials: t}), append(ends, values)
		}
	}
	if len(ends) == 0 {
		return nil, 0, nil
	}
	arms, err := sim.Compare(list, sim.Options{Seed: b.seed, Fights: screenFights, Workers: b.workers, Names: b.names, Stop: b.stopped})
	if err != nil {
		if failed := (*sim.FightError)(nil); errors.As(err, &failed) { // a value that the rules cannot do with
			return nil, 0, nil
		}
		return nil, 0, err
	}
	played := arms[0].Tally.Fights * uint64(len(arms))
	before := arms[0].Tally.EstimateOf(b.wish.Figure).Value()
	for i, values := range ends {
		arm := arms[1+i]
		change := arm.Tally.EstimateOf(b.wish.Figure).Value() - before
		needed := b.wish.Target - now
		if !b.moves(arm) || change*needed <= 0 {
			continue
		}
		part := needed / change
		if part > 1.3 { // out of reach, even if chance was against it
			continue
		}
		size := l.Size(values[len(values)-1])
		return &candidate{*l, values, size * math.Min(part, 1)}, played, nil
	}
	return nil, played, nil
}

// moves reports whether an arm significantly changes the figure; with several figures looked at, a few do by chance,
// which the search that follows finds out.
func (b *balancer) moves(arm *sim.Arm) bool {
	h := arm.Pairs.Figures[b.wish.Figure]
	if b.wish.IsShare() {
		return sim.PValueOfFlips(h[1], h[-1]) < 0.05
	}
	return sim.PValueOfMean(h, arm.Tally.Fights) < 0.05
}

// quietTrials builds the fight with a value that nobody asked for; nil if it cannot have it.
func (b *balancer) quietTrials(text string) *session.Trials {
	x, diags := sweep.Parse("--suggest", text)
	if len(diags) == 0 {
		diags = x.Check(b.script)
	}
	if len(diags) > 0 {
		return nil
	}
	amendment, diags := x.Amendment(0)
	if len(diags) > 0 {
		return nil
	}
	h := b.houseRules
	h.optimized = true
	h.swept = []sweptValue{{x, 0, amendment}}
	script, quick := b.script.Amended(h.amendments())
	if !quick {
		var err error
		script, diags, err = b.build(b.path, h.buildOptions())
		if err != nil || diags.HasErrors() || script == nil || script.Rules == nil {
			return nil
		}
	}
	t, err := session.NewTrials(script, session.Options{})
	if err != nil {
		return nil
	}
	return t
}

// printSuggestions prints the smallest changes for a person.
func (a *app) printSuggestions(d *balanceDocument, w *balance.Wish) {
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("As written: %s (%s).", w.NumberText(d.Now.Figure), d.Now.intervalText(w)))
	if len(d.Answers) == 0 {
		a.printParagraph(fmt.Sprintf("None of %d things reaches it by itself: numbers of the creatures, how many there are of each, options.", d.Tried))
		return
	}
	rows := [][]string{{"change", "now", "to", "size", a.screen.out.Cut(w.Name, maxValueWidth), "interval", "fights", ""}}
	all := d.Screening + d.Now.Fights
	for _, x := range d.Answers {
		t := x.find(x.Best)
		rows = append(rows, []string{a.screen.out.Cut(strings.TrimPrefix(x.By, "option "), maxNameWidth), x.Now, x.Best, sim.Percent(x.size), w.NumberText(t.Figure), t.intervalText(w), fmt.Sprint(x.Fights), map[bool]string{false: "nearest"}[x.Verdict == verdictNames[balance.Reached]]})
		all += x.Fights
	}
	a.printNumberTable(rows, 6)
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("The smallest of %s to numbers of the creatures, how many there are of each, and options, each by itself. The size is the part of the number, or of ten if that is more. %s in all.", countText(d.Tried, "change"), countText(all, "fight")))
}
