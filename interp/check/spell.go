package check

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file finds the name that was meant.

// ManyMistakes are so many that nobody reads the hints: looking for the nearest name is then not worth its time.
const ManyMistakes = 100

// hinting tells whether names are worth gathering for a hint.
func (c *checker) hinting() bool { return c.muted == 0 && c.before+len(c.diags) <= ManyMistakes }

// nearest makes the hint of the nearest name, or "" when none is near.
func (c *checker) nearest(name string, names []string) string {
	if !c.hinting() {
		return ""
	}
	slices.Sort(names) // the order of maps must not show
	n := words.Nearest(name, names)
	if n == "" {
		n = whole(name, names)
	}
	if n == "" {
		return ""
	}
	return "did you mean `" + n + "`?"
}

// nearestOf is nearest for what a thing of a type has. Of creatures fields and numbers come first: these are what one shortens.
func (s *scope) nearestOf(t ir.Type, name string) string {
	c := s.c
	if t.Kind == ir.Ref && t.Name == "creature" && c.hinting() {
		if near := c.nearest(name, append(c.numbers(), fieldNames(c.kinds[t.Name])...)); near != "" {
			return near
		}
	}
	return c.nearest(name, s.propertyNames(t))
}

// nothingCalled reports that a thing of a type has nothing of such a name.
func (s *scope) nothingCalled(name ast.Ident, t ir.Type) {
	hint := s.nearestOf(t, name.Name)
	if hint == "" && t.Kind == ir.Ref {
		hint = "declare it: `define " + t.Name + "." + name.Name + " = EXPR`, or a field in `kind " + t.Name + "`"
	}
	s.errHint(name.Span, "unknown-name", article(typeName(t))+" has nothing named "+name.Name, hint)
}

// numbers are the names of what every creature has a number of.
func (c *checker) numbers() []string {
	var names []string
	for n, x := range c.names {
		switch x.(type) {
		case *ir.Resource, *ir.Stat:
			names = append(names, n)
		}
	}
	return names
}

// whole is the one name of which the word is the first or the last: move-action of move.
func whole(word string, names []string) string {
	found := ""
	for _, n := range names {
		if n == found || !strings.HasPrefix(n, word+"-") && !strings.HasSuffix(n, "-"+word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}
