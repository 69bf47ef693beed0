package show

import (
	"strings"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

// This file quotes a source line under a message, with the marks below the right characters, whatever the line
// contains.

// maxExcerptWidth is the longest excerpt, in columns, and narrowest the shortest; of a longer line the part around the
// mark is shown.
const maxExcerptWidth, minExcerptWidth = 116, 16

// excerpt returns the line as shown in that many columns, and the marks below the bytes from..to.
func excerpt(line string, from, to, width int) (text, marks string) {
	from = min(max(from, 0), len(line))
	to = min(max(to, from), len(line))
	var shown []string // one element for each character of the source
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
		shown = append(shown, term.Visible(r))
	}
	if first < 0 { // after the last character
		first = len(shown)
	}
	last = max(last, first)

	// The window of a long line starts a little before the mark.
	begin, end := 0, len(shown)
	if totalWidth(shown) >= width { // a mark may be after the last character
		room := width - 2*len("...")
		begin = max(0, first-room/3)
		for end = begin; end < len(shown) && totalWidth(shown[begin:end+1]) <= room; end++ {
		}
	}
	var t, m strings.Builder
	if begin > 0 {
		t.WriteString("...")
		m.WriteString("   ")
	}
	for i := begin; i < end; i++ {
		t.WriteString(shown[i])
		switch w := term.Columns(shown[i]); {
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

func totalWidth(shown []string) int {
	n := 0
	for _, s := range shown {
		n += term.Columns(s)
	}
	return n
}
