package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/interp/lint"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/rules"
)

type lintDocument struct {
	Files       int            `json:"files"`
	Fixed       int            `json:"fixed"`
	Diagnostics []lintFinding  `json:"diagnostics"`
	Rules       []lintRuleInfo `json:"rules,omitempty"`
}

type lintFinding struct {
	show.Diagnostic
	Fixable bool `json:"fixable"`
}

type lintRuleInfo struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Fixes    bool   `json:"fixes"`
	Summary  string `json:"summary"`
	Why      string `json:"why"`
	How      string `json:"how"`
}

type lintFlags struct {
	fix, rules bool
	only       []string
	why, sarif string
}

func (a *app) lintCommand() *cobra.Command {
	var l lintFlags
	c := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Find what is allowed, but better written another way",
		RunE: runFunc(func(args []string) error {
			switch {
			case l.rules:
				return a.listLintRules()
			case l.why != "":
				return a.explainLintRule(l.why)
			case len(args) == 0:
				args = []string{"."}
			}
			return a.lint(args, l)
		}),
	}
	c.Flags().BoolVar(&l.fix, "fix", false, "mend what can be mended safely")
	c.Flags().StringSliceVar(&l.only, "only", nil, "look only for these `CODE`s")
	c.Flags().BoolVar(&l.rules, "rules", false, "list all rules of the linter")
	c.Flags().StringVar(&l.why, "why", "", "explain the rule `CODE`")
	c.Flags().StringVar(&l.sarif, "sarif", "", "write the findings to `FILE` as SARIF, for code hosts")
	c.Flags().BoolVar(&a.allMistakes, "all", false, "show every finding on a terminal, not just the first 20 of each file")
	mustComplete(c, "only", completeLintRules)
	mustComplete(c, "why", completeLintRules)
	return c
}

func completeLintRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, r := range lint.Rules() {
		list = append(list, r.Code+"\t"+r.Summary)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// knownLintRule returns the rule of a code that a command line names.
func knownLintRule(code string) (*lint.Rule, error) {
	if r := lint.Find(code); r != nil {
		return r, nil
	}
	var all []string
	for _, r := range lint.Rules() {
		all = append(all, r.Code)
	}
	if near := words.Nearest(code, all); near != "" {
		return nil, usageError("there is no rule %s; did you mean %s?", code, near)
	}
	return nil, usageError("there is no rule %s; `arbiter lint --rules` lists them", code)
}

func severityText(s diag.Severity) string {
	if s == "" {
		return lint.Off
	}
	return string(s)
}

func (a *app) listLintRules() error {
	if a.json {
		d := lintDocument{Diagnostics: []lintFinding{}}
		for _, r := range lint.Rules() {
			d.Rules = append(d.Rules, lintRuleInfo{r.Code, severityText(r.Severity), r.Fixes, r.Summary, r.Why, r.How})
		}
		a.printJSON(d)
		return nil
	}
	for _, r := range lint.Rules() {
		mends := ""
		if r.Fixes {
			mends = ", --fix mends it"
		}
		fmt.Fprintf(a.out, "%s (%s%s)\n    %s\n", a.screen.out.Paint(term.Bold, r.Code), severityText(r.Severity), mends, r.Summary)
	}
	return nil
}

func (a *app) explainLintRule(code string) error {
	r, err := knownLintRule(code)
	if err != nil {
		return err
	}
	if a.json {
		a.printJSON(lintRuleInfo{r.Code, severityText(r.Severity), r.Fixes, r.Summary, r.Why, r.How})
		return nil
	}
	fmt.Fprintf(a.out, "%s (%s)\n\n%s\n\nWhy: %s\n\nWhat to do: %s\n", a.screen.out.Paint(term.Bold, r.Code), severityText(r.Severity), r.Summary, r.Why, r.How)
	return nil
}

// lint examines files and folders, and mends what it can if it is told to.
func (a *app) lint(args []string, l lintFlags) error {
	paths, err := files.Find(args, files.Kinds)
	if err != nil {
		return err
	}
	for _, code := range l.only {
		if _, err := knownLintRule(code); err != nil {
			return err
		}
	}
	r := &lint.Reader{Library: rules.FS, Prefix: "rules"}
	fixed := 0
	found, wrong, err := runLinter(r, paths, l.only)
	for round := 0; err == nil && l.fix && round < maxFixRounds; round++ {
		n, failed := fixFindings(found)
		if failed != nil {
			return failed
		}
		if fixed += n; n == 0 {
			break
		}
		found, wrong, err = runLinter(r, paths, l.only)
	}
	if err != nil {
		return err
	}
	if l.sarif != "" {
		if err := os.WriteFile(l.sarif, lint.SARIF(found, version, source), 0o666); err != nil {
			return err
		}
	}
	a.printFindings(found, append(wrong, r.Wrong...), len(paths), fixed)
	if len(wrong)+len(r.Wrong) > 0 || slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Severity != diag.Note }) {
		return errMistakes
	}
	return nil
}

// maxFixRounds is how often a text is linted and mended, since mending one thing may uncover another.
const maxFixRounds = 10

func runLinter(r *lint.Reader, paths, only []string) ([]lint.Finding, diag.List, error) {
	in, wrong, err := r.Read(paths)
	if err != nil {
		return nil, nil, err
	}
	settings := r.Settings
	if len(only) > 0 {
		chosen := lint.Only(only...)
		settings = func(string) *lint.Settings { return chosen }
	}
	return lint.Run(in, settings), wrong, nil
}

// fixFindings rewrites the files whose findings can be mended, and returns how many it has mended. A text that would no
// longer parse is left alone.
func fixFindings(found []lint.Finding) (mended int, err error) {
	byFile := map[string][]lint.Finding{}
	for _, f := range found {
		byFile[f.File] = append(byFile[f.File], f)
	}
	for path, list := range byFile {
		text, err := build.ReadFile(path)
		if err != nil {
			return mended, err
		}
		out, n := lint.Fix(text, list)
		if n == 0 || bytes.Equal(out, text) {
			continue
		}
		if !lint.Parses(path, out) {
			return mended, errors.New(path + ": mending it would break it; please report this, with the file")
		}
		if err := files.Replace(path, out); err != nil {
			return mended, err
		}
		mended += n
	}
	return mended, nil
}

func (a *app) printFindings(found []lint.Finding, wrong diag.List, n, fixed int) {
	if a.json {
		d := lintDocument{Files: n, Fixed: fixed, Diagnostics: []lintFinding{}}
		for _, x := range show.JSON(wrong) {
			d.Diagnostics = append(d.Diagnostics, lintFinding{x, false})
		}
		for _, f := range found {
			d.Diagnostics = append(d.Diagnostics, lintFinding{show.JSON(diag.List{f.Diagnostic})[0], len(f.Fix) > 0})
		}
		a.printJSON(d)
		return
	}
	list := slices.Clone(wrong)
	count := map[diag.Severity]int{}
	fixable := 0
	for _, f := range found {
		d := f.Diagnostic
		d.Message += " (" + d.Code + ")"
		list = append(list, d)
		count[d.Severity]++
		if len(f.Fix) > 0 {
			fixable++
		}
	}
	a.printDiagnostics(list)
	parts := []string{countText(n, "file")}
	for _, w := range []diag.Severity{diag.Error, diag.Warning, diag.Note} {
		if count[w] > 0 {
			parts = append(parts, countText(count[w], string(w)))
		}
	}
	switch {
	case len(wrong) > 0:
		parts = append(parts, countText(len(wrong), "mistake")+" that `arbiter check` explains")
	case len(found) == 0:
		parts = append(parts, "nothing to say")
	}
	if fixed > 0 {
		parts = append(parts, fmt.Sprintf("%d mended", fixed))
	}
	if fixable > 0 {
		parts = append(parts, fmt.Sprintf("--fix mends %d", fixable))
	}
	fmt.Fprintln(a.err, strings.Join(parts, ", "))
}
