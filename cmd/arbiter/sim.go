package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// maxFights bounds one simulation.
const maxFights = 1_000_000_000

// simFlags say how much is simulated and how it is shown.
type simFlags struct {
	scriptFlags
	fights    uint64
	workers   int
	until     string
	shard     string
	part      int // of the shard
	partCount int
	sample    int
	html      string // a folder for the samples
	adjust    bool
	rare      string // what may happen
	outputFormat
	nats      natsFlags
	partial   bool // the user stopped it
	imprecise bool // the rates are not as precise as --until asks
}

// addFightFlags adds the flags that say how much is played.
func (s *simFlags) addFightFlags(c *cobra.Command) {
	s.fights = 1000
	c.Flags().VarP((*count)(&s.fights), "fights", "n", "play `N` fights, such as 5000 or 10k")
	c.Flags().IntVar(&s.workers, "workers", runtime.NumCPU(), "play `N` fights at a time; the result is the same")
	c.Flags().StringVar(&s.until, "until", "", "stop once every win rate (or its change) is known to within `0.5%`")
	c.Flags().StringVar(&s.shard, "shard", "", "play only part `I/N`, for `arbiter merge`")
}

// newShard is what has been counted, in the form of a file.
func (s *simFlags) newShard(seed uint64, arms []*sim.Arm) *sim.Shard {
	return &sim.Shard{Kind: "shard", Version: sim.ShardVersion, Seed: seed, Fights: s.fights, Part: s.part, Of: s.partCount, Cast: arms[0].Cast, Tally: arms[0].Tally, Others: arms[1:]}
}

// simOptions returns the options that the flags ask for.
func (a *app) simOptions(s *simFlags, c *cobra.Command) (sim.Options, error) {
	o := sim.Options{Seed: 1, Fights: s.fights, Workers: s.workers}
	switch {
	case s.fights < 1 || s.fights > maxFights:
		return o, usageError("-n is %d: it must be from 1 to %d", s.fights, maxFights)
	case s.workers == 0 && s.nats.URL != "": // others play
	case s.workers < 1 || s.workers > 1024:
		return o, usageError("--workers is %d: it must be from 1 to 1024", s.workers)
	}
	if err := a.checkFormat(&s.outputFormat); err != nil {
		return o, err
	}
	if err := s.nats.checkPlayers(); err != nil {
		return o, err
	}
	switch {
	case s.nats.URL != "" && s.shard != "":
		return o, usageError("--nats and --shard cannot be combined: each divides the fights in its own way")
	case s.until != "" && s.shard != "":
		return o, usageError("--until and --shard cannot be combined: one part does not know the others")
	case s.shard != "" && (s.csv || s.plot != "" || s.sample != 0):
		return o, usageError("--shard prints partial counts: use --csv and --plot with `arbiter merge`, and --sample with a whole run")
	case s.sample < 0:
		return o, usageError("--sample is %d: it must be 0 or more", s.sample)
	case s.sample > 0 && s.html == "" && (s.csv || a.json):
		return o, usageError("--sample prints transcripts: it cannot be combined with --csv or --json; with --html it writes pages instead")
	case s.html != "" && s.sample == 0:
		return o, usageError("--html is %s: how many fights? Add --sample K", s.html)
	}
	if s.until != "" {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s.until, "%"), 64)
		if err != nil || !(v > 0 && v < 50) {
			return o, usageError("--until is %s: it must be between 0%% and 50%%", s.until)
		}
		o.Until = v / 100
	}
	if s.shard != "" {
		part, of, _ := strings.Cut(s.shard, "/")
		var errs [2]error
		s.part, errs[0] = strconv.Atoi(part)
		s.partCount, errs[1] = strconv.Atoi(of)
		if errs[0] != nil || errs[1] != nil || s.part < 1 || s.part > s.partCount {
			return o, usageError("--shard is %s: it must be a part and the number of parts, such as 1/4", s.shard)
		}
		if uint64(s.partCount) > s.fights {
			return o, usageError("--shard is %s: %s cannot be split into %d parts", s.shard, countText(s.fights, "fight"), s.partCount)
		}
		o.From, o.Fights = sim.Range(s.fights, s.part, s.partCount)
	}
	if seed := s.chosenSeed(c); seed != nil {
		o.Seed = *seed
	}
	return o, nil
}

func (a *app) simCommand() *cobra.Command {
	var s simFlags
	var d dayFlags
	c := &cobra.Command{
		Use:               "sim FILE...",
		SuggestFor:        []string{"simulate", "montecarlo", "fights"},
		Short:             "Play a fight or a whole day many times by tactics, and report the results",
		Args:              argCount(1, maxStages),
		ValidArgsFunction: completeScripts,
	}
	s.add(c)
	c.Flags().Lookup("seed").Usage = "the seed `N` of the dice (default: 1)"
	s.addFightFlags(c)
	s.nats.addPlayers(c)
	c.Flags().IntVar(&s.sample, "sample", 0, "print the transcripts of `K` fights: a typical one, the upsets, then any")
	c.Flags().StringVar(&s.rare, "rare", "", "estimate how likely it is that `'west wins'`, or 'Alia falls', or 'rounds at least 30', though it hardly ever happens")
	c.Flags().BoolVar(&s.adjust, "adjust", false, "adjust win rates and means for the luck of the dice, which narrows their intervals")
	c.Flags().StringVar(&s.html, "html", "", "with --sample, write those fights to the folder `DIR`, as pages that show them step by step")
	d.add(c)
	s.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error {
		if isDay(args) {
			return a.simulateDay(args, &s, &d, c)
		}
		return a.simulate(args[0], &s, &d, c)
	})
	return c
}

func (a *app) simulate(path string, s *simFlags, d *dayFlags, c *cobra.Command) error {
	o, err := a.simOptions(s, c)
	if err != nil {
		return err
	}
	if err := s.checkRare(); err != nil {
		return err
	}
	h := s.houseRules
	h.optimized = true
	script, warnings, err := a.buildScript(path, h)
	if err != nil {
		return err
	}
	if !a.json && !s.csv {
		a.printDiagnostics(warnings)
	}
	switch {
	case script.Story != nil:
		return a.playDay(script, nil, nil, s, d, c)
	case d.write != "" || c.Flags().Changed("habit"):
		return usageError("--write is for several encounters, and --habit for an adventure: this is a single fight")
	}
	t, err := a.newTrials(script, session.Options{})
	if err != nil {
		return err
	}
	if s.rare != "" {
		if !c.Flags().Changed("fights") {
			o.Fights = rareAttempts
		}
		return a.simulateRare(t, s, o)
	}
	if s.adjust {
		if !t.KnowsDice() {
			return usageError("--adjust knows the dice of one fight that is played by tactics: this script does something in between, or fights several times")
		}
		o.Adjust = sim.RollsOf(t, o.Seed)
	}
	arms, partial := a.playAll(path, []arm{{houseRules: s.houseRules}}, nil, []sim.Variant{{Trials: t}}, s, o)
	if partial != nil && partial != errPartial {
		return partial
	}
	s.recordEnd(o, arms, partial)
	whole := s.newShard(o.Seed, arms)
	if s.shard != "" {
		whole.Seal()
		a.printJSON(whole)
		return partial
	}
	if err := a.outputReport(whole, s); err != nil || partial != nil || s.sample < 1 {
		return cmp.Or(err, partial)
	}
	if s.html != "" {
		return a.writeSamples(s.html, script, whole, sim.NewReport(whole.Cast, whole.Seed, whole.Tally), s.sample)
	}
	return a.printSamples(script, whole, s.sample)
}

// newTrials prepares a script to be played many times.
func (a *app) newTrials(s *build.Script, o session.Options) (*session.Trials, error) {
	t, err := session.NewTrials(s, o)
	if f := (session.Failures)(nil); errors.As(err, &f) {
		return nil, a.rejectScript(diag.List(f))
	}
	if err != nil {
		return nil, &exitError{exitScriptError, err}
	}
	return t, nil
}

// playFights plays the fights and shows a progress line. Ctrl-C ends it early; the error is then errPartial, and the
// partial result is returned.
func (a *app) playFights(list []sim.Variant, o sim.Options) ([]*sim.Arm, error) {
	stopped, end := stopWorkOnInterrupt()
	defer end()
	o.Stop = stopped
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "fights", AtMost: o.Until > 0}
	o.OnProgress = func(done, of uint64) { progress.Set(int(done), int(of)) }
	o.OnProgress(0, o.Fights) // the clock starts here
	arms, err := sim.Compare(list, o)
	progress.Clear()
	if err == nil && stopped() && arms[0].Tally.Fights < o.Fights {
		fmt.Fprintf(a.err, "stopped after %d of %d fights; these are the results so far\n", arms[0].Tally.Fights, o.Fights)
		return arms, errPartial
	}
	return arms, a.reportFightError(err)
}

// reportFightError shows the mistake in the rules when a fight could not be played to its end.
func (a *app) reportFightError(err error) error {
	var f *sim.FightError
	if !errors.As(err, &f) {
		return err
	}
	list := session.Mistake(f)
	if list == nil {
		return &exitError{exitScriptError, err}
	}
	list[0].Message = fmt.Sprintf("in fight %d: %s", f.Fight, list[0].Message)
	return a.rejectScript(list)
}

// errPartial ends the program when the user stopped a simulation whose partial result has been printed.
var errPartial = &exitError{status: exitInterrupted}

// outputReport prints the result in the form that was asked for.
func (a *app) outputReport(w *sim.Shard, s *simFlags) error {
	r := sim.NewReport(w.Cast, w.Seed, w.Tally)
	r.Warnings = s.addStopWarning(r.Warnings, r.Fights)
	return a.outputResult(&s.outputFormat, r, func() *picture { return plotOfReport(r) }, func() [][]string { return reportCSV(r) }, func() { a.printReport(r) })
}

// recordEnd records why there are no more fights.
func (s *simFlags) recordEnd(o sim.Options, arms []*sim.Arm, partial error) {
	s.partial = partial != nil
	s.imprecise = o.Until > 0 && !sim.Within(arms, o.Until)
}

// addStopWarning prepends the warning that there should be more fights.
func (s *simFlags) addStopWarning(warnings []string, fights uint64) []string {
	switch {
	case s.partial:
		return append([]string{fmt.Sprintf("stopped after %d of %d fights", fights, s.fights)}, warnings...)
	case s.imprecise:
		return append([]string{fmt.Sprintf("%s (-n) are not enough for --until %s", countText(fights, "fight"), s.until)}, warnings...)
	}
	return warnings
}

// printSamples replays some of the fights, with their transcripts.
func (a *app) printSamples(script *build.Script, w *sim.Shard, most int) error {
	for _, x := range w.Tally.Samples(w.Cast, most) {
		title := fmt.Sprintf("Fight %d", x.Fight)
		if x.Why != "" {
			title += ", " + x.Why
		}
		fmt.Fprintf(a.out, "\n%s\n", a.screen.out.Paint(term.Bold, title))
		seed := dice.FightSeed(w.Seed, x.Fight)
		session.Run(script, session.Options{FightSeed: &seed, Unchecked: true, Out: a.out, Paint: a.paint})
	}
	return nil
}

func (a *app) mergeCommand() *cobra.Command {
	var s simFlags
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Merge the parts of a simulation",
		Args:  argCount(1, 10_000),
	}
	s.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error {
		if err := a.checkFormat(&s.outputFormat); err != nil {
			return err
		}
		var list []*sim.Shard
		for _, path := range args {
			f := io.NopCloser(a.in)
			if path != stdin {
				var err error
				if f, err = os.Open(path); err != nil {
					return err
				}
			}
			shard, err := sim.ReadShard(path, f)
			f.Close()
			if err != nil {
				return &exitError{exitScriptError, err}
			}
			list = append(list, shard)
		}
		whole, err := sim.Merge(list)
		if err != nil {
			return &exitError{exitScriptError, err}
		}
		if len(whole.Sweeps) > 0 {
			view, err := mergedView(whole)
			if err != nil {
				return &exitError{exitScriptError, err}
			}
			return a.outputSweep(sim.NewComparison(whole.Seed, whole.Arms(), view.figure.Figure), view, &s)
		}
		if len(whole.Others) > 0 {
			return a.outputComparison(sim.NewComparison(whole.Seed, whole.Arms()), &s)
		}
		return a.outputReport(whole, &s)
	})
	return c
}

// --- on the screen -------------------------------------------------------------------------------------

// rateText formats a rate as a percentage, with its confidence interval.
func rateText(r sim.Rate) []string {
	return []string{sim.Percent(r.Rate), sim.Percent(r.Low) + " to " + sim.Percent(r.High)}
}

// printReport prints a report for a person.
func (a *app) printReport(r *sim.Report) {
	fmt.Fprintf(a.out, "%s: %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(r.Title)), countText(r.Fights, "fight"), r.Seed)
	for _, w := range r.Warnings {
		a.printWarning(w)
	}
	if r.Adjusted != nil {
		fmt.Fprintln(a.out)
		a.printParagraph(r.Adjusted.Text())
	}
	var rows [][]string
	var rates []float64
	for _, s := range r.Sides {
		rows, rates = append(rows, append([]string{s.Name}, rateText(s.Wins)...)), append(rates, s.Wins.Rate)
	}
	if r.Undecided.Rate > 0 {
		rows, rates = append(rows, append([]string{"nobody"}, rateText(r.Undecided)...)), append(rates, r.Undecided.Rate)
	}
	a.printNumberTable(a.addBarColumn([]string{"wins", "", "95 % interval"}, rows, rates), 2)

	q := r.Rounds.Quantiles
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("%s mean %s, half of the fights %d to %d, 95 %% at most %d", a.dim("rounds"), sim.Number(r.Rounds.Mean.Mean), q.P25, q.P75, q.P95))
	rows, rates = nil, nil
	for _, c := range groupIntoBins(r.Rounds.Counts, 16) {
		share := float64(c.times) / float64(r.Fights)
		rows, rates = append(rows, []string{c.name, sim.Percent(share)}), append(rates, share)
	}
	rows = a.addBarColumn(nil, rows, rates)
	a.printAligned("  ", rows, term.ColumnWidths(rows), 1, false)

	a.printCombatants(r.Combatants)

	rows = [][]string{{"cause", "loss per fight", "95 % interval", ""}}
	for i, d := range r.Causes {
		if i == maxCauses || d.Loss.Mean.Mean < 0.05 {
			break
		}
		rows = append(rows, []string{d.By + ": " + causeText(d.Cause), sim.Number(d.Loss.Mean.Mean), intervalText(d.Loss.Mean), d.Resource})
	}
	if len(rows) > 1 {
		a.printNumberTable(rows, 2)
	}
}

// intervalText formats the confidence interval of a mean.
func intervalText(m sim.Mean) string { return sim.Number(m.Low) + " to " + sim.Number(m.High) }

// printCombatants prints what happens to the combatants, with intervals if all columns fit side by side.
func (a *app) printCombatants(list []sim.Combatant) {
	short := [][]string{{"combatant", "falls", "took", "dealt", "left at the end"}}
	long := [][]string{{"combatant", "falls", "took", "95 % interval", "dealt", "95 % interval", "left at the end"}}
	for _, m := range list {
		var left []string
		for _, l := range m.Left {
			left = append(left, sim.Number(l.Mean.Mean)+" "+l.Resource)
		}
		falls, took, dealt, rest := sim.Percent(m.Falls.Rate), sim.Number(m.Took.Mean.Mean), sim.Number(m.Dealt.Mean.Mean), strings.Join(left, ", ")
		short = append(short, []string{m.Name, falls, took, dealt, rest})
		long = append(long, []string{m.Name, falls, took, intervalText(m.Took.Mean), dealt, intervalText(m.Dealt.Mean), rest})
	}
	if a.fits(term.ColumnWidths(long)) {
		a.printNumberTable(long, 5)
	} else {
		a.printNumberTable(short, 3)
	}
}

// printWarning prints a warning about the numbers.
func (a *app) printWarning(why string) {
	a.printParagraph(a.screen.out.Paint(term.Yellow, "warning:") + " " + why)
}

// causeText names what consumed a resource.
func causeText(cause string) string {
	if cause == "" {
		return "no one"
	}
	return cause
}

// maxCauses is how many are listed.
const maxCauses = 15

// bin is a group of values of a distribution.
type bin struct {
	name  string
	times uint64
}

// groupIntoBins groups values until there are at most that many bins.
func groupIntoBins(counts []sim.Count, most int64) []bin {
	if len(counts) == 0 {
		return nil
	}
	low, high := counts[0].Value, counts[len(counts)-1].Value
	wide := (high - low + most) / most
	var list []bin
	k := 0
	for from := low; from <= high; from += wide {
		to := min(from+wide-1, high)
		b := bin{name: fmt.Sprint(from)}
		if to > from {
			b.name = fmt.Sprintf("%d to %d", from, to)
		}
		for ; k < len(counts) && counts[k].Value <= to; k++ {
			b.times += counts[k].Times
		}
		list = append(list, b)
	}
	return list
}
