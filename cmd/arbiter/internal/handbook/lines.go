package handbook

import (
	"math"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file turns clauses into lines in which every name is linked. The formatter decides how a clause is written; a
// walk over its tree (mention.go) says in the same order what each name in it means.

// lineWidth is the maximum width of a line of rules; a narrow screen wraps it again.
const lineWidth = 80

// clause formats a clause. It must have no doc strings and no citations: see link.WithoutMeta.
func (s *scope) clause(cl ast.Clause) []Line {
	return linkedLines(format.NodeToWidth(cl, lineWidth), s.mentions(cl))
}

// expr formats an expression on one line.
func (s *scope) expr(e ast.Expr) Line {
	lines := linkedLines(format.Expr(e), s.mentions(e))
	return joinLines(lines) // a block of text takes several lines
}

// formula formats an expression on as many lines as the formatter gives it.
func (s *scope) formula(e ast.Expr) []Line {
	lines := dropSpans(s.clause(&ast.Option{Name: ast.Ident{Name: "x"}, Value: e}), 3)
	least := math.MaxInt
	for _, l := range lines {
		least = min(least, l.Indent)
	}
	for i := range lines {
		lines[i].Indent -= least
	}
	return lines
}

// linkedLines splits a text into spans and gives each name its target.
func linkedLines(text string, names []mention) []Line {
	var lines []Line
	for _, l := range strings.Split(text, "\n") {
		body := strings.TrimLeft(l, " ")
		line := Line{Indent: (len(l) - len(body)) / 2}
		for body != "" {
			n, sort := scanToken(body)
			span := Span{Text: body[:n], Kind: sort}
			if sort == Word && len(names) > 0 && names[0].name == span.Text {
				span.Kind, span.To = Name, names[0].to
				names = names[1:]
			}
			line.Spans = append(line.Spans, span)
			body = body[n:]
		}
		lines = append(lines, line)
	}
	return lines
}

// scanToken measures the token at the start of a text. A name counts as a word until it is resolved.
func scanToken(s string) (int, TokenKind) {
	switch c := s[0]; {
	case c == '"':
		for i := 1; i < len(s); i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == '"' {
				return i + 1, Quote
			}
		}
		return len(s), Quote
	case isLetter(c):
		n := prefixLength(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' })
		if n > 1 && c == 'd' && isDigit(s[1]) {
			return n, Number // d20
		}
		return len(strings.TrimRight(s[:n], "-")), Word
	case isDigit(c):
		return prefixLength(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '%' }), Number
	}
	for _, run := range []string{" ", "<>!="} {
		if strings.IndexByte(run, s[0]) >= 0 {
			return prefixLength(s, func(c byte) bool { return strings.IndexByte(run, c) >= 0 }), Plain
		}
	}
	return 1, Plain
}

func prefixLength(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return max(n, 1)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// dropSpans drops that many non-blank spans from the start of a clause: its word, its name.
func dropSpans(lines []Line, count int) []Line {
	if len(lines) == 0 {
		return lines
	}
	first := lines[0].Spans
	for len(first) > 0 && (count > 0 || strings.TrimSpace(first[0].Text) == "") {
		if strings.TrimSpace(first[0].Text) != "" {
			count--
		}
		first = first[1:]
	}
	lines[0].Spans = first
	if len(first) == 0 {
		return lines[1:]
	}
	if strings.TrimSpace(first[0].Text) == "" {
		lines[0].Spans = first[1:]
	}
	return lines
}

// joinLines joins lines into one.
func joinLines(lines []Line) Line {
	one := Line{}
	for i, l := range lines {
		if i > 0 {
			one.Spans = append(one.Spans, Span{Text: " "})
		}
		one.Spans = append(one.Spans, l.Spans...)
	}
	return one
}
