package check

import (
	"cmp"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks gaining and losing of effects, with their memory and durations, and of resources.

func (s *scope) gain(n *ast.Gain) []*ir.Stmt {
	c := s.c
	pos := s.pos(n.Span)
	g := s.guard(n.Tail)
	undo := func() {}
	if g != nil {
		undo = s.assume(g, true)
	}
	defer undo()
	who := s.value(n.Who, creature)
	gains := n.Word.Name == "gains"
	if n.Amount != nil || n.All {
		st := &ir.Stmt{Op: ir.DoLoseResource, Pos: pos, X: who, Guard: g}
		if gains {
			st.Op = ir.DoGainResource
		}
		r, ok := c.names[n.Resource.Name].(*ir.Resource)
		if !ok {
			hint := c.nearestHint(n.Resource.Name, c.namesOf(isResource))
			if name, ok := n.Amount.(*ast.Name); ok {
				if f, ok := c.names[name.Name].(*ir.Effect); ok { // an effect followed by its parameter
					hint = "write `" + n.Word.Name + " " + f.Name + "(" + n.Resource.Name + ")`"
				}
			}
			s.errHint(n.Resource.Span, "unknown-resource", "there is no resource "+n.Resource.Name, hint)
			return nil
		}
		st.Resource = r
		if n.All && gains {
			s.errHint(n.Span, "wrong-arguments", "`all` only goes with `loses`", "to fill it up, `set` it to its upper bound")
		}
		if n.Amount != nil {
			x := s.expr(n.Amount, &number)
			if x.Type.Kind == ir.Dice {
				if s.requireActing(n.Span, "dice cannot be rolled") {
					x = &ir.Expr{Op: ir.OpRoll, Type: number, Pos: x.Pos, Label: s.labelOf(rolled), Args: []*ir.Expr{x}}
				}
			} else {
				x = s.demand(x, n.Amount, number)
			}
			st.Y = x
		}
		if n.Leaving != nil {
			s.warnAnother(*n.Leaving)
			st.Var = s.bind(*n.Leaving, number)
		}
		s.citeStmt(st, n.Tail)
		s.hush(st, n.Quietly)
		return []*ir.Stmt{st}
	}
	if len(n.Effects) > 1 && len(n.Args) > 0 {
		s.errHint(n.Args[0].Span, "wrong-arguments", "only a single effect can have arguments", "write a statement for each effect")
	}
	c.reportListDuplicates(s.file, n.Effects)
	var out []*ir.Stmt
	for i, id := range n.Effects {
		f, ok := c.names[id.Name].(*ir.Effect)
		if !ok {
			hint := c.nearestHint(id.Name, c.namesOf(isEffect))
			if _, res := c.names[id.Name].(*ir.Resource); res {
				hint = "how many? `" + n.Word.Name + " 1 " + id.Name + "`"
			}
			if t, ok := c.names[id.Name].(*ir.Template); ok {
				hint = c.fieldHint(t)
			}
			s.errHint(id.Span, "unknown-effect", "there is no condition, feat or effect "+id.Name, hint)
			continue
		}
		c.declareMemory(f)
		if f.While != nil {
			c.whole()
		}
		if a := c.effectNodes[f]; a != nil && a.While != nil {
			s.errHint(id.Span, "derived-effect", f.Name+" follows from its condition and cannot be gained or lost", "change what its `while` depends on"+c.causesOf(a.While))
		}
		st := &ir.Stmt{Pos: pos, X: who, Effect: f, Guard: g}
		args := n.Args
		if i < len(n.Effects)-1 {
			args = nil // arguments belong to the last name
		}
		if gains {
			st.Op = ir.DoGainEffect
			st.Gain = &ir.Gain{Effect: f, Args: s.effectArgs(f, args, true, id.Span), Memory: make([]*ir.Expr, len(f.Values)-f.NParams)}
			s.memory(f, n.Memory, st.Gain)
			if n.Duration != nil {
				st.Gain.Duration = s.duration(n.Duration)
			}
		} else {
			st.Op = ir.DoLoseEffect
			st.Args = s.effectArgs(f, args, false, id.Span)
		}
		s.citeStmt(st, n.Tail)
		s.hush(st, n.Quietly)
		out = append(out, st)
	}
	return out
}

func (s *scope) memory(f *ir.Effect, b *ast.Block, g *ir.Gain) {
	if b == nil {
		return
	}
	seen := map[string]ast.Span{}
	for _, cl := range b.Clauses {
		p, ok := cl.(*ast.Property)
		if !ok || len(p.Values) != 1 {
			s.err(cl.Extent(), "misplaced", "give the memories of %s as NAME: VALUE", f.Name)
			continue
		}
		s.c.unguarded(s.file, p.Tail, "a memory", "write `"+p.Name.Name+": if COND then A else B`")
		if first, twice := seen[p.Name.Name]; twice {
			s.errDuplicate(p.Name.Span, first, p.Name.Name+" is given twice", "remove one of them")
			continue
		}
		seen[p.Name.Name] = p.Name.Span
		found := false
		for i, v := range f.Values {
			if v.Name == p.Name.Name {
				s.c.checkMemory(f, v)
				x := s.value(p.Values[0], v.Type)
				if i < f.NParams {
					g.Args[i] = x
				} else {
					g.Memory[i-f.NParams] = x
				}
				found = true
			}
		}
		if !found {
			var names []string
			for _, v := range f.Values {
				names = append(names, v.Name)
			}
			s.errHint(p.Name.Span, "unknown-name", f.Name+" has no memory named "+p.Name.Name,
				cmp.Or(s.c.nearestHint(p.Name.Name, names), "declare it there: `keep "+p.Name.Name+" = ...`"))
		}
	}
}

func (s *scope) duration(n *ast.Duration) *ir.Duration {
	d := &ir.Duration{}
	if n.For != nil {
		if r := roundsOf(n.For); r != nil {
			x := s.expr(r, &number)
			if x.Type.Kind == ir.Dice {
				x = &ir.Expr{Op: ir.OpRoll, Type: number, Pos: x.Pos, Label: s.labelOf(rolled), Args: []*ir.Expr{x}}
			} else {
				x = s.demand(x, r, number)
			}
			d.Rounds = x
		} else {
			d.Seconds = s.value(n.For, quantity("duration"))
		}
	}
	for i := range n.Until {
		d.Until = append(d.Until, s.trigger(&n.Until[i]))
	}
	if n.While != nil {
		// The condition is evaluated later, when the gaining code has ended, so the variables it reads are captured.
		f := &ir.Func{Pos: s.pos(n.While.Extent())}
		t := *s
		t.acting, t.where, t.fill = false, "a `while`", nil
		t.onCapture = captureInto(&d.Captured)
		f.Body = t.cond(n.While)
		d.While = f
	}
	return d
}

// roundsOf returns the number in `N rounds` and `(X) rounds`, nil for other durations.
func roundsOf(e ast.Expr) ast.Expr {
	switch n := unparen(e).(type) {
	case *ast.Number:
		if n.Unit.Name == "round" || n.Unit.Name == "rounds" {
			m := *n
			m.Unit = ast.Ident{}
			return &m
		}
	case *ast.Quantity:
		if n.Unit.Name == "round" || n.Unit.Name == "rounds" {
			return n.X
		}
	case *ast.Binary:
		if n.Op.Name == "*" {
			if y, ok := unparen(n.Y).(*ast.Number); ok && y.Value == 1 && (y.Unit.Name == "round" || y.Unit.Name == "rounds") {
				return n.X
			}
		}
	}
	return nil
}

// fieldHint says how a creature comes to have a thing: a field of it holds one of that kind.
func (c *checker) fieldHint(t *ir.Template) string {
	hint := "it is " + article(t.Kind.Name)
	for _, f := range c.rs.Kinds[0].Fields {
		if f.Type.Kind == ir.Ref && f.Type.Name == t.Kind.Name {
			return hint + ": write `set WHO." + f.Name + " to " + t.Name + "`"
		}
	}
	return hint + ", not an effect"
}
