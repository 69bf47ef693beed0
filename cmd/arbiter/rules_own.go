package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/golden"
	"arbiter/interp/load"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// This file shows which parts of somebody's own rules the tests run.

// isOwnRuleset reports whether the name of a ruleset is none of ours; what a script declares itself belongs to none.
func isOwnRuleset(name string) bool { return parse.IsName(name) && !isEmbedded(name) }

// ownRulesets splits arguments into files of rules and the names of rulesets.
func ownRulesets(args []string) (files, names []string) {
	for _, x := range args {
		if strings.HasSuffix(x, ".rules") {
			files = append(files, x)
		} else {
			names = append(names, x)
		}
	}
	return files, names
}

// ownCoverage runs the tests and shows what they ran of the rulesets in files.
func (a *app) ownCoverage(paths, tests []string, verbose bool) error {
	var names []string
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, _ := parse.File(path, src)
		h := load.HeaderOf(file)
		if h == nil || h.Word.Name != "ruleset" {
			return &exitError{exitScriptError, fmt.Errorf("%s does not begin with `ruleset NAME`", path)}
		}
		names = append(names, h.Name.Name)
	}
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "files"}
	r, err := golden.Run(testPaths(tests), golden.Options{
		Library: rules.FS, KnownCitation: catalogue.Known, Cover: true, OnProgress: progress.Set,
		Own: func(name string) bool { return slices.Contains(names, name) },
	})
	progress.Clear()
	if err != nil {
		return err
	}
	if a.json {
		a.printJSON(struct {
			Own []golden.OwnPart `json:"own"`
		}{append([]golden.OwnPart{}, r.Own...)})
	} else {
		a.printDiagnostics(r.Diagnostics)
		a.printOwnCoverage(r.Own, verbose)
	}
	switch {
	case r.Failed() > 0 || len(r.BrokenFiles()) > 0:
		return &exitError{exitScriptError, errors.New("tests fail, and count for nothing; `arbiter test` shows why")}
	case len(r.Own) == 0:
		return &exitError{exitScriptError, fmt.Errorf("no test uses %s: a file of tests begins with `tests \"TITLE\" with %s`", strings.Join(names, ", "), names[0])}
	}
	return nil
}

// printOwnCoverage prints how much of each ruleset ran, and what did not; verbose lists the tests of what did.
func (a *app) printOwnCoverage(parts []golden.OwnPart, verbose bool) {
	for len(parts) > 0 {
		name := parts[0].Ruleset
		n := slices.IndexFunc(parts, func(p golden.OwnPart) bool { return p.Ruleset != name })
		if n < 0 {
			n = len(parts)
		}
		mine := parts[:n]
		parts = parts[n:]
		ran := 0
		for _, p := range mine {
			if len(p.Tests) > 0 {
				ran++
			}
		}
		fmt.Fprintf(a.out, "%s: %d of %s ran\n", a.screen.out.Paint(term.Bold, name), ran, countText(len(mine), "part"))
		var rows [][]string
		for _, p := range golden.NotRun(mine) {
			rows = append(rows, []string{fmt.Sprintf("%s:%d", p.File, p.Line), p.Path, "not run"})
		}
		if verbose {
			for _, p := range mine {
				if len(p.Tests) > 0 {
					rows = append(rows, []string{fmt.Sprintf("%s:%d", p.File, p.Line), p.Path, strings.Join(p.Tests, ", ")})
				}
			}
		}
		a.printTable(rows)
	}
}
