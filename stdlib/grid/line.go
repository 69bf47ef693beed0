package grid

// HasLine reports whether there is a line of sight or effect: whether some line from a corner of a square of one box to
// a corner of a square of the other, or from center to center, is free of cells with one of the flags. The cells of
// both boxes block nothing.
//
// The lines run on every level that the boxes share; if they share none, from the highest level of the lower one to the
// lowest of the higher one.
func (g *Ground) HasLine(from, to Box, stop Flags) bool {
	stop &= everyFlag
	if stop == 0 || Overlap(from, to) {
		return true
	}
	l := line{g: g, stop: stop, from: from, to: to}
	if l.isClear() {
		return true
	}
	za, zb := levels(from, to)
	if za != zb {
		return l.hasFreeLine(za, zb)
	}
	for last := min(from.high()[2], to.high()[2]); za <= last; za++ {
		if l.hasFreeLine(za, za) {
			return true
		}
	}
	return false
}

// HasLineFrom is Open from the intersection at the smallest corner of origin, at half the height of its level, to some
// corner or the center of a square of the box.
func (g *Ground) HasLineFrom(origin Square, to Box, stop Flags) bool {
	stop &= everyFlag
	if stop == 0 {
		return true
	}
	l := line{g: g, stop: stop, from: to, to: to}
	p, z := fromCorner(origin, to)
	n := to.side() + 1
	q := to.center(z)
	if !l.isBlocked(p, q) {
		return true
	}
	for j := range n * n {
		q[0], q[1] = 2*(int32(to.At.X)+j%n), 2*(int32(to.At.Y)+j/n)
		if !l.isBlocked(p, q) {
			return true
		}
	}
	return false
}

// BlockedBestFrom is Hampered from that intersection. For each square of the box, it counts the blocked lines among the
// four to its corners, and returns the smallest count.
func (g *Ground) BlockedBestFrom(origin Square, to Box, stop Flags) (best int) {
	l := line{g: g, stop: stop & everyFlag, from: to, to: to}
	if l.stop == 0 {
		return 0
	}
	p, z := fromCorner(origin, to)
	return l.fewest(p, z)
}

// fromCorner returns the intersection at the smallest corner of origin, in half squares, and the level where the lines
// from it to a box end: its own, or the nearest to it in the box.
func fromCorner(origin Square, to Box) (p [3]int32, z int32) {
	p = [3]int32{2 * int32(origin.X), 2 * int32(origin.Y), 2*int32(origin.Z) + 1}
	return p, min(max(int32(origin.Z), to.low()[2]), to.high()[2])
}

// Blocked counts, for cover, the lines between corners of squares that are blocked by a cell with one of the flags, or
// by the interior of one of the bodies. The cells of from and to block nothing, nor do bodies that overlap them: those
// may be in the list. The lines run on the lowest level that the boxes share; if they share none, from the highest
// level of the lower one to the lowest of the higher one.
//
// best is the most favorable choice: of the four lines from one corner of a square of from to the corners of a square
// of to, the number blocked, for the corner and square where it is smallest. all is the strict reading, any line
// between two squares: the number blocked of the sixteen lines between the corners of the two nearest squares. If
// several pairs are equally near, it is the largest such number.
func (g *Ground) Blocked(from, to Box, stop Flags, bodies []Box) (best, all int) {
	l, free := g.lines(from, to, stop, bodies)
	if free {
		return 0, 0
	}
	za, zb := levels(from, to)
	return l.bestCount(za, zb), l.strictCount(za, zb)
}

// BlockedBest returns only best of Blocked, at half the cost.
func (g *Ground) BlockedBest(from, to Box, stop Flags, bodies []Box) (best int) {
	l, free := g.lines(from, to, stop, bodies)
	if free {
		return 0
	}
	return l.bestCount(levels(from, to))
}

// BlockedWithBorders is BlockedBest with cells only, including their borders: a line that only runs along a border, or
// touches a corner, is blocked as well. Between different levels it is BlockedBest.
func (g *Ground) BlockedWithBorders(from, to Box, stop Flags) (best int) {
	l, _ := g.lines(from, to, stop, nil)
	l.borders = true
	return l.bestCount(levels(from, to))
}

// lines prepares the lines between two boxes, and reports whether nothing can block any of them.
func (g *Ground) lines(from, to Box, stop Flags, bodies []Box) (l line, free bool) {
	l = line{g: g, stop: stop & everyFlag, from: from, to: to}
	for i := range bodies { // most are not between, and each line checks all of them
		if !l.between(bodies[i]) {
			continue
		}
		if l.nearCount == len(l.near) {
			l.farBodies = bodies[i:]
			break
		}
		l.near[l.nearCount] = bodies[i]
		l.nearCount++
	}
	return l, l.nearCount == 0 && (l.stop == 0 || l.isClear())
}

// A line holds what the lines between two boxes have in common.
type line struct {
	g         *Ground
	stop      Flags
	from, to  Box
	near      [8]Box // the first few bodies between the two
	nearCount int
	farBodies []Box // the bodies from the next one on, some of which are not between
	borders   bool  // borders of cells block a line, too
}

// levels returns the levels on which the lines between two boxes start and end.
func levels(a, b Box) (za, zb int32) {
	al, ah, bl, bh := a.low()[2], a.high()[2], b.low()[2], b.high()[2]
	switch {
	case ah < bl:
		return ah, bl
	case bh < al:
		return al, bh
	}
	return max(al, bl), max(al, bl)
}

// isClear reports whether no cell in the bounding cuboid of both boxes can block anything.
func (l *line) isClear() bool {
	al, ah, bl, bh := l.from.low(), l.from.high(), l.to.low(), l.to.high()
	return min(al[2], bl[2]) >= 0 && max(ah[2], bh[2]) <= MaxLevel &&
		l.g.isClear(min(al[0], bl[0]), min(al[1], bl[1]), max(ah[0], bh[0]), max(ah[1], bh[1]))
}

// between reports whether a body may block a line: it overlaps the bounding cuboid of both boxes, but not the boxes.
func (l *line) between(b Box) bool {
	if b.Side == 1 && l.from.Side == 1 && l.to.Side == 1 { // the most frequent case
		at, from, to := b.At, l.from.At, l.to.At
		return at.X >= min(from.X, to.X) && at.X <= max(from.X, to.X) && at.Y >= min(from.Y, to.Y) && at.Y <= max(from.Y, to.Y) &&
			at.Z >= min(from.Z, to.Z) && at.Z <= max(from.Z, to.Z) && at != from && at != to
	}
	al, ah, bl, bh := l.from.low(), l.from.high(), l.to.low(), l.to.high()
	low, high := b.low(), b.high()
	for i := range low {
		if high[i] < min(al[i], bl[i]) || low[i] > max(ah[i], bh[i]) {
			return false
		}
	}
	return !Overlap(b, l.from) && !Overlap(b, l.to)
}

func (l *line) hasFreeLine(za, zb int32) bool {
	p, q := l.from.center(za), l.to.center(zb)
	if !l.isBlocked(p, q) {
		return true
	}
	n, m := l.from.side()+1, l.to.side()+1
	for i := range n * n {
		p[0], p[1] = 2*(int32(l.from.At.X)+i%n), 2*(int32(l.from.At.Y)+i/n)
		for j := range m * m {
			q[0], q[1] = 2*(int32(l.to.At.X)+j%m), 2*(int32(l.to.At.Y)+j/m)
			if !l.isBlocked(p, q) {
				return true
			}
		}
	}
	return false
}

// center is the center of one level of the box, in half squares.
func (b Box) center(z int32) [3]int32 {
	return [3]int32{2*int32(b.At.X) + b.side(), 2*int32(b.At.Y) + b.side(), 2*z + 1}
}

func (l *line) bestCount(za, zb int32) int {
	n, least := l.from.side()+1, 4
	for i := range n * n {
		least = min(least, l.fewest([3]int32{2 * (int32(l.from.At.X) + i%n), 2 * (int32(l.from.At.Y) + i/n), 2*za + 1}, zb))
		if least == 0 {
			return 0
		}
	}
	return least
}

// fewest counts, for each square of to, the blocked lines among the four from p to its corners, and returns the
// smallest count.
func (l *line) fewest(p [3]int32, zb int32) int {
	m, least := l.to.side()+1, 4
	q := [3]int32{2: 2*zb + 1}
	var row [(MaxSide + 1) * (MaxSide + 1)]uint8 // by corner of to
	for j := range m * m {
		q[0], q[1] = 2*(int32(l.to.At.X)+j%m), 2*(int32(l.to.At.Y)+j/m)
		if l.isBlocked(p, q) {
			row[j] = 1
		}
		if x, y := j%m, j/m; x > 0 && y > 0 {
			least = min(least, int(row[j]+row[j-1]+row[j-m]+row[j-m-1]))
			if least == 0 {
				return 0
			}
		}
	}
	return least
}

func (l *line) strictCount(za, zb int32) int {
	most := 0
	ax, bx, nx := nearest(int32(l.from.At.X), l.from.side(), int32(l.to.At.X), l.to.side())
	ay, by, ny := nearest(int32(l.from.At.Y), l.from.side(), int32(l.to.At.Y), l.to.side())
	for j := range ny {
		for i := range nx {
			count := 0
			for c := range int32(16) {
				p := [3]int32{2 * (ax + i + c&1), 2 * (ay + j + c>>1&1), 2*za + 1}
				q := [3]int32{2 * (bx + i + c>>2&1), 2 * (by + j + c>>3&1), 2*zb + 1}
				if l.isBlocked(p, q) {
					count++
				}
			}
			most = max(most, count)
		}
	}
	return most
}

// nearest returns the nearest squares of two rows of squares, and how many further pairs of neighbors are equally near.
func nearest(a, n, b, m int32) (fromA, fromB, count int32) {
	first, last := max(a, b), min(a+n, b+m)
	switch {
	case first < last:
		return first, first, last - first
	case a < b:
		return a + n - 1, b, 1
	}
	return a, b + m - 1, 1
}

// isBlocked reports whether the line from p to q, in half squares, is blocked.
func (l *line) isBlocked(p, q [3]int32) bool {
	if l.borders && p[2] == q[2] {
		return l.touchesBlocked(p, q)
	}
	for i := range l.near[:l.nearCount] {
		if pierces(p, q, l.near[i]) {
			return true
		}
	}
	for _, b := range l.farBodies {
		if pierces(p, q, b) && l.between(b) {
			return true
		}
	}
	switch {
	case l.stop == 0:
		return false
	case p[2] == q[2]:
		return l.flat(p[0], p[1], q[0], q[1], p[2]>>1)
	}
	return l.sloping(p, q)
}

// touchesBlocked reports whether a flat line meets a blocking cell, in its interior or on its border.
func (l *line) touchesBlocked(p, q [3]int32) bool {
	x0, x1, y0, y1 := min(p[0], q[0]), max(p[0], q[0]), min(p[1], q[1]), max(p[1], q[1])
	dx, dy := int64(q[0]-p[0]), int64(q[1]-p[1])
	for y := (y0 - 1) >> 1; 2*y <= y1; y++ {
		for x := (x0 - 1) >> 1; 2*x <= x1; x++ {
			if 2*x+2 < x0 || 2*y+2 < y0 || !l.stops(x, y, (p[2]-1)>>1) {
				continue
			}
			left, right := false, false // corners of the cell on either side of the line
			for i := range int32(4) {
				side := dx*int64(2*(y+i>>1)-p[1]) - dy*int64(2*(x+i&1)-p[0])
				left, right = left || side >= 0, right || side <= 0
			}
			if left && right {
				return true
			}
		}
	}
	return false
}

// stops reports whether a cell blocks the line.
func (l *line) stops(x, y, z int32) bool {
	return l.g.stops(x, y, z, l.stop) && !l.from.holds(x, y, z) && !l.to.holds(x, y, z)
}

// flat follows a line on one level from cell to cell. For each axis it tracks the distance n to the next border and the
// total length d: the border is reached after n/d of the line.
func (l *line) flat(x0, y0, x1, y1, z int32) bool {
	if x0 == x1 || y0 == y1 {
		return l.along(x0, y0, x1, y1, z)
	}
	x, nx, dx, sx := axisStart(x0, x1)
	y, ny, dy, sy := axisStart(y0, y1)
	for {
		if l.stops(x, y, z) {
			return true
		}
		switch c := int64(nx)*int64(dy) - int64(ny)*int64(dx); {
		case c < 0:
			if nx >= dx {
				return false
			}
			x, nx = x+sx, nx+2
		case c > 0:
			if ny >= dy {
				return false
			}
			y, ny = y+sy, ny+2
		default:
			if nx >= dx {
				return false
			}
			if l.stops(x+sx, y, z) && l.stops(x, y+sy, z) {
				return true
			}
			x, nx, y, ny = x+sx, nx+2, y+sy, ny+2
		}
	}
}

// axisStart returns, for a line from p to q along one axis, the cell it starts in, the distance to the next border, its
// length, and its direction.
func axisStart(p, q int32) (cell, next, far, dir int32) {
	cell, next, far, dir = p>>1, 2-p&1, q-p, 1
	if far < 0 {
		far, dir = -far, -1
		if p&1 == 0 {
			cell--
		}
	}
	return cell, next, far, dir
}

// along is flat for a line parallel to an axis, which may run on a border.
func (l *line) along(x0, y0, x1, y1, z int32) bool {
	if y0 == y1 {
		for x := min(x0, x1) >> 1; x < (max(x0, x1)+1)>>1; x++ {
			if l.stops(x, y0>>1, z) && (y0&1 != 0 || l.stops(x, y0>>1-1, z)) {
				return true
			}
		}
		return false
	}
	for y := min(y0, y1) >> 1; y < (max(y0, y1)+1)>>1; y++ {
		if l.stops(x0>>1, y, z) && (x0&1 != 0 || l.stops(x0>>1-1, y, z)) {
			return true
		}
	}
	return false
}

// A ray follows a line in three dimensions. Along an axis in which it does not move it may run on a border, touching
// both the cell it names and the one on the low side.
type ray struct {
	cell, next, far, dir [3]int32
	border               [3]bool
}

func newRay(p, q [3]int32) (r ray) {
	for i := range p {
		r.cell[i], r.next[i], r.far[i], r.dir[i] = axisStart(p[i], q[i])
		r.border[i] = p[i] == q[i] && p[i]&1 == 0
	}
	return r
}

// crossing returns a bit set of the axes whose borders the ray reaches next, all at the same time; 0 at the end of the
// line.
func (r *ray) crossing() (axes uint) {
	best := -1
	for i := range r.far {
		if r.far[i] == 0 {
			continue
		}
		c := int64(-1)
		if best >= 0 {
			c = int64(r.next[i])*int64(r.far[best]) - int64(r.next[best])*int64(r.far[i])
		}
		if c < 0 {
			best, axes = i, 0
		}
		if c <= 0 {
			axes |= 1 << i
		}
	}
	return axes
}

// ended reports whether the borders on these axes are at or beyond the end of the line.
func (r *ray) ended(axes uint) bool {
	for i := range r.far {
		if axes>>i&1 != 0 {
			return r.next[i] >= r.far[i]
		}
	}
	return true
}

func (r *ray) cross(axes uint) {
	for i := range r.cell {
		if axes>>i&1 != 0 {
			r.cell[i] += r.dir[i]
			r.next[i] += 2
		}
	}
}

func (l *line) sloping(p, q [3]int32) bool {
	r := newRay(p, q)
	for {
		if l.stopsAll(&r, r.cell) {
			return true
		}
		axes := r.crossing()
		if r.ended(axes) {
			return false
		}
		if axes&(axes-1) != 0 && !l.canPassAround(&r, r.cell, axes) {
			return true
		}
		r.cross(axes)
	}
}

// stopsAll reports whether the cell blocks the ray; on a border, whether the cells on all sides do.
func (l *line) stopsAll(r *ray, c [3]int32) bool {
	for side := range int32(4) {
		x, y := side&1, side>>1
		if x == 1 && !r.border[0] || y == 1 && !r.border[1] {
			continue
		}
		if !l.stops(c[0]-x, c[1]-y, c[2]) {
			return false
		}
	}
	return true
}

// canPassAround reports whether there is a way around a point where the ray crosses several axes, through free cells,
// one axis after the other.
func (l *line) canPassAround(r *ray, c [3]int32, axes uint) bool {
	for i := range c {
		rest := axes &^ (1 << i)
		if rest == axes {
			continue
		}
		if rest == 0 {
			return true
		}
		d := c
		d[i] += r.dir[i]
		if !l.stopsAll(r, d) && l.canPassAround(r, d, rest) {
			return true
		}
	}
	return false
}

// pierces reports whether the line from p to q runs through the interior of the box. For each axis it computes the part
// of the line between the box's two borders, as two fractions of the line, and checks whether the three parts
// intersect.
func pierces(p, q [3]int32, b Box) bool {
	low, high := b.low(), b.high()
	var in, inOf, out, outOf int64 = 0, 1, 1, 1
	for i := range p {
		lo, hi := int64(2*low[i]-p[i]), int64(2*high[i]+2-p[i])
		d := int64(q[i] - p[i])
		if d == 0 {
			if lo >= 0 || hi <= 0 {
				return false
			}
			continue
		}
		if d < 0 {
			lo, hi, d = -hi, -lo, -d
		}
		if lo*inOf > in*d {
			in, inOf = lo, d
		}
		if hi*outOf < out*d {
			out, outOf = hi, d
		}
		if in*outOf >= out*inOf {
			return false
		}
	}
	return p != q
}
