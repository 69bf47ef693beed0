package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// This file measures text in columns, character by character, like a terminal.

// RuneWidth is the number of columns of a character: two for wide scripts and most emoji, none for combining marks and
// invisible characters.
func RuneWidth(r rune) int {
	switch {
	case r < 0x20 || 0x7f <= r && r < 0xa0:
		return 0
	case r < 0x300: // Latin: the usual case
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || 0x1160 <= r && r <= 0x11ff: // the last are parts of a Hangul syllable
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Columns is the width of a text without line breaks. Escape sequences that change its style have no width.
func Columns(s string) int {
	n := 0
	for len(s) > 0 {
		if e := EscapeLength(s); e > 0 {
			s = s[e:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		n += RuneWidth(r)
		s = s[size:]
	}
	return n
}

// Unstyled is the text without the escape sequences that change its style.
func Unstyled(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if e := EscapeLength(s[i:]); e > 0 {
			i += e
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// EscapeLength is the length in bytes of an escape sequence (ESC [ parameters letter) at the start of the text; 0 if
// there is none.
func EscapeLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if c := s[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		} else if c < 0x20 || c > 0x7e {
			return 0
		}
	}
	return 0
}

// Visible makes an untrusted character harmless: no control sequence reaches the terminal. A tab becomes four spaces.
func Visible(r rune) string {
	switch {
	case r == '\t':
		return "    "
	case r == 0x200c || r == 0x200d: // within a word of some scripts, and between the parts of an emoji
		return string(r)
	case r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
		return "?"
	}
	return string(r)
}
