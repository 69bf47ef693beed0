package grid

// Spread appends the squares that something reaches that spreads from the origin around corners:
// a burst measured by the cheapest way through cells that do not block an effect. A diagonal
// passes no corner of a cell that does; with cut it does, but never between two that touch.
// Without anything in the way it is the burst.
func (f *Finder) Spread(dst []Square, g *Ground, origin Square, radius int32, levels int, cut bool, p *Prices) []Square {
	p = p.or()
	if p.step[odd][1] > radius {
		return dst
	}
	s := spread{f: f, g: g, cut: cut}
	o := One(origin).low()
	f.fly = true
	r := min(radius/p.least, 2*MaxMap)
	lo := [3]int32{max(o[0]-r, 0), max(o[1]-r, 0), o[2]}
	hi := [3]int32{min(o[0]+r, g.w) - 1, min(o[1]+r, g.h) - 1, o[2]}
	around := directions[:8]
	if area := (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1); levels > 0 && area > 0 {
		up := min(r, int32(min(levels, MaxLevel)), maxNodes/area/2-1)
		lo[2], hi[2] = max(o[2]-up, int32(g.base)), min(o[2]+up, MaxLevel)
		around = directions[:]
	}
	f.lay(lo, hi)
	for i := range int32(8) {
		s.push([3]int32{o[0] - i&1, o[1] - i>>1&1, o[2] - i>>2}, p.step[odd][1], 1)
	}
	first := len(dst)
	for len(f.queue) > 0 {
		id := f.pop()
		l := f.labels[id]
		st := &f.states[l.state]
		if l.feet >= st.settled {
			continue
		}
		st.settled = l.feet
		i, parity := l.state>>1, l.state&1
		c := [3]int32{
			i%f.size[0] + f.origin[0], i/f.size[0]%f.size[1] + f.origin[1], i/f.size[0]/f.size[1] + f.origin[2],
		}
		if pl := &f.places[i]; pl.gen != f.gen {
			*pl = place{gen: f.gen}
			dst = append(dst, Square{int16(c[0]), int16(c[1]), int16(c[2])})
		}
		for _, d := range around {
			to := [3]int32{c[0] + d[0], c[1] + d[1], c[2] + d[2]}
			kind, diagonals := int32(straight), parity
			if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] > 1 {
				kind, diagonals = odd+parity, 1-parity
			}
			if feet := p.step[kind][1]; feet <= radius-l.feet && s.passes(c, d) {
				s.push(to, l.feet+feet, diagonals)
			}
		}
	}
	sortSquares(dst[first:])
	return dst
}

// A spread is one in the making.
type spread struct {
	f   *Finder
	g   *Ground
	cut bool
}

func (s *spread) free(c [3]int32) bool { return !s.g.stops(c[0], c[1], c[2], BlocksEffect) }

func (s *spread) push(c [3]int32, feet, diagonals int32) {
	if i := s.f.node(c[0], c[1], c[2]); i >= 0 && s.free(c) && !s.f.beaten(2*i+diagonals, feet, 0, 0) {
		s.f.push(label{state: 2*i + diagonals, feet: feet}, 0)
	}
}

// passes says whether a step passes the cells beside it.
func (s *spread) passes(c, d [3]int32) bool {
	if s.cut {
		return s.round(c, d)
	}
	for i := int32(1); i < 7; i++ {
		part := [3]int32{d[0] * (i & 1), d[1] * (i >> 1 & 1), d[2] * (i >> 2)}
		if part != d && !s.free([3]int32{c[0] + part[0], c[1] + part[1], c[2] + part[2]}) {
			return false
		}
	}
	return true
}

// round says whether one can go the step one axis after the other, through free cells.
func (s *spread) round(c, d [3]int32) bool {
	for i := range d {
		if d[i] == 0 {
			continue
		}
		next, rest := c, d
		next[i] += d[i]
		rest[i] = 0
		if rest == ([3]int32{}) || s.free(next) && s.round(next, rest) {
			return true
		}
	}
	return false
}
