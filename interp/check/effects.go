package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file checks effects: their memory, and what they do to the creatures that have them.

// declareMemory declares an effect's memory, without its types.
func (c *checker) declareMemory(e *ir.Effect) []*ir.Var {
	n := c.effectNodes[e]
	if n == nil || n.Body == nil || c.memoryDeclared[e] {
		return e.Values
	}
	c.memoryDeclared[e] = true
	d := c.defs[e]
	for _, cl := range n.Body.Clauses {
		k, ok := cl.(*ast.Keep)
		if !ok {
			continue
		}
		o := c.originOf(d, cl)
		if len(e.Values) == 8 {
			c.errorAt(o.Root().File, k.Span, "limit", "an effect has at most 8 parameters and memories", "")
			break
		}
		v := &ir.Var{Name: k.Name.Name, Kind: ir.VarMemory, Index: len(e.Values)}
		if k.Type != nil {
			v.Type = c.resolveType(o.Root().File, k.Type)
		}
		e.Values = append(e.Values, v)
		c.keepNodes[v] = k
	}
	return e.Values
}

// checkMemory infers the type of a memory from its first value.
func (c *checker) checkMemory(e *ir.Effect, v *ir.Var) {
	k := c.keepNodes[v]
	if k != nil && c.state[v] == busy && k.Type == nil && !c.typingReplaced[v] {
		c.errorAt(c.originOf(c.defs[e], k).Root().File, k.Name.Span, "cycle", v.Name+" needs its own value to start with", "give it a type: `keep "+v.Name+": TYPE = ...`")
	}
	if k == nil || c.state[v] != fresh {
		return
	}
	c.state[v] = busy
	defer c.unmute()()
	d := c.defs[e]
	file := c.originOf(d, k).Root().File
	self := selfVar(creature)
	inst := &ir.Var{Name: "instance", Type: number, Kind: ir.VarInstance}
	f, x := c.pureFunc(c.fileOf(k.Value, c.originOf(d, k)), "a memory's first value", self, nil, inst, func(s *scope) *ir.Expr {
		s.effect = e
		if k.Value == nil {
			return s.constant(v.Type, zero(v.Type), k.Span)
		}
		if k.Type != nil {
			return s.value(k.Value, v.Type)
		}
		return s.expr(k.Value, s.replacedType(v, k.Value, c.originOf(d, k)))
	})
	if k.Type == nil {
		v.Type = x.Type
		if x.Type.Kind == ir.Nothing {
			c.errorAt(file, k.Span, "untyped-none", "none of what?", "write `keep "+k.Name.Name+": TYPE or none = none`")
			v.Type = invalid
		}
	}
	if v.Type.Kind == ir.List || v.Type.Kind == ir.Record || v.Type.Kind == ir.Outcome {
		c.errorAt(file, k.Span, "wrong-type", "an effect can keep single values, not "+article(typeName(v.Type)), "")
	}
	for len(e.Initial) < len(e.Values)-e.NParams {
		e.Initial = append(e.Initial, nil)
	}
	f.Part = c.partIfCited(e.Name+"."+v.Name, c.originOf(d, k), k.Span)
	e.Initial[v.Index-e.NParams] = f
	c.state[v] = done
}

// effectBody checks an effect's clauses. Its memory comes first: the clauses may read it.
func (c *checker) effectBody(e *ir.Effect) {
	d := c.defs[e]
	n := c.effectNodes[e]
	file := d.Origin.Root().File
	for _, v := range c.declareMemory(e)[e.NParams:] {
		c.checkMemory(e, v)
	}
	if n.While != nil {
		from := c.fileOf(n.While, d.Origin)
		e.While, _ = c.pureFunc(from, "a `while`", selfVar(creature), nil, nil, func(s *scope) *ir.Expr {
			g := s.cond(n.While)
			s.warnNeverTrue(g, n.While)
			return g
		})
		e.While.Pos = ir.Pos{File: c.file(from), Span: n.While.Extent()}
		e.While.Part = c.partIfCited(e.Name+".while", d.Origin, n.While.Extent())
		if len(e.Values) > 0 {
			c.errorAt(file, n.Name.Span, "derived-effect", "an effect with a `while` has no parameters or memories", "")
		}
	}
	if n.Body == nil {
		return
	}
	for _, cl := range n.Body.Clauses {
		o := c.originOf(d, cl)
		k := &effectClause{c: c, effect: e, origin: o, self: selfVar(creature), inst: &ir.Var{Name: "instance", Type: number, Kind: ir.VarInstance}}
		switch x := cl.(type) {
		case *ast.Modifier:
			k.modifiers(x)
		case *ast.Denied:
			for _, id := range x.Stats {
				stats := c.modifiableStats(o.Root().File, id)
				if len(stats) == 0 {
					continue
				}
				part := c.newPart(e.Name+".denied-"+id.Name, o, x.Span, nil, x.Cites)
				for _, st := range stats {
					e.Denials = append(e.Denials, &ir.Denial{Stat: st, Set: c.nameSet(o.Root().File, st, x.Names), Guard: k.guard(st.Params, x.Tail), Part: part})
				}
			}
		case *ast.Cannot:
			k.cannots(x)
		case *ast.Includes:
			k.includes(x)
		case *ast.Must:
			k.must(x)
		case *ast.Lasts:
			s := k.scope("a duration")
			if e.Lasts = s.duration(&x.Duration); e.Lasts != nil {
				e.Lasts.Part = c.partIfCited(e.Name+".lasts", o, x.Span)
			}
			c.unguarded(o.Root().File, x.Tail, "how long an effect lasts", "write `lasts for (if COND then A else B)`, or state a duration where it is gained")
			switch {
			case n.While != nil:
				c.errorAt(o.Root().File, x.Span, "misplaced", e.Name+" lasts while its condition holds, and no longer", "remove one of them")
			case n.Word.Name == "everyone":
				c.errorAt(o.Root().File, x.Span, "misplaced", "what everyone has lasts for ever", "declare `effect "+e.Name+"`, and a rule by which it is gained")
			}
		case *ast.Rule:
			c.rule(d, x, e, nil, e.Name+"."+x.Name.Name)
		case *ast.Documentation:
			c.document(o.Root().File, x, e.Part)
		case *ast.Keep:
			c.unguarded(o.Root().File, x.Tail, "a memory", "write `keep "+x.Name.Name+" = if COND then A else B`")
		case *ast.Is:
			e.Internal = c.isInternal(d, x, "in an effect")
		case *ast.If:
			c.misplaced(d, cl, "in an effect", "a condition comes last, with `when` or `unless`: +2 to STAT when COND")
		default:
			c.misplaced(d, cl, "in an effect", "an effect has modifiers, `denied`, `cannot`, `must`, `includes`, `keep`, `lasts`, `is internal` and rules")
		}
	}
}

// hasOnlyFlag reports whether a clause sets this flag and nothing else, without a guard.
func hasOnlyFlag(x *ast.Is, flag string) bool {
	return len(x.Names) == 1 && x.Names[0].Name == flag && x.When == nil && x.Unless == nil
}

// isInternal checks the flag that effects, resources and the bodies of kinds have.
func (c *checker) isInternal(d *link.Def, x *ast.Is, where string) bool {
	if hasOnlyFlag(x, "internal") {
		return true
	}
	hint := "the only flag here is `is internal`, which keeps it out of sight; `includes NAME` brings another effect"
	switch d.Node.(type) {
	case *ast.Resource:
		hint = "the flags here are `is internal`, which keeps it out of sight, `is counted-elsewhere`, for what changes another resource as well, `is whole-turn`, for what takes the place of all else in a turn, and `is beside-actions`, for what comes besides"
	case *ast.Kind:
		hint = "the only flag here is `is internal`, which keeps the fields of this body out of sight; a field is `NAME: flag`"
	}
	c.misplaced(d, x, where, hint)
	return false
}

// effectClause is what the checks of one clause of an effect share.
type effectClause struct {
	c          *checker
	effect     *ir.Effect
	origin     *link.Origin // of the clause
	self, inst *ir.Var      // the bearer, and the instance of the effect
}

// scope returns a scope for what a clause does or computes beside the stats.
func (k *effectClause) scope(where string) *scope {
	s := &scope{c: k.c, file: k.origin.Root().File, where: where, self: k.self, inst: k.inst, effect: k.effect, vars: []map[string]*ir.Var{{}}, label: k.effect.Name}
	s.push()
	return s
}

// code checks code in the situation given by the parameters, such as that in which a stat is read.
func (k *effectClause) code(where string, params []*ir.Var, body func(*scope) *ir.Expr) *ir.Func {
	f, _ := k.c.pureFunc(k.origin.Root().File, where, k.self, params, k.inst, func(s *scope) *ir.Expr {
		s.effect = k.effect
		return body(s)
	})
	return f
}

// guard checks the guard of a clause, nil if it always holds.
func (k *effectClause) guard(params []*ir.Var, t ast.Tail) *ir.Func {
	if t.When == nil && t.Unless == nil {
		return nil
	}
	return k.code("a guard", params, func(s *scope) *ir.Expr { return s.guard(t) })
}

// cannots checks a `cannot`. The guard may read the parameters of the forbidden action: they are a situation, absent
// when the question is general. A property of actions forbids each action that has it, with one part for all.
func (k *effectClause) cannots(x *ast.Cannot) {
	c, e, o := k.c, k.effect, k.origin
	for _, id := range x.Names {
		perms, ok := c.permissionsNamed(o, id)
		if !ok {
			continue
		}
		part := c.newPart(e.Name+".cannot-"+id.Name, o, x.Span, nil, x.Cites)
		why := ""
		if x.Why != nil {
			why = x.Why.Value
		}
		for _, i := range perms {
			var params []*ir.Var
			if p := c.rs.Permissions[i].Proc; p != nil {
				for _, v := range p.Params {
					w := *v
					w.Owner = nil
					if w.Label == "" {
						w.Label = "to"
					}
					params = append(params, &w)
				}
			}
			e.Cannots = append(e.Cannots, &ir.Cannot{Permission: i, Guard: k.guard(params, x.Tail), Why: why, Part: part})
		}
	}
}

// permissionsNamed returns the permissions that a name after `cannot` means: one, or those of all actions with a
// property.
func (c *checker) permissionsNamed(o *link.Origin, id ast.Ident) (perms []int, ok bool) {
	if i, ok := c.perms[id.Name]; ok {
		return []int{i}, true
	}
	k := c.kinds["action"]
	if k == nil || k.Field(id.Name) < 0 || k.Fields[k.Field(id.Name)].Type.Kind != ir.YesNo {
		names := keys(c.perms)
		if k != nil {
			for _, f := range k.Fields {
				if f.Type.Kind == ir.YesNo {
					names = append(names, f.Name)
				}
			}
		}
		c.errorAt(o.Root().File, id.Span, "unknown-permission", "there is no action or permission "+id.Name, c.nearestHint(id.Name, names))
		return nil, false
	}
	for i, p := range c.rs.Permissions {
		if p.Proc == nil {
			continue
		}
		has, fixed := c.constProperty(p.Proc, id.Name)
		if !fixed {
			c.errorAt(o.Root().File, id.Span, "not-constant", p.Name+" has "+id.Name+" only some of the time", "make it `yes` or `no`, or name the actions")
			return nil, false
		}
		if has {
			perms = append(perms, i)
		}
	}
	return perms, true
}

// constProperty reports whether an action has a yes-no property, and whether that is fixed or depends on its arguments.
func (c *checker) constProperty(p *ir.Proc, name string) (has, fixed bool) {
	k := c.kinds["action"]
	f := k.Fields[k.Field(name)]
	c.whole()
	body := c.defs[p].Node.(*ast.Procedure).Body
	if body != nil {
		for _, cl := range body.Clauses {
			x, ok := cl.(*ast.Property)
			if !ok || x.Name.Name != name || len(x.Values) != 1 {
				continue
			}
			v, ok := x.Values[0].(*ast.Literal)
			if !ok || x.When != nil || x.Unless != nil {
				return false, false
			}
			return v.Word == "yes", true
		}
	}
	if f.DefaultFrom != "" {
		return c.constProperty(p, f.DefaultFrom)
	}
	return f.Const != nil && f.Const.Value != 0, true
}

func (k *effectClause) includes(x *ast.Includes) {
	c, e, o := k.c, k.effect, k.origin
	for _, id := range x.Names {
		f, ok := c.names[id.Name].(*ir.Effect)
		if !ok {
			c.errorAt(o.Root().File, id.Span, "unknown-effect", "there is no condition, feat or effect "+id.Name, c.nearestHint(id.Name, c.namesOf(isEffect)))
			continue
		}
		if f.NParams > 0 {
			c.errorAt(o.Root().File, id.Span, "wrong-arguments", f.Name+" wants "+f.Values[0].Name+" and cannot be included", "")
		}
		e.Includes = append(e.Includes, &ir.Include{Effect: f, Guard: k.guard(nil, x.Tail), Part: c.newPart(e.Name+".includes-"+id.Name, o, x.Span, nil, x.Cites)})
	}
}

// modifiableStats finds the stats that a modifier's name means: one, or all that use a roll.
func (c *checker) modifiableStats(file string, id ast.Ident) []*ir.Stat {
	st, ok := c.names[id.Name].(*ir.Stat)
	if r := c.rolls[id.Name]; r != nil && !ok {
		var stats []*ir.Stat
		for _, st := range c.rs.Stats {
			if c.checkStat(st); st.Roll == r && st.ViewOf == nil {
				stats = append(stats, st)
			}
		}
		return stats
	}
	if !ok {
		stats := append(c.namesOf(isStat), keys(c.rolls)...)
		hint := c.nearestHint(id.Name, stats)
		if hint == "" && c.wantsHints() {
			hint = anyOf(extensions(id.Name, stats))
		}
		if res, ok := c.names[id.Name].(*ir.Resource); ok {
			hint = id.Name + " is a resource: modify " + cmp.Or(c.upperBoundStat(res), "the stat that bounds it") + ", or write `gains`"
		} else if c.kinds["creature"].Field(id.Name) >= 0 {
			hint = id.Name + " is a field: declare a stat that reads it, and modify that"
			if stats := c.statsWithTerm(id.Name); len(stats) > 0 {
				hint = id.Name + " is a field: modify " + strings.Join(stats, " or ") + ", to which it adds"
			}
		}
		if e, ok := c.names[id.Name].(*ir.Effect); ok && hint == "" {
			hint = id.Name + " is " + article(e.Word) + ": an effect brings it by `includes`, a creature by `has`, a rule by `gains`"
		}
		c.errorAt(file, id.Span, "unknown-stat", "there is no stat "+id.Name, hint)
		return nil
	}
	c.checkStat(st)
	if st.ViewOf != nil {
		c.errorAt(file, id.Span, "modified-view", st.Name+" is a view", "modify "+st.ViewOf.Name+", the stat behind the view")
		return nil
	}
	return []*ir.Stat{st}
}

// statsWithTerm lists the stats that have a field as a term, or a term of its name, at most three.
func (c *checker) statsWithTerm(field string) (stats []string) {
	c.whole()
	for _, d := range c.set.Defs {
		st, ok := d.Node.(*ast.Stat)
		if !ok || len(stats) == 3 {
			continue
		}
		isField := func(x ast.Expr) bool {
			n, ok := x.(*ast.Name)
			return ok && n.Name == field
		}
		hasTerm := isField(st.Value)
		if st.Body != nil {
			hasTerm = slices.ContainsFunc(st.Body.Clauses, func(cl ast.Clause) bool {
				t, ok := cl.(*ast.Term)
				return ok && (isField(t.Value) || t.Name.Name == field)
			})
		}
		if hasTerm {
			stats = append(stats, st.Name.Name)
		}
	}
	return stats
}

// modifiers creates one modifier for each stat that the clause names. Those from the same name share a part.
func (k *effectClause) modifiers(x *ast.Modifier) {
	for _, id := range x.Stats {
		stats := k.c.modifiableStats(k.origin.Root().File, id)
		if len(stats) == 0 {
			continue
		}
		part := k.c.newPart(k.effect.Name+"."+id.Name, k.origin, x.Span, nil, x.Cites)
		for _, st := range stats {
			k.modifier(x, id, st, part)
		}
	}
}

// diceInModifier is the hint for dice as the amount of a modifier: a stat is a number, and only a rule can roll.
func diceInModifier(st *ir.Stat, dice ast.Expr, sign string) string {
	if st.Roll == nil {
		return "a stat is a number: roll in a rule, and add there what was rolled"
	}
	return fmt.Sprintf("a stat is a number; a rule adds dice to each check: `rule NAME after check.face by self when kind = %s { set bonus to bonus %s roll %s }`",
		st.Roll.Name, sign, format.Expr(dice))
}

// modifier creates the modifier of one stat.
func (k *effectClause) modifier(x *ast.Modifier, id ast.Ident, st *ir.Stat, part *ir.Part) {
	c, o := k.c, k.origin
	m := &ir.Modifier{Stat: st, Op: x.Op.Name, Den: 1, Bonus: -1, Against: x.Against, Part: part}
	if x.Bonus != nil {
		m.Bonus = c.bonus(o.Root().File, *x.Bonus)
	}
	amount := x.Amount
	want := st.Type
	if m.Op == "times" {
		want = number
		if b, ok := unparen(amount).(*ast.Binary); ok && b.Op.Name == "/" {
			if den, ok := b.Y.(*ast.Number); ok && den.Value > 0 && den.Unit.Name == "" {
				m.Den = den.Value
				amount = b.X
			}
		}
	}
	m.Guard = k.guard(st.Params, x.Tail)
	m.Amount = k.code("a modifier", st.Params, func(s *scope) *ir.Expr {
		s.file = c.fileOf(x.Amount, o)
		s.assumeGuard(m.Guard)
		v := s.expr(amount, &want)
		if v.Op == ir.OpHook && v.Hook.TakesContext() && m.Op == "+" {
			v.Site.Modifies, v.Site.Optional = true, true // it may add several modifiers
		}
		if !v.Type.OrNone || !sameType(v.Type, want) { // if its amount is none, the modifier does not apply
			hint := ""
			if v.Type.Kind == ir.Dice {
				hint = diceInModifier(st, amount, m.Op)
			}
			v = s.demandHinting(v, amount, want, hint)
		}
		if f := foldExpr(v); m.Op == "times" && f != nil && f.Value < 0 {
			s.errHint(amount.Extent(), "wrong-arguments", "a stat is multiplied by zero or more, not by a number below zero", "subtract with `-AMOUNT to STAT`")
		}
		if m.Op == "-" {
			v = &ir.Expr{Op: ir.OpNeg, Type: v.Type, Pos: v.Pos, Args: []*ir.Expr{v}}
		}
		return v
	})
	if m.Op == "-" {
		m.Op = "+"
	}
	if m.Against {
		if !slices.ContainsFunc(st.Params, func(p *ir.Var) bool { return p.Label == "against" }) {
			c.errorAt(o.Root().File, id.Span, "wrong-label", st.Name+" is not read `against` anybody", "")
		}
	}
	k.effect.Modifiers = append(k.effect.Modifiers, m)
}

// upperBoundStat is the name of the stat that is the upper bound of a resource, "" if the bound is something else.
func (c *checker) upperBoundStat(r *ir.Resource) string {
	if d := c.defs[r]; d != nil {
		c.whole()
		if to, ok := d.Node.(*ast.Resource).To.(*ast.Name); ok {
			if _, isStat := c.names[to.Name].(*ir.Stat); isStat {
				return to.Name
			}
		}
	}
	return ""
}
