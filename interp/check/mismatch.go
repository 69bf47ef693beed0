package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/words"
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
		case ir.Quantity, ir.Text, ir.Dice:
			return "it is yes or no: `is NAME` says yes, and `NAME: no` says no"
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

// lackedFieldHint is the hint for a field that a kind lacks: what is meant, by its name and what it is given.
func (s *scope) lackedFieldHint(k *ir.Kind, p *ast.Property) string {
	if len(p.Values) == 0 || !s.c.wantsHints() {
		return s.c.noFieldHint(k, p.Name.Name)
	}
	holders := s.c.fieldsFor(k, p.Values[0])
	return cmp.Or(s.c.effectsHint(k, p.Values), fieldsNamedHint(holders, p.Name.Name), s.c.noFieldHint(k, p.Name.Name),
		fieldsNamedHint(fieldNames(k), p.Name.Name), listHint("what may hold it:", holders), s.c.fieldsHint(k), s.declareFieldHint(k, p))
}

// maxFieldsHinted is how many fields of a kind a hint names.
const maxFieldsHinted = 14

// fieldsHint names the fields of a kind, and a thing that shows how they are written. For creatures there are too many.
func (c *checker) fieldsHint(k *ir.Kind) string {
	var names []string
	for _, f := range k.Fields {
		names = append(names, f.Name)
	}
	if k.Name == "creature" || len(names) == 0 {
		return ""
	}
	list := strings.Join(names[:min(len(names), maxFieldsHinted)], ", ")
	if more := len(names) - maxFieldsHinted; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	for _, t := range slices.Backward(c.rs.Templates) { // the latest ruleset knows most fields
		if t.Kind == k && t.Part != nil && t.Part.From != "" && t.Part.From != c.rs.Name {
			return fmt.Sprintf("its fields are %s; `arbiter rules show %s %s` shows how they are written", list, t.Part.From, t.Name)
		}
	}
	return "its fields are " + list
}

// effectsHint is the hint for the names of effects, which a creature has.
func (c *checker) effectsHint(k *ir.Kind, values []ast.Expr) string {
	var effects []string
	if len(values) == 1 {
		if l, ok := values[0].(*ast.List); ok { // as lists are written elsewhere
			values = l.Items
		}
	}
	for _, v := range values {
		if n, ok := v.(*ast.Name); ok {
			if _, ok := c.names[n.Name].(*ir.Effect); ok {
				effects = append(effects, n.Name)
			}
		}
	}
	if effects == nil || k.Name != "creature" {
		return ""
	}
	return "write `has " + strings.Join(effects, ", ") + "`"
}

// fieldsNamedHint suggests the fields whose names have a word, or a form of it, among theirs.
func fieldsNamedHint(fields []string, word string) string {
	var exact, forms []string
	for _, f := range fields {
		parts := strings.Split(f, "-")
		if slices.Contains(parts, word) {
			exact = append(exact, f)
		} else if slices.ContainsFunc(parts, func(w string) bool { return words.Stem(w) == words.Stem(word) }) {
			forms = append(forms, f)
		}
	}
	return cmp.Or(anyOf(exact), anyOf(forms))
}

// declareFieldHint shows how a field is declared for its value.
func (s *scope) declareFieldHint(k *ir.Kind, p *ast.Property) string {
	x := s.tryExpr(p.Values[0], nil)
	if x == nil || x.Type.Kind == ir.Nothing {
		return ""
	}
	typ := typeName(x.Type)
	if len(p.Values) > 1 {
		typ = "list of " + typ
	}
	return fmt.Sprintf("declare it: `kind %s { %s: %s }`", k.Name, p.Name.Name, typ)
}
