package check

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file finds the fields from which a number of a creature is computed, for authors who tried to set the number
// itself.

// maxHintFields is how many fields a hint names.
const maxHintFields = 6

// dependencyHint lists fields of a kind on which a stat or a property depends, direct dependencies first, in
// parentheses for a hint; "" if there are none.
func (c *checker) dependencyHint(k *ir.Kind, of any) string {
	c.whole()
	var fields []string
	seen := map[any]bool{}
	queue := []any{of}
	visit := func(name string) {
		switch {
		case k.Field(name) >= 0:
			if !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		case c.props[k.Name][name] != nil:
			queue = append(queue, c.props[k.Name][name])
		case c.names[name] != nil:
			queue = append(queue, c.names[name])
		}
	}
	for ; len(queue) > 0 && len(fields) < maxHintFields; queue = queue[1:] {
		d := c.defs[queue[0]]
		if seen[queue[0]] || d == nil {
			continue
		}
		seen[queue[0]] = true
		ast.Contains(d.Node, func(node any) bool {
			switch n := node.(type) {
			case *ast.Name:
				visit(n.Name)
			case *ast.Field:
				if x, ok := n.X.(*ast.Name); ok && x.Name == "self" {
					visit(n.Name.Name)
				}
			case *ast.View:
				visit(n.Of.Name)
			}
			return false
		})
	}
	if len(fields) > maxHintFields {
		fields = append(fields[:maxHintFields:maxHintFields], "...")
	}
	if len(fields) == 0 {
		return ""
	}
	return " (" + strings.Join(fields, ", ") + ")"
}
