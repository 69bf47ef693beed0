package statblock

import (
	"strings"

	"arbiter/stdlib/pattern"
)

// This file reads pages of several columns: text that stands beside other text, with spaces between.

// Limits of the search for the space between the columns of a page.
const (
	maxPage    = 5000 // lines of a page, if nothing says where it ends
	leastLabel = 3    // lines on each side that begin with a label
	maxGutters = 3    // on one page, beside each other
)

var wideSpace = pattern.New(` {2,}`)

// spreadPages puts the columns of a page below each other: first all of the left one, then all of the right one. A page
// has columns if both sides of a gap have lines that begin with labels; in a table only the left side has them.
func (s *splitter) spreadPages(lines []Line) []Line { return s.spreadGutters(lines, maxGutters) }

func (s *splitter) spreadGutters(lines []Line, left int) []Line {
	if left == 0 {
		return lines
	}
	var out []Line
	tried := map[int]int{} // by column: up to which line it is no gutter
	for i := 0; i < len(lines); {
		n, col := s.page(lines, i, tried)
		if n == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		var a, b []Line
		for _, l := range lines[i : i+n] {
			before, behind, _ := cutAt(&l, col)
			a, b = append(a, before), append(b, behind)
		}
		out = append(append(out, s.spreadGutters(a, left-1)...), Line{})
		out = append(append(out, s.spreadGutters(b, left-1)...), Line{})
		i += n
	}
	return out
}

// page returns how many lines from the first one on stand on both sides of a gutter, and the column in which the right
// side begins; 0 if there is none.
func (s *splitter) page(lines []Line, first int, tried map[int]int) (n, col int) {
	l := &lines[first]
	if !strings.Contains(l.Text, "  ") || strings.ContainsAny(l.Text, "|\t") {
		return 0, 0
	}
	for _, m := range wideSpace().FindAllStringIndex(l.Text, maxGutters) {
		col := l.At(m[1]).Col
		if m[0] == 0 || tried[col] > first {
			continue
		}
		n, labels := 0, [2]int{}
		for first+n < len(lines) && n < maxPage {
			before, behind, ok := cutAt(&lines[first+n], col)
			if !ok {
				break
			}
			for k, side := range [2]Line{before, behind} {
				if found := s.labels.find(side.Text); len(found) > 0 && found[0].start == 0 && found[0].key != "" && strings.TrimSpace(side.Text[found[0].text:]) != "" {
					labels[k]++
				}
			}
			n++
			if l := &lines[first+n-1]; l.ends || isPageNumber(l.Text) {
				break
			}
		}
		if labels[0] >= leastLabel && labels[1] >= leastLabel {
			return n, col
		}
		tried[col] = first + n
	}
	return 0, 0
}

// cutAt divides a line where two spaces or more end at a column or go across it. A line that ends before the column, or
// begins behind it, is on one side. ok is false if text stands across the column.
func cutAt(l *Line, col int) (before, behind Line, ok bool) {
	if l.Text == "" || l.At(len(l.Text)-1).Col < col-1 {
		return l.slice(0, len(l.Text)), Line{}, true
	}
	if l.At(0).Col >= col {
		return Line{}, l.slice(0, len(l.Text)), true
	}
	at := 0
	for at < len(l.Text) && l.At(at).Col < col {
		at++
	}
	start, end := at, at
	for start > 0 && l.Text[start-1] == ' ' {
		start--
	}
	for end < len(l.Text) && l.Text[end] == ' ' {
		end++
	}
	if at-start == 0 || end-start < 2 {
		return Line{}, Line{}, false
	}
	return l.slice(0, start), l.slice(end, len(l.Text)), true
}
