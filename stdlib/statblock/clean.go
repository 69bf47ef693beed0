package statblock

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxSource is how large a source may be, in bytes.
const MaxSource = 4 << 20

// maxLine is how many characters a line may have; the rest of a longer one goes on in the next line.
const maxLine = 64 << 10

// Line is a line of plain characters.
type Line struct {
	Text string
	at   []Place // of each byte
	ends bool    // a page ends with it
}

// At returns where a byte of the line stood.
func (l *Line) At(offset int) Place {
	if offset < len(l.at) {
		return l.at[offset]
	}
	if n := len(l.at); n > 0 {
		p := l.at[n-1]
		p.Col++
		return p
	}
	return Place{1, 1}
}

// slice returns a part of the line, without spaces around it.
func (l *Line) slice(start, end int) Line {
	for start < end && isSpace(l.Text[start]) {
		start++
	}
	for end > start && isSpace(l.Text[end-1]) {
		end--
	}
	return Line{Text: l.Text[start:end], at: l.at[start:end]}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' }

// tooLargeError says that a source exceeds MaxSource.
type tooLargeError struct{ Size int }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the text has more than %d MB: split it into parts", MaxSource>>20)
}

// Clean turns a source into lines: HTML and the marks of Markdown become plain text, quotes, dashes, ligatures, spaces
// and wide characters their plain forms, and what cannot be seen disappears. A dash that stands for nothing, or between a
// word and a list, is an em dash; in front of a number it is a minus sign. Tabs remain.
func Clean(src []byte) ([]Line, error) {
	if len(src) > MaxSource {
		return nil, &tooLargeError{len(src)}
	}
	src = decode(src)
	if looksLikeHTML(src) {
		return htmlLines(src), nil
	}
	var c cleaner
	line, col := 1, 0
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		i += n
		col++
		switch {
		case r == '\r':
			if i < len(src) && src[i] == '\n' {
				i++
			}
			fallthrough
		case r == '\f':
			c.endLine()
			c.lines[len(c.lines)-1].ends = true
			line, col = line+1, 0
		case r == '\n', r == '\v', r == '\u0085', r == '\u2028', r == '\u2029':
			c.endLine()
			line, col = line+1, 0
		default:
			c.add(r, Place{line, col})
		}
	}
	return stripMarkup(c.finish()), nil
}

// decode makes UTF-8 of UTF-16 with a byte order mark, and of single bytes of the Western code page.
func decode(src []byte) []byte {
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}), bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		little := src[0] == 0xff
		var units []uint16
		for i := 2; i+1 < len(src); i += 2 {
			a, b := src[i], src[i+1]
			if little {
				a, b = b, a
			}
			units = append(units, uint16(a)<<8|uint16(b))
		}
		return []byte(string(utf16.Decode(units)))
	case utf8.Valid(src):
		return bytes.TrimPrefix(src, []byte("\ufeff"))
	}
	var out []byte
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			if r = rune(src[0]); r >= 0x80 && r < 0xa0 {
				r = western[r-0x80]
			}
		}
		out = utf8.AppendRune(out, r)
		src = src[n:]
	}
	return out
}

// western has the characters that Windows puts at 0x80 to 0x9f.
var western = [32]rune{'€', ' ', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', ' ', 'Ž', ' ', ' ', '\'', '\'', '"', '"', '•', '–', '—', '˜', '™', 'š', '›', 'œ', ' ', 'ž', 'Ÿ'}

// cleaner collects lines of plain characters.
type cleaner struct {
	lines []Line
	text  []byte
	at    []Place
}

func (c *cleaner) put(s string, p Place) {
	c.text = append(c.text, s...)
	for range len(s) {
		c.at = append(c.at, p)
	}
}

// add adds a character in its plain form.
func (c *cleaner) add(r rune, p Place) {
	if len(c.text) >= maxLine {
		c.endLine()
	}
	switch r {
	case '\t':
		c.put("\t", p)
		return
	case '\u2018', '\u2019', '\u201a', '\u201b', '\u2032', '`', '\u00b4':
		c.put("'", p)
		return
	case '\u201c', '\u201d', '\u201e', '\u201f', '\u2033', '\u00ab', '\u00bb':
		c.put("\"", p)
		return
	case '\u2010', '\u2011', '\u2212', '\ufe63', '\uff0d', '\u207b', '\u02d7', '\u2796':
		c.put("-", p)
		return
	case '\u2012', '\u2013':
		c.put("–", p)
		return
	case '\u2014', '\u2015', '\ufe58', '\u2500':
		c.put("—", p)
		return
	case '\u00d7', '\u2715', '\u2a2f':
		c.put("x", p)
		return
	case '\u2022', '\u25cf', '\u25aa', '\u00b7':
		c.put(" ", p)
		return
	case '\ufffd', '\u00ad':
		return
	}
	switch {
	case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
		c.put(string(r), p)
	case unicode.IsSpace(r):
		c.put(" ", p)
	case unicode.Is(unicode.Cf, r), unicode.IsControl(r), unicode.Is(unicode.Co, r):
	case r >= '\u00bc' && r <= '\u00be', r >= '\u2150' && r <= '\u215e': // a fraction, with a hyphen behind a whole number
		if n := len(c.text); n > 0 && c.text[n-1] >= '0' && c.text[n-1] <= '9' {
			c.put("-", p)
		}
		c.put(strings.ReplaceAll(norm.NFKC.String(string(r)), "\u2044", "/"), p)
	default:
		c.put(strings.ReplaceAll(norm.NFKC.String(string(r)), "\u2044", "/"), p)
	}
}

func (c *cleaner) endLine() {
	l := Line{Text: string(c.text), at: c.at}
	l = settleDashes(l)
	l = stripMarks(l)
	c.lines = append(c.lines, l.slice(0, len(l.Text)))
	c.text, c.at = nil, nil
}

func (c *cleaner) finish() []Line {
	if len(c.text) > 0 {
		c.endLine()
	}
	return c.lines
}

// settleDashes decides what a dash is. A long one, or two hyphens, in front of a digit is a minus sign, unless letters
// stand before it. A short one between letters is a hyphen. All others become em dashes. A rule of hyphens remains.
func settleDashes(l Line) Line {
	if !strings.ContainsAny(l.Text, "—–") && !strings.Contains(l.Text, "--") {
		return l
	}
	var out Line
	var text []byte
	put := func(s string, at Place) {
		text = append(text, s...)
		for range len(s) {
			out.at = append(out.at, at)
		}
	}
	for i := 0; i < len(l.Text); {
		rest := l.Text[i:]
		n, short := 0, false
		switch {
		case strings.HasPrefix(rest, "—"):
			n = len("—")
		case strings.HasPrefix(rest, "–"):
			n, short = len("–"), true
		case strings.HasPrefix(rest, "--"):
			for n < len(rest) && rest[n] == '-' {
				n++
			}
			if n > 2 {
				put(rest[:n], l.at[i])
				i += n
				continue
			}
		default:
			text, out.at = append(text, l.Text[i]), append(out.at, l.at[i])
			i++
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest[n:])
		before, _ := utf8.DecodeLastRune(text)
		switch {
		case next >= '0' && next <= '9' && !unicode.IsLetter(before), short && unicode.IsLetter(before) && unicode.IsLetter(next):
			put("-", l.at[i])
		default:
			put("—", l.at[i])
		}
		i += n
	}
	out.Text = string(text)
	return out
}

// stripMarks drops the marks of Markdown: stars around words, and what begins a headline, a list or a quotation.
func stripMarks(l Line) Line {
	start := 0
	for start < len(l.Text) && (l.Text[start] == '#' || l.Text[start] == '>' || isSpace(l.Text[start])) {
		start++
	}
	if start < len(l.Text) && strings.Trim(l.Text[:start], " \t") == "" {
		start = 0
	}
	if rest := l.Text[start:]; strings.HasPrefix(rest, "* ") || strings.HasPrefix(rest, "- **") || strings.HasPrefix(rest, "- __") {
		start += 2
	}
	end := len(l.Text)
	for end-start > 2 && strings.Count(l.Text[start:end], l.Text[start:start+1])%2 == 0 && (l.Text[start] == '*' || l.Text[start] == '_') && l.Text[start] == l.Text[end-1] && l.Text[start+1] != ' ' {
		start, end = start+1, end-1
	}
	l = Line{Text: l.Text[start:end], at: l.at[start:end]}
	if !strings.Contains(l.Text, "**") && !strings.Contains(l.Text, "__") {
		return l
	}
	var out Line
	var text []byte
	for i := 0; i < len(l.Text); i++ {
		if i+1 < len(l.Text) && l.Text[i] == l.Text[i+1] && (l.Text[i] == '*' || l.Text[i] == '_') {
			i++
			continue
		}
		text, out.at = append(text, l.Text[i]), append(out.at, l.at[i])
	}
	out.Text = string(text)
	return out
}
