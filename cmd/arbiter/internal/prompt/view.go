package prompt

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

// This file draws the line that is edited. It breaks the rows itself and leaves the last column free, because terminals
// disagree about a cursor that stands behind it.

// rows are what a text fills on the screen.
type rows struct {
	text   []string
	width  []int // of each row, in columns
	cursor struct{ row, column int }
}

// layout breaks a line or block into rows of fewer than so many columns. The prompts may hold escape sequences, the line's own
// are made harmless. The cursor stands before the character with the index at.
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
	prompt := func(s string) {
		for s != "" {
			if e := term.Escape(s); e > 0 {
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
	prompt(p.Text)
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
			prompt(p.More)
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

// view is what stands on the screen of a device.
type view struct {
	dev   device
	color bool

	widths []int // of the rows that are drawn down to the cursor's
	column int   // of the cursor
	top    int   // the first row that is shown, when there are more than the screen has
}

// Sizes that are assumed when a terminal does not tell its own.
const (
	usualColumns = 80
	usualRows    = 24
)

func (v *view) size() (columns, height int) {
	columns, height = v.dev.Size()
	if columns <= 0 {
		columns = usualColumns
	}
	if height <= 0 {
		height = usualRows
	}
	return columns, height
}

// draw shows a line, with the rows that below gives for a screen of so many columns when there is room for so many rows.
func (v *view) draw(p Prompt, line []rune, at int, below func(columns, room int) []string) {
	columns, height := v.size()
	r := layout(v.styled(p), line, at, columns)
	more := below(columns, max(height-len(r.text), height/2))
	more = more[:min(len(more), height-1)]

	// Of a text that is higher than the screen, the rows around the cursor show.
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

// finish shows all of a line for good, and goes to the row below it.
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

// above shows text in place of the line, which is to be drawn again below it.
func (v *view) above(text string) error {
	columns, height := v.size()
	var b bytes.Buffer
	v.erase(&b, columns, height)
	b.WriteString(text)
	v.forget()
	_, err := v.dev.Write(b.Bytes())
	return err
}

// forget takes the screen as it is: the line is not on it.
func (v *view) forget() { v.widths, v.column, v.top = nil, 0, 0 }

// erase goes to the beginning of the drawn line and clears the screen from there.
//
// Since the line was drawn, the terminal may have become narrower. Most terminals then break rows that are too long now,
// so that the cursor stands further down.
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

// styled takes the colours out of prompts where none are wanted.
func (v *view) styled(p Prompt) Prompt {
	if !v.color {
		p.Text, p.More = term.Unstyled(p.Text), term.Unstyled(p.More)
	}
	return p
}
