package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/golden"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

func (a *app) rulesCoverageCommand() *cobra.Command {
	var prove, complete, verbose bool
	var tests []string
	c := &cobra.Command{
		Use:               "coverage [RULESET | FILE.rules]...",
		Short:             "Measure how much of the catalogue is written and tested",
		ValidArgsFunction: completeRuleset,
	}
	c.Flags().BoolVar(&prove, "prove", false, "remove each cited part in turn, and count it only if a test then fails")
	c.Flags().BoolVar(&complete, "complete", false, "fail unless every rule of the catalogue is written and tested")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "list the rules that are not written, or not tested")
	c.Flags().StringArrayVar(&tests, "tests", nil, "the tests, a `FILE` or a folder (default: those that arbiter test runs)")
	c.RunE = runFunc(func(args []string) error {
		books := map[string][]string{}
		var names []string
		for _, s := range catalogue.Systems() {
			if isEmbedded(s.Name) {
				names = append(names, s.Name)
			}
			for _, e := range s.Entries {
				books[s.Name] = append(books[s.Name], e.ID)
			}
		}
		own, args := ownRulesets(args)
		if len(own) > 0 {
			if prove || complete || len(args) > 0 {
				return usageError("%s has no catalogue: name it alone, without --prove and --complete", own[0])
			}
			return a.ownCoverage(own, tests, verbose)
		}
		for _, name := range args {
			if books[name] == nil || !isEmbedded(name) {
				return usageError("there is no ruleset %s with a catalogue; those with one are: %s; rules of your own are named by their file, such as house.rules", name, strings.Join(names, ", "))
			}
		}
		if len(args) > 0 {
			names = args
		}
		progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "files"}
		report, err := golden.Coverage(golden.CoverageOptions{
			Options:  golden.Options{Library: rules.FS, KnownCitation: catalogue.Known, OnProgress: progress.Set},
			Rulesets: names,
			Tests:    testPaths(tests),
			Entries:  func(system string) []string { return books[system] },
			Defines:  isDefinition,
			Prove:    prove,
		})
		progress.Clear()
		if err != nil {
			return err
		}
		if a.json {
			a.printJSON(report)
			return coverageError(report, complete)
		}
		rows := [][]string{{"ruleset", "catalogue", "cited", "exercised", "settled"}}
		for _, r := range report.Rulesets {
			rows = append(rows, []string{r.Name, fmt.Sprint(r.Total), countWithPercent(r.Cited, r.Total), countWithPercent(r.Exercised, r.Total), countWithPercent(r.Settled, r.Total)})
		}
		a.printTable(rows)
		if verbose {
			for _, r := range report.Rulesets {
				a.printUntested(r)
			}
		}
		return coverageError(report, complete)
	})
	return c
}

// maxListedRules is how many rules or tests the error names.
const maxListedRules = 10

// coverageError is an error when tests failed, or when a cited rule can be removed without a test failing; with
// complete, also when a rule of a catalogue is not written or not tested.
func coverageError(report *golden.CoverageReport, complete bool) error {
	var unproved, untested, missing []string
	for _, r := range report.Rulesets {
		unproved = append(unproved, r.Unproved...)
		if complete {
			untested, missing = append(untested, r.Untested()...), append(missing, r.Missing...)
		}
	}
	var text []string
	for _, x := range []struct {
		what string
		ids  []string
	}{
		{"these tests fail, so they count for nothing; arbiter test shows why:", report.Failed},
		{"no test fails without", unproved},
		{"no test exercises", untested},
		{"nothing cites", missing},
	} {
		if rest := len(x.ids) - maxListedRules; rest > 0 {
			x.ids = append(x.ids[:maxListedRules:maxListedRules], fmt.Sprintf("and %d more; --verbose lists all rules", rest))
		}
		if len(x.ids) > 0 {
			text = append(text, x.what+" "+strings.Join(x.ids, ", "))
		}
	}
	if text == nil {
		return nil
	}
	return &exitError{exitScriptError, errors.New(strings.Join(text, "\n"))}
}

// isDefinition reports whether an entry of the catalogue is covered by being written down.
func isDefinition(id string) bool {
	e, ok := catalogue.Find(id)
	return ok && e.Kind == "definition"
}

func countWithPercent(ids []string, total int) string {
	if total == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%d%%)", len(ids), 100*len(ids)/total)
}

// printUntested lists the rules that lack something.
func (a *app) printUntested(r golden.RulesetCoverage) {
	for _, id := range r.Missing {
		fmt.Fprintf(a.out, "%s  not written\n", id)
	}
	for _, id := range r.Untested() {
		fmt.Fprintf(a.out, "%s  written but not tested\n", id)
	}
	for _, id := range r.Unproved {
		fmt.Fprintf(a.out, "%s  no test fails without it\n", id)
	}
}
