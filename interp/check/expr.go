package check

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/dice"
)

// This file types expressions. want is a wish: it decides what a bare word means, it is not a demand.

// value checks an expression that must be of type want, and met.
func (s *scope) value(e ast.Expr, want ir.Type) *ir.Expr {
	x := s.expr(e, &want)
	return s.demand(x, e, want)
}

// demand reports x unless it fits the type that is wanted; what is wrong becomes invalid, so that it is reported once.
func (s *scope) demand(x *ir.Expr, e ast.Expr, want ir.Type) *ir.Expr {
	if fits(x.Type, want) {
		if x.Type.Kind == ir.Nothing {
			x.Type = want
		}
		return x
	}
	if want.Kind == ir.Dice && x.Type.Kind == ir.Number && !x.Type.OrNone {
		return x // a number where dice stand is that many points: see compile of OpRoll
	}
	if x.Type.OrNone && sameType(x.Type, want) {
		s.errHint(e.Extent(), "none-not-met", fmt.Sprintf("this may be none, and %s is wanted", typeName(want)),
			"write `... otherwise VALUE`, or guard it with `is not none`")
		return s.bad(e.Extent())
	}
	hint := ""
	if want.Kind == ir.Quantity && x.Type.Kind == ir.Number {
		hint = "say what it counts: " + unitExample(want.Name)
	}
	if want.Kind == ir.Number && x.Type.Kind == ir.Dice {
		hint = "throw them with `roll`"
	}
	s.errHint(e.Extent(), "wrong-type", fmt.Sprintf("this is %s, and %s is wanted", article(typeName(x.Type)), typeName(want)), hint)
	return s.bad(e.Extent())
}

// article says a type within a sentence.
func article(name string) string {
	switch {
	case name == "none" || name == "dice" || name == "text" || name == "something unknown":
		return name
	case len(name) > 0 && (name[0] == 'a' || name[0] == 'e' || name[0] == 'i' || name[0] == 'o' || name[0] == 'u'):
		return "an " + name
	}
	return "a " + name
}

// unitExample shows how a quantity of the dimension is written.
func unitExample(dimension string) string {
	return map[string]string{"distance": "`5 ft`", "duration": "`1 round`", "weight": "`10 lb`", "money": "`5 gp`", "speed": "`20 mph`", "temperature": "`40 F`", "chance": "`25%`"}[dimension]
}

// cond checks a yes-no.
func (s *scope) cond(e ast.Expr) *ir.Expr { return s.value(e, yesNo) }

// expr types an expression, and takes what a guard has made sure for met.
func (s *scope) expr(e ast.Expr, want *ir.Type) *ir.Expr {
	x := s.unguarded(e, want)
	if x.Type.OrNone && x.Type.Kind != ir.Nothing && s.sure(x) {
		y := *x
		y.Type = met(x.Type)
		return &y
	}
	return x
}

// unguarded types an expression by its form alone.
func (s *scope) unguarded(e ast.Expr, want *ir.Type) *ir.Expr {
	switch n := e.(type) {
	case *ast.Number:
		return s.number(n)
	case *ast.Dice:
		if _, err := dice.Parse(n.Notation); err != nil {
			why := err.Error()
			if e := (*dice.Error)(nil); errors.As(err, &e) {
				why = e.Message
			}
			s.errHint(n.Span, "bad-dice", why, "dice are written 2d6, d20, d%, 4d6kh3")
			return s.bad(n.Span)
		}
		return s.constant(diceType, s.c.dice(n.Notation), n.Span)
	case *ast.String:
		return s.constant(text, s.c.intern(n.Value), n.Span)
	case *ast.Literal:
		switch n.Word {
		case "yes":
			return s.constant(yesNo, 1, n.Span)
		case "no":
			return s.constant(yesNo, 0, n.Span)
		}
		return s.constant(nothing, ir.None, n.Span)
	case *ast.Quantity:
		return s.measured(n)
	case *ast.Paren:
		return s.expr(n.X, want)
	case *ast.Name:
		if x := s.name(n.Ident, want); x != nil {
			return x
		}
		s.unknown(n.Ident, want)
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
		return s.quantified(n, want)
	case *ast.RollExpr:
		if h, args := s.hookNamed(n.Dice); h != nil {
			return s.hookRoll(h, args, n.Span)
		}
		if !s.acts(n.Span, "dice cannot be thrown") {
			return s.bad(n.Span)
		}
		return &ir.Expr{Op: ir.OpRoll, Type: number, Pos: s.pos(n.Span), Label: s.labelHere(), Args: []*ir.Expr{s.value(n.Dice, diceType)}}
	case *ast.Spent:
		r, ok := s.c.names[n.Resource.Name].(*ir.Resource)
		if !ok {
			s.errHint(n.Resource.Span, "unknown-resource", "there is no resource "+n.Resource.Name, s.c.nearest(n.Resource.Name, s.c.namesOf(isResource)))
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
		s.err(n.Span, "wrong-type", "%s cannot be made negative", article(typeName(x.Type)))
		return s.bad(n.Span)
	}
	if x.Op == ir.OpConst && x.Int != math.MinInt64 {
		x.Int = -x.Int
		return x
	}
	return &ir.Expr{Op: ir.OpNeg, Type: x.Type, Pos: s.pos(n.Span), Args: []*ir.Expr{x}}
}

// conditional types `if COND then A else B`: what COND makes sure holds in A, what its opposite makes sure in B.
func (s *scope) conditional(n *ast.Cond, want *ir.Type) *ir.Expr {
	c := s.cond(n.If)
	undo := s.assume(c, true)
	a := s.expr(n.Then, want)
	undo()
	undo = s.assume(c, false)
	b := s.expr(n.Else, want)
	undo()
	t, ok := s.join(a, b)
	if !ok {
		s.err(n.Span, "wrong-type", "one way gives %s, the other %s", article(typeName(a.Type)), article(typeName(b.Type)))
		return s.bad(n.Span)
	}
	return &ir.Expr{Op: ir.OpIf, Type: t, Pos: s.pos(n.Span), Args: []*ir.Expr{c, a, b}}
}

func isResource(x any) bool { _, ok := x.(*ir.Resource); return ok }

func isEffect(x any) bool { _, ok := x.(*ir.Effect); return ok }

func isStat(x any) bool { _, ok := x.(*ir.Stat); return ok }

func isProc(x any) bool { _, ok := x.(*ir.Proc); return ok }

// namesOf lists the names of one sort of definition, for hints.
func (c *checker) namesOf(is func(any) bool) []string {
	if !c.hinting() {
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

// acts tells whether this code may act, and reports it if not.
func (s *scope) acts(span ast.Span, what string) bool {
	if s.acting {
		return true
	}
	s.errHint(span, "not-pure", fmt.Sprintf("%s in %s, which only reads", what, s.where), "move it into a procedure, an action or a rule, and bind it with `let`")
	return false
}

// labelHere is the path of a throw or a choice that stands here.
func (s *scope) labelHere() string {
	if s.step != "" {
		return s.label + "." + s.step
	}
	return s.label
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

// measured is a reckoned number of a unit: (n + 1) minutes.
func (s *scope) measured(n *ast.Quantity) *ir.Expr {
	u, ok := words.Units[n.Unit.Name]
	if !ok {
		s.err(n.Unit.Span, "unknown-unit", "there is no unit %s", n.Unit.Name)
		return s.bad(n.Span)
	}
	t := quantity(u.Dimension)
	return &ir.Expr{Op: ir.OpMul, Type: t, Pos: s.pos(n.Span), Args: []*ir.Expr{s.value(n.X, number), s.constant(t, u.Size, n.Unit.Span)}}
}

// name resolves a bare name; nil when it means nothing here. The nearest meaning is taken: what the script or the code
// around it has bound, then the effect's own values, then what a rule interrupts, then a value of the enum that is wished
// for, then what self has, and last what the whole ruleset knows.
func (s *scope) name(id ast.Ident, want *ir.Type) *ir.Expr {
	c := s.c
	if id.Name == "self" {
		if x := s.selfExpr(id.Span); x != nil {
			return x
		}
		s.err(id.Span, "no-self", "nobody is `self` here")
		return s.bad(id.Span)
	}
	if x, ok := s.script[id.Name]; ok {
		if x.Op == ir.OpVar {
			s.c.wasRead[x.Var] = true
		}
		y := *x
		y.Pos = s.pos(id.Span)
		return &y
	}
	if v := s.lookup(id.Name); v != nil {
		return s.read(v, id.Span)
	}
	if s.effect != nil {
		for _, v := range s.effect.Values {
			if v.Name == id.Name {
				c.memoryType(s.effect, v)
				return s.read(v, id.Span)
			}
		}
	}
	if v := s.outerVar(id.Name); v != nil {
		return s.read(v, id.Span)
	}
	if s.actor != nil && id.Name == "actor" {
		return s.read(s.actor, id.Span)
	}
	if s.anyAction && id.Name == "action" {
		return &ir.Expr{Op: ir.OpBuiltin, Name: "action", Type: actionT, Pos: s.pos(id.Span)}
	}
	if s.anyAction {
		if k := c.kinds["action"]; k != nil && k.Field(id.Name) >= 0 {
			action := &ir.Expr{Op: ir.OpBuiltin, Name: "action", Type: actionT, Pos: s.pos(id.Span)}
			return s.property(action, id, nil)
		}
	}
	if want != nil && want.Kind == ir.EnumType {
		if e := c.enums[want.Name]; e != nil && e.Member(id.Name) >= 0 {
			return s.constant(enumOf(e.Name), int64(e.Member(id.Name)), id.Span)
		}
	}
	if s.self != nil {
		if x := s.property(s.selfExpr(id.Span), id, nil); x != nil {
			return x
		}
	}
	if s.own != nil {
		if x := s.own.field(s, id); x != nil {
			return x
		}
	}
	switch x := c.names[id.Name].(type) {
	case *ir.Option:
		c.option(x)
		k := s.constant(x.Type, x.Value, id.Span)
		k.Option = x
		return k
	case *ir.Global:
		c.global(x)
		if x.Var.Type.Kind == ir.Invalid {
			return s.bad(id.Span)
		}
		return s.read(x.Var, id.Span)
	case *ir.Template:
		if x.Kind != nil {
			return s.constant(refTo(x.Kind.Name), templateRef(x.Index), id.Span)
		}
		return s.bad(id.Span)
	case *ir.Define:
		return s.callDefine(x, nil, nil, id.Span)
	case *ir.Hook:
		return s.hookHere(x, want, id.Span)
	case *ir.Effect:
		if want != nil && want.Kind == ir.EffectRef {
			return s.constant(effectT, int64(x.Index), id.Span)
		}
	case *ir.Proc:
		if want != nil && want.Kind == ir.ActionRef && x.Action {
			return s.constant(actionT, int64(x.Index), id.Span)
		}
	}
	if b := builtins[id.Name]; b != nil && b.own && len(b.params) == 0 {
		return s.builtin(id, b, &ast.Call{Span: id.Span})
	} else if b != nil && len(b.params) == 0 {
		return &ir.Expr{Op: ir.OpBuiltin, Name: id.Name, Type: b.result, Pos: s.pos(id.Span)}
	}
	if e := c.enums[id.Name]; e != nil { // its name is the list of its values
		x := &ir.Expr{Op: ir.OpList, Type: listOf(enumOf(e.Name)), Pos: s.pos(id.Span)}
		for m := range e.Members {
			x.Args = append(x.Args, s.constant(enumOf(e.Name), int64(m), id.Span))
		}
		return x
	}
	if es := c.members[id.Name]; len(es) == 1 {
		return s.constant(enumOf(es[0].Name), int64(es[0].Member(id.Name)), id.Span)
	} else if len(es) > 1 {
		s.errHint(id.Span, "ambiguous-value", fmt.Sprintf("%s is a value of %s and of %s", id.Name, es[0].Name, es[1].Name), "say which by comparing it, or give the name a type")
		return s.bad(id.Span)
	}
	return nil
}

// templateRef is the value of a template: below every entity.
func templateRef(index int) int64 { return -int64(index) - 1 }

// unknown reports a name that means nothing here, with what may have been meant.
func (s *scope) unknown(id ast.Ident, want *ir.Type) {
	if s.lost(id) {
		return
	}
	var names []string
	for _, b := range s.vars {
		for n := range b {
			names = append(names, n)
		}
	}
	names = append(names, s.c.namesOf(func(any) bool { return true })...)
	for n := range s.script {
		names = append(names, n)
	}
	if s.outer != nil {
		for _, v := range s.outer.Vars {
			names = append(names, v.Name)
		}
	}
	if s.self != nil && s.self.Type.Kind == ir.Ref {
		for _, f := range s.c.kinds[s.self.Type.Name].Fields {
			names = append(names, f.Name)
		}
	}
	if want != nil && want.Kind == ir.EnumType {
		names = append(names, s.c.enums[want.Name].Members...)
	}
	hint := s.c.nearest(id.Name, names)
	if here := map[string]string{"true": "yes", "false": "no", "null": "none", "nil": "none"}[id.Name]; here != "" {
		hint = "the word is `" + here + "`"
	}
	switch x := s.c.names[id.Name].(type) {
	case *ir.Proc:
		hint = "`" + id.Name + "` acts: write `let NAME = " + id.Name + " ...` or use it as a command"
	case *ir.Effect:
		hint = fmt.Sprintf("`%s` is %s: write `self %s %s`", id.Name, article(x.Word), isOrHas(x), id.Name)
	case *ir.Table:
		hint = "look it up: " + id.Name + "[KEY]"
	case *ir.Stat, *ir.Resource:
		hint = "whose? write `WHO." + id.Name + "`"
	}
	s.errHint(id.Span, "unknown-name", "nothing here is called "+id.Name, hint)
}

// lost tells of a name that a step bound until a change took it away: the change is at fault, not who reads the name.
func (s *scope) lost(id ast.Ident) bool {
	for _, p := range []*ir.Proc{s.proc, s.outer} {
		if p == nil {
			continue
		}
		if o := s.c.set.Lost[p.Name+"."+id.Name]; o != nil {
			s.c.at(o.File, o.Span, "unbound-name", "this no longer binds "+id.Name+", which is still read", "bind it: let "+id.Name+" = ...",
				diag.Related{File: s.file, Span: id.Span, Message: "it is read here"})
			return true
		}
	}
	return false
}

// isOrHas is the verb of an effect: one is a condition and has a feat.
func isOrHas(e *ir.Effect) string {
	if e.Word == "condition" {
		return "is"
	}
	return "has"
}

// property is X.NAME; nil when X has none of that name. labelled are the parts of a stat's situation.
func (s *scope) property(x *ir.Expr, id ast.Ident, labelled []ast.Arg) *ir.Expr {
	c := s.c
	t := x.Type
	pos := s.pos(id.Span)
	if d := c.propsOf(t)[id.Name]; d != nil {
		return s.callDefine(d, x, labelled, id.Span)
	}
	switch t.Kind {
	case ir.Ref:
		k := c.kinds[t.Name]
		if i := k.Field(id.Name); i >= 0 {
			return &ir.Expr{Op: ir.OpField, Type: k.Fields[i].Type, Kind: k, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		}
		if t.Name != "creature" {
			if id.Name == "name" {
				return &ir.Expr{Op: ir.OpBuiltin, Name: "name", Type: text, Args: []*ir.Expr{x}, Pos: pos}
			}
			return nil
		}
		switch y := c.names[id.Name].(type) {
		case *ir.Stat:
			return s.stat(y, x, labelled, id.Span)
		case *ir.Resource:
			return &ir.Expr{Op: ir.OpResource, Type: y.Type, Resource: y, Args: []*ir.Expr{x}, Pos: pos}
		}
		switch id.Name {
		case "square":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "square-of", Type: square, Args: []*ir.Expr{x}, Pos: pos}
		case "name":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "name", Type: text, Args: []*ir.Expr{x}, Pos: pos}
		case "taking-turn":
			return &ir.Expr{Op: ir.OpBuiltin, Name: "taking-turn", Type: yesNo, Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Square:
		if id.Name == "terrain" && c.kinds["terrain"] != nil {
			return &ir.Expr{Op: ir.OpBuiltin, Name: "terrain", Type: listOf(refTo("terrain")), Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Outcome:
		if i := slices.Index(ir.OutcomeFields, id.Name); i >= 0 {
			return &ir.Expr{Op: ir.OpRecordGet, Type: outcomeField(i), Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.Record:
		p, _ := c.names[t.Name].(*ir.Proc)
		if p == nil {
			return s.bad(id.Span)
		}
		c.procBody(p)
		for i, v := range p.Record {
			if v.Name == id.Name {
				return &ir.Expr{Op: ir.OpRecordGet, Type: v.Type, Int: int64(i), Proc: p, Args: []*ir.Expr{x}, Pos: pos}
			}
		}
	case ir.ActionRef:
		if k := c.kinds["action"]; k != nil {
			if i := k.Field(id.Name); i >= 0 {
				return &ir.Expr{Op: ir.OpProperty, Type: k.Fields[i].Type, Name: id.Name, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
			}
		}
	case ir.PlanType:
		if id.Name == "actions" {
			return &ir.Expr{Op: ir.OpBuiltin, Name: "plan-actions", Type: listOf(actionT), Args: []*ir.Expr{x}, Pos: pos}
		}
	case ir.List:
		if id.Name == "length" {
			return &ir.Expr{Op: ir.OpBuiltin, Name: "length", Type: number, Args: []*ir.Expr{x}, Pos: pos}
		}
	}
	return nil
}

func (s *scope) field(n *ast.Field, labelled []ast.Arg) *ir.Expr {
	c := s.c
	// TABLE[KEY].COLUMN
	if ix, ok := n.X.(*ast.Index); ok {
		if t := s.tableOf(ix.X); t != nil {
			return s.tableLookup(t, ix, &n.Name)
		}
	}
	// WHO.EFFECT.MEMORY
	who, e, x := s.effectOf(n.X)
	if e != nil {
		for i, v := range e.Values {
			if v.Name == n.Name.Name {
				c.memoryType(e, v)
				return &ir.Expr{Op: ir.OpMemory, Type: v.Type, Effect: e, Int: int64(i), Args: []*ir.Expr{who}, Pos: s.pos(n.Span)}
			}
		}
		var names []string
		for _, v := range e.Values {
			names = append(names, v.Name)
		}
		s.errHint(n.Name.Span, "unknown-name", fmt.Sprintf("%s keeps nothing called %s", e.Name, n.Name.Name), c.nearest(n.Name.Name, names))
		return s.bad(n.Span)
	}
	if x == nil {
		x = s.expr(n.X, nil)
	}
	return s.fieldOf(x, n, labelled)
}

// fieldOf is the field of x, which is what stands before the dot.
func (s *scope) fieldOf(x *ir.Expr, n *ast.Field, labelled []ast.Arg) *ir.Expr {
	c := s.c
	if x.Type.Kind == ir.Invalid {
		return s.bad(n.Span)
	}
	if x.Type.OrNone {
		x = s.guarded(x, n.X)
	}
	if y := s.property(x, n.Name, labelled); y != nil {
		y.Pos = s.pos(n.Span)
		return y
	}
	s.errHint(n.Name.Span, "unknown-name", fmt.Sprintf("%s has nothing called %s", article(typeName(x.Type)), n.Name.Name), c.nearest(n.Name.Name, s.propertyNames(x.Type)))
	return s.bad(n.Span)
}

// guarded accepts reading through something that may be none where a guard has made sure; otherwise it reports.
func (s *scope) guarded(x *ir.Expr, e ast.Expr) *ir.Expr {
	s.errHint(e.Extent(), "none-not-met", "this may be none", "guard it with `is not none`, or write `... otherwise VALUE`")
	y := *x
	y.Type = met(x.Type)
	return &y
}

func (s *scope) propertyNames(t ir.Type) []string {
	c := s.c
	names := keys(c.propsOf(t))
	switch t.Kind {
	case ir.Ref:
		for _, f := range c.kinds[t.Name].Fields {
			names = append(names, f.Name)
		}
		if t.Name == "creature" {
			names = append(names, c.namesOf(isStat)...)
			names = append(names, c.namesOf(isResource)...)
			names = append(names, "square", "name")
		}
	case ir.Outcome:
		names = append(names, ir.OutcomeFields...)
	case ir.Record:
		if p, _ := c.names[t.Name].(*ir.Proc); p != nil {
			for _, v := range p.Record {
				names = append(names, v.Name)
			}
		}
	case ir.ActionRef:
		if k := c.kinds["action"]; k != nil {
			for _, f := range k.Fields {
				names = append(names, f.Name)
			}
		}
	}
	sort.Strings(names)
	return names
}

// effectOf recognises WHO.EFFECT and a bare EFFECT (of self), which stand only before a dot. When e is none, other is e
// checked, or nil when it has not been looked into: nothing is checked twice.
func (s *scope) effectOf(e ast.Expr) (who *ir.Expr, effect *ir.Effect, other *ir.Expr) {
	switch n := e.(type) {
	case *ast.Name:
		if s.lookup(n.Name) != nil || s.self == nil {
			return nil, nil, nil
		}
		if f, ok := s.c.names[n.Name].(*ir.Effect); ok && len(s.c.keeps(f)) > 0 {
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
			x = s.guarded(x, n.X)
		}
		s.c.keeps(f)
		return x, f, nil
	}
	return nil, nil, nil
}

// quiet checks an expression without reporting; nil when it has errors, and then nothing of it stays.
func (s *scope) quiet(e ast.Expr, want *ir.Type) *ir.Expr {
	heard, undo := s.c.heard, s.mark()
	s.c.muted++
	x := s.expr(e, want)
	s.c.muted--
	if s.c.heard > heard || x.Type.Kind == ir.Invalid {
		undo()
		return nil
	}
	return x
}

// mark remembers what checking an expression adds to its owner, and gives the way back.
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
	case s.plain != nil:
		lists = append(lists, s.plain)
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

// placeExpr types where something is: a square, or a creature for the square that it stands on.
func (s *scope) placeExpr(e ast.Expr) *ir.Expr {
	x := s.expr(e, &square)
	switch {
	case x.Type.Kind == ir.Invalid:
	case x.Type.Kind == ir.Square:
	case x.Type.Kind == ir.Ref && x.Type.Name == "creature":
		return &ir.Expr{Op: ir.OpBuiltin, Name: "square-of", Type: square, Pos: x.Pos, Args: []*ir.Expr{x}}
	default:
		s.err(e.Extent(), "wrong-type", "this is %s, and a creature or a square is wanted", article(typeName(x.Type)))
	}
	return x
}
