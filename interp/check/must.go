package check

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks `must COMMAND`. It is implemented with `cannot`: all other actions are forbidden, and so is this one
// with arguments other than the command's.

func (k *effectClause) must(x *ast.Must) {
	c, e, o := k.c, k.effect, k.origin
	if x.Command == nil {
		return
	}
	s := k.scope("a must")
	s.acting = true
	call := s.command(x.Command)
	if call == nil {
		return
	}
	if !slices.ContainsFunc(c.rs.Permissions, func(p *ir.Permission) bool { return p.Proc == call.Proc }) {
		s.errHint(x.Command.Name.Span, "unknown-command", call.Proc.Name+" is not an action", "only an action can be all that is left to do")
		return
	}
	part := c.newPart(e.Name+".must-"+call.Proc.Name, o, x.Span, nil, x.Cites)
	e.Musts = append(e.Musts, &ir.Must{Call: call, Guard: k.guard(nil, x.Tail), Part: part})
	why := "must " + call.Proc.Name
	for i, p := range c.rs.Permissions {
		switch {
		case p.Proc == nil:
		case p.Proc != call.Proc:
			e.Cannots = append(e.Cannots, &ir.Cannot{Permission: i, Guard: k.guard(nil, x.Tail), Why: why, Part: part})
		case len(x.Command.Args) > 0:
			params, differs := differingArguments(p.Proc, x.Command)
			tail := x.Tail
			if tail.When != nil {
				differs = binaryExpr(x.Command.Span, "and", tail.When, differs)
			}
			tail.When = differs
			e.Cannots = append(e.Cannots, &ir.Cannot{Permission: i, Guard: k.guard(params, tail), Why: why, Part: part})
		}
	}
}

// differingArguments returns the condition that some argument of an action differs from that of a command. The
// parameters have names that are not valid identifiers, so they shadow nothing in the effect; they are none when the
// question is general.
func differingArguments(p *ir.Proc, cmd *ast.Command) (params []*ir.Var, differs ast.Expr) {
	for _, v := range p.Params {
		w := *v
		w.Owner = nil
		w.Name = "must " + v.Name
		w.Type.OrNone = true
		if w.Label == "" {
			w.Label = "to"
		}
		params = append(params, &w)
	}
	used := make([]bool, len(params))
	for _, a := range cmd.Args {
		k := 0
		for k < len(params) && (used[k] || p.Params[k].Label != a.Label.Name) {
			k++
		}
		if k == len(params) {
			continue // it has been reported
		}
		used[k] = true
		name := func() ast.Expr { return &ast.Name{Ident: ast.Ident{Span: a.Span, Name: params[k].Name}} }
		isGiven := &ast.IsTest{Span: a.Span, X: name(), Verb: ast.Ident{Span: a.Span, Name: "is"}, Not: true, Words: []ast.Expr{&ast.Literal{Span: a.Span, Word: "none"}}}
		other := binaryExpr(a.Span, "and", isGiven, binaryExpr(a.Span, "!=", name(), a.Value))
		if differs == nil {
			differs = other
		} else {
			differs = binaryExpr(a.Span, "or", differs, other)
		}
	}
	return params, differs
}

func binaryExpr(span ast.Span, op string, x, y ast.Expr) ast.Expr {
	return &ast.Binary{Span: span, Op: ast.Ident{Span: span, Name: op}, X: x, Y: y}
}
