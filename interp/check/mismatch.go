package check

import (
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file says what to write where a value of another type is expected.

// mismatchHint says how a value of the type that is wanted is written in place of x.
func (s *scope) mismatchHint(e ast.Expr, x *ir.Expr, want ir.Type) string {
	is := x.Type
	named := "NAME"
	if n, ok := e.(*ast.Name); ok {
		named = n.Name
	}
	switch want.Kind {
	case ir.Quantity:
		if is.Kind == ir.Number {
			return missingUnitHint(e, is, want)
		}
		return "write " + article(want.Name) + ", such as " + unitExample(want.Name)
	case ir.Square:
		if is.Kind == ir.Ref && is.Name == "creature" {
			hint := "write a square as (X, Y)"
			if n, ok := e.(*ast.Name); ok {
				hint += "; that of " + n.Name + " is `" + n.Name + ".square`"
			}
			return hint
		}
	case ir.YesNo:
		switch is.Kind {
		case ir.Number:
			return "write `yes` or `no`, or compare it"
		case ir.Outcome:
			return "ask for the result: `" + named + " succeeds` or `" + named + " fails`"
		}
	case ir.Number:
		switch is.Kind {
		case ir.Dice:
			return "roll them with `roll`"
		case ir.Outcome:
			return "name the number: `" + named + ".total`, `" + named + ".margin` or `" + named + ".natural`"
		case ir.YesNo:
			return conditionAsNumber
		case ir.Text:
			return "write a number, without quotation marks"
		}
	case ir.EnumType:
		if en := s.c.enums[want.Name]; en != nil {
			return listHint("write one of", en.Members)
		}
	case ir.Ref:
		if want.Name == "creature" {
			return "name a creature: `self`, a parameter, a member of a side"
		}
		return fmt.Sprintf("name %s: `arbiter rules list RULESET --kind %s` lists them", article(want.Name), want.Name)
	case ir.List:
		if want.Elem != nil && fits(is, *want.Elem) {
			if n, ok := e.(*ast.Name); ok {
				return "write a list, even of one, in brackets: `[" + n.Name + "]`"
			}
			return "write a list, even of one, in brackets: [A, B]"
		}
	}
	return ""
}

// conditionAsNumber is the hint for a condition where a number is wanted.
const conditionAsNumber = "write `if COND then 1 else 0`"

// fieldsFor lists the fields of a kind that could hold what was meant for a field that it lacks: those of its value's
// kind.
func (c *checker) fieldsFor(k *ir.Kind, value ast.Expr) []string {
	n, ok := value.(*ast.Name)
	if !ok || k == nil {
		return nil
	}
	t, ok := c.names[n.Name].(*ir.Template)
	if !ok || t.Kind == nil {
		return nil
	}
	var names []string
	for _, f := range k.Fields {
		if of := f.Type; of.Kind == ir.Ref && of.Name == t.Kind.Name || of.Kind == ir.List && of.Elem.Kind == ir.Ref && of.Elem.Name == t.Kind.Name {
			names = append(names, f.Name)
		}
	}
	return names
}

// givenHint is the hint for a field that a kind lacks, by what it is given: an effect is what a creature has, a thing
// belongs into a field of its kind, other values show the type of a field to declare. "" if the value says nothing.
func (s *scope) givenHint(k *ir.Kind, name string, values []ast.Expr) string {
	if k == nil || len(values) == 0 {
		return ""
	}
	if n, ok := values[0].(*ast.Name); ok && k.Name == "creature" {
		if f, ok := s.c.names[n.Name].(*ir.Effect); ok {
			return "write `has " + f.Name + "`"
		}
	}
	if fields := s.c.fieldsFor(k, values[0]); len(fields) > 0 && len(fields) <= maxListed {
		return "what may hold it: " + strings.Join(fields, ", ")
	}
	if x := s.tryExpr(values[0], nil); x != nil && x.Type.Kind != ir.Nothing {
		typ := typeName(x.Type)
		if len(values) > 1 {
			typ = "list of " + typ
		}
		return fmt.Sprintf("declare it: `kind %s { %s: %s }`", k.Name, name, typ)
	}
	return ""
}
