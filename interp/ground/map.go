// Package ground puts creatures on a map: it reads the map that a script draws, binds the geometry of stdlib/grid to a
// running machine, and implements the functions of rules about places and paths.
//
// It must never know a rule: the price of a step, the space of a creature, and who may pass whom come from the defines
// named in ir.CoreSignatures, and the marks on the map are terrains of the ruleset. A map is read once and shared; what
// changes in a fight is the machine's state.
package ground

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/grid"
)

// OpenSide is the side of the open ground, in squares, that is used when creatures have squares but there is no map.
const OpenSide = 100

// MaxSide is the longest side of a map, in squares.
const MaxSide = 200

// Map is a map. It is immutable.
type Map struct {
	Width, Height int
	Grid          *grid.Ground
	Classes       []Class // possible contents of squares; 0 is plain ground
	class         []uint8 // of each square, row by row
	marks         map[rune][]grid.Square
	isDrawn       bool // by a script, not open ground
}

// Class is the contents of the squares with one mark.
type Class struct {
	Mark    rune
	Terrain []int64 // the things, as values
	blocked []int64 // those of them that block the way
	Names   []string
}

// Open returns empty ground.
func Open() *Map {
	m := newMap(OpenSide, OpenSide)
	m.isDrawn = false
	return m
}

func newMap(w, h int) *Map {
	m := &Map{Width: w, Height: h, Grid: grid.NewGround(w, h), class: make([]uint8, w*h), marks: map[rune][]grid.Square{}, isDrawn: true}
	m.Classes = []Class{{Mark: '.'}}
	return m
}

// IsDrawn reports whether a script drew the map.
func (m *Map) IsDrawn() bool { return m.isDrawn }

// At returns the contents of a square.
func (m *Map) At(x, y int) *Class {
	if x < 0 || y < 0 || x >= m.Width || y >= m.Height {
		return &m.Classes[0]
	}
	return &m.Classes[m.class[y*m.Width+x]]
}

// ClassAt returns the index of the contents of a square.
func (m *Map) ClassAt(x, y int) int {
	if x < 0 || y < 0 || x >= m.Width || y >= m.Height {
		return 0
	}
	return int(m.class[y*m.Width+x])
}

// Has reports whether a square is on the map.
func (m *Map) Has(s grid.Square) bool {
	return s.X >= 0 && s.Y >= 0 && int(s.X) < m.Width && int(s.Y) < m.Height
}

// OnFloor returns the square on the floor of the column of s.
func (m *Map) OnFloor(s grid.Square) grid.Square {
	s.Z = m.Grid.At(int(s.X), int(s.Y)).Floor
	return s
}

// SquaresWith returns the squares with a mark.
func (m *Map) SquaresWith(mark string) []grid.Square {
	r := []rune(mark)
	if len(r) != 1 {
		return nil
	}
	return m.marks[r[0]]
}

// WithTerrain returns a map on which some squares have different contents: the named terrains, or nothing without
// names. It is an error if a name is unknown.
func (m *Map) WithTerrain(p *program.Program, names []string, squares []grid.Square) (*Map, error) {
	r := &reader{p: p, m: newMap(m.Width, m.Height)}
	r.findTerrainKind()
	c := Class{Mark: '.'}
	for _, name := range names {
		t := r.findTerrain(name)
		if t < 0 {
			if near := words.Nearest(name, r.terrainNames()); near != "" {
				return nil, fmt.Errorf("there is no %s named %s; did you mean %s?", ir.TerrainKind, name, near)
			}
			return nil, fmt.Errorf("there is no %s named %s", ir.TerrainKind, name)
		}
		r.addTerrain(&c, t, name)
	}
	r.m.isDrawn, r.m.marks = m.isDrawn, m.marks
	r.m.Classes = slices.Clone(m.Classes)
	to := slices.IndexFunc(m.Classes, func(x Class) bool { return slices.Equal(x.Names, names) })
	if to < 0 {
		if len(m.Classes) > 255 {
			return nil, errors.New("this map already has 255 kinds of ground")
		}
		c.Mark = m.unusedSign()
		to, r.m.Classes = len(m.Classes), append(r.m.Classes, c)
	}
	copy(r.m.class, m.class)
	for _, s := range squares {
		r.m.class[int(s.Y)*m.Width+int(s.X)] = uint8(to)
	}
	for i, class := range r.m.class {
		r.m.Grid.Set(i%m.Width, i/m.Width, r.cellOf(&r.m.Classes[class]))
	}
	return r.m, nil
}

// unusedSign returns an unused sign.
func (m *Map) unusedSign() rune {
	for _, sign := range "%&*+^=~:;!$?" {
		if !slices.ContainsFunc(m.Classes, func(c Class) bool { return c.Mark == sign }) {
			return sign
		}
	}
	return '?'
}

// reader reads one map.
type reader struct {
	file           string
	p              *program.Program
	kind           int32                      // the kind of terrain, -1 if there is none
	fields         [len(ir.TerrainFields)]int // indexes of TerrainFields in that kind, -1 if missing
	node           *ast.Map
	isLegendBroken bool // not all of it could be parsed
	legend         map[rune]uint8
	m              *Map
	diags          diag.List
}

func (r *reader) fail(span ast.Span, code, hint, format string, args ...any) {
	r.diags = append(r.diags, diag.Diagnostic{File: r.file, Span: span, Severity: diag.Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Read reads the map of a script: each character is a square, `.` and spaces are plain ground, and the legend defines
// the contents of the others. Letters and digits that are not in the legend mark squares, for `at "A"`.
func Read(file string, p *program.Program, n *ast.Map) (*Map, diag.List) {
	r := &reader{file: file, p: p, node: n, legend: map[rune]uint8{}}
	r.findTerrainKind()
	rows := dedent(n.Rows.Value)
	w := 0
	for _, row := range rows {
		w = max(w, len([]rune(row)))
	}
	switch {
	case w == 0:
		r.fail(n.Rows.Span, "bad-map", "draw rows of marks: `.` is plain ground", "this map has no squares")
		return Open(), r.diags
	case w > MaxSide || len(rows) > MaxSide:
		r.fail(n.Rows.Span, "bad-map", "make it smaller, or use several maps in turn", "a map has at most %d squares on a side, not %d by %d", MaxSide, w, len(rows))
		return Open(), r.diags
	}
	r.m = newMap(w, len(rows))
	r.readLegend()
	for y, row := range rows {
		for x, mark := range []rune(row) {
			r.readSquare(x, y, mark)
		}
	}
	return r.m, r.diags
}

// dedent removes the first and last line break of a map, and the common indentation of its rows.
func dedent(text string) []string {
	rows := strings.Split(strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	for len(rows) > 0 && strings.TrimSpace(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	indent := -1
	for _, row := range rows {
		if strings.TrimSpace(row) == "" {
			continue
		}
		if n := len(row) - len(strings.TrimLeft(row, " \t")); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, row := range rows {
		rows[i] = strings.TrimRight(row[min(max(indent, 0), len(row)):], " \t")
	}
	return rows
}

// findTerrainKind finds the kind of terrain, and the indexes of its fields.
func (r *reader) findTerrainKind() {
	r.kind = -1
	for k := range r.p.Kinds {
		if r.p.Kinds[k].Name == ir.TerrainKind {
			r.kind = int32(k)
		}
	}
	for i, name := range ir.TerrainFields {
		r.fields[i] = -1
		if r.kind >= 0 {
			r.fields[i] = slices.IndexFunc(r.p.Kinds[r.kind].Fields, func(f program.Field) bool { return f.Name == name })
		}
	}
}

// findTerrain returns the index of the terrain of that name, -1 if there is none.
func (r *reader) findTerrain(name string) int {
	return slices.IndexFunc(r.p.Templates, func(t program.Template) bool { return t.Kind == r.kind && t.Name == name })
}

func (r *reader) terrainNames() (names []string) {
	for i := range r.p.Templates {
		if t := &r.p.Templates[i]; t.Kind == r.kind {
			names = append(names, t.Name)
		}
	}
	return names
}

func (r *reader) readLegend() {
	if r.node.Legend == nil {
		return
	}
	for _, cl := range r.node.Legend.Clauses {
		e, ok := cl.(*ast.LegendEntry)
		if !ok {
			r.isLegendBroken = true // reported when it was parsed
			continue
		}
		mark := []rune(e.Mark.Value)
		if len(mark) != 1 {
			r.fail(e.Mark.Span, "bad-map", `write "#": wall`, "a mark is a single character, but %q has %d", e.Mark.Value, len(mark))
			continue
		}
		if _, twice := r.legend[mark[0]]; twice {
			r.fail(e.Mark.Span, "declared-twice", "give each mark once, with everything that it means", "%q is already in the legend", e.Mark.Value)
			continue
		}
		c := Class{Mark: mark[0]}
		for _, id := range e.Names {
			t := r.findTerrain(id.Name)
			if t < 0 {
				hint := "declare one: " + ir.TerrainKind + " " + id.Name + " { price: 2 }"
				if near := words.Nearest(id.Name, r.terrainNames()); near != "" {
					hint = "did you mean `" + near + "`?"
				}
				r.fail(id.Span, "unknown-name", hint, "there is no %s named %s", ir.TerrainKind, id.Name)
				continue
			}
			r.addTerrain(&c, t, id.Name)
		}
		if len(r.m.Classes) > 255 {
			r.fail(e.Span, "limit", "use fewer", "a legend has at most 255 marks")
			return
		}
		r.legend[mark[0]] = uint8(len(r.m.Classes))
		r.m.Classes = append(r.m.Classes, c)
	}
}

func (r *reader) readSquare(x, y int, mark rune) {
	class, ok := r.legend[mark]
	at := grid.Square{X: int16(x), Y: int16(y)}
	switch {
	case ok:
		r.m.class[y*r.m.Width+x] = class
		r.m.Grid.Set(x, y, r.cellOf(&r.m.Classes[class]))
	case mark == '.' || mark == ' ':
	case mark >= '0' && mark <= '9' || mark >= 'a' && mark <= 'z' || mark >= 'A' && mark <= 'Z':
	default:
		r.legend[mark] = 0
		if r.isLegendBroken {
			return
		}
		r.fail(r.node.Rows.Span, "bad-map", fmt.Sprintf(`add it to the legend: { %q: wall }`, string(mark)), "the legend does not say what %q at (%d, %d) means", string(mark), x, y)
		return
	}
	if mark != '.' && mark != ' ' {
		r.m.marks[mark] = append(r.m.marks[mark], at)
	}
}

// terrainFlags are what the first of the TerrainFields mean for the geometry.
var terrainFlags = [...]grid.Flags{grid.BlocksWay, grid.BlocksEffect, grid.BlocksSight, grid.GivesCover, grid.Conceals}

// FlagNames lists the TerrainFields that flags come from.
func FlagNames(flags grid.Flags) (names []string) {
	for i, flag := range terrainFlags {
		if flags&flag != 0 {
			names = append(names, ir.TerrainFields[i])
		}
	}
	return names
}

// cellOf describes a square for the geometry: the combined properties of its terrains, the highest price, the greatest
// height.
func (r *reader) cellOf(c *Class) grid.Cell {
	cell := grid.Cell{Factor: 1}
	for _, t := range c.Terrain {
		for i, flag := range terrainFlags {
			if r.terrainField(t, i) > 0 {
				cell.Flags |= flag
			}
		}
		cell.Factor = max(cell.Factor, uint8(min(max(r.terrainField(t, 5), 1), grid.MaxFactor)))
		cell.Floor = max(cell.Floor, int16(min(max(r.terrainField(t, 6), 0)/squareSide, grid.MaxLevel)))
	}
	return cell
}

// addTerrain adds a terrain to the contents of a square.
func (r *reader) addTerrain(c *Class, terrain int, name string) {
	t := -int64(terrain) - 1
	c.Terrain, c.Names = append(c.Terrain, t), append(c.Names, name)
	if r.terrainField(t, 0) > 0 {
		c.blocked = append(c.blocked, t)
	}
}

// terrainField returns one of the TerrainFields of a terrain, 0 if the ruleset does not have it.
func (r *reader) terrainField(t int64, i int) int64 {
	values := r.p.Templates[-t-1].Values
	if k := r.fields[i]; k >= 0 && k < len(values) {
		return values[k]
	}
	return 0
}

// squareSide is the side of a square, in feet.
const squareSide = 5
