package check

import (
	"cmp"
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file types operators and their operands: numbers with units, dice, lists, outcomes.

// arithmetic reports whether x can be used in arithmetic; if not, it makes a diagnostic.
func (s *scope) arithmetic(x *ir.Expr, e ast.Expr) bool {
	if x.Type.Kind == ir.Invalid {
		return false
	}
	if x.Type.OrNone {
		s.errHint(e.Extent(), "none-not-met", "this may be none and cannot be used in arithmetic", "write `... otherwise 0`, or guard it with `is not none`")
		return false
	}
	switch x.Type.Kind {
	case ir.Number, ir.Quantity, ir.Dice, ir.EnumType, ir.List:
		return true
	}
	hint := ""
	switch x.Type.Kind {
	case ir.YesNo, ir.Outcome, ir.Text:
		hint = s.mismatchHint(e, x, number)
	case ir.Ref:
		if n, ok := e.(*ast.Name); ok {
			if t, ok := s.c.names[n.Name].(*ir.Template); ok {
				hint = fmt.Sprintf("if one with other fields is meant, declare it: `%s NAME extends %s { FIELD: VALUE }`", t.Kind.Name, t.Name)
			}
		}
	}
	s.errHint(e.Extent(), "wrong-type", article(typeName(x.Type))+" cannot be used in arithmetic", hint)
	return false
}

func (s *scope) binary(n *ast.Binary, want *ir.Type) *ir.Expr {
	pos := s.pos(n.Span)
	op := n.Op.Name
	mk := func(o ir.Op, t ir.Type, args ...*ir.Expr) *ir.Expr {
		return &ir.Expr{Op: o, Type: t, Pos: pos, Args: args}
	}
	switch op {
	case "and", "or":
		x := s.cond(n.X)
		undo := s.assume(x, op == "and")
		y := s.cond(n.Y)
		undo()
		if op == "and" {
			return mk(ir.OpAnd, yesNo, x, y)
		}
		return mk(ir.OpOr, yesNo, x, y)
	case "=", "!=":
		x, y := s.operands(n.X, n.Y)
		if x.Type.Kind == ir.Invalid || y.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if !sameType(x.Type, y.Type) && x.Type.Kind != ir.Nothing && y.Type.Kind != ir.Nothing {
			s.errHint(n.Span, "wrong-type", fmt.Sprintf("%s is never equal to %s", article(typeName(x.Type)), article(typeName(y.Type))), cmp.Or(s.outcomeHint(n, x.Type, y.Type), s.valuesHint(x.Type, n.Y), s.valuesHint(y.Type, n.X)))
			return s.bad(n.Span)
		}
		if s.rejectNameComparison(x, n.X, y) || s.rejectNameComparison(y, n.Y, x) {
			return s.bad(n.Span)
		}
		switch same := equalityOp(x, y); {
		case op == "=":
			return mk(same, yesNo, x, y)
		case same == ir.OpListEq:
			return mk(ir.OpNot, yesNo, mk(same, yesNo, x, y))
		}
		return mk(ir.OpNe, yesNo, x, y)
	case "<", "<=", ">", ">=":
		x, y := s.operands(n.X, n.Y)
		if !s.arithmetic(x, n.X) || !s.arithmetic(y, n.Y) {
			return s.bad(n.Span)
		}
		if !sameType(x.Type, y.Type) || x.Type.Kind == ir.List || x.Type.Kind == ir.Dice {
			s.errHint(n.Span, "wrong-type", fmt.Sprintf("%s cannot be compared with %s", article(typeName(x.Type)), article(typeName(y.Type))), cmp.Or(diceHint(n, x.Type, y.Type), unitHint(x.Type, y.Type)))
			return s.bad(n.Span)
		}
		if x.Type.Kind == ir.EnumType && !s.c.enums[x.Type.Name].Ordered {
			s.errHint(n.Span, "unordered", "the values of "+x.Type.Name+" have no order", "declare it `enum "+x.Type.Name+" ordered: ...`")
		}
		switch op {
		case "<":
			return mk(ir.OpLt, yesNo, x, y)
		case "<=":
			return mk(ir.OpLe, yesNo, x, y)
		case ">":
			return mk(ir.OpLt, yesNo, y, x)
		}
		return mk(ir.OpLe, yesNo, y, x)
	case "in":
		y := s.expr(n.Y, nil)
		var elem *ir.Type
		if y.Type.Kind == ir.List {
			elem = y.Type.Elem
		} else if y.Type.Kind != ir.Invalid {
			s.err(n.Y.Extent(), "wrong-type", "this is %s, but a list is expected", article(typeName(y.Type)))
		}
		x := s.expr(n.X, elem)
		if y.Type.Kind != ir.List || x.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if l, ok := unparen(n.Y).(*ast.List); ok && bareWords(l) && !sameType(*elem, x.Type) { // the left side determines the type of the names
			y = s.expr(n.Y, &ir.Type{Kind: ir.List, Elem: &x.Type})
		}
		if !sameType(x.Type, *y.Type.Elem) {
			s.err(n.Span, "wrong-type", "%s is never in %s", article(typeName(x.Type)), article(typeName(y.Type)))
		} else if y.Op == ir.OpList && s.rejectNameComparison(x, n.X, y.Args...) {
			return s.bad(n.Span)
		}
		return mk(ir.OpIn, yesNo, x, y)
	case "otherwise":
		x := s.expr(n.X, want)
		w := notNone(x.Type)
		y := s.expr(n.Y, &w)
		if x.Type.Kind == ir.Invalid || y.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if x.Type.Kind == ir.Nothing {
			return y
		}
		if !sameType(w, y.Type) && y.Type.Kind != ir.Nothing {
			s.err(n.Y.Extent(), "wrong-type", "this is %s, but %s is expected", article(typeName(y.Type)), typeName(w))
			return s.bad(n.Span)
		}
		t := w
		t.OrNone = y.Type.OrNone
		return mk(ir.OpOtherwise, t, x, y)
	}
	return s.sum(n, want)
}

// equalityOp returns the operation that compares two values. Lists, and paths, which are lists of squares, are compared
// by elements, not by handle.
func equalityOp(x, y *ir.Expr) ir.Op {
	if t := x.Type.Kind; t == y.Type.Kind && (t == ir.List || t == ir.PathType) {
		return ir.OpListEq
	}
	return ir.OpEq
}

// rejectNameComparison reports whether x, written as e, is a creature's name compared with a text literal, and makes a
// diagnostic for it: names are compared by the creature they belong to, not by spelling.
func (s *scope) rejectNameComparison(x *ir.Expr, e ast.Expr, with ...*ir.Expr) bool {
	if x.Op != ir.OpBuiltin || x.Name != "name" {
		return false
	}
	i := slices.IndexFunc(with, func(y *ir.Expr) bool { return y.Op == ir.OpConst && y.Type.Kind == ir.Text })
	if i < 0 {
		return false
	}
	who, text := "WHO", s.c.rs.Texts[with[i].Int]
	if f, ok := unparen(e).(*ast.Field); ok {
		if n, ok := unparen(f.X).(*ast.Name); ok {
			who = n.Name
		}
	}
	creature := x.Args[0].Type.Name == "creature"
	_, thing := s.c.names[text].(*ir.Template)
	hint := fmt.Sprintf("to ask who it is, write `%s = SOMEBODY`, or what it is: `%s is SOMETHING`", who, who)
	switch {
	case thing && creature:
		hint = fmt.Sprintf("to ask what it is, write `%s is %s`", who, text)
	case thing:
		hint = fmt.Sprintf("to ask what it is, write `%s = %s`", who, text)
	case !creature:
		hint = fmt.Sprintf("to ask what it is, write `%s = SOMETHING`", who)
	case s.script[text] != nil:
		hint = fmt.Sprintf("to ask who it is, write `%s = %s`", who, text)
	}
	s.errHint(e.Extent(), "wrong-type", "a name never equals a text", hint)
	return true
}

func bareWords(l *ast.List) bool {
	for _, it := range l.Items {
		if _, ok := it.(*ast.Name); !ok {
			return false
		}
	}
	return true
}

// operands checks the two sides of a comparison; the type of each helps to resolve names in the other.
func (s *scope) operands(a, b ast.Expr) (*ir.Expr, *ir.Expr) {
	if _, bare := a.(*ast.Name); bare && s.tryExpr(a, nil) == nil {
		y := s.expr(b, nil)
		return s.expr(a, &y.Type), y
	}
	x := s.expr(a, nil)
	return x, s.expr(b, &x.Type)
}

// unitHint suggests adding a unit to a number combined with a quantity.
func unitHint(a, b ir.Type) string {
	if a.Kind == ir.Quantity && b.Kind == ir.Number {
		return "add the unit: " + unitExample(a.Name)
	}
	if b.Kind == ir.Quantity && a.Kind == ir.Number {
		return "add the unit: " + unitExample(b.Name)
	}
	return ""
}

// sum types + and -, which also concatenate lists, add numbers to dice and step along an ordered enum.
func (s *scope) sum(n *ast.Binary, want *ir.Type) *ir.Expr {
	pos := s.pos(n.Span)
	x := s.expr(n.X, want)
	w := want
	if x.Type.Kind != ir.EnumType && (n.Op.Name == "+" || n.Op.Name == "-") {
		w = &x.Type
	}
	y := s.expr(n.Y, w)
	if !s.arithmetic(x, n.X) || !s.arithmetic(y, n.Y) {
		return s.bad(n.Span)
	}
	mk := func(o ir.Op, t ir.Type, args ...*ir.Expr) *ir.Expr {
		return &ir.Expr{Op: o, Type: t, Pos: pos, Args: args}
	}
	a, b := x.Type.Kind, y.Type.Kind
	switch n.Op.Name {
	case "+":
		switch {
		case a == ir.List && b == ir.List && sameType(x.Type, y.Type):
			t := x.Type
			if t.Elem.Kind == ir.Nothing {
				t = y.Type
			}
			return mk(ir.OpConcat, t, x, y)
		case a == ir.Dice && b == ir.Number:
			return mk(ir.OpDiceAdd, diceType, x, y)
		case a == ir.Number && b == ir.Dice:
			return mk(ir.OpDiceAdd, diceType, y, x)
		case a == ir.EnumType && b == ir.Number:
			return &ir.Expr{Op: ir.OpEnumAdd, Type: x.Type, Enum: s.c.enums[x.Type.Name], Pos: pos, Args: []*ir.Expr{x, y}}
		case sameType(x.Type, y.Type) && (a == ir.Number || a == ir.Quantity):
			return mk(ir.OpAdd, x.Type, x, y)
		}
	case "-":
		switch {
		case a == ir.List && b == ir.List && (sameType(*x.Type.Elem, *y.Type.Elem) || y.Type.Elem.Kind == ir.Nothing):
			return mk(ir.OpListDiff, x.Type, x, y)
		case a == ir.EnumType && b == ir.EnumType && x.Type.Name == y.Type.Name:
			return mk(ir.OpSub, number, x, y)
		case a == ir.EnumType && b == ir.Number:
			return &ir.Expr{Op: ir.OpEnumAdd, Type: x.Type, Enum: s.c.enums[x.Type.Name], Pos: pos, Args: []*ir.Expr{x, mk(ir.OpNeg, number, y)}}
		case a == ir.Dice && b == ir.Number:
			return mk(ir.OpDiceAdd, diceType, x, mk(ir.OpNeg, number, y))
		case sameType(x.Type, y.Type) && (a == ir.Number || a == ir.Quantity):
			return mk(ir.OpSub, x.Type, x, y)
		}
	case "*":
		switch {
		case a == ir.Number && b == ir.Number:
			return mk(ir.OpMul, number, x, y)
		case a == ir.Number && b == ir.Quantity:
			return mk(ir.OpMul, y.Type, x, y)
		case a == ir.Quantity && b == ir.Number:
			return mk(ir.OpMul, x.Type, x, y)
		case a == ir.Dice && b == ir.Number:
			return mk(ir.OpDiceMul, diceType, x, y)
		case a == ir.Number && b == ir.Dice:
			return mk(ir.OpDiceMul, diceType, y, x)
		}
	case "/":
		switch {
		case a == ir.Number && b == ir.Number:
			return mk(ir.OpDiv, number, x, y)
		case a == ir.Quantity && b == ir.Number:
			return mk(ir.OpDiv, x.Type, x, y)
		case a == ir.Quantity && b == ir.Quantity && x.Type.Name == y.Type.Name:
			return mk(ir.OpDiv, number, x, y)
		}
	}
	if d := s.combinedDice(n.Span, "%s"+n.Op.Name+"%s", x, y); d != nil {
		return d
	}
	hint := unitHint(x.Type, y.Type)
	if a == ir.Dice || b == ir.Dice {
		hint = "only what is known beforehand is part of one roll: roll each with `roll`, and compute with the numbers"
	}
	s.errHint(n.Span, "wrong-type", fmt.Sprintf("`%s` cannot combine %s and %s", n.Op.Name, article(typeName(x.Type)), article(typeName(y.Type))), hint)
	return s.bad(n.Span)
}

// commonType is the common type of two branches.
func (s *scope) commonType(a, b *ir.Expr) (ir.Type, bool) {
	switch {
	case a.Type.Kind == ir.Invalid || b.Type.Kind == ir.Invalid:
		return invalid, true
	case a.Type.Kind == ir.Nothing:
		return orNone(b.Type), true
	case b.Type.Kind == ir.Nothing:
		return orNone(a.Type), true
	case sameType(a.Type, b.Type):
		t := a.Type
		if t.Kind == ir.List && t.Elem.Kind == ir.Nothing {
			t = b.Type
		}
		t.OrNone = a.Type.OrNone || b.Type.OrNone
		return t, true
	case a.Type.Kind == ir.Dice && b.Type.Kind == ir.Number, a.Type.Kind == ir.Number && b.Type.Kind == ir.Dice:
		return diceType, true
	}
	return invalid, false
}

func (s *scope) list(n *ast.List, want *ir.Type) *ir.Expr {
	elem := ir.Type{Kind: ir.Nothing}
	var w *ir.Type
	if want != nil && want.Kind == ir.List {
		w = want.Elem
		elem = *w
	}
	x := &ir.Expr{Op: ir.OpList, Pos: s.pos(n.Span)}
	for i, it := range n.Items {
		y := s.expr(it, w)
		if i == 0 && (w == nil || w.Kind == ir.Nothing) {
			elem = y.Type
			w = &elem
		}
		x.Args = append(x.Args, s.demand(y, it, elem))
	}
	x.Type = listOf(elem)
	return x
}

func (s *scope) verdict(n *ast.Verdict) *ir.Expr {
	x := s.expr(n.X, &outcome)
	if x.Type.Kind == ir.Invalid {
		return s.bad(n.Span)
	}
	pos := s.pos(n.Span)
	var success *ir.Expr
	switch x.Type.Kind {
	case ir.Outcome:
		if x.Type.OrNone {
			s.err(n.X.Extent(), "none-not-met", "this may be none")
		}
		success = &ir.Expr{Op: ir.OpRecordGet, Type: yesNo, Int: 4, Args: []*ir.Expr{x}, Pos: pos}
	case ir.YesNo:
		success = x
		if n.By != nil {
			s.err(n.By.Extent(), "wrong-type", "a yes-no has no margin")
		}
	default:
		s.err(n.X.Extent(), "wrong-type", "this is %s, but the outcome of a check is expected", article(typeName(x.Type)))
		return s.bad(n.Span)
	}
	if n.Verb.Name == "fails" {
		success = &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{success}, Pos: pos}
	}
	if n.By == nil || x.Type.Kind != ir.Outcome {
		return success
	}
	return s.byMargin(success, x, s.value(n.By, number), n.Verb.Name == "fails", pos)
}

// byMargin adds `by N`: by at least N above the difficulty, or below it.
func (s *scope) byMargin(success, outcomeX, by *ir.Expr, fails bool, pos ir.Pos) *ir.Expr {
	margin := &ir.Expr{Op: ir.OpRecordGet, Type: number, Int: 3, Args: []*ir.Expr{outcomeX}, Pos: pos}
	beyond := &ir.Expr{Op: ir.OpLe, Type: yesNo, Args: []*ir.Expr{by, margin}, Pos: pos}
	if fails {
		beyond.Args = []*ir.Expr{margin, {Op: ir.OpNeg, Type: number, Args: []*ir.Expr{by}, Pos: pos}}
	}
	return &ir.Expr{Op: ir.OpAnd, Type: yesNo, Args: []*ir.Expr{success, beyond}, Pos: pos}
}

// valuesHint lists the values of an enum for a name that is none of them.
func (s *scope) valuesHint(t ir.Type, other ast.Expr) string {
	e := s.c.enums[t.Name]
	if _, named := other.(*ast.Name); t.Kind != ir.EnumType || e == nil || !named {
		return ""
	}
	return listHint("the values of "+e.Name+" are", e.Members)
}

// outcomeHint says which numbers an outcome has, if one is compared with a number; "" otherwise.
func (s *scope) outcomeHint(n *ast.Binary, x, y ir.Type) string {
	outcome := n.X
	if y.Kind == ir.Outcome {
		x, y, outcome = y, x, n.Y
	}
	if x.Kind != ir.Outcome || y.Kind != ir.Number {
		return ""
	}
	if path, ok := outcome.(*ast.Name); ok {
		return "name the number: `" + path.Name + ".natural` is the face of the die, `" + path.Name + ".total` and `" + path.Name + ".margin` the rest"
	}
	return "name the number: `.natural` is the face of the die, `.total` and `.margin` the rest"
}
