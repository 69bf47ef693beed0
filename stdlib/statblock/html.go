package statblock

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"arbiter/stdlib/pattern"
)

var htmlTag = pattern.New(`(?i)</?(?:html|body|p|div|br|table|tr|td|th|b|strong|h[1-6]|span|ul|li|em|i)\b[^<>]*>`)

// looksLikeHTML reports whether a text has more than one tag of HTML.
func looksLikeHTML(src []byte) bool {
	return bytes.IndexByte(src, '<') >= 0 && len(htmlTag().FindAllIndex(src, 2)) > 1
}

// htmlLines returns the lines of a page as a reader sees them. The cells of a table are separated by tabs.
func htmlLines(src []byte) []Line {
	var c cleaner
	z := html.NewTokenizer(bytes.NewReader(src))
	z.SetMaxBuf(MaxSource)
	line, col := 1, 1
	skip := 0 // depth inside of what is not shown
	cells := 0
	breakLine := func() {
		if len(c.text) > 0 {
			c.endLine()
		}
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := z.Raw()
		at := Place{line, col}
		if n := bytes.Count(raw, []byte("\n")); n > 0 {
			line += n
			col = 1 + utf8.RuneCount(raw[bytes.LastIndexByte(raw, '\n')+1:])
		} else {
			col += utf8.RuneCount(raw)
		}
		switch kind {
		case html.TextToken:
			if skip == 0 {
				addFlowing(&c, z.Text(), at)
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			name, _ := z.TagName()
			end := kind == html.EndTagToken
			switch atom.Lookup(name) {
			case atom.Script, atom.Style, atom.Head, atom.Title:
				if end {
					skip = max(0, skip-1)
				} else if kind == html.StartTagToken {
					skip++
				}
			case atom.Body:
				skip = 0
			case atom.Td, atom.Th:
				if !end {
					if cells > 0 {
						c.put("\t", at)
					}
					cells++
				}
			case atom.Tr:
				breakLine()
				cells = 0
			case atom.P, atom.Div, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Section, atom.Article, atom.Blockquote:
				if cells > 0 && atom.Lookup(name) == atom.P { // a paragraph inside a cell
					c.put(" ", at)
					break
				}
				if len(c.text) > 0 {
					c.endLine()
					c.lines = append(c.lines, Line{})
				}
				cells = 0
			case atom.Br, atom.Li, atom.Dt, atom.Dd, atom.Hr:
				if cells > 0 {
					c.put(" ", at)
					break
				}
				breakLine()
			}
		}
	}
	breakLine()
	return c.finish()
}

// addFlowing adds text in which a line break counts as a space, and several spaces as one.
func addFlowing(c *cleaner, text []byte, at Place) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if r == '\n' || r == '\r' || r == '\t' || r == ' ' {
			if k := len(c.text); k > 0 && !isSpace(c.text[k-1]) {
				c.put(" ", at)
			}
		} else {
			c.add(r, at)
		}
		if at.Col++; r == '\n' {
			at = Place{at.Line + 1, 1}
		}
	}
}
