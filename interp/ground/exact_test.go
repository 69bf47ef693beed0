package ground_test

import (
	"cmp"
	"math"
	"slices"

	"arbiter/stdlib/grid"
)

// This file computes slowly what the rules of starfinder say about lines: which lines the text speaks of, each followed
// with exact fractions. It shares no code with the geometry. TestGeometry compares the two.

// A scene is a map with creatures; x runs right, y down.
type scene struct {
	rows   []string // '#' wall, '|' bars, '%' fog, ':' rubble
	bodies []body
}

// A body fills a cube.
type body struct {
	x, y, z, side int
	size          int // 0 is fine, 8 colossal
}

type cell struct{ x, y, z int }

func (b body) has(c cell) bool {
	return c.x >= b.x && c.x < b.x+b.side && c.y >= b.y && c.y < b.y+b.side && c.z >= b.z && c.z < b.z+b.side
}

func (b body) overlaps(o body) bool {
	return slices.ContainsFunc(o.cells(), b.has)
}

func (b body) cells() (list []cell) {
	for z := range b.side {
		list = append(list, b.floor(b.z+z)...)
	}
	return list
}

// floor lists the squares of a body on one level.
func (b body) floor(z int) (list []cell) {
	for y := range b.side {
		for x := range b.side {
			if z >= b.z && z < b.z+b.side {
				list = append(list, cell{b.x + x, b.y + y, z})
			}
		}
	}
	return list
}

func (s *scene) mark(c cell) byte {
	if c.y < 0 || c.y >= len(s.rows) || c.x < 0 || c.x >= len(s.rows[0]) || c.z < 0 {
		return '#'
	}
	return s.rows[c.y][c.x]
}

func (s *scene) isWall(c cell) bool { return s.mark(c) == '#' }
func (s *scene) isFog(c cell) bool  { return s.mark(c) == '%' }
func (s *scene) isCover(c cell) bool {
	return s.isWall(c) || s.mark(c) == '|' && c.z == 0 // bars are as high as a square
}

// A point has its coordinates in thousandths of a square.
type point [3]int

const whole = 1000

func (c cell) corner(i int) point {
	return point{(c.x + i%2) * whole, (c.y + i/2) * whole, c.z*whole + whole/2}
}

// drawnIn moves a corner of a square a thousandth toward its center.
func (c cell) drawnIn(i int) point {
	p := c.corner(i)
	return point{p[0] + 1 - 2*(i%2), p[1] + 1 - 2*(i/2), p[2]}
}

// outer are the outer corners of a body on one level, each with its own square.
func (b body) outer(z int) (points [4]point, own [4]cell) {
	for i := range points {
		own[i] = cell{b.x + i%2*(b.side-1), b.y + i/2*(b.side-1), z}
		points[i] = own[i].corner(i)
	}
	return points, own
}

// A fraction of a line; the denominator is positive.
type fraction struct{ n, d int }

func compare(a, b fraction) int { return cmp.Compare(a.n*b.d, b.n*a.d) }

// within returns the part of a line that lies in a cuboid, from one fraction to another; it is empty if from is not
// before to, and a point if they are equal.
func within(p, q point, lo, hi [3]int) (from, to fraction) {
	from, to = fraction{0, 1}, fraction{1, 1}
	for i := range p {
		d := q[i] - p[i]
		switch {
		case d == 0 && (p[i] < lo[i] || p[i] > hi[i]):
			return fraction{1, 1}, fraction{0, 1}
		case d == 0:
			continue
		}
		a, b := fraction{lo[i] - p[i], d}, fraction{hi[i] - p[i], d}
		if d < 0 {
			a, b = fraction{p[i] - hi[i], -d}, fraction{p[i] - lo[i], -d}
		}
		from, to = slices.MaxFunc([]fraction{from, a}, compare), slices.MinFunc([]fraction{to, b}, compare)
	}
	return from, to
}

// crosses reports whether a line runs through the interior of a cuboid of squares.
func crosses(p, q point, lo, hi cell) bool {
	low, high := [3]int{lo.x * whole, lo.y * whole, lo.z * whole}, [3]int{(hi.x + 1) * whole, (hi.y + 1) * whole, (hi.z + 1) * whole}
	for i := range p {
		if p[i] == q[i] && (p[i] <= low[i] || p[i] >= high[i]) {
			return false
		}
	}
	from, to := within(p, q, low, high)
	return p != q && compare(from, to) < 0
}

// touches reports whether a line meets a square or its border.
func touches(p, q point, c cell) bool {
	from, to := within(p, q, [3]int{c.x * whole, c.y * whole, c.z * whole}, [3]int{(c.x + 1) * whole, (c.y + 1) * whole, (c.z + 1) * whole})
	return compare(from, to) <= 0
}

// isStopped reports whether squares stop a line: those that it runs through; where it runs along a border, those on
// both sides together; where it passes an edge or a corner, those that leave no way around it.
func isStopped(p, q point, stops func(cell) bool) bool {
	cuts := []fraction{{0, 1}, {1, 1}}
	for i := range p {
		for k := min(p[i], q[i]) / whole; k <= max(p[i], q[i])/whole+1 && p[i] != q[i]; k++ {
			t := fraction{k*whole - p[i], q[i] - p[i]}
			if t.d < 0 {
				t = fraction{-t.n, -t.d}
			}
			if t.n > 0 && t.n < t.d {
				cuts = append(cuts, t)
			}
		}
	}
	slices.SortFunc(cuts, compare)
	var before []cell
	for i, t := range cuts[1:] {
		if compare(cuts[i], t) == 0 {
			continue
		}
		now := around(p, q, fraction{cuts[i].n*t.d + t.n*cuts[i].d, 2 * t.d * cuts[i].d})
		if !slices.ContainsFunc(now, func(c cell) bool { return !stops(c) }) {
			return true
		}
		if before != nil && !isPassable(before, now, around(p, q, cuts[i]), p, q, stops) {
			return true
		}
		before = now
	}
	return false
}

// floorOf divides, rounding down.
func floorOf(n, d int) int {
	if n%d < 0 {
		return n/d - 1
	}
	return n / d
}

// around lists the squares that contain a point of a line or have it on their border.
func around(p, q point, t fraction) (list []cell) {
	var lo, hi [3]int
	for i := range p {
		v, unit := p[i]*t.d+(q[i]-p[i])*t.n, whole*t.d
		hi[i] = floorOf(v, unit)
		lo[i] = hi[i]
		if v%unit == 0 {
			lo[i]--
		}
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				list = append(list, cell{x, y, z})
			}
		}
	}
	return list
}

// isPassable reports whether there is a way from the squares before a point of a line to those after it, from neighbor
// to neighbor among those around it. On a border, the squares on both sides are one.
func isPassable(before, after, all []cell, p, q point, stops func(cell) bool) bool {
	same := func(a, b cell) bool {
		return (p[0] == q[0] || a.x == b.x) && (p[1] == q[1] || a.y == b.y) && (p[2] == q[2] || a.z == b.z)
	}
	isOpen := func(c cell) bool {
		return slices.ContainsFunc(all, func(o cell) bool { return same(c, o) && !stops(o) })
	}
	reached := []cell{before[0]}
	for range all {
		for _, c := range all {
			near := func(r cell) bool {
				n := 0
				for i, d := range []int{r.x - c.x, r.y - c.y, r.z - c.z} {
					if d != 0 && p[i] != q[i] {
						n++
					}
				}
				return n <= 1
			}
			if isOpen(c) && slices.ContainsFunc(reached, near) {
				reached = append(reached, c)
			}
		}
	}
	return slices.ContainsFunc(reached, func(c cell) bool { return same(c, after[0]) })
}

// levels are those between which lines run: the nearest, of these the lowest.
func levels(a, b body) (za, zb int) {
	best := math.MaxInt
	for i := range a.side {
		for j := range b.side {
			if d := max(a.z+i-b.z-j, b.z+j-a.z-i); d < best {
				best, za, zb = d, a.z+i, b.z+j
			}
		}
	}
	return za, zb
}

// hasLine: line of effect, from a corner of any square of the one to a corner of any square of the other.
func (s *scene) hasLine(a, b body) bool {
	stops := func(c cell) bool { return s.isWall(c) && !a.has(c) && !b.has(c) }
	for za := a.z; za < a.z+a.side; za++ {
		for zb := b.z; zb < b.z+b.side; zb++ {
			if la, lb := levels(a, b); za != zb && (za != la || zb != lb) || la != lb && za == zb {
				continue
			}
			for _, from := range a.floor(za) {
				for _, to := range b.floor(zb) {
					for i := range 16 {
						if !isStopped(from.drawnIn(i%4), to.drawnIn(i/4), stops) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// isCovered: from each outer corner of the attacker, some line to an outer corner of the target is obstructed, by what
// gives cover or by a creature in between; or a part of the target is out of line of effect.
func (s *scene) isCovered(attacker, target body, bodies []body) bool {
	if target.side > 1 && slices.ContainsFunc(target.cells(), func(c cell) bool { return !s.hasLine(attacker, body{c.x, c.y, c.z, 1, 4}) }) {
		return true
	}
	stops := func(c cell) bool { return s.isCover(c) && !attacker.has(c) && !target.has(c) }
	za, zb := levels(attacker, target)
	from, _ := attacker.outer(za)
	to, _ := target.outer(zb)
	for _, p := range from {
		if !slices.ContainsFunc(to[:], func(q point) bool {
			return isStopped(p, q, stops) || slices.ContainsFunc(bodies, func(b body) bool {
				return !b.overlaps(attacker) && !b.overlaps(target) &&
					crosses(p, q, cell{b.x, b.y, b.z}, cell{b.x + b.side - 1, b.y + b.side - 1, b.z + b.side - 1})
			})
		}) {
			return false
		}
	}
	return true
}

// isConcealed: from each outer corner of the attacker, some line to an outer corner of the target crosses or touches a
// square of fog, the attacker's own excepted.
func (s *scene) isConcealed(attacker, target body) bool {
	from, _ := attacker.outer(0)
	to, _ := target.outer(0)
	for _, p := range from {
		if !slices.ContainsFunc(to[:], func(q point) bool {
			for i := range len(s.rows) * len(s.rows[0]) {
				c := cell{i % len(s.rows[0]), i / len(s.rows[0]), 0}
				if s.isFog(c) && !attacker.has(c) && touches(p, q, c) {
					return true
				}
			}
			return false
		}) {
			return false
		}
	}
	return true
}

// pointCover: 0 no cover from a point, 1 cover, 2 total cover. The point is a corner of squares.
func (s *scene) pointCover(x, y int, target body) int {
	p := point{x * whole, y * whole, whole / 2}
	if !slices.ContainsFunc(target.floor(0), func(c cell) bool { return s.sees(p, target, c) }) {
		return 2
	}
	// Above, the lines go to the same squares on the lowest level.
	if target.side > 1 && slices.ContainsFunc(target.cells(), func(c cell) bool {
		return !s.sees(point{p[0], p[1], p[2]}, body{c.x, c.y, c.z, 1, 4}, c)
	}) {
		return 1
	}
	to, _ := target.outer(0)
	for _, q := range to {
		if isStopped(p, q, func(c cell) bool { return s.isCover(c) && !target.has(c) }) {
			return 1
		}
	}
	return 0
}

// sees reports whether a line leads from a point to a corner of a square of a body, or to the center of the body.
func (s *scene) sees(p point, of body, c cell) bool {
	stops := func(c cell) bool { return s.isWall(c) && !of.has(c) }
	for i := range 4 {
		if !isStopped(p, c.corner(i), stops) {
			return true
		}
	}
	return !isStopped(p, point{of.x*whole + of.side*whole/2, of.y*whole + of.side*whole/2, c.z*whole + whole/2}, stops)
}

// reachedBy: some square of a body is within a radius of a point, counted to its far edge, and in line of effect of it.
func (s *scene) reachedBy(x, y, feet int, target body) bool {
	return slices.ContainsFunc(target.floor(0), func(c cell) bool {
		far := counted(max(c.x+1-x, x-c.x), max(c.y+1-y, y-c.y), 0)
		of := target
		if target.side > 1 {
			of = body{c.x, c.y, c.z, 1, 4}
		}
		return far <= feet && s.sees(point{x * whole, y * whole, whole / 2}, of, c)
	})
}

// counted is a distance in feet: every second diagonal counts double.
func counted(dx, dy, dz int) int {
	d := []int{dx, dy, dz}
	slices.Sort(d)
	return 5 * (d[2] + d[1]/2)
}

func gap(a, n, b, m int) int { return max(b-a-n+1, a-b-m+1, 0) }

func (b body) distance(o body) (feet, steps int) {
	x, y, z := gap(b.x, b.side, o.x, o.side), gap(b.y, b.side, o.y, o.side), gap(b.z, b.side, o.z, o.side)
	return counted(x, y, z), max(x, y, z)
}

// isClear: no line from a point of a body to a point of it at another place crosses what blocks or slows, or another
// creature. The body is moved from each place where it begins or ends to cover a square to the next.
func (s *scene) isClear(b, to body, others []body) bool {
	p, d := [3]int{b.x, b.y, b.z}, [3]int{to.x - b.x, to.y - b.y, to.z - b.z}
	cuts := []fraction{{0, 1}, {1, 1}}
	for i := range p {
		for k := 1; k < max(d[i], -d[i]); k++ {
			cuts = append(cuts, fraction{k, max(d[i], -d[i])})
		}
	}
	slices.SortFunc(cuts, compare)
	for i, t := range cuts[1:] {
		t = fraction{cuts[i].n*t.d + t.n*cuts[i].d, 2 * t.d * cuts[i].d}
		var lo, hi [3]int // the squares that it covers then
		for j := range p {
			v := p[j]*t.d + d[j]*t.n
			lo[j], hi[j] = floorOf(v, t.d), b.side-1-floorOf(-v, t.d)
		}
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for x := lo[0]; x <= hi[0]; x++ {
					c := cell{x, y, z}
					m := s.mark(c)
					if b.has(c) {
						continue
					}
					if m == '#' || m == '|' || m == ':' && z == 0 || slices.ContainsFunc(others, func(o body) bool { return o.has(c) }) {
						return false
					}
				}
			}
		}
	}
	return true
}

// flanks: a line between the centers of two squares passes through opposite borders of a space, or their corners.
func flanks(a, target, b body) bool {
	for _, from := range a.cells() {
		for _, to := range b.cells() {
			p := point{from.x*whole + whole/2, from.y*whole + whole/2, from.z*whole + whole/2}
			q := point{to.x*whole + whole/2, to.y*whole + whole/2, to.z*whole + whole/2}
			lo := [3]int{target.x * whole, target.y * whole, target.z * whole}
			hi := [3]int{lo[0] + target.side*whole, lo[1] + target.side*whole, lo[2] + target.side*whole}
			for i := range p {
				near, far := hi, lo
				near[i], far[i] = lo[i], hi[i]
				a1, a2 := within(p, q, lo, near)
				b1, b2 := within(p, q, far, hi)
				if compare(a1, a2) <= 0 && compare(b1, b2) <= 0 {
					return true
				}
			}
		}
	}
	return false
}

// bend is the angle, in whole degrees, between the way of a body to a place and the direction to a target.
func bend(b, to, target body) int {
	angle := func(x, y int) float64 { return math.Atan2(float64(y), float64(x)) }
	d := math.Abs(angle(to.x-b.x, to.y-b.y) - angle(2*(target.x-b.x)+target.side-b.side, 2*(target.y-b.y)+target.side-b.side))
	return int(math.Round(min(d, 2*math.Pi-d) * 180 / math.Pi))
}

func (b body) square() int64 { return grid.Square{X: int16(b.x), Y: int16(b.y), Z: int16(b.z)}.Pack() }
