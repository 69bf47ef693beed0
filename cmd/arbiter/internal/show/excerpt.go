package show

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file fits a line of somebody's source under a message: on a screen, with the marks below the right characters,
// whatever the line holds.

// widest is the longest excerpt, in columns; of a longer line the part around the mark is shown.
const widest = 110

// excerpt gives the line as it is shown, and the marks that go below the bytes from..to.
func excerpt(line string, from, to int) (text, marks string) {
	from = min(max(from, 0), len(line))
	to = min(max(to, from), len(line))
	var shown []string // one character of the source each
	first, last := -1, -1
	for i, size := 0, 0; i < len(line); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(line[i:])
		if i+size > from && first < 0 {
			first = len(shown)
		}
		if i < to {
			last = len(shown)
		}
		shown = append(shown, visible(r))
	}
	if first < 0 { // behind the last character
		first = len(shown)
	}
	last = max(last, first)

	// The window of a long line begins somewhat before the mark.
	begin, end := 0, len(shown)
	if columns(shown) > widest {
		begin = max(0, first-widest/3)
		for end = begin; end < len(shown) && columns(shown[begin:end+1]) <= widest; end++ {
		}
	}
	var t, m strings.Builder
	if begin > 0 {
		t.WriteString("...")
		m.WriteString("   ")
	}
	for i := begin; i < end; i++ {
		t.WriteString(shown[i])
		switch w := width(shown[i]); {
		case i < first:
			m.WriteString(strings.Repeat(" ", w))
		case i <= last:
			m.WriteString(strings.Repeat("^", w))
		}
	}
	if end < len(shown) {
		t.WriteString("...")
	}
	if marks = m.String(); !strings.Contains(marks, "^") {
		marks += "^"
	}
	return t.String(), marks
}

// visible makes a character of a script harmless: no control sequence of a stranger reaches the terminal.
func visible(r rune) string {
	switch {
	case r == '\t':
		return "    "
	case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return "?"
	}
	return string(r)
}

// clean does the same for a message, which may have several lines.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return '?'
		}
		return r
	}, s)
}

func columns(shown []string) int {
	n := 0
	for _, s := range shown {
		n += width(s)
	}
	return n
}

// width is the number of columns of a shown character: two for the wide scripts, none for marks that combine.
func width(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case size < len(s):
		return len(s) // a tab
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100 && (r <= 0x115f || 0x2e80 <= r && r <= 0xa4cf || 0xac00 <= r && r <= 0xd7a3 ||
		0xf900 <= r && r <= 0xfaff || 0xfe30 <= r && r <= 0xfe6f || 0xff00 <= r && r <= 0xff60 ||
		0x1f300 <= r && r <= 0x1f64f || 0x1f900 <= r && r <= 0x1f9ff || 0x20000 <= r && r <= 0x3fffd):
		return 2
	}
	return 1
}
