package grid

import "math"

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

// charted is the exits of a ground's cells, row by row.
type charted struct {
	exits   []exits
	mapped  *Ground
	version uint32
	cutting bool
}

// alone says that it is a walker of one square that goes.
func (f *Finder) alone() bool { return f.side == 1 && !f.fly }

// chart forgets exits that are not those of the ground and the walker.
func (f *Finder) chart() {
	if f.mapped != f.g || f.version != f.g.version || f.cutting != f.cut {
		f.exits = append(f.exits[:0], make([]exits, len(f.g.cells))...)
		f.mapped, f.version, f.cutting = f.g, f.g.version, f.cut
	}
}

// exitsOf gives the exits of a cell of the map.
func (f *Finder) exitsOf(x, y int32) exits {
	if e := f.exits[y*f.g.w+x]; e != 0 {
		return e
	}
	return f.leave(x, y)
}

// leave works out the exits of a cell.
func (f *Finder) leave(x, y int32) exits {
	e := known8
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
		e |= newExit(factor, at.way(&to)) << (8 * i)
	}
	f.exits[y*f.g.w+x] = e
	return e
}

// newExit is that of a step of some factor which changes the coordinates by so much.
func newExit(factor int32, d [3]int32) exits {
	if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] > 1 {
		return exits(factor) | diagonal
	}
	return exits(factor)
}

// towards is the direction that changes two coordinates by so much, -1 if none does.
func towards(dx, dy int32) int {
	if uint32(dx+1) > 2 || uint32(dy+1) > 2 {
		return -1
	}
	return int([9]int8{7, 3, 5, 1, -1, 0, 6, 2, 4}[(dx+1)+3*(dy+1)])
}

// back is, by direction, the one that leads back.
var back = [8]uint8{1, 0, 3, 2, 7, 6, 5, 4}

// fare is what a step costs, and whether the turn of the diagonals changes with it.
type fare struct{ feet, flips int32 }

// fares by parity and exit. Where there is no exit, none can pay it.
type fares [2][price + 1]fare

// board works out the fares of a table of prices.
func (p *Prices) board() {
	for parity := range p.fares {
		for factor := exits(1); factor <= MaxFactor; factor++ {
			p.fares[parity][factor] = fare{feet: p.step[straight][factor]}
			x := fare{feet: p.step[odd+parity][factor]}
			if !p.apart[factor] {
				x.flips = 1
			}
			p.fares[parity][factor|diagonal] = x
		}
		p.fares[parity][0] = fare{feet: math.MaxInt32}
	}
}

// walk is expand for a walker of one square. Most steps lead to where a way has led before that is as good, so that is
// asked first of all of them, in a loop that calls nothing.
func (f *Finder) walk(id int32, here *node, t *target) {
	l := f.labels[id]
	if here.bits&avoided != 0 {
		l.cost = l.leaving()
	}
	x, y := int32(here.x), int32(here.y)
	e := f.exits[y*f.g.w+x]
	if e == 0 {
		e = f.leave(x, y)
	}
	if l.parent > 0 {
		e &^= 0xff << (8 * back[l.dir&7]) // where one came from one has been for less
	}
	bent := l.cost
	if t != nil && l.dir >= 0 { // nobody asks how one gets to what is only to be reached
		bent = l.bent()
	}
	if !f.whole {
		e = f.inWindow(e, x, y)
	}
	parity, room := l.state&1, f.limit-l.feet()
	nodes, gen, node, fares, beside := f.nodes, f.gen, l.state>>1, &f.p.fares[parity], &f.beside
	var ways [8]label // that nothing beats
	n := 0
	for dir := range int8(8) {
		step := fares[e&price]
		e >>= 8
		if step.feet > room {
			continue
		}
		c := bent
		if dir == l.dir {
			c = l.cost
		}
		c += cost(step.feet) * oneFoot
		i, diagonals := node+beside[dir&7], parity^step.flips
		if p := &nodes[i]; p.gen != gen || !p.beats(diagonals, c) {
			ways[n&7] = label{cost: c, state: 2*i + diagonals, parent: id, dir: dir}
			n++
		}
	}
	for k := range ways[:n] {
		way := &ways[k]
		d, p := &directions[way.dir&7], &nodes[way.state>>1]
		if p.gen != gen {
			f.place(way.state>>1, x+d[0], y+d[1], 0)
		}
		if p.bits&(noPass|noEnd) == noPass|noEnd {
			continue
		}
		ahead := int32(0)
		if t != nil {
			if ahead = t.ahead(x+d[0], y+d[1], int32(p.z), way.state&1); ahead > f.limit-way.feet() {
				continue
			}
		}
		p.waits[way.state&1] = way.cost
		f.push(*way, ahead)
	}
}

// inWindow leaves out the exits that lead out of the window.
func (f *Finder) inWindow(e exits, x, y int32) exits {
	for i, d := range directions[:8] {
		if f.node(x+d[0], y+d[1], 0) < 0 {
			e &^= 0xff << (8 * i)
		}
	}
	return e
}
