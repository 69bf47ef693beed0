package compile

import (
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/words"
)

// This file puts conditions and costs into words, for refusals that have no reason in the rules.

// costWords describes one way to pay.
func (c *compiler) costWords(k *ir.CostAlternative) string {
	var parts []string
	for _, x := range k.Parts {
		switch {
		case x.Amount == nil || x.Amount.Body == nil:
			parts = append(parts, "1 "+x.Resource.Name)
		case x.Amount.Body.Op != ir.OpConst: // a computed amount would mean nothing to the reader
			parts = append(parts, x.Resource.Name)
		case c.constant(x.Amount.Body) != 0: // an amount of 0 is not named: if its guard fails, it is no way to pay
			parts = append(parts, c.constantWords(x.Amount.Body)+" "+x.Resource.Name)
		}
	}
	return strings.Join(parts, " and ")
}

// opSymbols are the symbols of the binary operations.
var opSymbols = map[ir.Op]string{
	ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*", ir.OpDiv: "/", ir.OpEq: "=", ir.OpNe: "!=", ir.OpLt: "<", ir.OpLe: "<=",
	ir.OpAnd: "and", ir.OpOr: "or", ir.OpIn: "in", ir.OpListEq: "=", ir.OpOtherwise: "otherwise",
}

// describe formats an expression roughly as its author wrote it.
func (c *compiler) describe(e *ir.Expr) string {
	if e == nil {
		return "none"
	}
	of := func(name string) string {
		if len(e.Args) > 0 && e.Args[0] != nil && e.Args[0].Op != ir.OpConst {
			return c.describe(e.Args[0]) + "." + name
		}
		return name
	}
	if sign, ok := opSymbols[e.Op]; ok && len(e.Args) == 2 {
		return c.describe(e.Args[0]) + " " + sign + " " + c.describe(e.Args[1])
	}
	switch e.Op {
	case ir.OpConst:
		return c.constantWords(e)
	case ir.OpVar:
		return e.Var.Name
	case ir.OpField:
		if e.Kind != nil && e.Int < int64(len(e.Kind.Fields)) {
			return of(e.Kind.Fields[e.Int].Name)
		}
	case ir.OpResource:
		return of(e.Resource.Name)
	case ir.OpStat:
		return of(e.Stat.Name)
	case ir.OpDefine:
		return of(lastName(e.Define.Name))
	case ir.OpTable:
		return e.Table.Name
	case ir.OpHas:
		verb := " has "
		if e.Effect.Word == "condition" {
			verb = " is "
		}
		return c.describe(e.Args[0]) + verb + e.Effect.Name
	case ir.OpNot:
		return "not " + c.describe(e.Args[0])
	case ir.OpQuery:
		return e.Query.Word + " ..."
	case ir.OpBuiltin, ir.OpProperty:
		return of(e.Name)
	}
	return "..."
}

// constantWords formats a constant, a quantity in its unit.
func (c *compiler) constantWords(e *ir.Expr) string {
	value := c.constant(e)
	switch {
	case value == ir.None:
		return "none"
	case e.Type.Kind == ir.YesNo && value == 1:
		return "yes"
	case e.Type.Kind == ir.YesNo:
		return "no"
	case e.Type.Kind == ir.Quantity:
		return words.Quantity(e.Type.Name, value)
	}
	return fmt.Sprint(value)
}

// lastName is the last name of a path.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// cannotWords is the reason for a refusal by a `cannot` of an effect that gives none: what is forbidden, and by what.
func cannotWords(p *ir.Permission, e *ir.Effect) string {
	switch {
	case e.Word == "everyone":
		return "cannot " + p.Name
	case e.Word == "condition":
		return "cannot " + p.Name + " while " + e.Name
	}
	return "cannot " + p.Name + " because of " + e.Name
}
