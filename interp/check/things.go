package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// This file reads the bodies of things: the values of their fields, which can be computed from one another, and the
// effects that creatures have.

// thing is a thing whose body is being read.
type thing struct {
	c         *checker
	kind      *ir.Kind
	name      string
	base      *ir.Template
	values    []*ir.Const // by field: given here or recomputed; nil: the base's
	parts     []*ir.Part  // by field: the part that sets it here
	has       []ir.InitialEffect
	assigned  []*assignment // by field: a clause not folded yet
	setAt     map[int]location
	effectsAt map[string]location // effects, by source text
	computed  []*assignment       // by field: a clause that reads other fields of the thing; nil: there are none
	reading   []*assignment       // stack of the clauses being folded, each needed by the one before
}

// assignment is a clause that gives a field its value.
type assignment struct {
	clause      *ast.Property
	origin      *link.Origin
	readsFields bool // it reads other fields of the thing
}

// location is where a field was given.
type location struct {
	span   ast.Span
	origin *link.Origin
}

// recordField reports a field that is given twice.
func (x *thing) recordField(i int, id ast.Ident, origin *link.Origin) {
	if old, ok := x.setAt[i]; ok {
		hint := "remove one of them"
		if old.origin.Root().Ruleset != origin.Root().Ruleset {
			hint = fmt.Sprintf("to change a rule of an earlier ruleset write `override %s.%s = EXPR`", x.name, id.Name)
		}
		x.c.errorAt(origin.Root().File, id.Span, "declared-twice", id.Name+" is given twice", hint, diag.Related{File: old.origin.Root().File, Span: old.span, Message: "first given here"})
	}
	x.setAt[i] = location{id.Span, origin}
}

// thing reads the body of a thing of a kind. base is the thing it extends, or nil.
func (c *checker) thing(k *ir.Kind, name string, base *ir.Template, clauses []ast.Clause, origin func(ast.Clause) *link.Origin) *thing {
	n := len(k.Fields)
	x := &thing{c: c, kind: k, name: name, base: base, values: make([]*ir.Const, n), parts: make([]*ir.Part, n), assigned: make([]*assignment, n), setAt: map[int]location{}, effectsAt: map[string]location{}}
	for _, cl := range clauses {
		x.clause(cl, origin(cl))
	}
	for i, g := range c.computed[base] {
		if g != nil && x.assigned[i] == nil && x.values[i] == nil {
			x.assigned[i] = g // from the base, computed with the values of this thing
		}
	}
	if base == nil {
		for i, fd := range k.Fields {
			if g := c.computedDefaults[fd]; g != nil && x.assigned[i] == nil && x.values[i] == nil {
				x.assigned[i] = g
			}
		}
	}
	for i := range x.assigned {
		x.value(i)
	}
	return x
}

// clause reads `FIELD: VALUE`, `is FLAG` or `has EFFECT`. Values are folded later, when all fields are known.
func (x *thing) clause(cl ast.Clause, origin *link.Origin) {
	c, k := x.c, x.kind
	s := c.constScope(origin.Root().File, "a template")
	unguarded := func(t ast.Tail, hint string) { c.unguarded(origin.Root().File, t, "a thing's clause", hint) }
	switch p := cl.(type) {
	case *ast.Property:
		unguarded(p.Tail, "a value may be computed from other fields: `"+p.Name.Name+": if COND then A else B`")
		if len(p.Values) == 1 {
			s.file = c.fileOf(p.Values[0], origin)
		}
		i := k.Field(p.Name.Name)
		if i < 0 {
			s.errHint(p.Name.Span, "unknown-field", "the kind "+k.Name+" has no field "+p.Name.Name, s.lackedFieldHint(k, p))
			return
		}
		x.recordField(i, p.Name, origin)
		if x.assigned[i] != nil {
			x.value(i) // given twice: the first is checked as well
			x.values[i] = nil
		}
		x.assigned[i] = &assignment{clause: p, origin: origin}
		if k.Fields[i].Type.Kind != ir.List && len(p.Values) == 1 {
			x.parts[i] = c.newPart(x.name+"."+p.Name.Name, origin, p.Span, nil, p.Cites)
		} else {
			x.parts[i] = c.partIfCited(x.name+"."+p.Name.Name, origin, p.Span)
		}
	case *ast.Is:
		unguarded(p.Tail, "a flag may be computed from other fields: `NAME: COND`")
		for _, id := range p.Names {
			i := k.Field(id.Name)
			if i < 0 || k.Fields[i].Type.Kind != ir.YesNo {
				s.errHint(id.Span, "unknown-field", "the kind "+k.Name+" has no flag "+id.Name, cmp.Or(c.memberHint(k, id.Name), c.noFieldHint(k, id.Name), "declare it: `kind "+k.Name+" { "+id.Name+": flag }`"))
				continue
			}
			x.recordField(i, id, origin)
			x.values[i] = &ir.Const{Value: 1}
			x.parts[i] = c.partIfCited(x.name+"."+id.Name, origin, p.Span)
		}
	case *ast.Has:
		if k.Name != "creature" {
			s.err(p.Span, "misplaced", "only creatures have effects")
			return
		}
		unguarded(p.Tail, "declare an effect that `includes NAME when COND`")
		for _, g := range p.Effects {
			x.readEffect(s, g, origin)
		}
	case *ast.Printed:
		if k.Name != "creature" {
			s.err(p.Span, "misplaced", "only creatures have a `printed` block")
		}
	case *ast.Documentation, *ast.Bad:
	case *ast.Way:
		s.errHint(p.Span, "misplaced", "a placed creature does everything as its template does", "write it into the template, or into one that extends it")
	default:
		s.errHint(cl.Extent(), "misplaced", "this is not allowed in a template", "the form is: FIELD: VALUE, `is FLAG`, `has EFFECT`, `printed { COND }`")
	}
}

// readEffect reads a `has EFFECT`.
func (x *thing) readEffect(s *scope, n ast.GivenEffect, origin *link.Origin) {
	e, ok := x.c.names[n.Name.Name].(*ir.Effect)
	if !ok {
		s.errHint(n.Name.Span, "unknown-effect", "there is no condition, feat or effect "+n.Name.Name, x.c.nearestHint(n.Name.Name, x.c.namesOf(isEffect)))
		return
	}
	source := strings.TrimSpace(format.Node(&ast.Has{Effects: []ast.GivenEffect{n}}))
	if old, twice := x.effectsAt[source]; twice {
		x.c.errorAt(origin.Root().File, n.Name.Span, "declared-twice", "`"+source+"` appears twice in "+x.name, "remove one of them",
			diag.Related{File: old.origin.Root().File, Span: old.span, Message: "first given here"})
		return
	}
	x.effectsAt[source] = location{n.Name.Span, origin}
	if args, ok := s.foldEffectArgs(e, n); ok {
		x.has = append(x.has, ir.InitialEffect{Effect: e, Args: args})
	}
}

// value is the value of a field of the thing: given here, computed from the other fields, or the base's.
func (x *thing) value(i int) *ir.Const {
	g := x.assigned[i]
	switch {
	case x.values[i] != nil:
		return x.values[i]
	case g == nil && x.base != nil && x.base.Values != nil: // a thing that extends itself has no values
		return x.base.Values[i]
	case g == nil:
		return x.kind.Fields[i].Const
	}
	if slices.Contains(x.reading, g) {
		s := x.c.constScope(g.origin.Root().File, "a template")
		s.errHint(g.clause.Span, "cycle", g.clause.Name.Name+" is computed from itself", "give one of the fields it depends on as a value")
		x.values[i] = x.kind.Fields[i].Const
		return x.values[i]
	}
	x.reading = append(x.reading, g)
	s := x.c.constScope(g.origin.Root().File, "a template")
	if len(g.clause.Values) == 1 {
		s.file = x.c.fileOf(g.clause.Values[0], g.origin)
	}
	s.thing = x
	v := s.fieldValue(g.clause, x.kind.Fields[i].Type)
	x.reading = x.reading[:len(x.reading)-1]
	if x.values[i] == nil { // or a cycle
		x.values[i] = v
	}
	if g.readsFields {
		if x.computed == nil {
			x.computed = make([]*assignment, len(x.kind.Fields))
		}
		x.computed[i] = g
	}
	if v == nil { // wrong, and reported
		v = x.kind.Fields[i].Const
	}
	return v
}

// field resolves a field of the thing itself in the value of another field; nil if there is no such field.
func (x *thing) field(s *scope, id ast.Ident) *ir.Expr {
	i := x.kind.Field(id.Name)
	if i < 0 {
		return nil
	}
	if g := x.reading[len(x.reading)-1]; !g.readsFields { // one that is known to is shared, and not written to
		g.readsFields = true
	}
	return s.constExpr(x.value(i), x.kind.Fields[i].Type, id.Span)
}

// allValues returns the values of all fields.
func (x *thing) allValues() []*ir.Const {
	list := make([]*ir.Const, len(x.values))
	for i := range list {
		list[i] = x.value(i)
	}
	return list
}

// memberHint is the hint for a value of an enum in place of a flag: `is small` for `size: small`.
func (c *checker) memberHint(k *ir.Kind, name string) string {
	for _, e := range c.members[name] {
		for _, f := range k.Fields {
			if f.Type.Kind == ir.EnumType && f.Type.Name == e.Name {
				return "write `" + f.Name + ": " + name + "`"
			}
		}
	}
	return ""
}

// noFieldHint is the hint for a name that is not a field of a kind: what it is, or which field was probably meant.
func (c *checker) noFieldHint(k *ir.Kind, name string) string {
	computedHint := func(x any) string {
		return "`" + name + "` is computed by the rules: give a field that it depends on" + c.dependencyHint(k, x) + ", or an effect that changes it"
	}
	if k.Name == "creature" {
		switch x := c.names[name].(type) {
		case *ir.Resource:
			advice := c.nearestHint(name, fieldNames(k))
			if advice == "" {
				advice = "give a field that it depends on; the current value is set by `set WHO." + name + " to N`"
			}
			c.whole()
			return fmt.Sprintf("`%s` is a resource, and starts with `%s`: %s", name, format.Expr(initialValue(c.defs[x].Node.(*ast.Resource))), advice)
		case *ir.Stat:
			return computedHint(x)
		case *ir.Effect:
			return fmt.Sprintf("`%s` is %s: write `has %s`", name, article(x.Word), name)
		}
	}
	if p := c.props[k.Name][name]; p != nil {
		return computedHint(p)
	}
	if near := c.nearestHint(name, fieldNames(k)); near != "" || k.Name != "creature" || !c.wantsHints() {
		return near
	}
	// It may be similar to a number of creatures, or to an effect.
	var effects []string
	for n, x := range c.names {
		if _, ok := x.(*ir.Effect); ok {
			effects = append(effects, n)
		}
	}
	for _, names := range [][]string{c.numberNames(), effects} {
		slices.Sort(names)
		if near := words.Nearest(name, names); near != "" {
			return c.noFieldHint(k, near)
		}
	}
	return ""
}

// initialValue is the default initial value of a resource.
func initialValue(n *ast.Resource) ast.Expr {
	switch {
	case n.Starts != nil:
		return n.Starts
	case n.To != nil:
		return n.To
	}
	return n.From
}

func fieldNames(k *ir.Kind) []string {
	var names []string
	for _, f := range k.Fields {
		names = append(names, f.Name)
	}
	return names
}
