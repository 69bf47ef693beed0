package main

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/ast"
)

// This file tells a shell what can stand at the end of a command line: what a script, or a ruleset, has names for. What
// cannot be read completes to nothing.

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completeQuestion completes a script, and then what can be asked about it: Alia.armor-class against Bron. prefix is what
// is typed before such a line at the prompt.
func (a *app) completeQuestion(prefix string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return completeScript(c, args, word)
		}
		return a.candidates(args[0], prefix, strings.Join(append(slices.Clone(args[1:]), word), " "), word), noFiles | cobra.ShellCompDirectiveNoSpace
	}
}

// candidates are what can stand in place of the last word of a line at the prompt of a script.
func (a *app) candidates(path, prefix, line, word string) (list []string) {
	live := a.liveForCompletion(path)
	if live == nil {
		return nil
	}
	line = prefix + line
	from, found := live.Complete(line, len(line))
	from -= len(line) - len(word)
	if from < 0 || from > len(word) {
		return nil
	}
	for _, x := range found {
		text := word[:from] + x.Text
		if x.About != "" {
			text = cobra.CompletionWithDesc(text, x.About)
		}
		list = append(list, text)
	}
	return list
}

// liveForCompletion sets up a script up to where it would play itself; nil if that fails.
func (a *app) liveForCompletion(path string) *session.Live {
	s, text := a.scriptForCompletion(path)
	if s == nil {
		return nil
	}
	opening, _ := session.Opening(s.File, text)
	if s, _, err := build.Source(path, opening, (&houseRules{}).buildOptions()); err == nil && s != nil && s.Rules != nil {
		live, reply := session.NewLive(s, session.Options{}, nil)
		if len(reply.Failures) == 0 {
			return live
		}
	}
	return nil
}

// scriptForCompletion builds an encounter or an adventure; nil if that fails.
func (a *app) scriptForCompletion(path string) (*build.Script, []byte) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil
	}
	s, diags, err := a.build(path, (&houseRules{}).buildOptions())
	if err != nil || diags.HasErrors() || s == nil || s.Rules == nil || s.Head == nil {
		return nil, nil
	}
	if word := s.Head.Word.Name; word != "encounter" && word != "adventure" {
		return nil, nil
	}
	return s, text
}

// completeDefinition completes a ruleset, and then the names that it defines.
func (a *app) completeDefinition(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeRuleset(c, args, word)
	}
	var list []string
	for _, e := range a.entriesForCompletion(args[0]) {
		if strings.HasPrefix(e.Path, word) {
			list = append(list, cobra.CompletionWithDesc(e.Path, strings.TrimSpace(e.Kind+"  "+e.Doc)))
		}
	}
	return list, noFiles
}

// completeKind completes the kinds of what a ruleset defines.
func (a *app) completeKind(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, noFiles
	}
	kinds := map[string]bool{}
	for _, e := range a.entriesForCompletion(args[0]) {
		kinds[e.Kind] = true
	}
	return slices.Sorted(maps.Keys(kinds)), noFiles
}

func (a *app) entriesForCompletion(ruleset string) []rulebook.Entry {
	if !isEmbedded(ruleset) && !isPath(ruleset) {
		return nil
	}
	r, err := (&app{in: a.in, out: a.out, err: discard{}}).buildRuleset(ruleset, houseRules{})
	if err != nil {
		return nil
	}
	return rulebook.Entries(r.Set())
}

// discard takes what a completion must not print.
type discard struct{}

func (discard) Write(text []byte) (int, error) { return len(text), nil }

// completeChapter completes a ruleset or a story, and then the chapters of its rulebook.
func (a *app) completeChapter(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeRuleset(c, args, word)
	}
	if len(args) > 1 || !isEmbedded(args[0]) && !isPath(args[0]) {
		return nil, noFiles
	}
	b, err := (&app{in: a.in, out: a.out, err: discard{}}).newHandbook(args[0], houseRules{})
	if err != nil {
		return nil, noFiles
	}
	var list []string
	for _, c := range b.Chapters() {
		list = append(list, c.Slug)
	}
	return list, noFiles
}

// completeRules completes the flags that take a ruleset by name or by file.
func completeRules(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return append(rulesetNames(), filesOfRules()...), noFiles | cobra.ShellCompDirectiveKeepOrder
}

// filesOfRules are the files of rules in the current folder, and the folders in it.
func filesOfRules() (list []string) {
	entries, err := os.ReadDir(".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			list = append(list, e.Name()+"/")
		case strings.HasSuffix(e.Name(), ".rules"):
			list = append(list, e.Name())
		}
	}
	return list
}

// completeSweep completes what can be varied in a fight: options, and fields of combatants.
func (a *app) completeSweep(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, noFiles
	}
	s, _ := a.scriptForCompletion(args[0])
	if s == nil {
		return nil, noFiles
	}
	var list []string
	for _, e := range rulebook.Entries(s.Rules.Set()) {
		if e.Kind == "option" {
			list = append(list, cobra.CompletionWithDesc(e.Path+" = ", e.Doc))
		}
	}
	who, _, dotted := strings.Cut(word, ".")
	for _, name := range membersOf(s) {
		if !dotted || name != who {
			list = append(list, name+".")
			continue
		}
		for _, f := range s.Rules.Checked.Kinds[0].Fields { // those of creatures
			list = append(list, name+"."+f.Name+" = ")
		}
	}
	return slices.DeleteFunc(list, func(x string) bool { return !strings.HasPrefix(x, word) }), noFiles | cobra.ShellCompDirectiveNoSpace
}

// completeFigure completes the figures of a fight.
func (a *app) completeFigure(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, noFiles
	}
	s, _ := a.scriptForCompletion(args[0])
	if s == nil || s.Story != nil {
		return nil, noFiles
	}
	t, err := a.newTrials(s, session.Options{})
	if err != nil {
		return nil, noFiles
	}
	var list []string
	for _, f := range sim.FiguresOf(t.Cast()) {
		list = append(list, f.Name)
	}
	return list, noFiles
}

// membersOf are the names of the creatures that a script places.
func membersOf(s *build.Script) (names []string) {
	for _, cl := range s.File.Body {
		if side, ok := cl.(*ast.Side); ok {
			for m := range ast.Members(side) {
				names = append(names, m.Name.Name)
			}
		}
	}
	return names
}

// mustComplete lets a flag be completed; the flag exists, since it was just added.
func mustComplete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
