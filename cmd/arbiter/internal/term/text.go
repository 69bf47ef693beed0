package term

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file makes text fit into columns.

// Clean makes a text of a stranger harmless: no control sequence of it reaches the terminal. It may have several lines.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// Cut gives a text in so many columns at most. What is cut off is marked by dots, or by the one character for them where the
// screen has it.
func (s Screen) Cut(text string, columns int) string {
	if Columns(text) <= columns {
		return text
	}
	dots := "..."
	if s.Unicode {
		dots = "…"
	}
	room := columns - Columns(dots)
	if room < 1 {
		return dots[:len(dots)*max(columns, 0)/max(columns, Columns(dots))]
	}
	used := 0
	for i, r := range text {
		if used += Width(r); used > room {
			return strings.TrimRight(text[:i], " ") + dots
		}
	}
	return text
}

// Pad puts blanks behind a text until it takes so many columns.
func Pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-Columns(text), 0))
}

// Wrap breaks a text at its blanks, but not at those that are to hold, into lines of so many columns, the first behind first, the others behind rest. A text that
// fits stays as it is; a word that is longer than a line stands alone in one.
func Wrap(text string, columns int, first, rest string) []string {
	if Columns(first+text) <= columns {
		return []string{first + text}
	}
	var lines []string
	line, empty := first, true
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }) {
		if !empty && Columns(line)+1+Columns(word) > columns {
			lines = append(lines, line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(lines, line)
}

// Percent writes a share as hundredths, with so many digits behind the point at the most. What is not nothing is never written
// as nothing, nor what is not all as all.
func Percent(share float64, digits int) string {
	text := strconv.FormatFloat(100*share, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	least := math.Pow(10, -float64(digits))
	switch {
	case text == "0" && share > 0:
		return fmt.Sprintf("< %.*f %%", digits, least)
	case text == "100" && share < 1:
		return fmt.Sprintf("> %.*f %%", digits, 100-least)
	}
	return text + " %"
}

// Widths measures the columns of a table: the widest cell of each.
func Widths(rows [][]string) (widths []int) {
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	return widths
}

// Bar is as many of so many columns as a part is of the most, to the nearest.
func (s Screen) Bar(part, most float64, columns int) string {
	if most <= 0 || part <= 0 || columns <= 0 {
		return ""
	}
	sign := "#"
	if s.Unicode {
		sign = "█"
	}
	return strings.Repeat(sign, int(min(part/most, 1)*float64(columns)+0.5))
}
