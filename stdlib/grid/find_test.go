package grid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A slowStand is how a box fits: its smallest square, and the columns of its free strips.
type slowStand struct {
	at     Square
	full   bool
	strips [][][2]int
}

func columns(x, y, w, h int) (all [][2]int) {
	for j := range h {
		for i := range w {
			all = append(all, [2]int{x + i, y + j})
		}
	}
	return all
}

// bare reports whether a column is on the map and can be entered, and its height.
func bare(g *Ground, c [2]int) (floor int, ok bool) {
	w, h := int(g.w), int(g.h)
	if c[0] < 0 || c[1] < 0 || c[0] >= w || c[1] >= h {
		return -MaxLevel, false
	}
	cell := g.At(c[0], c[1])
	return int(cell.Floor), cell.Flags&BlocksWay == 0
}

func newSlowStand(g *Ground, m *Mover, s Square) (st slowStand, ok bool) {
	n := int(m.Box.Side)
	x, y, z := int(s.X), int(s.Y), int(s.Z)
	free := func(cols [][2]int, z int) bool {
		return !slices.ContainsFunc(cols, func(c [2]int) bool {
			f, ok := bare(g, c)
			return !ok || f > z
		})
	}
	height := func(cols [][2]int) (z int) {
		z = -MaxLevel
		for _, c := range cols {
			f, _ := bare(g, c)
			z = max(z, f)
		}
		return z
	}
	box := columns(x, y, n, n)
	if !m.Fly {
		z = height(box)
	}
	var strips [][][2]int
	for i := range n - (n+1)/2 + 1 {
		strips = append(strips, columns(x+i, y, (n+1)/2, n), columns(x, y+i, n, (n+1)/2))
	}
	if free(box, z) {
		return slowStand{at(s.X, s.Y, int16(z)), true, strips}, true
	}
	if !m.Squeeze || n == 1 {
		return st, false
	}
	if !m.Fly {
		z = MaxLevel
		for _, cols := range strips {
			if h := height(cols); free(cols, h) {
				z = min(z, h)
			}
		}
	}
	strips = slices.DeleteFunc(strips, func(cols [][2]int) bool { return !free(cols, z) })
	return slowStand{at(s.X, s.Y, int16(z)), false, strips}, len(strips) > 0
}

// slowStep returns the factor of a step, and whether it is possible.
func slowStep(g *Ground, m *Mover, a, b slowStand) (factor int, diagonal, ok bool) {
	n := int(m.Box.Side)
	d := [3]int{int(b.at.X) - int(a.at.X), int(b.at.Y) - int(a.at.Y), int(b.at.Z) - int(a.at.Z)}
	changed := 0
	for _, v := range d {
		if abs(v) > 1 {
			return 0, false, false
		}
		changed += abs(v)
	}
	if changed == 0 || !m.Fly && d[0] == 0 && d[1] == 0 {
		return 0, false, false
	}
	before, after := columns(int(a.at.X), int(a.at.Y), n, n), columns(int(b.at.X), int(b.at.Y), n, n)
	low, high := min(int(a.at.Z), int(b.at.Z)), max(int(a.at.Z), int(b.at.Z))
	blocked := 0
	for _, c := range columns(min(int(a.at.X), int(b.at.X)), min(int(a.at.Y), int(b.at.Y)), n+abs(d[0]), n+abs(d[1])) {
		beside := !slices.Contains(before, c) && !slices.Contains(after, c)
		level := high
		if m.Fly && !m.CutCorners {
			level = low
		}
		f, ok := bare(g, c)
		if beside && (!ok || f > level) {
			blocked++
		}
		if !beside && m.Fly && !m.CutCorners && d[2] != 0 && changed > 1 && ok && f > low {
			return 0, false, false
		}
	}
	if blocked > 1 || blocked == 1 && !m.CutCorners {
		return 0, false, false
	}
	if !a.full || !b.full {
		found := false
		for _, p := range a.strips {
			moved := slices.Clone(p)
			for i := range moved {
				moved[i][0] += d[0]
				moved[i][1] += d[1]
			}
			for _, q := range b.strips {
				share := slices.ContainsFunc(p, func(c [2]int) bool { return slices.Contains(q, c) })
				found = found || share || slices.Equal(moved, q) && !(d[0] != 0 && d[1] != 0)
			}
		}
		if !found {
			return 0, false, false
		}
	}
	factor = 1
	for _, c := range after {
		if slices.Contains(before, c) && b.at.Z >= a.at.Z && int(b.at.Z) < int(a.at.Z)+n {
			continue
		}
		if f, ok := bare(g, c); ok && f == int(b.at.Z) {
			factor = max(factor, int(g.At(c[0], c[1]).Factor))
		}
	}
	if !b.full {
		factor *= int(max(m.SqueezeFactor, 1))
	}
	return min(factor, MaxFactor), changed > 1, true
}

// A slowNode is a place, the parity of diagonals, and the number of avoided squares left.
type slowNode struct {
	at     Square
	parity int
	left   int
}

// slowSearch relaxes all paths with at most limit feet and at most most avoided squares until nothing changes.
func slowSearch(g *Ground, m *Mover, others []Occupant, avoid []Square, limit, top int32, most int) map[slowNode]int32 {
	start, ok := newSlowStand(g, m, m.Box.At)
	if !ok || start.at != m.Box.At { // it is where it cannot stand: treated as if it fitted
		start = slowStand{at: m.Box.At, full: true}
		n := int(m.Box.Side)
		for i := range n - (n+1)/2 + 1 {
			x, y := int(m.Box.At.X), int(m.Box.At.Y)
			start.strips = append(start.strips, columns(x+i, y, (n+1)/2, n), columns(x, y+i, n, (n+1)/2))
		}
	}
	cost := map[slowNode]int32{{m.Box.At, int(m.Diagonals & 1), 0}: 0}
	stands := map[Square]slowStand{}
	for changed := true; changed; {
		changed = false
		for n, c := range cost {
			pass, _ := allows(others, Box{n.at, m.Box.Side})
			if !pass && n.at != m.Box.At {
				continue
			}
			left := n.left
			for _, s := range avoid {
				if (Box{n.at, m.Box.Side}).Holds(s) {
					left++
					break
				}
			}
			from := start
			if n.at != m.Box.At {
				from = stands[n.at]
			}
			for _, d := range directions {
				if !m.Fly && d[2] != 0 {
					continue
				}
				to, ok := newSlowStand(g, m, at(n.at.X+int16(d[0]), n.at.Y+int16(d[1]), n.at.Z+int16(d[2])))
				if !ok || m.Fly && (int32(to.at.Z) > top || to.at.Z < g.minFloor) {
					continue
				}
				factor, diagonal, ok := slowStep(g, m, from, to)
				if pass, end := allows(others, Box{to.at, m.Box.Side}); !ok || !pass && !end || left > most {
					continue
				}
				kind, parity := straight, n.parity
				if diagonal {
					kind = odd + n.parity
					if !m.Prices.diagonalsExcluded[factor] {
						parity = 1 - n.parity
					}
				}
				next := c + m.Prices.step[kind][factor]
				node := slowNode{to.at, parity, left}
				if old, ok := cost[node]; next > limit || ok && old <= next {
					continue
				}
				stands[to.at] = to
				cost[node] = next
				changed = true
			}
		}
	}
	return cost
}

func allows(others []Occupant, b Box) (pass, end bool) {
	pass, end = true, true
	for _, o := range others {
		if Overlap(o.Box, b) {
			pass, end = pass && o.Pass, end && o.Share
		}
	}
	return pass, end
}

// hardApart is feet5, except that diagonals onto difficult terrain do not count among those that alternate.
var hardApart = func() *Prices {
	p := *feet5
	for f := 2; f <= MaxFactor; f++ {
		p.ExcludeDiagonals(f)
	}
	return &p
}()

var manyPrices = []*Prices{
	feet5,
	feet5,
	hardApart,
	hardApart.Plain(),
	NewPrices(func(f int, _, _ bool) int32 { return int32(5 * f) }),
	NewPrices(func(f int, diagonal, odd bool) int32 {
		if diagonal && odd {
			return int32(10 * f)
		}
		return int32(5 * f)
	}),
	NewPrices(func(f int, diagonal, odd bool) int32 { // detours are worthwhile
		if diagonal {
			return 23
		}
		return int32(7 + f%3)
	}),
	NewPrices(func(f int, diagonal, odd bool) int32 { // diagonals are cheap
		if diagonal {
			return 3
		}
		return 5
	}),
}

// query is a random query for a finder.
func query(r *rand.Rand, i int) (g *Ground, m *Mover, others []Occupant, goal Goal, avoid []Square, limit int32) {
	w, h := 1+r.IntN(7), 1+r.IntN(7)
	m = &Mover{
		Box: Box{Side: 1}, Prices: manyPrices[r.IntN(len(manyPrices))], Diagonals: int32(r.IntN(3)),
		CutCorners: r.IntN(2) == 0, SqueezeFactor: uint8(r.IntN(4)), Squeeze: r.IntN(2) == 0,
	}
	if i%2 == 0 {
		m.Box.Side = int16(1 + r.IntN(3))
	}
	if i%50 == 0 {
		m.Box.Side, w, h = int16(4+r.IntN(3)), 9, 9
	}
	if r.IntN(6) == 0 {
		m.Fly, w, h = true, 1+r.IntN(4), 1+r.IntN(4)
	}
	g = randomGround(r, w, h, r.IntN(3) == 0)
	m.Box.At = at(int16(r.IntN(w)), int16(r.IntN(h)), 0)
	if r.IntN(8) > 0 {
		m.Box.At.Z = max(g.At(int(m.Box.At.X), int(m.Box.At.Y)).Floor, 0)
	}
	for range r.IntN(4) {
		others = append(others, Occupant{randomBox(r, w, h, 2, 2), r.IntN(2) == 0, r.IntN(3) == 0})
	}
	if r.IntN(3) > 0 && (!m.Fly || r.IntN(4) == 0) {
		for range r.IntN(12) {
			avoid = append(avoid, randomBox(r, w, h, 2, 1).At)
		}
	}
	goal = Goal{Near: randomBox(r, w, h, 2, 2), Min: int32(r.IntN(3) * 5)}
	goal.Max = goal.Min + int32(r.IntN(2)*5)
	if r.IntN(5) == 0 {
		goal.Sight = BlocksSight
	}
	goal.Exactly = r.IntN(8) == 0
	return g, m, others, goal, avoid, int32(r.IntN(80))
}

func TestWaysAreTheCheapest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var f Finder
	found, moved := 0, 0
	for i := range runs(6000) {
		g, m, others, goal, avoid, limit := query(r, i)
		top := max(goal.Near.high()[2], int32(m.Box.At.Z), int32(g.maxFloor))
		for _, o := range others {
			top = max(top, o.Box.high()[2])
		}
		const most = 12
		cost := slowSearch(g, m, others, avoid, limit, top+1, most)
		wantLeft, wantFeet, want := most+1, int32(0), false
		ends := map[Square]bool{m.Box.At: true}
		for n, c := range cost {
			_, end := allows(others, Box{n.at, m.Box.Side})
			if n.at != m.Box.At && !end {
				continue
			}
			ends[n.at] = true
			b := Box{n.at, m.Box.Side}
			d := Distance(b, goal.Near, m.Prices)
			near := d >= goal.Min && d <= goal.Max && (goal.Sight == 0 || g.HasLine(b, goal.Near, goal.Sight, DrawnIn))
			if goal.Exactly && b.At != goal.Near.At || !goal.Exactly && !near {
				continue
			}
			if n.left < wantLeft || n.left == wantLeft && c < wantFeet {
				wantLeft, wantFeet, want = n.left, c, true
			}
		}
		path, feet, ok := f.Find(g, m, others, goal, avoid, limit)
		fail := func(why string) {
			t.Helper()
			t.Fatalf("%s: query %d: %+v others %v goal %v avoid %v limit %d:\n%v %d %t, want %d feet, %d left, %t\n%s",
				why, i, *m, others, goal, avoid, limit, path, feet, ok, wantFeet, wantLeft, want, show(g))
		}
		if ok != want || ok && feet != wantFeet {
			fail("not the cheapest")
		}
		if ok {
			found++
			if len(path) > 1 {
				moved++
			}
			if left := leaves(m, avoid, path); left != wantLeft {
				fail(fmt.Sprintf("leaves %d", left))
			}
			if c, ok := f.Cost(g, m, path); !ok || c != feet {
				fail(fmt.Sprintf("costs %d %t", c, ok))
			}
			same := slices.Clone(path)
			if again, _, _ := f.Find(g, m, others, goal, avoid, limit); !slices.Equal(again, same) {
				fail("not the same again")
			}
			checkPrefix(t, g, m, others, same, r)
		}
		// Avoided squares do not change what is reachable, but they bound the slow search: compare without them.
		if len(avoid) == 0 && !m.Fly {
			all := f.Reachable(nil, g, m, others, limit)
			for s := range ends {
				if !slices.Contains(all, s) {
					fail(fmt.Sprintf("%v is reachable, not in %v", s, all))
				}
			}
			if len(all) != len(ends) || !slices.IsSortedFunc(all, Square.Compare) {
				fail(fmt.Sprintf("reachable are %v, not %v", ends, all))
			}
		}
	}
	if found < runs(6000)/5 || moved < runs(6000)/10 {
		t.Errorf("of %d queries only %d were answered, %d with a way", runs(6000), found, moved)
	}
}

// leaves counts the steps that leave an avoided square.
func leaves(m *Mover, avoid, path []Square) (n int) {
	for _, s := range path[:len(path)-1] {
		if slices.ContainsFunc(avoid, Box{s, m.Box.Side}.Holds) {
			n++
		}
	}
	return n
}

// checkPrefix compares Prefix with a check of every prefix.
func checkPrefix(t *testing.T, g *Ground, m *Mover, others []Occupant, path []Square, r *rand.Rand) {
	t.Helper()
	var f Finder
	feet := int32(r.IntN(60))
	want, wantCost := 1, int32(0)
	for n := 2; n <= len(path); n++ {
		c, ok := f.Cost(g, m, path[:n])
		if !ok || c > feet {
			break
		}
		if _, end := allows(others, Box{path[n-1], m.Box.Side}); end {
			want, wantCost = n, c
		}
	}
	if got, cost := f.Prefix(g, m, others, path, feet); len(got) != want || cost != wantCost {
		t.Fatalf("of %v for %d feet: %v, %d feet; want %d squares, %d feet", path, feet, got, cost, want, wantCost)
	}
}

// TestStepsAreExact checks every step, possible or not, by the price of a path of two squares.
func TestStepsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	var f Finder
	made := 0
	for range runs(60000) {
		m := &Mover{
			Box: Box{at(2, 2, int16(r.IntN(3))), int16(1 + r.IntN(4))}, Prices: feet5, Fly: r.IntN(2) == 0,
			CutCorners: r.IntN(2) == 0, Squeeze: r.IntN(3) > 0, SqueezeFactor: uint8(r.IntN(10)), Diagonals: int32(r.IntN(2)),
		}
		g := randomGround(r, 9, 9, r.IntN(2) == 0)
		for range 60 {
			g.Set(r.IntN(9), r.IntN(9), Cell{Factor: uint8(r.IntN(4)), Floor: int16(r.IntN(8) / 7)})
		}
		from, ok := newSlowStand(g, m, m.Box.At)
		if !ok || from.at != m.Box.At {
			continue
		}
		d := directions[r.IntN(len(directions))]
		to, ok := newSlowStand(g, m, at(2+int16(d[0]), 2+int16(d[1]), m.Box.At.Z+int16(d[2])))
		want := int32(0)
		if ok {
			factor, diagonal, possible := slowStep(g, m, from, to)
			kind := straight
			if diagonal {
				kind = odd + int(m.Diagonals)
			}
			want, ok = feet5.step[kind][factor], possible
		}
		if !ok {
			to.at, want = at(2+int16(d[0]), 2+int16(d[1]), m.Box.At.Z+int16(d[2])), 0
		}
		if got, can := f.Cost(g, m, []Square{m.Box.At, to.at}); got != want || can != ok {
			t.Fatalf("%+v to %v: %d %t, want %d %t\n%s", *m, to.at, got, can, want, ok, show(g))
		}
		if ok {
			made++
		}
	}
	if made < runs(60000)/10 {
		t.Errorf("only %d steps could be made", made)
	}
}

// TestLimitBeforeAvoided: a path that leaves no avoided square may exceed the limit, where one that leaves some does
// not.
func TestLimitBeforeAvoided(t *testing.T) {
	g, who := drawing(`
		A.......B
		.#######.
		.#######.
		.........`)
	m := &Mover{Box: One(who['A']), Prices: feet5}
	goal := Goal{Near: One(who['B'])}
	var f Finder
	for _, c := range []struct {
		avoid       []Square
		limit, want int32
		left        int
		ok          bool
	}{
		{nil, 1000, 40, 0, true},
		{[]Square{at(1, 0, 0)}, 1000, 70, 0, true},
		{[]Square{at(1, 0, 0)}, 69, 40, 1, true},
		{[]Square{at(1, 0, 0), at(2, 0, 0), at(4, 3, 0)}, 1000, 70, 1, true},
		{[]Square{at(1, 0, 0), at(2, 0, 0), at(4, 3, 0)}, 69, 40, 2, true},
		{[]Square{at(1, 0, 0), at(2, 0, 0), at(4, 3, 0)}, 39, 0, 0, false},
	} {
		path, feet, ok := f.Find(g, m, nil, goal, c.avoid, c.limit)
		if feet != c.want || ok != c.ok || ok && leaves(m, c.avoid, path) != c.left {
			t.Errorf("avoiding %v, limit %d: %v %d %t, want %d, leaving %d", c.avoid, c.limit, path, feet, ok, c.want, c.left)
		}
	}
}

// TestFewerFeetLater: the first path to reach the fork leaves no avoided square but is long: the rest must still fit
// the limit.
func TestFewerFeetLater(t *testing.T) {
	g, who := drawing(`
		...#B....
		.#.#####.
		A.....##.
		#####.##.
		#####....`)
	m := &Mover{Box: One(who['A']), Prices: feet5}
	avoid := []Square{at(1, 2, 0), at(2, 2, 0)}
	var f Finder
	for _, c := range []struct {
		limit, want int32
		left        int
	}{{1000, 110, 1}, {109, 90, 2}, {89, 0, 0}} {
		path, feet, ok := f.Find(g, m, nil, Goal{Near: One(who['B'])}, avoid, c.limit)
		if feet != c.want || ok != (c.want > 0) || ok && leaves(m, avoid, path) != c.left {
			t.Errorf("limit %d: %v %d %t, want %d, leaving %d", c.limit, path, feet, ok, c.want, c.left)
		}
	}
}

func TestFits(t *testing.T) {
	g, _ := drawing("...#. ...#. ..... #..#.")
	for _, c := range []struct {
		b              Box
		fits, squeezed bool
	}{
		{One(at(0, 0, 0)), true, false},
		{One(at(3, 0, 0)), false, false},
		{One(at(5, 0, 0)), false, false},
		{One(at(0, 0, -1)), false, false},
		{Box{at(1, 0, 0), 2}, true, false},
		{Box{at(2, 0, 0), 2}, false, true},
		{Box{at(2, 2, 0), 2}, false, true},
		{Box{at(3, 0, 0), 2}, false, true},
		{Box{at(4, 0, 0), 2}, false, true},
		{Box{at(1, 0, 0), 3}, false, true},
		{Box{at(2, 0, 0), 3}, false, false},
		{Box{at(0, 0, 0), 4}, false, true},
		{Box{at(-1, 0, 0), 3}, false, true},
	} {
		if fits, squeezed := g.Fits(c.b); fits != c.fits || squeezed != c.squeezed {
			t.Errorf("%v: %t %t, want %t %t", c.b, fits, squeezed, c.fits, c.squeezed)
		}
	}
}

func TestFinderAllocatesNothingOnceWarm(t *testing.T) {
	g, others := hall()
	m := Mover{Box: One(at(3, 4, 0)), Prices: feet5}
	var f Finder
	var dst []Square
	ask := func() {
		f.Find(g, &m, others, Goal{Near: One(at(36, 26, 0)), Min: 5, Max: 5}, nil, 1000)
		dst = f.Reachable(dst[:0], g, &m, others, 60)
		dst, _ = f.Spread(dst[:0], g, at(9, 9, 0), 20, feet5)
		dst = g.Burst(dst[:0], at(9, 9, 0), 20, 2, feet5)
		dst = g.Cone(dst[:0], at(9, 9, 0), at(20, 9, 0), 20, 2, feet5)
		g.Blocked(Box{at(3, 4, 0), 2}, Box{at(20, 9, 0), 2}, BlocksEffect, []Box{One(at(9, 9, 0))})
	}
	ask()
	if n := testing.AllocsPerRun(20, ask); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
