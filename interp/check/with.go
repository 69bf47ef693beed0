package check

import (
	"maps"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file checks a script against rules that were checked without it, for scripts that only add things and tactics.

// With checks what a script adds to the rules (see link.OnlyAdds); set is that of the rules with the definitions added.
// It returns the rules with what is added, which comes last in every table, and all diagnostics.
//
// The rules remain as they are. They must have no errors. Several scripts can be checked at once: whatever checking a
// script writes to is copied.
func (k *Checked) With(set *link.Set, added []*link.Def, creatures map[string]int64) (*Checked, diag.List) {
	c := k.c.fork(set, creatures)
	for _, d := range added {
		c.reportDuplicatesIn(d)
		c.declareOne(d)
	}
	things := c.rs.Templates[len(k.Templates):]
	for _, t := range things {
		c.resolveKind(t)
	}
	for _, t := range things {
		c.template(t)
	}
	for _, d := range added {
		if n, ok := d.Node.(*ast.Tactics); ok {
			c.tactics(d, n)
		}
	}
	c.diags.Sort()
	return &Checked{c.rs, c}, c.diags
}

// fork copies a checker so that checking more leaves the original as it is: definitions are shared, tables are copied.
func (c *checker) fork(set *link.Set, creatures map[string]int64) *checker {
	f := *c
	f.set, f.opts.Creatures, f.scriptNames = set, creatures, creatureNames(creatures)
	rs := *c.rs
	rs.Files, rs.Parts, rs.Templates = slices.Clip(rs.Files), slices.Clip(rs.Parts), slices.Clip(rs.Templates)
	rs.Tactics, rs.Texts, rs.DiceExprs = slices.Clip(rs.Tactics), slices.Clip(rs.Texts), slices.Clip(rs.DiceExprs)
	f.rs = &rs
	f.diags, f.stack = slices.Clone(c.diags), nil
	f.reported, f.duplicates, f.clashes = maps.Clone(c.reported), maps.Clone(c.duplicates), maps.Clone(c.clashes)
	f.names, f.defs, f.computed, f.state = maps.Clone(c.names), maps.Clone(c.defs), maps.Clone(c.computed), maps.Clone(c.state)
	f.files, f.texts, f.notations = maps.Clone(c.files), maps.Clone(c.texts), maps.Clone(c.notations)
	f.wasRead, f.called, f.labels, f.calls = maps.Clone(c.wasRead), maps.Clone(c.called), maps.Clone(c.labels), maps.Clone(c.calls)
	for name, list := range f.calls {
		f.calls[name] = slices.Clip(list)
	}
	f.circular, f.typingReplaced = maps.Clone(c.circular), maps.Clone(c.typingReplaced)
	f.triggers, f.delayed, f.ofScript = slices.Clip(c.triggers), nil, nil
	return &f
}

// creatureNames are the values of creatures that tactics may name.
func creatureNames(creatures map[string]int64) map[string]*ir.Expr {
	names := map[string]*ir.Expr{}
	for n, ref := range creatures {
		names[n] = &ir.Expr{Op: ir.OpConst, Type: creature, Int: ref}
	}
	return names
}
