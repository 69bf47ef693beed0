package ground

import (
	"fmt"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/grid"
)

// This file finds the square that a script writes down for somebody to stand on.

// Place is the square of `at (x, y)`, on the floor of its column, of `at (x, y, z)`, or of a mark of the map, `at "a"`.
// number reads one of the coordinates, by its index; when it does not know one, nothing is known of the square. wrong, of
// which only the file is left open, says why it is nobody's place.
func (m *Map) Place(at ast.Expr, number func(i int, x ast.Expr) (int64, bool)) (s grid.Square, known bool, wrong *diag.Diagnostic) {
	fail := func(code, hint, format string, args ...any) (grid.Square, bool, *diag.Diagnostic) {
		return grid.Square{}, false, &diag.Diagnostic{Span: at.Extent(), Severity: diag.Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	const once = "draw the mark where somebody is to stand, once"
	if mark, ok := at.(*ast.String); ok {
		switch marked := m.Marked(mark.Value); len(marked) {
		case 0:
			return fail("no-place", once, "no square of the map bears the mark %q", mark.Value)
		case 1:
			return m.Floor(marked[0]), true, nil
		default:
			return fail("no-place", once, "%d squares of the map bear the mark %q, not one", len(marked), mark.Value)
		}
	}
	t, ok := at.(*ast.Tuple)
	if !ok || len(t.Items) < 2 || len(t.Items) > 3 {
		return fail("wrong-type", "write `at (x, y)`, `at (x, y, z)` or a mark of the map, `at \"a\"`", "a place is a square")
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
	s = grid.Square{X: int16(xyz[0]), Y: int16(xyz[1]), Z: int16(min(max(xyz[2], -1), MostSide))}
	if len(t.Items) == 2 {
		s = m.Floor(s)
	}
	return s, true, nil
}

// Literal is a number that stands there as it is: nothing needs to be worked out for it.
func Literal(x ast.Expr) (int64, bool) {
	if n, ok := x.(*ast.Number); ok && n.Unit.Name == "" {
		return n.Value, true
	}
	if n, ok := x.(*ast.Unary); ok && n.Op.Name == "-" {
		v, ok := Literal(n.X)
		return -v, ok
	}
	return 0, false
}
