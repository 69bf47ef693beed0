package grid

import "math"

// maxSpreadWork limits the work of a spread: the squares and corners that it considers and the cells that its lines
// cross.
const maxSpreadWork = 1 << 27

// Spread appends the squares, within a radius in feet, reached by something that spreads from the origin around
// corners, on the origin's level. It goes out in straight lines, like a burst, as far as cells that block an effect
// let it, and with what is left of the radius from each corner of such a cell that it reaches: the distance to a square
// is that of the shortest such way, each part counted from intersection to intersection. Without obstacles the result
// is the burst. ok is false if that takes too much work, as in a huge maze; the result is then incomplete.
func (f *Finder) Spread(dst []Square, g *Ground, origin Square, radius int32, p *Prices) (squares []Square, ok bool) {
	squares, left := f.spread(dst, g, origin, radius, p, maxSpreadWork)
	return squares, left >= 0
}

// spread is Spread with so much work. It returns what is left of that, or a negative number if it is not enough.
func (f *Finder) spread(dst []Square, g *Ground, origin Square, radius int32, p *Prices, work int) (squares []Square, left int) {
	first := len(dst)
	dst = g.Burst(dst, origin, radius, 0, p)
	o := One(origin).low()
	lo, hi := o, o
	for _, s := range dst[first:] {
		c := One(s).low()
		lo, hi = [3]int32{min(lo[0], c[0]), min(lo[1], c[1]), o[2]}, [3]int32{max(hi[0], c[0]), max(hi[1], c[1]), o[2]}
	}
	if o[2] >= 0 && o[2] <= MaxLevel && g.isClear(lo[0], lo[1], hi[0], hi[1]) {
		return dst, work
	}
	s := spread{lines: line{g: g, stop: BlocksEffect, from: nowhere, to: nowhere}, p: p.orUnit(), level: o[2], radius: radius, turns: f.turns[:0], left: work}
	s.rest = append(f.rest[:0], dst[first:]...)
	s.addTurn(o[0], o[1], 0)
	for y := lo[1]; y <= hi[1]+1; y++ {
		for x := lo[0]; x <= hi[0]+1; x++ {
			if s.isCorner(x, y) && (x != o[0] || y != o[1]) {
				s.addTurn(x, y, math.MaxInt32)
			}
		}
	}
	dst = dst[:first]
	for {
		t, parity := s.nearest()
		if t == nil || s.left < 0 {
			break
		}
		t.done[parity] = true
		dst = s.appendSeen(dst, t, parity)
		s.goOn(t, parity)
	}
	f.turns, f.rest = s.turns, s.rest
	sortSquares(dst[first:])
	return dst, s.left
}

// nowhere is outside every map.
var nowhere = One(Square{math.MinInt16, math.MinInt16, math.MinInt16})

// A spread is a Spread in progress.
type spread struct {
	lines         line
	p             *Prices
	level, radius int32
	turns         []turn
	rest          []Square // squares of the burst that have not been reached
	left          int      // of the work
}

// A turn is an intersection from which the spread goes out in straight lines: its origin, or the corner of a cell.
type turn struct {
	x, y int32
	feet [2]int32 // the length of the shortest way there, by the number of its diagonals, even or odd
	done [2]bool
}

func (s *spread) addTurn(x, y, feet int32) {
	s.turns = append(s.turns, turn{x: x, y: y, feet: [2]int32{feet, math.MaxInt32}})
}

// isCorner reports whether exactly one of the four cells around an intersection blocks: nothing else can be turned
// around.
func (s *spread) isCorner(x, y int32) bool {
	count := 0
	for i := range int32(4) {
		if s.lines.g.stops(x-i&1, y-i>>1, s.level, BlocksEffect) {
			count++
		}
	}
	return count == 1
}

// nearest returns the turn with the shortest way among those that are not done; nil if there is none.
func (s *spread) nearest() (best *turn, parity int32) {
	feet := int32(math.MaxInt32)
	for i := range s.turns {
		for j := range int32(2) {
			if t := &s.turns[i]; !t.done[j] && t.feet[j] < feet {
				best, parity, feet = t, j, t.feet[j]
			}
		}
	}
	s.left -= len(s.turns)
	return best, parity
}

// appendSeen moves the squares that are near enough, and to which there is a line from a turn, from the rest to dst.
func (s *spread) appendSeen(dst []Square, t *turn, parity int32) []Square {
	s.left -= len(s.rest)
	kept := s.rest[:0]
	for _, c := range s.rest {
		x, y := stepsToFarEdge(int32(c.X)-t.x), stepsToFarEdge(int32(c.Y)-t.y)
		far := t.feet[parity] + s.p.pathPrice(max(x, y)-min(x, y), min(x, y), parity)
		if far > s.radius || s.lines.g.Stops(c, BlocksEffect) || !s.sees(t, c, x+y) {
			kept = append(kept, c)
			continue
		}
		dst = append(dst, c)
	}
	s.rest = kept
	return dst
}

// sees reports whether there is a line from a turn to a corner or the center of a square. From the origin it is that of
// a burst.
func (s *spread) sees(t *turn, to Square, length int32) bool {
	s.left -= 5 * int(length)
	if t == &s.turns[0] {
		return s.lines.g.HasLineFrom(Square{int16(t.x), int16(t.y), to.Z}, One(to), BlocksEffect)
	}
	x, y := int32(to.X), int32(to.Y)
	return !s.lines.flat(unit*t.x, unit*t.y, unit*x+half, unit*y+half, s.level) ||
		s.isFree(t.x, t.y, x, y) || s.isFree(t.x, t.y, x+1, y) || s.isFree(t.x, t.y, x, y+1) || s.isFree(t.x, t.y, x+1, y+1)
}

// goOn notes the ways that lead from a turn straight to others.
func (s *spread) goOn(t *turn, parity int32) {
	s.left -= len(s.turns)
	for i := range s.turns {
		to := &s.turns[i]
		x, y := max(to.x-t.x, t.x-to.x), max(to.y-t.y, t.y-to.y)
		far := t.feet[parity] + s.p.pathPrice(max(x, y)-min(x, y), min(x, y), parity)
		next := (parity + min(x, y)) & 1
		if far >= s.radius || far >= to.feet[next] {
			continue
		}
		if s.left -= int(x + y); s.isFree(t.x, t.y, to.x, to.y) {
			to.feet[next] = far
		}
	}
}

// isFree reports whether the line between two intersections is free. Along a border it keeps to one side of it where
// the other one is blocked, and does not change sides between two cells that touch.
func (s *spread) isFree(x0, y0, x1, y1 int32) bool {
	dx, dy := sign(x1-x0), sign(y1-y0)
	if dx != 0 && dy != 0 {
		return !s.lines.flat(unit*x0, unit*y0, unit*x1, unit*y1, s.level)
	}
	before := [2]bool{true, true}
	for x, y := x0, y0; x != x1 || y != y1; x, y = x+dx, y+dy {
		// The cells on both sides of the next edge.
		ax, ay := x+min(dx, 0), y+min(dy, 0)
		now := [2]bool{!s.lines.g.stops(ax, ay, s.level, BlocksEffect), !s.lines.g.stops(ax-dy*dy, ay-dx*dx, s.level, BlocksEffect)}
		if !(now[0] && before[0]) && !(now[1] && before[1]) {
			return false
		}
		before = now
	}
	return true
}

func sign(n int32) int32 { return min(max(n, -1), 1) }
