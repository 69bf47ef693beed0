package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/advise"
	"arbiter/interp/session"
)

// Limits of `arbiter advise`.
const (
	defaultPlayouts = 2_000
	minPlayouts     = 20
	maxPlayouts     = 1_000_000
	maxAdviceTime   = 24 * time.Hour
)

func (a *app) adviseCommand() *cobra.Command {
	var s scriptFlags
	how := session.AdviceOptions{Options: advise.Options{Confirm: true}}
	limit, all, playouts := 30*time.Second, false, count(defaultPlayouts)
	c := &cobra.Command{
		Use:               "advise FILE",
		SuggestFor:        []string{"advice", "best", "suggest"},
		Short:             "Say what one whose turn it is had best do, by playing on",
		Args:              argCount(1, 1),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().StringVar(&how.Turn, "turn", "", "of `NAME`: tactics play until then (default: whose turn comes first)")
	c.Flags().VarP(&playouts, "playouts", "n", "play on `N` times, such as 500 or 10k")
	c.Flags().DurationVar(&limit, "time", limit, "stop after that `TIME`, such as 5s, with what is known by then")
	c.Flags().IntVar(&how.Workers, "workers", runtime.NumCPU(), "play `N` of them at a time; the result is the same")
	c.Flags().BoolVarP(&all, "all", "a", false, "show every command that was tried")
	c.RunE = runFunc(func(args []string) error {
		switch {
		case playouts < minPlayouts || playouts > maxPlayouts:
			return usageError("--playouts is %d: it must be from %d to %d", playouts, minPlayouts, maxPlayouts)
		case limit <= 0 || limit > maxAdviceTime:
			return usageError("--time is %s: it must be more than nothing, and at most a day", limit)
		case how.Workers < 1 || how.Workers > 1024:
			return usageError("--workers is %d: it must be from 1 to 1024", how.Workers)
		}
		script, warnings, err := a.buildFight(args[0], s.houseRules)
		if err != nil {
			return err
		}
		how.Playouts = int(playouts)
		stopped, end := stopWorkOnInterrupt()
		defer end()
		until := time.Now().Add(limit)
		how.Stop = func() bool { return stopped() || time.Now().After(until) }
		x, diags, err := session.Advise(script, session.Options{Seed: s.chosenSeed(c)}, how)
		switch {
		case len(diags) > 0:
			return a.rejectScript(diags)
		case err != nil:
			return usageError("%w", err)
		}
		if a.json {
			a.printJSON(x)
			return nil
		}
		a.printAdvice(x, all)
		return a.printDiagnostics(warnings)
	})
	return c
}

// adviceRows is how many commands are shown without --all.
const adviceRows = 8

// printAdvice prints what is best, what else there is, and why.
func (a *app) printAdvice(x *session.Advice, all bool) {
	a.printParagraph(a.screen.out.Paint(term.Bold, x.Headline()))
	stopped := ""
	if x.Stopped {
		stopped = ", stopped early"
	}
	fmt.Fprintf(a.out, "%s, seed %d%s\n", countText(x.Playouts, "playout"), x.Seed, stopped)
	shown := len(x.Candidates)
	if !all {
		shown = min(shown, adviceRows)
	}
	final, screened := [][]string{a.adviceHead(x)}, [][]string{a.adviceHead(x)}
	for i := range x.Candidates[:shown] {
		c := &x.Candidates[i]
		if c.Final {
			final = append(final, a.adviceRow(x, c))
		} else {
			screened = append(screened, a.adviceRow(x, c))
		}
	}
	if len(final) > 1 {
		a.printNumberTable(final, len(final[0])-1)
	}
	if len(screened) > 1 {
		if len(final) > 1 {
			fmt.Fprintln(a.out)
			a.printParagraph("dropped earlier, by fewer playouts:")
		}
		a.printNumberTable(screened, len(screened[0])-1)
	}
	if more := len(x.Candidates) - shown; more > 0 {
		fmt.Fprintf(a.out, "  and %d more: --all\n", more)
	}
	if x.Alike > 0 {
		a.printParagraph(fmt.Sprintf("  %s left out: they ended like another every time", countText(x.Alike, "command")))
	}
	if x.Untried > 0 {
		a.printParagraph(fmt.Sprintf("  %s not tried: more playouts would reach them", countText(x.Untried, "possible command")))
	}
	for _, c := range x.Comparisons() {
		fmt.Fprintln(a.out)
		a.printParagraph(x.Reasons(c))
	}
}

func (a *app) adviceHead(x *session.Advice) []string {
	if x.ByRules {
		return []string{"command", "value", "95 % interval", "wins", "rounds"}
	}
	return []string{"command", "wins", "95 % interval", "keeps", "foes keep", "rounds"}
}

func (a *app) adviceRow(x *session.Advice, c *session.Advised) []string {
	name := a.screen.out.Cut(strings.TrimSpace(c.Command), maxLabelWidth)
	percent := func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
	rounds := fmt.Sprintf("%.1f", c.Rounds.Mean)
	if x.ByRules {
		return []string{name, fmt.Sprintf("%.2f", c.Value.Mean), fmt.Sprintf("%.2f to %.2f", c.Value.Low, c.Value.High), percent(c.Wins.Mean), rounds}
	}
	return []string{name, percent(c.Wins.Mean), percent(c.Wins.Low) + " to " + percent(c.Wins.High), fmt.Sprintf("%.0f %%", 100*c.Own.Mean), fmt.Sprintf("%.0f %%", 100*c.Foes.Mean), rounds}
}
