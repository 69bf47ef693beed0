package langserver

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"arbiter/lang/ast"
)

// This file converts between places in a text and those of the protocol, and between file names and URIs.

// encoding is how characters of a line are counted.
type encoding string

const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16" // the protocol's default
)

// lines is a text with the offsets of its lines.
type lines struct {
	text   string
	begins []int
	units  encoding
}

func newLines(text string, units encoding) *lines {
	l := &lines{text: text, begins: []int{0}, units: units}
	for i := range len(text) {
		if text[i] == '\n' {
			l.begins = append(l.begins, i+1)
		}
	}
	return l
}

// line is the text of a line, counted from 0, without its end.
func (l *lines) line(n int) string {
	if n < 0 || n >= len(l.begins) {
		return ""
	}
	rest := l.text[l.begins[n]:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(rest, "\r")
}

// offset is the byte offset of a position. Positions beyond a line or the text mean its end.
func (l *lines) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.begins) {
		return len(l.text)
	}
	line, at := l.line(p.Line), 0
	for left := p.Character; left > 0 && at < len(line); {
		_, n := utf8.DecodeRuneInString(line[at:])
		left -= l.width(line[at : at+n])
		at += n
	}
	return l.begins[p.Line] + at
}

// position converts a place that counts lines and bytes from 1.
func (l *lines) position(p ast.Pos) position {
	if p.Line <= 0 {
		return position{}
	}
	line := l.line(p.Line - 1)
	return position{p.Line - 1, l.width(line[:max(0, min(p.Column-1, len(line)))])}
}

// span is the range of a node. An empty one is widened to one character, so that it is visible.
func (l *lines) span(s ast.Span) span {
	out := span{l.position(s.Start), l.position(s.End)}
	if out.End.Line < out.Start.Line || out.End == out.Start || out.End.Line == out.Start.Line && out.End.Character < out.Start.Character {
		out.End = position{out.Start.Line, out.Start.Character + 1}
	}
	return out
}

// whole is the span of the whole text.
func (l *lines) whole() span {
	last := len(l.begins) - 1
	return span{End: position{last, l.width(l.line(last))}}
}

// width counts the characters of a piece of a line.
func (l *lines) width(s string) int {
	if l.units == utf8Units {
		return len(s)
	}
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// pathOf is the file of a URI. For what is not a file, such as an unsaved text, it is the URI itself.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // /c:/rules
	}
	return filepath.FromSlash(path)
}

// URIOf is the URI of a file.
func URIOf(path string) string {
	if !filepath.IsAbs(path) {
		return path // a URI already: see pathOf
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
