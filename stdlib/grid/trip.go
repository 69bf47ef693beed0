package grid

import "math"

// This file follows given paths.

// Cost returns the price in feet of a path, given as the positions of the mover's smallest square, starting where it
// stands. ok is false if one of the steps is impossible. Occupants are not considered.
func (f *Finder) Cost(g *Ground, m *Mover, path []Square) (feet int32, ok bool) {
	t := f.newTrip(g, m)
	for i, s := range path {
		if i == 0 {
			ok = s == m.Box.At
		} else {
			ok = t.step(s)
		}
		if !ok {
			return 0, false
		}
	}
	return t.feet, ok
}

// Prefix returns the longest prefix of a path that costs at most feet and ends where the mover may end, and its cost.
// It has at least the first square, where the mover stands.
func (f *Finder) Prefix(g *Ground, m *Mover, others []Occupant, path []Square, feet int32) (prefix []Square, cost int32) {
	if len(path) == 0 {
		return path, 0
	}
	t := f.newTrip(g, m)
	n := 1
	for i, s := range path[1:] {
		pass, end := true, true
		for j := range others {
			if o := &others[j]; Overlap(o.Box, Box{At: s, Side: m.Box.Side}) {
				pass, end = pass && o.Pass, end && o.Share
			}
		}
		if !pass && !end || !t.step(s) || t.feet > feet {
			break
		}
		if end {
			n, cost = i+2, t.feet
		}
		if !pass {
			break
		}
	}
	return path[:n], cost
}

// A trip is a mover on its path.
type trip struct {
	f         *Finder
	feet      int32
	odd       int32 // 1 after an odd number of diagonals
	usesExits bool  // a one-square walker moving from floor to floor, by the exits; then only at is used
	at        Square
	placement placement
}

func (f *Finder) newTrip(g *Ground, m *Mover) trip {
	f.walker, f.p = newWalker(g, m), m.Prices.orUnit()
	t := trip{f: f, odd: m.Diagonals & 1, at: m.Box.At}
	if t.usesExits = f.isSingleWalker() && g.isOnFloor(t.at); t.usesExits {
		f.resetExitCache()
	} else {
		t.placement = f.walker.startPlacement(t.at)
	}
	return t
}

// isOnFloor reports whether a square is on the floor of its column.
func (g *Ground) isOnFloor(s Square) bool {
	x, y := int32(s.X), int32(s.Y)
	return g.inside(x, y) && g.cells[y*g.w+x].Floor == s.Z
}

// step makes the step to a square, if possible.
func (t *trip) step(to Square) bool {
	x := t.exit(to)
	if x == 0 {
		return false
	}
	fare := &t.f.p.stepPrices[t.odd&1][x&price]
	// A path long enough to overflow exceeds any limit.
	t.feet = int32(min(int64(t.feet)+int64(fare.feet), math.MaxInt32))
	t.odd ^= fare.flips
	t.at = to
	return true
}

// exit returns the step to a square, 0 if it is impossible.
func (t *trip) exit(to Square) exits {
	f := t.f
	if t.usesExits {
		dir := directionIndex(int32(to.X)-int32(t.at.X), int32(to.Y)-int32(t.at.Y))
		if dir < 0 || !f.g.isOnFloor(to) {
			return 0
		}
		return f.exitsOf(int32(t.at.X), int32(t.at.Y)) >> (8 * dir) & price
	}
	next := f.walker.placementAt(int32(to.X), int32(to.Y), int32(to.Z))
	if !next.fits || next.z != int32(to.Z) {
		return 0
	}
	factor, ok := f.stepFactor(&t.placement, &next)
	if !ok {
		return 0
	}
	x := newExit(factor, t.placement.offsetTo(&next))
	t.placement = next
	return x
}
