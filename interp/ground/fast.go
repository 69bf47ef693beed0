package ground

import (
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// This file has fast paths for the most frequent queries: the distance of two squares, or of two creatures that fill
// one square each, and the ground between them. All other cases are left to the functions in natives.go, which return
// the same results.

func (f *Field) bindFastNatives() map[string]machine.FastNative {
	return map[string]machine.FastNative{
		"distance": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y := f.packedSquare(m, a), f.packedSquare(m, b)
			if !grid.Packed(x) || !grid.Packed(y) {
				return 0, false
			}
			return int64(f.prices.Between(x, y)), true
		},
		"free": f.quickFree,
		"steps": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.knownSquares(m, a, b)
			return int64(grid.Steps(grid.One(x), grid.One(y))), known
		},
		"line-of-effect": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.knownSquares(m, a, b)
			if !known {
				return 0, false
			}
			return toInt(f.hasLine(grid.One(x), grid.One(y), grid.BlocksEffect)), true
		},
		"lines-blocked": func(m *machine.Machine, a, b int64) (int64, bool) {
			x, y, known := f.knownSquares(m, a, b)
			if !known {
				return 0, false
			}
			if a, b := f.columnOf(x), f.columnOf(y); a >= 0 && b >= 0 {
				return f.columnLinesBlocked(a, b, x, y), true
			}
			return f.linesBlocked(grid.One(x), grid.One(y)), true
		},
	}
}

// knownSquares is knownSquare for two values.
func (f *Field) knownSquares(m *machine.Machine, a, b int64) (x, y grid.Square, known bool) {
	x, known = f.knownSquare(m, a)
	if known {
		y, known = f.knownSquare(m, b)
	}
	return x, y, known
}

// knownSquare unpacks a value that is a square, or a creature that is known to fill one square.
func (f *Field) knownSquare(m *machine.Machine, v int64) (s grid.Square, known bool) {
	return grid.Unpack(f.packedSquare(m, v))
}

// packedSquare is knownSquare without unpacking; for unknown values it returns a number that is not a square.
func (f *Field) packedSquare(m *machine.Machine, v int64) int64 {
	squares := m.State().Squares
	switch {
	case uint64(v) >= uint64(len(squares)):
		return v
	case !f.fillsOneSquare(m, v):
		return program.None
	}
	m.AddReads(machine.ReadsOf(v))
	return squares[v]
}

// fillsOneSquare reports whether a creature is known to fill one square.
func (f *Field) fillsOneSquare(m *machine.Machine, who int64) bool {
	return uint64(who) < uint64(len(f.movements)) && f.movements[who].side == 1 && f.groundChanges == m.GroundChanges() && !m.NoCache
}

// quickFree reports whether a creature that fills one square can stay on a square, if everything about the creatures
// there is cached.
func (f *Field) quickFree(m *machine.Machine, who, square int64) (v int64, known bool) {
	at, ok := grid.Unpack(square)
	squares := m.State().Squares
	if !ok || !f.fillsOneSquare(m, who) || len(squares) != len(f.movements) || !f.movements[who].isComplete {
		return 0, false
	}
	if fits, _ := f.movements[who].ground.Fits(grid.One(at)); !fits {
		return 0, true
	}
	m.AddReads(machine.Everybody)
	for other, s := range squares {
		if s != square && f.movements[other].side == 1 || int64(other) == who { // the most frequent case
			continue
		}
		corner, ok := grid.Unpack(s)
		if side := f.movements[other].side; !ok || side > 1 && !(grid.Box{At: corner, Side: side}).Holds(at) {
			continue
		}
		x := &f.relations[int(who)*len(f.movements)+other]
		if !x.known || f.movements[other].side == 0 {
			return 0, false
		}
		if !x.canShare {
			return 0, true
		}
	}
	return 1, true
}
