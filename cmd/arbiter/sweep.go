package main

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/lang/words"
)

// This file plays a fight with several values of something: compare --sweep.

// sweepView is what is varied, and which figure is shown.
type sweepView struct {
	over   []*sweep.Sweep // one or two
	figure sim.NamedFigure
	usual  bool // the default figure: none was asked for
}

// sweepView reads what is to be varied against the script as it is.
func (a *app) sweepView(s *compareFlags, script *build.Script, cast *session.Cast) (*sweepView, error) {
	v := &sweepView{usual: s.figure == ""}
	for i, text := range s.sweep {
		file := []string{"--sweep", "second --sweep"}[i]
		a.keep(file, []byte(text))
		x, diags := sweep.Parse(file, text)
		if len(diags) == 0 {
			diags = x.Check(script)
		}
		if len(diags) > 0 {
			a.refuse(diags)
			return nil, &fault{status: commandsFault}
		}
		if i > 0 && x.Name == v.over[0].Name {
			return nil, misuse("both sweeps vary %s", x.Name)
		}
		v.over = append(v.over, x)
	}
	var names []string
	for _, f := range sim.FiguresOf(cast) {
		if names = append(names, f.Name); f.Name == s.figure || v.usual && len(names) == 1 {
			v.figure = f
			return v, nil
		}
	}
	hint := "use one of: " + strings.Join(names, ", ")
	if near := words.Nearest(s.figure, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, misuse("--figure: there is no figure called %s; %s", s.figure, hint)
}

// arms are the rules with each value, or with each pair of two sweeps.
func (v *sweepView) arms(h house) (list []arm) {
	list = []arm{{house: h}}
	for _, x := range v.over {
		var next []arm
		for _, before := range list {
			for i := range x.Values {
				y := before
				y.name = strings.TrimPrefix(y.name+", "+x.Name+" = "+x.Values[i].Text, ", ")
				// Check has already made every one of them.
				amendment, _ := x.Amendment(i)
				y.tried = append(y.tried[:len(y.tried):len(y.tried)], trial{x, amendment})
				next = append(next, y)
			}
		}
		list = next
	}
	return list
}

// sweptOver prints the result in the form that was asked for.
func (a *app) sweptOver(r *sim.Comparison, v *sweepView, s *compareFlags) error {
	for _, x := range v.over {
		swept := sim.Sweep{Name: x.Name}
		for _, value := range x.Values {
			swept.Values = append(swept.Values, value.Text)
		}
		r.Sweeps = append(r.Sweeps, swept)
	}
	r.Warnings = s.brokenOff(r.Warnings, r.Fights)
	return a.formed(&s.form, r, func() *picture { return plotOfSweep(r, v) }, func() [][]string { return changeColumns(r) }, func() {
		fmt.Fprintf(a.out, "%s: %s with each value, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(r.Title)), plural(r.Fights, "fight"), r.Seed)
		for i, w := range r.Warnings {
			if v.figure.Kind != sim.Wins && i >= len(r.Warnings)-r.WinWarnings {
				break
			}
			a.beware(w)
		}
		if len(v.over) == 1 {
			a.sweepList(r, v)
		} else {
			a.sweepTable(r, v)
		}
	})
}

// at is the estimate of the figure for a value or a pair of values; nil if there is none.
func (v *sweepView) at(r *sim.Comparison, i int) *sim.FigureReport {
	return r.Rules[i].Find(v.figure.Figure)
}

// maxValueWidth is the width at which the name of a value is cut in a table, in columns.
const maxValueWidth = 26

// sweepList prints the figure of each value, with bars.
func (a *app) sweepList(r *sim.Comparison, v *sweepView) {
	x := v.over[0]
	fmt.Fprintln(a.out)
	a.paragraph(v.extremes(r))
	head := []string{a.screen.out.Cut(x.Name, maxValueWidth), a.screen.out.Cut(v.figure.Name, maxValueWidth), "95 % interval", "change", ""}
	var rows [][]string
	var shares []float64
	add := func(name string, f *sim.FigureReport, e sim.Estimate, changed bool) {
		row := []string{a.screen.out.Cut(name, maxValueWidth), figureText(f.Share, e.Value), figureText(f.Share, e.Low) + " to " + figureText(f.Share, e.High), "", ""}
		if changed {
			c := change(f)
			row[3], row[4] = c[0], c[2]
		}
		rows, shares = append(rows, row), append(shares, e.Value)
	}
	for i, value := range x.Values {
		if f := v.at(r, i); f != nil {
			if len(rows) == 0 {
				add("as written", f, f.Before, false)
			}
			add(value.Text, f, f.After, true)
		}
	}
	a.figures(a.barred(head, rows, shares), 3)
	fmt.Fprintln(a.out)
	a.paragraph(a.dim("* significantly different from as written; any other change may be chance"))
}

// extremes says where the figure is lowest and highest and, for a win rate, where it crosses one half.
func (v *sweepView) extremes(r *sim.Comparison) string {
	x := v.over[0]
	least, most := -1, -1
	var text, passes string
	for i := range x.Values {
		f := v.at(r, i)
		if f == nil {
			continue
		}
		if least < 0 || f.After.Value < v.at(r, least).After.Value {
			least = i
		}
		if most < 0 || f.After.Value > v.at(r, most).After.Value {
			most = i
		}
		if i > 0 && f.Figure.Kind == sim.Wins {
			if before := v.at(r, i-1); before != nil && (before.After.Value < 0.5) != (f.After.Value < 0.5) && isNumberText(x.Values[i].Text) && isNumberText(x.Values[i-1].Text) {
				passes += fmt.Sprintf(" It crosses 50 %% between %s and %s.", x.Values[i-1].Text, x.Values[i].Text)
			}
		}
	}
	if least < 0 {
		return "Nothing is known of " + v.figure.Name + "."
	}
	low, high := v.at(r, least), v.at(r, most)
	if len(x.Values) == 1 {
		return fmt.Sprintf("%s: %s with %s, %s as written.", v.figure.Name, figureText(low.Share, low.After.Value), x.Values[0].Text, figureText(low.Share, low.Before.Value))
	}
	text = fmt.Sprintf("%s: lowest with %s, %s; highest with %s, %s.", v.figure.Name, x.Values[least].Text, figureText(low.Share, low.After.Value), x.Values[most].Text, figureText(high.Share, high.After.Value))
	if high.After.Value-low.After.Value <= sim.SignificantGap(high.After, low.After) {
		text = fmt.Sprintf("%s: no significant difference between the values.", v.figure.Name)
		if differs := v.differing(r); differs != "" {
			text = fmt.Sprintf("%s: significantly different from as written: %s; no significant difference between the values.", v.figure.Name, differs)
		}
	}
	return text + passes
}

// differing lists the values that significantly change the figure.
func (v *sweepView) differing(r *sim.Comparison) string {
	var list []string
	for i, value := range v.over[0].Values {
		if f := v.at(r, i); f != nil && f.Significant {
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

// sweepTable prints the figure of each pair of values, as many columns at a time as fit, and the best row of each
// column.
func (a *app) sweepTable(r *sim.Comparison, v *sweepView) {
	rows, columns := v.over[0], v.over[1]
	cell := func(i, k int) *sim.FigureReport { return v.at(r, i*len(columns.Values)+k) }
	fmt.Fprintln(a.out)
	a.paragraph(fmt.Sprintf("%s, by %s (down) and %s (across):", v.figure.Name, rows.Name, columns.Name))
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
	widths := term.Widths(table)
	for from := 1; from < len(head); {
		room := 2 + widths[0]
		to := from
		for to < len(head) && (to == from || room+2+widths[to] <= a.columns()) {
			room += 2 + widths[to]
			to++
		}
		var part [][]string
		for _, row := range table {
			part = append(part, append([]string{row[0]}, row[from:to]...))
		}
		a.figures(part, to-from)
		from = to
	}
	fmt.Fprintln(a.out)
	if f := cell(0, 0); f != nil {
		a.paragraph(fmt.Sprintf("As written: %s.", figureText(f.Share, f.Before.Value)))
	}
	for k, c := range columns.Values {
		a.paragraph(v.best(rows.Values, func(i int) *sim.FigureReport { return cell(i, k) }, columns.Name+" = "+c.Text))
	}
}

// best says which value maximizes the figure, and which others may be as good.
func (v *sweepView) best(values []sweep.Value, at func(i int) *sim.FigureReport, where string) string {
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
	text := fmt.Sprintf("Highest with %s: %s, %s", where, values[best].Text, figureText(top.Share, top.After.Value))
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
