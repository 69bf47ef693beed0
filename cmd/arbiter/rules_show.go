package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
)

type pagesDocument struct {
	Ruleset string          `json:"ruleset"`
	Pages   []rulebook.Page `json:"pages"`
}

func (a *app) rulesShowCommand() *cobra.Command {
	var h house
	c := &cobra.Command{
		Use:               "show RULESET PATH",
		Short:             "Show a definition as it holds, and where its parts come from",
		Args:              wants(2, 2),
		ValidArgsFunction: completeRuleset,
		RunE: carryOut(func(args []string) error {
			r, err := a.open(args[0], h)
			if err != nil {
				return err
			}
			pages, near := rulebook.Find(r, args[1])
			switch {
			case len(pages) == 0 && near != "":
				return misuse("%s has no %s; did you mean %s?", args[0], args[1], near)
			case len(pages) == 0:
				return misuse("%s has no %s; `arbiter rules list %s` lists what it has", args[0], args[1], args[0])
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
			return nil
		}),
	}
	h.add(c)
	return c
}

// page prints a definition for a person: where it stands, its text, its parts and what they replaced.
func (a *app) page(p rulebook.Page) {
	fmt.Fprintf(a.out, "%s  (%s)\n", a.screen.out.Paint(term.Bold, p.Path), p.Kind)
	fmt.Fprintf(a.out, "%s, ruleset %s\n", p.Place, p.Place.Ruleset)
	a.replaced("", p.Replaced)
	if p.Text != "" {
		fmt.Fprintf(a.out, "\n%s\n", p.Text)
	}
	if len(p.Cites) > 0 {
		fmt.Fprintf(a.out, "\ncites %s\n", strings.Join(p.Cites, ", "))
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
		fmt.Fprintf(a.out, "  %-*s  %s", width, part.Path, part.Place)
		if len(part.Cites) > 0 {
			fmt.Fprintf(a.out, "  %s", strings.Join(part.Cites, ", "))
		}
		fmt.Fprintln(a.out)
		a.replaced("    ", part.Replaced)
	}
}

func (a *app) replaced(indent string, was []rulebook.Place) {
	for _, w := range was {
		fmt.Fprintf(a.out, "%sreplaces %s\n", indent, w)
	}
}
