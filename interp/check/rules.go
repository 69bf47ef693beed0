package check

import (
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file checks rules, wherever they are declared, and tactics.

// ruleScope is the scope of a rule's code.
func (c *checker) ruleScope(r *ir.Rule, file, path string, e *ir.Effect) *scope {
	s := &scope{c: c, file: file, acting: true, where: path, rule: r, effect: e, vars: []map[string]*ir.Var{{}}, label: path}
	s.self = selfVar(creature)
	r.Vars = append(r.Vars, s.self)
	if e != nil {
		s.inst = &ir.Var{Name: "instance", Type: number, Kind: ir.VarInstance}
		r.Vars = append(r.Vars, s.inst)
	}
	return s
}

func (c *checker) rule(d *link.Def, n *ast.Rule, e *ir.Effect, res *ir.Resource, path string) {
	o := d.Origin
	if e != nil || res != nil {
		o = c.originOf(d, n)
	}
	r := &ir.Rule{Index: len(c.rs.Rules), Name: path, Effect: e, Resource: res, Reaction: n.Word.Name == "reaction", Once: n.Once.Name, RulesetDepth: d.Depth,
		Part: c.newPart(path, o, n.Span, n.Doc, slices.Concat(n.Tail.Cites, n.Meta.Cites))}
	if e == nil && res == nil {
		c.addChangeCites(r.Part, link.CitePath(n, path))
	}
	c.rs.Rules = append(c.rs.Rules, r)
	s := c.ruleScope(r, o.Root().File, path, e)
	c.ruleBody(n, r, s)
}

// ruleBody checks a rule, the trigger first: it determines what names mean in the rest.
func (c *checker) ruleBody(n *ast.Rule, r *ir.Rule, s *scope) {
	r.Trigger = s.trigger(&n.Trigger)
	s.interrupted = r.Trigger.Proc
	s.anyAction = r.Trigger.Any == "action"
	s.replaces = r.Trigger.Word == "instead"
	if w := r.Trigger.Word; w == "before" || w == "after" || w == "instead" {
		s.actor = &ir.Var{Name: "actor", Type: creature, Kind: ir.VarActor}
		r.Vars = append(r.Vars, s.actor)
	}
	s.push()
	before := len(c.diags)
	r.Guard = s.guard(ast.Tail{When: n.When, Unless: n.Unless})
	if r.Guard != nil {
		s.assume(r.Guard, true)
	}
	last := n.When
	if n.Unless != nil {
		last = n.Unless
	}
	if by := trailingBy(last); by != nil && len(c.diags) > before && n.Trigger.Path != nil {
		c.diags = c.diags[:before]
		s.errHint(by.Span, "misplaced", "`by` names whose action triggers it, and comes before `when`", fmt.Sprintf("write `%s %s by %s when ...`", n.Trigger.Word.Name, link.PathText(n.Trigger.Path), format.Expr(by.Value)))
	}
	if r.Reaction {
		s.asks(r.Name, chosen)
	}
	r.Default = s.defaultCond(n.Default)
	if n.Body == nil {
		return
	}
	var stmts []ast.Clause
	for _, cl := range n.Body.Clauses {
		o := &link.Origin{File: s.file, Ruleset: r.Part.From}
		switch x := cl.(type) {
		case *ast.Needs:
			r.Needs = append(r.Needs, c.needs(r.Name, o, x, s))
			if !r.Reaction {
				s.errHint(x.Span, "misplaced", "a rule runs whenever it is triggered, and needs nothing else",
					"write the condition after its trigger, `when "+format.Expr(x.Cond)+"`, or declare `reaction "+n.Name.Name+"`")
			}
		case *ast.Cost:
			r.Costs = append(r.Costs, c.costClause(r.Name, o, x, s.self, nil)...)
			if !r.Reaction {
				s.errHint(x.Span, "misplaced", "a rule runs whenever it is triggered, and costs nothing",
					"declare `reaction "+n.Name.Name+"`, or write what is lost as a statement: `self loses N RESOURCE`")
			}
		default:
			stmts = append(stmts, cl)
		}
	}
	r.Body = s.stmts(stmts)
	c.blockCites(s.file, n.Body, r.Part)
	if len(c.diags) == before {
		c.warnAnybodys(n, r, s)
	}
}

// trailingBy finds `by WHO` at the end of a condition, nil if it does not end in one.
func trailingBy(e ast.Expr) *ast.Arg {
	switch n := e.(type) {
	case *ast.Binary:
		return trailingBy(n.Y)
	case *ast.Unary:
		return trailingBy(n.X)
	case *ast.IsTest:
		return trailingBy(n.Words[len(n.Words)-1])
	case *ast.Verdict:
		if n.By != nil {
			return &ast.Arg{Span: n.By.Extent(), Value: n.By}
		}
	case *ast.Call:
		if last := len(n.Labelled) - 1; last >= 0 && n.Labelled[last].Label.Name == "by" {
			return &n.Labelled[last]
		}
	}
	return nil
}

// ruleInProc checks a rule inside a procedure: it is active while the procedure runs, and sees its variables.
func (c *checker) ruleInProc(d *link.Def, n *ast.Rule, p *ir.Proc) {
	o := c.originOf(d, n)
	path := p.Name + "." + n.Name.Name
	r := &ir.Rule{Index: len(c.rs.Rules), Name: path, Within: p, Reaction: n.Word.Name == "reaction", Once: n.Once.Name, RulesetDepth: d.Depth,
		Part: c.newPart(path, o, n.Span, n.Doc, slices.Concat(n.Tail.Cites, n.Meta.Cites))}
	c.rs.Rules = append(c.rs.Rules, r)
	s := c.ruleScope(r, o.Root().File, path, nil)
	// The variables of the running procedure are in scope too; those of the interrupted one shadow them.
	for _, v := range p.Vars {
		if v.Kind == ir.VarSelf || !v.Exported && v.Kind != ir.VarParam {
			continue
		}
		w := &ir.Var{Name: v.Name, Type: v.Type, Kind: ir.VarWithin, Owner: p, Outer: v}
		r.Vars = append(r.Vars, w)
		s.vars[0][v.Name] = w
	}
	c.ruleBody(n, r, s)
}

func (c *checker) tactics(d *link.Def, n *ast.Tactics) {
	t, _ := c.names[n.Name.Name].(*ir.Tactics)
	if t == nil || n.Body == nil {
		return
	}
	for _, cl := range n.Body.Clauses {
		cmd, ok := cl.(*ast.Command)
		if !ok {
			c.misplaced(d, cl, "in tactics", "the form is: COMMAND when COND")
			continue
		}
		o := c.originOf(d, cl)
		tc := &ir.TacticCommand{Part: c.newPart(t.Name, o, cmd.Span, nil, cmd.Cites)}
		s := &scope{c: c, file: o.Root().File, acting: true, where: "tactics", self: selfVar(creature), locals: &tc.Vars, vars: []map[string]*ir.Var{{}}, label: t.Name, script: c.scriptNames}
		tc.Vars = append(tc.Vars, s.self)
		s.push()
		tc.Guard = s.guard(ast.Tail{When: cmd.When, Unless: cmd.Unless})
		undo := func() {}
		if tc.Guard != nil {
			undo = s.assume(tc.Guard, true)
		}
		tc.Call = s.command(cmd)
		undo()
		if tc.Call != nil {
			t.Commands = append(t.Commands, tc)
		}
	}
}
