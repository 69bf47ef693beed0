package grid

// This file defines what a step is, where a mover can stand, and what a path costs.
//
// A walker's box stands on the highest floor under it and climbs or descends at most one level per step; a flier's
// stands on any level. A step changes each coordinate by at most one. Its price is that of the highest factor among the
// cells that the box newly enters, times SqueezeFactor if it squeezes there.
//
// A diagonal may not pass a corner of a cell that blocks the way: the whole bounding cuboid of both boxes must be free;
// for a walker's step up or down, only at the corners on the map. With CutCorners it may, but never between two
// blocking cells that touch.
//
// A box squeezes where it does not fit but half of its width does: some strip of it, as long as the box and half as
// wide, rounded up. It moves from strip to strip only where they share a square or are side by side.

// A Mover is a creature that moves, with how it moves.
type Mover struct {
	Box           Box
	Prices        *Prices
	Diagonals     int32 // already made on this path; they determine the price of the next one
	CutCorners    bool
	Fly           bool
	Squeeze       bool
	SqueezeFactor uint8 // multiplies a step's terrain factor; 0 counts as 1
}

// An Occupant is a creature in the way.
type Occupant struct {
	Box   Box
	Pass  bool // its squares may be passed through
	Share bool // a path may end in them
}

// Fits reports whether nothing in the box blocks the way, and otherwise whether at least half of its width fits.
func (g *Ground) Fits(b Box) (fits, squeezed bool) {
	if b.Side == 1 {
		x, y, z := int32(b.At.X), int32(b.At.Y), int32(b.At.Z)
		return z <= MaxLevel && !g.stops(x, y, z, BlocksWay), false
	}
	w := walker{g: g, side: b.side(), fly: true, squeeze: true}
	s := w.placementAt(int32(b.At.X), int32(b.At.Y), int32(b.At.Z))
	return s.fits && !s.squeezed, s.squeezed
}

// A walker holds what the steps of a mover depend on.
type walker struct {
	g             *Ground
	side          int32
	fly, squeeze  bool
	cut           bool
	squeezeFactor int32
}

func newWalker(g *Ground, m *Mover) walker {
	return walker{
		g: g, side: m.Box.side(), fly: m.Fly, squeeze: m.Squeeze, cut: m.CutCorners,
		squeezeFactor: int32(max(m.SqueezeFactor, 1)),
	}
}

// A placement is a place of the box: its smallest square, and how it fits there.
type placement struct {
	x, y, z        int32
	strips         uint16 // the free strips: first the vertical ones, k wide and side high
	fits, squeezed bool
}

// offsetTo returns the change of coordinates in a step from a to b.
func (a *placement) offsetTo(b *placement) [3]int32 { return [3]int32{b.x - a.x, b.y - a.y, b.z - a.z} }

// startPlacement is the place where the mover is; it is treated as fitting there.
func (w *walker) startPlacement(s Square) placement {
	st := w.placementAt(int32(s.X), int32(s.Y), int32(s.Z))
	if st.strips == 0 || st.z != int32(s.Z) {
		st.strips = ^uint16(0)
	}
	st.z, st.fits = int32(s.Z), true
	return st
}

// placementAt returns how the box fits with its smallest square in a column: a walker's on the level determined by the
// floors, a flier's on level z.
func (w *walker) placementAt(x, y, z int32) placement {
	st := placement{x: x, y: y, z: z}
	if w.side == 1 {
		if !w.g.inside(x, y) {
			return st
		}
		c := w.g.cells[y*w.g.w+x]
		if !w.fly {
			st.z = int32(c.Floor)
		}
		st.fits = c.Flags&BlocksWay == 0 && st.z >= int32(c.Floor) && st.z <= MaxLevel
		return st
	}
	n, k := w.side, (w.side+1)/2
	if !w.fly {
		st.z = w.highest(x, y, n, n)
	}
	if st.fits = w.free(x, y, st.z, n, n); st.fits {
		st.strips = ^uint16(0)
		return st
	}
	if !w.squeeze {
		return st
	}
	if !w.fly {
		st.z = w.level(x, y)
	}
	for i := range n - k + 1 {
		if w.free(x+i, y, st.z, k, n) {
			st.strips |= 1 << i
		}
		if w.free(x, y+i, st.z, n, k) {
			st.strips |= 1 << (8 + i)
		}
	}
	st.squeezed = st.strips != 0
	st.fits = st.squeezed
	return st
}

// highest returns the highest floor of a rectangle.
func (w *walker) highest(x, y, dx, dy int32) int32 {
	z := int32(-MaxLevel)
	for j := y; j < y+dy; j++ {
		for i := x; i < x+dx; i++ {
			if w.g.inside(i, j) {
				z = max(z, int32(w.g.cells[j*w.g.w+i].Floor))
			}
		}
	}
	return z
}

// level returns the level on which a squeezing walker stands: the lowest of those of its strips in which nothing blocks
// the way.
func (w *walker) level(x, y int32) int32 {
	n, k := w.side, (w.side+1)/2
	z := int32(MaxLevel)
	for i := range n - k + 1 {
		if h := w.highest(x+i, y, k, n); h < z && w.free(x+i, y, h, k, n) {
			z = h
		}
		if h := w.highest(x, y+i, n, k); h < z && w.free(x, y+i, h, n, k) {
			z = h
		}
	}
	return z
}

// free reports whether nothing in a rectangle blocks the way at level z and above.
func (w *walker) free(x, y, z, dx, dy int32) bool {
	if x < 0 || y < 0 || x+dx > w.g.w || y+dy > w.g.h || z+w.side-1 > MaxLevel {
		return false
	}
	for j := y; j < y+dy; j++ {
		for _, c := range w.g.cells[j*w.g.w+x : j*w.g.w+x+dx] {
			if c.Flags&BlocksWay != 0 || int32(c.Floor) > z {
				return false
			}
		}
	}
	return true
}

// stepFactor returns the factor of a step between two places where the box fits, and whether the step is possible.
func (w *walker) stepFactor(a, b *placement) (factor int32, ok bool) {
	d := a.offsetTo(b)
	if w.side == 1 && !w.fly {
		return w.singleStepFactor(a, b, d)
	}
	if max(d[0], d[1], d[2]) > 1 || min(d[0], d[1], d[2]) < -1 || d == [3]int32{} {
		return 0, false
	}
	across := d[0] != 0 && d[1] != 0
	if !w.fly && d[0] == 0 && d[1] == 0 {
		return 0, false
	}
	if across && !w.passes(a, b, d) || d[2] != 0 && w.fly && !w.cut && !w.clearsFloors(a, b, d) {
		return 0, false
	}
	if (a.squeezed || b.squeezed) && !w.stripsConnect(a, b, d, across) {
		return 0, false
	}
	return w.factor(a, b), true
}

// singleStepFactor is leap for a walker of one square.
func (w *walker) singleStepFactor(a, b *placement, d [3]int32) (factor int32, ok bool) {
	if uint32(d[0]+1) > 2 || uint32(d[1]+1) > 2 || uint32(d[2]+1) > 2 || d[0]|d[1] == 0 {
		return 0, false
	}
	if d[0] != 0 && d[1] != 0 {
		z := max(a.z, b.z)
		first, second := w.g.stops(b.x, a.y, z, BlocksWay), w.g.stops(a.x, b.y, z, BlocksWay)
		if first && second || (first || second) && !w.cut {
			return 0, false
		}
	}
	factor = 1
	if w.g.inside(b.x, b.y) {
		if c := w.g.cells[b.y*w.g.w+b.x]; int32(c.Floor) == b.z {
			factor = int32(max(c.Factor, 1))
		}
	}
	return factor, true
}

// passes reports whether a step that is diagonal on the map can pass the two corners next to it.
func (w *walker) passes(a, b *placement, d [3]int32) bool {
	x0, x1, y0, y1 := a.x, b.x+w.side-1, a.y, b.y+w.side-1
	if d[0] < 0 {
		x0, x1 = a.x+w.side-1, b.x
	}
	if d[1] < 0 {
		y0, y1 = a.y+w.side-1, b.y
	}
	z := max(a.z, b.z)
	if w.fly && !w.cut {
		z = min(a.z, b.z)
	}
	first, second := w.g.stops(x1, y0, z, BlocksWay), w.g.stops(x0, y1, z, BlocksWay)
	if w.cut {
		return !first || !second
	}
	return !first && !second
}

// clearsFloors reports whether a flier's step that changes both level and square has no floor in either place above the
// lower level.
func (w *walker) clearsFloors(a, b *placement, d [3]int32) bool {
	if d[0] == 0 && d[1] == 0 {
		return true
	}
	z := min(a.z, b.z)
	for _, s := range [2]*placement{a, b} {
		for y := s.y; y < s.y+w.side; y++ {
			for x := s.x; x < s.x+w.side; x++ {
				if c := w.g.At(int(x), int(y)); c.Flags&BlocksWay == 0 && int32(c.Floor) > z {
					return false
				}
			}
		}
	}
	return true
}

// stripsConnect reports whether some free strip of one place leads to some free strip of the other.
func (w *walker) stripsConnect(a, b *placement, d [3]int32, across bool) bool {
	n, k := w.side, (w.side+1)/2
	if !across && a.strips&b.strips != 0 {
		return true
	}
	for i := range 2 * (n - k + 1) {
		p, up := w.strip(a.strips, i)
		if !p {
			continue
		}
		for j := range 2 * (n - k + 1) {
			q, down := w.strip(b.strips, j)
			if q && overlap(up.x, up.w, d[0]+down.x, down.w) && overlap(up.y, up.h, d[1]+down.y, down.h) {
				return true
			}
		}
	}
	return false
}

// A strip is a rectangle in a box.
type strip struct{ x, y, w, h int32 }

func (w *walker) strip(strips uint16, i int32) (bool, strip) {
	n, k := w.side, (w.side+1)/2
	if c := n - k + 1; i >= c {
		return strips>>(8+i-c)&1 != 0, strip{y: i - c, w: n, h: k}
	}
	return strips>>i&1 != 0, strip{x: i, w: k, h: n}
}

// factor returns the highest factor of the cells in b but not in a, times that of squeezing.
func (w *walker) factor(a, b *placement) int32 {
	f := int32(1)
	for y := b.y; y < b.y+w.side; y++ {
		for x := b.x; x < b.x+w.side; x++ {
			if uint32(x-a.x) < uint32(w.side) && uint32(y-a.y) < uint32(w.side) && uint32(b.z-a.z) < uint32(w.side) {
				continue
			}
			if c := w.g.At(int(x), int(y)); int32(c.Floor) == b.z && c.Flags&BlocksWay == 0 {
				f = max(f, int32(c.Factor))
			}
		}
	}
	if b.squeezed {
		f *= w.squeezeFactor
	}
	return min(f, MaxFactor)
}

// overlap reports whether two rows of squares overlap.
func overlap(a, n, b, m int32) bool { return a < b+m && b < a+n }
