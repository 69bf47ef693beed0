package build

import (
	"slices"

	"arbiter/lang/ast"
)

// This file finds out whether a script waits for events in the rules. Only then must all events be announced.

// WaitsForEvents reports whether a script waits for events of its own, so that its rules have to announce all of them.
func (s *Script) WaitsForEvents() bool {
	return waitsForEvents(append([]*ast.File{s.File}, s.StoryFiles...))
}

// waitsForEvents reports whether a duration in these files ends, or a plan starts, before or after a procedure or a
// check.
func waitsForEvents(files []*ast.File) bool {
	isEvent := func(t ast.Trigger) bool { return t.Path != nil }
	return slices.ContainsFunc(files, func(f *ast.File) bool {
		return ast.Contains(f.Body, func(node any) bool {
			switch n := node.(type) {
			case *ast.Duration:
				return slices.ContainsFunc(n.Until, isEvent)
			case *ast.Plan:
				return isEvent(n.Trigger)
			}
			return false
		})
	})
}
