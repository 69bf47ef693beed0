package grid

// HasLine reports whether there is a line of sight or effect: whether some line from a square of one box to a square of
// the other is free of cells with one of the flags. The reading says where such lines begin and end. The cells of both
// boxes block nothing.
//
// The lines run on every level that the boxes share; if they share none, from the highest level of the lower one to the
// lowest of the higher one.
func (g *Ground) HasLine(from, to Box, stop Flags, by Reading) bool {
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
		return l.hasFreeLine(za, zb, by)
	}
	for last := min(from.high()[2], to.high()[2]); za <= last; za++ {
		if l.hasFreeLine(za, za, by) {
			return true
		}
	}
	return false
}

// HasLineFrom is HasLine, read as OnCorners, from the intersection at the smallest corner of origin, at half the height
// of its level.
func (g *Ground) HasLineFrom(origin Square, to Box, stop Flags) bool {
	stop &= everyFlag
	if stop == 0 {
		return true
	}
	l := line{g: g, stop: stop, from: to, to: to}
	p, z := fromCorner(origin, to)
	return !l.isBlocked(p, to.center(z)) || l.reaches(p, z, OnCorners)
}

// BlockedBestFrom is BlockedBest from that intersection.
func (g *Ground) BlockedBestFrom(origin Square, to Box, stop Flags, whole bool) (best int) {
	l := line{g: g, stop: stop & everyFlag, from: to, to: to, whole: whole}
	if l.stop == 0 {
		return 0
	}
	p, z := fromCorner(origin, to)
	return l.fewest(p, z)
}

// fromCorner returns the intersection at the smallest corner of origin, and the level where the lines from it to a box
// end: its own, or the nearest to it in the box.
func fromCorner(origin Square, to Box) (p [3]int32, z int32) {
	p = [3]int32{unit * int32(origin.X), unit * int32(origin.Y), unit*int32(origin.Z) + half}
	return p, min(max(int32(origin.Z), to.low()[2]), to.high()[2])
}

// A Reading says where the lines of sight and effect of a square begin and end.
type Reading uint8

const (
	DrawnIn   Reading = iota // at its corners, drawn in by a hair: a line never runs along a border
	OnCorners                // at its corners, or at the center of the box: a line may run along a border
)

// Lines says which lines are counted for cover, and what blocks them. They run on the lowest level that the two boxes
// share; if they share none, from the highest level of the lower one to the lowest of the higher one.
type Lines struct {
	Stop   Flags // cells with one of these flags; those of both boxes block nothing
	Bodies []Box // the interiors of these, except those that overlap one of the boxes
	Whole  bool  // each box has four corners; otherwise each of its squares has
	Touch  bool  // a cell blocks a line that only runs along its border or touches its corner, if both boxes share a level
	Inside bool  // the cells of the second box block, too, and a line that ends in one of them is blocked
}

// BlockedBest counts the blocked lines from one corner of a box to the four corners of the other, or of one of its
// squares: the smallest count for any corner and any square.
func (g *Ground) BlockedBest(from, to Box, how *Lines) (best int) {
	l, free := g.lines(from, to, how)
	if free {
		return 0
	}
	return l.bestCount(levels(from, to))
}

// Blocked returns BlockedBest for the squares of both boxes, and the strict reading, any line between two squares: the
// number blocked of the sixteen lines between the corners of the two nearest squares. If several pairs are equally near,
// it is the largest such number.
func (g *Ground) Blocked(from, to Box, stop Flags, bodies []Box) (best, all int) {
	l, free := g.lines(from, to, &Lines{Stop: stop, Bodies: bodies})
	if free {
		return 0, 0
	}
	za, zb := levels(from, to)
	return l.bestCount(za, zb), l.strictCount(za, zb)
}

// lines prepares the lines between two boxes, and reports whether nothing can block any of them.
func (g *Ground) lines(from, to Box, how *Lines) (l line, free bool) {
	l = line{g: g, stop: how.Stop & everyFlag, from: from, to: to, whole: how.Whole, touch: how.Touch, inside: how.Inside}
	for i := range how.Bodies { // most are not between, and each line checks all of them
		if !l.between(how.Bodies[i]) {
			continue
		}
		if l.nearCount == len(l.near) {
			l.farBodies = how.Bodies[i:]
			break
		}
		l.near[l.nearCount] = how.Bodies[i]
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

	whole, touch, inside bool // as in Lines
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

// isClear reports whether no cell in the bounding cuboid of both boxes, or beside it if that matters, can block anything.
func (l *line) isClear() bool {
	al, ah, bl, bh := l.from.low(), l.from.high(), l.to.low(), l.to.high()
	beside := int32(0)
	if l.touch {
		beside = 1
	}
	return min(al[2], bl[2]) >= 0 && max(ah[2], bh[2]) <= MaxLevel &&
		l.g.isClear(min(al[0], bl[0])-beside, min(al[1], bl[1])-beside, max(ah[0], bh[0])+beside, max(ah[1], bh[1])+beside)
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

// hasFreeLine reports whether there is a line from one level of a box to one of the other.
func (l *line) hasFreeLine(za, zb int32, by Reading) bool {
	n := l.from.side()
	p := [3]int32{2: unit*za + half}
	if by == DrawnIn {
		for i := range 4 * n * n {
			p[0], p[1] = drawnIn(l.from.At.X, i%(2*n)), drawnIn(l.from.At.Y, i/(2*n))
			if l.reaches(p, zb, by) {
				return true
			}
		}
		return false
	}
	if !l.isBlocked(l.from.center(za), l.to.center(zb)) {
		return true
	}
	n++
	for i := range n * n {
		p[0], p[1] = unit*(int32(l.from.At.X)+i%n), unit*(int32(l.from.At.Y)+i/n)
		if l.reaches(p, zb, by) {
			return true
		}
	}
	return false
}

// reaches reports whether there is a line from a point to a corner of a square of to.
func (l *line) reaches(p [3]int32, zb int32, by Reading) bool {
	m := l.to.side()
	q := [3]int32{2: unit*zb + half}
	if by == DrawnIn {
		for j := range 4 * m * m {
			q[0], q[1] = drawnIn(l.to.At.X, j%(2*m)), drawnIn(l.to.At.Y, j/(2*m))
			if !l.isBlocked(p, q) {
				return true
			}
		}
		return false
	}
	m++
	for j := range m * m {
		q[0], q[1] = unit*(int32(l.to.At.X)+j%m), unit*(int32(l.to.At.Y)+j/m)
		if !l.isBlocked(p, q) {
			return true
		}
	}
	return false
}

// drawnIn returns a coordinate of the corners of squares in a row that starts at a square: of the first square the
// lower corner, the higher one, and so on, each a hair nearer to the center of its square.
func drawnIn(at int16, i int32) int32 { return unit*(int32(at)+(i+1)/2) + hair - i%2*2*hair }

// center is the center of one level of the box.
func (b Box) center(z int32) [3]int32 {
	return [3]int32{unit*int32(b.At.X) + half*b.side(), unit*int32(b.At.Y) + half*b.side(), unit*z + half}
}

func (l *line) bestCount(za, zb int32) int {
	step := int32(1)
	if l.whole {
		step = l.from.side()
	}
	n, least := l.from.side()/step+1, 4
	for i := range n * n {
		p := [3]int32{unit * (int32(l.from.At.X) + i%n*step), unit * (int32(l.from.At.Y) + i/n*step), unit*za + half}
		least = min(least, l.fewest(p, zb))
		if least == 0 {
			return 0
		}
	}
	return least
}

// fewest counts, for each square of to, the blocked lines among the four from p to its corners, and returns the
// smallest count. If to counts as a whole, there is one such count.
func (l *line) fewest(p [3]int32, zb int32) int {
	side, step := l.to.side(), int32(1)
	if l.whole {
		step = side
	}
	x0, y0 := int32(l.to.At.X), int32(l.to.At.Y)
	m, least := side/step+1, 4
	q := [3]int32{2: unit*zb + half}
	var row [(MaxSide + 1) * (MaxSide + 1)]uint8 // by corner of to
	for j := range m * m {
		x, y := j%m, j/m
		q[0], q[1] = unit*(x0+x*step), unit*(y0+y*step)
		ends := l.inside && l.whole && l.g.stops(x0+min(x*step, side-1), y0+min(y*step, side-1), zb, l.stop)
		if ends || l.isBlocked(p, q) {
			row[j] = 1
		}
		if x == 0 || y == 0 {
			continue
		}
		count := int(row[j] + row[j-1] + row[j-m] + row[j-m-1])
		if l.inside && !l.whole && l.g.stops(x0+x-1, y0+y-1, zb, l.stop) {
			count = 4
		}
		if least = min(least, count); least == 0 {
			return 0
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
				p := [3]int32{unit * (ax + i + c&1), unit * (ay + j + c>>1&1), unit*za + half}
				q := [3]int32{unit * (bx + i + c>>2&1), unit * (by + j + c>>3&1), unit*zb + half}
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

// isBlocked reports whether the line from p to q is blocked.
func (l *line) isBlocked(p, q [3]int32) bool {
	if l.touch && p[2] == q[2] {
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
		return l.flat(p[0], p[1], q[0], q[1], p[2]>>unitBits)
	}
	return l.sloping(p, q)
}

// touchesBlocked reports whether a flat line meets a blocking cell, in its interior or on its border.
func (l *line) touchesBlocked(p, q [3]int32) bool {
	x0, x1, y0, y1 := min(p[0], q[0]), max(p[0], q[0]), min(p[1], q[1]), max(p[1], q[1])
	dx, dy := int64(q[0]-p[0]), int64(q[1]-p[1])
	for y := (y0 - 1) >> unitBits; unit*y <= y1; y++ {
		for x := (x0 - 1) >> unitBits; unit*x <= x1; x++ {
			if !l.stops(x, y, p[2]>>unitBits) {
				continue
			}
			left, right := false, false // corners of the cell on either side of the line
			for i := range int32(4) {
				side := dx*int64(unit*(y+i>>1)-p[1]) - dy*int64(unit*(x+i&1)-p[0])
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
	return l.g.stops(x, y, z, l.stop) && !l.from.holds(x, y, z) && (l.inside || !l.to.holds(x, y, z))
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
			x, nx = x+sx, nx+unit
		case c > 0:
			if ny >= dy {
				return false
			}
			y, ny = y+sy, ny+unit
		default:
			if nx >= dx {
				return false
			}
			if l.stops(x+sx, y, z) && l.stops(x, y+sy, z) {
				return true
			}
			x, nx, y, ny = x+sx, nx+unit, y+sy, ny+unit
		}
	}
}

// axisStart returns, for a line from p to q along one axis, the cell it starts in, the distance to the next border, its
// length, and its direction.
func axisStart(p, q int32) (cell, next, far, dir int32) {
	cell, next, far, dir = p>>unitBits, unit-p&inUnit, q-p, 1
	if far < 0 {
		far, dir = -far, -1
		if next = p & inUnit; next == 0 {
			cell, next = cell-1, unit
		}
	}
	return cell, next, far, dir
}

// along is flat for a line parallel to an axis, which may run on a border.
func (l *line) along(x0, y0, x1, y1, z int32) bool {
	if y0 == y1 {
		for x := min(x0, x1) >> unitBits; x < (max(x0, x1)+inUnit)>>unitBits; x++ {
			if l.stops(x, y0>>unitBits, z) && (y0&inUnit != 0 || l.stops(x, y0>>unitBits-1, z)) {
				return true
			}
		}
		return false
	}
	for y := min(y0, y1) >> unitBits; y < (max(y0, y1)+inUnit)>>unitBits; y++ {
		if l.stops(x0>>unitBits, y, z) && (x0&inUnit != 0 || l.stops(x0>>unitBits-1, y, z)) {
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
		r.border[i] = p[i] == q[i] && p[i]&inUnit == 0
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
			r.next[i] += unit
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

// pierces reports whether the line from p to q runs through the interior of the box.
func pierces(p, q [3]int32, b Box) bool { return p != q && entersInterior(p, q, b.low(), b.high()) }

// entersInterior reports whether the line from p to q, which may be a point, meets the interior of a cuboid of squares,
// from low to high. For each axis it computes the part of the line between the cuboid's two borders, as two fractions
// of the line, and checks whether the three parts intersect.
func entersInterior(p, q, low, high [3]int32) bool {
	var in, inOf, out, outOf int64 = 0, 1, 1, 1
	for i := range p {
		lo, hi := int64(unit*low[i]-p[i]), int64(unit*high[i]+unit-p[i])
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
	return true
}
