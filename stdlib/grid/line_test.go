package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// runs is the number of random cases for a property.
func runs(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

var stops = []Flags{BlocksEffect, BlocksSight, GivesCover, BlocksEffect | GivesCover, BlocksWay | BlocksSight, 0}

func TestLinesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	open := 0
	for i := range runs(600) {
		side, levels := 1+r.IntN(2), 1
		if i%3 == 0 {
			levels = 4
		}
		if i%40 == 0 {
			side = 6
		}
		w, h := 2+r.IntN(8), 2+r.IntN(6)
		g := randomGround(r, w, h, levels > 1)
		a, b := randomBox(r, w, h, levels, side), randomBox(r, w, h, levels, side)
		if i%10 == 0 {
			a.At.X -= 3
		}
		var bodies []Box
		many := r.IntN(4)
		if i%9 == 0 {
			many += 12 // more than a line keeps in near
		}
		for range many {
			bodies = append(bodies, randomBox(r, w, h, levels, 3))
		}
		stop := stops[r.IntN(len(stops))]
		for _, by := range []Reading{DrawnIn, OnCorners}[i%2 : i%2+1] {
			if got, want := g.HasLine(a, b, stop, by), Overlap(a, b) || slowOpen(g, a, b, stop, by); got != want {
				t.Fatalf("open from %v to %v for %d by %d: %t, want %t\n%s", a, b, stop, by, got, want, show(g))
			}
			if got, back := g.HasLine(a, b, stop, by), g.HasLine(b, a, stop, by); got != back {
				t.Fatalf("open from %v to %v for %d by %d: %t, the other way %t\n%s", a, b, stop, by, got, back, show(g))
			}
			if g.HasLine(a, b, stop, by) {
				open++
			}
		}
		best, all := g.Blocked(a, b, stop, bodies)
		if want := slowStrict(g, a, b, stop, bodies); all != want {
			t.Fatalf("between %v and %v for %d by %v: %d, want %d\n%s", a, b, stop, bodies, all, want, show(g))
		}
		how := Lines{Stop: stop, Bodies: bodies}
		if alone := g.BlockedBest(a, b, &how); alone != best {
			t.Fatalf("BlockedBest says %d, Blocked %d", alone, best)
		}
		for _, j := range []int{0, i % 8} {
			how.Whole, how.Touch, how.Inside = j&1 != 0, j&2 != 0, j&4 != 0
			if how.Touch {
				how.Bodies = nil
			}
			if got, want := g.BlockedBest(a, b, &how), slices.Min(slowCounts(g, a, b, how)); got != want {
				t.Fatalf("blocked from %v to %v for %+v: %d, want %d\n%s", a, b, how, got, want, show(g))
			}
		}
		if _, back := g.Blocked(b, a, stop, bodies); back != all {
			t.Fatalf("blocked from %v to %v for %d by %v: all %d, the other way %d\n%s", a, b, stop, bodies, all, back, show(g))
		}
		origin := randomBox(r, w+1, h+1, levels, 1).At
		if got, want := g.HasLineFrom(origin, b, stop), slowOpenFrom(g, origin, b, stop); got != want {
			t.Fatalf("open from the corner of %v to %v for %d: %t, want %t\n%s", origin, b, stop, got, want, show(g))
		}
		z := min(max(int(origin.Z), int(b.At.Z)), int(b.At.Z+b.Side)-1)
		for _, whole := range []bool{false, true} {
			fewest := 4
			for _, four := range cornersOf(b, z, whole) {
				n := 0
				for _, c := range four {
					if slowLine(g, corner(int(origin.X), int(origin.Y), int(origin.Z)), corner(c.x, c.y, z), stop, b, b, nil) {
						n++
					}
				}
				fewest = min(fewest, n)
			}
			if got := g.BlockedBestFrom(origin, b, stop, whole); got != fewest {
				t.Fatalf("lines from the corner of %v to %v for %d, whole %t: %d, want %d\n%s", origin, b, stop, whole, got, fewest, show(g))
			}
		}
	}
	t.Logf("%d placements, %d with a line", runs(600), open)
}

// mirror transforms the map: the axes are swapped, and x is reversed.
func mirror(g *Ground) *Ground {
	w, h := int(g.w), int(g.h)
	m := NewGround(h, w)
	for y := range h {
		for x := range w {
			m.Set(y, w-1-x, g.At(x, y))
		}
	}
	return m
}

func (b Box) mirror(w int) Box {
	return Box{at(b.At.Y, int16(w)-b.At.X-b.Side, b.At.Z), b.Side}
}

func TestMirroredMapsAreAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for range runs(8000) {
		w, h := 2+r.IntN(14), 2+r.IntN(14)
		g := randomGround(r, w, h, r.IntN(2) == 0)
		m := mirror(g)
		a, b, c := randomBox(r, w, h, 3, 6), randomBox(r, w, h, 3, 6), randomBox(r, w, h, 3, 6)
		am, bm, cm := a.mirror(w), b.mirror(w), c.mirror(w)
		if Flanks(a, b, c) != Flanks(am, bm, cm) || Distance(a, b, feet5) != Distance(am, bm, feet5) {
			t.Fatalf("flanks or distance of %v %v %v differ", a, b, c)
		}
		stop := stops[r.IntN(len(stops))]
		x, y := g.Blocked(a, b, stop, []Box{c})
		xm, ym := m.Blocked(am, bm, stop, []Box{cm})
		if x != xm || y != ym || g.HasLine(a, b, stop, DrawnIn) != m.HasLine(am, bm, stop, DrawnIn) {
			t.Fatalf("lines from %v to %v for %d by %v: %d %d, mirrored %d %d\n%s", a, b, stop, c, x, y, xm, ym, show(g))
		}
		if more, _ := g.Blocked(a, b, stop, nil); more > x {
			t.Fatalf("a body in the way frees a line from %v to %v\n%s", a, b, show(g))
		}
		if Distance(a, b, feet5) != Distance(b, a, feet5) || Flanks(a, b, c) != Flanks(c, b, a) {
			t.Fatalf("distance or flanks of %v %v %v are not symmetric", a, b, c)
		}
	}
}

func TestFlanksAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	yes := 0
	for i := range runs(2500) {
		side, levels := 1+i%3, 1+i%2*3
		if i%150 == 0 {
			side = 6
		}
		a, target, b := randomBox(r, 9, 9, levels, side), randomBox(r, 6, 6, levels, side), randomBox(r, 9, 9, levels, side)
		got, want := Flanks(a, target, b), slowFlanks(a, target, b)
		if got != want {
			t.Fatalf("%v and %v flank %v: %t, want %t", a, b, target, got, want)
		}
		if got {
			yes++
		}
	}
	if yes < runs(2500)/50 {
		t.Errorf("only %d flanked", yes)
	}
}

func TestDistanceIsTheNearestSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	even := NewPrices(func(f int, _, _ bool) int32 { return int32(5 * f) })
	for range runs(1500) {
		a, b := randomBox(r, 12, 12, 8, 6), randomBox(r, 12, 12, 8, 6)
		for _, p := range []*Prices{feet5, even, nil} {
			want, steps := 1<<30, 1<<30
			for za := range int(a.Side) {
				for _, s := range squares(a, int(a.At.Z)+za) {
					for zb := range int(b.Side) {
						for _, u := range squares(b, int(b.At.Z)+zb) {
							d := [3]int{s[0] - u[0], s[1] - u[1], int(a.At.Z) + za - int(b.At.Z) - zb}
							if n := max(abs(d[0]), abs(d[1]), abs(d[2])); n <= steps {
								steps = n
								want = min(want, slowWay(d, p.orUnit()))
							}
						}
					}
				}
			}
			if got := Distance(a, b, p); got != int32(want) || Steps(a, b) != steps || Adjacent(a, b) != (steps == 1) {
				t.Fatalf("from %v to %v: %d, %d steps; want %d, %d", a, b, got, Steps(a, b), want, steps)
			}
			if got, want := p.Between(a.At.Pack(), b.At.Pack()), Distance(One(a.At), One(b.At), p); got != want {
				t.Fatalf("from %v to %v: %d, want %d", a.At, b.At, got, want)
			}
		}
	}
}

func TestStraightWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range runs(5000) {
		a, b := randomBox(r, 30, 30, 10, 1).At, randomBox(r, 30, 30, 10, 1).At
		walk := Line(nil, a, b)
		if len(walk) != Steps(One(a), One(b))+1 || walk[0] != a || walk[len(walk)-1] != b || !Straight(walk) {
			t.Fatalf("the walk from %v to %v is %v", a, b, walk)
		}
		back := Line(nil, b, a)
		for i, s := range walk {
			if i > 0 && !Adjacent(One(walk[i-1]), One(s)) {
				t.Fatalf("the walk %v leaps", walk)
			}
			if back[len(back)-1-i] != s {
				t.Fatalf("the walk %v comes back by %v", walk, back)
			}
		}
		push := StepAway(nil, b, a, 50)
		if (len(push) == 50) == (a == b) {
			t.Fatalf("pushed from %v away from %v: %v", b, a, push)
		}
		for i, s := range push {
			if before := append([]Square{b}, push...)[i]; !Adjacent(One(before), One(s)) {
				t.Fatalf("pushed from %v away from %v: %v leaps", b, a, push)
			}
			if n := i + 1; n%(len(walk)-1) == 0 { // an exact multiple
				n := int16(n / (len(walk) - 1))
				if s != at(b.X+n*(b.X-a.X), b.Y+n*(b.Y-a.Y), b.Z+n*(b.Z-a.Z)) {
					t.Fatalf("pushed from %v away from %v: %v", b, a, push)
				}
			}
		}
		// All cells whose interior the center line runs through, by clipping.
		between := map[Square]bool{}
		for _, s := range Between(nil, One(a), One(b)) {
			between[s] = true
		}
		p, q := corner(0, 0, int(a.Z)), corner(0, 0, int(b.Z))
		p[0], p[1] = rat(2*int64(a.X)+1, 2), rat(2*int64(a.Y)+1, 2)
		q[0], q[1] = rat(2*int64(b.X)+1, 2), rat(2*int64(b.Y)+1, 2)
		all := cuts(p, q)
		want := 0
		for i, c := range all[:len(all)-1] {
			m := touching(p.to(q, middle(c, all[i+1])))[0]
			s := at(int16(m[0]), int16(m[1]), int16(m[2]))
			if s == a || s == b {
				continue
			}
			if want++; !between[s] {
				t.Fatalf("between %v and %v lies %v", a, b, s)
			}
		}
		if want != len(between) {
			t.Fatalf("%d squares lie between %v and %v, not %d", want, a, b, len(between))
		}
	}
	for _, c := range []struct {
		path []Square
		want bool
	}{
		{nil, true},
		{[]Square{at(0, 0, 0), at(1, 0, 0), at(0, 0, 0)}, false},
		{[]Square{at(0, 0, 0), at(1, 0, 0), at(1, 1, 0)}, false},
		{[]Square{at(0, 0, 0), at(1, 0, 0), at(2, 1, 0)}, true},
		{[]Square{at(0, 0, 0), at(1, 1, 0), at(2, 1, 0)}, true},
		{[]Square{at(0, 0, 0), at(1, 1, 0), at(2, 0, 0)}, false},
		{[]Square{at(0, 0, 0), at(1, 1, 0), at(2, 2, 0), at(3, 2, 0)}, false},
		{[]Square{at(0, 0, 0), at(1, 1, 0), at(2, 1, 0), at(3, 2, 0)}, true},
	} {
		if got := Straight(c.path); got != c.want {
			t.Errorf("%v: %t, want %t", c.path, got, c.want)
		}
	}
	two := Between(nil, Box{at(0, 0, 0), 2}, Box{at(4, 0, 0), 2})
	if draw(two, 0) != "##\n##\n" || len(two) != 4 {
		t.Errorf("between two large ones lie %v", two)
	}
	for _, c := range []struct {
		origin Square
		to     Box
		want   []Square
	}{
		{at(1, 1, 0), One(at(1, 1, 0)), nil},
		{at(1, 1, 0), One(at(3, 1, 0)), []Square{at(1, 1, 0), at(2, 1, 0)}},
		{at(3, 0, 0), One(at(0, 0, 0)), []Square{at(1, 0, 0), at(2, 0, 0)}},
		{at(1, 1, 0), Box{at(2, 0, 0), 2}, []Square{at(1, 0, 0), at(1, 1, 0)}},
	} {
		if got := BetweenFrom(nil, c.origin, c.to); !slices.Equal(got, c.want) {
			t.Errorf("between the corner of %v and %v lie %v, not %v", c.origin, c.to, got, c.want)
		}
	}
}

// TestSwept moves the box in small steps, exactly, and notes every square that it covers a part of.
func TestSwept(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	for range runs(150) {
		b, to := randomBox(r, 12, 12, 4, 6), randomBox(r, 12, 12, 4, 1).At
		d := [3]int64{int64(to.X - b.At.X), int64(to.Y - b.At.Y), int64(to.Z - b.At.Z)}
		covered := map[Square]bool{}
		steps := int64(2 * 27720) // twice the least common multiple of all distances up to 12: between any two crossings lies a step
		for i := int64(0); i <= steps; i += 60 {
			var lo, hi [3]int64
			for j, at := range b.low() {
				v := int64(at)*steps + d[j]*i
				lo[j], hi[j] = v/steps, (v+steps-1)/steps+int64(b.Side)-1
			}
			for z := lo[2]; z <= hi[2]; z++ {
				for y := lo[1]; y <= hi[1]; y++ {
					for x := lo[0]; x <= hi[0]; x++ {
						covered[at(int16(x), int16(y), int16(z))] = true
					}
				}
			}
		}
		got := Swept(nil, b, to)
		for _, s := range got {
			if !covered[s] || b.Holds(s) {
				t.Fatalf("%v is swept by %v on its way to %v", s, b, to)
			}
		}
		for s := range covered {
			if !b.Holds(s) && !slices.Contains(got, s) {
				t.Fatalf("%v is not swept by %v on its way to %v", s, b, to)
			}
		}
	}
	want := []Square{at(1, 0, 0), at(2, 0, 0), at(0, 1, 0), at(1, 1, 0), at(2, 1, 0)}
	if got := Swept(nil, One(at(0, 0, 0)), at(2, 1, 0)); !slices.Equal(got, want) {
		t.Errorf("on the way to (2, 1) lie %v, not %v", got, want)
	}
}

func TestAngles(t *testing.T) {
	for _, c := range []struct {
		b    Square
		want int
	}{{at(4, 0, 0), 0}, {at(1, 0, 1), 45}, {at(0, 0, -2), -90}, {at(0, 0, 0), 0}, {at(3, 4, 5), 45}, {at(-2, 0, -1), -27}} {
		if got := Slope(at(0, 0, 0), c.b); got != c.want {
			t.Errorf("to %v: %d degrees, want %d", c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		d    Square
		want int
	}{{at(5, 0, 0), 0}, {at(3, 3, 0), 45}, {at(0, 7, 0), 90}, {at(-2, 2, 0), 135}, {at(-1, 0, 0), 180}, {at(0, 0, 3), 90}, {at(0, 0, 0), 0}} {
		if got := Bend(One(at(1, 1, 1)), One(at(3, 1, 1)), One(at(0, 0, 0)), One(c.d)); got != c.want {
			t.Errorf("to %v: %d degrees, want %d", c.d, got, c.want)
		}
	}
}

// TestBendOfBoxes: directions lead from center to center, whatever the heights of the boxes.
func TestBendOfBoxes(t *testing.T) {
	large, huge := Box{at(10, 10, 0), 2}, Box{at(20, 10, 0), 3}
	for _, c := range []struct {
		to   Square
		want int
	}{{at(15, 10, 0), 3}, {at(18, 11, 0), 4}, {at(16, 12, 0), 16}, {at(5, 10, 0), 177}} {
		if got := Bend(One(large.At), One(c.to), large, huge); got != c.want {
			t.Errorf("to %v: %d degrees, want %d", c.to, got, c.want)
		}
	}
}

func TestOffCourse(t *testing.T) {
	one := func(x, y int16) Box { return One(at(x, y, 0)) }
	for _, c := range []struct {
		a, b    Box
		degrees int
		feet    float64
		want    Square
	}{
		// Thrown to the north, the direction is up: right is east.
		{one(5, 9), one(5, 5), 0, 5, at(5, 4, 0)},
		{one(5, 9), one(5, 5), 90, 5, at(6, 5, 0)},
		{one(5, 9), one(5, 5), 135, 6, at(6, 6, 0)},
		{one(5, 9), one(5, 5), 180, 5, at(5, 6, 0)},
		{one(5, 9), one(5, 5), 270, 5, at(4, 5, 0)},
		{one(5, 9), one(5, 5), -90, 5, at(4, 5, 0)},
		// A border of the square is 2 1/2 feet from its center, and a corner 3 1/2.
		{one(5, 9), one(5, 5), 0, 2, at(5, 5, 0)},
		{one(5, 9), one(5, 5), 0, 3, at(5, 4, 0)},
		{one(5, 9), one(5, 5), 45, 3, at(5, 5, 0)},
		{one(5, 9), one(5, 5), 45, 4, at(6, 4, 0)},
		// Along a slope of 3 to 4, and from the center of a large creature.
		{one(0, 0), one(3, 4), 0, 25, at(6, 8, 0)},
		{one(0, 0), one(3, 4), 90, 25, at(-1, 7, 0)},
		{Box{at(0, 2, 0), 2}, Box{at(5, 2, 0), 2}, 0, 5, at(7, 3, 0)},
		{one(5, 5), one(5, 5), 0, 25, at(5, 5, 0)},
		{one(0, 0), one(3, 0), 0, 1e9, at(math.MaxInt16, 0, 0)},
	} {
		if got := OffCourse(c.a, c.b, c.degrees, c.feet/5); got != c.want {
			t.Errorf("%v to %v, %d degrees, %v feet: %v, want %v", c.a, c.b, c.degrees, c.feet, got, c.want)
		}
	}
}
