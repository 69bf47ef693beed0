package main

import (
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/load"
	"arbiter/lang/parse"
	"arbiter/rules"
)

type rulesetsDocument struct {
	Rulesets []rulesetSummary `json:"rulesets"`
}

type rulesetSummary struct {
	Name    string   `json:"name"`
	Extends []string `json:"extends"`
	Doc     string   `json:"doc"`
}

type definitionsDocument struct {
	Ruleset     string           `json:"ruleset"`
	Definitions []rulebook.Entry `json:"definitions"`
}

func (a *app) rulesListCommand() *cobra.Command {
	var kind string
	var h houseRules
	c := &cobra.Command{
		Use:               "list [RULESET [WORD ...]]",
		SuggestFor:        []string{"search", "find", "grep"},
		Short:             "List the rulesets, or the definitions of one",
		Args:              argCount(0, math.MaxInt),
		ValidArgsFunction: completeRuleset,
		RunE: runFunc(func(args []string) error {
			if len(args) == 0 {
				if kind != "" || h.changesRules() {
					return usageError("--kind, --with and --without need a ruleset: arbiter rules list RULESET")
				}
				return a.listRulesets()
			}
			r, err := a.buildRuleset(args[0], h)
			if err != nil {
				return err
			}
			d := definitionsDocument{Ruleset: r.Name, Definitions: []rulebook.Entry{}}
			kinds := map[string]bool{}
			for _, e := range rulebook.Entries(r.Set()) {
				if kinds[e.Kind] = true; (kind == "" || e.Kind == kind) && isAbout(e, searchWords(args[1:])) {
					d.Definitions = append(d.Definitions, e)
				}
			}
			if kind != "" && !kinds[kind] {
				return usageError("%s defines no %s; its kinds are: %s", args[0], kind, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
			}
			if a.json {
				a.printJSON(d)
				return nil
			}
			if len(d.Definitions) == 0 {
				return usageError("no name or description in %s contains %s", args[0], strings.Join(args[1:], " and "))
			}
			a.printEntries(d.Definitions)
			return nil
		}),
	}
	c.Flags().StringVar(&kind, "kind", "", "only definitions of this `KIND`: stat, action, condition, ...")
	h.add(c)
	mustComplete(c, "kind", a.completeKind)
	return c
}

// isAbout reports whether the name or the description of a definition contains each of the words.
func isAbout(e rulebook.Entry, words []string) bool {
	text := strings.ToLower(e.Path + " " + e.Doc)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// listRulesets lists what is embedded. The description is taken from the file of a ruleset whose header has a doc
// string.
func (a *app) listRulesets() error {
	d := rulesetsDocument{Rulesets: []rulesetSummary{}}
	for _, name := range rulesetNames() {
		s := rulesetSummary{Name: name, Extends: []string{}}
		paths, err := fs.Glob(rules.FS, path.Join(name, "*.rules"))
		if err != nil {
			return err
		}
		for _, p := range paths {
			text, err := fs.ReadFile(rules.FS, p)
			if err != nil {
				return err
			}
			f, _ := parse.File(p, text)
			h := load.HeaderOf(f)
			if h == nil {
				continue
			}
			if len(s.Extends) == 0 {
				for _, id := range h.Extends {
					s.Extends = append(s.Extends, id.Name)
				}
			}
			if h.Doc != nil {
				s.Doc = h.Doc.Value
			}
		}
		d.Rulesets = append(d.Rulesets, s)
	}
	if a.json {
		a.printJSON(d)
		return nil
	}
	var rows [][]string
	for _, s := range d.Rulesets {
		extends := ""
		if len(s.Extends) > 0 {
			extends = "extends " + strings.Join(s.Extends, ", ")
		}
		rows = append(rows, []string{s.Name, extends, s.Doc})
	}
	a.printTable(rows)
	return nil
}
