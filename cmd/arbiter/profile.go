package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/profile"
	"arbiter/interp/session"
)

// profileFlags say what is measured and how it is shown.
type profileFlags struct {
	scriptFlags
	fights uint64
	by     string
	rows   int
	out    string
}

// orders of the declarations, by name.
var profileOrders = map[string]func(d *profile.Declaration) int64{
	"steps": func(d *profile.Declaration) int64 { return d.Steps },
	"total": func(d *profile.Declaration) int64 { return d.Total },
	"time":  func(d *profile.Declaration) int64 { return int64(d.Time) },
	"calls": func(d *profile.Declaration) int64 { return d.Calls },
}

func (a *app) profileCommand() *cobra.Command {
	s := profileFlags{fights: 1000}
	c := &cobra.Command{
		Use:               "profile FILE",
		SuggestFor:        []string{"prof", "pprof", "hotspots"},
		Short:             "Show where the time of many fights goes, by declaration and by line",
		Args:              argCount(1, 1),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().Lookup("seed").Usage = "the seed `N` of the dice (default: 1)"
	c.Flags().VarP((*count)(&s.fights), "fights", "n", "measure `N` fights, such as 5000 or 10k")
	c.Flags().StringVar(&s.by, "by", "steps", "order by `WHAT`: steps, total, time or calls")
	c.Flags().IntVar(&s.rows, "top", 15, "show `N` declarations and as many lines; 0 shows all")
	c.Flags().StringVarP(&s.out, "output", "o", "", "write a profile for pprof to `FILE.pb.gz`, too")
	c.RunE = runFunc(func(args []string) error { return a.profile(args[0], &s, c) })
	return c
}

// profileDocument is what `profile --json` prints.
type profileDocument struct {
	File   string `json:"file"`
	Title  string `json:"title"`
	Seed   uint64 `json:"seed"`
	Fights uint64 `json:"fights"`
	*profile.Report
}

func (a *app) profile(path string, s *profileFlags, c *cobra.Command) error {
	order := profileOrders[s.by]
	switch {
	case s.fights < 1 || s.fights > maxFights:
		return usageError("-n is %d: it must be from 1 to %d", s.fights, maxFights)
	case order == nil:
		return usageError("--by is %s: it must be steps, total, time or calls", s.by)
	case s.rows < 0:
		return usageError("--top is %d: it must be 0 or more", s.rows)
	}
	o := profile.Options{Seed: 1, Fights: s.fights}
	if seed := s.chosenSeed(c); seed != nil {
		o.Seed = *seed
	}
	script, warnings, err := a.buildFight(path, s.houseRules)
	if err != nil {
		return err
	}
	if !a.json {
		a.printDiagnostics(warnings)
	}
	t, err := a.newTrials(script, session.Options{})
	if err != nil {
		return err
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "fights"}
	o.Stop, o.OnProgress = stopped, func(done, of uint64) { progress.Set(int(done), int(of)) }
	f := profile.New(script.Rules.Program)
	done, err := f.Fights(t, o)
	progress.Clear()
	if err = a.reportFightError(err); err != nil {
		return err
	}
	var partial error
	if done < s.fights {
		fmt.Fprintf(a.err, "stopped after %d of %d fights; these are the results so far\n", done, s.fights)
		partial = errPartial
	}
	d := profileDocument{path, t.Cast().Title, o.Seed, done, f.Report()}
	slices.SortStableFunc(d.Declarations, func(x, y profile.Declaration) int { return cmp.Compare(order(&y), order(&x)) })
	if s.out != "" {
		if err := writePprof(s.out, f); err != nil {
			return err
		}
	}
	if a.json {
		a.printJSON(d)
		return partial
	}
	a.printProfile(&d, s.rows)
	if s.out != "" {
		fmt.Fprintf(a.out, "\nwritten to %s: go tool pprof -top %s\n", s.out, s.out)
	}
	return partial
}

// writePprof writes a profile to a file.
func writePprof(path string, f *profile.Profiler) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return cmp.Or(f.Pprof().Write(file), file.Close())
}

func (a *app) printProfile(d *profileDocument, rows int) {
	fmt.Fprintf(a.out, "%s, %s, seed %d\n", cmp.Or(d.Title, d.File), countText(d.Fights, "fight"), d.Seed)
	each := float64(d.Time) / float64(max(1, d.Fights))
	fmt.Fprintf(a.out, "%s steps, %s a fight; %s a fight while it was measured\n", grouped(d.Steps), grouped(d.Steps/int64(max(1, d.Fights))), roundTime(each))
	of := func(n, all int64) string {
		if all == 0 {
			return "-"
		}
		return strconv.FormatFloat(100*float64(n)/float64(all), 'f', 1, 64) + " %"
	}
	table := [][]string{{"declaration", "own steps", "with calls", "time", "calls", "cached"}}
	for i, x := range d.Declarations {
		if rows > 0 && i == rows {
			break
		}
		cached := ""
		if x.Cached != nil {
			cached = of(*x.Cached, *x.Cached+x.Calls)
		}
		table = append(table, []string{x.Kind + " " + x.Name, of(x.Steps, d.Steps), of(x.Total, d.Steps), of(int64(x.Time), int64(d.Time)), grouped(x.Calls), cached})
	}
	a.printShortened(table, 5)
	lines := [][]string{{"line", "own steps", "of"}}
	for i, x := range d.Lines {
		if rows > 0 && i == rows {
			break
		}
		lines = append(lines, []string{a.lineName(&x, d.File), of(x.Steps, d.Steps), x.Of})
	}
	a.printShortened(lines, 1)
}

// printShortened prints a table of numbers whose names are cut to fit, in the middle.
func (a *app) printShortened(rows [][]string, numbers int) {
	widths := term.ColumnWidths(rows)
	room := tableWidth - 2
	for _, w := range widths[1:] {
		room -= 2 + w
	}
	for _, r := range rows {
		r[0] = shortenMiddle(r[0], max(room, 24))
	}
	a.printNumberTable(rows, numbers)
}

// shortenMiddle leaves out the middle of a text that is longer than some characters.
func shortenMiddle(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	half := (most - 1) / 2
	return string(r[:most-1-half]) + "…" + string(r[len(r)-half:])
}

// lineName names a line of the rules; those of the script have no file of their own.
func (a *app) lineName(l *profile.Line, script string) string {
	return strings.TrimPrefix(cmp.Or(l.File, script), libraryPrefix) + ":" + strconv.Itoa(l.Line)
}

// grouped formats a number in groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// roundTime formats nanoseconds with three digits.
func roundTime(ns float64) string {
	d := time.Duration(ns)
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
