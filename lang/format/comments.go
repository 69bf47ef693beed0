package format

import (
	"strings"

	"arbiter/lang/ast"
)

// This file keeps comments in their place. A comment at the end of a source line ends the line of the text before it;
// one on a line of its own stays above the text after it. The line end after a comment is always valid: in the source,
// too, the tokens around it were on different lines.

// A cursor yields the comments in order of position, as the renderer passes them.
type cursor struct {
	src  string
	list []ast.Comment
	next int
}

// pending reports whether there is a comment before the offset.
func (c *cursor) pending(at int) bool {
	return c.next < len(c.list) && c.list[c.next].Start.Offset < at
}

// skip passes the comments before the offset: they belong to a text that was printed verbatim.
func (c *cursor) skip(at int) {
	for c.pending(at) {
		c.next++
	}
}

// blankBefore reports whether an empty line precedes the line of the offset.
func (c *cursor) blankBefore(at int) bool {
	if at <= 0 || at > len(c.src) {
		return false
	}
	before := strings.TrimRight(c.src[:at], " \t\r;")
	if !strings.HasSuffix(before, "\n") {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(before[:len(before)-1], " \t\r"), "\n")
}

// flushComments prints the comments before the offset.
func (r *renderer) flushComments(at, indent int) {
	for r.comments.pending(at) {
		c := r.comments.list[r.comments.next]
		r.comments.next++
		if !c.OwnLine && r.addTrailing(c.Text) {
			continue
		}
		if r.cur.text == "" {
			indent = r.cur.indent
		}
		r.newline(indent)
		if r.comments.blankBefore(c.Start.Offset) {
			r.blank()
		}
		r.cur.comment = strings.Repeat(" ", indent) + comment(c.Text)
		r.newline(indent)
	}
}

// addTrailing puts a comment at the end of the last line with text, if there is room for one.
func (r *renderer) addTrailing(s string) bool {
	l := &r.cur
	if l.text == "" && len(r.lines) > 0 {
		l = &r.lines[len(r.lines)-1]
	}
	if l.text == "" || l.comment != "" || l.raw {
		return false
	}
	l.comment = comment(s)
	return true
}

func comment(s string) string { return strings.TrimRight(s, " \t\r") }

// wordBefore returns the offset of the word w directly before an offset, skipping white space and comments; 0 if
// another word is there. It locates words of the language that have no node.
func (p *printer) wordBefore(w string, before int) int {
	if before <= 0 || before > len(p.src) {
		return 0
	}
	s := p.src[:before]
	for {
		s = strings.TrimRight(s, " \t\r\n")
		if strings.HasSuffix(s, w) {
			return len(s) - len(w)
		}
		i := strings.LastIndexByte(s, '\n')
		n := strings.IndexByte(s[i+1:], '#')
		if n < 0 {
			return 0
		}
		s = s[:i+1+n]
	}
}
