package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
)

// This file plays a fight with several values of something: compare --sweep.

// newSweepView is what is varied, and which figure is shown.
type sweepView struct {
	sweeps    []*sweep.Sweep // one or two
	figure    sim.NamedFigure
	isDefault bool // the default figure: none was asked for
}

// newSweepView reads what is to be varied against the script as it is.
func (a *app) newSweepView(s *compareFlags, script *build.Script, cast *session.Cast) (*sweepView, error) {
	v := &sweepView{isDefault: s.figure == ""}
	var err error
	if v.sweeps, err = a.parseSweeps("--sweep", s.sweep, script); err != nil {
		return nil, err
	}
	return v, v.find(s.figure, cast)
}

// parseSweeps reads what is to be varied against a script.
func (a *app) parseSweeps(flag string, texts []string, script *build.Script) (list []*sweep.Sweep, err error) {
	for i, text := range texts {
		file := flag
		if i > 0 {
			file = fmt.Sprintf("%s number %d", flag, i+1)
		}
		a.rememberSource(file, []byte(text))
		x, diags := sweep.Parse(file, text)
		if len(diags) == 0 {
			diags = x.Check(script)
		}
		if len(diags) > 0 {
			a.rejectScript(diags)
			return nil, &exitError{status: exitUsageError}
		}
		for _, other := range list {
			if other.Name == x.Name {
				return nil, usageError("%s is varied twice", x.Name)
			}
		}
		list = append(list, x)
	}
	return list, nil
}

// mergedView is what was varied in the parts of a simulation.
func mergedView(whole *sim.Shard) (*sweepView, error) {
	v := &sweepView{isDefault: whole.Figure == ""}
	for _, x := range whole.Sweeps {
		s := &sweep.Sweep{Name: x.Name}
		for _, text := range x.Values {
			s.Values = append(s.Values, sweep.Value{Text: text})
		}
		v.sweeps = append(v.sweeps, s)
	}
	return v, v.find(whole.Figure, whole.Cast)
}

// find finds the figure that is shown by its name; the default is the first.
func (v *sweepView) find(name string, cast *session.Cast) error {
	list := sim.FiguresOf(cast)
	if v.isDefault {
		v.figure = list[0]
		return nil
	}
	var err error
	if v.figure, err = sim.FigureNamed(name, list); err != nil {
		return usageError("--figure: %v", err)
	}
	return nil
}

// described is what is varied, as documents have it.
func (v *sweepView) described() (list []sim.Sweep) {
	for _, x := range v.sweeps {
		swept := sim.Sweep{Name: x.Name}
		for _, value := range x.Values {
			swept.Values = append(swept.Values, value.Text)
		}
		list = append(list, swept)
	}
	return list
}

// arms are the rules with each value, or with each pair of two sweeps.
func (v *sweepView) arms(h houseRules) (list []arm) {
	list = []arm{{houseRules: h}}
	for _, x := range v.sweeps {
		var next []arm
		for _, before := range list {
			for i := range x.Values {
				y := before
				y.name = strings.TrimPrefix(y.name+", "+x.Name+" = "+x.Values[i].Text, ", ")
				// Check has already made every one of them.
				amendment, _ := x.Amendment(i)
				y.swept = append(y.swept[:len(y.swept):len(y.swept)], sweptValue{x, i, amendment})
				y.values = append(slices.Clip(y.values), i)
				next = append(next, y)
			}
		}
		list = next
	}
	return list
}

// outputSweep prints the result in the form that was asked for.
func (a *app) outputSweep(r *sim.Comparison, v *sweepView, s *simFlags) error {
	r.Sweeps = v.described()
	r.Warnings = s.addStopWarning(r.Warnings, r.Fights)
	return a.outputResult(&s.outputFormat, r, func() *picture { return plotOfSweep(r, v) }, func() [][]string { return changeCSV(r) }, func() {
		fmt.Fprintf(a.out, "%s: %s with each value, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(r.Title)), countText(r.Fights, "fight"), r.Seed)
		for i, w := range r.Warnings {
			if v.figure.Kind != sim.Wins && i >= len(r.Warnings)-r.WinWarnings {
				break
			}
			a.printWarning(w)
		}
		if len(v.sweeps) == 1 {
			a.printSweepList(r, v)
		} else {
			a.printSweepTable(r, v)
		}
	})
}

// figureAt is the estimate of the figure for a value or a pair of values; nil if there is none.
func (v *sweepView) figureAt(r *sim.Comparison, i int) *sim.FigureReport {
	return r.Rules[i].Find(v.figure.Figure)
}

// maxValueWidth is the width at which the name of a value is cut in a table, in columns.
const maxValueWidth = 26

// printSweepList prints the figure of each value, with bars.
func (a *app) printSweepList(r *sim.Comparison, v *sweepView) {
	x := v.sweeps[0]
	fmt.Fprintln(a.out)
	a.printParagraph(v.extremesText(r))
	head := []string{a.screen.out.Cut(x.Name, maxValueWidth), a.screen.out.Cut(v.figure.Name, maxValueWidth), "95 % interval", "change", ""}
	var rows [][]string
	var shares []float64
	add := func(name string, f *sim.FigureReport, e sim.Estimate, changed bool) {
		row := []string{a.screen.out.Cut(name, maxValueWidth), figureText(f.Share, e.Value), estimateText(f.Share, e), "", ""}
		if changed {
			c := changeCells(f)
			row[3], row[4] = c[0], c[2]
		}
		rows, shares = append(rows, row), append(shares, e.Value)
	}
	for i, value := range x.Values {
		if f := v.figureAt(r, i); f != nil {
			if len(rows) == 0 {
				add("as written", f, f.Before, false)
			}
			add(value.Text, f, f.After, true)
		}
	}
	a.printNumberTable(a.addBarColumn(head, rows, shares), 3)
	fmt.Fprintln(a.out)
	a.printParagraph(a.dim("* significantly different from as written; any other change may be chance"))
}

// extremesText says where the figure is lowest and highest and, for a win rate, where it crosses one half.
func (v *sweepView) extremesText(r *sim.Comparison) string {
	x := v.sweeps[0]
	least, most := -1, -1
	var text, passes string
	for i := range x.Values {
		f := v.figureAt(r, i)
		if f == nil {
			continue
		}
		if least < 0 || f.After.Value < v.figureAt(r, least).After.Value {
			least = i
		}
		if most < 0 || f.After.Value > v.figureAt(r, most).After.Value {
			most = i
		}
		if i > 0 && f.Figure.Kind == sim.Wins {
			if before := v.figureAt(r, i-1); before != nil && (before.After.Value < 0.5) != (f.After.Value < 0.5) && isNumberText(x.Values[i].Text) && isNumberText(x.Values[i-1].Text) {
				passes += fmt.Sprintf(" It crosses 50 %% between %s and %s.", x.Values[i-1].Text, x.Values[i].Text)
			}
		}
	}
	if least < 0 {
		return "Nothing is known of " + v.figure.Name + "."
	}
	low, high := v.figureAt(r, least), v.figureAt(r, most)
	if len(x.Values) == 1 {
		return fmt.Sprintf("%s: %s with %s, %s as written.", v.figure.Name, figureText(low.Share, low.After.Value), x.Values[0].Text, figureText(low.Share, low.Before.Value))
	}
	text = fmt.Sprintf("%s: lowest with %s, %s; highest with %s, %s.", v.figure.Name, x.Values[least].Text, figureText(low.Share, low.After.Value), x.Values[most].Text, figureText(high.Share, high.After.Value))
	apart := low.Significant && high.Significant && low.After.Value < low.Before.Value && high.Before.Value < high.After.Value // with as written between them
	if !apart && high.After.Value-low.After.Value <= sim.SignificantGap(high.After, low.After) {
		passes = "" // which of them are on which side of one half is chance as well
		text = fmt.Sprintf("%s: no significant difference between the values.", v.figure.Name)
		if differs := v.significantValues(r); differs != "" {
			text = fmt.Sprintf("%s: significantly different from as written: %s; too few fights to compare the values with each other.", v.figure.Name, differs)
		}
	}
	return text + passes
}

// significantValues lists the values that significantly change the figure.
func (v *sweepView) significantValues(r *sim.Comparison) string {
	var list []string
	for i, value := range v.sweeps[0].Values {
		if f := v.figureAt(r, i); f != nil && f.Significant {
			list = append(list, value.Text)
		}
	}
	return strings.Join(list, ", ")
}

// isNumberText reports whether a value is a number, with or without a unit.
func isNumberText(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSuffix(text, "%"), " ")
	_, err := strconv.ParseInt(first, 10, 64)
	return err == nil
}

// printSweepTable prints the figure of each pair of values, as many columns at a time as fit, and the best row of each
// column.
func (a *app) printSweepTable(r *sim.Comparison, v *sweepView) {
	rows, columns := v.sweeps[0], v.sweeps[1]
	cell := func(i, k int) *sim.FigureReport { return v.figureAt(r, i*len(columns.Values)+k) }
	fmt.Fprintln(a.out)
	a.printParagraph(fmt.Sprintf("%s, by %s (down) and %s (across):", v.figure.Name, rows.Name, columns.Name))
	var table [][]string
	head := []string{""}
	for _, c := range columns.Values {
		head = append(head, a.screen.out.Cut(c.Text, maxValueWidth))
	}
	table = append(table, head)
	for i, value := range rows.Values {
		row := []string{a.screen.out.Cut(value.Text, maxValueWidth)}
		for k := range columns.Values {
			text := ""
			if f := cell(i, k); f != nil {
				text = figureText(f.Share, f.After.Value)
			}
			row = append(row, text)
		}
		table = append(table, row)
	}
	a.printWideTable(table)
	fmt.Fprintln(a.out)
	if f := cell(0, 0); f != nil {
		a.printParagraph(fmt.Sprintf("As written: %s.", figureText(f.Share, f.Before.Value)))
	}
	for k, c := range columns.Values {
		a.printParagraph(v.bestText(rows.Values, func(i int) *sim.FigureReport { return cell(i, k) }, columns.Name+" = "+c.Text, rows.Name))
	}
}

// bestText says which value of a name maximizes the figure, and which others may be as good.
func (v *sweepView) bestText(values []sweep.Value, at func(i int) *sim.FigureReport, where, name string) string {
	best := -1
	for i := range values {
		if f := at(i); f != nil && (best < 0 || f.After.Value > at(best).After.Value) {
			best = i
		}
	}
	if best < 0 {
		return "Nothing is known of " + v.figure.Name + " with " + where + "."
	}
	top := at(best)
	text := fmt.Sprintf("Highest with %s: %s = %s, %s", where, name, values[best].Text, figureText(top.Share, top.After.Value))
	var others []string
	for i, value := range values {
		if f := at(i); i != best && f != nil && top.After.Value-f.After.Value <= sim.SignificantGap(top.After, f.After) {
			others = append(others, value.Text)
		}
	}
	switch {
	case len(others) == len(values)-1 && len(others) > 0:
		text += "; no other is significantly lower"
	case len(others) > 0:
		text += "; not significantly lower: " + strings.Join(others, ", ")
	}
	return text + "."
}
