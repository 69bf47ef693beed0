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

// This file warns about useless code: code that never runs, and rules whose trigger never occurs.

// warn reports a mistake that leaves the rules usable.
func (c *checker) warn(file string, span ast.Span, code, message, hint string) {
	c.report(diag.Diagnostic{File: file, Span: span, Severity: diag.Warning, Code: code, Message: message, Hint: hint})
}

// warnNeverTrue warns about a guard that never holds. Options may be set differently, and count as unknown.
func (s *scope) warnNeverTrue(g *ir.Expr, at ast.Expr) {
	if v, known := Truth(g); known && !v {
		s.c.warn(s.file, at.Extent(), "never-runs", "this is never true, so what depends on it never counts", "")
	}
}

// warnAnother warns about a name that a rule binds although the interrupted procedure has it too: the rule's own is
// another one, and whatever it does to that changes nothing outside.
func (s *scope) warnAnother(id ast.Ident) {
	if s.interrupted == nil || s.replaces {
		return
	}
	for _, v := range s.interrupted.Vars {
		if v.Name == id.Name && s.canReadOuter(v) {
			of := s.interrupted.Name
			if s.interrupted == s.c.checkProcedure {
				of = "the check"
			}
			s.c.warn(s.file, id.Span, "another-name", "this is another "+id.Name+" than that of "+of, "`set "+id.Name+" to EXPR` changes that of "+of+"; give a value of the rule's own another name")
			return
		}
	}
}

// warnEffectForDefine warns about an effect with the name of a define that the core calls: the core does not look for
// an effect.
func (c *checker) warnEffectForDefine(want ir.CoreSignature) {
	e, ok := c.names[want.Name].(*ir.Effect)
	if !ok || want.Of != "creature" || want.Result.Kind != ir.YesNo || len(want.Params) > 0 {
		return
	}
	c.warn(c.rs.Files[e.Part.Pos.File], e.Part.Pos.Span, "never-asked", "the core asks for `define creature."+e.Name+"`, not for this "+e.Word,
		"give it another name, and write `define creature."+e.Name+" = self is THAT-NAME`")
}

// Truth evaluates a yes-no that depends neither on a creature nor on an option; known is false if it depends on either.
func Truth(x *ir.Expr) (value, known bool) {
	switch x.Op {
	case ir.OpConst:
		return x.Int != 0, x.Option == nil
	case ir.OpNot:
		v, known := Truth(x.Args[0])
		return !v, known
	case ir.OpAnd, ir.OpOr:
		deciding := x.Op == ir.OpOr // one such operand decides
		a, knownA := Truth(x.Args[0])
		b, knownB := Truth(x.Args[1])
		if knownA && a == deciding || knownB && b == deciding {
			return deciding, true
		}
		return !deciding, knownA && knownB
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		a, b := x.Args[0], x.Args[1]
		if !hasNoOption(a) || !hasNoOption(b) {
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

// hasNoOption reports whether x contains no option.
func hasNoOption(x *ir.Expr) bool {
	return x.Option == nil && !slices.ContainsFunc(x.Args, func(a *ir.Expr) bool { return !hasNoOption(a) })
}

// warnAfterStop warns about the steps after one that always ends the procedure.
func (c *checker) warnAfterStop(p *ir.Proc) {
	for i, st := range p.Steps[:max(0, len(p.Steps)-1)] {
		at := slices.IndexFunc(st.Body, func(x *ir.Stmt) bool { return x.Op == ir.DoStop && x.Guard == nil })
		if at < 0 || st.Guard != nil {
			continue
		}
		var names []string
		for _, later := range p.Steps[i+1:] {
			names = append(names, later.Name)
			c.unreachable[later] = true
		}
		pos := st.Body[at].Pos
		c.warn(c.rs.Files[pos.File], pos.Span, "never-runs", fmt.Sprintf("%s always ends here, so what follows never runs (%s)", p.Name, strings.Join(names, ", ")),
			"remove those steps, or say when: stop when COND")
		return
	}
}

// usedTrigger is a trigger to be examined when everything has been checked.
type usedTrigger struct {
	file    string
	span    ast.Span
	trigger *ir.Trigger
}

func (c *checker) recordTrigger(file string, n *ast.Trigger, t *ir.Trigger) {
	if t.Proc != nil && t.Any == "" {
		c.triggers = append(c.triggers, usedTrigger{file, n.Path.Span, t})
	}
}

// warnIdleTriggers warns about triggers on procedures that nothing runs. It ignores actions, which any creature can
// perform, and procedures without steps, which are announcements. A script can run any procedure, and an earlier
// ruleset leaves its procedures to scripts on purpose, so only procedures of the same ruleset count.
func (c *checker) warnIdleTriggers() {
	if len(c.triggers) == 0 {
		return
	}
	for _, h := range c.rs.Hooks { // a function can run what its source mentions
		for _, name := range slices.Concat(h.Mentions.Names, h.Mentions.Texts) {
			if p, ok := c.names[name].(*ir.Proc); ok {
				c.called[p] = true
			}
		}
	}
	for p := range maps.Clone(c.called) {
		for _, w := range c.rs.Ways[p] {
			c.called[w] = true
		}
	}
	rulesets := c.rulesetsByFile()
	for _, a := range c.triggers {
		p := a.trigger.Proc
		switch {
		case a.trigger.Step >= 0 && a.trigger.Step < len(p.Steps) && c.unreachable[p.Steps[a.trigger.Step]]:
			c.warn(a.file, a.span, "never-caused", "the step "+p.Steps[a.trigger.Step].Name+" never runs, so neither does this", "")
		case p.Action || len(p.Steps) == 0 || c.called[p] || p == c.rs.Leave || p == c.rs.Enter || c.opts.Scripted:
		case c.defs[p] != nil && c.defs[p].Origin.Root().Ruleset == rulesets[a.file]:
			c.warn(a.file, a.span, "never-caused", "no rule ever uses "+p.Name+": only a script could cause this", "")
		}
	}
}

// rulesetsByFile returns the ruleset of each file.
func (c *checker) rulesetsByFile() map[string]string {
	of := map[string]string{}
	for _, d := range c.set.Defs {
		of[d.Origin.Root().File] = d.Origin.Root().Ruleset
	}
	for _, o := range c.set.Origins {
		of[o.File] = o.Ruleset
	}
	return of
}
