package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/start"
	"arbiter/interp/reading"
	"arbiter/interp/session"
	"arbiter/lang/parse"
	"arbiter/rules"
)

type newCreatureDocument struct {
	newDocument
	Name      string           `json:"name"`
	StatBlock string           `json:"statblock"` // "" if the rules do not say how it is written
	Steps     []reading.Step   `json:"steps"`
	Figures   []explainedValue `json:"figures"`
}

// explainedValue is a figure with its terms.
type explainedValue struct {
	Name  string              `json:"name"`
	Value string              `json:"value"`
	Parts []session.Explained `json:"parts"`
}

func (a *app) newCreatureCommand() *cobra.Command {
	var base, out string
	c := &cobra.Command{Use: "creature DESCRIPTION", Short: "Make a creature of another one: larger, with more hit dice, with levels", Args: argCount(1, 20)}
	c.Flags().StringVar(&base, "with", reading.Makers(rules.FS)[0], "the `RULESET` whose creatures are used: a built-in one or one in the same folder")
	c.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of one named after the creature")
	mustComplete(c, "with", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return rulesetNames(), noFiles
	})
	c.RunE = runFunc(func(args []string) error { return a.newCreature(strings.Join(args, " "), base, out) })
	return c
}

func (a *app) newCreature(description, base, out string) error {
	dir := "."
	if out != "" {
		dir = filepath.Dir(out)
	}
	base = strings.TrimSuffix(base, ".rules")
	if !parse.IsName(base) {
		return usageError("there is no ruleset %q: a house ruleset is in the same folder, in a file of its name", base)
	}
	o := (&houseRules{}).buildOptions()
	maker, diags, err := reading.NewMaker(o, dir, base)
	var none *reading.NoMakingError
	switch {
	case errors.As(err, &none):
		return usageError("%w", err)
	case err != nil:
		return err
	case len(diags) > 0 && diags[0].Code == "unknown-ruleset":
		return unknownRulesetError(base)
	case maker == nil:
		return a.rejectScript(diags)
	}
	d, err := maker.Make(description)
	if err != nil {
		return usageError("%w", err)
	}
	if out == "" {
		out = d.Name + ".rules"
	}
	name := strings.TrimSuffix(filepath.Base(out), ".rules")
	if !parse.IsName(name) || isEmbedded(name) {
		return usageError("%s is no name for a file of rules: use letters, digits and hyphens, as in -o my-foes.rules", out)
	}
	file := &reading.File{Ruleset: name, From: description, Doc: d.Title + ", made of others.", Made: true, Drafts: []*reading.Draft{d}}
	if err := maker.Settle(file); err != nil {
		return err
	}
	result := newCreatureDocument{Name: d.Name, Steps: d.Steps, Figures: []explainedValue{}}
	if result.StatBlock, result.Figures, err = explainMade(maker, d); err != nil {
		return err
	}
	out = strings.TrimSuffix(out, ".rules") + ".rules"
	if err := createFiles([]start.File{{Path: out, Text: string(maker.Text(file))}}); err != nil {
		return err
	}
	result.Written = []string{out}
	result.Next = []string{"arbiter check " + out, fmt.Sprintf("arbiter export %s %s", out, d.Name), fmt.Sprintf("arbiter new encounter duel --with %s", name)}
	if a.json {
		a.printJSON(result)
		return nil
	}
	for line := range strings.Lines(result.StatBlock) {
		a.printParagraph(strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintln(a.out, "\nmade")
	for _, s := range result.Steps {
		a.printParagraph(fmt.Sprintf("- %s: %s", s.What, s.Why))
	}
	fmt.Fprintln(a.out, "\nfigures")
	for _, f := range result.Figures {
		var said []string
		for _, p := range f.Parts {
			if strings.Trim(p.Value, "+0") != "" {
				said = append(said, p.Value+" "+p.Name)
			}
		}
		a.printParagraph(fmt.Sprintf("- %s %s: %s", f.Name, f.Value, strings.Join(said, ", ")))
	}
	fmt.Fprintf(a.out, "\nwrote %s\n\nnext:\n", out)
	for _, command := range result.Next {
		fmt.Fprintf(a.out, "  %s\n", command)
	}
	return nil
}

// explainMade returns the stat block of a creature that was made, and its figures with their terms.
func explainMade(maker *reading.Maker, d *reading.Draft) (block string, figures []explainedValue, err error) {
	r, err := maker.Rules(d)
	if err != nil {
		return "", nil, err
	}
	w, err := reading.NewWriter((&houseRules{}).buildOptions(), ".", r)
	var none *reading.NoWritingError
	switch {
	case errors.As(err, &none):
	case err != nil:
		return "", nil, err
	default:
		text, err := w.Write(d.Name, exportForm)
		if err != nil {
			return "", nil, err
		}
		block = string(text)
	}
	s, err := session.NewSpecimen(r, d.Name)
	if err != nil {
		return "", nil, err
	}
	for _, expr := range d.Figures {
		value, ok := s.Ask(expr)
		parts, explained := s.Parts(expr)
		if ok && explained {
			figures = append(figures, explainedValue{expr, value, parts})
		}
	}
	return block, figures, nil
}
