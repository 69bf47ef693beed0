package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file measures text in columns, and makes it fit.

// Columns is how many columns a text takes on a screen: two for a character of the wide scripts, none for marks that combine
// and for what is not shown.
func Columns(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff: // Hangul that joins what is before it
		return 0
	case r >= 0x1100 && (r <= 0x115f || 0x2e80 <= r && r <= 0xa4cf || 0xa960 <= r && r <= 0xa97f || 0xac00 <= r && r <= 0xd7a3 ||
		0xf900 <= r && r <= 0xfaff || 0xfe30 <= r && r <= 0xfe6f || 0xff00 <= r && r <= 0xff60 || 0xffe0 <= r && r <= 0xffe6 ||
		0x1f300 <= r && r <= 0x1f64f || 0x1f680 <= r && r <= 0x1f6ff || 0x1f900 <= r && r <= 0x1faff || 0x20000 <= r && r <= 0x3fffd):
		return 2
	}
	return 1
}

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
		if used += runeColumns(r); used > room {
			return strings.TrimRight(text[:i], " ") + dots
		}
	}
	return text
}

// Pad puts blanks behind a text until it takes so many columns.
func Pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-Columns(text), 0))
}

// Wrap breaks a text at its blanks into lines of so many columns, the first behind first, the others behind rest. A text that
// fits stays as it is; a word that is longer than a line stands alone in one.
func Wrap(text string, columns int, first, rest string) []string {
	if Columns(first+text) <= columns {
		return []string{first + text}
	}
	var lines []string
	line, empty := first, true
	for _, word := range strings.Fields(text) {
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
