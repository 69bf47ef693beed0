package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/balance"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/stdlib/estimate"
)

// balanceFlags say what is wished and what may be changed for it.
type balanceFlags struct {
	scriptFlags
	want    string
	by      []string
	suggest bool
	fights  uint64
	workers int
	nats    natsFlags
	outputFormat
}

// maxSearches limits the searches of several --by: one for each combination of the values of all but the last.
const maxSearches = 100

func (a *app) balanceCommand() *cobra.Command {
	var f balanceFlags
	c := &cobra.Command{
		Use:               "balance FILE --want 'FIGURE NUMBER' --by 'NAME = VALUES'",
		SuggestFor:        []string{"solve", "tune", "fair"},
		Short:             "Find the values with which a fight goes as you wish",
		Args:              argCount(1, 1),
		ValidArgsFunction: completeScript,
	}
	f.add(c)
	c.Flags().Lookup("seed").Usage = "the seed `N` of the dice (default: 1)"
	c.Flags().StringVar(&f.want, "want", "", "what is to be reached: `'west wins 60 %'`, 'rounds 6', 'Alia falls 10 % within 2 %'")
	c.Flags().StringArrayVar(&f.by, "by", nil, "find the right one of `'NAME = VALUES'`, as for compare --sweep; repeated: for each value of the first, the right one of the last")
	c.Flags().BoolVar(&f.suggest, "suggest", false, "name the three smallest changes that reach it, to creatures, their number and options")
	f.fights = 100_000
	c.Flags().VarP((*count)(&f.fights), "fights", "n", "stop each search after `N` fights, such as 5000 or 10k")
	c.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "play `N` fights at a time; the result is the same")
	f.nats.addPlayers(c)
	mustComplete(c, "by", a.completeSweep)
	mustComplete(c, "want", a.completeFigure)
	f.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error { return a.balance(args[0], &f, c) })
	return c
}

// check validates the flags.
func (a *app) checkBalanceFlags(f *balanceFlags) error {
	switch {
	case f.want == "":
		return usageError("what is to be reached? Add --want 'SIDE wins 60 %%', or 'rounds 6'")
	case len(f.by) == 0 && !f.suggest:
		return usageError("what may be changed for it? Add --by 'NAME = VALUES', such as --by 'guard.count = 1..12', or --suggest")
	case len(f.by) > 0 && f.suggest:
		return usageError("--by and --suggest cannot be combined: --suggest tries by itself what can be changed")
	case f.fights < 1 || f.fights > maxFights:
		return usageError("-n is %d: it must be from 1 to %d", f.fights, maxFights)
	case f.workers == 0 && f.nats.URL != "": // others play
	case f.workers < 1 || f.workers > 1024:
		return usageError("--workers is %d: it must be from 1 to 1024", f.workers)
	}
	if err := f.nats.checkPlayers(); err != nil {
		return err
	}
	return a.checkFormat(&f.outputFormat)
}

// newBalancer builds the fight that a search plays, and the trials of it as it is written. quiet keeps warnings back.
func (a *app) newBalancer(path string, h houseRules, workers int, seed *uint64, quiet bool) (*balancer, *session.Trials, error) {
	script, warnings, err := a.buildFight(path, h)
	if err != nil {
		return nil, nil, err
	}
	if !a.json && !quiet {
		a.printDiagnostics(warnings)
	}
	b := &balancer{app: a, path: path, houseRules: h, script: script, workers: workers, seed: 1}
	if seed != nil {
		b.seed = *seed
	}
	first, err := a.newTrials(script, session.Options{})
	if err != nil {
		return nil, nil, err
	}
	b.names = sim.JoinNames([]*session.Cast{first.Cast()})
	return b, first, nil
}

func (a *app) balance(path string, f *balanceFlags, c *cobra.Command) error {
	if err := a.checkBalanceFlags(f); err != nil {
		return err
	}
	b, first, err := a.newBalancer(path, f.houseRules, f.workers, f.chosenSeed(c), f.csv)
	if err != nil {
		return err
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	b.stopped = stopped
	if b.wish, err = balance.ParseWish(f.want, sim.FiguresOf(first.Cast())); err != nil {
		return usageError("--want: %w", err)
	}
	b.progress = &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "fights", AtMost: true}
	if f.nats.URL != "" {
		ctx, end := untilStopped(stopped)
		defer end()
		if b.away, err = a.goAway(ctx, &f.nats, path, f.workers); err != nil {
			return a.reportClusterError(err)
		}
		defer b.away.close()
	}
	d := &balanceDocument{Title: first.Cast().Title, Seed: b.seed, Want: wishDocument{b.wish.Name, relationName(b.wish.Relation), b.wish.Target, b.wish.Within}, Answers: []*balanceAnswer{}}
	if f.suggest {
		err = b.suggest(d, first, f.fights)
	} else {
		err = b.search(d, f)
	}
	b.progress.Clear()
	if err != nil {
		return err
	}
	var partial error
	if stopped() {
		fmt.Fprintln(a.err, "stopped; these are the results so far")
		partial = errPartial
	}
	return cmp.Or(a.outputResult(&f.outputFormat, d, func() *picture { return plotOfBalance(d, &b.wish) }, func() [][]string { return balanceCSV(d) }, func() { a.printBalance(d, &b.wish) }), partial)
}

// balancer plays the fight with other values.
type balancer struct {
	*app
	houseRules
	path     string
	script   *build.Script // as written
	wish     balance.Wish
	names    sim.Names // of the script as written, to which the figures refer
	seed     uint64
	workers  int
	stopped  func() bool
	away     *away // other machines that play, too; nil: none do
	progress *term.Progress
	played   uint64
	most     uint64 // the number of fights that there can be, as far as is known
}

// search finds the right values of the last --by, for each combination of values of those before it.
func (b *balancer) search(d *balanceDocument, f *balanceFlags) error {
	sweeps, err := b.parseSweeps("--by", f.by, b.script)
	if err != nil {
		return err
	}
	outer, last := sweeps[:len(sweeps)-1], sweeps[len(sweeps)-1]
	combinations := [][]int{nil}
	for _, x := range outer {
		var next [][]int
		for _, c := range combinations {
			for i := range x.Values {
				next = append(next, append(c[:len(c):len(c)], i))
			}
		}
		if combinations = next; len(combinations) > maxSearches {
			return usageError("%s before the last --by have more than %d combinations of values: use fewer", countText(len(outer), "sweep"), maxSearches)
		}
	}
	for _, c := range combinations {
		h, at := b.houseRules, []atValue{}
		for k, i := range c {
			amendment, _ := outer[k].Amendment(i) // Check has made every one
			h.swept = append(h.swept[:len(h.swept):len(h.swept)], sweptValue{outer[k], i, amendment})
			at = append(at, atValue{outer[k].Name, outer[k].Values[i].Text})
		}
		r, err := b.searchValues(h, last, last.Ascends(), f.fights)
		if err != nil {
			return err
		}
		answer := b.answer(last, r)
		answer.At = at
		d.Answers = append(d.Answers, answer)
		if b.stopped() {
			break
		}
	}
	return nil
}

// searchValues searches the values of one sweep. If they are ordered, the figure rises or falls along them.
func (b *balancer) searchValues(h houseRules, x *sweep.Sweep, ordered bool, fights uint64) (*balance.Result, error) {
	arms := make([]*balanceArm, len(x.Values))
	return balance.Search(b.wish, balance.Options{Values: len(x.Values), Ordered: ordered, Fights: fights, Stop: b.stopped}, func(value int, n, more uint64) (estimate.Estimate, error) {
		if arms[value] == nil {
			own := h
			amendment, _ := x.Amendment(value)
			own.swept = append(own.swept[:len(own.swept):len(own.swept)], sweptValue{x, value, amendment})
			t, err := b.trials(own)
			if err != nil {
				return nil, err
			}
			arms[value] = &balanceArm{trials: t, rules: own}
		}
		b.most = b.played + fights
		b.progress.Set(int(b.played), int(b.most))
		b.played += more
		return arms[value].play(b, n, more)
	})
}

// trials builds the script under rules, for many fights.
func (b *balancer) trials(h houseRules) (*session.Trials, error) {
	if len(h.swept) > len(b.swept) {
		if s, ok := b.script.Amended(h.amendments()); ok {
			return b.newTrials(s, session.Options{})
		}
	}
	s, _, err := b.buildFight(b.path, h)
	if err != nil {
		if err == errMistakes && len(h.swept) > 0 {
			err = &exitError{status: exitUsageError}
		}
		return nil, err
	}
	return b.newTrials(s, session.Options{})
}

// balanceArm is the fight with one value, and what is known of it.
type balanceArm struct {
	trials  *session.Trials
	rules   houseRules
	tally   *sim.Tally
	seconds float64 // that a fight took here; 0: none was played here
}

// play plays more fights; the first of them is the nth.
func (x *balanceArm) play(b *balancer, n, fights uint64) (estimate.Estimate, error) {
	var more *sim.Tally
	var err error
	if b.away != nil && x.seconds*float64(fights) >= leastAwaySeconds {
		more, err = b.away.play(b, x, n, fights)
	} else {
		more, err = x.playHere(b, n, fights)
	}
	if err != nil {
		return nil, err
	}
	if x.tally == nil {
		x.tally = more
	} else {
		x.tally.Add(more)
	}
	return x.tally.EstimateOf(b.wish.Figure), nil
}

// playHere plays them in this process.
func (x *balanceArm) playHere(b *balancer, n, fights uint64) (*sim.Tally, error) {
	began, workers := clock(), max(1, b.workers)
	arms, err := sim.Compare([]sim.Variant{{Trials: x.trials}}, sim.Options{Seed: b.seed, From: n, Fights: fights, Workers: workers, Names: b.names})
	if err != nil {
		return nil, b.reportFightError(err)
	}
	x.seconds = max(clock().Sub(began).Seconds(), 1e-9) * float64(workers) / float64(fights)
	return arms[0].Tally, nil
}

// relationName names a relation in documents.
func relationName(r balance.Relation) string {
	return [...]string{balance.About: "about", balance.AtLeast: "at least", balance.AtMost: "at most"}[r]
}

// --- documents -----------------------------------------------------------------------------------------

// balanceDocument is what balance --json prints.
type balanceDocument struct {
	Title     string           `json:"title"`
	Seed      uint64           `json:"seed"`
	Want      wishDocument     `json:"want"`
	Now       *valueDocument   `json:"now,omitempty"`       // of --suggest: the fight as written
	Answers   []*balanceAnswer `json:"answers"`             // of --suggest: the smallest change first
	Tried     int              `json:"tried,omitempty"`     // of --suggest: how many things that could be changed were looked at
	Screening uint64           `json:"screening,omitempty"` // of --suggest: fights that were played for that
}

type wishDocument struct {
	Figure   string  `json:"figure"`
	Relation string  `json:"relation"` // about, at least, at most
	Target   float64 `json:"target"`
	Within   float64 `json:"within"`
}

// balanceAnswer is what came of one search.
type balanceAnswer struct {
	At         []atValue       `json:"at"` // values of the other sweeps
	By         string          `json:"by"`
	Now        string          `json:"now,omitempty"` // of --suggest: the value as written
	Verdict    string          `json:"verdict"`       // reached, between, unreachable, undecided
	Best       string          `json:"best"`          // the value that reaches the wish, or is nearest to it
	Low        string          `json:"low,omitempty"` // of between: the neighbors
	High       string          `json:"high,omitempty"`
	Next       string          `json:"next,omitempty"` // the next value, which does not reach at least or at most what is wished
	Confidence float64         `json:"confidence"`
	Fights     uint64          `json:"fights"`
	Grid       uint64          `json:"grid"`
	Values     int             `json:"values"`
	Monotone   bool            `json:"monotone"`
	Tried      []valueDocument `json:"tried"`

	size float64 // of --suggest: how large the change is
}

type atValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// valueDocument is a value that was tried. The interval has the true figure in it with a probability such that all
// intervals of a search do with 95 %.
type valueDocument struct {
	Value  string  `json:"value"`
	Figure float64 `json:"figure"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Fights uint64  `json:"fights"`
}

var verdictNames = [...]string{balance.Undecided: "undecided", balance.Reached: "reached", balance.Between: "between", balance.Unreachable: "unreachable"}

// answer puts a result into a document.
func (b *balancer) answer(x *sweep.Sweep, r *balance.Result) *balanceAnswer {
	d := &balanceAnswer{At: []atValue{}, By: x.Name, Verdict: verdictNames[r.Verdict], Best: x.Values[r.Best].Text, Confidence: r.Confidence, Fights: r.Fights,
		Grid: r.Grid, Values: len(x.Values), Monotone: r.Monotone, Tried: []valueDocument{}}
	if r.Verdict == balance.Between && r.Low != r.High {
		d.Low, d.High = x.Values[r.Low].Text, x.Values[r.High].Text
	}
	if r.Verdict == balance.Reached && r.Next >= 0 {
		d.Next = x.Values[r.Next].Text
	}
	for _, t := range r.Tried {
		low, high := t.Estimate.Interval(r.Alpha)
		d.Tried = append(d.Tried, valueDocument{x.Values[t.Value].Text, t.Estimate.Value(), low, high, t.Fights})
	}
	return d
}

// find finds a value that was tried; nil if it was not.
func (d *balanceAnswer) find(value string) *valueDocument {
	for i := range d.Tried {
		if d.Tried[i].Value == value {
			return &d.Tried[i]
		}
	}
	return nil
}

// whereText says under which values of the other sweeps an answer holds.
func (d *balanceAnswer) whereText() string {
	var list []string
	for _, x := range d.At {
		list = append(list, x.Name+" = "+x.Value)
	}
	return strings.Join(list, ", ")
}
