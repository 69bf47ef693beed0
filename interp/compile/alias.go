package compile

import "arbiter/interp/ir"

// This file sees through defines that are only another name for something: for a resource, or for an option's number.
// Code that is recognized by what it compares must not depend on them.

// resolveAlias returns the constant, field or resource that a define of self stands for; else the expression itself. A
// program that marks what runs has to run the define.
func (c *compiler) resolveAlias(e *ir.Expr) *ir.Expr {
	x := e
	for depth := 0; depth < maxInlineDepth && x.Op == ir.OpDefine && len(x.Args) == 1; depth++ {
		d := x.Define
		if c.marks(d.Part) || d.Func == nil || d.Func.Body == nil || len(d.Func.Params) != 1 {
			return e
		}
		body := d.Func.Body
		constant := c.isConstant(body)
		if !constant && (len(body.Args) != 1 || body.Args[0].Op != ir.OpVar || body.Args[0].Var != d.Func.Params[0]) || c.isNeutral(d.Part) {
			return e
		}
		if constant {
			return body
		}
		y := *body
		y.Args = x.Args
		x = &y
	}
	if x.Op == ir.OpResource || x.Op == ir.OpField {
		return x
	}
	return e
}
