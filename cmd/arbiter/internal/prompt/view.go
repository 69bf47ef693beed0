package prompt

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

// This file draws the line being edited. It wraps the rows itself and leaves the last column free, because terminals
// disagree about a cursor after the last column.

// rows are the screen rows that a text takes.
type rows struct {
	text   []string
	width  []int // of each row, in columns
	cursor struct{ row, column int }
}

// layout wraps a line or block into rows of fewer than that many columns. The prompts may contain escape sequences;
// those in the line are made harmless. The cursor is before the character at index at.
func layout(p Prompt, line []rune, at, columns int) *rows {
	r := &rows{}
	var b strings.Builder
	width, limit := 0, max(1, columns-1)
	end := func() {
		r.text, r.width = append(r.text, b.String()), append(r.width, width)
		b.Reset()
		width = 0
	}
	put := func(s string, w int) {
		if width+w > limit && width > 0 {
			end()
		}
		b.WriteString(s)
		width += w
	}
	putPrompt := func(s string) {
		for s != "" {
			if e := term.EscapeLength(s); e > 0 {
				b.WriteString(s[:e])
				s = s[e:]
				continue
			}
			c, size := utf8.DecodeRuneInString(s)
			if s = s[size:]; c == '\n' {
				end()
			} else {
				put(term.Visible(c), term.Columns(term.Visible(c)))
			}
		}
	}
	putPrompt(p.Text)
	for i, c := range line {
		shown, w := "", 0
		if c != '\n' {
			shown = term.Visible(c)
			w = term.Columns(shown)
		}
		if width+w > limit && width > 0 {
			end()
		}
		if i == at {
			r.cursor.row, r.cursor.column = len(r.text), width
		}
		if c == '\n' {
			end()
			putPrompt(p.More)
		} else {
			put(shown, w)
		}
	}
	if at >= len(line) {
		r.cursor.row, r.cursor.column = len(r.text), width
	}
	end()
	return r
}

// view is what is on the screen of a device.
type view struct {
	dev   device
	color bool

	widths []int // of the drawn rows, down to the cursor's
	column int   // of the cursor
	top    int   // the first visible row, when there are more than the screen has
}

// Sizes that are assumed when a terminal does not report its own.
const (
	defaultColumns = 80
	defaultRows    = 24
)

func (v *view) size() (columns, height int) {
	columns, height = v.dev.Size()
	if columns <= 0 {
		columns = defaultColumns
	}
	if height <= 0 {
		height = defaultRows
	}
	return columns, height
}

// draw shows a line and, under it, the rows that rowsBelow returns for a screen of that many columns with that much
// room.
func (v *view) draw(p Prompt, line []rune, at int, rowsBelow func(columns, room int) []string) {
	columns, height := v.size()
	r := layout(v.styled(p), line, at, columns)
	more := rowsBelow(columns, max(height-len(r.text), height/2))
	more = more[:min(len(more), height-1)]

	// Of a text taller than the screen, the rows around the cursor are shown.
	first, last := 0, len(r.text)
	if room := height - len(more); last > room {
		first = min(max(v.top, r.cursor.row-room+1), r.cursor.row, last-room)
		last = first + room
	}
	v.top = first

	var b bytes.Buffer
	v.erase(&b, columns, height)
	b.WriteString(strings.Join(append(r.text[first:last:last], more...), "\r\n"))
	if up := last - first + len(more) - 1 - (r.cursor.row - first); up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteByte('\r')
	if r.cursor.column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", r.cursor.column)
	}
	v.widths, v.column = r.width[first:r.cursor.row+1], r.cursor.column
	v.dev.Write(b.Bytes())
}

// finish draws the whole line a last time, and moves to the row below it.
func (v *view) finish(p Prompt, line []rune, mark string) {
	columns, height := v.size()
	r := layout(v.styled(p), line, len(line), columns)
	var b bytes.Buffer
	v.erase(&b, columns, height)
	b.WriteString(strings.Join(r.text, "\r\n"))
	b.WriteString(mark + "\r\n")
	v.forget()
	v.dev.Write(b.Bytes())
}

// printAbove prints text in place of the line, which the caller then draws again below it.
func (v *view) printAbove(text string) error {
	columns, height := v.size()
	var b bytes.Buffer
	v.erase(&b, columns, height)
	b.WriteString(text)
	v.forget()
	_, err := v.dev.Write(b.Bytes())
	return err
}

// forget records that the line is not on the screen.
func (v *view) forget() { v.widths, v.column, v.top = nil, 0, 0 }

// erase goes to the start of the drawn line and clears the screen from there.
//
// Since the line was drawn, the terminal may have become narrower. Most terminals then wrap rows that are now too long,
// so that the cursor is further down.
func (v *view) erase(b *bytes.Buffer, columns, height int) {
	up := 0
	for i, w := range v.widths {
		if i == len(v.widths)-1 {
			up += v.column / columns
		} else {
			up += max(1, (w+columns-1)/columns)
		}
	}
	if up = min(up, height-1); up > 0 {
		fmt.Fprintf(b, "\x1b[%dA", up)
	}
	b.WriteString("\r\x1b[J")
}

// styled removes the colors from prompts where none are wanted.
func (v *view) styled(p Prompt) Prompt {
	if !v.color {
		p.Text, p.More = term.Unstyled(p.Text), term.Unstyled(p.More)
	}
	return p
}
