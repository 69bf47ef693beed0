package build

import (
	"slices"

	"arbiter/lang/ast"
)

// This file finds out whether a script waits for what the rules do: only then must everything be announced that they do.

// waits tells whether a duration in these files ends, or a plan begins, before or after some deed or check.
func waits(files []*ast.File) bool {
	deed := func(t ast.Trigger) bool { return t.Path != nil }
	return slices.ContainsFunc(files, func(f *ast.File) bool {
		return ast.Some(f.Body, func(node any) bool {
			switch n := node.(type) {
			case *ast.Duration:
				return slices.ContainsFunc(n.Until, deed)
			case *ast.Plan:
				return deed(n.Trigger)
			}
			return false
		})
	})
}
