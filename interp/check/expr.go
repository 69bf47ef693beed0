package check

import (
	"cmp"
	"fmt"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/words"
	"arbiter/stdlib/exact"
)

// This file types expressions. The expected type, want, resolves ambiguous names; it is not a requirement.

// value checks an expression that must have type want.
func (s *scope) value(e ast.Expr, want ir.Type) *ir.Expr {
	x := s.expr(e, &want)
	return s.demand(x, e, want)
}

// demand reports x unless it fits the type want. A wrong expression becomes invalid, so it is reported once.
func (s *scope) demand(x *ir.Expr, e ast.Expr, want ir.Type) *ir.Expr {
	return s.demandHinting(x, e, want, "")
}

// demandHinting is demand with a hint, "" for one that fits the two types.
func (s *scope) demandHinting(x *ir.Expr, e ast.Expr, want ir.Type, hint string) *ir.Expr {
	if fits(x.Type, want) {
		if x.Type.Kind == ir.Nothing {
			x.Type = want
		}
		return x
	}
	if want.Kind == ir.Dice && x.Type.Kind == ir.Number && !x.Type.OrNone {
		return s.numberAsDice(x, e)
	}
	if x.Type.OrNone && sameType(x.Type, want) {
		s.errHint(e.Extent(), "none-not-met", fmt.Sprintf("this may be none, but %s is expected", typeName(want)),
			"write `... otherwise VALUE`, or guard it with `is not none`")
		return s.bad(e.Extent())
	}
	s.errHint(e.Extent(), "wrong-type", fmt.Sprintf("this is %s, but %s is expected", article(typeName(x.Type)), typeName(want)), cmp.Or(hint, s.mismatchHint(e, x, want)))
	return s.bad(e.Extent())
}

// missingUnitHint is the hint for a number where a quantity is wanted, "" for anything else.
func missingUnitHint(e ast.Expr, is, want ir.Type) string {
	if want.Kind != ir.Quantity || is.Kind != ir.Number {
		return ""
	}
	if n, ok := e.(*ast.Number); ok {
		return "add the unit: " + quantityText(n.Value, want.Name)
	}
	return "add the unit: " + unitExample(want.Name)
}

// maxDice is the highest number of dice notations that a dice value can encode, less one for those of the checker
// itself.
const maxDice = 1<<15 - 1

// numberAsDice converts a number to dice that always roll that number.
func (s *scope) numberAsDice(x *ir.Expr, e ast.Expr) *ir.Expr {
	if x.Type.Kind != ir.Number {
		return x
	}
	if x.Op != ir.OpConst {
		return &ir.Expr{Op: ir.OpDiceAdd, Type: diceType, Pos: x.Pos, Args: []*ir.Expr{s.constant(diceType, ir.DiceValue{}.Pack(), e.Extent()), x}}
	}
	if x.Int != int64(int32(x.Int)) {
		s.errHint(e.Extent(), "number-too-large", "this is too large a modifier for dice", "at most 2,147,483,647")
		return s.bad(e.Extent())
	}
	return s.constant(diceType, ir.DiceValue{Flat: int32(x.Int)}.Pack(), e.Extent())
}

// article returns the name of a type with its article.
func article(name string) string {
	switch {
	case name == "none" || name == "dice" || name == "money" || name == "text" || name == "something unknown":
		return name
	case len(name) > 0 && (name[0] == 'a' || name[0] == 'e' || name[0] == 'i' || name[0] == 'o' || name[0] == 'u'):
		return "an " + name
	}
	return "a " + name
}

// exampleUnits are the units in examples of quantities, each with a usual number.
var exampleUnits = map[string]struct {
	usual int64
	unit  string
}{
	"distance": {5, " ft"}, "duration": {1, " round"}, "weight": {10, " lb"}, "money": {5, " gp"}, "speed": {20, " mph"}, "temperature": {40, " F"}, "chance": {25, "%"},
}

// unitExample is an example of a quantity.
func unitExample(dimension string) string {
	return quantityText(exampleUnits[dimension].usual, dimension)
}

// quantityText returns a quantity as it is written.
func quantityText(n int64, dimension string) string {
	unit := exampleUnits[dimension].unit
	if dimension == "duration" && n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("`%d%s`", n, unit)
}

// cond checks a condition.
func (s *scope) cond(e ast.Expr) *ir.Expr { return s.value(e, yesNo) }

// expr types an expression, which is not none if a guard has proved that.
func (s *scope) expr(e ast.Expr, want *ir.Type) *ir.Expr {
	x := s.exprWithoutFacts(e, want)
	if x.Type.OrNone && x.Type.Kind != ir.Nothing && s.provedNotNone(x) {
		y := *x
		y.Type = notNone(x.Type)
		return &y
	}
	return x
}

// exprWithoutFacts types an expression without regard to guards.
func (s *scope) exprWithoutFacts(e ast.Expr, want *ir.Type) *ir.Expr {
	switch n := e.(type) {
	case *ast.Number:
		return s.number(n)
	case *ast.Dice:
		return s.dice(n.Notation, n.Span)
	case *ast.String:
		if want != nil && want.Kind == ir.Dice {
			return s.dice(n.Value, n.Span)
		}
		return s.constant(text, s.c.textValue(n.Value), n.Span)
	case *ast.Literal:
		switch n.Word {
		case "yes":
			return s.constant(yesNo, 1, n.Span)
		case "no":
			return s.constant(yesNo, 0, n.Span)
		}
		return s.constant(nothing, ir.None, n.Span)
	case *ast.Quantity:
		return s.computedQuantity(n)
	case *ast.Paren:
		return s.expr(n.X, want)
	case *ast.Name:
		if x := s.name(n.Ident, want); x != nil {
			return x
		}
		s.errUnknown(n.Ident, want)
		return s.bad(n.Span)
	case *ast.Field:
		return s.field(n, nil)
	case *ast.Index:
		return s.index(n)
	case *ast.Call:
		return s.call(n, want)
	case *ast.Unary:
		return s.unary(n, want)
	case *ast.Binary:
		return s.binary(n, want)
	case *ast.IsTest:
		return s.isTest(n)
	case *ast.Within:
		d := &ir.Expr{Op: ir.OpBuiltin, Name: "distance", Type: quantity("distance"), Pos: s.pos(n.Span), Args: []*ir.Expr{s.placeExpr(n.X), s.placeExpr(n.Of)}}
		return &ir.Expr{Op: ir.OpLe, Type: yesNo, Pos: s.pos(n.Span), Args: []*ir.Expr{d, s.value(n.Distance, quantity("distance"))}}
	case *ast.Verdict:
		return s.verdict(n)
	case *ast.Cond:
		return s.conditional(n, want)
	case *ast.Quantified:
		return s.quantified(n)
	case *ast.RollExpr:
		if h, args := s.hookNamed(n.Dice); h != nil {
			return s.hookRoll(h, args, n.Span)
		}
		if !s.requireActing(n.Span, "dice cannot be rolled") {
			return s.bad(n.Span)
		}
		return &ir.Expr{Op: ir.OpRoll, Type: number, Pos: s.pos(n.Span), Label: s.labelOf(rolled), Args: []*ir.Expr{s.rollOperand(n.Dice)}}
	case *ast.Spent:
		r, ok := s.c.names[n.Resource.Name].(*ir.Resource)
		if !ok {
			s.errHint(n.Resource.Span, "unknown-resource", "there is no resource "+n.Resource.Name, s.c.nearestHint(n.Resource.Name, s.c.namesOf(isResource)))
			return s.bad(n.Span)
		}
		return &ir.Expr{Op: ir.OpSpent, Type: number, Resource: r, Pos: s.pos(n.Span)}
	case *ast.List:
		return s.list(n, want)
	case *ast.Tuple:
		x := &ir.Expr{Op: ir.OpBuiltin, Name: "square", Type: square, Pos: s.pos(n.Span)}
		for _, it := range n.Items {
			x.Args = append(x.Args, s.value(it, number))
		}
		if len(n.Items) < 2 || len(n.Items) > 3 {
			s.errHint(n.Span, "wrong-type", "a square has two or three coordinates", "write (x, y) or (x, y, z)")
		}
		return x
	case *ast.Plan:
		return s.plan(n)
	case nil:
		return s.bad(ast.Span{})
	}
	return s.bad(e.Extent())
}

func (s *scope) unary(n *ast.Unary, want *ir.Type) *ir.Expr {
	if n.Op.Name == "not" {
		return &ir.Expr{Op: ir.OpNot, Type: yesNo, Pos: s.pos(n.Span), Args: []*ir.Expr{s.cond(n.X)}}
	}
	x := s.expr(n.X, want)
	if !s.arithmetic(x, n.X) {
		return s.bad(n.Span)
	}
	if k := x.Type.Kind; k != ir.Number && k != ir.Quantity {
		if d := s.combinedDice(n.Span, "-%s", x); d != nil {
			return d
		}
		s.err(n.Span, "wrong-type", "%s cannot be made negative", article(typeName(x.Type)))
		return s.bad(n.Span)
	}
	if x.Op == ir.OpConst && x.Int >= -exact.Max && -x.Int >= exact.Min {
		x.Int = -x.Int
		return x
	}
	return &ir.Expr{Op: ir.OpNeg, Type: x.Type, Pos: s.pos(n.Span), Args: []*ir.Expr{x}}
}

// rollOperand checks the operand of `roll`; a number is allowed, and results in itself.
func (s *scope) rollOperand(e ast.Expr) *ir.Expr {
	x := s.expr(e, &diceType)
	if x.Type.Kind == ir.Number && !x.Type.OrNone {
		return x
	}
	return s.demand(x, e, diceType)
}

// conditional types `if COND then A else B`: A is checked with the facts of COND, B with those of its negation.
func (s *scope) conditional(n *ast.Cond, want *ir.Type) *ir.Expr {
	c := s.cond(n.If)
	undo := s.assume(c, true)
	a := s.expr(n.Then, want)
	undo()
	undo = s.assume(c, false)
	b := s.expr(n.Else, want)
	undo()
	t, ok := s.commonType(a, b)
	if !ok {
		hint := cmp.Or(missingUnitHint(n.Else, b.Type, a.Type), missingUnitHint(n.Then, a.Type, b.Type))
		s.errHint(n.Span, "wrong-type", fmt.Sprintf("one branch gives %s, the other %s", article(typeName(a.Type)), article(typeName(b.Type))), hint)
		return s.bad(n.Span)
	}
	if t.Kind == ir.Dice {
		a, b = s.numberAsDice(a, n.Then), s.numberAsDice(b, n.Else)
	}
	return &ir.Expr{Op: ir.OpIf, Type: t, Pos: s.pos(n.Span), Args: []*ir.Expr{c, a, b}}
}

func isResource(x any) bool { _, ok := x.(*ir.Resource); return ok }

func isEffect(x any) bool { _, ok := x.(*ir.Effect); return ok }

func isStat(x any) bool { _, ok := x.(*ir.Stat); return ok }

func isProc(x any) bool { _, ok := x.(*ir.Proc); return ok }

// namesOf lists the names of some definitions, for hints.
func (c *checker) namesOf(is func(any) bool) []string {
	if !c.wantsHints() {
		return nil
	}
	var names []string
	for n, x := range c.names {
		if is(x) {
			names = append(names, n)
		}
	}
	return names
}

// expectation is where a script states what must hold.
const expectation = "an expectation"

// requireActing reports whether this code may have side effects; if not, it makes a diagnostic.
func (s *scope) requireActing(span ast.Span, what string) bool {
	if s.acting {
		return true
	}
	hint := "move it into a procedure, an action or a rule, and bind it with `let`"
	if s.where == expectation {
		hint = "bind it before: `let NAME = ...`, and expect something of NAME"
	}
	s.errHint(span, "not-pure", fmt.Sprintf("%s in %s, which must not change anything", what, s.where), hint)
	return false
}

func (s *scope) number(n *ast.Number) *ir.Expr {
	if n.Unit.Name == "" {
		return s.constant(number, n.Value, n.Span)
	}
	u, ok := words.Units[n.Unit.Name]
	if !ok {
		s.err(n.Unit.Span, "unknown-unit", "there is no unit %s", n.Unit.Name)
		return s.bad(n.Span)
	}
	v := n.Value * u.Size
	if n.Value != 0 && (v/u.Size != n.Value) {
		s.err(n.Span, "overflow", "this number is too large")
	}
	return s.constant(quantity(u.Dimension), v, n.Span)
}

// computedQuantity types a computed number with a unit: (n + 1) minutes.
func (s *scope) computedQuantity(n *ast.Quantity) *ir.Expr {
	u, ok := words.Units[n.Unit.Name]
	if !ok {
		s.err(n.Unit.Span, "unknown-unit", "there is no unit %s", n.Unit.Name)
		return s.bad(n.Span)
	}
	t := quantity(u.Dimension)
	return &ir.Expr{Op: ir.OpMul, Type: t, Pos: s.pos(n.Span), Args: []*ir.Expr{s.value(n.X, number), s.constant(t, u.Size, n.Unit.Span)}}
}

// effectOf recognizes WHO.EFFECT and a bare EFFECT (of self), which occur only before a dot. If e is something else,
// other is the checked e, or nil if e has not been checked, so nothing is checked twice.
func (s *scope) effectOf(e ast.Expr) (who *ir.Expr, effect *ir.Effect, other *ir.Expr) {
	switch n := e.(type) {
	case *ast.Name:
		if s.lookup(n.Name) != nil || s.self == nil {
			return nil, nil, nil
		}
		if f, ok := s.c.names[n.Name].(*ir.Effect); ok && len(s.c.declareMemory(f)) > 0 {
			return s.selfExpr(n.Span), f, nil
		}
	case *ast.Field:
		f, ok := s.c.names[n.Name.Name].(*ir.Effect)
		if !ok || s.c.kinds["creature"].Field(n.Name.Name) >= 0 {
			return nil, nil, nil
		}
		x := s.expr(n.X, nil)
		if x.Type.Kind != ir.Ref || x.Type.Name != "creature" {
			return nil, nil, s.fieldOf(x, n, nil)
		}
		if x.Type.OrNone {
			x = s.errMayBeNone(x, n.X)
		}
		s.c.declareMemory(f)
		return x, f, nil
	}
	return nil, nil, nil
}

// tryExpr checks an expression without reporting. If there are errors, it returns nil and undoes all changes.
func (s *scope) tryExpr(e ast.Expr, want *ir.Type) *ir.Expr {
	errorsBefore, undo := s.c.mutedErrors, s.mark()
	s.c.muted++
	x := s.expr(e, want)
	s.c.muted--
	if s.c.mutedErrors > errorsBefore || x.Type.Kind == ir.Invalid {
		undo()
		return nil
	}
	return x
}

// mark returns a function that undoes what checking an expression adds to its owner.
func (s *scope) mark() (undo func()) {
	var lists []*[]*ir.Var
	if s.fn != nil {
		lists = append(lists, &s.fn.Needs)
	}
	switch {
	case s.proc != nil:
		lists = append(lists, &s.proc.Vars)
	case s.rule != nil:
		lists = append(lists, &s.rule.Vars)
	case s.locals != nil:
		lists = append(lists, s.locals)
	}
	var lengths [2]int
	for i, l := range lists {
		lengths[i] = len(*l)
	}
	return func() {
		for i, l := range lists {
			*l = (*l)[:lengths[i]]
		}
	}
}

// placeExpr types a position: a square, or a creature for the square it is on.
func (s *scope) placeExpr(e ast.Expr) *ir.Expr {
	x := s.expr(e, &square)
	switch {
	case x.Type.Kind == ir.Invalid:
	case x.Type.Kind == ir.Square:
	case x.Type.Kind == ir.Ref && x.Type.Name == "creature":
		return &ir.Expr{Op: ir.OpBuiltin, Name: "square-of", Type: square, Pos: x.Pos, Args: []*ir.Expr{x}}
	default:
		s.err(e.Extent(), "wrong-type", "this is %s, but a creature or a square is expected", article(typeName(x.Type)))
	}
	return x
}
