package check

import (
	"fmt"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks queries over lists: some, no, every, count, sum, first and so on.

func (s *scope) query(q *ast.Query) *ir.Query {
	in := s.expr(q.In, nil)
	elem := invalid
	if in.Type.Kind == ir.List && !in.Type.OrNone {
		elem = *in.Type.Elem
	} else if in.Type.Kind != ir.Invalid {
		s.errHint(q.In.Extent(), "wrong-type", fmt.Sprintf("this is %s, but a list is expected", article(typeName(in.Type))), "")
	}
	v := s.bindLoop(q.Var, elem)
	out := &ir.Query{Word: "each", Var: v, In: in, Descending: q.Descending}
	if q.Where != nil {
		p := s.pure("a `where`")
		out.Where = p.cond(q.Where)
	}
	if q.Sort != nil {
		p := s.pure("a `sorted by`")
		k := p.expr(q.Sort, nil)
		if p.arithmetic(k, q.Sort) {
			out.Sort = k
		}
	}
	return out
}

// bindLoop binds the variable of a loop or query. It is never part of a record.
func (s *scope) bindLoop(id ast.Ident, t ir.Type) *ir.Var {
	v := &ir.Var{Name: id.Name, Type: t, Kind: ir.VarLocal, Owner: s.proc}
	s.vars[len(s.vars)-1][id.Name] = v
	switch {
	case s.fn != nil:
	case s.proc != nil:
		s.proc.Vars = append(s.proc.Vars, v)
	case s.rule != nil:
		s.rule.Vars = append(s.rule.Vars, v)
	case s.locals != nil:
		*s.locals = append(*s.locals, v)
	}
	return v
}

func (s *scope) quantified(n *ast.Quantified) *ir.Expr {
	pos := s.pos(n.Span)
	s.push()
	defer s.pop()
	q := s.query(&n.Query)
	q.Word = n.Word.Name
	elem := q.Var.Type
	t := yesNo
	switch n.Word.Name {
	case "some", "no":
	case "every":
		if q.Where == nil {
			s.errHint(n.Span, "wrong-arguments", "`every` needs a condition", "the form is: every X in LIST where COND")
		}
	case "count":
		t = number
	case "first":
		t = orNone(elem)
	case "pick":
		if !s.requireActing(n.Span, "nobody can choose") {
			return s.bad(n.Span)
		}
		q.Word = "each"
		who := s.self
		e := &ir.Expr{Op: ir.OpPick, Type: orNone(elem), Query: q, Label: s.labelHere(), Pos: pos}
		if by, ok := n.By.(*ast.Name); ok && by.Name == "chance" && s.lookup("chance") == nil { // a die decides
			e.Name = "chance"
			s.asks(e.Label, rolled)
			if who != nil {
				e.Args = append(e.Args, s.read(who, n.Span))
			} else {
				e.Args = append(e.Args, s.constant(nothing, ir.None, n.Span))
			}
			return e
		}
		s.asks(e.Label, chosen)
		if n.By != nil {
			e.Args = append(e.Args, s.value(n.By, creature))
		} else if who != nil {
			e.Args = append(e.Args, s.read(who, n.Span))
		} else {
			s.errHint(n.Span, "no-self", "who chooses?", "the form is: pick X in LIST by WHO")
			return s.bad(n.Span)
		}
		return e
	case "each":
		t = listOf(elem)
		if n.Of != nil {
			q.Of = s.expr(n.Of, nil)
			t = listOf(q.Of.Type)
		}
	case "sum", "highest", "lowest":
		if n.Of == nil {
			s.errHint(n.Span, "wrong-arguments", "`"+n.Word.Name+"` of what?", "the form is: "+n.Word.Name+" X in LIST of EXPR")
			return s.bad(n.Span)
		}
		q.Of = s.expr(n.Of, nil)
		if n.Word.Name == "sum" && q.Of.Type.Kind == ir.List && !q.Of.Type.OrNone {
			t = q.Of.Type // lists are concatenated
			break
		}
		if !s.arithmetic(q.Of, n.Of) {
			return s.bad(n.Span)
		}
		t = q.Of.Type
		if n.Word.Name != "sum" {
			t = orNone(t)
		}
	}
	return &ir.Expr{Op: ir.OpQuery, Type: t, Query: q, Pos: pos}
}
