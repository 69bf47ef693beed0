package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/profile"
	"arbiter/interp/session"
)

// benchFlags say what is timed.
type benchFlags struct {
	seed   uint64
	fights uint64
	with   []string
}

func (a *app) benchCommand() *cobra.Command {
	s := benchFlags{fights: 2000}
	c := &cobra.Command{
		Use:               "bench A [B]",
		SuggestFor:        []string{"benchmark", "stopwatch"},
		Short:             "Time the fights of two scripts, or of one with house rules, against each other",
		Args:              argCount(1, 2),
		ValidArgsFunction: completeScript,
	}
	c.Flags().Uint64Var(&s.seed, "seed", 1, "the seed `N` of the dice")
	c.Flags().VarP((*count)(&s.fights), "fights", "n", "play `N` fights of each, such as 5000 or 10k")
	c.Flags().StringArrayVar(&s.with, "with", nil, "house rules, a `FILE` or a folder, for B, which is A if it is not named; may be repeated")
	mustComplete(c, "with", completeRules)
	c.RunE = runFunc(func(args []string) error { return a.bench(args, &s) })
	return c
}

// benchDocument is what `bench --json` prints.
type benchDocument struct {
	Names [2]string `json:"names"`
	Seed  uint64    `json:"seed"`
	*profile.Comparison
}

func (a *app) bench(args []string, s *benchFlags) error {
	switch {
	case s.fights < 1 || s.fights > maxFights:
		return usageError("-n is %d: it must be from 1 to %d", s.fights, maxFights)
	case len(args) == 1 && len(s.with) == 0:
		return usageError("nothing to compare with: name a second script, or add --with HOUSE.rules")
	}
	d := benchDocument{Names: [2]string{args[0], args[len(args)-1]}, Seed: s.seed}
	if len(s.with) > 0 {
		d.Names[1] += " with " + strings.Join(s.with, ", ")
	}
	var trials [2]*session.Trials
	for i, path := range []string{args[0], args[len(args)-1]} {
		var h houseRules
		if i == 1 {
			h.with = s.with
		}
		script, _, err := a.buildFight(path, h)
		if err != nil {
			return err
		}
		if trials[i], err = a.newTrials(script, session.Options{}); err != nil {
			return err
		}
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "fights"}
	var err error
	d.Comparison, err = profile.Compare(trials[0], trials[1], profile.Options{Seed: s.seed, Fights: s.fights, Stop: stopped, OnProgress: func(done, of uint64) { progress.Set(int(done), int(of)) }})
	progress.Clear()
	if err = a.reportFightError(err); err != nil {
		return err
	}
	var partial error
	if d.Fights < s.fights {
		fmt.Fprintf(a.err, "stopped after %d of %d fights; these are the results so far\n", d.Fights, s.fights)
		partial = errPartial
	}
	switch {
	case a.json:
		a.printJSON(d)
	case d.Fights > 0:
		a.printBench(&d)
	}
	return partial
}

func (a *app) printBench(d *benchDocument) {
	fmt.Fprintf(a.out, "%s of each, %d by turns\n", countText(d.Fights, "fight"), d.Rounds)
	rows := [][]string{{"", "time a fight", "steps a fight"}}
	for i, name := range d.Names {
		rows = append(rows, []string{name, roundTime(d.Time[i]), grouped(int64(d.Steps[i]))})
	}
	a.printShortened(rows, 2)
	fmt.Fprintln(a.out)
	ratio := fmt.Sprintf("The second takes %.3f times as long as the first (95 %% confidence: %.3f to %.3f).", d.Ratio, d.Low, d.High)
	switch {
	case d.Low > 1:
		ratio += " It is slower."
	case d.High < 1:
		ratio += " It is faster."
	default:
		ratio += " That may be chance: play more fights to know."
	}
	a.printParagraph(ratio)
}
