package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/sim"
)

// This file prints and draws what moves a figure.

// printSensitivity prints what was found for a person.
func (a *app) printSensitivity(d *sensitivityDocument) {
	fmt.Fprintf(a.out, "%s: %s, %s as written, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(d.Title)), d.Figure, figureText(d.Share, d.AsWritten.Value), d.Seed)
	for _, w := range d.Warnings {
		a.printWarning(w)
	}
	fmt.Fprintln(a.out)
	for _, line := range d.texts() {
		a.printParagraph(line)
	}
	if len(d.Changes) > 0 {
		a.printEffects("changed", d.Changes, d, true)
	}
	if h := d.House; h != nil && len(h.Parts) > 0 {
		a.printEffects("what each part does", append(slices.Clone(h.Parts), allOf(h)...), d, false)
		if len(h.Interactions) > 0 {
			a.printEffects("beyond that, two together", h.Interactions, d, false)
		}
	}
	fmt.Fprintln(a.out)
	a.printParagraph(a.dim("* significant, allowing for the number of changes; any other may be chance"))
}

// allOf is what all parts do together, as a row.
func allOf(h *houseEffects) []changeEffect {
	if h.All.Of == "" {
		return nil
	}
	x := h.All
	x.Of = "all together"
	return []changeEffect{x}
}

// printEffects prints changes in a table; with what they change to, or without.
func (a *app) printEffects(title string, list []changeEffect, d *sensitivityDocument, to bool) {
	rows := [][]string{{title, "now", "to", a.screen.out.Cut(d.Figure, 14), "change", "95 % interval", ""}}
	if !to {
		rows = [][]string{{title, "change", "95 % interval", ""}}
	}
	shares, last := []float64{}, ""
	for _, x := range list {
		mark := ""
		if x.Significant {
			mark = "*"
		}
		f := sim.FigureReport{Share: d.Share, Change: x.Change, Low: x.Low, High: x.High}
		by, low, high := f.Words()
		name, now := a.screen.out.Cut(x.Of, maxNameWidth), x.Now
		if x.Of == last {
			name, now = "", ""
		}
		last = x.Of
		row := []string{name, now, x.To, figureText(d.Share, x.Value), by, low + " to " + high, mark}
		if !to {
			row = []string{a.screen.out.Cut(x.Of, maxRulesWidth), by, low + " to " + high, mark}
		}
		rows, shares = append(rows, row), append(shares, abs(x.Change))
	}
	a.printNumberTable(a.addBarColumn(rows[0], rows[1:], shares), len(rows[0])-2)
}

// texts say in sentences what was found.
func (d *sensitivityDocument) texts() (list []string) {
	significant := slices.DeleteFunc(slices.Clone(d.Changes), func(m changeEffect) bool { return !m.Significant })
	slices.SortStableFunc(significant, func(a, b changeEffect) int { return cmp.Compare(abs(b.Change), abs(a.Change)) })
	if len(significant) > 0 {
		x := significant[0]
		f := sim.FigureReport{Share: d.Share, Change: x.Change}
		by, _, _ := f.Words()
		if d.Share {
			by += " points"
		}
		what := fmt.Sprintf("%s = %s instead of %s", x.Of, x.To, x.Now)
		if x.To == "off" {
			what = "being without " + x.Of
		}
		list = append(list, fmt.Sprintf("%s moves most by %s: %s.", d.Figure, what, by))
	} else {
		list = append(list, fmt.Sprintf("Nothing that was changed moves %s significantly.", d.Figure))
	}
	rules := ""
	if d.Rules {
		rules = ", and rules that these fights use"
	}
	list = append(list, fmt.Sprintf("%s could be changed: numbers of the creatures, how many there are of each, options%s. %d of them made no difference in the fights for screening. %s in all.", countText(d.Screened, "thing"), rules, d.Without, countText(d.Fights, "fight")))
	if h := d.House; h != nil && h.All.Of != "" {
		f := sim.FigureReport{Share: d.Share, Change: h.All.Change, Low: h.All.Low, High: h.All.High}
		by, low, high := f.Words()
		list = append(list, fmt.Sprintf("%s changes it by %s (95 %% interval %s to %s), with %s in use.", h.All.Of, by, low, high, countText(len(h.Parts), "part")))
	}
	return list
}

// sensitivityCSV has a row for each change.
func sensitivityCSV(d *sensitivityDocument) [][]string {
	rows := [][]string{{"table", "of", "kind", "now", "to", "value", "change", "low", "high", "p_value", "significant"}}
	add := func(table string, list []changeEffect) {
		for _, x := range list {
			rows = append(rows, []string{table, x.Of, x.Kind, x.Now, x.To, exactly(x.Value), exactly(x.Change), exactly(x.Low), exactly(x.High), exactly(x.PValue), strconv.FormatBool(x.Significant)})
		}
	}
	add("changes", d.Changes)
	if h := d.House; h != nil {
		add("parts", append(slices.Clone(h.Parts), allOf(h)...))
		add("interactions", h.Interactions)
	}
	return rows
}

// plotOfSensitivity draws the changes, what moves most at the top; of house rules their parts as well.
func plotOfSensitivity(d *sensitivityDocument) *picture {
	c := rowChart{title: d.Title + ": what moves " + d.Figure, subtitle: fmt.Sprintf("%s as written, seed %d; change, lines are 95 %% intervals; * significant", figureText(d.Share, d.AsWritten.Value), d.Seed), share: d.Share, change: true}
	add := func(list []changeEffect, to bool) {
		for _, x := range list {
			row := chartRow{name: x.Of, points: []sim.Estimate{{Value: x.Change, Low: x.Low, High: x.High}}, tips: []string{x.Of + ": " + x.To}}
			if to {
				row.text = x.To
			}
			if x.Significant {
				row.text += " *"
			}
			c.rows = append(c.rows, row)
		}
	}
	add(d.Changes, true)
	if h := d.House; h != nil {
		add(h.Parts, false)
		add(h.Interactions, false)
	}
	return c.draw()
}
