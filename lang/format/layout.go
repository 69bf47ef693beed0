package format

import (
	"strings"
	"unicode/utf8"
)

// This file defines documents and the renderer that chooses where their lines break: Wadler's prettier printer with an
// explicit stack. A group is printed flat when all of it fits on the line; otherwise its own breaks become line ends,
// and each group inside it is tried in turn.

type doc any

type (
	// text is printed as it is; at is its offset in the source, 0 when unknown.
	text struct {
		s  string
		at int
	}
	// verbatim keeps its own lines, which must not be indented or trimmed. It covers the source up to end.
	verbatim struct {
		lines   []string
		at, end int
	}
	// textBlock is a block of text. Its lines are the author's; the closing quotes, whose indentation is removed from each
	// line when the text is read, are one step deeper than the clause.
	textBlock struct {
		value   string
		at, end int
	}
	// softBreak is flat in a group that fits, and a line end in one that does not.
	softBreak struct{ flat string }
	// hardBreak is always a line end, so nothing around it fits.
	hardBreak struct{}
	// tab follows the first `NAME:` of a line; neighboring lines are aligned there.
	tab struct{}
	// edgeBreak is also a line end, but what precedes it may be flat.
	edgeBreak struct{}
	// margin precedes the citations of a clause; on neighboring lines they are aligned.
	margin struct{}
	// opened follows the line end after an opening brace: blank lines are not kept there.
	opened struct{}
	// begin precedes a clause: comments and a blank line before it are printed.
	begin struct{ at int }
	// closing precedes a closing brace: comments before it belong to the body.
	closing struct{ at int }
	concat  []doc
	nest    struct {
		by int
		d  doc
	}
	grouped struct{ d doc } // a group
	// either prints one document if it fits flat, and otherwise another one.
	either struct{ flat, broken doc }
	// anchor is a clause: its indentation is remembered, and home returns to it.
	anchor struct{ d doc }
	toBase struct{ d doc }
)

var (
	space     = softBreak{" "}
	semi      = softBreak{"; "}
	nothing   = concat(nil)
	lineEnd   = hardBreak{}
	edgeEnd   = edgeBreak{}
	citeGap   = margin{}
	alignStop = tab{}
)

func group(ds ...doc) doc     { return grouped{concat(ds)} }
func indent(n int, d doc) doc { return nest{n, d} }
func word(s string) doc       { return text{s: s} }

type line struct {
	text    string
	comment string
	raw     bool // inside a block of text: not trimmed, no comment may follow
	indent  int
	tab     int // the byte after `NAME:`, 0 for none
	crowded bool
	margin  int // the byte where the citations begin, 0 for none
}

type renderer struct {
	width     int
	lines     []line
	cur       line
	col       int // runes of cur.text
	bodyStart int // the line where the innermost body begins
	comments  cursor
}

type task struct {
	indent int
	base   int // the indentation of the clause
	flat   bool
	d      doc
}

// with is the command for a part of c.
func (c task) with(d doc) task { c.d = d; return c }

func (r *renderer) render(d doc) {
	stack := []task{{d: d}}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch d := c.d.(type) {
		case text:
			r.flushComments(d.at, c.indent)
			r.write(d.s, c.indent)
		case verbatim:
			r.flushComments(d.at, c.indent)
			r.verbatim(d, c.indent)
		case textBlock:
			r.flushComments(d.at, c.indent)
			r.verbatim(d.lines(c.base+bodyIndent), c.indent)
		case softBreak:
			if c.flat {
				r.write(d.flat, c.indent)
			} else {
				r.newline(c.indent)
			}
		case hardBreak, edgeBreak:
			r.newline(c.indent)
		case margin:
			r.write("  ", c.indent)
			r.cur.margin = len(r.cur.text)
		case tab:
			r.tabStop()
			r.write(" ", c.indent)
		case opened:
			r.bodyStart = len(r.lines)
		case begin:
			r.flushComments(d.at, c.indent)
			if r.comments.blankBefore(d.at) {
				r.blank()
			}
		case closing:
			r.flushComments(d.at, c.indent)
		case concat:
			for i := len(d) - 1; i >= 0; i-- {
				stack = append(stack, c.with(d[i]))
			}
		case nest:
			c.indent += d.by
			stack = append(stack, c.with(d.d))
		case anchor:
			c.base = c.indent
			stack = append(stack, c.with(d.d))
		case toBase:
			c.indent = c.base
			stack = append(stack, c.with(d.d))
		case grouped:
			c.flat = c.flat || r.fits(c.with(d.d), stack)
			stack = append(stack, c.with(d.d))
		case either:
			c.flat = c.flat || r.fits(c.with(d.flat), stack)
			if c.flat {
				stack = append(stack, c.with(d.flat))
			} else {
				stack = append(stack, c.with(d.broken))
			}
		}
	}
}

// fits reports whether c, printed flat, and what follows it up to the next possible line end, fit in the width, without
// a comment in between.
func (r *renderer) fits(c task, rest []task) bool {
	left := r.width - r.col
	if r.cur.text == "" {
		left -= r.cur.indent
	}
	c.flat = true
	stack := []task{c}
	inside := true
	for left >= 0 {
		if len(stack) == 0 {
			if len(rest) == 0 {
				return true
			}
			inside = false
			stack = append(stack, rest[len(rest)-1])
			rest = rest[:len(rest)-1]
		}
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch d := c.d.(type) {
		case text:
			if r.comments.pending(d.at) {
				return !inside
			}
			left -= utf8.RuneCountInString(d.s)
		case verbatim:
			return !inside && !r.comments.pending(d.at) && left >= utf8.RuneCountInString(d.lines[0])
		case textBlock:
			return !inside && !r.comments.pending(d.at)
		case softBreak:
			if !c.flat {
				return true
			}
			left -= len(d.flat)
		case hardBreak:
			return !inside
		case edgeBreak:
			return true
		case margin:
			left -= 2
		case tab:
			left--
		case begin:
			if r.comments.pending(d.at) {
				return !inside
			}
		case closing:
			if r.comments.pending(d.at) {
				return !inside
			}
		case concat:
			for i := len(d) - 1; i >= 0; i-- {
				stack = append(stack, c.with(d[i]))
			}
		case nest:
			stack = append(stack, c.with(d.d))
		case anchor:
			stack = append(stack, c.with(d.d))
		case toBase:
			stack = append(stack, c.with(d.d))
		case grouped:
			stack = append(stack, c.with(d.d))
		case either:
			if c.flat {
				stack = append(stack, c.with(d.flat))
			} else {
				stack = append(stack, c.with(d.broken))
			}
		}
	}
	return false
}

// clause renders a clause of the file. Two declarations of several lines each are separated by a blank line even if the
// author wrote none; it goes above the comments that precede the second one.
func (r *renderer) clause(at int, d doc, separate bool) {
	r.newline(0)
	before := len(r.lines)
	r.render(begin{at})
	r.newline(0)
	blank := false
	for i := before; i < len(r.lines); i++ {
		blank = blank || r.lines[i] == line{}
	}
	start := len(r.lines)
	r.render(d)
	r.newline(0)
	if separate && !blank && r.isMultiline(before) && len(r.lines)-start > 1 {
		r.lines = append(r.lines[:before], append([]line{{}}, r.lines[before:]...)...)
	}
}

// isMultiline reports whether the clause that ends before line n takes several lines: then its last line is indented or
// closes a body.
func (r *renderer) isMultiline(n int) bool {
	return n > 0 && (r.lines[n-1].indent > 0 || strings.HasPrefix(r.lines[n-1].text, "}") || strings.HasPrefix(r.lines[n-1].text, "{"))
}

func (r *renderer) write(s string, indent int) {
	if s == "" {
		return
	}
	if r.cur.comment != "" {
		r.newline(indent)
	}
	if r.cur.text == "" {
		if s = strings.TrimLeft(s, " "); s == "" {
			return
		}
		r.cur.text = strings.Repeat(" ", r.cur.indent)
		r.col = r.cur.indent
	}
	r.cur.text += s
	r.col += utf8.RuneCountInString(s)
}

func (r *renderer) verbatim(v verbatim, indent int) {
	for i, s := range v.lines {
		if i == 0 {
			r.write(s, indent)
			continue
		}
		r.cur.raw = true
		r.newline(indent)
		r.cur.text = s
		r.col = utf8.RuneCountInString(s)
	}
	r.comments.skip(v.end)
}

func (q textBlock) lines(indent int) verbatim {
	margin := strings.Repeat(" ", indent)
	lines := []string{`"""`}
	if q.value != "" {
		lines = append(lines, strings.Split(q.value, "\n")...)
	}
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = margin + lines[i]
		}
	}
	return verbatim{append(lines, margin+`"""`), q.at, q.end}
}

// newline ends the line if it is not empty; the next line has this indentation.
func (r *renderer) newline(indent int) {
	if r.cur.text != "" || r.cur.comment != "" || r.cur.raw {
		if !r.cur.raw {
			r.cur.text = strings.TrimRight(r.cur.text, " ")
		}
		r.lines = append(r.lines, r.cur)
	}
	r.cur, r.col = line{indent: indent}, 0
}

// blank adds one empty line, but not at the start of a body or next to another empty line.
func (r *renderer) blank() {
	r.newline(r.cur.indent)
	if n := len(r.lines); n > r.bodyStart && r.lines[n-1] != (line{}) {
		r.lines = append(r.lines, line{})
	}
}

// tabStop marks the line for alignment when it holds only `NAME:`, and unmarks it at a second field.
func (r *renderer) tabStop() {
	if r.cur.tab > 0 || strings.Contains(strings.TrimLeft(r.cur.text, " "), " ") {
		r.cur.crowded = true
	} else {
		r.cur.tab = len(r.cur.text)
	}
}

// finish aligns fields, citations and comments, and returns the text.
func (r *renderer) finish() string {
	r.newline(0)
	eachRun(r.lines, func(l *line) bool { return l.tab > 0 && l.tab < len(l.text) && !l.crowded }, r.alignFields)
	eachRun(r.lines, endsInCites, r.alignCitations)
	eachRun(r.lines, func(l *line) bool { return l.text != "" && l.comment != "" }, alignComments)
	var b strings.Builder
	for _, l := range r.lines {
		b.WriteString(l.text)
		b.WriteString(l.comment)
		b.WriteByte('\n')
	}
	return b.String()
}
