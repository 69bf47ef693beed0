package check

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file checks what a question for a stat assumes. A stat says it behind a part of its situation: `with weapon
// usually weapon-in-hand`. The rules never assume anything: a part that they do not give is missing.

// usualSituation checks the defaults of a stat's parameters.
func (c *checker) usualSituation(st *ir.Stat, n *ast.Stat, d *link.Def, self *ir.Var) {
	for i := range n.Params {
		def := n.Params[i].Default
		if def == nil || i >= len(st.Params) {
			continue
		}
		want := orNone(st.Params[i].Type)
		f, _ := c.pureFunc(c.fileOf(def, d.Origin), "what a question assumes", self, st.Params[:i], nil, func(s *scope) *ir.Expr { return s.value(def, want) })
		if st.Usual == nil {
			st.Usual = make([]*ir.Func, len(st.Params))
		}
		st.Usual[i] = f
	}
}

// assumed returns what a question assumes for a part of a situation, given the arguments before, or nil.
func (s *scope) assumed(st *ir.Stat, i int, given []*ir.Expr) *ir.Expr {
	for st.ViewOf != nil {
		st = st.ViewOf
	}
	if s.script == nil || i >= len(st.Usual) || st.Usual[i] == nil || st.Usual[i].Body == nil {
		return nil
	}
	f := st.Usual[i]
	e := withArguments(f.Body, f.Params, given)
	for _, v := range f.Needs {
		k := slices.Index(f.Params, v)
		if k < 0 || isNone(given[k]) {
			return nil // what it depends on is missing too
		}
		if x := given[k]; x.Type.OrNone {
			none := s.constant(nothing, ir.None, ast.Span{})
			missing := &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{x, none}, Pos: x.Pos}
			e = &ir.Expr{Op: ir.OpIf, Type: orNone(e.Type), Args: []*ir.Expr{missing, none, e}, Pos: e.Pos}
		}
	}
	return e
}

// withArguments copies an expression and puts arguments in the place of parameters.
func withArguments(e *ir.Expr, params []*ir.Var, args []*ir.Expr) *ir.Expr {
	if e == nil {
		return nil
	}
	if e.Op == ir.OpVar {
		if i := slices.Index(params, e.Var); i >= 0 && i < len(args) {
			return args[i]
		}
	}
	x := *e
	x.Args = slices.Clone(e.Args)
	for i, a := range e.Args {
		x.Args[i] = withArguments(a, params, args)
	}
	if e.Query != nil {
		q := *e.Query
		for _, part := range []**ir.Expr{&q.In, &q.Where, &q.Sort, &q.Of} {
			*part = withArguments(*part, params, args)
		}
		x.Query = &q
	}
	return &x
}

// Question returns the reading of a stat of a creature in a situation of which nothing is given, with what a question
// assumes; nil if that is nothing.
func (s *Script) Question(st *ir.Stat, who int64) (x *ir.Expr) {
	usual := st
	for usual.ViewOf != nil {
		usual = usual.ViewOf
	}
	if usual.Usual == nil {
		return nil
	}
	s.diagnose(func(sc *scope) {
		x = sc.stat(st, &ir.Expr{Op: ir.OpConst, Type: creature, Int: who}, nil, ast.Span{})
	})
	if x.Int == 0 {
		return nil
	}
	return x
}
