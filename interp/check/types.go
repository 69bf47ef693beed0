package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file resolves types: of fields, parameters, roles.

var (
	invalid    = ir.Type{Kind: ir.Invalid}
	nothing    = ir.Type{Kind: ir.Nothing, OrNone: true}
	number     = ir.Type{Kind: ir.Number}
	yesNo      = ir.Type{Kind: ir.YesNo}
	text       = ir.Type{Kind: ir.Text}
	diceType   = ir.Type{Kind: ir.Dice}
	outcome    = ir.Type{Kind: ir.Outcome}
	square     = ir.Type{Kind: ir.Square}
	placeType  = ir.Type{Kind: ir.Place}
	pathType   = ir.Type{Kind: ir.PathType}
	planType   = ir.Type{Kind: ir.PlanType}
	effectType = ir.Type{Kind: ir.EffectRef}
	actionType = ir.Type{Kind: ir.ActionRef}
	creature   = ir.Type{Kind: ir.Ref, Name: "creature"}
)

var feet = quantity("distance")

func quantity(dimension string) ir.Type { return ir.Type{Kind: ir.Quantity, Name: dimension} }
func listOf(t ir.Type) ir.Type          { return ir.Type{Kind: ir.List, Elem: &t} }
func refTo(kind string) ir.Type         { return ir.Type{Kind: ir.Ref, Name: kind} }
func enumOf(name string) ir.Type        { return ir.Type{Kind: ir.EnumType, Name: name} }
func orNone(t ir.Type) ir.Type          { t.OrNone = true; return t }
func notNone(t ir.Type) ir.Type         { t.OrNone = false; return t }

// sameType compares types, ignoring OrNone. An empty list has any list type.
func sameType(a, b ir.Type) bool {
	if a.Kind != b.Kind || a.Name != b.Name {
		return false
	}
	if a.Kind == ir.List {
		return a.Elem == nil || b.Elem == nil || a.Elem.Kind == ir.Nothing || b.Elem.Kind == ir.Nothing || sameType(*a.Elem, *b.Elem)
	}
	return true
}

// fits reports whether a value of type got can be used where want is required.
func fits(got, want ir.Type) bool {
	switch {
	case got.Kind == ir.Invalid || want.Kind == ir.Invalid:
		return true
	case got.Kind == ir.Nothing:
		return want.OrNone
	case got.OrNone && !want.OrNone:
		return false
	case want.Kind == ir.Place:
		return isPlace(got)
	case want.Kind == ir.PathType && got.Kind == ir.List: // a path is a list of squares
		return got.Elem != nil && got.Elem.Kind == ir.Square && !got.Elem.OrNone
	}
	return sameType(got, want)
}

// isPlace reports whether a type is a place: a square, or a creature for the squares that it fills.
func isPlace(t ir.Type) bool {
	return t.Kind == ir.Place || t.Kind == ir.Square || t.Kind == ir.Ref && t.Name == "creature"
}

// plainTypes are the types with a name of the language. A flag is a yes-no, and called so.
var plainTypes = []struct {
	name string
	typ  ir.Type
}{
	{"number", number}, {"yes-no", yesNo}, {"flag", yesNo}, {"text", text}, {"dice", diceType}, {"outcome", outcome}, {"square", square},
	{"place", placeType}, {"path", pathType}, {"action", actionType}, {"plan", planType}, {"effect", effectType},
}

// typeName returns the name of a type for messages.
func typeName(t ir.Type) string {
	s := "something unknown"
	switch t.Kind {
	case ir.Nothing:
		return "none"
	case ir.Quantity, ir.EnumType, ir.Ref:
		s = t.Name
	case ir.List:
		s = "list of " + typeName(*t.Elem)
	case ir.Record:
		s = "record of " + t.Name
	default:
		for _, p := range plainTypes {
			if p.typ.Kind == t.Kind {
				s = p.name
				break
			}
		}
	}
	if t.OrNone {
		s += " or none"
	}
	return s
}

// typeNamed resolves the name of a type; ok is false if there is none.
func (c *checker) typeNamed(name string) (ir.Type, bool) {
	for _, p := range plainTypes {
		if p.name == name {
			return p.typ, true
		}
	}
	switch {
	case words.IsDimension(name):
		return quantity(name), true
	case c.enums[name] != nil:
		return enumOf(name), true
	case c.kinds[name] != nil:
		return refTo(name), true
	}
	return invalid, false
}

func (c *checker) resolveType(file string, t *ast.Type) ir.Type {
	r, ok := c.typeNamed(t.Name.Name)
	if !ok {
		c.errorAt(file, t.Name.Span, "unknown-type", "there is no type "+t.Name.Name, cmp.Or(foreignTypes[t.Name.Name], c.nearestHint(t.Name.Name, c.typeNames())))
	}
	if t.List {
		r = listOf(r)
	}
	if t.OrNone {
		r.OrNone = true
	}
	return r
}

func (c *checker) typeNames() []string {
	names := slices.Concat(words.Dimensions(), slices.Collect(maps.Keys(c.kinds)), slices.Collect(maps.Keys(c.enums)))
	for _, p := range plainTypes {
		names = append(names, p.name)
	}
	return names
}

// paramType returns the declared type of a parameter, or the kind, enum or role with its name.
func (c *checker) paramType(file string, p *ast.Param) ir.Type {
	if p.Type != nil {
		return c.resolveType(file, p.Type)
	}
	if t, ok := c.typeNamed(p.Name.Name); ok {
		return t
	}
	if t, ok := c.roles[p.Name.Name]; ok {
		return t
	}
	c.errorAt(file, p.Name.Span, "untyped-parameter", fmt.Sprintf("%s is not a kind, an enum or a role, so it needs a type", p.Name.Name),
		fmt.Sprintf("write its type, such as `%s: creature` or `%s: number`", p.Name.Name, p.Name.Name))
	return invalid
}

func (c *checker) params(file string, ps []ast.Param, kind ir.VarKind) []*ir.Var {
	var vars []*ir.Var
	for i := range ps {
		p := &ps[i]
		for k, v := range vars {
			if v.Name == p.Name.Name {
				c.errorAt(file, p.Name.Span, "declared-twice", "the parameter "+v.Name+" appears twice", "",
					diag.Related{File: file, Span: ps[k].Name.Span, Message: "first declared here"})
			} else if p.Label.Name != "" && v.Label == p.Label.Name {
				c.errorAt(file, p.Label.Span, "declared-twice", "two parameters are labelled `"+v.Label+"`", "",
					diag.Related{File: file, Span: ps[k].Label.Span, Message: "first given here"})
			}
		}
		vars = append(vars, &ir.Var{Name: p.Name.Name, Type: c.paramType(file, p), Kind: kind, Index: i + 1, Label: p.Label.Name})
	}
	return vars
}

// resolveTypes resolves roles, fields and parameters.
func (c *checker) resolveTypes() {
	first := map[string]diag.Related{}
	for _, d := range c.set.Defs {
		if n, ok := d.Node.(*ast.Role); ok {
			t := c.resolveType(d.Origin.Root().File, &n.Type)
			for _, id := range n.Names {
				file := d.Origin.Root().File
				old, have := c.roles[id.Name]
				if have && !sameType(old, t) {
					c.errorAt(file, id.Span, "declared-twice", "the role "+id.Name+" is "+article(typeName(old))+" already", "rename it", first[id.Name])
				}
				if !have {
					first[id.Name] = diag.Related{File: file, Span: id.Span, Message: "first declared here"}
				}
				c.roles[id.Name] = t
			}
		}
	}
	for _, p := range c.rs.Procs {
		c.procParams(p)
	}
	for _, d := range c.set.Defs {
		file := d.Origin.Root().File
		switch n := d.Node.(type) {
		case *ast.Kind:
			c.fields(d, n)
		case *ast.Stat:
			s := c.names[n.Name.Name]
			if s, ok := s.(*ir.Stat); ok && c.defs[s] == d {
				s.Params = c.params(file, n.Params, ir.VarParam)
				if n.Rolled != nil {
					if s.Roll = c.rolls[n.Rolled.Name]; s.Roll == nil {
						c.errorAt(file, n.Rolled.Span, "unknown-roll", "there is no roll "+n.Rolled.Name, c.nearestHint(n.Rolled.Name, keys(c.rolls)))
					}
				}
			}
		case *ast.Use:
			if h, ok := c.names[n.Name.Name].(*ir.Hook); ok && c.defs[h] == d {
				c.resolveHook(d, n, h)
			}
		case *ast.Effect:
			if e, ok := c.names[n.Name.Name].(*ir.Effect); ok && c.defs[e] == d {
				c.effectParams(d, e, n)
			}
		}
	}
}

// effectParams resolves the parameters of an effect, which are the first of its values.
func (c *checker) effectParams(d *link.Def, e *ir.Effect, n *ast.Effect) {
	e.Values = c.params(d.Origin.Root().File, n.Params, ir.VarMemory)
	e.NParams = len(e.Values)
	for i, v := range e.Values {
		v.Index = i
	}
}

// procParams resolves the parameters of a procedure, which are the first fields of its record.
func (c *checker) procParams(p *ir.Proc) {
	head := c.headOf(p)
	p.Params = c.params(head.Origin.Root().File, head.Node.(*ast.Procedure).Params, ir.VarParam)
	p.Self = &ir.Var{Name: "self", Type: creature, Kind: ir.VarSelf, Owner: p}
	p.Vars = append(p.Vars, p.Self)
	for _, v := range p.Params {
		v.Owner = p
		p.Vars = append(p.Vars, v)
		p.Record = append(p.Record, v)
	}
}

func (c *checker) fields(d *link.Def, n *ast.Kind) {
	k := c.kinds[n.Name.Name]
	if n.Body == nil {
		return
	}
	internal := false
	for _, cl := range n.Body.Clauses {
		if x, ok := cl.(*ast.Is); ok {
			internal = c.isInternal(d, x, "in a kind") || internal
		}
	}
	for _, cl := range n.Body.Clauses {
		f, ok := cl.(*ast.FieldDecl)
		if _, is := cl.(*ast.Is); is {
			continue
		}
		if !ok {
			hint := "the form is: threat: number = 20"
			if _, ok := cl.(*ast.Property); ok {
				hint = "`extend` adds to what a body computes; add a field with `kind " + k.Name + " { NAME: TYPE = EXPR }`"
			}
			c.misplaced(d, cl, "in a kind", hint)
			continue
		}
		o := c.originOf(d, cl)
		c.unguarded(o.Root().File, f.Tail, "a field", "a default may be computed from other fields: `= if COND then A else B`")
		t := c.resolveType(o.Root().File, &f.Type)
		for _, id := range f.Names {
			if c.duplicates[namePos{o.Root().File, id.Start.Offset}] {
				continue
			}
			if len(k.Fields) == maxParts {
				c.errorAt(o.Root().File, id.Span, "limit", fmt.Sprintf("a kind has at most %d fields", maxParts), "")
				return
			}
			k.Fields = append(k.Fields, &ir.FieldDef{Name: id.Name, Type: t, Internal: internal, Part: c.newPart(k.Name+"."+id.Name, o, f.Span, nil, f.Cites)})
		}
	}
}

// misplaced reports a clause that is not allowed in its body.
func (c *checker) misplaced(d *link.Def, cl ast.Clause, where, hint string) {
	switch cl.(type) {
	case *ast.Bad, *ast.Documentation: // Bad was reported when it was parsed; Documentation is allowed anywhere
		return
	}
	c.errorAt(c.originOf(d, cl).Root().File, cl.Extent(), "misplaced", "this is not allowed "+where, hint)
}

// unguarded reports the condition of a clause that holds always.
func (c *checker) unguarded(file string, t ast.Tail, what, hint string) {
	cond := t.When
	if cond == nil {
		cond = t.Unless
	}
	if cond != nil {
		c.errorAt(file, cond.Extent(), "misplaced", what+" has no condition", hint)
	}
}

// keys lists names in any order; callers sort them before showing them.
func keys[T any](m map[string]T) []string {
	return slices.Collect(maps.Keys(m))
}

// NameOfType names a type as messages do: a number, a list of creatures.
func NameOfType(t ir.Type) string { return typeName(t) }
