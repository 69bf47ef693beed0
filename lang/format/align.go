package format

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file aligns the finished lines: field values, citations, comments. It never breaks a line, so alignment does not
// influence the layout, and formatting twice changes nothing.

// eachRun calls f for each longest run of lines that satisfy in and share an indentation. The lines are adjacent, or
// separated only by the continuation lines of their own clauses.
func eachRun(lines []line, in func(*line) bool, f func([]*line)) {
	var run []*line
	for i := range lines {
		l := &lines[i]
		if len(run) > 0 && l.text != "" && l.indent > run[0].indent && !in(l) {
			continue
		}
		if len(run) > 0 && (!in(l) || l.indent != run[0].indent) {
			f(run)
			run = nil
		}
		if in(l) {
			run = append(run, l)
		}
	}
	if len(run) > 0 {
		f(run)
	}
}

// alignFields aligns the values of a run of fields, unless a line would become too long.
func (r *renderer) alignFields(run []*line) {
	column := 0
	for _, l := range run {
		column = max(column, l.tab)
	}
	for _, l := range run {
		if utf8.RuneCountInString(l.text)+column-l.tab > r.width {
			return
		}
	}
	for _, l := range run {
		l.text = l.text[:l.tab] + strings.Repeat(" ", column-l.tab) + l.text[l.tab:]
		if l.margin > 0 {
			l.margin += column - l.tab
		}
	}
}

// endsInCites reports whether a line ends in the citations of its own clause.
func endsInCites(l *line) bool { return l.margin > 0 && !strings.Contains(l.text[l.margin:], "}") }

// alignCitations aligns the citations of a run. The longest lines are left out as long as some citation would not fit.
func (r *renderer) alignCitations(run []*line) {
	shortest := slices.SortedFunc(slices.Values(run), func(a, b *line) int { return cmp.Compare(a.body(), b.body()) })
	column, longest := 0, 0
	for _, l := range shortest {
		longest = max(longest, utf8.RuneCountInString(l.text[l.margin:]))
		if l.body()+longest <= r.width {
			column = l.body()
		}
	}
	for _, l := range run {
		if pad := column - l.body(); pad > 0 {
			l.text = l.text[:l.margin] + strings.Repeat(" ", pad) + l.text[l.margin:]
		}
	}
}

// body is the width of a line up to its citations.
func (l *line) body() int { return utf8.RuneCountInString(l.text[:l.margin]) }

// alignComments aligns the trailing comments of a run.
func alignComments(run []*line) {
	column := 0
	for _, l := range run {
		column = max(column, utf8.RuneCountInString(l.text))
	}
	for _, l := range run {
		l.text += strings.Repeat(" ", column+2-utf8.RuneCountInString(l.text))
	}
}
