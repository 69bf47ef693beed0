package grid

import (
	"fmt"
	"strings"
	"testing"
)

// feet5 are the prices of the five-foot square: every second diagonal counts double.
var feet5 = NewPrices(func(factor int, diagonal, odd bool) int32 {
	if diagonal && !odd {
		return int32(10 * factor)
	}
	return int32(5 * factor)
})

func at(x, y, z int16) Square { return Square{x, y, z} }

func TestPack(t *testing.T) {
	all := []Square{at(-32768, 0, -1), at(0, 0, -1), at(-32768, -1, 0), at(-1, 0, 0), at(0, 0, 0), at(1, 0, 0), at(-5, 1, 0), at(32767, 32767, 32767)}
	for i, s := range all {
		if u, ok := Unpack(s.Pack()); !ok || u != s {
			t.Errorf("%v unpacks as %v %t", s, u, ok)
		}
		if i > 0 && s.Pack() <= all[i-1].Pack() {
			t.Errorf("%v is not after %v", s, all[i-1])
		}
	}
	for _, v := range []int64{0, 1, -1, 1 << 48, 1<<60 | 1<<48, 1<<61 | 1<<60, -1 << 62} {
		if s, ok := Unpack(v); ok {
			t.Errorf("%d unpacks as %v", v, s)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		b    Box
		want int32
	}{
		{One(at(0, 0, 0)), 0},
		{One(at(1, 0, 0)), 5},
		{One(at(1, 1, 0)), 5},
		{One(at(2, 2, 0)), 15},
		{One(at(3, 3, 0)), 20},
		{One(at(4, 4, 0)), 30},
		{One(at(-2, 1, 0)), 10},
		{One(at(-5, 2, 0)), 30},
		{One(at(1, 1, 1)), 5},
		{One(at(2, 1, 1)), 10},
		{One(at(2, 2, 2)), 15},
		{One(at(0, 0, -6)), 30},
		{Box{at(1, 1, 0), 2}, 5},
		{Box{at(-3, 0, 0), 2}, 10},
		{Box{at(-1, -1, -1), 3}, 0},
	} {
		if got := Distance(One(at(0, 0, 0)), c.b, feet5); got != c.want {
			t.Errorf("to %v: %d, want %d", c.b, got, c.want)
		}
	}
}

// flat counts the squares on one level.
func flat(s []Square, z int16) (n int) {
	for _, s := range s {
		if s.Z == z {
			n++
		}
	}
	return n
}

// draw shows one level of some squares, from the first row and column that contain any.
func draw(squares []Square, z int16) string {
	x0, y0, x1, y1 := int16(1<<14), int16(1<<14), int16(-1), int16(-1)
	in := map[Square]bool{}
	for _, s := range squares {
		if s.Z == z {
			in[s] = true
			x0, y0, x1, y1 = min(x0, s.X), min(y0, s.Y), max(x1, s.X), max(y1, s.Y)
		}
	}
	var b strings.Builder
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if in[at(x, y, z)] {
				b.WriteByte('#')
			} else {
				b.WriteByte('.')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestBurst(t *testing.T) {
	g := NewGround(60, 60)
	o := at(30, 30, 0)
	for _, c := range []struct {
		feet int32
		want int
	}{{0, 0}, {4, 0}, {5, 4}, {10, 12}, {15, 24}, {20, 44}, {30, 96}, {40, 172}} {
		got := g.Burst(nil, o, c.feet, 0, feet5)
		if len(got) != c.want {
			t.Errorf("%d ft: %d squares, want %d\n%s", c.feet, len(got), c.want, draw(got, 0))
		}
		if ball := g.Burst(nil, o, c.feet, 99, feet5); flat(ball, 0) != c.want {
			t.Errorf("%d ft: a ball has %d squares on its level, want %d", c.feet, flat(ball, 0), c.want)
		}
		var f Finder
		if spread, ok := f.Spread(nil, g, o, c.feet, feet5); !ok || fmt.Sprint(spread) != fmt.Sprint(got) {
			t.Errorf("%d ft: a spread over free ground is not the burst:\n%s", c.feet, draw(spread, 0))
		}
	}
	if got := g.Cylinder(nil, o, 20, 40, feet5); len(got) != 8*44 || got[0].Z != 0 || got[len(got)-1].Z != 7 {
		t.Errorf("a cylinder of 20 ft, 40 ft high, has %d squares", len(got))
	}
}

func TestReach(t *testing.T) {
	g := NewGround(60, 60)
	for _, c := range []struct {
		side         int16
		inner, outer int32
		want         int
	}{
		{1, -1, 5, 9}, {1, 0, 5, 8}, {1, 5, 10, 12}, {2, 0, 5, 12}, {2, 0, 10, 28}, {2, 5, 10, 16}, {3, 0, 15, 60},
	} {
		if got := g.Ring(nil, Box{at(30, 30, 0), c.side}, c.inner, c.outer, 0, feet5); flat(got, 0) != c.want {
			t.Errorf("side %d, %d to %d ft: %d squares, want %d\n%s", c.side, c.inner, c.outer, flat(got, 0), c.want, draw(got, 0))
		}
	}
}

func TestCone(t *testing.T) {
	g := NewGround(60, 60)
	o := at(30, 30, 0)
	for _, c := range []struct {
		toward Square
		feet   int32
		want   string
	}{
		{at(30, 20, 0), 15, ".##.\n####\n.##.\n"},
		{at(38, 30, 0), 15, ".#.\n###\n###\n.#.\n"},
		{at(30, 30, 0), 15, "###\n##.\n#..\n"},
		{at(20, 20, 0), 15, "..#\n.##\n###\n"},
		{at(30, 29, 0), 10, "#.\n##\n"},
		{at(33, 31, 0), 5, "#\n"},
	} {
		if got := draw(g.Cone(nil, o, c.toward, c.feet, 0, feet5), 0); got != c.want {
			t.Errorf("%d ft toward %v:\n%swant\n%s", c.feet, c.toward, got, c.want)
		}
	}
	// The published templates.
	for _, c := range []struct {
		feet                 int32
		orthogonal, diagonal int
	}{{15, 8, 6}, {20, 14, 11}, {30, 28, 24}, {40, 48, 43}, {50, 74, 67}, {60, 104, 96}, {70, 140, 131}, {80, 182, 171}} {
		x, y := len(g.Cone(nil, o, at(30, 10, 0), c.feet, 0, feet5)), len(g.Cone(nil, o, at(40, 40, 0), c.feet, 0, feet5))
		if x != c.orthogonal || y != c.diagonal {
			t.Errorf("%d ft: %d and %d squares, want %d and %d", c.feet, x, y, c.orthogonal, c.diagonal)
		}
	}
}

func TestLineArea(t *testing.T) {
	g := NewGround(60, 60)
	o := at(30, 30, 0)
	for _, c := range []struct {
		toward Square
		want   int
	}{{at(40, 30, 0), 12}, {at(35, 35, 0), 8}, {at(25, 25, 0), 8}} {
		if got := g.LineArea(nil, o, c.toward, 60, 0, feet5); len(got) != c.want {
			t.Errorf("60 ft toward %v: %d squares, want %d\n%s", c.toward, len(got), c.want, draw(got, 0))
		}
	}
	if got, want := draw(g.LineArea(nil, o, at(33, 31, 0), 20, 0, feet5), 0), "###\n..#\n"; got != want {
		t.Errorf("oblique:\n%swant\n%s", got, want)
	}
}

// A drawing is a map: # blocks everything, o is a low obstacle, : is difficult, digits are floors, and letters are
// positions on plain ground.
func drawing(s string) (*Ground, map[byte]Square) {
	rows := strings.Fields(s)
	g := NewGround(len(rows[0]), len(rows))
	who := map[byte]Square{}
	for y, row := range rows {
		for x := range len(row) {
			c, sq := Cell{}, at(int16(x), int16(y), 0)
			switch b := row[x]; {
			case b == '#':
				c.Flags = BlocksWay | BlocksEffect | BlocksSight
			case b == 'o':
				c.Flags = GivesCover
			case b == ':':
				c.Factor = 2
			case b >= '0' && b <= '9':
				c.Floor = int16(b - '0')
			case b != '.':
				if _, ok := who[b]; !ok {
					who[b] = sq
				}
			}
			g.Set(x, y, c)
		}
	}
	return g, who
}

func TestCover(t *testing.T) {
	for _, c := range []struct {
		name, drawing string
		a, b          int16 // sides
		bodies        []Box
		best, all     int
		open, grazing bool
	}{
		{"nothing between", "A....B", 1, 1, nil, 0, 0, true, true},
		{"adjacent", "AB", 1, 1, nil, 0, 0, true, true},
		{"a wall between", "A.#.B", 1, 1, nil, 4, 16, false, false},
		{"a wall, room beside", "..... A.#.B .....", 1, 1, nil, 2, 8, false, true},
		{"a low obstacle", "..... A.o.B .....", 1, 1, nil, 2, 8, true, true},
		{"around a corner", "A# .B", 1, 1, nil, 0, 3, true, true},
		{"two pillars that touch", "A# #B", 1, 1, nil, 0, 7, false, true},
		{"between touching pillars", "A... .#.. ..#. ...B", 1, 1, nil, 3, 14, false, true},
		{"a body between", "A.X.B", 1, 1, []Box{One(at(2, 0, 0))}, 2, 8, true, true},
		{"the two themselves", "A.B", 1, 1, []Box{One(at(0, 0, 0)), One(at(2, 0, 0))}, 0, 0, true, true},
		{"along a wall", "A...B #####", 1, 1, nil, 0, 0, true, true},
		{"between walls", "##### A...B #####", 1, 1, nil, 0, 0, true, true},
		{"a large one sees past", "A..#B A....", 2, 1, nil, 2, 12, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, who := drawing(c.drawing)
			a, b := Box{who['A'], c.a}, Box{who['B'], c.b}
			best, all := g.Blocked(a, b, BlocksEffect|GivesCover, c.bodies)
			open, grazing := g.HasLine(a, b, BlocksEffect, DrawnIn), g.HasLine(a, b, BlocksEffect, OnCorners)
			if best != c.best || all != c.all || open != c.open || grazing != c.grazing {
				t.Errorf("best %d all %d open %t %t, want %d %d %t %t", best, all, open, grazing, c.best, c.all, c.open, c.grazing)
			}
		})
	}
}

func TestFlanks(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, target, b Box
		want         bool
	}{
		{"opposite sides", One(at(0, 1, 0)), One(at(1, 1, 0)), One(at(2, 1, 0)), true},
		{"opposite corners", One(at(0, 0, 0)), One(at(1, 1, 0)), One(at(2, 2, 0)), true},
		{"side and corner", One(at(0, 1, 0)), One(at(1, 1, 0)), One(at(2, 2, 0)), false},
		{"adjacent sides", One(at(0, 1, 0)), One(at(1, 1, 0)), One(at(1, 2, 0)), false},
		{"with reach", One(at(-1, 0, 0)), One(at(1, 1, 0)), One(at(3, 2, 0)), true},
		{"a large target, one off", One(at(0, 1, 0)), Box{at(1, 1, 0), 2}, One(at(3, 2, 0)), true},
		{"a large target, beside", One(at(0, 2, 0)), Box{at(1, 1, 0), 2}, One(at(3, 3, 0)), false},
		{"a large target, corner and side", One(at(0, 0, 0)), Box{at(1, 1, 0), 2}, One(at(3, 2, 0)), false},
		{"a large flanker", Box{at(-1, 0, 0), 2}, One(at(1, 1, 0)), One(at(2, 1, 0)), true},
		{"from above and below", One(at(1, 1, 2)), One(at(1, 1, 1)), One(at(1, 1, 0)), true},
		{"in the target", One(at(1, 1, 0)), One(at(1, 1, 0)), One(at(2, 1, 0)), false},
	} {
		if got := Flanks(c.a, c.target, c.b); got != c.want || Flanks(c.b, c.target, c.a) != got {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, drawing string
		change        func(m *Mover)
		others        []Occupant
		avoid         []Square
		want          string
		feet          int32
	}{
		{"straight", "A..B", nil, nil, nil, "[{0 0 0} {1 0 0} {2 0 0}]", 10},
		{"second diagonal", "A.. ... ..B", nil, nil, nil, "[{0 0 0} {1 1 0}]", 5},
		{"no corner is cut", "A#. ..B ...", nil, nil, nil, "[{0 0 0} {0 1 0} {1 2 0}]", 10},
		{"corners are cut", "A#. ..B ...", func(m *Mover) { m.CutCorners = true }, nil, nil, "[{0 0 0} {1 1 0}]", 5},
		{"walled in", "A#. ##B ...", func(m *Mover) { m.CutCorners = true }, nil, nil, "", 0},
		{"difficult", "A:..B", nil, nil, nil, "[{0 0 0} {1 0 0} {2 0 0} {3 0 0}]", 20},
		{"around difficult", "A:::B .....", nil, nil, nil, "[{0 0 0} {1 1 0} {2 1 0} {3 1 0}]", 15},
		{"nothing is difficult", "A:::B", func(m *Mover) { m.Prices = feet5.Plain() }, nil, nil, "[{0 0 0} {1 0 0} {2 0 0} {3 0 0}]", 15},
		{"a body bars", "AX.B", nil, []Occupant{{Box: One(at(1, 0, 0))}}, nil, "", 0},
		{"a friend does not", "AX.B", nil, []Occupant{{Box: One(at(1, 0, 0)), Pass: true}}, nil, "[{0 0 0} {1 0 0} {2 0 0}]", 10},
		{"nor ends there", "A.XB", nil, []Occupant{{Box: One(at(2, 0, 0)), Pass: true}}, nil, "", 0},
		{"unless it shares", "A.XB", nil, []Occupant{{Box: One(at(2, 0, 0)), Pass: true, Share: true}}, nil, "[{0 0 0} {1 0 0} {2 0 0}]", 10},
		{"around the avoided", "A...B .....", nil, nil, []Square{at(1, 0, 0), at(2, 0, 0)}, "[{0 0 0} {1 1 0} {2 1 0} {3 1 0}]", 15},
		{"stairs", "A1234 ....B", nil, nil, nil, "[{0 0 0} {0 1 0} {1 1 0} {2 1 0} {3 1 0}]", 20},
		{"a large one", "A.... ..... ##... ...B.", func(m *Mover) { m.Box.Side = 2 }, nil, nil, "[{0 0 0} {1 0 0} {2 0 0} {3 1 0}]", 15},
		{"squeezing", "A.#..B ......", func(m *Mover) { m.Box.Side, m.Squeeze, m.SqueezeFactor = 2, true, 2 }, nil, nil, "[{0 0 0} {1 0 0} {2 0 0} {3 0 0}]", 25},
		{"not through a wall", "A.#..B ..#...", func(m *Mover) { m.Box.Side, m.Squeeze, m.SqueezeFactor = 2, true, 2 }, nil, nil, "", 0},
		{"over a wall of bodies", "AX.B", func(m *Mover) { m.Fly = true }, []Occupant{{Box: One(at(1, 0, 0))}}, nil, "[{0 0 0} {1 0 1} {2 0 1}]", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, who := drawing(c.drawing)
			m := &Mover{Box: One(who['A']), Prices: feet5}
			if c.change != nil {
				c.change(m)
			}
			var f Finder
			path, feet, ok := f.Find(g, m, c.others, Goal{Near: One(who['B']), Max: 5, Min: 5}, c.avoid, 1000)
			got := ""
			if ok {
				got = fmt.Sprint(path)
				if cost, ok := f.Cost(g, m, path); !ok || cost != feet {
					t.Errorf("its cost is %d %t, of the way found %d", cost, ok, feet)
				}
			}
			if got != c.want || feet != c.feet {
				t.Errorf("%s %d, want %s %d", got, feet, c.want, c.feet)
			}
		})
	}
}
