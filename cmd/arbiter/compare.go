package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/piece"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/lang/diag"
)

// maxArms is the limit of arms besides the first. Each takes a few megabytes while the fights run.
const maxArms = 100

// compareFlags say what is compared.
type compareFlags struct {
	simFlags
	base   []string // house rules that apply both before and after
	sweep  []string // what is varied
	figure string   // the figure that a sweep shows; "" for who wins
	matrixFlags
}

func (a *app) compareCommand() *cobra.Command {
	var s compareFlags
	c := &cobra.Command{
		Use:               "compare FILE...",
		SuggestFor:        []string{"versus", "vs"},
		Short:             "Show what house rules change: the same fights with and without them",
		Args:              argCount(1, maxFoes),
		ValidArgsFunction: completeScripts,
	}
	s.addFightFlags(c)
	s.nats.addPlayers(c)
	c.Flags().Uint64Var(&s.seed, "seed", 0, "the seed `N` of the dice (default: 1)")
	c.Flags().StringArrayVar(&s.with, "with", nil, "house rules to compare with, a `FILE` or a folder; a+b adds both; may be repeated")
	c.Flags().StringArrayVar(&s.without, "without", nil, "compare with the ruleset `NAME` left out; a+b leaves out both; may be repeated")
	c.Flags().StringArrayVar(&s.base, "base", nil, "house rules, a `FILE` or a folder, that apply both before and after; may be repeated")
	for _, name := range []string{"with", "without", "base"} {
		mustComplete(c, name, completeRules)
	}
	c.Flags().StringArrayVar(&s.sweep, "sweep", nil, "try `'NAME = VALUES'` of an option, a part of the rules or a field of a combatant; twice for a table")
	c.Flags().StringVar(&s.figure, "figure", "", "the `FIGURE` that a sweep or a matrix shows, for example 'Alia dealt' (default: how often the first side wins)")
	mustComplete(c, "sweep", a.completeSweep)
	mustComplete(c, "figure", a.completeFigure)
	s.addMatrix(a, c)
	s.addFormatFlags(c, "")
	c.RunE = runFunc(func(args []string) error {
		if len(s.matrix) > 0 {
			return a.matrix(args, &s, c)
		}
		if err := s.checkWithoutMatrix(args); err != nil {
			return err
		}
		return a.compare(args[0], &s, c)
	})
	return c
}

func (a *app) compare(path string, s *compareFlags, c *cobra.Command) error {
	o, err := a.simOptions(&s.simFlags, c)
	switch {
	case err != nil:
		return err
	case s.figure != "" && s.sweep == nil:
		return usageError("--figure needs --sweep: a plain comparison shows every figure")
	case len(s.sweep) > 2:
		return usageError("%d sweeps are too many: use one for a list, two for a table", len(s.sweep))
	}
	arms := s.arms()
	if err := disambiguateNames(arms); err != nil {
		return err
	}
	if len(arms) == 1 && s.sweep == nil {
		return usageError("nothing to compare with: add --with HOUSE.rules, --without NAME, --sweep 'NAME = VALUES', or --matrix 'NAME = VALUES'")
	}
	var list []sim.Variant
	var view *sweepView
	var first *build.Script
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "rulesets"}
	defer progress.Clear()
	for i := 0; i < len(arms); i++ {
		progress.Set(i, len(arms))
		x := arms[i]
		var script *build.Script
		alreadyBuilt := false // these rules have been built already
		if view != nil {
			script, alreadyBuilt = first.Amended(x.amendments())
		}
		if !alreadyBuilt {
			var warnings diag.List
			if script, warnings, err = a.buildFight(path, x.houseRules); err != nil {
				if err == errMistakes && len(x.swept) > 0 { // without the value there were no mistakes
					err = &exitError{status: exitUsageError}
				}
				return err
			}
			if i == 0 && !a.json && !s.csv {
				a.printDiagnostics(warnings)
			}
		}
		if i == 0 {
			first = script
		}
		arms[i].counted = additionsOf(arms, i, first, script)
		t, err := a.newTrials(script, session.Options{Additions: piece.Among(arms[i].counted)})
		if err != nil {
			return err
		}
		if i == 0 && s.sweep != nil {
			if view, err = a.newSweepView(s, script, t.Cast()); err != nil {
				return err
			}
			arms = append(arms, view.arms(x.houseRules)...)
		}
		alreadyUsed := i > 0 && len(x.with) > len(s.base) && slices.Equal(script.Rules.House, first.Rules.House)
		list = append(list, sim.Variant{Rules: x.name, AlreadyUsed: alreadyUsed, Without: x.without, Trials: t})
		if len(arms) > maxArms+1 {
			return usageError("%d variants are too many to compare at once: at most %d", len(arms)-1, maxArms)
		}
	}
	progress.Clear()
	results, partial := a.playAll(path, arms, view, list, &s.simFlags, o)
	if partial != nil && partial != errPartial {
		return partial
	}
	s.recordEnd(o, results, partial)
	switch {
	case s.shard != "":
		shard := s.newShard(o.Seed, results)
		if view != nil {
			shard.Sweeps, shard.Figure = view.described(), s.figure
		}
		shard.Seal()
		a.printJSON(shard)
		return partial
	case view != nil:
		return cmp.Or(a.outputSweep(sim.NewComparison(o.Seed, results, view.figure.Figure), view, &s.simFlags), partial)
	}
	return cmp.Or(a.outputComparison(sim.NewComparison(o.Seed, results), &s.simFlags), partial)
}

// arm is one set of rules under which the fight is played.
type arm struct {
	name string // "" are those of the script
	houseRules
	values  []int    // of a sweep: which of the values of each
	counted []string // rulesets of which it is counted what is used
}

// arms are the rules of the script, followed by those with each of the house rules. In a sweep, all house rules apply
// throughout.
func (s *compareFlags) arms() []arm {
	list := []arm{{houseRules: houseRules{with: s.base}}}
	if s.sweep != nil {
		first := &list[0].houseRules
		for _, w := range s.with {
			first.with = append(slices.Clip(first.with), splitWith(w)...)
		}
		for _, w := range s.without {
			first.without = append(first.without, strings.Split(w, "+")...)
		}
		return list
	}
	for _, w := range s.with {
		files := splitWith(w)
		var names []string
		for _, f := range files {
			names = append(names, ruleName(f))
		}
		list = append(list, arm{name: strings.Join(names, " + "), houseRules: houseRules{with: append(slices.Clip(s.base), files...)}})
	}
	for _, w := range s.without {
		names := strings.Split(w, "+")
		list = append(list, arm{name: "without " + strings.Join(names, " + "), houseRules: houseRules{with: s.base, without: names}})
	}
	return list
}

// additionsOf selects the rulesets of which it is counted what is used: those that an arm adds to the first, unless they
// are ours and only come along, and in the first those that others leave out.
func additionsOf(arms []arm, n int, first, script *build.Script) (names []string) {
	switch {
	case n == 0:
		for _, x := range arms[1:] {
			names = append(names, x.without...)
		}
	case len(arms[n].swept) == 0 && len(arms[n].with) > len(arms[0].with):
		for _, name := range script.Rules.Set().Rulesets {
			if !slices.Contains(first.Rules.Set().Rulesets, name) && (isOwnRuleset(name) || slices.Contains(script.Rules.House, name)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// disambiguateNames names rules of the same name by their files, and rejects those that are identical.
func disambiguateNames(arms []arm) error {
	for i := range arms {
		for k := range i {
			a, b := &arms[i], &arms[k]
			switch {
			case a.name != b.name:
			case slices.Equal(a.with, b.with) && slices.Equal(a.without, b.without):
				return usageError("%s is listed twice", a.name)
			default:
				a.name, b.name = strings.Join(a.with, " + "), strings.Join(b.with, " + ")
			}
		}
	}
	return nil
}

// splitWith splits one --with at its plus signs, unless a file has the sign in its name.
func splitWith(w string) []string {
	if _, err := os.Stat(w); err == nil {
		return []string{w}
	}
	return strings.Split(w, "+")
}

// ruleName is what tables call a house rule: its file name, without folder and extension.
func ruleName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".rules") }

// outputComparison prints the result in the form that was asked for.
func (a *app) outputComparison(r *sim.Comparison, s *simFlags) error {
	for _, x := range r.Rules {
		if x.AlreadyUsed && x.Different.Rate == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the script already uses %s: --without NAME shows what it changes", x.Rules))
		}
	}
	r.Warnings = s.addStopWarning(r.Warnings, r.Fights)
	return a.outputResult(&s.outputFormat, r, func() *picture { return plotOfComparison(r) }, func() [][]string { return changeCSV(r) }, func() { a.printComparison(r) })
}

// --- on the screen -------------------------------------------------------------------------------------

// printComparison prints what house rules change, for a person.
func (a *app) printComparison(r *sim.Comparison) {
	fmt.Fprintf(a.out, "%s: %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(r.Title)), countText(r.Fights, "fight"), r.Seed)
	for _, x := range r.Rules {
		fmt.Fprintln(a.out)
		for _, line := range x.Summary {
			a.printParagraph(line)
		}
		a.printUnused(&x)
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(a.out)
	}
	for _, w := range r.Warnings {
		a.printWarning(w)
	}
	if len(r.Rules) == 1 {
		a.printAllChanges(&r.Rules[0])
	} else {
		a.printSideBySide(r)
	}
	fmt.Fprintln(a.out)
	a.printParagraph(a.dim("* significant, allowing for the number of figures compared; any other change may be chance"))
}

// maxUnusedLines is how many unused parts of the rules are printed; --json has them all.
const maxUnusedLines = 20

// printUnused prints what of the rules no fight used, and why.
func (a *app) printUnused(r *sim.ArmReport) {
	if len(r.Unused) == 0 {
		return
	}
	a.printParagraph(fmt.Sprintf("Never used, of %s:", countText(r.Additions, "part")))
	for i, x := range r.Unused {
		if i == maxUnusedLines && len(r.Unused) > maxUnusedLines+1 {
			a.printParagraph(fmt.Sprintf("- and %d more: --json lists them", len(r.Unused)-i))
			return
		}
		a.printParagraph(fmt.Sprintf("- %s %s (%s:%d): %s", x.Kind, x.Path, x.File, x.Line, x.Why))
	}
}

// changeHead is the header row of a table of changes.
var changeHead = []string{"change", "95 % interval", ""}

// changeCells formats a difference and its confidence interval.
func changeCells(f *sim.FigureReport) []string {
	if f.Different == 0 {
		return []string{"", "", ""}
	}
	mark := ""
	if f.Significant {
		mark = "*"
	}
	change, low, high := f.Words()
	return []string{change, low + " to " + high, mark}
}

// figureText formats a number as a share or as a plain value.
func figureText(share bool, v float64) string {
	if share {
		return sim.Percent(v)
	}
	return sim.Number(v)
}

// estimateText formats the confidence interval of a figure.
func estimateText(share bool, e sim.Estimate) string {
	return figureText(share, e.Low) + " to " + figureText(share, e.High)
}

// maxNameWidth of a figure and maxRulesWidth of a variant, in columns: with the numbers, a row fits into 80.
const (
	maxNameWidth  = 28
	maxRulesWidth = 36
)

// printAllChanges prints all numbers before and after, with their intervals if all columns fit side by side.
func (a *app) printAllChanges(r *sim.ArmReport) {
	var short, long [][][]string
	last := ""
	row := func(table, name string, f *sim.FigureReport) {
		if table != last {
			last = table
			short = append(short, [][]string{append([]string{table, "before", "after"}, changeHead...)})
			long = append(long, [][]string{append([]string{table, "before", "95 % interval", "after", "95 % interval"}, changeHead...)})
		}
		name = a.screen.out.Cut(name, maxNameWidth)
		before, after := figureText(f.Share, f.Before.Value), figureText(f.Share, f.After.Value)
		s, l := &short[len(short)-1], &long[len(long)-1]
		*s = append(*s, append([]string{name, before, after}, changeCells(f)...))
		*l = append(*l, append([]string{name, before, estimateText(f.Share, f.Before), after, estimateText(f.Share, f.After)}, changeCells(f)...))
	}
	causes := 0
	for i := range r.Figures {
		f := &r.Figures[i]
		switch f.Figure.Kind {
		case sim.Wins:
			row("wins", f.Of, f)
		case sim.Rounds:
			row("the fight", "rounds", f)
		case sim.LossByCause:
			if causes++; causes <= maxCauses && max(f.Before.Value, f.After.Value) >= 0.05 {
				row("loss per fight, by cause", f.Of+": "+causeText(f.Cause), f)
			}
		default:
			row(f.Of, f.What, f)
		}
	}
	if a.fits(term.ColumnWidths(slices.Concat(long...))) {
		a.printNumberTables(long, 6)
	} else {
		a.printNumberTables(short, 4)
	}
}

// printSideBySide prints, for each set of rules, who wins and how long it takes.
func (a *app) printSideBySide(r *sim.Comparison) {
	var tables [][][]string
	for i := range r.Rules[0].Figures {
		first := &r.Rules[0].Figures[i]
		if first.Figure.Kind > sim.Rounds {
			break
		}
		head := first.Of + " " + first.What
		if first.Figure.Kind == sim.Rounds {
			head = first.What
		}
		rows := [][]string{append([]string{head, ""}, changeHead...), {"as written", figureText(first.Share, first.Before.Value)}}
		for k := range r.Rules {
			x := &r.Rules[k]
			if f := x.Find(first.Figure); f != nil {
				rows = append(rows, append([]string{a.screen.out.Cut(x.Rules, maxRulesWidth), figureText(f.Share, f.After.Value)}, changeCells(f)...))
			}
		}
		tables = append(tables, rows)
	}
	a.printNumberTables(tables, 3)
}
