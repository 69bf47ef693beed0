package ground

import (
	"cmp"
	"fmt"

	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/grid"
)

// This file finds the square on which, or near which, a script places a creature.

// ResolveSquare returns the square of `at (x, y)`, on the floor of its column, of `at (x, y, z)`, or of a mark on the
// map, `at "a"`. number evaluates a coordinate, given its index; if it does not know one, the square is unknown. wrong
// is a diagnostic, without a file, if the square is invalid.
func (m *Map) ResolveSquare(at ast.Expr, number func(i int, x ast.Expr) (int64, bool)) (s grid.Square, known bool, wrong *diag.Diagnostic) {
	fail := func(code, hint, format string, args ...any) (grid.Square, bool, *diag.Diagnostic) {
		return grid.Square{}, false, &diag.Diagnostic{Span: at.Extent(), Severity: diag.Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	const once = "draw the mark once, on the square; or give coordinates, counted from the upper left, `at (0, 0)`"
	if mark, ok := at.(*ast.String); ok {
		switch marked := m.SquaresWith(mark.Value); len(marked) {
		case 0:
			return fail("no-place", once, "no square of the map has the mark %q", mark.Value)
		case 1:
			return m.OnFloor(marked[0]), true, nil
		default:
			return fail("no-place", once, "%d squares of the map have the mark %q, not one", len(marked), mark.Value)
		}
	}
	t, ok := at.(*ast.Tuple)
	if !ok || len(t.Items) < 2 || len(t.Items) > 3 {
		return fail("wrong-type", "write (x, y) or (x, y, z)", "a square has two or three coordinates")
	}
	var xyz [3]int64
	for i, x := range t.Items {
		if xyz[i], ok = number(i, x); !ok {
			return s, false, nil
		}
	}
	if x, y := xyz[0], xyz[1]; x < 0 || y < 0 || x >= int64(m.Width) || y >= int64(m.Height) {
		return fail("no-place", "squares are counted from (0, 0), at the upper left", "(%d, %d) is not on the map, which has %d by %d squares", x, y, m.Width, m.Height)
	}
	s = grid.Square{X: int16(xyz[0]), Y: int16(xyz[1]), Z: int16(min(max(xyz[2], -1), MaxSide))}
	if len(t.Items) == 2 {
		s = m.OnFloor(s)
	}
	return s, true, nil
}

// NumberLiteral returns the value of a number literal.
func NumberLiteral(x ast.Expr) (int64, bool) {
	if n, ok := x.(*ast.Number); ok && n.Unit.Name == "" {
		return n.Value, true
	}
	if n, ok := x.(*ast.Unary); ok && n.Op.Name == "-" {
		v, ok := NumberLiteral(n.X)
		return -v, ok
	}
	return 0, false
}

// NearestFree returns the nearest square where a creature fits without squeezing. Distance is the number of steps,
// where diagonal steps count like any others, creatures are not in the way, and impassable squares are bypassed. Ties
// go to the shortest straight distance, then to the uppermost, then to the leftmost square. room is false if a creature
// of this size cannot get to a free square.
func (f *Field) NearestFree(m *machine.Machine, who, square int64) (at int64, found bool) {
	from, ok := grid.Unpack(square)
	if !ok {
		return square, false
	}
	ground := f.groundOf(m, who)
	above := from.Z - f.OnFloor(from).Z // in the air, the height above the ground is kept
	seen := make([]bool, f.Width*f.Height)
	seen[int(from.Y)*f.Width+int(from.X)] = true
	for ring := []grid.Square{from}; len(ring) > 0; {
		var next []grid.Square
		best := grid.Square{}
		for _, s := range ring {
			box := f.boxAt(m, who, s)
			fits, _ := ground.Fits(box)
			if fits && (!found || isPreferred(from, s, best)) && f.blocker(m, who, box, false, true) == program.None {
				best, found = s, true
			}
			if open, _ := ground.Fits(grid.One(s)); !open && s != from {
				continue
			}
			for _, to := range neighbors(s) {
				if !f.Has(to) || seen[int(to.Y)*f.Width+int(to.X)] {
					continue
				}
				seen[int(to.Y)*f.Width+int(to.X)] = true
				to.Z = f.OnFloor(to).Z + above
				next = append(next, to)
			}
		}
		if found {
			return best.Pack(), true
		}
		ring = next
	}
	return square, false
}

// isPreferred reports whether a is preferred to b, two squares with the same number of steps from a third.
func isPreferred(from, a, b grid.Square) bool {
	far := func(s grid.Square) int {
		dx, dy := int(s.X-from.X), int(s.Y-from.Y)
		return dx*dx + dy*dy
	}
	return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) < 0
}
