package grid

import "math/bits"

// This file keeps which steps lead off each cell for a walker of one square, and at what price: that hangs on nothing but
// the ground, and most of what walks is of one square. It is worked out when a search first comes to a cell, and all
// anew when the ground has been changed or somebody cuts corners who did not before.

// exits of a cell: a byte for each of the eight directions on the map, in their order. It holds the factor of the step,
// and diagonal for one that counts as such; 0 where there is none.
type exits uint64

const (
	diagonal exits = 1 << 4
	known8   exits = 1 << 7          // in the first byte: the exits have been worked out
	price    exits = diagonal<<1 - 1 // what the price of a step follows from
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

// fare is what a step costs, and whether the turn of the diagonals changes with it.
type fare struct{ feet, flips int32 }

// fares by parity and exit.
type fares [2][price + 1]fare

// board works out the fares of a table of prices.
func (p *Prices) board() {
	for parity := range p.fares {
		for factor := range exits(MaxFactor + 1) {
			p.fares[parity][factor] = fare{feet: p.step[straight][factor]}
			x := fare{feet: p.step[odd+parity][factor]}
			if !p.apart[factor] {
				x.flips = 1
			}
			p.fares[parity][factor|diagonal] = x
		}
	}
}

// walk is expand for a walker of one square. Most steps lead to where a way has led before that is as good, so that is
// asked first; who has been there needs not be asked whether one may be.
func (f *Finder) walk(id int32, at *stand, t *target) {
	l := f.labels[id]
	here := &f.places[l.state>>1]
	if id > 0 && here.bits&noPass != 0 || len(f.labels) > maxLabels {
		return
	}
	if here.bits&avoided != 0 {
		l.avoid = min(l.avoid+1, maxAvoid)
	}
	e := f.exitsOf(at.x, at.y) &^ known8
	if l.parent > 0 {
		e &^= 0xff << (8 * back[l.dir&7]) // where one came from one has been for less
	}
	bent := l.turns
	if t != nil && l.dir >= 0 { // nobody asks how one gets to what is only to be reached
		bent = min(bent+1, maxTurns)
	}
	fares, room := &f.p.fares[l.state&1], f.limit-l.feet
	row := f.size[0]
	node := f.node(at.x, at.y, 0)
	for e != 0 {
		shift := bits.TrailingZeros64(uint64(e)) &^ 7
		step := &fares[e>>shift&price]
		e &^= 0xff << shift
		dir := shift >> 3
		d := &directions[dir&7]
		if step.feet > room || !f.whole && f.node(at.x+d[0], at.y+d[1], 0) < 0 {
			continue
		}
		i := node + d[0] + d[1]*row
		turns := bent
		if int8(dir) == l.dir {
			turns = l.turns
		}
		state, feet := 2*i+l.state&1^step.flips, l.feet+step.feet
		p := &f.places[i]
		if s := &f.states[state]; s.gen == f.gen {
			if s.beats(feet, l.avoid, turns) {
				continue
			}
		} else {
			if p.gen != f.gen { // an exit leads only to where one fits
				x, y := at.x+d[0], at.y+d[1]
				*p = place{gen: f.gen, x: int16(x), y: int16(y), z: f.g.cells[y*f.g.w+x].Floor, bits: known | fits}
			}
			if p.bits&(noPass|noEnd) == noPass|noEnd {
				continue
			}
		}
		ahead := int32(0)
		if t != nil {
			if ahead = t.ahead(int32(p.x), int32(p.y), int32(p.z), state&1); ahead > f.limit-feet {
				continue
			}
		}
		f.push(label{state: state, parent: id, feet: feet, avoid: l.avoid, turns: turns, dir: int8(dir)}, ahead)
	}
}
