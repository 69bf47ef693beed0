// Package link joins rulesets: the declarations of every file of a chain of `extends`, with the overrides of later
// rulesets applied by path. What comes out is one set of definitions in which each part knows where it comes from
// and what it replaced.
//
// Rulesets are taken parents first, siblings by name, so that the order in which they are asked for never shows. Each adds
// its declarations, then makes its changes (override, extend, remove) to what stands by then. A change is held against
// every change of a sibling, a ruleset that is neither its ancestor nor its heir: where both cannot stand, a ruleset that
// extends both must say which does (`prefers`, or a change of its own), else it is a conflict. A script comes last, as the
// heir of all.
//
// The package must never know what a definition means nor how it runs: it moves trees.
package link

import (
	"strings"

	"arbiter/lang/ast"
)

// Origin is where a part comes from, and what it replaced.
type Origin struct {
	File    string
	Span    ast.Span
	Ruleset string
	Verb    string // declare, override, extend, remove; without: the ruleset is left out
	Was     *Origin
	For     *Origin // what it stands for whole, with words of its own: one cost for another
}

// Root is where the part was first declared. Its own words stand there; values and bodies that have replaced others have
// origins of their own.
func (o *Origin) Root() *Origin {
	for o.Was != nil {
		o = o.Was
	}
	return o
}

// Def is one definition after linking. Node is a copy that nobody else holds: parts have been replaced in it.
type Def struct {
	Name   string // its path: massive-damage, weapon.ranged
	Node   ast.Clause
	Depth  int // of its ruleset in the chain of `extends`: 0 is the base
	Origin *Origin
}

// Registered tells a function that a file of Starlark has handed to a registration: what names it is a definition of its
// own, and nobody else can name it, since its name has a blank.
func (d *Def) Registered() bool {
	u, ok := d.Node.(*ast.Use)
	return ok && strings.Contains(u.Name.Name, " ")
}

// Set is a linked ruleset.
type Set struct {
	Name     string   // of the last ruleset
	Rulesets []string // parents first
	// Headers of the rulesets, by name: of their files the one with a sentence speaks for a ruleset, else the first.
	Headers map[string]*ast.Header
	Defs    []*Def // in order of declaration, parents first
	// Origins of clauses that do not stand where their definition stands. A clause without an entry has its owner's.
	Origins map[ast.Clause]*Origin
	// Values that were overridden, wherever they now stand.
	Values map[ast.Expr]*Origin
	// Was what the values that were overridden stood in place of: a function in Starlark gives what was there before it.
	Was map[ast.Expr]ast.Expr
	// Cells that were overridden or added, by path: size-modifier[large]; values that were added to enums: size.titanic.
	Cells map[string]*Origin
	// Cited by changes, beside what stands at the parts themselves: by path, see CitePath.
	Cited map[string][]Citation
	// Removed definitions and parts, by path, for whoever still speaks of them.
	Removed map[string]*Origin
	// Lost names that a step bound until it was overridden or removed, by procedure: strike.critical.
	Lost map[string]*Origin
}
