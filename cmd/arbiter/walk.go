package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/interp/sim"
	"arbiter/interp/walk"
	"arbiter/lang/diag"
)

// walkDocument is what test --walk --json prints.
type walkDocument struct {
	Adventures  []*walk.Report    `json:"adventures"`
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

const (
	quickWalk = "quick"
	maxWalks  = 100_000_000
)

// walkFlags say how adventures are walked.
type walkFlags struct {
	mode        string // "" for no walk, quick, or how many playthroughs
	seed        uint64
	minCoverage float64 // coverage, in percent
	nats        natsFlags
}

// add adds the flags of a walk.
func (w *walkFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&w.mode, "walk", "", "play through adventures instead: `N` times at random, or quick: until everything reachable has been seen")
	c.Flags().Lookup("walk").NoOptDefVal = quickWalk
	c.Flags().Uint64Var(&w.seed, "seed", 1, "with --walk: the seed `N` of dice and choices")
	w.nats.addServer(c, "with --walk N: play on the workers of the server at `URL` too; the result is the same")
	c.Flags().Float64Var(&w.minCoverage, "min-coverage", 0, "with --walk: fail if less than `PERCENT` was seen")
}

// checkConflicts reports flags that exclude each other.
func (w *walkFlags) checkConflicts(c *cobra.Command) error {
	others := []string{"run", "update", "cover", "junit"}
	if w.mode == "" {
		others = []string{"seed", "min-coverage", "nats"}
	}
	for _, name := range others {
		switch {
		case !c.Flags().Changed(name):
		case w.mode == "":
			return usageError("--%s needs --walk", name)
		default:
			return usageError("--%s is for tests and cannot be combined with --walk", name)
		}
	}
	return nil
}

// takeCount takes the number of playthroughs from the arguments, where it is separate: --walk 500 FILE.
func (w *walkFlags) takeCount(args []string) ([]string, error) {
	if w.mode == quickWalk && len(args) > 0 {
		if _, err := strconv.ParseUint(args[0], 10, 64); err == nil || args[0] == quickWalk {
			w.mode, args = args[0], args[1:]
		}
	}
	if n, err := strconv.ParseUint(w.mode, 10, 64); w.mode != quickWalk && (err != nil || n < 1 || n > maxWalks) {
		return nil, usageError("--walk is %s: it must be quick, or 1 to %d playthroughs", w.mode, maxWalks)
	}
	if w.minCoverage < 0 || w.minCoverage > 100 {
		return nil, usageError("--min-coverage is %g: it must be a percentage from 0 to 100", w.minCoverage)
	}
	return args, nil
}

// walkAdventures plays through the stories of adventures, and reports their coverage.
func (a *app) walkAdventures(args []string, w walkFlags, t testFlags) error {
	if t.workers < 1 || t.workers > 1024 {
		return usageError("--workers is %d: it must be from 1 to 1024", t.workers)
	}
	if err := w.nats.check(); err != nil {
		return err
	}
	args, err := w.takeCount(args)
	if err != nil {
		return err
	}
	paths, err := files.Find(testPaths(args), []string{".adventure"})
	if err != nil {
		return err
	}
	d := walkDocument{Adventures: []*walk.Report{}, Diagnostics: []show.Diagnostic{}}
	bad := false
	t.optimized = true
	for _, path := range paths {
		s, diags, err := build.File(path, t.buildOptions())
		if err != nil {
			return err
		}
		d.Diagnostics = append(d.Diagnostics, show.JSON(diags)...)
		if !a.json {
			a.printDiagnostics(diags)
		}
		if diags.HasErrors() || s == nil {
			bad = true
			continue
		}
		if s.IsPart() && !slices.Contains(args, path) {
			continue // it is walked with the file that includes it
		}
		if s.Story == nil {
			return usageError("%s is not an adventure: there is no story to play through", path)
		}
		r, err := a.walkStory(s, path, w, t)
		if err != nil && hasExitStatus(err) {
			return err
		}
		if err != nil {
			return &exitError{exitScriptError, err}
		}
		d.Adventures = append(d.Adventures, r)
		if !a.json {
			a.printWalk(r, w, t, len(d.Adventures) > 1)
		}
		bad = bad || len(r.Failures) > 0 || 100*r.Covered < w.minCoverage
	}
	if a.json {
		a.printJSON(d)
	} else if len(d.Adventures) == 0 && !bad {
		fmt.Fprintln(a.out, "no adventures")
	}
	if bad {
		return errMistakes
	}
	return nil
}

// walkStory plays through one story and shows a progress line; Ctrl-C ends it with a partial result.
func (a *app) walkStory(s *build.Script, path string, w walkFlags, f testFlags) (*walk.Report, error) {
	o := walk.Options{Seed: w.seed, Workers: f.workers}
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "things seen"}
	if w.mode != quickWalk {
		o.Walks, _ = strconv.ParseUint(w.mode, 10, 64)
		progress.Noun = "playthroughs"
		if w.nats.URL != "" {
			t, err := a.walkOnCluster(s, path, &w, &f, o.Walks)
			if err != nil {
				return nil, err
			}
			return walk.NewReport(t, path, source), nil
		}
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	o.Stop = stopped
	o.OnProgress = func(done, of uint64) { progress.Set(int(done), int(of)) }
	t, err := walk.Walk(s, o)
	progress.Clear()
	if err != nil {
		return nil, err
	}
	if stopped() {
		fmt.Fprintf(a.err, "stopped after %s\n", countText(t.Walks, "playthrough"))
	}
	return walk.NewReport(t, path, source), nil
}

// printWalk prints the report of a walk for a person.
func (a *app) printWalk(r *walk.Report, w walkFlags, t testFlags, separate bool) {
	if separate {
		fmt.Fprintln(a.out)
	}
	fmt.Fprintf(a.out, "%s: %s, seed %d, %s choices each on average\n", a.screen.out.Paint(term.Bold, r.Title), countText(r.Walks, "playthrough"), r.Seed, sim.Number(r.Choices))
	rows := [][]string{{"seen", "", "of", ""}}
	all := walk.KindCoverage{What: "all"}
	for _, k := range append(r.Coverage, walk.KindCoverage{}) {
		if k.What == "" {
			k = all
		}
		all.Seen, all.Of = all.Seen+k.Seen, all.Of+k.Of
		share := float64(k.Seen) / float64(k.Of)
		rows = append(rows, []string{k.What, strconv.Itoa(k.Seen), strconv.Itoa(k.Of), sim.Percent(share)})
	}
	a.printNumberTable(rows, 3)
	rows = nil
	var shares []float64
	for _, e := range r.Ends {
		name := e.Ending
		if name == "" {
			name = "unnamed"
		}
		rows, shares = append(rows, []string{name, strconv.FormatUint(e.Times, 10), sim.Percent(e.Share)}), append(shares, e.Share)
	}
	if len(rows) > 0 {
		a.printNumberTable(a.addBarColumn([]string{"ending", "times", ""}, rows, shares), 2)
	}
	if t.verbose {
		a.printScenesAndChoices(r)
	}
	if len(r.Gaps) > 0 {
		fmt.Fprintln(a.out, "\nnot seen")
		rows = nil
		for _, m := range r.Gaps {
			rows = append(rows, []string{m.Place.String(), m.What})
		}
		a.printAligned("  ", rows, term.ColumnWidths(rows), 0, false)
		if r.Unreached > 0 {
			fmt.Fprintf(a.out, "  and %d more that depend on these\n", r.Unreached)
		}
	}
	for _, f := range r.Failures {
		how := fmt.Sprintf(": arbiter run %s %s", r.File, f.Replay+t.flagText())
		if n := len(f.Takes); n > maxTakes {
			how = fmt.Sprintf(", after %d choices: --json lists them all", n)
		}
		fmt.Fprintf(a.out, "\n%s in %s, first in playthrough %d%s\n", a.screen.out.Paint(term.Red, "stopped"), countText(f.Times, "playthrough"), f.Walk, how)
		a.printDiagnostics(diag.List{f.Diagnostic})
	}
	if 100*r.Covered < w.minCoverage {
		fmt.Fprintf(a.out, "\n%s %s seen, but --min-coverage is %s\n", a.screen.out.Paint(term.Red, "too low:"), sim.Percent(r.Covered), sim.Percent(w.minCoverage/100))
	}
}

// maxTakes is the largest number of choices for which a command to repeat them is printed.
const maxTakes = 100

// printScenesAndChoices prints the scenes and the ways between them, with how often the story took each.
func (a *app) printScenesAndChoices(r *walk.Report) {
	rows := [][]string{{"scene", "entered", "in", ""}}
	for _, s := range r.Scenes {
		rows = append(rows, []string{s.Scene, strconv.FormatUint(s.Entered, 10), sim.Percent(s.Share), s.Place.String()})
	}
	a.printNumberTable(rows, 2)
	rows = [][]string{{"way", "offered", "taken", "", ""}}
	for _, x := range r.Ways {
		rows = append(rows, []string{a.screen.out.Cut(strings.TrimSpace(x.Label), maxLabelWidth), strconv.FormatUint(x.Offered, 10), strconv.FormatUint(x.Taken, 10), x.Place.String(), x.Scene})
	}
	a.printNumberTable(rows, 2)
}

// maxLabelWidth is the width to which a label is cut, to leave room for numbers, in columns.
const maxLabelWidth = 36
