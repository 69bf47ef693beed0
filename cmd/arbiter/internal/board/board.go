// Package board draws the current state of a fight (view.Fight) for the person who runs it: the status, the turn
// order, the turn, the map, a page about one combatant, the latest lines of the transcript.
//
// Everything fits into the width of the screen, from 45 columns up, and ends with a newline. On a terminal with colors
// and Unicode it has bars and boxes; elsewhere it is plain ASCII, except for names from the input. The package only
// draws: it must never know a rule or how a fight works.
package board

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/view"
)

// Narrowest and usual widths of a drawing, in columns; a pipe gets the usual one.
const (
	minWidth     = 45
	defaultWidth = 80
)

// Board is where things are drawn.
type Board struct {
	screen term.Screen
	width  int
	fancy  bool // boxes and bars instead of ASCII
}

// New returns a board for a screen.
func New(s term.Screen) Board {
	b := Board{screen: s, width: s.Width, fancy: s.Color && s.Unicode}
	b.screen.Unicode = b.fancy
	if b.width <= 0 {
		b.width = defaultWidth
	}
	b.width = max(b.width, minWidth)
	return b
}

// The styles of the sides, the first side's first; there may be more sides than styles.
var sideStyles = []term.Style{term.Cyan, term.Red, term.Yellow, term.Blue, term.Green}

// nameStyle is the style of a combatant's name.
func nameStyle(v *view.Fight, f *view.Fighter) term.Style {
	if f.Down {
		return term.Dim
	}
	for i := range v.Sides {
		if v.Sides[i].Name == f.Side {
			return sideStyles[i%len(sideStyles)]
		}
	}
	return ""
}

// glyph is one of two strings, depending on what the screen can show.
func (b Board) glyph(fancy, plain string) string {
	if b.fancy {
		return fancy
	}
	return plain
}

// paint paints a text, unless there is no style.
func (b Board) paint(s term.Style, text string) string {
	if s == "" {
		return text
	}
	return b.screen.Paint(s, text)
}

// wrapAfter wraps a text after a styled heading.
func (b Board) wrapAfter(heading, text string) string {
	lines := b.wrapHard(heading+text, "", "  ")
	if rest, ok := strings.CutPrefix(lines[0], heading); ok {
		lines[0] = b.paint(term.Bold, heading) + rest
	}
	return strings.Join(lines, "\n") + "\n"
}

// wrapHard wraps a text into lines that fit; a word that is too long for a line is cut.
func (b Board) wrapHard(text, first, rest string) []string {
	lines := term.Wrap(text, b.width, first, rest)
	for i := range lines {
		lines[i] = b.screen.Cut(lines[i], b.width)
	}
	return lines
}

// spacedName writes a name from the rules with spaces.
func spacedName(name string) string { return strings.ReplaceAll(name, "-", " ") }

// amountText formats an amount with its maximum: 26/38.
func amountText(a view.Amount) string {
	if a.High == nil {
		return fmt.Sprint(a.Value)
	}
	return fmt.Sprintf("%d/%d", a.Value, *a.High)
}

// bar draws an amount in that many columns. The bar is empty only at the minimum and full only at the maximum.
func (b Board) bar(a view.Amount, columns int) string {
	high, low := int64(0), int64(0)
	if a.High != nil {
		high = *a.High
	}
	if a.Low != nil {
		low = max(*a.Low, 0)
	}
	room, have := high-low, min(max(a.Value, low), high)-low
	n := 0
	if room > 0 {
		n = int(have * int64(columns) / room)
	}
	switch {
	case have > 0 && n == 0:
		n = 1
	case have < room && n == columns:
		n--
	}
	style := term.Green
	switch {
	case 4*have <= room:
		style = term.Red
	case 2*have <= room:
		style = term.Yellow
	}
	return b.paint(style, strings.Repeat(b.glyph("█", "#"), n)) + b.paint(term.Dim, strings.Repeat(b.glyph("░", "."), columns-n))
}
