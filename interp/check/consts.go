package check

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/exact"
)

// This file folds constants: options, fields of templates, rolls.

// constScope is the scope of constants: no creature, no variables.
func (c *checker) constScope(file, where string) *scope {
	return &scope{c: c, file: file, where: where, vars: []map[string]*ir.Var{{}}, constOnly: true}
}

// fold computes a constant expression. ok is false if it is not constant, which fold reports.
func (s *scope) fold(x *ir.Expr, e ast.Expr) (*ir.Const, bool) {
	if x.Type.Kind == ir.Invalid {
		return &ir.Const{}, false
	}
	k := foldExpr(x)
	if k == nil {
		s.errHint(e.Extent(), "not-constant", "this must be known before anything runs", "use values, options, and sums of them")
		return &ir.Const{}, false
	}
	return k, true
}

// foldExpr computes a constant expression, nil if it is not constant or overflows.
func foldExpr(x *ir.Expr) *ir.Const {
	scalar := func(v int64, ok bool) *ir.Const {
		if !ok {
			return nil
		}
		return &ir.Const{Value: v}
	}
	switch x.Op {
	case ir.OpConst:
		if x.Option != nil {
			x.Option.Fix()
		}
		return &ir.Const{Value: x.Int}
	case ir.OpList:
		k := &ir.Const{IsList: true}
		for _, a := range x.Args {
			y := foldExpr(a)
			if y == nil {
				return nil
			}
			k.List = append(k.List, y)
		}
		return k
	case ir.OpNeg:
		a := foldExpr(x.Args[0])
		if a == nil {
			return nil
		}
		return scalar(exact.Sub(0, a.Value))
	case ir.OpIf, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAnd, ir.OpOr, ir.OpNot, ir.OpOtherwise:
		return foldLogic(x)
	case ir.OpListEq:
		return foldSame(x)
	case ir.OpIndex:
		list, i := foldExpr(x.Args[0]), foldExpr(x.Args[1])
		if list == nil || i == nil || i.Value < 1 || i.Value > int64(len(list.List)) {
			return nil
		}
		return list.List[i.Value-1]
	case ir.OpBuiltin:
		return foldBuiltin(x)
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpDiv, ir.OpDiceAdd, ir.OpDiceMul:
		a, b := foldExpr(x.Args[0]), foldExpr(x.Args[1])
		if a == nil || b == nil || a.IsList || b.IsList {
			return nil
		}
		switch x.Op {
		case ir.OpAdd:
			return scalar(exact.Add(a.Value, b.Value))
		case ir.OpSub:
			return scalar(exact.Sub(a.Value, b.Value))
		case ir.OpMul:
			return scalar(exact.Mul(a.Value, b.Value))
		case ir.OpDiv:
			return scalar(exact.FloorDiv(a.Value, b.Value))
		case ir.OpDiceAdd:
			flat := int64(int32(a.Value)) + b.Value
			if flat > math.MaxInt32 || flat < math.MinInt32 {
				return nil
			}
			return &ir.Const{Value: a.Value&^0xffffffff | int64(uint32(int32(flat)))}
		default:
			times := (a.Value >> 32 & 0xffff) * b.Value
			flat := int64(int32(a.Value)) * b.Value
			if times < 0 || times > math.MaxUint16 || flat > math.MaxInt32 || flat < math.MinInt32 {
				return nil
			}
			return &ir.Const{Value: a.Value&^0xffffffffffff | times<<32 | int64(uint32(int32(flat)))}
		}
	}
	return nil
}

// foldLogic computes comparisons, `and`, `or` and `if`, with short-circuit evaluation.
func foldLogic(x *ir.Expr) *ir.Const {
	a := foldExpr(x.Args[0])
	if a == nil || a.IsList {
		return nil
	}
	truth := func(yes bool) *ir.Const {
		if yes {
			return &ir.Const{Value: 1}
		}
		return &ir.Const{}
	}
	switch x.Op {
	case ir.OpNot:
		return truth(a.Value == 0)
	case ir.OpIf:
		if a.Value != 0 {
			return foldExpr(x.Args[1])
		}
		return foldExpr(x.Args[2])
	case ir.OpOtherwise:
		if a.Value != ir.None {
			return a
		}
		return foldExpr(x.Args[1])
	case ir.OpAnd, ir.OpOr:
		if (a.Value != 0) == (x.Op == ir.OpOr) {
			return a
		}
		return foldExpr(x.Args[1])
	}
	b := foldExpr(x.Args[1])
	if b == nil || b.IsList || x.Args[0].Type.Kind == ir.Dice {
		return nil
	}
	switch x.Op {
	case ir.OpEq:
		return truth(a.Value == b.Value)
	case ir.OpNe:
		return truth(a.Value != b.Value)
	case ir.OpLt:
		return truth(a.Value < b.Value)
	}
	return truth(a.Value <= b.Value)
}

// foldSame compares constant lists.
func foldSame(x *ir.Expr) *ir.Const {
	a, b := foldExpr(x.Args[0]), foldExpr(x.Args[1])
	if a == nil || b == nil || !a.IsList || !b.IsList {
		return nil
	}
	if elem := x.Args[0].Type.Elem; elem == nil || elem.Kind == ir.Dice {
		return nil
	}
	if sameConst(a, b) {
		return &ir.Const{Value: 1}
	}
	return &ir.Const{}
}

func sameConst(a, b *ir.Const) bool {
	return a.IsList == b.IsList && a.Value == b.Value && slices.EqualFunc(a.List, b.List, sameConst)
}

// foldBuiltin computes numeric functions, nil for others.
func foldBuiltin(x *ir.Expr) *ir.Const {
	var args []int64
	for _, a := range x.Args {
		k := foldExpr(a)
		if k == nil || k.IsList {
			return nil
		}
		args = append(args, k.Value)
	}
	switch x.Name {
	case "min":
		return &ir.Const{Value: slices.Min(args)}
	case "max":
		return &ir.Const{Value: slices.Max(args)}
	case "round-up":
		down, ok := exact.FloorDiv(args[0], args[1])
		if ok && down*args[1] != args[0] {
			down++
		}
		if ok {
			return &ir.Const{Value: down}
		}
	}
	return nil
}

func (c *checker) option(o *ir.Option) {
	if !c.enter(o, "the option "+o.Name) {
		return
	}
	defer c.leave(o)
	defer c.unmute()()
	d := c.defs[o]
	n := d.Node.(*ast.Option)
	s := c.constScope(c.fileOf(n.Value, d.Origin), "an option")
	if id := c.creatureOnlyName(n.Value); id != nil {
		hint := "make it a `define creature." + o.Name + " = ...`"
		if users := c.optionUsers(o.Name); len(users) > 0 {
			hint = "override the code that uses it: " + strings.Join(users, ", ")
		}
		s.errHint(id.Span, "not-constant", id.Name+" belongs to a creature, but an option is the same for everybody", hint)
		o.Type = invalid
		return
	}
	x := s.expr(n.Value, nil)
	o.Type = x.Type
	if k, ok := s.fold(x, n.Value); ok {
		o.Value = k.Value
		if k.IsList {
			s.errHint(n.Value.Extent(), "not-constant", "an option is a single value", "use a table for several values")
		}
	}
}

// creatureOnlyName finds a name in the value of an option that only a creature has, nil if there is none. A member of
// an enum may have the name of a field: a name that is the whole value is the member, unless it replaced something
// other than a name.
func (c *checker) creatureOnlyName(value ast.Expr) (found *ast.Ident) {
	ast.Contains(value, func(node any) bool {
		n, ok := node.(*ast.Name)
		if !ok {
			return false
		}
		def := c.names[n.Name]
		_, stat := def.(*ir.Stat)
		_, resource := def.(*ir.Resource)
		_, replacedName := c.set.Replaced[value].(*ast.Name)
		isWholeValue := value == ast.Expr(n) && (replacedName || c.set.Replaced[value] == nil)
		if stat || resource || def == nil && c.kinds["creature"].Field(n.Name) >= 0 && (c.members[n.Name] == nil || !isWholeValue) {
			found = &n.Ident
		}
		return found != nil
	})
	return found
}

// optionUsers lists the definitions that use an option, at most three.
func (c *checker) optionUsers(option string) (names []string) {
	c.whole()
	for _, d := range c.set.Defs {
		uses := ast.Contains(d.Node, func(node any) bool {
			n, ok := node.(*ast.Name)
			return ok && n.Name == option
		})
		if uses && len(names) < 3 {
			names = append(names, d.Name)
		}
	}
	return names
}

// global determines the type and the initial value of a memory of the game.
func (c *checker) global(g *ir.Global) {
	if !c.enter(g, "the memory "+g.Name) {
		return
	}
	defer c.leave(g)
	defer c.unmute()()
	d := c.defs[g]
	n := d.Node.(*ast.Keep)
	s := c.constScope(c.fileOf(n.Value, d.Origin), "the initial value of a memory")
	var x *ir.Expr
	if n.Type != nil {
		g.Var.Type = c.resolveType(s.file, n.Type)
		x = s.value(n.Value, g.Var.Type)
	} else {
		x = s.expr(n.Value, nil)
		g.Var.Type = x.Type
	}
	if n.When != nil || n.Unless != nil {
		s.errHint(n.Span, "misplaced", "a memory has a single initial value", "write `keep "+g.Name+" = if COND then A else B`")
	}
	switch {
	case x.Type.Kind == ir.Nothing && n.Type == nil:
		s.errHint(n.Value.Extent(), "untyped-none", "none of what? The type is not known here", "give it a type: keep "+g.Name+": TYPE or none = none")
		g.Var.Type = invalid
	case x.Type.Kind != ir.Invalid:
		if k, ok := s.fold(x, n.Value); ok {
			g.Initial = k
		}
	}
}

// foldConstants folds in the order of dependencies: templates take defaults from fields, and both can read options.
func (c *checker) foldConstants() {
	for _, t := range c.rs.Templates {
		c.resolveKind(t)
	}
	for _, o := range c.rs.Options {
		c.option(o)
	}
	for _, g := range c.rs.Globals {
		c.global(g)
	}
	for _, k := range c.rs.Kinds {
		c.fieldDefaults(k)
	}
	for _, t := range c.rs.Templates {
		if !c.isLeftOut(t) {
			c.between()
			c.template(t)
		}
	}
	c.inheritWays()
	for _, r := range c.rs.Rolls {
		c.roll(r)
	}
	for _, t := range c.rs.Tables {
		if !c.isLeftOut(t) {
			c.table(t)
		}
	}
}

// resolveKind finds the kind of a thing by the word that declares it.
func (c *checker) resolveKind(t *ir.Template) {
	d := c.defs[t]
	n := d.Node.(*ast.Template)
	if t.Kind = c.kinds[n.Kind.Name]; t.Kind == nil {
		hint := c.nearestHint(n.Kind.Name, slices.Concat(keys(c.kinds), declarationWords, words.LeadingWords(words.Script, words.Story)))
		c.errorAt(d.Origin.Root().File, n.Kind.Span, "unknown-kind", "there is no declaration or kind named "+n.Kind.Name, hint)
	}
}

// declarationWords are suggested for an unknown word at the start of a declaration.
var declarationWords = []string{"option", "enum", "bonus", "role", "permission", "kind", "roll", "stat", "view", "define", "table", "resource", "condition", "feat",
	"trait", "effect", "everyone", "procedure", "action", "rule", "reaction", "override", "extend", "remove", "tactics", "use"}

// fieldDefaults folds the defaults of the fields of a kind. What is no constant may be computed from other fields, in each
// thing of the kind from its own values.
func (c *checker) fieldDefaults(k *ir.Kind) {
	var open []openDefault
	for _, d := range c.set.Defs {
		n, ok := d.Node.(*ast.Kind)
		if !ok || n.Name.Name != k.Name || n.Body == nil {
			continue
		}
		for _, cl := range n.Body.Clauses {
			f, ok := cl.(*ast.FieldDecl)
			if !ok {
				continue
			}
			for _, id := range f.Names {
				i := k.Field(id.Name)
				if i < 0 {
					continue
				}
				fd := k.Fields[i]
				fd.Const = &ir.Const{Value: zero(fd.Type), IsList: fd.Type.Kind == ir.List}
				if like := defaultSource(k, f.Default, fd); like != nil {
					fd.DefaultFrom, fd.Const = like.Name, like.Const
				} else if f.Default != nil {
					g := &assignment{clause: &ast.Property{Span: f.Default.Extent(), Name: id, Values: []ast.Expr{f.Default}}, origin: c.originOf(d, cl)}
					reported := maps.Clone(c.reported)
					before := len(c.diags)
					s := c.constScope(c.fileOf(f.Default, g.origin), "a default")
					if v, ok := s.fold(s.value(f.Default, fd.Type), f.Default); ok {
						fd.Const = v
					} else if k.Name != "action" {
						open = append(open, openDefault{i, g, slices.Clone(c.diags[before:])})
						c.diags, c.reported = c.diags[:before], reported
					}
				}
				fd.Default = fd.Const.Value
			}
		}
	}
	c.computeDefaults(k, open)
}

// openDefault is a default that is no constant.
type openDefault struct {
	field      int
	assignment *assignment
	mistakes   []diag.Diagnostic // why it is none
}

// computeDefaults finds which defaults are computed from other fields; they have the values for the defaults of those.
func (c *checker) computeDefaults(k *ir.Kind, open []openDefault) {
	for _, o := range open {
		x := c.thing(k, k.Name, nil, nil, nil)
		for _, other := range open {
			x.assigned[other.field], x.values[other.field] = other.assignment, nil
		}
		before := len(c.diags)
		v := x.value(o.field)
		if o.assignment.readsFields {
			c.computedDefaults[k.Fields[o.field]] = o.assignment
			k.Fields[o.field].Const, k.Fields[o.field].Default = v, v.Value
		} else {
			c.diags = append(c.diags[:before], o.mistakes...)
		}
	}
}

// defaultSource is the property of actions whose value is the default of another one; nil if the default is anything
// else.
func defaultSource(k *ir.Kind, value ast.Expr, fd *ir.FieldDef) *ir.FieldDef {
	n, ok := value.(*ast.Name)
	if !ok || k.Name != "action" || k.Field(n.Name) < 0 {
		return nil
	}
	source := k.Fields[k.Field(n.Name)]
	if source.Const == nil || source == fd || !sameType(source.Type, fd.Type) { // it must be declared earlier
		return nil
	}
	return source
}

func (c *checker) template(t *ir.Template) {
	if t.Kind == nil || !c.enter(t, t.Name) {
		return
	}
	defer c.leave(t)
	d := c.defs[t]
	n := d.Node.(*ast.Template)
	var base *ir.Template
	if n.Extends != nil {
		base, _ = c.names[n.Extends.Name].(*ir.Template)
		if base == nil || base.Kind != t.Kind {
			base = nil
			hint := c.nearestHint(n.Extends.Name, c.namesOf(func(x any) bool {
				other, ok := x.(*ir.Template)
				return ok && other.Kind == t.Kind && other != t
			}))
			hint = cmp.Or(hint, fmt.Sprintf("declare it first: %s %s { ... }", t.Kind.Name, n.Extends.Name))
			c.errorAt(d.Origin.Root().File, n.Extends.Span, "unknown-template", "there is no "+t.Kind.Name+" called "+n.Extends.Name, hint)
		} else {
			c.template(base)
			t.Extends = base
		}
	}
	var clauses []ast.Clause
	if n.Body != nil {
		clauses = slices.DeleteFunc(slices.Clone(n.Body.Clauses), func(cl ast.Clause) bool { _, way := cl.(*ast.Way); return way })
	}
	x := c.thing(t.Kind, t.Name, base, clauses, func(cl ast.Clause) *link.Origin { return c.originOf(d, cl) })
	t.Values, t.Parts, t.Effects = x.allValues(), x.parts, x.has
	if base != nil {
		t.Effects = slices.Concat(base.Effects, t.Effects)
	}
	if x.computed != nil {
		c.computed[t] = x.computed
	}
}

// foldEffectArgs folds the arguments of an effect in a template.
func (s *scope) foldEffectArgs(e *ir.Effect, g ast.GivenEffect) ([]*ir.Const, bool) {
	diagsBefore := len(s.c.diags)
	exprs := s.effectArgs(e, g.Args, true, g.Name.Span)
	if len(s.c.diags) > diagsBefore {
		return nil, false
	}
	out := make([]*ir.Const, len(exprs))
	for i, x := range exprs {
		if out[i] = foldExpr(x); out[i] == nil {
			s.errHint(g.Name.Span, "not-constant", "the "+e.Values[i].Name+" of "+e.Name+" must be known before anything runs", "use values, options, and sums of them")
			return nil, false
		}
	}
	return out, true
}

// fieldValue folds the value of a field of type t, nil if it is wrong. A list is written as a list, or as its elements
// one after the other.
func (s *scope) fieldValue(p *ast.Property, t ir.Type) *ir.Const {
	if t.Kind == ir.List {
		list := &ir.Const{IsList: true}
		if len(p.Values) == 1 {
			if _, whole := p.Values[0].(*ast.List); whole {
				if v, ok := s.fold(s.value(p.Values[0], t), p.Values[0]); ok {
					list = v
				}
				return list
			}
		}
		for _, e := range p.Values {
			if v, ok := s.fold(s.value(e, *t.Elem), e); ok {
				list.List = append(list.List, v)
			}
		}
		return list
	}
	if len(p.Values) != 1 {
		s.err(p.Span, "wrong-type", "%s is one %s", p.Name.Name, typeName(t))
		return nil
	}
	if v, ok := s.fold(s.value(p.Values[0], t), p.Values[0]); ok {
		return v
	}
	return nil
}

// hasUnparsed reports whether a clause of the body could not be parsed: it may contain what seems missing.
func hasUnparsed(b *ast.Block) bool {
	return slices.ContainsFunc(b.Clauses, func(cl ast.Clause) bool { _, bad := cl.(*ast.Bad); return bad })
}

func (c *checker) roll(r *ir.Roll) {
	d := c.defs[r]
	n := d.Node.(*ast.Roll)
	if n.Body == nil {
		return
	}
	hasDie := false
	for _, cl := range n.Body.Clauses {
		rc, ok := cl.(*ast.RollClause)
		if !ok {
			c.misplaced(d, cl, "in a roll", "the clauses are `die DICE` and `natural N fails`")
			continue
		}
		o := c.originOf(d, cl)
		s := c.constScope(o.Root().File, "a roll")
		if len(rc.Says) == 2 || rc.Die != nil {
			c.unguarded(o.Root().File, rc.Tail, "a clause of a roll other than `natural N`", "declare another roll, and stats or checks that are `rolled as` that one")
		}
		if rc.Die != nil {
			hasDie = true
			s.file = c.fileOf(rc.Die, o)
			if k, ok := s.fold(s.value(rc.Die, diceType), rc.Die); ok {
				r.Die = ir.UnpackDice(k.Value)
			}
			r.DiePart = c.partIfCited(r.Name+".die", o, rc.Span)
			continue
		}
		if len(rc.Says) == 2 {
			r.Says = [2]string{rc.Says[0].Value, rc.Says[1].Value}
			continue
		}
		v := ir.RollVerdict{Succeeds: rc.Verdict.Name == "succeeds", Part: c.newPart(r.Name+".natural", o, rc.Span, nil, rc.Cites)}
		if k, ok := s.fold(s.value(rc.Natural, number), rc.Natural); ok {
			v.Natural = k.Value
			v.Part.Path = fmt.Sprintf("%s.natural-%d", r.Name, k.Value)
			c.addChangeCites(v.Part, v.Part.Path)
		}
		if rc.When != nil || rc.Unless != nil {
			g := c.constScope(o.Root().File, "a guard")
			g.constOnly = false
			roller := &ir.Var{Name: "self", Type: creature, Kind: ir.VarSelf}
			foe := &ir.Var{Name: "foe", Type: creature, Kind: ir.VarParam, Index: 1, Label: "against"}
			g.self = roller
			g.vars[0]["roller"], g.vars[0]["foe"] = roller, foe
			v.When = &ir.Func{Params: []*ir.Var{roller, foe}, Pos: g.pos(rc.Span)}
			g.fn = v.When
			v.When.Body = g.guard(rc.Tail)
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	if !hasDie && !hasUnparsed(n.Body) {
		c.errorAt(d.Origin.Root().File, n.Name.Span, "incomplete", "the roll "+r.Name+" has no die", "write `die d20`")
	}
}
