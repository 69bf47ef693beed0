package statblock

import (
	"slices"
	"strings"
	"unicode/utf8"

	"arbiter/stdlib/pattern"
)

// This file gives labels the form that they have in most texts: at the start of a line or of a part of it, in one piece,
// with a colon or nothing behind them.

// leastForms is how many lines must begin with labels of an unusual form, for it to be that of the text.
const leastForms = 3

var (
	// bullet stands in front of a label.
	bullet = pattern.New(`^(?:[-—*+]|\(?\d{1,2}[.)])\s+`)
	// otherSign stands behind a label, or around it, instead of a colon.
	otherSign = pattern.New(`^(?:\[([^\[\]]{1,40})\]\s*[:=]?|([^=:.…\[\]]{1,40}?)(?:\s*=|\s+[-—]+|\s*\.{3,}|\s*…+))(?:\s+|$)`)
)

// plainLabels takes away the bullets in front of labels, and puts a colon in place of other signs behind them, if several
// lines have them.
func (s *splitter) plainLabels(lines []Line) []Line {
	type place struct{ line, start, end, rest int } // of the label, and of what stands behind it
	var places []place
	for i := range lines {
		if len(lines[i].Text) <= longestRow {
			if plain := lines[i].squeezed(); s.labels.rows[plain.Text] {
				lines[i] = plain
			}
		}
		text := lines[i].Text
		start := len(bullet().FindString(text))
		if m := otherSign().FindStringSubmatchIndex(text[start:]); m != nil {
			p := place{i, start + max(m[2], m[4]), start + max(m[3], m[5]), start + m[1]}
			if key, n, _ := s.labels.match(text[p.start:p.end]+":", true); key != "" && n == p.end-p.start && p.rest < len(text) {
				places = append(places, p)
				continue
			}
		}
		if start > 0 {
			if key, n, length := s.labels.match(text[start:], true); key != "" {
				places = append(places, place{i, start, start + n, start + length})
			}
		}
	}
	if len(places) < leastForms {
		return lines
	}
	out := append([]Line{}, lines...)
	for _, p := range places {
		l := &lines[p.line]
		mended := l.slice(p.start, p.end)
		mended.at = mended.at[:len(mended.at):len(mended.at)]
		mended.put(":")
		out[p.line] = mended.then(l.slice(p.rest, len(l.Text)))
		out[p.line].ends = l.ends
	}
	return out
}

// mendLabels puts a label together that was broken at the end of a line: its first words go to the next line.
func (s *splitter) mendLabels(lines []Line) []Line {
	lines = slices.Clone(lines)
	out := make([]Line, 0, len(lines))
	for i := range lines {
		l := lines[i]
		if i+1 < len(lines) {
			if start := s.breaksLabel(l.Text, lines[i+1].Text); start >= 0 {
				half := l.slice(start, len(l.Text))
				half.at = half.at[:len(half.at):len(half.at)]
				if !strings.HasSuffix(half.Text, "/") {
					half.put(" ")
				}
				next := &lines[i+1]
				*next = Line{Text: half.Text + next.Text, at: append(half.at, next.at...), ends: next.ends}
				if start == 0 {
					continue
				}
				rest := l.slice(0, start)
				rest.ends = l.ends
				l = rest
			}
		}
		out = append(out, l)
	}
	return out
}

// breaksLabel returns where in a line a label begins that goes on in the next line; -1 if there is none.
func (s *splitter) breaksLabel(text, next string) int {
	if text == "" || next == "" {
		return -1
	}
	for _, start := range s.labels.halves(text) {
		half := text[start:]
		if !strings.HasSuffix(half, "/") {
			half += " "
		}
		if key, n, _ := s.labels.match(half+next, true); key != "" && n > len(text)-start {
			return start
		}
	}
	return -1
}

// longestRow is how long a line may be that has only the heads of columns.
const longestRow = 200

// squeezed is a line with one space wherever it has several, or a tab.
func (l *Line) squeezed() Line {
	out := Line{ends: l.ends}
	for at, text := 0, l.Text; at < len(text); {
		start := at
		for start < len(text) && isSpace(text[start]) {
			start++
		}
		end := start
		for end < len(text) && !isSpace(text[end]) {
			end++
		}
		if start == end {
			break
		}
		out = out.then(l.slice(start, end))
		at = end
	}
	out.ends = l.ends
	return out
}

// halves lists where in a line a label may begin whose other words are in the next line.
func (p *labels) halves(text string) []int {
	var starts []int
	for _, half := range p.firsts {
		start := len(text) - len(half)
		if start < 0 || text[start:] != half {
			continue
		}
		before := strings.TrimRight(text[:start], " \t")
		if before == "" || len(before) < start && strings.ContainsRune(";.|", rune(before[len(before)-1])) {
			starts = append(starts, start)
		}
	}
	return starts
}

// turning reports whether an empty line is one of those around the number of a page.
func (s *splitter) turning(i int) bool {
	for _, step := range []int{-1, 1} {
		k := i + step
		for k >= 0 && k < len(s.marks) && s.marks[k].blank {
			k += step
		}
		if k >= 0 && k < len(s.marks) && s.marks[k].noise && isPageNumber(s.lines[k].Text) {
			return true
		}
	}
	return false
}

// Limits for lines that were broken because they were full.
const (
	leastWidth = 30
	leastLines = 5
	widest     = 160
)

// wraps reports whether a line goes on where the line above it was full: in a paragraph whose lines are all about as
// long, its first word would have been too long for the line above.
func (s *splitter) wraps(i int) bool {
	if i == 0 || s.apart(i-1) || s.marks[i-1].begins > 0 {
		return false
	}
	first, last := i, i
	for first > 0 && !s.marks[first-1].blank && i-first < 40 {
		first--
	}
	for last+1 < len(s.marks) && !s.marks[last+1].blank && last-i < 40 {
		last++
	}
	width, long := 0, 0
	for k := first; k <= last; k++ {
		width = max(width, utf8.RuneCountInString(s.lines[k].Text))
	}
	for k := first; k < last; k++ {
		if utf8.RuneCountInString(s.lines[k].Text) >= width*3/4 {
			long++
		}
	}
	word, _, _ := strings.Cut(s.lines[i].Text, " ")
	full := utf8.RuneCountInString(s.lines[i-1].Text)+1+utf8.RuneCountInString(word) > width
	return full && last-first >= leastLines && leastWidth <= width && width <= widest && long*2 >= last-first
}
