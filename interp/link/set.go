// Package link links rulesets: it joins the declarations of all files of a chain of `extends` and applies, by path, the
// changes that later rulesets make. The result is one set of definitions in which each part knows where it comes from
// and what it replaced.
//
// Rulesets are processed parents first, siblings by name, so the order in which they are requested does not matter.
// Each ruleset adds its declarations, then applies its changes (override, extend, remove) to what is there by then. A
// change is compared with every change made by a sibling, that is, a ruleset that is neither its ancestor nor its
// descendant. Where two changes are incompatible, a ruleset that extends both must decide (with `prefers`, or a change
// of its own); otherwise it is a conflict. A script comes last, as the descendant of all.
//
// The package must never know what a definition means or how it runs: it manipulates trees.
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
	Verb    string // declare, override, extend, remove, or without (its ruleset is excluded)
	Was     *Origin
	For     *Origin // what it replaces as a whole, as one cost replaces another
}

// Root returns where the part was first declared. The text of the part itself is there; values and bodies that replaced
// others have origins of their own.
func (o *Origin) Root() *Origin {
	for o.Was != nil {
		o = o.Was
	}
	return o
}

// Def is one definition after linking. Node is a private copy once parts of it have been changed.
type Def struct {
	Name   string // its path: massive-damage, weapon.ranged
	Node   ast.Clause
	Depth  int // of its ruleset in the chain of `extends`: 0 is the base
	Origin *Origin
}

// Registered reports whether d is a Starlark function that was passed to a registration. A definition of its own refers
// to it; nothing else can, since its name contains a space.
func (d *Def) Registered() bool {
	u, ok := d.Node.(*ast.Use)
	return ok && strings.Contains(u.Name.Name, " ")
}

// Set is a linked ruleset.
type Set struct {
	Name     string   // of the last ruleset
	Rulesets []string // parents first
	// Headers of the rulesets, by name: of a ruleset's files, the last header with a doc string, else the first.
	Headers map[string]*ast.Header
	Defs    []*Def // in order of declaration, parents first
	// Origins of clauses that come from elsewhere than their definition. A clause without an entry has its owner's.
	Origins map[ast.Clause]*Origin
	// Values holds the origins of values that replaced others, wherever they are now.
	Values map[ast.Expr]*Origin
	// Replaced maps such values to those they replaced: a Starlark function returns the value it replaced.
	Replaced map[ast.Expr]ast.Expr
	// Cells that were overridden or added, by path (size-modifier[large]), and members added to enums (size.titanic).
	Cells map[string]*Origin
	// AddedCites holds the citations added by changes to those at the parts themselves, by path; see CitePath.
	AddedCites map[string][]Citation
	// Removed definitions and parts, by path, for messages about references to them.
	Removed map[string]*Origin
	// Unbound holds names that a step bound until it was overridden or removed, with their procedure: strike.critical.
	Unbound map[string]*Origin
}
