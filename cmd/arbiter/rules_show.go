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

// citing prints what implements a rule of a catalogue.
func (a *app) citing(ruleset string, list []rulebook.Entry) {
	if a.json {
		a.document(definitionsDocument{ruleset, list})
		return
	}
	a.entries(list)
}

// entries prints definitions and parts, one per line.
func (a *app) entries(list []rulebook.Entry) {
	rows := make([][]string, len(list))
	for i, e := range list {
		rows[i] = []string{e.Kind, e.Path, e.Place.String(), e.Doc}
	}
	a.table(rows)
}

func (a *app) rulesShowCommand() *cobra.Command {
	var h house
	c := &cobra.Command{
		Use:               "show RULESET PATH",
		Short:             "Show a definition as it stands, and where its parts come from",
		Args:              argCount(2, 2),
		ValidArgsFunction: completeRuleset,
		RunE: runFunc(func(args []string) error {
			r, err := a.open(args[0], h)
			if err != nil {
				return err
			}
			book := &rulebook.Book{Rules: r, Source: source}
			pages, near := book.Find(args[1])
			if len(pages) == 0 {
				if list := book.Citing(args[1]); len(list) > 0 {
					a.citing(args[0], list)
					return nil
				}
			}
			switch {
			case len(pages) == 0 && near != "":
				return misuse("%s has no %s; did you mean %s?", args[0], args[1], near)
			case len(pages) == 0:
				return misuse("%s has no %s; `arbiter rules list %s` lists its definitions", args[0], args[1], args[0])
			}
			if a.json {
				a.document(pagesDocument{r.Name, pages})
				return nil
			}
			for i, p := range pages {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				a.page(p)
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

// page prints a definition for a person: where it is, its text, its parts, and its history.
func (a *app) page(p rulebook.Page) {
	fmt.Fprintf(a.out, "%s  (%s)\n", a.screen.out.Paint(term.Bold, p.Path), p.Kind)
	fmt.Fprintf(a.out, "%s, ruleset %s\n", p.Place, p.Place.Ruleset)
	if p.Text != "" {
		fmt.Fprintf(a.out, "\n%s\n", p.Text)
	}
	a.history("", p.History)
	if len(p.Cites) > 0 {
		fmt.Fprintf(a.out, "\n%s\n", strings.Join(term.Wrap(strings.Join(p.Cites, ", "), a.columns(), "cites ", "  "), "\n"))
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
		fmt.Fprintln(a.out, a.fit(strings.TrimRight(line, " ")))
		a.history("    ", part.History)
	}
}

// history prints what happened to a part. A page of its own has room for the previous text.
func (a *app) history(indent string, h rulebook.History) {
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
