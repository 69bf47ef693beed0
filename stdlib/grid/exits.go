package grid

// This file keeps which steps lead off each cell for a walker of one square, and at what price: that hangs on nothing but
// the ground, and most of what walks is of one square. It is worked out when a search first comes to a cell, and all
// anew when the ground has been changed or somebody cuts corners who did not before.

// exits of a cell: a byte for each of the eight directions on the map, in their order. It holds the factor of the step,
// and diagonal for one that counts as such; 0 where there is none.
type exits uint64

const (
	diagonal exits = 1 << 6
	known8   exits = 1 << 7 // in the first byte: the exits have been worked out
)

// exitsOf gives the exits of a cell on which a walker of one square may stand.
func (f *Finder) exitsOf(x, y int32) exits {
	if f.mapped != f.g || f.version != f.g.version || f.cutting != f.cut {
		f.exits = append(f.exits[:0], make([]exits, len(f.g.cells))...)
		f.mapped, f.version, f.cutting = f.g, f.g.version, f.cut
	}
	e := &f.exits[y*f.g.w+x]
	if *e != 0 {
		return *e
	}
	*e = known8
	at := f.stand(x, y, 0)
	for i, d := range directions[:8] {
		to := f.stand(x+d[0], y+d[1], 0)
		if !to.fits {
			continue
		}
		factor, ok := f.leap(&at, &to)
		if !ok {
			continue
		}
		way := exits(factor)
		if w := at.way(&to); w[0]*w[0]+w[1]*w[1]+w[2]*w[2] > 1 {
			way |= diagonal
		}
		*e |= way << (8 * i)
	}
	return *e
}

// back is, by direction, the one that leads back.
var back = [8]uint{1, 0, 3, 2, 7, 6, 5, 4}

// walk is expand for a walker of one square.
func (f *Finder) walk(id int32, at *stand, t *target) {
	l := f.labels[id]
	from := f.places[l.state>>1].bits
	if id > 0 && from&noPass != 0 || len(f.labels) > maxLabels {
		return
	}
	if from&avoided != 0 {
		l.avoid = min(l.avoid+1, maxAvoid)
	}
	parity := l.state & 1
	e := f.exitsOf(at.x, at.y) &^ known8
	if l.parent > 0 {
		e &^= 0xff << (8 * back[l.dir&7]) // where one came from one has been for less
	}
	for dir := int8(0); e != 0; dir, e = dir+1, e>>8 {
		factor := e & (diagonal - 1) & 15
		if factor == 0 {
			continue
		}
		d := &directions[dir]
		x, y := at.x+d[0], at.y+d[1]
		wx, wy := x-f.origin[0], y-f.origin[1]
		if uint32(wx) >= uint32(f.size[0]) || uint32(wy) >= uint32(f.size[1]) {
			continue
		}
		i := wy*f.size[0] + wx
		p := &f.places[i]
		if p.gen != f.gen { // an exit leads only to where one fits
			*p = place{gen: f.gen, x: int16(x), y: int16(y), z: f.g.cells[y*f.g.w+x].Floor, bits: known | fits}
		}
		if p.bits&(noPass|noEnd) == noPass|noEnd {
			continue
		}
		kind, diagonals := straight, parity
		if e&diagonal != 0 {
			kind = odd + int(parity)
			if !f.p.apart[factor] {
				diagonals = 1 - parity
			}
		}
		step := f.p.step[kind][factor]
		if step > f.limit-l.feet {
			continue
		}
		feet, turns, state := l.feet+step, l.turns, 2*i+diagonals
		if t != nil && dir != l.dir && l.dir >= 0 { // nobody asks how one gets to what is only to be reached
			turns = min(turns+1, maxTurns)
		}
		if f.beaten(state, feet, l.avoid, turns) {
			continue
		}
		ahead := int32(0)
		if t != nil {
			if ahead = t.ahead(x, y, int32(p.z), diagonals); ahead > f.limit-feet {
				continue
			}
		}
		f.push(label{state: state, parent: id, feet: feet, avoid: l.avoid, turns: turns, dir: dir}, ahead)
	}
}
