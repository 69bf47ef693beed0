package grid

import (
	"math"
	"slices"
)

// Line appends the straight walk from a to b, both included: each square is adjacent to the one before and the nearest
// to the line between the centers. Of two equally near it takes the one with the smaller coordinate, so that the
// reverse walk is the same.
func Line(dst []Square, a, b Square) []Square {
	c, d, n := heading(a, b)
	// After i steps an axis has advanced (2*i*d - n) / 2n squares, rounded up; over is the rounding error, in 2n-ths.
	over := [3]int32{n, n, n}
	for range n + 1 {
		dst = append(dst, Square{int16(c[0]), int16(c[1]), int16(c[2])})
		for j := range c {
			switch over[j] -= 2 * d[j]; {
			case over[j] < 0:
				over[j] += 2 * n
				c[j]++
			case over[j] >= 2*n:
				over[j] -= 2 * n
				c[j]--
			}
		}
	}
	return dst
}

// heading returns a's coordinates, the vector to b, and the number of steps.
func heading(a, b Square) (p, d [3]int32, n int32) {
	p = One(a).low()
	d = One(b).low()
	for i := range d {
		d[i] -= p[i]
		n = max(n, d[i], -d[i])
	}
	return p, d, n
}

// Straight reports whether a path keeps to the straight line from its first square to its last: every center is within
// half a square of it, measured across the line's long axis, and no step goes backward.
func Straight(path []Square) bool {
	if len(path) < 2 {
		return true
	}
	p, d, n := heading(path[0], path[len(path)-1])
	long := 0
	for i := range d {
		if max(d[i], -d[i]) == n {
			long = i
			break
		}
	}
	before := p
	for _, s := range path[1:] {
		c := One(s).low()
		for i := range c {
			if step := c[i] - before[i]; step < 0 && d[i] >= 0 || step > 0 && d[i] <= 0 {
				return false
			}
			off := int64(c[i]-p[i])*int64(d[long]) - int64(c[long]-p[long])*int64(d[i])
			if 2*max(off, -off) > int64(n) {
				return false
			}
		}
		before = c
	}
	return true
}

// Between appends the squares that the line between the centers of two boxes runs through, in packed order and without
// the boxes' own. Where it runs along a border, the squares on both sides are included. Its ends are on the same levels
// as those of the lines of Blocked.
func Between(dst []Square, a, b Box) []Square {
	za, zb := levels(a, b)
	return appendThrough(dst, a.center(za), b.center(zb), a, b)
}

// BetweenFrom is Between from the intersection at the smallest corner of origin, which fills no square.
func BetweenFrom(dst []Square, origin Square, b Box) []Square {
	p, z := fromCorner(origin, b)
	return appendThrough(dst, p, b.center(z), b, b)
}

// appendThrough appends the squares that a line runs through, except those of two boxes.
func appendThrough(dst []Square, p, q [3]int32, a, b Box) []Square {
	start := len(dst)
	r := newRay(p, q)
	for {
		for side := range int32(4) {
			x, y := side&1, side>>1
			if x == 1 && !r.border[0] || y == 1 && !r.border[1] {
				continue
			}
			c := [3]int32{r.cell[0] - x, r.cell[1] - y, r.cell[2]}
			if s, ok := toSquare(c); ok && !a.Holds(s) && !b.Holds(s) {
				dst = append(dst, s)
			}
		}
		axes := r.crossing()
		if r.ended(axes) {
			sortSquares(dst[start:])
			return dst
		}
		r.cross(axes)
	}
}

// Swept appends the squares whose interior is crossed by some line from a point of a box to a point of the same box at
// another square, without those of the box where it is now. It includes those of the box there.
func Swept(dst []Square, b Box, to Square) []Square {
	start, side := len(dst), b.side()
	if Steps(b, One(to)) > MaxMap {
		return dst
	}
	lo, hi, end := b.low(), b.high(), One(to).low()
	var p, q [3]int32 // the smallest corner of the box, here and there
	for i := range lo {
		p[i], q[i] = unit*lo[i], unit*end[i]
		lo[i], hi[i] = min(lo[i], end[i]), max(hi[i], end[i]+side-1)
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				// The box covers a part of the cell while its corner is in the cell or less than a side before it.
				c, ok := toSquare([3]int32{x, y, z})
				if ok && !b.Holds(c) && entersInterior(p, q, [3]int32{x - side, y - side, z - side}, [3]int32{x, y, z}) {
					dst = append(dst, c)
				}
			}
		}
	}
	sortSquares(dst[start:])
	return dst
}

// toSquare converts three coordinates to a square, if they are in range.
func toSquare(c [3]int32) (Square, bool) {
	for _, v := range c {
		if v < math.MinInt16 || v > math.MaxInt16 {
			return Square{}, false
		}
	}
	return Square{int16(c[0]), int16(c[1]), int16(c[2])}, true
}

// StepAway appends the n squares that follow from on the straight line from origin through it, fewer where the
// coordinates end. If from is origin, there is no such line, and nothing is appended.
func StepAway(dst []Square, from, origin Square, n int) []Square {
	p, d, long := heading(origin, from)
	if long == 0 {
		return dst
	}
	for i := range int64(min(n, math.MaxInt16)) {
		var c [3]int32
		for j := range c {
			// Halves are rounded away from the origin.
			off, sign := (i+1)*int64(d[j]), int64(1)
			if off < 0 {
				off, sign = -off, -1
			}
			c[j] = p[j] + d[j] + int32(sign*((2*off+int64(long))/(2*int64(long))))
		}
		s, ok := toSquare(c)
		if !ok {
			break
		}
		dst = append(dst, s)
	}
	return dst
}

func sortSquares(s []Square) { slices.SortFunc(s, Square.Compare) }
