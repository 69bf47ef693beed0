package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
)

type pagesDocument struct {
	Ruleset string          `json:"ruleset"`
	Pages   []rulebook.Page `json:"pages"`
}

// printCiting prints what implements a rule of a catalogue.
func (a *app) printCiting(ruleset string, list []rulebook.Entry) {
	if a.json {
		a.printJSON(definitionsDocument{ruleset, list})
		return
	}
	a.printEntries(list)
}

// printEntries prints definitions and parts, one per line.
func (a *app) printEntries(list []rulebook.Entry) {
	rows := make([][]string, len(list))
	for i, e := range list {
		rows[i] = []string{e.Kind, e.Path, e.Place.String(), e.Doc}
	}
	a.printTable(rows)
}

func (a *app) rulesShowCommand() *cobra.Command {
	var h houseRules
	c := &cobra.Command{
		Use:               "show RULESET PATH",
		Short:             "Show a definition as it stands, and where its parts come from",
		Args:              argCount(2, 2),
		ValidArgsFunction: a.completeDefinition,
		RunE: runFunc(func(args []string) error {
			r, err := a.buildRuleset(args[0], h)
			if err != nil {
				return err
			}
			book := &rulebook.Book{Rules: r, Source: source}
			pages, near := book.Find(args[1])
			if len(pages) == 0 {
				if list := book.Citing(args[1]); len(list) > 0 {
					a.printCiting(args[0], list)
					return nil
				}
			}
			switch {
			case len(pages) == 0 && near != "":
				return usageError("%s has no %s; did you mean %s?", args[0], args[1], near)
			case len(pages) == 0:
				return usageError("%s has no %s; `arbiter rules list %s WORD` lists the definitions that are about a word", args[0], args[1], args[0])
			}
			if a.json {
				a.printJSON(pagesDocument{r.Name, pages})
				return nil
			}
			for i, p := range pages {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				a.printPage(p)
			}
			if block := session.StatBlock(r, args[1]); block != "" {
				fmt.Fprintf(a.out, "\n%s", block)
			}
			return nil
		}),
	}
	h.add(c)
	return c
}

// printPage prints a definition for a person: where it is, its text, its parts, and its history.
func (a *app) printPage(p rulebook.Page) {
	fmt.Fprintf(a.out, "%s  (%s)\n", a.screen.out.Paint(term.Bold, p.Path), p.Kind)
	fmt.Fprintf(a.out, "%s, ruleset %s\n", p.Place, p.Place.Ruleset)
	if p.Text != "" {
		fmt.Fprintf(a.out, "\n%s\n", p.Text)
	}
	a.printHistory("", p.History)
	if len(p.Cites) > 0 {
		fmt.Fprintf(a.out, "\n%s\n", strings.Join(term.Wrap(strings.Join(p.Cites, ", "), a.textWidth(), "cites ", "  "), "\n"))
	}
	if len(p.Parts) == 0 {
		return
	}
	fmt.Fprintf(a.out, "\n%s\n", a.screen.out.Paint(term.Bold, "parts"))
	width := 0
	for _, part := range p.Parts {
		width = max(width, len(part.Path))
	}
	for _, part := range p.Parts {
		line := fmt.Sprintf("  %-*s  %s  %s", width, part.Path, part.Place, strings.Join(part.Cites, ", "))
		fmt.Fprintln(a.out, a.cutToScreen(strings.TrimRight(line, " ")))
		a.printHistory("    ", part.History)
	}
}

// printHistory prints what happened to a part. A page of its own has room for the previous text.
func (a *app) printHistory(indent string, h rulebook.History) {
	stage := func(what string, s rulebook.Stage) {
		if indent != "" {
			fmt.Fprintf(a.out, "%s%s %s\n", indent, what, s.Place)
			return
		}
		fmt.Fprintf(a.out, "\n%s %s, ruleset %s\n", what, s.Place, s.Place.Ruleset)
		for _, line := range strings.Split(s.Text, "\n") {
			fmt.Fprintln(a.out, a.dim(strings.TrimRight("    "+line, " ")))
		}
	}
	if h.Removed != nil {
		stage("removed by", *h.Removed)
	}
	for _, s := range h.Extended {
		stage("extended by", s)
	}
	for _, s := range h.Replaced {
		stage("replaces", s)
	}
}
