package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/files"
	"arbiter/interp/golden"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

type testDocument struct {
	Passed      int                 `json:"passed"`
	Failed      int                 `json:"failed"`
	Tests       []testResult        `json:"tests"`
	Covered     map[string][]string `json:"covered"`
	Own         []golden.OwnPart    `json:"own"`
	Branches    []golden.Branch     `json:"branches,omitempty"`
	Updated     []string            `json:"updated"`
	Diagnostics []show.Diagnostic   `json:"diagnostics"`
}

type testResult struct {
	golden.Test
	Failures []show.Diagnostic `json:"failures"`
	Output   string            `json:"output"`
}

// testFlags select and report tests.
type testFlags struct {
	run             string
	update, verbose bool
	junit           string
	cites           []string
	watch, tap      bool
	failedFirst     bool
	coverFlags
	houseRules
	workers int
}

func (a *app) testCommand() *cobra.Command {
	var t testFlags
	var w walkFlags
	c := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run golden tests and encounters; play adventures through",
	}
	c.Flags().StringVar(&t.run, "run", "", "run only tests whose title matches `REGEXP`")
	c.Flags().BoolVar(&t.update, "update", false, "update the transcripts in the files to what was printed")
	c.Flags().BoolVarP(&t.verbose, "verbose", "v", false, "list each test and what it printed")
	c.Flags().BoolVar(&t.cover, "cover", false, "report which rules of the catalogue the tests exercise, and which parts of your own")
	c.Flags().StringSliceVar(&t.cites, "cites", nil, "run only tests that cite this `ID` of the catalogue, or one below it")
	c.Flags().BoolVar(&t.watch, "watch", false, "run the tests again whenever a file changes, first those that failed")
	c.Flags().BoolVar(&t.failedFirst, "failed-first", false, "run first the files in which tests failed the last time")
	c.Flags().BoolVar(&t.tap, "tap", false, "print the results in the Test Anything Protocol")
	c.Flags().StringVar(&t.html, "html", "", "write your own rules with what never ran, was never true or never false to `FILE`, as a page")
	c.Flags().StringVar(&t.lcov, "lcov", "", "write the coverage of your own rules to `FILE`, in the format of LCOV")
	c.Flags().Float64Var(&t.min, "cover-min", 0, "fail if less than `PERCENT` of your own rules are covered")
	c.Flags().StringVar(&t.junit, "junit", "", "write a JUnit report to `FILE`")
	c.Flags().IntVar(&t.workers, "workers", runtime.GOMAXPROCS(0), "run `N` files, or playthroughs, at a time")
	w.add(c)
	t.houseRules.add(c)
	c.RunE = runFunc(func(args []string) error {
		if err := w.checkConflicts(c); err != nil {
			return err
		}
		if w.mode != "" {
			return a.walkAdventures(args, w, t)
		}
		run := func() error { return a.runTests(args, t) }
		if t.watch {
			t.failedFirst = true
			return a.watchTests(testPaths(args), run)
		}
		return run()
	})
	return c
}

// runTests runs the tests once and reports them.
func (a *app) runTests(args []string, t testFlags) error {
	o, err := a.goldenOptions(t)
	if err != nil {
		return err
	}
	paths, err := files.Find(testPaths(args), golden.Extensions)
	if err != nil {
		return err
	}
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "files"}
	o.OnProgress = progress.Set
	report, err := golden.Run(paths, o)
	progress.Clear()
	if err != nil {
		return err
	}
	rememberFailed(report)
	if t.junit != "" {
		if err := os.WriteFile(t.junit, report.JUnit(), 0o666); err != nil {
			return err
		}
	}
	if err := t.coverFlags.write(report); err != nil {
		return err
	}
	switch {
	case a.json:
		a.printJSON(newTestDocument(report))
	case t.tap:
		a.out.raw = true
		fmt.Fprint(a.out, string(report.TAP()))
	default:
		a.printTestReport(report, t)
	}
	switch {
	case report.Failed() > 0 || report.Diagnostics.HasErrors():
		return errMistakes
	case len(report.Tests) == 0:
		return noTestsError(t)
	}
	return t.coverFlags.check(report)
}

// noTestsError says that nothing was tested: the command line names no test.
func noTestsError(t testFlags) error {
	switch {
	case len(t.cites) > 0:
		return usageError("no such test cites %s, or an id below it", strings.Join(t.cites, ", "))
	case t.run != "":
		return usageError("no test has a title that matches %s; -v without --run lists the titles", t.run)
	}
	return usageError("there are no tests here: they are in files named .tests, .encounter and, for printed figures of creatures, .rules")
}

func (a *app) goldenOptions(t testFlags) (golden.Options, error) {
	o := golden.Options{Library: rules.FS, KnownCitation: catalogue.Known, Store: ruleStore(), With: t.with, Without: t.without, Update: t.update, Verbose: t.verbose, Cover: t.wanted(), Branches: t.wanted(), Workers: t.workers, Own: isOwnRuleset}
	o.Cites = t.cites
	if before := failedBefore(); t.failedFirst && len(before) > 0 {
		o.First = func(file string) bool { return before[file] }
	}
	if t.run != "" {
		re, err := regexp.Compile(t.run)
		if err != nil {
			return o, usageError("--run: %s", err)
		}
		o.Run = re
	}
	return o, nil
}

// testPaths returns the given paths, or else the folders where this project keeps its tests, or else the current
// folder.
func testPaths(args []string) []string {
	if len(args) > 0 {
		return args
	}
	var paths []string
	for _, folder := range []string{"spec", "examples", "rules"} {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			paths = append(paths, folder)
		}
	}
	if paths == nil {
		return []string{"."}
	}
	return paths
}

func newTestDocument(r *golden.Report) testDocument {
	d := testDocument{Failed: r.Failed(), Tests: []testResult{}, Covered: r.Covered, Own: append([]golden.OwnPart{}, r.Own...), Branches: r.Branches, Updated: append([]string{}, r.Updated...), Diagnostics: show.JSON(r.Diagnostics)}
	d.Passed = len(r.Tests) - d.Failed
	for _, t := range r.Tests {
		t.Cites = append([]string{}, t.Cites...)
		d.Tests = append(d.Tests, testResult{t, show.JSON(t.Failures), t.Output})
	}
	return d
}

// printTestReport prints for a person: what failed and why, each test by name with -v, and the totals.
func (a *app) printTestReport(r *golden.Report, flags testFlags) {
	a.printDiagnostics(r.Diagnostics)
	for _, t := range r.Tests {
		word, style := "pass", term.Green
		if !t.Passed {
			word, style = "FAIL", term.Red
		}
		if flags.verbose || !t.Passed {
			fmt.Fprintf(a.out, "%s  %s:%d  %s\n", a.screen.out.Paint(style, word), t.File, t.Line, t.Title)
			if flags.verbose && t.Output != "" {
				fmt.Fprintln(a.out, "      "+strings.ReplaceAll(strings.TrimRight(t.Output, "\n"), "\n", "\n      "))
			}
		}
		a.printDiagnostics(t.Failures)
	}
	for _, path := range r.Updated {
		fmt.Fprintf(a.out, "updated %s\n", path)
	}
	if flags.cover {
		for _, id := range slices.Sorted(maps.Keys(r.Covered)) {
			fmt.Fprintf(a.out, "%s  %s\n", id, strings.Join(r.Covered[id], ", "))
		}
		a.printOwnCoverage(r.Own, flags.verbose)
		a.printBranches(r.Branches)
	}
	n := r.Failed()
	passed, failed := fmt.Sprintf("%d passed", len(r.Tests)-n), fmt.Sprintf("%d failed", n)
	if n > 0 {
		failed = a.screen.out.Paint(term.Red, failed)
	} else if len(r.Tests) > 0 && len(r.BrokenFiles()) == 0 {
		passed = a.screen.out.Paint(term.Green, passed)
	}
	fmt.Fprintf(a.out, "%s, %s, %s", countText(len(r.Tests), "test"), passed, failed)
	if broken := len(r.BrokenFiles()); broken > 0 {
		fmt.Fprintf(a.out, ", %s with mistakes", countText(broken, "file"))
	}
	if flags.cover && (len(r.Covered) > 0 || len(r.Own) == 0) {
		fmt.Fprintf(a.out, ", %s of the catalogue exercised", countText(len(r.Covered), "rule"))
	}
	fmt.Fprintln(a.out)
}
