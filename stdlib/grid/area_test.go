package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowArea checks every square of the map, in packed order.
func slowArea(g *Ground, in func(s Square) bool) (all []Square) {
	w, h := int(g.w), int(g.h)
	for z := int16(-12); z < 24; z++ {
		for y := range int16(h) {
			for x := range int16(w) {
				if s := at(x, y, z); z >= g.At(int(x), int(y)).Floor && in(s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// edge counts the steps from the intersection to the farthest corner of s on the map, and to the far side of its level.
func edge(o, s Square) [3]int {
	var d [3]int
	for i, v := range [3]int{int(s.X) - int(o.X), int(s.Y) - int(o.Y), int(s.Z) - int(o.Z)} {
		d[i] = max(abs(v), abs(v+1))
	}
	return d
}

func TestAreasAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range runs(2000) {
		w, h := 1+r.IntN(14), 1+r.IntN(14)
		g := randomGround(r, w, h, true)
		o, to := at(int16(r.IntN(w+4)-2), int16(r.IntN(h+4)-2), int16(r.IntN(4))), randomBox(r, w, h, 5, 1).At
		box := randomBox(r, w, h, 3, 6)
		levels, feet := r.IntN(4), int32(r.IntN(50)-2)
		check := func(name string, got []Square, in func(s Square) bool) {
			t.Helper()
			if want := slowArea(g, in); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: origin %v toward %v box %v %d ft %d levels:\n got %v\nwant %v\n%s", name, o, to, box, feet, levels, got, want, show(g))
			}
		}
		inLevels := func(s Square) bool { return abs(int(s.Z)-int(o.Z)) <= levels }
		nearBox := func(s Square) bool {
			return int(s.Z) >= int(box.At.Z)-levels && int(s.Z) < int(box.At.Z)+int(box.Side)+levels
		}
		check("within", g.Within(nil, box, feet, levels, feet5), func(s Square) bool {
			return nearBox(s) && Distance(box, One(s), feet5) <= feet
		})
		check("ring", g.Ring(nil, box, feet/2, feet, levels, feet5), func(s Square) bool {
			d := Distance(box, One(s), feet5)
			return nearBox(s) && d > feet/2 && d <= feet
		})
		check("burst", g.Burst(nil, o, feet, levels, feet5), func(s Square) bool {
			return inLevels(s) && slowWay(edge(o, s), feet5) <= int(feet)
		})
		check("cylinder", g.Cylinder(nil, o, feet, 17, feet5), func(s Square) bool {
			e := edge(o, s)
			e[2] = 0
			return s.Z >= o.Z && s.Z < o.Z+4 && slowWay(e, feet5) <= int(feet)
		})
		side := func(s Square) [3]int { // the vector from half the height of the origin's level
			e := edge(o, s)
			e[2] = abs(int(s.Z)-int(o.Z)) + 1
			return e
		}
		p := corner(int(o.X), int(o.Y), int(o.Z))
		q := corner(0, 0, 0)
		const beyond = 100
		q[0] = rat(2*int64(o.X)+beyond*(2*int64(to.X-o.X)+1), 2)
		q[1] = rat(2*int64(o.Y)+beyond*(2*int64(to.Y-o.Y)+1), 2)
		q[2] = rat(2*int64(o.Z)+1+beyond*2*int64(to.Z-o.Z), 2)
		check("line", g.LineArea(nil, o, to, feet, levels, feet5), func(s Square) bool {
			return inLevels(s) && slowWay(side(s), feet5) <= int(feet) && slowInside(p, q, s)
		})
		// Of the twenty-six directions, the one with the smallest angle; no two angles are equal.
		d := [3]int{2*int(to.X-o.X) + 1, 2*int(to.Y-o.Y) + 1, 2 * int(to.Z-o.Z)}
		best, dir := -2.0, [3]int{}
		for i := range 27 {
			if v := [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1}; v != [3]int{} {
				if c := cosine(v, d); c > best+1e-9 {
					best, dir = c, v
				}
			}
		}
		check("cone", g.Cone(nil, o, to, feet, levels, feet5), func(s Square) bool {
			c := [3]int{2*int(s.X-o.X) + 1, 2*int(s.Y-o.Y) + 1, 2 * int(s.Z-o.Z)}
			return inLevels(s) && slowWay(side(s), feet5) <= int(feet) && cosine(c, dir) >= 0.70710678118-1e-9
		})
	}
}

// slowInside reports whether the line runs through the interior of the square.
func slowInside(p, q point, s Square) bool {
	var in, out = rat(0, 1), rat(1, 1)
	for i, v := range [3]int16{s.X, s.Y, s.Z} {
		lo, hi := p.when(q, i, int64(v)), p.when(q, i, int64(v)+1)
		if lo == nil {
			if p[i].Cmp(rat(int64(v), 1)) <= 0 || p[i].Cmp(rat(int64(v)+1, 1)) >= 0 {
				return false
			}
			continue
		}
		if lo.Cmp(hi) > 0 {
			lo, hi = hi, lo
		}
		if lo.Cmp(in) > 0 {
			in = lo
		}
		if hi.Cmp(out) < 0 {
			out = hi
		}
	}
	return in.Cmp(out) < 0
}

func TestSpreadIsTheCheapestWay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	var f Finder
	for i := range runs(1500) {
		w, h, levels := 1+r.IntN(8), 1+r.IntN(8), 0
		g := randomGround(r, w, h, true)
		if i%3 == 0 {
			levels = 1 + r.IntN(2)
		}
		o, feet, cut := at(int16(r.IntN(w+1)), int16(r.IntN(h+1)), int16(r.IntN(3))), int32(r.IntN(50)), r.IntN(2) == 0
		got := f.Spread(nil, g, o, feet, levels, cut, feet5)
		// Relax all states until nothing changes.
		type node struct {
			s      Square
			parity int
		}
		free := func(s Square) bool {
			return !slowStops(g, int(s.X), int(s.Y), int(s.Z), BlocksEffect) && abs(int(s.Z)-int(o.Z)) <= levels
		}
		open := func(s Square) bool { return !slowStops(g, int(s.X), int(s.Y), int(s.Z), BlocksEffect) }
		cost := map[node]int32{}
		for j := range int16(8) {
			if s := at(o.X-j&1, o.Y-j>>1&1, o.Z-j>>2); free(s) && feet >= 5 {
				cost[node{s, 1}] = 5
			}
		}
		for changed := true; changed; {
			changed = false
			for n, c := range cost {
				for _, d := range directions {
					to := node{at(n.s.X+int16(d[0]), n.s.Y+int16(d[1]), n.s.Z+int16(d[2])), n.parity}
					next := c + 5
					if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] > 1 {
						if next = c + 10; n.parity == 0 {
							next = c + 5
						}
						to.parity = 1 - n.parity
					}
					if old, ok := cost[to]; !free(to.s) || next > feet || ok && old <= next || !slowRound(n.s, d, cut, open) {
						continue
					}
					cost[to] = next
					changed = true
				}
			}
		}
		in := map[Square]bool{}
		for n := range cost {
			in[n.s] = true
		}
		if want := slowArea(g, func(s Square) bool { return in[s] }); !slices.Equal(got, want) {
			t.Fatalf("spread from %v %d ft %d levels, cut %t:\n got %v\nwant %v\n%s", o, feet, levels, cut, got, want, show(g))
		}
	}
}

// slowRound checks all cells of the cuboid around a step: without cutting corners all must be free; with it, there must
// be a path along its edges.
func slowRound(s Square, d [3]int32, cut bool, free func(Square) bool) bool {
	cell := func(i int) Square {
		return at(s.X+int16(d[0])*int16(i&1), s.Y+int16(d[1])*int16(i>>1&1), s.Z+int16(d[2])*int16(i>>2))
	}
	reached := [8]bool{true}
	all := true
	for range 3 {
		for i := range 8 {
			all = all && (free(cell(i)) || cell(i) == s)
			for axis := range 3 {
				if reached[i] && (free(cell(i)) || i == 0) {
					reached[i|1<<axis] = true
				}
			}
		}
	}
	return all || cut && reached[7]
}

func TestBelow(t *testing.T) {
	g, _ := drawing("0123 0123")
	for _, c := range []struct {
		b    Box
		want int16
		ok   bool
	}{
		{One(at(2, 0, 7)), 2, true},
		{One(at(2, 0, 2)), 2, true},
		{One(at(2, 0, 1)), -MaxLevel, false},
		{Box{at(1, 0, 5), 2}, 2, true},
		{Box{at(3, 1, 5), 3}, 3, true},
		{One(at(9, 9, 5)), -MaxLevel, false},
	} {
		if z, ok := g.Below(c.b); z != c.want || ok != c.ok {
			t.Errorf("below %v: %d %t, want %d %t", c.b, z, ok, c.want, c.ok)
		}
	}
}

func TestGround(t *testing.T) {
	g := NewGround(70, 3)
	if !g.Set(69, 2, Cell{Flags: BlocksSight | GivesCover, Factor: 3, Floor: 2}) || g.Set(70, 0, Cell{}) || g.Set(0, -1, Cell{}) {
		t.Error("Set takes what is not on the map, or not what is")
	}
	for _, q := range []struct {
		s    Square
		stop Flags
		want bool
	}{
		{at(69, 2, 2), BlocksSight, true},
		{at(69, 2, 2), GivesCover, true},
		{at(69, 2, 3), GivesCover, false},
		{at(69, 2, 3), BlocksSight, true},
		{at(69, 2, 3), BlocksWay, false},
		{at(69, 2, 1), BlocksWay, true},
		{at(70, 2, 2), BlocksEffect, true},
		{at(0, 0, MaxLevel+1), BlocksEffect, true},
		{at(0, 0, 0), solid, false},
		{at(70, 2, 2), 0, false},
	} {
		if got := g.Stops(q.s, q.stop); got != q.want {
			t.Errorf("%v stops %d: %t, want %t", q.s, q.stop, got, q.want)
		}
	}
	if g := NewGround(-1, math.MaxInt); g.w != 0 || g.h != MaxMap {
		t.Errorf("a map of %d by %d", g.w, g.h)
	}
}

func TestClear(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for range runs(300) {
		g := NewGround(1+r.IntN(200), 1+r.IntN(20))
		for range 20 {
			x := r.IntN(4)*64 - r.IntN(3)/2 // more often at the borders of words
			g.Set(max(x, r.IntN(2)*r.IntN(200)), r.IntN(20), Cell{Flags: Flags(r.IntN(2)), Floor: int16(r.IntN(3) - 1)})
		}
		for range 200 {
			x0, y0 := r.IntN(202)-1, r.IntN(22)-1
			x1, y1 := x0+r.IntN(80), y0+r.IntN(6)
			want := true
			for _, c := range columns(x0, y0, x1-x0+1, y1-y0+1) {
				want = want && !g.stops(int32(c[0]), int32(c[1]), 0, solid)
			}
			if got := g.isClear(int32(x0), int32(y0), int32(x1), int32(y1)); got != want {
				t.Fatalf("from %d,%d to %d,%d: %t, want %t", x0, y0, x1, y1, got, want)
			}
		}
	}
}
