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

// TestSpreadIsTheShortestWay: a square is reached if some way of straight lines from intersection to intersection, and
// from the last one to the square, is short enough. All intersections are tried, not only the corners of cells.
func TestSpreadIsTheShortestWay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	var f Finder
	even := NewPrices(func(factor int, _, _ bool) int32 { return int32(5 * factor) })
	squares, behind := 0, 0
	for i := range runs(400) {
		w, h := 1+r.IntN(6), 1+r.IntN(6)
		g := randomGround(r, w, h, i%2 == 0)
		o, feet := at(int16(r.IntN(w+1)), int16(r.IntN(h+1)), int16(r.IntN(2))), int32(r.IntN(50))
		p := feet5
		if i%5 == 0 {
			p = even
		}
		got, ok := f.Spread(nil, g, o, feet, p)
		in := slowSpread(g, o, int(feet), p)
		if want := slowArea(g, func(s Square) bool { return in[s] }); !ok || !slices.Equal(got, want) {
			t.Fatalf("spread from %v %d ft:\n got %v\nwant %v\n%s", o, feet, got, want, show(g))
		}
		for _, s := range g.Burst(nil, o, feet, 0, p) {
			switch sees := !g.Stops(s, BlocksEffect) && g.HasLineFrom(o, One(s), BlocksEffect); {
			case sees && !in[s]:
				t.Fatalf("spread from %v %d ft loses %v, which has a line to it\n%s", o, feet, s, show(g))
			case in[s] && !sees:
				behind++
			}
		}
		squares += len(got)
	}
	t.Logf("%d maps, %d squares reached, %d of them around corners", runs(400), squares, behind)
}

func slowSpread(g *Ground, o Square, feet int, p *Prices) map[Square]bool {
	w, h := int(g.w), int(g.h)
	stops := func(c [3]int) bool { return slowStops(g, c[0], c[1], c[2], BlocksEffect) }
	// Two cells that touch at an intersection close it.
	closed := func(x, y int) bool {
		a, b := stops([3]int{x - 1, y - 1, int(o.Z)}), stops([3]int{x, y - 1, int(o.Z)})
		c, d := stops([3]int{x - 1, y, int(o.Z)}), stops([3]int{x, y, int(o.Z)})
		return a && d && !b && !c || b && c && !a && !d
	}
	free := func(a, b [2]int) bool {
		if d := max(abs(b[0]-a[0]), abs(b[1]-a[1])); a[0] == b[0] || a[1] == b[1] {
			for i := 1; i < d; i++ {
				if closed(a[0]+(b[0]-a[0])/d*i, a[1]+(b[1]-a[1])/d*i) {
					return false
				}
			}
		}
		return !slowStopped(corner(a[0], a[1], int(o.Z)), corner(b[0], b[1], int(o.Z)), stops)
	}
	// From the origin as for a burst; from elsewhere, not between two cells that touch.
	sees := func(from [2]int, s Square) bool {
		if from == [2]int{int(o.X), int(o.Y)} {
			return slowOpenFrom(g, o, One(s), BlocksEffect)
		}
		for _, c := range corners {
			if to := [2]int{int(s.X) + c[0], int(s.Y) + c[1]}; to == from || free(from, to) {
				return true
			}
		}
		return !slowStopped(corner(from[0], from[1], int(o.Z)), slowCenter(One(s), int(o.Z)), stops)
	}
	type node struct {
		at     [2]int
		parity int
	}
	price := func(dx, dy, parity int) (sum, next int) {
		for dx, dy = abs(dx), abs(dy); dx > 0 || dy > 0; dx, dy = dx-1, dy-1 {
			kind := straight
			if dx > 0 && dy > 0 {
				kind, parity = odd+parity, 1-parity
			}
			sum += int(p.step[kind][1])
		}
		return sum, parity
	}
	origin := [2]int{int(o.X), int(o.Y)}
	best := map[node]int{{origin, 0}: 0}
	isFree := map[[2][2]int]bool{}
	for changed := true; changed; {
		changed = false
		for n, c := range best {
			for i := range (w + 1) * (h + 1) {
				to := [2]int{i % (w + 1), i / (w + 1)}
				far, parity := price(to[0]-n.at[0], to[1]-n.at[1], n.parity)
				old, ok := best[node{to, parity}]
				if to == n.at || closed(to[0], to[1]) || c+far > feet || ok && old <= c+far {
					continue
				}
				leg := [2][2]int{n.at, to}
				if _, ok := isFree[leg]; !ok {
					isFree[leg] = free(n.at, to)
				}
				if isFree[leg] {
					best[node{to, parity}], changed = c+far, true
				}
			}
		}
	}
	in := map[Square]bool{}
	for i := range w * h {
		s := at(int16(i%w), int16(i/w), o.Z)
		if stops([3]int{i % w, i / w, int(o.Z)}) {
			continue
		}
		for n, c := range best {
			dx, dy := i%w-n.at[0], i/w-n.at[1]
			if dx >= 0 {
				dx++
			}
			if dy >= 0 {
				dy++
			}
			if far, _ := price(dx, dy, n.parity); c+far <= feet && !in[s] {
				in[s] = sees(n.at, s)
			}
		}
	}
	return in
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
