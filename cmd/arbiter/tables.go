package main

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
)

// This file prints tables. On a terminal each row keeps to one line: what does not fit is cut.

// longestBar is the length of the longest bar, in columns.
const longestBar = 30

// usualWidth is how wide a table is that is to fit everywhere, in columns.
const usualWidth = 80

// table prints rows in columns.
func (a *app) table(rows [][]string) { a.aligned("", rows, term.Widths(rows), 0, false) }

// figures prints, below an empty line, a head and rows of a name, so many columns of numbers, and the rest.
func (a *app) figures(rows [][]string, numbers int) {
	fmt.Fprintln(a.out)
	a.aligned("  ", rows, term.Widths(rows), numbers, true)
}

// sheets prints tables of the same columns below each other, each as figures prints one.
func (a *app) sheets(tables [][][]string, numbers int) {
	widths := term.Widths(slices.Concat(tables...))
	for _, rows := range tables {
		fmt.Fprintln(a.out)
		a.aligned("  ", rows, widths, numbers, true)
	}
}

// paragraph prints a sentence, broken into lines; a number stays with its sign of percent.
func (a *app) paragraph(text string) {
	const tied = "\u00a0%"
	text = strings.Join(term.Wrap(strings.ReplaceAll(text, " %", tied), a.columns(), "", "  "), "\n")
	fmt.Fprintln(a.out, strings.ReplaceAll(text, tied, " %"))
}

// aligned prints rows in columns of these widths; so many from the second on are numbers.
func (a *app) aligned(indent string, rows [][]string, widths []int, numbers int, head bool) {
	for n, r := range rows {
		line := indent
		for i, cell := range r {
			if i > 0 {
				line += "  "
			}
			if room := widths[i] - term.Columns(cell); i > 0 && i <= numbers {
				line += strings.Repeat(" ", room) + cell
			} else {
				line += cell + strings.Repeat(" ", room)
			}
		}
		if line = a.fit(strings.TrimRight(line, " ")); n == 0 && head {
			line = a.dim(line)
		}
		fmt.Fprintln(a.out, line)
	}
}

// barred puts a bar behind each row, as long as its share is beside the largest; on a terminal the longest one fits.
func (a *app) barred(rows [][]string, shares []float64) [][]string {
	most, room := 0.0, longestBar
	for _, s := range shares {
		most = max(most, s)
	}
	if a.screen.out.Width > 0 {
		left := a.screen.out.Width - 2
		for _, w := range term.Widths(rows) {
			left -= w + 2
		}
		room = max(1, min(room, left))
	}
	for i, s := range shares {
		rows[i] = append(rows[i], a.screen.out.Bar(s, most, room))
	}
	return rows
}

// columns is how wide text is that is broken into lines.
func (a *app) columns() int {
	if a.screen.out.Width > 0 {
		return a.screen.out.Width
	}
	return usualWidth
}

// fit cuts a line to the width of the screen; a pipe gets all of it.
func (a *app) fit(line string) string {
	if a.screen.out.Width < 4 {
		return line
	}
	return a.screen.out.Cut(line, a.screen.out.Width)
}
