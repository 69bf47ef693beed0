package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/golden"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

func (a *app) rulesCoverageCommand() *cobra.Command {
	var prove, verbose bool
	var tests []string
	c := &cobra.Command{
		Use:               "coverage [RULESET...]",
		Short:             "Measure how much of the catalogue is written and tested",
		ValidArgsFunction: completeRuleset,
	}
	c.Flags().BoolVar(&prove, "prove", false, "remove each cited part in turn, and count it only if a test then fails")
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
		for _, name := range args {
			if books[name] == nil || !isEmbedded(name) {
				return usageError("there is no ruleset %s with a catalogue; those with one are: %s", name, strings.Join(names, ", "))
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
			return unprovedError(report)
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
		return unprovedError(report)
	})
	return c
}

// unprovedError is an error when a cited rule can be removed without a test failing.
func unprovedError(report *golden.CoverageReport) error {
	var ids []string
	for _, r := range report.Rulesets {
		ids = append(ids, r.Unproved...)
	}
	if len(ids) == 0 {
		return nil
	}
	return &exitError{exitScriptError, fmt.Errorf("no test fails without %s", strings.Join(ids, ", "))}
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
	tested := map[string]bool{}
	for _, id := range append(append([]string{}, r.Exercised...), r.Settled...) {
		tested[id] = true
	}
	for _, id := range r.Missing {
		fmt.Fprintf(a.out, "%s  not written\n", id)
	}
	for _, id := range r.Cited {
		if !tested[id] {
			fmt.Fprintf(a.out, "%s  written but not tested\n", id)
		}
	}
	for _, id := range r.Unproved {
		fmt.Fprintf(a.out, "%s  no test fails without it\n", id)
	}
}
