package check

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
)

// This file numbers what a script declares after everything that its rules declare, in every table, so that its rules have
// the same numbers whether they are checked together or on top of the others (OnTop). Most tables are in the order of
// declarations, in which a script comes last. Not so procedures, since ways follow all of them; rules, since those of
// effects precede those of the top level; and parts.

// isOfScript reports whether something was declared by a script.
func isOfScript(o *link.Origin) bool { return o.Root().Ruleset == link.ScriptName }

// procsOfScriptLast moves the procedures of a script to the end, before anybody has used their numbers.
func (c *checker) procsOfScriptLast() {
	slices.SortStableFunc(c.rs.Procs, func(a, b *ir.Proc) int { return lastIf(c.ofScript[a.Part], c.ofScript[b.Part]) })
	for i, p := range c.rs.Procs {
		p.Index = i
	}
}

// rulesOfScriptLast moves the rules and the parts of a script to the end.
func (c *checker) rulesOfScriptLast() {
	slices.SortStableFunc(c.rs.Rules, func(a, b *ir.Rule) int { return lastIf(c.ofScript[a.Part], c.ofScript[b.Part]) })
	for i, r := range c.rs.Rules {
		r.Index = i
	}
	slices.SortStableFunc(c.rs.Parts, func(a, b *ir.Part) int { return lastIf(c.ofScript[a], c.ofScript[b]) })
	for i, p := range c.rs.Parts {
		p.ID = int32(i)
	}
}

// lastIf orders what is last after what is not.
func lastIf(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
