package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/sensitivity"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/lang/ast"
)

// This file is `arbiter sensitivity`: what of a fight and its rules moves a figure most.

// sensitivityFlags say what is looked at, and how closely.
type sensitivityFlags struct {
	scriptFlags
	figure  string
	fights  uint64
	screen  uint64
	top     int
	step    int // percent
	rules   bool
	workers int
	outputFormat
}

// Sizes of the work: parts of house rules that are tried in pairs at most, things that are measured at most, and rounds
// after which a fight without a part of its rules is broken off, in fights that took so many as written.
const (
	maxPaired    = 6
	maxSensitive = 100
	roundsLonger = 3
	fewestRounds = 20
	usingFights  = 40 // fights that are played to see which parts of the rules are used
)

func (a *app) sensitivityCommand() *cobra.Command {
	var f sensitivityFlags
	c := &cobra.Command{
		Use:               "sensitivity FILE",
		SuggestFor:        []string{"tornado", "matters", "importance"},
		Short:             "Find what of a fight and its rules moves the result most",
		Args:              argCount(1, 1),
		ValidArgsFunction: completeScript,
	}
	f.add(c)
	c.Flags().Lookup("seed").Usage = "the seed `N` of the dice (default: 1)"
	f.fights, f.screen = 400, 60
	c.Flags().VarP((*count)(&f.fights), "fights", "n", "measure each change with `N` fights")
	c.Flags().Var((*count)(&f.screen), "screen", "look at each change in `N` fights first")
	c.Flags().IntVar(&f.top, "top", 10, "measure the `N` things that promise most")
	c.Flags().IntVar(&f.step, "step", 20, "change numbers by `PERCENT` of them, or of ten if that is more")
	c.Flags().StringVar(&f.figure, "figure", "", "the `FIGURE` that is to move, for example 'Alia dealt' (default: how often the first side wins)")
	c.Flags().BoolVar(&f.rules, "rules", false, "switch off each rule, modifier and term that these fights use, too: that takes a minute or two")
	c.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "play `N` fights at a time; the result is the same")
	mustComplete(c, "figure", a.completeFigure)
	f.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error { return a.sensitivity(args[0], &f, c) })
	return c
}

// check validates the flags.
func (a *app) checkSensitivityFlags(f *sensitivityFlags) error {
	switch {
	case f.fights < 1 || f.fights > maxFights:
		return usageError("-n is %d: it must be from 1 to %d", f.fights, maxFights)
	case f.screen < 1 || f.screen > 100_000:
		return usageError("--screen is %d: it must be from 1 to 100000", f.screen)
	case f.top < 1 || f.top > maxSensitive:
		return usageError("--top is %d: it must be from 1 to %d", f.top, maxSensitive)
	case f.step < 5 || f.step > 50:
		return usageError("--step is %d: it must be from 5 to 50 percent", f.step)
	case f.workers < 1 || f.workers > 1024:
		return usageError("--workers is %d: it must be from 1 to 1024", f.workers)
	}
	return a.checkFormat(&f.outputFormat)
}

// sensitivityDocument is what sensitivity --json prints.
type sensitivityDocument struct {
	Title     string         `json:"title"`
	Seed      uint64         `json:"seed"`
	Figure    string         `json:"figure"`
	Share     bool           `json:"share"`
	AsWritten sim.Estimate   `json:"asWritten"`
	Changes   []changeEffect `json:"changes"` // what moves most first; those of one thing stand together
	Rules     bool           `json:"rules"`   // whether rules were switched off, too
	Screened  int            `json:"screened"`
	Without   int            `json:"withoutEffect"`
	House     *houseEffects  `json:"house"` // null without house rules
	Fights    uint64         `json:"fights"`
	Warnings  []string       `json:"warnings"`
}

// changeEffect is one change and what it does.
type changeEffect struct {
	Of          string  `json:"of"`
	Kind        string  `json:"kind"`
	Now         string  `json:"now"`
	To          string  `json:"to"`
	Place       string  `json:"place"` // of a rule
	Value       float64 `json:"value"`
	Change      float64 `json:"change"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	PValue      float64 `json:"p_value"`
	Significant bool    `json:"significant"`
}

// houseEffects is what house rules do, and the share of each of their parts.
type houseEffects struct {
	Rulesets     []string       `json:"rulesets"`
	All          changeEffect   `json:"all"`          // what all of them together do
	Parts        []changeEffect `json:"parts"`        // what each does: the figure with it, less that without it
	Interactions []changeEffect `json:"interactions"` // what two do together beyond what each does by itself
}

// change is something that can be changed.
type change struct {
	changeEffect
	text string  // of a sweep; "" for parts of the rules
	off  []int32 // parts that are switched off
}

// sensitive is the search under way.
type sensitive struct {
	*balancer
	figure  sim.NamedFigure
	most    int // rounds of a fight without a part of the rules
	changes []change
	groups  []int
	done    int
	again   *build.Recompiler // nil: not needed yet
}

func (a *app) sensitivity(path string, f *sensitivityFlags, c *cobra.Command) error {
	if err := a.checkSensitivityFlags(f); err != nil {
		return err
	}
	b, first, err := a.newBalancer(path, f.houseRules, f.workers, f.chosenSeed(c), f.csv)
	if err != nil {
		return err
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	b.stopped = stopped
	s := &sensitive{balancer: b}
	v := sweepView{isDefault: f.figure == ""}
	if err := v.find(f.figure, first.Cast()); err != nil {
		return err
	}
	s.figure = v.figure
	s.progress = &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "changes"}
	defer s.progress.Clear()
	d := &sensitivityDocument{Title: first.Cast().Title, Seed: s.seed, Figure: v.figure.Name, Share: v.figure.IsShare(), Rules: f.rules, Changes: []changeEffect{}, Warnings: []string{}}
	used, err := s.usedParts(d)
	if err != nil {
		return err
	}
	idle := s.addLevers(f.step, used)
	if f.rules {
		s.addParts(used)
	}
	o := sensitivity.Options{Group: s.groups, Screen: f.screen, Fights: f.fights, Keep: f.top, Share: d.Share, Stop: stopped}
	result, err := sensitivity.Find(o, func(n int, from, fights uint64) ([]int64, error) { return s.play(n, from, fights) })
	if err != nil {
		return err
	}
	d.take(result, s.changes)
	d.Screened, d.Without = d.Screened+idle, d.Without+idle
	if err := s.houseParts(d, used, f); err != nil {
		return err
	}
	s.progress.Clear()
	var partial error
	if stopped() {
		fmt.Fprintln(a.err, "stopped; these are the results so far")
		partial = errPartial
	}
	return cmp.Or(a.outputResult(&f.outputFormat, d, func() *picture { return plotOfSensitivity(d) }, func() [][]string { return sensitivityCSV(d) }, func() { a.printSensitivity(d) }), partial)
}

// usedParts lists the parts of all rules that these fights use, each by itself: parts of a listed one are not.
func (s *sensitive) usedParts(d *sensitivityDocument) ([]session.Addition, error) {
	t, err := s.newTrials(s.script, session.Options{Additions: func(string) bool { return true }})
	if err != nil {
		return nil, err
	}
	arms, err := sim.Compare([]sim.Variant{{Trials: t}}, sim.Options{Seed: s.seed, Fights: usingFights, Workers: s.workers, Names: s.names, Stop: s.stopped})
	if err != nil {
		return nil, s.reportFightError(err)
	}
	d.Fights += arms[0].Tally.Fights
	for r := range arms[0].Tally.Rounds {
		s.most = max(s.most, fewestRounds, roundsLonger*int(r))
	}
	var list []session.Addition
	for _, x := range t.Cast().Additions {
		if _, unused := x.Unused(arms[0].Tally.Marks); !unused && x.Part() >= 0 {
			list = append(list, x)
		}
	}
	return list, nil
}

// addLevers adds the numbers, counts and options that can be changed, each to both sides. It returns how many options no
// fight has asked for, which are left out.
func (s *sensitive) addLevers(step int, used []session.Addition) (idle int) {
	for _, l := range sweep.Levers(s.script) {
		if l.Kind == sweep.OptionLever && l.From != "" && !slices.ContainsFunc(used, func(x session.Addition) bool { return x.Kind == "option" && "option "+x.Path == l.Name }) {
			idle++
			continue
		}
		kind := [...]string{sweep.FieldLever: "number", sweep.CountLever: "count", sweep.OptionLever: "option"}[l.Kind]
		group := s.nextGroup()
		for _, values := range [][]string{l.Lower, l.Higher} {
			most := float64(step) / 100
			if l.Kind == sweep.CountLever { // one more or less is much
				most = 0
			}
			to := farthest(&l, values, most)
			if to == "" {
				continue
			}
			s.changes = append(s.changes, change{changeEffect: changeEffect{Of: strings.TrimPrefix(l.Name, "option "), Kind: kind, Now: l.Now, To: to}, text: l.Text(to)})
			s.groups = append(s.groups, group)
		}
	}
	return idle
}

// farthest is the value that is farthest away, but not more than a part of the lever; the nearest if all are.
func farthest(l *sweep.Lever, values []string, most float64) string {
	to := ""
	for _, v := range values {
		if to == "" || l.Size(v) <= most+1e-9 {
			to = v
		}
	}
	return to
}

// nextGroup is the number of the next thing to be changed.
func (s *sensitive) nextGroup() int {
	if len(s.groups) == 0 {
		return 0
	}
	return s.groups[len(s.groups)-1] + 1
}

// partKinds are the kinds of parts of which it says something to be without one: what is asked for or waits, and not what
// others are made of.
var partKinds = []string{"rule", "modifier", "term", "prohibition", "duty", "inclusion", "action"}

// addParts adds the parts of the rules that can be switched off.
func (s *sensitive) addParts(used []session.Addition) {
	for _, x := range used {
		if !slices.Contains(partKinds, x.Kind) {
			continue
		}
		s.changes = append(s.changes, change{changeEffect: effectOfPart(&x), off: []int32{x.Part()}})
		s.groups = append(s.groups, s.nextGroup())
	}
}

func effectOfPart(x *session.Addition) changeEffect {
	return changeEffect{Of: x.Path, Kind: x.Kind, Now: "on", To: "off", Place: fmt.Sprintf("%s:%d", x.File, x.Line)}
}

// play plays the fight with a change.
func (s *sensitive) play(n int, from, fights uint64) ([]int64, error) {
	if n == sensitivity.AsWritten {
		return s.playOff(nil, from, fights)
	}
	s.done++
	s.progress.Set(s.done, max(s.done, len(s.changes)))
	x := &s.changes[n]
	if x.text == "" {
		return s.playOff(x.off, from, fights)
	}
	if x.Kind == "option" {
		if script := s.withOption(x); script != nil {
			t, err := session.NewTrials(script, session.Options{})
			if err != nil {
				return nil, nil
			}
			return s.values(t, from, fights, true)
		}
	}
	t := s.quietTrials(x.text)
	if t == nil {
		return nil, nil
	}
	return s.values(t, from, fights, true)
}

// withOption returns the script with another value of an option, compiled in a hundredth of the time of a build; nil if it
// must be built for that.
func (s *sensitive) withOption(x *change) *build.Script {
	value, err := strconv.ParseInt(x.To, 10, 64)
	switch {
	case x.To == "yes":
		value = 1
	case x.To == "no":
		value = 0
	case err != nil:
		return nil
	}
	names := func(node any) bool {
		n, ok := node.(*ast.Name)
		return ok && n.Name == x.Of
	}
	if slices.ContainsFunc(s.script.File.Body, func(c ast.Clause) bool { return ast.Contains(c, names) }) {
		return nil // its statements are not among the rules that are compiled anew
	}
	again, err := s.recompiler()
	if err != nil {
		return nil
	}
	script, known, err := again.With(x.Of, value)
	if !known || err != nil {
		return nil
	}
	return script
}

// recompiler compiles the rules with one thing changed. It is made when it is first asked for.
func (s *sensitive) recompiler() (*build.Recompiler, error) {
	if s.again == nil {
		again, err := session.NewRecompiler(s.script)
		if err != nil {
			return nil, err
		}
		s.again = again
	}
	return s.again, nil
}

// playOff plays the fight with parts of the rules switched off.
func (s *sensitive) playOff(off []int32, from, fights uint64) ([]int64, error) {
	script := s.script
	switch len(off) {
	case 0:
	case 1:
		again, err := s.recompiler()
		if err != nil {
			return nil, nil
		}
		if script, err = again.Without(off[0]); err != nil {
			return nil, nil
		}
	default:
		var err error
		if script, err = session.Neutral(s.script, off...); err != nil {
			return nil, nil
		}
	}
	t, err := session.NewTrials(script, session.Options{})
	if err != nil {
		return nil, nil
	}
	if off != nil {
		t.LimitRounds(s.most)
	}
	return s.values(t, from, fights, off != nil)
}

// values plays fights; with a change that they cannot be played with, there are none.
func (s *sensitive) values(t *session.Trials, from, fights uint64, changed bool) ([]int64, error) {
	values, err := sim.Values([]sim.Variant{{Trials: t}}, s.figure.Figure, sim.Options{Seed: s.seed, From: from, Fights: fights, Workers: s.workers, Names: s.names, Stop: s.stopped})
	if failed := (*sim.FightError)(nil); err != nil && changed && errors.As(err, &failed) {
		return nil, nil
	}
	if err != nil {
		return nil, s.reportFightError(err)
	}
	return values[0], nil
}

// take puts what was found into the document.
func (d *sensitivityDocument) take(r *sensitivity.Result, changes []change) {
	d.AsWritten = sim.Estimate{Value: r.AsWritten.Mean, Low: r.AsWritten.Low, High: r.AsWritten.High}
	for _, e := range r.Effects {
		d.Changes = append(d.Changes, changes[e.Change].with(e))
	}
	d.Screened, d.Without = r.Screened, r.Without
	d.Fights += r.Fights
}

// with is a change with what it does.
func (m changeEffect) with(e sensitivity.Effect) changeEffect {
	m.Value, m.Change, m.Low, m.High, m.PValue, m.Significant = e.Value, e.By, e.Low, e.High, e.PValue, e.Significant
	return m
}
