package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/interp/build"
	"arbiter/lang/diag"
)

func (a *app) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:                        "rules",
		SuggestFor:                 []string{"list", "show", "ruleset", "rulesets", "search", "find"},
		Short:                      "List, show and compare rulesets; measure their coverage",
		Args:                       rejectUnknownSubcommand,
		SuggestionsMinimumDistance: 2,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.rulesListCommand(), a.rulesShowCommand(), a.rulesEventsCommand(), a.rulesDiffCommand(), a.rulesCoverageCommand())
	return c
}

// buildRuleset builds a ruleset by its name in the library or by its file, including house rules and scripts.
func (a *app) buildRuleset(name string, h houseRules) (*build.Rules, error) {
	var r *build.Rules
	var diags diag.List
	var err error
	switch {
	case isFolder(name):
		o := h.buildOptions()
		o.With = append([]string{name}, o.With...)
		r, diags, err = build.Named(o)
	case isPath(name):
		var s *build.Script
		if s, diags, err = build.File(name, h.buildOptions()); s != nil {
			r = s.Rules
		}
	case isEmbedded(name):
		r, diags, err = build.Named(h.buildOptions(), name)
	default:
		return nil, unknownRulesetError(name)
	}
	switch {
	case err != nil:
		return nil, err
	case diags.HasErrors() || r == nil:
		return nil, a.rejectScript(diags)
	}
	return r, nil
}

func unknownRulesetError(name string) error {
	file := name + ".rules"
	if _, err := os.Stat(file); err == nil {
		return usageError("there is no built-in ruleset %s; did you mean the file %s?", name, file)
	}
	return usageError("there is no ruleset %s; use one of %s, or a file of your own", name, strings.Join(rulesetNames(), ", "))
}

// isFolder distinguishes the folder of a ruleset from a name in the library, which takes precedence.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && !isEmbedded(name)
}

func isEmbedded(name string) bool { return slices.Contains(rulesetNames(), name) }

// isPath distinguishes a file from a name: by its extension, by a separator, or because it exists. The library takes
// precedence.
func isPath(name string) bool {
	if filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator) {
		return true
	}
	_, err := os.Stat(name)
	return err == nil && !isEmbedded(name)
}

// completeRuleset completes the names of the embedded rulesets for the first argument.
func completeRuleset(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return rulesetNames(), cobra.ShellCompDirectiveDefault
}
