package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/day"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/diag"
)

// This file is `sim` of a day: an adventure, or encounters one after the other with pauses between them.

// Limits of a day: its stages, and how many days are played.
const (
	maxStages = 100
	maxDays   = 1_000_000
)

// restPrefix begins an argument that is a pause.
const restPrefix = "rest:"

// dayFlags are the flags of `sim` for days.
type dayFlags struct {
	habit string // how choices are made
	write string // the file to which a composed adventure is written
}

func (d *dayFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&d.habit, "habit", "chance", "of an adventure: how choices are made, a `HABIT`: chance, first")
	c.Flags().StringVar(&d.write, "write", "", "write the encounters of a day as an adventure to `FILE`, to be changed, played and simulated")
}

// isDay reports whether arguments are a day: several encounters, or pauses.
func isDay(args []string) bool {
	return len(args) > 1 || strings.HasPrefix(args[0], restPrefix)
}

// stage is one argument of a day.
type stage struct {
	day.Stage
	path string
}

// simulateDay plays encounters one after the other.
func (a *app) simulateDay(args []string, s *simFlags, d *dayFlags, c *cobra.Command) error {
	stages, err := a.stagesOf(args, s)
	if err != nil {
		return err
	}
	first := ""
	for _, x := range stages {
		if first = x.path; first != "" {
			break
		}
	}
	if first == "" {
		return usageError("a day needs encounters, not only pauses")
	}
	script, composed, err := a.composeDay(filepath.Dir(first), stages, s.houseRules)
	if err != nil {
		return err
	}
	if d.write != "" {
		if filepath.Ext(d.write) != ".adventure" {
			return usageError("--write is %s: the file name must end in .adventure", d.write)
		}
		if err := os.WriteFile(d.write, composed.Text, 0o666); err != nil {
			return err
		}
	}
	variants, err := a.withoutRests(filepath.Dir(first), stages, s.houseRules)
	if err != nil {
		return err
	}
	return a.playDay(script, composed, variants, s, d, c)
}

// stagesOf reads encounters and pauses. Each encounter is checked on its own, so that its mistakes have their places.
func (a *app) stagesOf(args []string, s *simFlags) (list []stage, err error) {
	for _, arg := range args {
		if text, is := strings.CutPrefix(arg, restPrefix); is {
			r, err := day.ParseRest(text)
			if err != nil {
				return nil, usageError("%w", err)
			}
			list = append(list, stage{Stage: day.Stage{Name: arg, Rest: r}})
			continue
		}
		script, warnings, err := a.buildScript(arg, s.houseRules)
		switch {
		case err != nil:
			return nil, err
		case script.Story != nil:
			return nil, usageError("%s is an adventure: it is a day by itself, and not a part of one", arg)
		}
		if !a.json && !s.csv {
			a.printDiagnostics(warnings)
		}
		list = append(list, stage{day.Stage{Name: filepath.Base(arg), Head: script.Head, Body: script.File.Body}, arg})
	}
	return list, nil
}

// composeDay builds the adventure of some stages, in the folder of the first.
func (a *app) composeDay(dir string, stages []stage, h houseRules) (*build.Script, *day.Composed, error) {
	var list []day.Stage
	for _, x := range stages {
		list = append(list, x.Stage)
	}
	composed, err := day.Compose(list)
	if err != nil {
		return nil, nil, usageError("%w", err)
	}
	h.optimized = true
	path := filepath.Join(dir, "day.adventure")
	a.rememberSource(path, composed.Text)
	script, diags, err := build.Source(path, composed.Text, h.buildOptions())
	switch {
	case err != nil:
		return nil, nil, err
	case diags.HasErrors() || script == nil || script.Rules == nil || script.Story == nil:
		return nil, nil, a.rejectScript(diags)
	}
	return script, composed, nil
}

// dayVariant is a day without one of its pauses, or without any.
type dayVariant struct {
	name   string
	script *build.Script
}

// withoutRests builds the day without each of its pauses, and without any if there are several.
func (a *app) withoutRests(dir string, stages []stage, h houseRules) (list []dayVariant, err error) {
	var rests []int
	for i, x := range stages {
		if x.Rest != nil && slices.ContainsFunc(stages[i:], func(y stage) bool { return y.Rest == nil }) { // after the last fight it changes nothing that is counted
			rests = append(rests, i)
		}
	}
	leave := func(name string, out func(i int) bool) error {
		var rest []stage
		for i, x := range stages {
			if x.Rest == nil || !out(i) {
				rest = append(rest, x)
			}
		}
		script, _, err := a.composeDay(dir, rest, h)
		list = append(list, dayVariant{name, script})
		return err
	}
	for n, i := range rests {
		name := strings.TrimPrefix(stages[i].Name, restPrefix)
		if len(rests) > 1 {
			name = fmt.Sprintf("%d: %s", n+1, name)
		}
		if err := leave(name, func(k int) bool { return k == i }); err != nil {
			return nil, err
		}
	}
	if len(rests) > 1 {
		err = leave("all of them", func(int) bool { return true })
	}
	return list, err
}

// pickOf is how choices are made.
func pickOf(habit string) (session.Pick, error) {
	switch habit {
	case "chance":
		return nil, nil
	case "first":
		return func(int32, []int) int { return 0 }, nil
	}
	return nil, usageError("there is no habit %s of whole days; use chance or first", habit)
}

// checkDay reports flags that are for single fights.
func (s *simFlags) checkDay() error {
	switch {
	case s.until != "" || s.shard != "" || s.nats.URL != "" || s.sample > 0 || s.adjust || s.rare != "":
		return usageError("--until, --shard, --nats, --sample, --adjust and --rare are for single fights, and this is a whole day")
	case s.fights > maxDays:
		return usageError("-n is %d: it must be from 1 to %d days", s.fights, maxDays)
	}
	return nil
}

// playDay plays an adventure many times, and prints what it costs. composed is nil for one that somebody has written.
func (a *app) playDay(script *build.Script, composed *day.Composed, variants []dayVariant, s *simFlags, f *dayFlags, c *cobra.Command) error {
	o, err := a.simOptions(s, c)
	pick, wrong := pickOf(f.habit)
	if err := cmp.Or(err, wrong, s.checkDay()); err != nil {
		return err
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "days"}
	defer progress.Clear()
	all := int(s.fights) * (1 + len(variants))
	done := 0
	play := func(script *build.Script) (*day.Tally, error) {
		t, err := day.Play(script, day.Options{Seed: o.Seed, Days: s.fights, Workers: o.Workers, Pick: pick, Stop: stopped, OnProgress: func(n, _ uint64) { progress.Set(done+int(n), all) }})
		done += int(s.fights)
		return t, a.reportDayError(err, composed != nil)
	}
	t, err := play(script)
	if err != nil {
		return err
	}
	d := newDayDocument(composed, t, o.Seed)
	for _, v := range variants {
		if stopped() {
			break
		}
		other, err := play(v.script)
		if err != nil {
			return err
		}
		if other.Days == t.Days {
			d.addWithout(v.name, t, other)
		}
	}
	progress.Clear()
	var partial error
	if stopped() {
		fmt.Fprintf(a.err, "stopped after %s; these are the results so far\n", countText(t.Days, "day"))
		partial = errPartial
	}
	return cmp.Or(a.outputResult(&s.outputFormat, d, func() *picture { return plotOfDay(d) }, func() [][]string { return dayCSV(d) }, func() { a.printDay(d) }), partial)
}

// reportDayError shows the mistake that stopped a day.
func (a *app) reportDayError(err error, composed bool) error {
	e := (*day.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	d := e.Diagnostic
	d.Message = fmt.Sprintf("in day %d: %s", e.Day+1, d.Message)
	if composed && d.Hint == "" && d.Code == "refused" {
		d.Hint = "`when` leaves out who may not do it, each being called `hero`: rest:'COMMAND when CONDITION / DURATION'"
	}
	return a.rejectScript(diag.List{d})
}

// --- documents -----------------------------------------------------------------------------------------

// dayDocument is what sim --json prints of a day.
type dayDocument struct {
	Title     string       `json:"title"`
	Seed      uint64       `json:"seed"`
	Days      uint64       `json:"days"`
	Survived  sim.Rate     `json:"survived"` // days at whose end somebody of the party stands
	Endings   []dayEnding  `json:"endings"`
	Fights    []dayFight   `json:"fights"` // in the order of the story
	Left      dayLeft      `json:"left"`
	Party     []dayMember  `json:"party"`
	Without   []dayWithout `json:"without"` // the day without each of its pauses, and without any
	Notes     []string     `json:"notes"`
	Warnings  []string     `json:"warnings"`
	isWritten bool         // by somebody: it has choices and endings of its own
}

type dayEnding struct {
	Ending string   `json:"ending"`
	Share  sim.Rate `json:"share"`
}

// dayLeft is what the party has at the end, of what it began with: of the resources that decide who is defeated, and of
// all others of which it begins with all; nil if there are none of a sort.
type dayLeft struct {
	Decisive *sim.Mean `json:"decisive"`
	Uses     *sim.Mean `json:"uses"`
}

// dayCost is what a fight costs of one sort of resources, in shares of what the party began the day with.
type dayCost struct {
	Regained sim.Mean `json:"regained"` // since the fight before
	Before   sim.Mean `json:"before"`   // what is left when it begins
	Cost     sim.Mean `json:"cost"`
}

// dayFight is one fight of the day. Rates are shares of all days, means are those of the times that it is fought.
type dayFight struct {
	Fight    string    `json:"fight"`
	Reached  sim.Rate  `json:"reached"`
	Won      sim.Rate  `json:"won"`
	Lost     sim.Rate  `json:"lost"`
	Broken   sim.Rate  `json:"brokenOff"`
	Times    uint64    `json:"times"`
	Rounds   sim.Mean  `json:"rounds"`
	Decisive *dayCost  `json:"decisive"` // as in dayLeft
	Uses     *dayCost  `json:"uses"`
	Falls    sim.Mean  `json:"falls"`
	Fell     []float64 `json:"fell"` // by member, how often in one such fight
}

// dayMember is one of the party at the end of the day.
type dayMember struct {
	Name string         `json:"name"`
	Down sim.Rate       `json:"down"`
	Left []dayResources `json:"left"`
}

type dayResources struct {
	Resource string   `json:"resource"`
	Of       int64    `json:"of"`
	Left     sim.Mean `json:"left"`
}

// dayWithout is what leaving out a pause does.
type dayWithout struct {
	Rest        string   `json:"rest"`
	Survived    sim.Rate `json:"survived"`
	Change      float64  `json:"change"`
	Low         float64  `json:"low"`
	High        float64  `json:"high"`
	PValue      float64  `json:"p_value"`
	Significant bool     `json:"significant"`
	Left        dayLeft  `json:"left"`
}

// leftOf describes what the party has at the end of a day.
func leftOf(t *day.Tally) (l dayLeft) {
	for k, to := range map[day.Sort]**sim.Mean{day.Decisive: &l.Decisive, day.Uses: &l.Uses} {
		if t.Has(k) {
			m := t.Left[k].Bounded(1)
			*to = &m
		}
	}
	return l
}

// costOf describes what a fight costs of a sort of resources; nil if the party has none.
func costOf(t *day.Tally, b *day.Battle, k day.Sort) *dayCost {
	if !t.Has(k) {
		return nil
	}
	return &dayCost{b.Regained[k].Mean(), b.Before[k].Bounded(1), b.Cost[k].Bounded(1)}
}

// newDayDocument describes what was counted.
func newDayDocument(composed *day.Composed, t *day.Tally, seed uint64) *dayDocument {
	d := &dayDocument{Title: t.Story.Title, Seed: seed, Days: t.Days, Survived: sim.RateOf(t.Survived(), t.Days), isWritten: composed == nil,
		Endings: []dayEnding{}, Fights: []dayFight{}, Party: []dayMember{}, Without: []dayWithout{}, Notes: []string{}, Warnings: []string{}}
	if composed != nil {
		d.Notes = append(d.Notes, composed.Notes...)
	}
	for i, n := range t.Endings {
		d.Endings = append(d.Endings, dayEnding{t.Story.Endings[i], sim.RateOf(n, t.Days)})
	}
	for i := range t.Battles {
		b := &t.Battles[i]
		x := dayFight{Fight: cmp.Or(t.Story.Battles[i].Title, fmt.Sprintf("fight %d", i+1)), Reached: sim.RateOf(b.Reached, t.Days), Won: sim.RateOf(b.Days[session.FightWon], t.Days), Lost: sim.RateOf(b.Days[session.FightLost], t.Days),
			Broken: sim.RateOf(b.Days[session.FightBrokenOff], t.Days), Times: b.Times, Rounds: b.Rounds.Mean(), Falls: b.Falls.Bounded(float64(len(t.Party))), Fell: []float64{},
			Decisive: costOf(t, b, day.Decisive), Uses: costOf(t, b, day.Uses)}
		if composed != nil {
			x.Fight = fmt.Sprintf("%d %s", i+1, x.Fight)
		}
		for _, n := range b.Fell {
			x.Fell = append(x.Fell, float64(n)/float64(max(1, b.Times)))
		}
		d.Fights = append(d.Fights, x)
	}
	d.Left = leftOf(t)
	for i, name := range t.Party {
		m := dayMember{name, sim.RateOf(t.Down[i], t.Days), []dayResources{}}
		for k, b := range t.Begins {
			if b.Who == i {
				m.Left = append(m.Left, dayResources{t.Resources[k], b.Amount, t.Amounts[k].Mean()})
			}
		}
		d.Party = append(d.Party, m)
	}
	switch {
	case len(d.Fights) == 0:
		d.Warnings = append(d.Warnings, "there is no fight in this story")
	case t.Days < sim.FewFights:
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s are too few for meaningful intervals", countText(t.Days, "day")))
	}
	return d
}

// addWithout compares the same days with and without a pause, on the same dice.
func (d *dayDocument) addWithout(name string, with, without *day.Tally) {
	h := sim.Hist{}
	for i := range with.Stands {
		switch {
		case with.Stands[i] && !without.Stands[i]:
			h[-1]++
		case !with.Stands[i] && without.Stands[i]:
			h[1]++
		}
	}
	change := sim.RateChange(h, with.Days)
	d.Without = append(d.Without, dayWithout{name, sim.RateOf(without.Survived(), without.Days), change.Rate, change.Low, change.High, sim.PValueOfFlips(h[1], h[-1]), false, leftOf(without)})
	var pValues []float64
	for _, x := range d.Without {
		pValues = append(pValues, x.PValue)
	}
	for i, is := range sim.Holm(pValues) {
		d.Without[i].Significant = is
	}
}
