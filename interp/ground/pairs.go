package ground

import (
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// This file answers quickly what is asked most: how far two squares are apart, or two creatures that fill one each, and
// what of the ground lies between. All else is left to the functions themselves (natives.go), which say the same.

func (f *Field) pairs() map[string]machine.Pair {
	return map[string]machine.Pair{
		"distance": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y := f.packedAt(m, a), f.packedAt(m, b)
			if !grid.Packed(x) || !grid.Packed(y) {
				return 0, false
			}
			return int64(f.prices.Between(x, y)), true
		},
		"free": f.quickFree,
		"steps": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.two(m, a, b)
			return int64(grid.Steps(grid.One(x), grid.One(y))), known
		},
		"line-of-effect": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.two(m, a, b)
			if !known {
				return 0, false
			}
			return yes(f.sees(grid.One(x), grid.One(y), grid.BlocksEffect)), true
		},
		"lines-blocked": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.two(m, a, b)
			if !known {
				return 0, false
			}
			return f.linesBlocked(grid.One(x), grid.One(y)), true
		},
	}
}

// two opens two values with one.
func (f *Field) two(m *machine.Machine, a, b int64) (x, y grid.Square, known bool) {
	x, known = f.one(m, a)
	if known {
		y, known = f.one(m, b)
	}
	return x, y, known
}

// one opens a value that is a square, or a creature of which is known that it fills one.
func (f *Field) one(m *machine.Machine, v int64) (s grid.Square, known bool) {
	return grid.Unpack(f.packedAt(m, v))
}

// packedAt is one as a number; of what is not known, one that is no square.
func (f *Field) packedAt(m *machine.Machine, v int64) int64 {
	squares := m.State().Squares
	switch {
	case uint64(v) >= uint64(len(squares)):
		return v
	case !f.narrow(m, v):
		return program.None
	}
	m.See(machine.SeenOf(v))
	return squares[v]
}

// narrow says of a creature that is known to fill one square that it does.
func (f *Field) narrow(m *machine.Machine, who int64) bool {
	return uint64(who) < uint64(len(f.bodies)) && f.bodies[who].side == 1 && f.grounds == m.Grounds() && !m.Forgetful
}

// quickFree says whether a creature that fills one square may stay on another, where all is known of who stands there.
func (f *Field) quickFree(m *machine.Machine, who, square int64) (v int64, known bool) {
	at, ok := grid.Unpack(square)
	squares := m.State().Squares
	if !ok || !f.narrow(m, who) || len(squares) != len(f.bodies) {
		return 0, false
	}
	if fits, _ := f.Grid.Fits(grid.One(at)); !fits {
		return 0, true
	}
	m.See(machine.Everybody)
	for other, s := range squares {
		if s != square && f.bodies[other].side == 1 || int64(other) == who { // as most are
			continue
		}
		corner, ok := grid.Unpack(s)
		if side := f.bodies[other].side; !ok || side > 1 && !(grid.Box{At: corner, Side: side}).Holds(at) {
			continue
		}
		x := &f.relations[int(who)*len(f.bodies)+other]
		if !x.known || f.bodies[other].side == 0 {
			return 0, false
		}
		if !x.share {
			return 0, true
		}
	}
	return 1, true
}
