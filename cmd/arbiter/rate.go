package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/rate"
	"arbiter/interp/session"
	"arbiter/interp/sim"
)

// maxRatedFights limits the fights of a creature with one party.
const maxRatedFights = 1_000_000

// rateDocument is what creatures cost parties.
type rateDocument struct {
	Seed      uint64   `json:"seed"`
	Printed   string   `json:"printed,omitempty"` // the field that they are compared with
	Agreement *float64 `json:"agreement,omitempty"`
	Creatures []rated  `json:"creatures"`
}

// rated is a creature with what it costs each party.
type rated struct {
	Creature   string         `json:"creature"`
	Printed    string         `json:"printed,omitempty"`
	Difficulty float64        `json:"difficulty"`
	Surprise   *float64       `json:"surprise,omitempty"` // how far its rank is above what is printed, as a share of all
	Parties    []*rate.Rating `json:"parties"`
}

func (a *app) rateCommand() *cobra.Command {
	var s scriptFlags
	var parties []string
	printed, all, fights, workers := "", false, count(200), runtime.NumCPU()
	c := &cobra.Command{
		Use:        "rate CREATURE --party FILE",
		SuggestFor: []string{"difficulty", "danger"},
		Short:      "Measure what a foe costs parties, and compare it with what is printed",
		Args:       argCount(0, 1),
	}
	s.add(c)
	c.Flags().Lookup("seed").Usage = "the seed `N` of the dice (default: 1)"
	c.Flags().StringArrayVar(&parties, "party", nil, "an encounter `FILE` that places a single side; may be repeated")
	c.Flags().VarP(&fights, "fights", "n", "play `N` fights with each party")
	c.Flags().IntVar(&workers, "workers", workers, "play `N` fights at a time; the result is the same")
	c.Flags().BoolVar(&all, "all", false, "rate every creature of the rules that states the field of --printed")
	c.Flags().StringVar(&printed, "printed", "", "the `FIELD` of a creature that says how dangerous it is said to be")
	c.RunE = runFunc(func(args []string) error {
		switch {
		case len(parties) == 0:
			return usageError("which parties? Name an encounter that places one side: --party FILE")
		case all == (len(args) == 1):
			return usageError("name one creature, or give --all with --printed FIELD")
		case all && printed == "":
			return usageError("--all needs --printed FIELD, which tells foes from what foes are made of")
		case fights < 1 || fights > maxRatedFights:
			return usageError("-n is %d: it must be from 1 to %d", fights, maxRatedFights)
		case workers < 1 || workers > 1024:
			return usageError("--workers is %d: it must be from 1 to 1024", workers)
		}
		o := rate.Options{Seed: 1, Fights: uint64(fights), Workers: workers}
		if seed := s.chosenSeed(c); seed != nil {
			o.Seed = *seed
		}
		stopped, end := stopWorkOnInterrupt()
		defer end()
		o.Stop = stopped
		return a.rate(args, parties, printed, s.houseRules, o)
	})
	return c
}

// rate measures one creature, or all that state a field.
func (a *app) rate(names, parties []string, printed string, h houseRules, o rate.Options) error {
	d := rateDocument{Seed: o.Seed, Printed: printed, Creatures: []rated{}}
	values := map[string]string{}
	if printed != "" {
		script, _, err := a.buildFight(parties[0], h)
		if err != nil {
			return err
		}
		if values = printedValues(script.Rules, printed); len(values) == 0 {
			return usageError("no creature of %s states a text or a number named %s", parties[0], printed)
		}
	}
	if len(names) == 0 {
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	for _, name := range names {
		x := rated{Creature: name, Printed: values[name]}
		for _, party := range parties {
			r, err := a.rateAgainst(name, party, h, o)
			if err != nil {
				return err
			}
			if o.Stop() {
				return errPartial
			}
			x.Parties = append(x.Parties, r)
		}
		x.Difficulty = rate.Difficulty(x.Parties)
		d.Creatures = append(d.Creatures, x)
	}
	d.compare()
	if a.json {
		a.printJSON(d)
		return nil
	}
	a.printRatings(&d)
	return nil
}

// foe is the name of the creature in its fights.
const foe = "Foe"

// rateAgainst plays a party against one creature.
func (a *app) rateAgainst(name, party string, h houseRules, o rate.Options) (*rate.Rating, error) {
	path, text, err := a.readScript(party)
	if err != nil {
		return nil, err
	}
	h.optimized = true
	text = fmt.Appendf(slices.Clone(text), "\nside foes { %s %s }\nfight on for 50 rounds\n", name, foe)
	s, diags, err := build.Source(path, text, h.buildOptions())
	switch {
	case err != nil:
		return nil, err
	case diags.HasErrors() || s == nil || s.Rules == nil:
		a.rememberSource(path, text)
		return nil, a.rejectScript(diags)
	}
	t, err := a.newTrials(s, session.Options{})
	if err != nil {
		return nil, err
	}
	if len(t.Cast().Sides) != 2 || t.Begins() == nil {
		return nil, usageError("%s is no party: it must place one side, and do nothing else", party)
	}
	r, err := rate.Of(strings.TrimSuffix(filepath.Base(party), filepath.Ext(party)), t, o)
	if failed := (*sim.FightError)(nil); errors.As(err, &failed) {
		return nil, a.reportFightError(err)
	}
	return r, err
}

// printedValues are the values of a field by the creatures of the rules that state it themselves.
func printedValues(r *build.Rules, field string) map[string]string {
	list := map[string]string{}
	kind := r.Checked.Kinds[0]
	at := kind.Field(field)
	if at < 0 {
		return list
	}
	for _, t := range r.Checked.Templates {
		if t.Kind != kind || t.Parts[at] == nil || t.Values[at] == nil {
			continue
		}
		switch v := t.Values[at].Value; kind.Fields[at].Type.Kind {
		case ir.Text:
			list[t.Name] = r.Checked.Texts[v]
		case ir.Number:
			list[t.Name] = fmt.Sprint(v)
		}
	}
	return list
}

// compare compares the order of what was measured with what is printed.
func (d *rateDocument) compare() {
	var at []int
	var measured, printed []float64
	for i := range d.Creatures {
		if v, ok := rate.ParsePrinted(d.Creatures[i].Printed); ok {
			at, measured, printed = append(at, i), append(measured, d.Creatures[i].Difficulty), append(printed, v)
		}
	}
	if len(at) < 3 {
		return
	}
	agreement := rate.Agreement(measured, printed)
	d.Agreement = &agreement
	for k, v := range rate.Surprises(measured, printed) {
		d.Creatures[at[k]].Surprise = &v
	}
	slices.SortStableFunc(d.Creatures, func(a, b rated) int {
		switch {
		case a.Difficulty < b.Difficulty:
			return -1
		case a.Difficulty > b.Difficulty:
			return 1
		}
		return 0
	})
}

// surprising is the share of all ranks by which a creature must be off to be named.
const surprising = 0.25

// printRatings prints one creature in full, or a table of many.
func (a *app) printRatings(d *rateDocument) {
	if len(d.Creatures) == 1 {
		x := &d.Creatures[0]
		head := fmt.Sprintf("%s: difficulty %.1f", x.Creature, x.Difficulty)
		if x.Printed != "" {
			head += fmt.Sprintf(", printed %s %s", d.Printed, x.Printed)
		}
		fmt.Fprintf(a.out, "%s\n%s with each party, seed %d\n", head, countText(x.Parties[0].Fights, "fight"), d.Seed)
		rows := [][]string{{"party", "cost", "95 % interval", "uses", "falls", "lost", "killed"}}
		for _, r := range x.Parties {
			rows = append(rows, []string{r.Party, sim.Percent(r.Cost.Mean), sim.Percent(max(0, r.Cost.Low)) + " to " + sim.Percent(min(1, r.Cost.High)), sim.Percent(r.Uses.Mean),
				fmt.Sprintf("%.2f", r.Falls.Mean), sim.Percent(r.Loss.Rate), sim.Percent(r.Kill.Rate)})
		}
		a.printNumberTable(rows, 6)
		return
	}
	head := []string{"creature", d.Printed, "difficulty"}
	for _, r := range d.Creatures[0].Parties {
		head = append(head, r.Party)
	}
	rows := [][]string{head}
	for i := range d.Creatures {
		x := &d.Creatures[i]
		row := []string{x.Creature, x.Printed, fmt.Sprintf("%.1f", x.Difficulty)}
		for _, r := range x.Parties {
			row = append(row, sim.Percent(r.Cost.Mean))
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(a.out, "%s, %s with each party, seed %d: what each party loses\n", countText(len(d.Creatures), "creature"), countText(d.Creatures[0].Parties[0].Fights, "fight"), d.Seed)
	a.printNumberTable(rows, len(head)-1)
	if d.Agreement == nil {
		return
	}
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("Rank correlation of difficulty with %s: %.2f.", d.Printed, *d.Agreement))
	var harder, easier []string
	for i := range d.Creatures {
		x := &d.Creatures[i]
		switch {
		case x.Surprise == nil:
		case *x.Surprise >= surprising:
			harder = append(harder, x.Creature)
		case *x.Surprise <= -surprising:
			easier = append(easier, x.Creature)
		}
	}
	if len(harder) > 0 {
		a.printParagraph("Harder than printed, by a quarter of all ranks or more: " + strings.Join(harder, ", ") + ".")
	}
	if len(easier) > 0 {
		a.printParagraph("Easier: " + strings.Join(easier, ", ") + ".")
	}
}
