package main

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
)

// This file prints tables. On a terminal each row keeps to one line: columns of numbers that do not fit go below the
// others, and whatever still does not fit is cut.

// Lengths of the longest bar of a table, in columns.
const (
	shortestBar = 4
	longestBar  = 30
)

// tableWidth is the width of a table that must fit everywhere, in columns.
const tableWidth = 80

// printTable prints rows in columns.
func (a *app) printTable(rows [][]string) {
	if len(rows) == 0 {
		return
	}
	a.printAligned("", rows, term.ColumnWidths(rows), 0, false)
}

// printNumberTable prints an empty line, then a table with a header: names, that many columns of numbers, and the rest.
func (a *app) printNumberTable(rows [][]string, numbers int) {
	fmt.Fprintln(a.out)
	a.printAligned("  ", rows, term.ColumnWidths(rows), numbers, true)
}

// printWideTable prints a table of numbers with names, as many columns at a time as fit.
func (a *app) printWideTable(table [][]string) {
	widths := term.ColumnWidths(table)
	for from := 1; from < len(table[0]); {
		room := 2 + widths[0]
		to := from
		for to < len(table[0]) && (to == from || room+2+widths[to] <= a.textWidth()) {
			room += 2 + widths[to]
			to++
		}
		var part [][]string
		for _, row := range table {
			part = append(part, append([]string{row[0]}, row[from:to]...))
		}
		a.printNumberTable(part, to-from)
		from = to
	}
}

// printNumberTables prints tables with the same columns one below the other, each as figures does.
func (a *app) printNumberTables(tables [][][]string, numbers int) {
	widths := term.ColumnWidths(slices.Concat(tables...))
	for _, rows := range tables {
		fmt.Fprintln(a.out)
		a.printAligned("  ", rows, widths, numbers, true)
	}
}

// printParagraph prints a sentence, wrapped; a percent sign stays with its number.
func (a *app) printParagraph(text string) {
	const tied = "\u00a0%"
	text = strings.Join(term.Wrap(strings.ReplaceAll(text, " %", tied), a.textWidth(), "", "  "), "\n")
	fmt.Fprintln(a.out, strings.ReplaceAll(text, tied, " %"))
}

// printAligned prints rows in columns of these widths; that many after the first hold numbers, which are right-aligned.
// On a screen too narrow for all columns, the table is split into parts one below the other, each with the names.
func (a *app) printAligned(indent string, rows [][]string, widths []int, numbers int, head bool) {
	names, parts := splitColumns(a.screen.out.Width, len(indent), widths, numbers)
	for n, columns := range parts {
		if n > 0 {
			fmt.Fprintln(a.out)
		}
		for k, r := range rows {
			line := indent + term.Pad(a.screen.out.Cut(r[0], names), names)
			for _, i := range columns {
				if i >= len(r) {
					break
				}
				room := strings.Repeat(" ", widths[i]-term.Columns(r[i]))
				if line += "  "; i <= numbers {
					line += room + r[i]
				} else {
					line += r[i] + room
				}
			}
			if line = a.cutToScreen(strings.TrimRight(line, " ")); k == 0 && head {
				line = a.dim(line)
			}
			fmt.Fprintln(a.out, line)
		}
	}
}

// splitColumns are the columns of the table that are side by side on a screen of that width, and the width of the names,
// which precede each part. Tables without numbers are not split.
func splitColumns(screen, indent int, widths []int, numbers int) (names int, list [][]int) {
	var all []int
	rest, widest := 0, 0
	for i, w := range widths[1:] {
		all = append(all, i+1)
		rest += w + 2
		widest = max(widest, w+2)
	}
	least := min(widths[0], max(4, min(screen/2-4, screen-indent-widest)))
	switch {
	case screen < narrowest || numbers == 0 || indent+widths[0]+rest <= screen:
		return widths[0], [][]int{all}
	case indent+least+rest <= screen:
		return screen - indent - rest, [][]int{all}
	}
	room := 0
	for _, i := range all {
		if need := widths[i] + 2; len(list) == 0 || room < need {
			list = append(list, nil)
			room = screen - indent - least
		}
		last := len(list) - 1
		list[last] = append(list[last], i)
		room -= widths[i] + 2
	}
	return least, list
}

// narrowest is the smallest screen width, in columns, for which a table is rearranged.
const narrowest = 20

// addBarColumn adds the header, unless it is nil, and a bar to each row, proportional to its share. The longest bar
// fits on the screen; where that leaves hardly any room, there are none.
func (a *app) addBarColumn(head []string, rows [][]string, shares []float64) [][]string {
	most, room := 0.0, a.textWidth()-2
	for _, s := range shares {
		most = max(most, s)
	}
	list := rows
	if head != nil {
		list = append([][]string{head}, rows...)
	}
	for _, w := range term.ColumnWidths(list) {
		room -= w + 2
	}
	if room < shortestBar {
		return list
	}
	for i, s := range shares {
		rows[i] = append(rows[i], a.screen.out.Bar(s, most, min(room, longestBar)))
	}
	if head != nil {
		copy(list[1:], rows)
	}
	return list
}

// textWidth is the width to which text is wrapped.
func (a *app) textWidth() int {
	if a.screen.out.Width > 0 {
		return a.screen.out.Width
	}
	return tableWidth
}

// fits reports whether columns of these widths have room side by side.
func (a *app) fits(widths []int) bool {
	room := a.textWidth()
	for _, w := range widths {
		room -= 2 + w
	}
	return room >= 0
}

// cutToScreen cuts a line to the width of the screen; a pipe gets the whole line.
func (a *app) cutToScreen(line string) string {
	if a.screen.out.Width < 4 {
		return line
	}
	return a.screen.out.Cut(line, a.screen.out.Width)
}
