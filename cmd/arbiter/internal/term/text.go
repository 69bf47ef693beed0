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

// Clean makes untrusted text harmless: none of its control sequences reaches the terminal. It may have several lines.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// Cut shortens a text to at most that many columns. What is cut off is replaced by an ellipsis: one character where the
// screen has it, otherwise dots.
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
		if used += RuneWidth(r); used > room {
			return strings.TrimRight(text[:i], " ") + dots
		}
	}
	return text
}

// Pad appends spaces to a text until it takes that many columns.
func Pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-Columns(text), 0))
}

// Wrap breaks a text at its spaces, but not at non-breaking ones, into lines of that many columns. The first line is
// prefixed with first, the others with rest. A text that fits is unchanged; a word longer than a line has a line to
// itself.
func Wrap(text string, columns int, first, rest string) []string {
	if Columns(first+text) <= columns {
		return []string{first + text}
	}
	var lines []string
	line, empty := first, true
	for _, word := range strings.FieldsFunc(text, isBreak) {
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

// isBreak says whether a line may end at a character.
func isBreak(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }

// Percent formats a share as a percentage with at most that many decimal places. Only an exact 0 is written as 0, and
// only an exact 1 as 100.
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

// ColumnWidths returns the width of each column of a table: that of its widest cell.
func ColumnWidths(rows [][]string) (widths []int) {
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

// Bar is the bar of a part, where the largest value, most, fills all columns, rounded to the nearest column.
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
