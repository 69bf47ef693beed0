package main

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

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
	var h house
	c := &cobra.Command{
		Use:               "list [RULESET]",
		Short:             "List the rulesets, or what one of them defines",
		Args:              wants(0, 1),
		ValidArgsFunction: completeRuleset,
		RunE: carryOut(func(args []string) error {
			if len(args) == 0 {
				if kind != "" || h.any() {
					return misuse("--kind, --with and --without go with a ruleset: arbiter rules list RULESET")
				}
				return a.listRulesets()
			}
			r, err := a.open(args[0], h)
			if err != nil {
				return err
			}
			d := definitionsDocument{Ruleset: r.Name, Definitions: []rulebook.Entry{}}
			kinds := map[string]bool{}
			for _, e := range rulebook.Entries(r.Set) {
				if kinds[e.Kind] = true; kind == "" || e.Kind == kind {
					d.Definitions = append(d.Definitions, e)
				}
			}
			if kind != "" && !kinds[kind] {
				return misuse("%s defines no %s; its kinds are: %s", args[0], kind, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
			}
			if a.json {
				a.document(d)
				return nil
			}
			a.entries(d.Definitions)
			return nil
		}),
	}
	c.Flags().StringVar(&kind, "kind", "", "only definitions of this `KIND`: stat, action, condition and so on")
	h.add(c)
	return c
}

// listRulesets lists what is embedded. Of the files of a ruleset the one with a sentence in its header speaks for it.
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
		a.document(d)
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
	a.table(rows)
	return nil
}

// table prints rows in columns. On a terminal each row keeps to one line: what does not fit is cut.
func (a *app) table(rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		fmt.Fprintln(a.out, a.fit(strings.TrimRight(b.String(), " ")))
	}
}

// columns is how wide text is that is broken into lines.
func (a *app) columns() int {
	if a.screen.out.Width > 0 {
		return a.screen.out.Width
	}
	return 80
}

// fit cuts a line to the width of the screen.
func (a *app) fit(line string) string {
	width := a.screen.out.Width
	if width < 4 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-3]) + "..."
}
