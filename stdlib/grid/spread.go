package grid

// Spread appends the squares, within a radius in feet, reached by something that spreads from the origin around
// corners: a burst measured by the cheapest path through cells that do not block an effect. A diagonal may not pass a
// corner of a blocking cell; with cut it may, but never between two that touch. Without obstacles the result is the
// burst.
func (f *Finder) Spread(dst []Square, g *Ground, origin Square, radius int32, levels int, cut bool, p *Prices) []Square {
	p = p.orUnit()
	if p.step[odd][1] > radius {
		return dst
	}
	s := spread{f: f, g: g, cut: cut}
	o := One(origin).low()
	f.fly = true
	r := min(radius/p.cheapestStep, 2*MaxMap)
	lo := [3]int32{max(o[0]-r, 0), max(o[1]-r, 0), o[2]}
	hi := [3]int32{min(o[0]+r, g.w) - 1, min(o[1]+r, g.h) - 1, o[2]}
	around := directions[:8]
	if area := (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1); levels > 0 && area > 0 {
		up := min(r, int32(min(levels, MaxLevel)), maxNodes/area/2-1)
		lo[2], hi[2] = max(o[2]-up, int32(g.minFloor)), min(o[2]+up, MaxLevel)
		around = directions[:]
	}
	f.resetWindow(lo, hi)
	for i := range int32(8) {
		s.push([3]int32{o[0] - i&1, o[1] - i>>1&1, o[2] - i>>2}, p.step[odd][1], 1)
	}
	first := len(dst)
	for next := f.pop(); next != noItem; next = f.pop() {
		id := next.label
		n := f.settle(id)
		if n == nil {
			continue
		}
		if n.bits&listed == 0 {
			n.bits |= listed
			dst = append(dst, Square{n.x, n.y, n.z})
		}
		l, c := f.labels[id], [3]int32{int32(n.x), int32(n.y), int32(n.z)}
		parity := l.state & 1
		for _, d := range around {
			to := [3]int32{c[0] + d[0], c[1] + d[1], c[2] + d[2]}
			kind, diagonals := int32(straight), parity
			if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] > 1 {
				kind, diagonals = odd+parity, 1-parity
			}
			if feet := p.step[kind][1]; feet <= radius-l.feet() && s.passes(c, d) {
				s.push(to, l.feet()+feet, diagonals)
			}
		}
	}
	sortSquares(dst[first:])
	return dst
}

// A spread is a Spread in progress.
type spread struct {
	f   *Finder
	g   *Ground
	cut bool
}

func (s *spread) isFree(c [3]int32) bool { return !s.g.stops(c[0], c[1], c[2], BlocksEffect) }

func (s *spread) push(c [3]int32, feet, diagonals int32) {
	i := s.f.node(c[0], c[1], c[2])
	if i < 0 || !s.isFree(c) {
		return
	}
	p, far := &s.f.nodes[i], cost(feet)*oneFoot
	if p.gen != s.f.gen {
		p = s.f.newNode(i, c[0], c[1], c[2])
	}
	if !p.beats(diagonals, far) {
		s.f.follow(label{state: 2*i + diagonals, cost: far}, 0)
	}
}

// passes reports whether a step can pass the cells next to it.
func (s *spread) passes(c, d [3]int32) bool {
	if s.cut {
		return s.canPassAround(c, d)
	}
	for i := int32(1); i < 7; i++ {
		part := [3]int32{d[0] * (i & 1), d[1] * (i >> 1 & 1), d[2] * (i >> 2)}
		if part != d && !s.isFree([3]int32{c[0] + part[0], c[1] + part[1], c[2] + part[2]}) {
			return false
		}
	}
	return true
}

// canPassAround reports whether the step can be made one axis after the other, through free cells.
func (s *spread) canPassAround(c, d [3]int32) bool {
	for i := range d {
		if d[i] == 0 {
			continue
		}
		next, rest := c, d
		next[i] += d[i]
		rest[i] = 0
		if rest == ([3]int32{}) || s.isFree(next) && s.canPassAround(next, rest) {
			return true
		}
	}
	return false
}
