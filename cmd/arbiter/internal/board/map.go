package board

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/ground"
	"arbiter/interp/view"
)

// This file draws the map: the ground, the combatants on it, and requested squares.

// Squares are highlighted squares: those of the first list of Map with a plus or in green, those of the second with an
// exclamation mark or in red, those in both with an asterisk or in yellow.
type Squares struct {
	Label string // for the legend
	At    [][3]int
}

// The marks and styles of highlighted squares, indexed by the bits of the lists that contain them.
var (
	shownMarks  = [4]string{1: "+", 2: "!", 3: "*"}
	shownStyles = [4]term.Style{1: "30;42", 2: "97;41", 3: "30;43"}
)

// maxMapRows is how many rows of a map are drawn: of a larger one, those around the combatant whose turn it is.
const maxMapRows = 40

// Map draws the map, with up to two lists of highlighted squares.
func (b Board) Map(v *view.Fight, highlights ...Squares) string {
	c := v.Chart
	if c == nil || len(c.Rows) == 0 {
		return "There is no map.\n"
	}
	w := b.window(v)
	cells := map[[2]int]int{}
	for i, s := range highlights[:min(len(highlights), 2)] {
		for _, at := range s.At {
			cells[[2]int{at[0], at[1]}] |= 1 << i
		}
	}
	who, behind := ground.Share(occupants(v))
	var out strings.Builder
	out.WriteString(b.ruler(w))
	edge := func(left, right string) {
		if b.fancy {
			out.WriteString(b.paint(term.Dim, strings.Repeat(" ", w.numbers+1)+left+strings.Repeat("─", w.columns()+2)+right) + "\n")
		}
	}
	edge("┌", "┐")
	for y := w.y0; y < w.y1; y++ {
		out.WriteString(b.row(v, w, y, cells, who) + "\n")
	}
	edge("└", "┘")
	out.WriteString(b.legend(v, w, behind, highlights))
	return out.String()
}

// window is the part of a map that is drawn, from (x0, y0) to before (x1, y1).
type window struct {
	x0, y0, x1, y1 int
	gap            int // columns between two squares
	numbers        int // columns of the numbers of the rows
	whole          bool
}

// columns is the width of its squares.
func (w window) columns() int { return (w.x1-w.x0)*(1+w.gap) - w.gap }

// window chooses as much as fits, around the combatant whose turn it is.
func (b Board) window(v *view.Fight) window {
	c := v.Chart
	width := 0
	for _, r := range c.Rows {
		width = max(width, len([]rune(r)))
	}
	w := window{x0: c.X, y0: c.Y, x1: c.X + width, y1: c.Y + len(c.Rows), gap: 1, whole: true}
	w.numbers = max(len(fmt.Sprint(w.y1-1)), 2)
	room := b.width - w.numbers - 5 // a space, and the box
	if w.columns() > room {
		w.gap = 0
	}
	x, y := c.X+width/2, c.Y+len(c.Rows)/2
	if k := fighterIndex(v, v.Turn); k >= 0 && v.Fighters[k].Position != nil {
		x, y = v.Fighters[k].Position[0], v.Fighters[k].Position[1]
	}
	clip := func(from, to *int, at, most int) {
		if *to-*from > most {
			w.whole = false
			*from = min(max(at-most/2, *from), *to-most)
			*to = *from + most
		}
	}
	clip(&w.x0, &w.x1, x, room)
	clip(&w.y0, &w.y1, y, maxMapRows)
	return w
}

// occupants lists the combatants as the map shows them.
func occupants(v *view.Fight) []ground.Occupant {
	list := make([]ground.Occupant, len(v.Fighters))
	for i := range v.Fighters {
		if f := &v.Fighters[i]; f.Position != nil {
			list[i] = ground.Occupant{X: f.Position[0], Y: f.Position[1], Width: f.Width, Down: f.Down}
		}
	}
	return list
}

// ruler numbers every fifth column, if the numbers do not touch.
func (b Board) ruler(w window) string {
	line, start := "", w.numbers+1
	if b.fancy {
		start += 2
	}
	for x := w.x0; x < w.x1; x++ {
		n := fmt.Sprint(x)
		at := start + (x-w.x0)*(1+w.gap)
		if x%5 == 0 && (line == "" || at > len(line)) && at+len(n) <= b.width {
			line += strings.Repeat(" ", at-len(line)) + n
		}
	}
	return b.paint(term.Dim, line) + "\n"
}

// row draws one row of squares.
func (b Board) row(v *view.Fight, w window, y int, cells map[[2]int]int, who map[[2]int]int) string {
	ground := []rune(v.Chart.Rows[y-v.Chart.Y])
	line := &styledLine{b: b}
	line.add(term.Dim, fmt.Sprintf("%*d ", w.numbers, y))
	line.add(term.Dim, b.glyph("│ ", ""))
	for x := w.x0; x < w.x1; x++ {
		sign, style := " ", term.Dim
		if i := x - v.Chart.X; i < len(ground) {
			sign = string(ground[i])
		}
		plain := sign == "."
		if plain {
			sign = b.glyph("·", ".")
		}
		i, taken := who[[2]int{x, y}]
		if taken {
			f := &v.Fighters[i]
			sign, style, plain = b.signOf(f), nameStyle(v, f), false
		}
		blank := strings.Repeat(" ", w.gap)
		switch marked := cells[[2]int{x, y}]; {
		case marked == 0:
			line.add(style, oneColumnSign(sign)+blank)
		case b.screen.Color:
			line.add(shownStyles[marked], oneColumnSign(sign)+blank)
		case plain, !taken && w.gap == 0:
			line.add(style, shownMarks[marked]+blank)
		default: // the mark is after the sign of the square
			line.add(style, oneColumnSign(sign)+strings.Repeat(shownMarks[marked], w.gap))
		}
	}
	if !b.fancy {
		return strings.TrimRight(line.flush(), " ")
	}
	line.add(term.Dim, strings.Repeat(" ", 1-w.gap)+"│")
	return line.flush()
}

// signOf is the sign of a combatant on the map.
func (b Board) signOf(f *view.Fighter) string {
	if f.Down {
		return b.glyph("✗", "x")
	}
	return f.Sign
}

// oneColumnSign is a sign for a square of one column.
func oneColumnSign(sign string) string {
	if term.Columns(sign) != 1 {
		return "?"
	}
	return sign
}

// styledLine styles a line; adjacent text of the same style is painted together.
type styledLine struct {
	b     Board
	line  string
	style term.Style
	text  string
}

func (r *styledLine) add(style term.Style, text string) {
	if style != r.style {
		r.flush()
		r.style = style
	}
	r.text += text
}

// flush paints the rest, and returns the line.
func (r *styledLine) flush() string {
	r.line += r.b.paint(r.style, r.text)
	r.text = ""
	return r.line
}

// legend explains the signs: the combatants, the ground, the highlighted squares. A combatant who is behind another is
// named with that one's sign.
func (b Board) legend(v *view.Fight, w window, behind []int, highlights []Squares) string {
	var out strings.Builder
	line, used := "  ", 2
	add := func(sign string, style term.Style, text string) {
		text = b.screen.Cut(term.Clean(text), b.width-6)
		n := 2 + term.Columns(sign) + 1 + term.Columns(text)
		if used+n > b.width {
			out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, used = "  ", 2
		}
		line += " " + b.paint(style, sign) + " " + text + " "
		used += n
	}
	for i := range v.Fighters {
		f := &v.Fighters[i]
		if f.Position == nil {
			continue
		}
		name := f.Name
		if front := behind[i]; front >= 0 {
			name += " with " + b.signOf(&v.Fighters[front])
		}
		add(b.signOf(f), nameStyle(v, f), name)
	}
	for _, m := range v.Chart.Legend {
		add(oneColumnSign(m.Sign), term.Dim, strings.Join(m.Names, ", "))
	}
	for i, s := range highlights[:min(len(highlights), 2)] {
		if s.Label == "" {
			continue
		}
		sign := shownMarks[1<<i]
		if b.screen.Color {
			sign = " "
		}
		label := s.Label
		if len(s.At) == 0 {
			label += " (none)"
		}
		add(sign, shownStyles[1<<i], label)
	}
	out.WriteString(strings.TrimRight(line, " ") + "\n")
	if !w.whole {
		c := v.Chart
		shown := fmt.Sprintf("showing (%d, %d) to (%d, %d) of (%d, %d) to (%d, %d)",
			w.x0, w.y0, w.x1-1, w.y1-1, c.X, c.Y, c.X+len([]rune(c.Rows[0]))-1, c.Y+len(c.Rows)-1)
		out.WriteString(strings.Join(b.wrapHard(shown, "   ", "   "), "\n") + "\n")
	}
	return out.String()
}
