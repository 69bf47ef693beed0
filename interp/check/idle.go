package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file warns of what is no mistake and yet of no use: what never runs, and rules that wait for what nobody does.

// warn reports what leaves the rules usable.
func (c *checker) warn(file string, span ast.Span, code, message, hint string) {
	c.report(diag.Warning, file, span, code, message, hint, nil)
}

// never warns of a guard that does not hold, whatever happens. An option may be set otherwise, and counts as unknown.
func (s *scope) never(g *ir.Expr, at ast.Expr) {
	if v, known := Truth(g); known && !v {
		s.c.warn(s.file, at.Extent(), "never-runs", "this is never true, so what depends on it never counts", "")
	}
}

// borneInstead warns of an effect by the name of a define that the core asks for: nobody asks for the effect.
func (c *checker) borneInstead(want ir.AskedDefine) {
	e, ok := c.names[want.Name].(*ir.Effect)
	if !ok || want.Of != "creature" || want.Result.Kind != ir.YesNo || len(want.Params) > 0 {
		return
	}
	c.warn(c.rs.Files[e.Part.Pos.File], e.Part.Pos.Span, "never-asked", "the core asks for `define creature."+e.Name+"`, not for this "+e.Word,
		"give it another name, and write `define creature."+e.Name+" = self is THAT-NAME`")
}

// Truth tells what a yes-no is that needs neither a creature nor an option to be known.
func Truth(x *ir.Expr) (value, known bool) {
	switch x.Op {
	case ir.OpConst:
		return x.Int != 0, x.Option == nil
	case ir.OpNot:
		v, known := Truth(x.Args[0])
		return !v, known
	case ir.OpAnd, ir.OpOr:
		deciding := x.Op == ir.OpOr // one operand that is so decides
		a, knownA := Truth(x.Args[0])
		b, knownB := Truth(x.Args[1])
		if knownA && a == deciding || knownB && b == deciding {
			return deciding, true
		}
		return !deciding, knownA && knownB
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		a, b := x.Args[0], x.Args[1]
		if !settled(a) || !settled(b) {
			return false, false
		}
		m, n := foldExpr(a), foldExpr(b)
		if m == nil || n == nil || m.IsList || n.IsList {
			return false, false
		}
		switch x.Op {
		case ir.OpEq:
			return m.Value == n.Value, true
		case ir.OpNe:
			return m.Value != n.Value, true
		case ir.OpLt:
			return m.Value < n.Value, true
		}
		return m.Value <= n.Value, true
	}
	return false, false
}

// settled tells that no option stands in x.
func settled(x *ir.Expr) bool {
	return x.Option == nil && !slices.ContainsFunc(x.Args, func(a *ir.Expr) bool { return !settled(a) })
}

// behindStop warns of the steps behind one that always ends the procedure.
func (c *checker) behindStop(p *ir.Proc) {
	for i, st := range p.Steps[:max(0, len(p.Steps)-1)] {
		at := slices.IndexFunc(st.Body, func(x *ir.Stmt) bool { return x.Op == ir.DoStop && x.Guard == nil })
		if at < 0 || st.Guard != nil {
			continue
		}
		var names []string
		for _, later := range p.Steps[i+1:] {
			names = append(names, later.Name)
			c.unrun[later] = true
		}
		pos := st.Body[at].Pos
		c.warn(c.rs.Files[pos.File], pos.Span, "never-runs", fmt.Sprintf("%s always ends here, so what follows never runs (%s)", p.Name, strings.Join(names, ", ")),
			"remove those steps, or say when: stop when COND")
		return
	}
}

// awaited is a trigger, until everything has been checked.
type awaited struct {
	file string
	span ast.Span
	on   *ir.Trigger
}

func (c *checker) await(file string, n *ast.Trigger, t *ir.Trigger) {
	if t.Proc != nil && t.Any == "" {
		c.awaited = append(c.awaited, awaited{file, n.Path.Span, t})
	}
}

// idle warns of triggers for what nothing does. An action may be done by anybody, a procedure without steps is an
// announcement, and a script may do any procedure: what an earlier ruleset leaves to scripts it has left to them on purpose,
// so only a ruleset's own procedures count.
func (c *checker) idle() {
	if len(c.awaited) == 0 {
		return
	}
	for _, h := range c.rs.Hooks { // a function may do what its text mentions
		for _, name := range slices.Concat(h.Said.Names, h.Said.Texts) {
			if p, ok := c.names[name].(*ir.Proc); ok {
				c.called[p] = true
			}
		}
	}
	for p := range maps.Clone(c.called) {
		for _, w := range p.Ways {
			c.called[w] = true
		}
	}
	rulesets := c.rulesets()
	for _, a := range c.awaited {
		p := a.on.Proc
		switch {
		case a.on.Step >= 0 && a.on.Step < len(p.Steps) && c.unrun[p.Steps[a.on.Step]]:
			c.warn(a.file, a.span, "never-caused", "the step "+p.Steps[a.on.Step].Name+" never runs, so neither does this", "")
		case p.Action || len(p.Steps) == 0 || c.called[p] || p == c.rs.Leave || p == c.rs.Enter || c.opts.Scripted:
		case c.nodes[p] != nil && c.nodes[p].Origin.Root().Ruleset == rulesets[a.file]:
			c.warn(a.file, a.span, "never-caused", "no rule ever uses "+p.Name+": only a script could cause this", "")
		}
	}
}

// rulesets tells to which ruleset each file belongs.
func (c *checker) rulesets() map[string]string {
	of := map[string]string{}
	for _, d := range c.set.Defs {
		of[d.Origin.Root().File] = d.Origin.Root().Ruleset
	}
	for _, o := range c.set.Origins {
		of[o.File] = o.Ruleset
	}
	return of
}
