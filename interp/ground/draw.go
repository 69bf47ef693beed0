package ground

import (
	"fmt"
	"strings"

	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// This file draws a map with the creatures on it, as rows of characters.

// Figure is how a creature is drawn.
type Figure struct {
	Sign rune
	Name string
	Side int32
	Down bool
	Away bool // it is not in the fight, and not drawn

	Behind rune // the sign of the one that is drawn in its place; 0: it is drawn itself
}

// DownSign is the sign of creatures that are down.
const DownSign = 'x'

// Figures assigns each creature a sign: a letter of its name, uppercase for the first side and lowercase for the
// others.
func Figures(m *machine.Machine) []Figure {
	s := m.State()
	taken := map[rune]bool{DownSign: true}
	figures := make([]Figure, len(s.Entities))
	for i := range s.Entities {
		e := &s.Entities[i]
		if e.Away {
			figures[i] = Figure{Away: true}
			continue
		}
		cased := strings.ToLower
		if e.Side == 0 {
			cased = strings.ToUpper
		}
		down, _ := m.Defeated(int32(i))
		figures[i] = Figure{Sign: '?', Name: e.Name, Side: e.Side, Down: down}
		for _, r := range cased(e.Name + "abcdefghijklmnopqrstuvwxyz") {
			if (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') && !taken[r] {
				taken[r] = true
				figures[i].Sign = r
				break
			}
		}
	}
	return figures
}

// Drawing is a drawn map: rows of cells, starting at (X, Y).
type Drawing struct {
	X, Y    int
	Rows    [][]Cell
	Figures []Figure
	Ground  []*Class // classes that occur in the rows
}

// Cell is the contents of one square: the sign, and the creature there as an index into Figures, or -1.
type Cell struct {
	Sign rune
	Who  int
}

// Draw draws the map: all of a map that a script drew; of open ground, the part with creatures.
func (f *Field) Draw(m *machine.Machine) Drawing {
	d := Drawing{Figures: Figures(m)}
	boxes := f.footprints(m)
	x1, y1 := f.Width-1, f.Height-1
	if !f.isDrawn {
		d.X, d.Y, x1, y1 = f.Width, f.Height, 0, 0
		for _, b := range boxes {
			if b.Side == 0 {
				continue
			}
			d.X, d.Y = min(d.X, int(b.At.X)-1), min(d.Y, int(b.At.Y)-1)
			x1, y1 = max(x1, int(b.At.X)+int(b.Side)), max(y1, int(b.At.Y)+int(b.Side))
		}
		d.X, d.Y, x1, y1 = max(d.X, 0), max(d.Y, 0), min(x1, f.Width-1), min(y1, f.Height-1)
	}
	shown := map[*Class]bool{&f.Classes[0]: true}
	for y := d.Y; y <= y1; y++ {
		var row []Cell
		for x := d.X; x <= x1; x++ {
			c := f.At(x, y)
			if !shown[c] {
				shown[c] = true
				d.Ground = append(d.Ground, c)
			}
			row = append(row, Cell{Sign: c.Mark, Who: -1})
		}
		d.Rows = append(d.Rows, row)
	}
	occupants := make([]Occupant, len(boxes))
	for who, b := range boxes {
		occupants[who] = Occupant{int(b.At.X), int(b.At.Y), int(b.Side), d.Figures[who].Down}
	}
	drawn, behind := Share(occupants)
	for at, who := range drawn {
		row, column := at[1]-d.Y, at[0]-d.X
		if row >= 0 && row < len(d.Rows) && column >= 0 && column < len(d.Rows[row]) {
			d.Rows[row][column] = Cell{Sign: d.Figures[who].drawn(), Who: who}
		}
	}
	for who, front := range behind {
		if front >= 0 {
			d.Figures[who].Behind = d.Figures[front].drawn()
		}
	}
	return d
}

// drawn is the sign on the map.
func (f *Figure) drawn() rune {
	if f.Down {
		return DownSign
	}
	return f.Sign
}

// Footprint returns the upper left square of a creature, and how many squares wide it is; not ok if it has no position.
func (f *Field) Footprint(m *machine.Machine, who int32) (at grid.Square, side int, ok bool) {
	at, ok = grid.Unpack(m.State().Squares[who])
	if !ok {
		return at, 0, false
	}
	return at, int(f.boxAt(m, int64(who), at).Side), true
}

// footprints returns the squares that each creature fills; a box with a side of 0 means no position.
func (f *Field) footprints(m *machine.Machine) []grid.Box {
	boxes := make([]grid.Box, len(m.State().Squares))
	for who, at := range m.State().Squares {
		if s, ok := grid.Unpack(at); ok {
			boxes[who] = f.boxAt(m, int64(who), s)
		}
	}
	return boxes
}

// Paint colors a cell or a word of the legend; nil means no colors.
type Paint func(sign string, figure *Figure) string

// Screen is what a drawing is shown on: its width in columns, and the columns that a text takes.
type Screen struct {
	Width   int
	Columns func(string) int
}

// Lines returns a drawing as text: a ruler, numbered rows, the legend. Only the legend depends on the width.
func (d Drawing) Lines(paint Paint, screen Screen) []string {
	if paint == nil {
		paint = func(sign string, _ *Figure) string { return sign }
	}
	gap := " "
	if len(d.Rows) > 0 && len(d.Rows[0]) > 38 { // so that a row fits on the screen
		gap = ""
	}
	ruler := "   "
	if len(d.Rows) > 0 {
		for i := 0; i < len(d.Rows[0]); i++ {
			if n := fmt.Sprint(d.X + i); (d.X+i)%5 == 0 {
				want := 3 + i*(1+len(gap))
				ruler += strings.Repeat(" ", max(want-len(ruler), 0)) + n
			}
		}
	}
	lines := []string{ruler}
	for i, row := range d.Rows {
		text, ground := fmt.Sprintf("%2d ", d.Y+i), ""
		for j, c := range row {
			if j > 0 {
				ground += gap
			}
			if c.Who < 0 {
				ground += string(c.Sign)
				continue
			}
			text += paint(ground, nil) + paint(string(c.Sign), &d.Figures[c.Who])
			ground = ""
		}
		text += paint(strings.TrimRight(ground, " "), nil)
		lines = append(lines, strings.TrimRight(text, " "))
	}
	return append(lines, d.legend(paint, screen)...)
}

// legend explains the signs, in lines that fit on the screen.
func (d Drawing) legend(paint Paint, screen Screen) []string {
	var lines []string
	line, length := "  ", 2
	add := func(plain, painted string) {
		columns := screen.Columns(plain)
		if length > 2 && length+2+columns > screen.Width {
			lines = append(lines, line)
			line, length = "  ", 2
		}
		line += " " + painted + " "
		length += 2 + columns
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		if f.Away {
			continue
		}
		sign, name := string(f.drawn()), f.Name
		if f.Behind != 0 {
			name += " with " + string(f.Behind)
		}
		add(sign+" "+name, paint(sign, f)+" "+name)
	}
	for _, c := range d.Ground {
		text := string(c.Mark) + " " + strings.Join(c.Names, ", ")
		add(text, text)
	}
	for i, l := range append(lines, line) {
		if i == len(lines) {
			return append(lines[:i], strings.TrimRight(l, " "))
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

// CoverLines returns the lines from the best corner of one creature's space to the corners of another's, and which of
// them the ground hampers; nothing if one of the two is not on the map.
func (f *Field) CoverLines(m *machine.Machine, from, to int32) []grid.CoverLine {
	x, err := f.boxOf(m, int64(from))
	if err != nil {
		return nil
	}
	y, err := f.boxOf(m, int64(to))
	if err != nil || grid.Overlap(x, y) {
		return nil
	}
	return f.Grid.BestLines(x, y, &grid.Lines{Stop: grid.BlocksEffect | grid.GivesCover, Whole: f.wholeSpaces})
}
