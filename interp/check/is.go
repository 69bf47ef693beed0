package check

import (
	"cmp"
	"fmt"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks tests with `is`, `has` and `can`.

func (s *scope) isTest(n *ast.IsTest) *ir.Expr {
	c := s.c
	pos := s.pos(n.Span)
	if n.Verb.Name == "can" {
		x := s.value(n.X, creature)
		name, ok := n.Words[0].(*ast.Name)
		if !ok {
			s.errHint(n.Words[0].Extent(), "unknown-permission", "`can` is followed by an action or a permission", "write its name alone: `WHO can NAME`")
			return s.bad(n.Span)
		}
		i, ok := c.perms[name.Name]
		if !ok {
			hint := c.nearestHint(name.Name, keys(c.perms))
			if p, ok := c.names[name.Name].(*ir.Proc); ok {
				hint = p.Name + " is a procedure, which nothing forbids: name the action that does it, or a permission"
			}
			s.errHint(name.Span, "unknown-permission", "there is no action or permission "+name.Name, hint)
			return s.bad(n.Span)
		}
		e := &ir.Expr{Op: ir.OpCan, Type: yesNo, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}
		if n.Not {
			e = &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{e}, Pos: pos}
		}
		return e
	}
	onlyNone := len(n.Words) == 1 && isNoneWord(n.Words[0])
	if onlyNone {
		s.lenient++
	}
	x := s.exprWithoutFacts(n.X, nil)
	if onlyNone {
		s.lenient--
	}
	if x.Type.Kind == ir.Invalid {
		return s.bad(n.Span)
	}
	if s.provedNotNone(x) && !onlyNone {
		y := *x
		y.Type = notNone(x.Type)
		x = &y
	}
	var e *ir.Expr
	for _, w := range n.Words {
		y := s.isWord(x, n, w)
		if e == nil {
			e = y
		} else {
			e = &ir.Expr{Op: ir.OpOr, Type: yesNo, Args: []*ir.Expr{e, y}, Pos: pos}
		}
	}
	if n.Not {
		e = &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{e}, Pos: pos}
	}
	return e
}

func isNoneWord(w ast.Expr) bool {
	l, ok := w.(*ast.Literal)
	return ok && l.Word == "none"
}

// isWord types one word after `is` or `has`: none, a member, a property, an effect, a field, a template, or a value to
// compare with, in this order.
func (s *scope) isWord(x *ir.Expr, n *ast.IsTest, w ast.Expr) *ir.Expr {
	c := s.c
	pos := s.pos(n.Span)
	if isNoneWord(w) {
		if !x.Type.OrNone && !s.readsSituationParam(x) {
			s.errHint(n.Span, "never-none", "this is never none", "")
		}
		return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, s.constant(nothing, ir.None, w.Extent())}, Pos: pos}
	}
	var id ast.Ident
	var args []ast.Arg
	switch y := w.(type) {
	case *ast.Name:
		id = y.Ident
	case *ast.Call:
		name, ok := y.Fn.(*ast.Name)
		if !ok {
			s.err(w.Extent(), "unknown-name", "`%s` is followed by a name", n.Verb.Name)
			return s.bad(n.Span)
		}
		id = name.Ident
		args = append(append(args, y.Args...), y.Labelled...)
	default:
		z := s.expr(w, &x.Type)
		if z.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if !sameType(x.Type, z.Type) {
			s.err(n.Span, "wrong-type", "%s is never %s", article(typeName(x.Type)), article(typeName(z.Type)))
		}
		return &ir.Expr{Op: equalityOp(x, z), Type: yesNo, Args: []*ir.Expr{x, z}, Pos: pos}
	}
	t := x.Type
	if t.OrNone && t.Kind == ir.Ref {
		x = s.errMayBeNone(x, n.X)
		t = x.Type
	}
	if tm, ok := c.names[id.Name].(*ir.Template); ok && tm.Kind == nil || c.clashes[clash{s.file, id.Name}] {
		return s.bad(n.Span) // its declaration is wrong, and reported
	}
	if f, isEffect := c.names[id.Name].(*ir.Effect); isEffect && t.Kind == ir.List && t.Elem.Kind == ir.Ref {
		one := isOrHas(f) + " " + id.Name
		s.errHint(n.Span, "wrong-type", "a list "+n.Verb.Name+" never "+id.Name, "ask about its elements: `some one in LIST where one "+one+"`, `every one in LIST where one "+one+"`")
		return s.bad(n.Span)
	}
	if t.Kind == ir.List { // has: an element
		z := s.expr(w, t.Elem)
		return &ir.Expr{Op: ir.OpIn, Type: yesNo, Args: []*ir.Expr{z, x}, Pos: pos}
	}
	if t.Kind == ir.EnumType {
		if e := c.enums[t.Name]; e.Member(id.Name) >= 0 {
			return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, s.constant(t, int64(e.Member(id.Name)), id.Span)}, Pos: pos}
		}
	}
	if d := c.propsOf(t)[id.Name]; d != nil {
		return s.requireYesNo(s.callDefine(d, x, args, n.Span), id)
	}
	if tm, ok := c.names[id.Name].(*ir.Template); ok && t.Kind == ir.Square && tm.Kind == c.kinds["terrain"] {
		ground := &ir.Expr{Op: ir.OpBuiltin, Name: "terrain", Type: listOf(refTo("terrain")), Args: []*ir.Expr{x}, Pos: pos}
		return &ir.Expr{Op: ir.OpIn, Type: yesNo, Args: []*ir.Expr{s.constant(refTo("terrain"), templateRef(tm.Index), id.Span), ground}, Pos: pos}
	}
	if t.Kind == ir.Ref {
		k := c.kinds[t.Name]
		if t.Name == "creature" {
			if f, ok := c.names[id.Name].(*ir.Effect); ok && k.Field(id.Name) < 0 {
				if want := isOrHas(f); want != n.Verb.Name {
					s.errHint(id.Span, "is-or-has", fmt.Sprintf("%s is %s", f.Name, article(f.Word)), "write `"+want+" "+f.Name+"`")
				}
				e := &ir.Expr{Op: ir.OpHas, Type: yesNo, Effect: f, Args: []*ir.Expr{x}, Pos: pos}
				e.Args = append(e.Args, s.effectArgs(f, args, false, n.Span)...)
				return e
			}
		}
		if i := k.Field(id.Name); i >= 0 {
			return s.requireYesNo(&ir.Expr{Op: ir.OpField, Type: k.Fields[i].Type, Kind: k, Int: int64(i), Args: []*ir.Expr{x}, Pos: pos}, id)
		}
		if y := s.property(x, id, nil); y != nil && y.Type.Kind == ir.YesNo {
			return y
		}
		if tm, ok := c.names[id.Name].(*ir.Template); ok && tm.Kind == k {
			return madeFrom(x, s.constant(t, templateRef(tm.Index), id.Span), pos)
		}
	}
	if z := s.tryExpr(w, &t); z != nil && sameType(z.Type, t) {
		if t.Kind == ir.Ref && t.Name != "creature" { // two creatures are the same or are not
			return madeFrom(x, z, pos)
		}
		return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, z}, Pos: pos}
	}
	s.errHint(id.Span, "unknown-name", fmt.Sprintf("%s can neither be nor have %s", article(typeName(t)), id.Name), cmp.Or(c.nearestHint(id.Name, c.wordsOf(t)), declareWordHint(id.Name, t)))
	return s.bad(n.Span)
}

// madeFrom tests whether a thing is a template, was made from it, or extends it.
func madeFrom(x, template *ir.Expr, pos ir.Pos) *ir.Expr {
	return &ir.Expr{Op: ir.OpBuiltin, Name: "made-from", Type: yesNo, Args: []*ir.Expr{x, template}, Pos: pos}
}

// propsOf returns the defines of a kind, of an enum or of squares.
func (c *checker) propsOf(t ir.Type) map[string]*ir.Define {
	switch t.Kind {
	case ir.Ref, ir.EnumType:
		return c.props[t.Name]
	case ir.Square:
		return c.props["square"]
	}
	return nil
}

// wordsOf lists what a thing of the type can be or have.
func (c *checker) wordsOf(t ir.Type) []string {
	names := keys(c.propsOf(t))
	if t.Kind == ir.Ref {
		for _, f := range c.kinds[t.Name].Fields {
			names = append(names, f.Name)
		}
		if t.Name == "creature" {
			names = append(names, c.namesOf(isEffect)...)
		}
	}
	if t.Kind == ir.EnumType {
		names = append(names, c.enums[t.Name].Members...)
	}
	return names
}

// readsSituationParam reports whether x is a part of the situation, which can always be tested for none.
func (s *scope) readsSituationParam(x *ir.Expr) bool {
	return x.Op == ir.OpVar && s.isSituationParam(x.Var)
}

func (s *scope) requireYesNo(x *ir.Expr, id ast.Ident) *ir.Expr {
	if x.Type.Kind != ir.YesNo && x.Type.Kind != ir.Invalid {
		s.err(id.Span, "wrong-type", "%s is %s, not a yes-no", id.Name, article(typeName(x.Type)))
	}
	return x
}

// declareWordHint says how a thing of a type could be made what a word says.
func declareWordHint(word string, t ir.Type) string {
	switch {
	case t.Kind != ir.Ref:
		return ""
	case t.Name == "creature":
		return "declare it: `condition " + word + " { ... }`, or a field that is yes or no: `kind creature { " + word + ": flag }`"
	}
	return "declare it: `kind " + t.Name + " { " + word + ": flag }`"
}
