package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/sim"
)

// This file prints and draws the ranks of candidates.

// printMatrix prints the ranks for a person.
func (a *app) printMatrix(d *matrixDocument, top int) {
	foes := ""
	if len(d.Foes) > 1 {
		foes = fmt.Sprintf(" against %s", countText(len(d.Foes), "foe"))
	}
	fmt.Fprintf(a.out, "%s: %s%s, %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(d.Title)), countText(len(d.Candidates), "candidate"), foes, d.Figure, d.Seed)
	for _, w := range d.Warnings {
		a.printWarning(w)
	}
	if len(d.Candidates) == 0 {
		return
	}
	fmt.Fprintln(a.out)
	for _, line := range d.texts(top) {
		a.printParagraph(line)
	}
	head := []string{a.screen.out.Cut(strings.Join(d.By, ", "), maxValueWidth), "place", a.screen.out.Cut(d.Figure, maxValueWidth), "interval", "fights"}
	rows, shares := [][]string{}, []float64{}
	for _, x := range d.Candidates {
		rows = append(rows, []string{a.screen.out.Cut(x.Name, maxValueWidth), x.places(), figureText(d.Share, x.Figure), estimateText(d.Share, sim.Estimate{Low: x.Low, High: x.High}), fmt.Sprint(x.Fights * uint64(len(d.Foes)))})
		shares = append(shares, x.Figure)
	}
	a.printNumberTable(a.addBarColumn(head, rows, shares), 4)
	if len(d.Foes) > 1 {
		a.printAgainst(d)
	}
}

// printAgainst prints the figure of each candidate against each foe, as many foes at a time as fit.
func (a *app) printAgainst(d *matrixDocument) {
	table := [][]string{{"against"}}
	for _, foe := range d.Foes {
		table[0] = append(table[0], a.screen.out.Cut(foe, maxValueWidth))
	}
	for _, x := range d.Candidates {
		row := []string{a.screen.out.Cut(x.Name, maxValueWidth)}
		for _, v := range x.Against {
			row = append(row, figureText(d.Share, v))
		}
		table = append(table, row)
	}
	a.printWideTable(table)
}

// places is the place of a candidate, or those that it may have.
func (x *matrixCandidate) places() string {
	if x.First == x.Last {
		return strconv.Itoa(x.First)
	}
	return fmt.Sprintf("%d to %d", x.First, x.Last)
}

// texts say in sentences what was found.
func (d *matrixDocument) texts(top int) (list []string) {
	first := &d.Candidates[0]
	if d.Certainty > 0 {
		list = append(list, fmt.Sprintf("%s is the best, with a certainty of at least %s.", first.Name, certaintyText(d.Certainty)))
	} else {
		var names []string
		for i := range d.Candidates {
			if x := &d.Candidates[i]; x.First == 1 {
				names = append(names, x.Name)
			}
		}
		list = append(list, "Any of these may be the best: "+strings.Join(names, ", ")+".")
	}
	if top > 1 {
		var names []string
		for i := range d.Candidates {
			if x := &d.Candidates[i]; x.Last <= top {
				names = append(names, x.Name)
			}
		}
		if len(names) > 0 {
			list = append(list, fmt.Sprintf("Certainly among the first %d: %s.", top, strings.Join(names, ", ")))
		}
	}
	if len(d.Foes) > 1 {
		if text := d.bestByFoe(first); text != "" {
			list = append(list, text)
		}
	}
	text := countText(d.Fights, "fight")
	if d.Equal > d.Fights {
		text += fmt.Sprintf("; %d if all had played as many as the first", d.Equal)
	}
	return append(list, text+". All places and intervals hold together with 95 %.")
}

// certaintyText writes a probability that is at least so much, rounded down; none is 1.
func certaintyText(p float64) string { return sim.Percent(math.Min(math.Floor(1000*p), 999) / 1000) }

// bestByFoe names the foes against which another candidate than the first has done better.
func (d *matrixDocument) bestByFoe(first *matrixCandidate) string {
	var list []string
	for k, foe := range d.Foes {
		best := first
		for i := range d.Candidates {
			x := &d.Candidates[i]
			if better := x.Against[k] > best.Against[k]; x.Against[k] != best.Against[k] && better != d.Least && !x.Dropped {
				best = x
			}
		}
		if best != first {
			list = append(list, fmt.Sprintf("against %s %s", foe, best.Name))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Observed to be better than it: " + strings.Join(list, "; ") + "."
}

// matrixCSV has a row for each candidate and foe, and one for all foes together.
func matrixCSV(d *matrixDocument) [][]string {
	rows := [][]string{append(append([]string{}, d.By...), "against", "value", "low", "high", "first", "last", "fights", "dropped")}
	for _, x := range d.Candidates {
		rows = append(rows, append(append([]string{}, x.Values...), "", exactly(x.Figure), exactly(x.Low), exactly(x.High), strconv.Itoa(x.First), strconv.Itoa(x.Last), fmt.Sprint(x.Fights*uint64(len(d.Foes))), strconv.FormatBool(x.Dropped)))
		for k, v := range x.Against {
			rows = append(rows, append(append([]string{}, x.Values...), d.Foes[k], exactly(v), "", "", "", "", fmt.Sprint(x.Fights), ""))
		}
	}
	return rows
}

// plotOfMatrix draws the candidates with their intervals, the best at the top.
func plotOfMatrix(d *matrixDocument) *picture {
	c := rowChart{title: d.Title + ": " + d.Figure, subtitle: fmt.Sprintf("seed %d; lines are intervals that hold together with 95 %%; right: places", d.Seed), share: d.Share}
	for _, x := range d.Candidates {
		c.rows = append(c.rows, chartRow{name: x.Name, points: []sim.Estimate{{Value: x.Figure, Low: max(x.Low, x.Figure-2*math.Abs(x.Figure)), High: min(x.High, x.Figure+2*math.Abs(x.Figure))}}, text: figureText(d.Share, x.Figure) + "  (" + x.places() + ")"})
	}
	return c.draw()
}
