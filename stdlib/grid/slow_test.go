package grid

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file holds slow versions of the package's functions, written from the definitions alone: lines with fractions
// and cell by cell, areas square by square, paths by relaxing all states until nothing changes.

type point [3]*big.Rat

func rat(n, d int64) *big.Rat { return big.NewRat(n, d) }

// corner is a grid point at half the height of a level.
func corner(x, y, z int) point {
	return point{rat(int64(x), 1), rat(int64(y), 1), rat(2*int64(z)+1, 2)}
}

func (p point) to(q point, t *big.Rat) (r point) {
	for i := range p {
		d := new(big.Rat).Sub(q[i], p[i])
		r[i] = d.Add(d.Mul(d, t), p[i])
	}
	return r
}

func floor(r *big.Rat) int {
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean division; the denominator is positive
	return int(q.Int64())
}

// cuts returns 0, 1 and the positions in between where some coordinate of the line is an integer.
func cuts(p, q point) []*big.Rat {
	all := []*big.Rat{rat(0, 1), rat(1, 1)}
	for i := range p {
		d := new(big.Rat).Sub(q[i], p[i])
		if d.Sign() == 0 {
			continue
		}
		lo, hi := floor(p[i]), floor(q[i])
		for n := min(lo, hi) - 1; n <= max(lo, hi)+1; n++ {
			t := new(big.Rat).Sub(rat(int64(n), 1), p[i])
			if t.Quo(t, d); t.Sign() > 0 && t.Cmp(rat(1, 1)) < 0 {
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, (*big.Rat).Cmp)
	return slices.CompactFunc(all, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

func middle(a, b *big.Rat) *big.Rat {
	s := new(big.Rat).Add(a, b)
	return s.Mul(s, rat(1, 2))
}

// touching returns the cells that contain the point or have it on their border.
func touching(p point) (cells [][3]int) {
	var lo, hi [3]int
	for i := range p {
		hi[i] = floor(p[i])
		lo[i] = hi[i]
		if p[i].IsInt() {
			lo[i]--
		}
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				cells = append(cells, [3]int{x, y, z})
			}
		}
	}
	return cells
}

// slowStopped walks the line from cut to cut. It is blocked if all cells that touch it between two cuts block it. At a
// cut, the cells that touch the point are grouped by the axes along which the line moves; there must be a path from the
// group before to the group after, between neighbors, through groups with a free cell.
func slowStopped(p, q point, stops func(c [3]int) bool) bool {
	all := cuts(p, q)
	for i, t := range all[:len(all)-1] {
		if every(touching(p.to(q, middle(t, all[i+1]))), stops) {
			return true
		}
		if i == 0 {
			continue
		}
		groups := map[[3]int][][3]int{}
		key := func(c [3]int) [3]int {
			for j := range c {
				if p[j].Cmp(q[j]) == 0 {
					c[j] = 0
				}
			}
			return c
		}
		for _, c := range touching(p.to(q, t)) {
			groups[key(c)] = append(groups[key(c)], c)
		}
		reached := map[[3]int]bool{key(touching(p.to(q, middle(all[i-1], t)))[0]): true}
		for range 8 {
			for a := range groups {
				for b := range reached {
					if near := abs(a[0]-b[0]) + abs(a[1]-b[1]) + abs(a[2]-b[2]); near == 1 && !every(groups[a], stops) {
						reached[a] = true
					}
				}
			}
		}
		if !reached[key(touching(p.to(q, middle(t, all[i+1])))[0])] {
			return true
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }

func every(cells [][3]int, f func(c [3]int) bool) bool {
	return !slices.ContainsFunc(cells, func(c [3]int) bool { return !f(c) })
}

// slowStops is stops, written from the documentation of Cell.
func slowStops(g *Ground, x, y, z int, stop Flags) bool {
	w, h := int(g.w), int(g.h)
	if x < 0 || y < 0 || x >= w || y >= h || z > MaxLevel {
		return stop != 0
	}
	c := g.At(x, y)
	if z < int(c.Floor) {
		return stop != 0
	}
	if z > int(c.Floor) && stop&c.Flags == GivesCover {
		return false
	}
	return stop&c.Flags != 0
}

// slowLine is one line between two boxes.
func slowLine(g *Ground, p, q point, stop Flags, from, to Box, bodies []Box) bool {
	for _, b := range bodies {
		if Overlap(b, from) || Overlap(b, to) {
			continue
		}
		all := cuts(p, q)
		for i, t := range all[:len(all)-1] {
			m := p.to(q, middle(t, all[i+1]))
			inside := true
			lo := [3]int{int(b.At.X), int(b.At.Y), int(b.At.Z)}
			for j := range m {
				inside = inside && m[j].Cmp(rat(int64(lo[j]), 1)) > 0 && m[j].Cmp(rat(int64(lo[j]+int(b.Side)), 1)) < 0
			}
			if inside && p.to(q, rat(1, 1)) != p {
				return true
			}
		}
	}
	return slowStopped(p, q, func(c [3]int) bool {
		s := at(int16(c[0]), int16(c[1]), int16(c[2]))
		return slowStops(g, c[0], c[1], c[2], stop) && !from.Holds(s) && !to.Holds(s)
	})
}

// squares lists the squares of a box on one level.
func squares(b Box, z int) (all [][2]int) {
	for y := range int(b.Side) {
		for x := range int(b.Side) {
			if z >= int(b.At.Z) && z < int(b.At.Z)+int(b.Side) {
				all = append(all, [2]int{int(b.At.X) + x, int(b.At.Y) + y})
			}
		}
	}
	return all
}

var corners = [4][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}

// slowLevels tries all pairs of levels and takes the nearest, of those the lowest.
func slowLevels(a, b Box) (za, zb int) {
	best := 1 << 30
	for i := range int(a.Side) {
		for j := range int(b.Side) {
			x, y := int(a.At.Z)+i, int(b.At.Z)+j
			if abs(x-y) < best {
				best, za, zb = abs(x-y), x, y
			}
		}
	}
	return za, zb
}

// slowCounts returns, for each choice of one corner of a box and one square of the other, or of both as wholes, how many
// of the four lines are blocked.
func slowCounts(g *Ground, from, to Box, how Lines) (counts []int) {
	za, zb := slowLevels(from, to)
	starts, ends := cornersOf(from, za, how.Whole), cornersOf(to, zb, how.Whole)
	known := map[[4]int]bool{}
	counted := func(p, q slowCorner) bool {
		if how.Inside && slowStops(g, q.ownX, q.ownY, q.z, how.Stop) {
			return true
		}
		k := [4]int{p.x, p.y, q.x, q.y}
		if _, ok := known[k]; !ok {
			known[k] = slowCounted(g, p, q, from, to, how, za == zb)
		}
		return known[k]
	}
	for _, four := range starts {
		for _, p := range four {
			for _, others := range ends {
				count := 0
				for _, q := range others {
					if counted(p, q) {
						count++
					}
				}
				counts = append(counts, count)
			}
		}
	}
	return counts
}

// A slowCorner is a corner of a square, or of a whole box, and the square of the box that has it.
type slowCorner struct{ x, y, z, ownX, ownY int }

// cornersOf returns the four corners of each square of a box on one level, or of the box.
func cornersOf(b Box, z int, whole bool) (all [][4]slowCorner) {
	for _, s := range squares(b, z) {
		if whole && (s[0] != int(b.At.X) || s[1] != int(b.At.Y)) {
			continue
		}
		var four [4]slowCorner
		for i, c := range corners {
			four[i] = slowCorner{s[0] + c[0], s[1] + c[1], z, s[0], s[1]}
			if more := int(b.Side) - 1; whole {
				four[i].x, four[i].ownX = four[i].x+c[0]*more, four[i].ownX+c[0]*more
				four[i].y, four[i].ownY = four[i].y+c[1]*more, four[i].ownY+c[1]*more
			}
		}
		all = append(all, four)
	}
	return all
}

func slowCounted(g *Ground, p, q slowCorner, from, to Box, how Lines, sameLevel bool) bool {
	a, b := corner(p.x, p.y, p.z), corner(q.x, q.y, q.z)
	if how.Touch && sameLevel {
		for y := min(p.y, q.y) - 1; y <= max(p.y, q.y); y++ {
			for x := min(p.x, q.x) - 1; x <= max(p.x, q.x); x++ {
				s := at(int16(x), int16(y), int16(p.z))
				if slowStops(g, x, y, p.z, how.Stop) && !from.Holds(s) && (how.Inside || !to.Holds(s)) &&
					clips(a, b, [3]int64{int64(x), int64(y), int64(p.z)}, [3]int64{int64(x + 1), int64(y + 1), int64(p.z + 1)}) {
					return true
				}
			}
		}
		return false
	}
	own := to
	if how.Inside {
		own = from
	}
	return slowLine(g, a, b, how.Stop, from, own, slices.DeleteFunc(slices.Clone(how.Bodies), func(b Box) bool { return Overlap(b, to) }))
}

// slowStrict takes the pairs of nearest squares, and of these the largest number of blocked lines.
func slowStrict(g *Ground, from, to Box, stop Flags, bodies []Box) (all int) {
	za, zb := slowLevels(from, to)
	nearest := 1 << 30
	for _, a := range squares(from, za) {
		for _, b := range squares(to, zb) {
			far := (a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1])
			if far > nearest {
				continue
			}
			strict := 0
			for _, c := range corners {
				for _, d := range corners {
					if slowLine(g, corner(a[0]+c[0], a[1]+c[1], za), corner(b[0]+d[0], b[1]+d[1], zb), stop, from, to, bodies) {
						strict++
					}
				}
			}
			if far < nearest {
				nearest, all = far, 0
			}
			all = max(all, strict)
		}
	}
	return all
}

// slowEnds returns where lines of sight and effect of a box begin on one level: a thousandth of a square inside the
// corners of its squares; or on them, and in the center of the box.
func slowEnds(b Box, z int, by Reading) (ends []point) {
	for _, s := range squares(b, z) {
		for _, c := range corners {
			p := corner(s[0]+c[0], s[1]+c[1], z)
			if by == DrawnIn {
				p[0], p[1] = rat(int64(1000*(s[0]+c[0])+1-2*c[0]), 1000), rat(int64(1000*(s[1]+c[1])+1-2*c[1]), 1000)
			}
			ends = append(ends, p)
		}
	}
	return ends
}

func slowCenter(b Box, z int) point {
	p := corner(0, 0, z)
	p[0], p[1] = rat(2*int64(b.At.X)+int64(b.Side), 2), rat(2*int64(b.At.Y)+int64(b.Side), 2)
	return p
}

func slowOpen(g *Ground, from, to Box, stop Flags, by Reading) bool {
	za, zb := slowLevels(from, to)
	for {
		if by == OnCorners && !slowLine(g, slowCenter(from, za), slowCenter(to, zb), stop, from, to, nil) {
			return true
		}
		for _, p := range slowEnds(from, za, by) {
			for _, q := range slowEnds(to, zb, by) {
				if !slowLine(g, p, q, stop, from, to, nil) {
					return true
				}
			}
		}
		za, zb = za+1, zb+1
		if za != zb || len(squares(from, za)) == 0 || len(squares(to, zb)) == 0 {
			return false
		}
	}
}

// slowOpenFrom is slowOpen from an intersection.
func slowOpenFrom(g *Ground, origin Square, b Box, stop Flags) bool {
	for z := range int(b.Side) {
		zz := int(b.At.Z) + z
		if abs(zz-int(origin.Z)) != max(0, int(b.At.Z-origin.Z), int(origin.Z-b.At.Z)-int(b.Side)+1) {
			continue // another level is nearer
		}
		p := corner(int(origin.X), int(origin.Y), int(origin.Z))
		for _, q := range append(slowEnds(b, zz, OnCorners), slowCenter(b, zz)) {
			if !slowLine(g, p, q, stop, b, b, nil) {
				return true
			}
		}
	}
	return false
}

// slowFlanks clips the line between each pair of centers against all faces of the target.
func slowFlanks(a, target, b Box) bool {
	lo := [3]int64{int64(target.At.X), int64(target.At.Y), int64(target.At.Z)}
	for za := range int(a.Side) {
		for _, s := range squares(a, int(a.At.Z)+za) {
			for zb := range int(b.Side) {
				for _, u := range squares(b, int(b.At.Z)+zb) {
					p := point{rat(2*int64(s[0])+1, 2), rat(2*int64(s[1])+1, 2), rat(2*(int64(a.At.Z)+int64(za))+1, 2)}
					q := point{rat(2*int64(u[0])+1, 2), rat(2*int64(u[1])+1, 2), rat(2*(int64(b.At.Z)+int64(zb))+1, 2)}
					for axis := range 3 {
						low, high := lo, lo
						for i := range 3 {
							high[i] += int64(target.Side)
						}
						near, far := high, low
						near[axis], far[axis] = low[axis], high[axis]
						if clips(p, q, low, near) && clips(p, q, far, high) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// clips reports whether the line meets the closed cuboid from lo to hi.
func clips(p, q point, lo, hi [3]int64) bool {
	in, out := rat(0, 1), rat(1, 1)
	for i := range p {
		d := new(big.Rat).Sub(q[i], p[i])
		if d.Sign() == 0 {
			if p[i].Cmp(rat(lo[i], 1)) < 0 || p[i].Cmp(rat(hi[i], 1)) > 0 {
				return false
			}
			continue
		}
		a := new(big.Rat).Sub(rat(lo[i], 1), p[i])
		b := new(big.Rat).Sub(rat(hi[i], 1), p[i])
		a.Quo(a, d)
		b.Quo(b, d)
		if a.Cmp(b) > 0 {
			a, b = b, a
		}
		if a.Cmp(in) > 0 {
			in = a
		}
		if b.Cmp(out) < 0 {
			out = b
		}
	}
	return in.Cmp(out) <= 0
}

// slowWay reduces the difference step by step, diagonally as long as it can.
func slowWay(d [3]int, p *Prices) (feet int) {
	for diagonals := 0; d != [3]int{}; {
		changed := 0
		for i := range d {
			if d[i] != 0 {
				d[i] -= d[i] / abs(d[i])
				changed++
			}
		}
		kind := straight
		if changed > 1 {
			diagonals++
			kind = odd + (diagonals+1)%2
		}
		feet += int(p.step[kind][1])
	}
	return feet
}

// Random maps and boxes, small enough to produce all kinds of neighborhoods.

func randomGround(r *rand.Rand, w, h int, floors bool) *Ground {
	g := NewGround(w, h)
	dense := r.IntN(4) + 2
	for y := range h {
		for x := range w {
			var c Cell
			if r.IntN(dense) == 0 {
				c.Flags = Flags(r.IntN(16))
			}
			if r.IntN(3) == 0 {
				c.Factor = uint8(r.IntN(4))
			}
			if floors && r.IntN(3) == 0 {
				c.Floor = int16(r.IntN(4) - 1)
			}
			g.Set(x, y, c)
		}
	}
	return g
}

func randomBox(r *rand.Rand, w, h, levels, side int) Box {
	return Box{at(int16(r.IntN(w)), int16(r.IntN(h)), int16(r.IntN(levels))), int16(r.IntN(side) + 1)}
}

func show(g *Ground) string {
	var b strings.Builder
	w, h := int(g.w), int(g.h)
	for y := range h {
		for x := range w {
			c := g.At(x, y)
			fmt.Fprintf(&b, " %x/%d/%d", uint8(c.Flags), c.Factor, c.Floor)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// when returns the position on the line at which a coordinate has a value, nil if it never changes.
func (p point) when(q point, axis int, v int64) *big.Rat {
	d := new(big.Rat).Sub(q[axis], p[axis])
	if d.Sign() == 0 {
		return nil
	}
	t := new(big.Rat).Sub(rat(v, 1), p[axis])
	return t.Quo(t, d)
}

func cosine(a, b [3]int) float64 {
	dot, aa, bb := 0, 0, 0
	for i := range a {
		dot, aa, bb = dot+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return float64(dot) / math.Sqrt(float64(aa)*float64(bb))
}
