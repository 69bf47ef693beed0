package statblock

import (
	"strings"

	"arbiter/stdlib/pattern"
)

// This file takes tables apart in which each creature has a column.

var gap = pattern.New(`\s{3,}`)

// row is a line of a table.
type row struct {
	line  Line
	cells []Line // without the empty ones, and without the label
	label Line   // "" if the first cell is empty
	key   string
}

// spreadColumns replaces each table with a column a creature by one block after the other. A table with one column
// becomes plain lines.
func (s *splitter) spreadColumns(lines []Line) []Line {
	var out []Line
	for i := 0; i < len(lines); {
		rows, known := s.table(lines[i:])
		if known < leastRows {
			n := max(1, len(rows))
			out = append(out, lines[i:i+n]...)
			i += n
			continue
		}
		i += len(rows)
		n := s.columns(rows)
		if n < 2 {
			for _, r := range rows {
				out = append(out, r.plain())
			}
			continue
		}
		for k := range n {
			out = append(out, Line{})
			for _, r := range rows {
				if l, ok := r.column(k, n); ok {
					out = append(out, l)
				}
			}
		}
		out = append(out, Line{})
	}
	return out
}

// leastRows is how many rows of a table must have labels.
const leastRows = 3

// table returns the lines that are divided into cells, from the first line on, and how many of them have labels.
func (s *splitter) table(lines []Line) (rows []row, known int) {
	for _, l := range lines {
		r, ok := s.row(l)
		if !ok {
			break
		}
		if r.key != "" {
			known++
		}
		rows = append(rows, r)
	}
	return rows, known
}

// row splits a line into cells, at bars, tabs or wide gaps.
func (s *splitter) row(l Line) (row, bool) {
	var cells []Line
	first := true
	cut := func(start, end int) {
		c := l.slice(start, end)
		if first || c.Text != "" {
			cells = append(cells, c)
		}
		first = false
	}
	switch {
	case strings.HasPrefix(l.Text, "|"):
		text := strings.TrimSuffix(l.Text, "|")
		if strings.Trim(text, "|-:+ ") == "" {
			return row{line: l}, true // the rule below the head
		}
		at := 1
		for i := 1; i <= len(text); i++ {
			if i == len(text) || text[i] == '|' {
				cut(at, i)
				at = i + 1
			}
		}
	case strings.Contains(l.Text, "\t"):
		at := 0
		for i := 0; i <= len(l.Text); i++ {
			if i == len(l.Text) || l.Text[i] == '\t' {
				cut(at, i)
				at = i + 1
			}
		}
	case gap().MatchString(l.Text):
		at := 0
		for _, m := range gap().FindAllStringIndex(l.Text, -1) {
			cut(at, m[0])
			at = m[1]
		}
		cut(at, len(l.Text))
	default:
		return row{}, false
	}
	r := row{line: l}
	if len(cells) == 0 {
		return r, true
	}
	name := strings.TrimSuffix(cells[0].Text, ":")
	key, n, _ := s.labels.match(name+":", true)
	switch {
	case key != "" && n == len(name):
		r.key, r.label, cells = key, cells[0], cells[1:]
	case cells[0].Text == "":
		cells = cells[1:]
	case strings.HasSuffix(cells[0].Text, ":"):
		r.label, cells = cells[0], cells[1:]
	}
	r.cells = cells
	return r, true
}

// columns is how many creatures the table has: the most frequent number of cells in the labelled rows.
func (s *splitter) columns(rows []row) int {
	count := map[int]int{}
	best := 1
	for _, r := range rows {
		if r.key != "" {
			n := len(r.cells)
			if count[n]++; count[n] > count[best] || count[n] == count[best] && n > best {
				best = n
			}
		}
	}
	return min(best, maxColumns)
}

const maxColumns = 12

// plain is the row of a table with one column.
func (r *row) plain() Line {
	var l Line
	l = l.then(r.label)
	if r.label.Text != "" && !strings.HasSuffix(l.Text, ":") {
		l.put(":")
	}
	for _, c := range r.cells {
		l = l.then(c)
	}
	return l
}

// column is what a row says of one of n creatures. What it says but once, it says of all.
func (r *row) column(k, n int) (Line, bool) {
	var l Line
	if r.label.Text != "" {
		l = l.then(r.label)
		if !strings.HasSuffix(l.Text, ":") {
			l.put(":")
		}
	}
	switch {
	case len(r.cells) == 0:
		return l, r.label.Text != "" || k == 0
	case len(r.cells) == 1:
		return l.then(r.cells[0]), true
	case k == n-1:
		for _, c := range r.cells[min(k, len(r.cells)-1):] {
			l = l.then(c)
		}
		return l, true
	}
	return l.then(r.cells[min(k, len(r.cells)-1)]), true
}

// then returns the line with another behind it.
func (l Line) then(more Line) Line {
	if more.Text == "" {
		return l
	}
	if l.Text != "" {
		l.put(" ")
	}
	return Line{Text: l.Text + more.Text, at: append(l.at[:len(l.at):len(l.at)], more.at...)}
}

func (l *Line) put(text string) {
	at := l.At(len(l.Text))
	l.Text += text
	for range len(text) {
		l.at = append(l.at, at)
	}
}
