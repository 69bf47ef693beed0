package grid

import "math"

// This file caches the steps out of each cell, with their prices, for a walker of one square. They depend only on the
// ground, and most movers are of that size. They are computed when a search first reaches a cell. The cache is cleared
// when the ground changes, or when the next walker differs in whether it cuts corners.

// exits of a cell: one byte for each of the eight directions on the map, in their order. A byte holds the factor of the
// step, and the diagonal bit for a diagonal; 0 where there is no exit.
type exits uint64

const (
	diagonal exits = 1 << 4
	known8   exits = 1 << 7          // in the first byte: the exits have been computed
	price    exits = diagonal<<1 - 1 // mask of what determines the price of a step
)

// exitCache is the cache of exits of a ground's cells, row by row.
type exitCache struct {
	exits      []exits
	ground     *Ground
	version    uint32
	cutCorners bool
}

// isSingleWalker reports whether the mover is a walker of one square.
func (f *Finder) isSingleWalker() bool { return f.side == 1 && !f.fly }

// resetExitCache clears the exits if they are not those of the ground and the walker.
func (f *Finder) resetExitCache() {
	if f.ground != f.g || f.version != f.g.version || f.cutCorners != f.cut {
		f.exits = append(f.exits[:0], make([]exits, len(f.g.cells))...)
		f.ground, f.version, f.cutCorners = f.g, f.g.version, f.cut
	}
}

// exitsOf returns the exits of a cell of the map.
func (f *Finder) exitsOf(x, y int32) exits {
	if e := f.exits[y*f.g.w+x]; e != 0 {
		return e
	}
	return f.computeExits(x, y)
}

// computeExits computes the exits of a cell.
func (f *Finder) computeExits(x, y int32) exits {
	e := known8
	at := f.placementAt(x, y, 0)
	for i, d := range directions[:8] {
		to := f.placementAt(x+d[0], y+d[1], 0)
		if !to.fits {
			continue
		}
		factor, ok := f.stepFactor(&at, &to)
		if !ok {
			continue
		}
		e |= newExit(factor, at.offsetTo(&to)) << (8 * i)
	}
	f.exits[y*f.g.w+x] = e
	return e
}

// newExit is the exit for a step with this factor and change of coordinates.
func newExit(factor int32, d [3]int32) exits {
	if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] > 1 {
		return exits(factor) | diagonal
	}
	return exits(factor)
}

// directionIndex returns the direction with this change of coordinates, -1 if there is none.
func directionIndex(dx, dy int32) int {
	if uint32(dx+1) > 2 || uint32(dy+1) > 2 {
		return -1
	}
	return int([9]int8{7, 3, 5, 1, -1, 0, 6, 2, 4}[(dx+1)+3*(dy+1)])
}

// reverseDir maps each direction to the opposite one.
var reverseDir = [8]uint8{1, 0, 3, 2, 7, 6, 5, 4}

// stepPrice is the price of a step in feet, and 1 if the step changes the parity of the diagonals, otherwise 0.
type stepPrice struct{ feet, flips int32 }

// stepPrices by parity and exit. A missing exit costs more than any limit.
type stepPrices [2][price + 1]stepPrice

// computeStepPrices computes the fares of a table of prices.
func (p *Prices) computeStepPrices() {
	for parity := range p.stepPrices {
		for factor := exits(1); factor <= MaxFactor; factor++ {
			p.stepPrices[parity][factor] = stepPrice{feet: p.step[straight][factor]}
			x := stepPrice{feet: p.step[odd+parity][factor]}
			if !p.diagonalsExcluded[factor] {
				x.flips = 1
			}
			p.stepPrices[parity][factor|diagonal] = x
		}
		p.stepPrices[parity][0] = stepPrice{feet: math.MaxInt32}
	}
}

// expandWalk is expand for a walker of one square. Most steps lead to a square already reached at least as cheaply, so
// that is checked first, for all steps, in a loop without calls.
func (f *Finder) expandWalk(id int32, here *node, t *target) {
	l := f.labels[id]
	if here.bits&avoided != 0 {
		l.cost = l.plusAvoided()
	}
	x, y := int32(here.x), int32(here.y)
	e := f.exits[y*f.g.w+x]
	if e == 0 {
		e = f.computeExits(x, y)
	}
	if l.parent > 0 {
		e &^= 0xff << (8 * reverseDir[l.dir&7]) // the square it came from has been reached for less
	}
	withTurn := l.cost
	if t != nil && l.dir >= 0 { // turns do not matter when only reachability is asked for
		withTurn = l.plusTurn()
	}
	if !f.coversMap {
		e = f.inWindow(e, x, y)
	}
	parity, room := l.state&1, f.limit-l.feet()
	nodes, gen, node, prices, offsets := f.nodes, f.gen, l.state>>1, &f.p.stepPrices[parity], &f.neighborOffsets
	var kept [8]label // those not beaten
	n := 0
	for dir := range int8(8) {
		step := prices[e&price]
		e >>= 8
		if step.feet > room {
			continue
		}
		c := withTurn
		if dir == l.dir {
			c = l.cost
		}
		c += cost(step.feet) * oneFoot
		i, diagonals := node+offsets[dir&7], parity^step.flips
		if p := &nodes[i]; p.gen != gen || !p.beats(diagonals, c) {
			kept[n&7] = label{cost: c, state: 2*i + diagonals, parent: id, dir: dir}
			n++
		}
	}
	for k := range kept[:n] {
		way := &kept[k]
		d, p := &directions[way.dir&7], &nodes[way.state>>1]
		if p.gen != gen {
			f.nodeAt(way.state>>1, x+d[0], y+d[1], 0)
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
		p.queued[way.state&1] = way.cost
		f.push(*way, ahead)
	}
}

// inWindow removes the exits that lead out of the window.
func (f *Finder) inWindow(e exits, x, y int32) exits {
	// Most cells are not at its edge.
	if uint32(x-f.origin[0]-1) < uint32(f.size[0]-2) && uint32(y-f.origin[1]-1) < uint32(f.size[1]-2) && f.size[0] > 2 && f.size[1] > 2 {
		return e
	}
	for i, d := range directions[:8] {
		if f.node(x+d[0], y+d[1], 0) < 0 {
			e &^= 0xff << (8 * i)
		}
	}
	return e
}
