package board

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/view"
)

// This file draws the status: a line for each combatant, with pools such as hit points in columns, then the conditions.

// Bounds of the columns of the status.
const (
	maxNameWidth      = 24
	maxBarWidth       = 10
	minBarWidth       = 4  // the shortest useful one
	defaultNotesWidth = 22 // the columns that bars leave for conditions
	minNotesWidth     = 18 // the columns that amounts leave for them
)

// Status lists the combatants by side, then what the party carries and what the game keeps in mind.
func (b Board) Status(v *view.Fight) string {
	if len(v.Fighters) == 0 {
		return "Nobody has been placed.\n"
	}
	t := b.table(v)
	var out strings.Builder
	for i := range v.Sides {
		side := &v.Sides[i]
		if side.Members == 0 { // all of them have left
			continue
		}
		title := term.Clean(side.Name) + fmt.Sprintf(", %d of %d standing", side.Standing, side.Members)
		out.WriteString(t.heading(title, out.Len() == 0))
		for k := range v.Fighters {
			if f := &v.Fighters[k]; f.Side == side.Name {
				out.WriteString(t.row(v, f))
			}
		}
	}
	out.WriteString(b.whatPartyHas(v))
	return out.String()
}

// table is the columns of the status.
type table struct {
	b          Board
	signs      bool // of the map
	nameWidth  int  // columns
	barWidth   int  // 0: no bars
	pools      []pool
	notesWidth int
}

// pool is one column of amounts.
type pool struct {
	name    string
	numbers int // columns
	width   int // with its bar
}

func (b Board) table(v *view.Fight) *table {
	t := &table{b: b, signs: v.Chart != nil}
	notesRoom := 0 // width of the longest notes
	for i := range v.Fighters {
		f := &v.Fighters[i]
		t.nameWidth = max(t.nameWidth, term.Columns(f.Name))
		notesRoom = max(notesRoom, term.Columns(strings.Join(notes(f), ", ")))
		for _, a := range f.Pools {
			k := slices.IndexFunc(t.pools, func(p pool) bool { return p.name == a.Name })
			if k < 0 {
				k = len(t.pools)
				t.pools = append(t.pools, pool{name: a.Name})
			}
			t.pools[k].numbers = max(t.pools[k].numbers, len(amountText(a)))
		}
	}
	t.nameWidth = min(t.nameWidth, maxNameWidth, b.width/3)
	left := b.width - 2 - t.nameWidth
	if t.signs {
		left -= 2
	}
	notesRoom = min(max(notesRoom, defaultNotesWidth), max(left/2, defaultNotesWidth))
	for t.barWidth = maxBarWidth; t.barWidth >= minBarWidth && t.setPoolWidths() > left-2-notesRoom; t.barWidth-- {
	}
	if t.barWidth < minBarWidth {
		t.barWidth = 0
	}
	for t.setPoolWidths() > left-2-min(minNotesWidth, b.width*3/10) && len(t.pools) > 1 {
		t.pools = t.pools[:len(t.pools)-1] // the page of a combatant has them all
	}
	t.notesWidth = max(left-t.setPoolWidths()-2, 0)
	return t
}

// setPoolWidths sets the widths of the columns of amounts, and returns their sum.
func (t *table) setPoolWidths() int {
	sum := 0
	for i := range t.pools {
		p := &t.pools[i]
		p.width = p.numbers
		if t.barWidth > 0 {
			p.width += t.barWidth + 1
		}
		p.width = max(p.width, min(term.Columns(p.name), maxBarWidth))
		sum += p.width + 2
	}
	return sum
}

// heading of a side; that of the first also names the columns.
func (t *table) heading(title string, first bool) string {
	width := 2 + t.nameWidth
	if t.signs {
		width += 2
	}
	if term.Columns(title) > width || !first || len(t.pools) == 0 {
		title = t.b.screen.Cut(title, t.b.width)
		line := t.b.paint(term.Bold, title) + "\n"
		if first && len(t.pools) > 0 {
			line += strings.TrimRight(strings.Repeat(" ", width)+t.poolNames(), " ") + "\n"
		}
		return line
	}
	return strings.TrimRight(t.b.paint(term.Bold, title)+strings.Repeat(" ", width-term.Columns(title))+t.poolNames(), " ") + "\n"
}

func (t *table) poolNames() string {
	line := ""
	for _, p := range t.pools {
		line += "  " + term.Pad(t.b.screen.Cut(p.name, p.width), p.width)
	}
	return t.b.paint(term.Dim, strings.TrimRight(line, " "))
}

func (t *table) row(v *view.Fight, f *view.Fighter) string {
	b := t.b
	marker := "  "
	switch {
	case f.Name == v.Turn:
		marker = b.paint(term.Yellow, b.glyph("▶ ", "* "))
	case f.Down:
		marker = b.paint(term.Dim, b.glyph("✗ ", "x "))
	}
	style := nameStyle(v, f)
	line := marker
	if t.signs {
		line += b.paint(style, f.Sign) + " "
	}
	name := b.screen.Cut(term.Clean(f.Name), t.nameWidth)
	line += b.paint(style, name) + strings.Repeat(" ", t.nameWidth-term.Columns(name))
	for _, p := range t.pools {
		line += "  "
		k := slices.IndexFunc(f.Pools, func(a view.Amount) bool { return a.Name == p.name })
		if k < 0 {
			line += strings.Repeat(" ", p.width)
			continue
		}
		text := amountText(f.Pools[k])
		room := p.width - p.numbers
		if t.barWidth > 0 {
			line += b.bar(f.Pools[k], t.barWidth) + " "
			room -= t.barWidth + 1
		}
		line += strings.Repeat(" ", p.numbers-len(text)) + text + strings.Repeat(" ", room)
	}
	if shown := b.joinShortened(notes(f), t.notesWidth); shown != "" {
		line += "  " + shown
	}
	return strings.TrimRight(line, " ") + "\n"
}

// notes are what matters about a combatant at a glance: counters that are not zero, and conditions, without duplicates,
// the latest first. Conditions that are part of another one are omitted.
func notes(f *view.Fighter) []string {
	var out []string
	for _, a := range f.Counts {
		if a.Value != 0 {
			out = append(out, fmt.Sprintf("%s %d", a.Name, a.Value))
		}
	}
	for i := len(f.Conditions) - 1; i >= 0; i-- {
		c := &f.Conditions[i]
		text := term.Clean(strings.TrimSpace(c.Name + " " + c.With))
		if !c.Part && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// joinShortened joins texts within that many columns, and says how many more there are.
func (b Board) joinShortened(texts []string, columns int) string {
	for n := len(texts); n > 0; n-- {
		text := strings.Join(texts[:n], ", ")
		if n < len(texts) {
			text += fmt.Sprintf(" and %d more", len(texts)-n)
		}
		if term.Columns(text) <= columns {
			return text
		}
	}
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return b.screen.Cut(texts[0], columns)
	}
	more := fmt.Sprintf(" and %d more", len(texts)-1)
	if len(more)+3 > columns {
		return b.screen.Cut(fmt.Sprintf("%d to tell", len(texts)), columns)
	}
	return b.screen.Cut(texts[0], columns-len(more)) + more
}
