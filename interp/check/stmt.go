package check

import (
	"cmp"
	"fmt"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file checks statements.

// block checks the statements of a block in a scope of their own.
func (s *scope) block(b *ast.Block) []*ir.Stmt {
	if b == nil {
		return nil
	}
	s.push()
	top, undosBefore := s.topLevel, len(s.undos)
	s.topLevel = false
	out := s.stmts(b.Clauses)
	s.pop()
	s.topLevel = top
	s.undoSince(undosBefore)
	return s.citeBlock(b, out)
}

// citeBlock makes the statements of a block one part of the rules if the block contains a `cite` on a line of its
// own.
func (s *scope) citeBlock(b *ast.Block, body []*ir.Stmt) []*ir.Stmt {
	var cites []ast.Cite
	for _, cl := range b.Clauses {
		if x, ok := cl.(*ast.Documentation); ok {
			cites = append(cites, x.Cites...)
		}
	}
	if len(cites) == 0 || len(body) == 0 {
		return body
	}
	all := &ir.Stmt{Op: ir.DoIf, Pos: body[0].Pos, X: s.constant(yesNo, 1, b.Span), Body: body}
	s.citeStmt(all, ast.Tail{Cites: cites})
	return []*ir.Stmt{all}
}

// undoSince undoes the facts that statements have proved since there were n of them.
func (s *scope) undoSince(n int) {
	for _, undo := range s.undos[n:] {
		undo()
	}
	s.undos = s.undos[:n]
}

// stmts checks statements in order. A statement inserted by a change is in another file.
func (s *scope) stmts(list []ast.Clause) []*ir.Stmt {
	var out []*ir.Stmt
	endedBy := ""
	for _, cl := range list {
		file := s.file
		if o := s.c.set.Origins[cl]; o != nil {
			s.file = o.File
		}
		if endedBy != "" {
			s.c.warn(s.file, cl.Extent(), "never-runs", "this comes after `"+endedBy+"` and never runs", "")
			endedBy = ""
		}
		for _, st := range s.stmt(cl) {
			out = append(out, st)
			// After `stop when X is none`, X is not none.
			if (st.Op == ir.DoStop || st.Op == ir.DoCancel) && st.Guard != nil {
				s.undos = append(s.undos, s.assume(st.Guard, false))
			} else if n, ok := cl.(*ast.Simple); ok && (st.Op == ir.DoStop || st.Op == ir.DoCancel) {
				endedBy = n.Word.Name
			}
		}
		s.file = file
	}
	return out
}

// citeStmt makes a statement with a `cite` a part of the rules. Other statements belong to their step.
func (s *scope) citeStmt(st *ir.Stmt, t ast.Tail) {
	if len(t.Cites) == 0 {
		return
	}
	st.Part = s.c.newPlainPart(s.labelHere(), s.origin(), st.Pos.Span, nil, t.Cites)
}

// guard joins `when` and `unless` into one condition, nil for none.
func (s *scope) guard(t ast.Tail) *ir.Expr {
	p := s.pure("a guard")
	var g *ir.Expr
	if t.When != nil {
		g = p.cond(t.When)
	}
	if t.Unless != nil {
		// An absent part of the situation does not prevent it.
		var before []*ir.Var
		if p.fn != nil {
			before, p.fn.Needs = p.fn.Needs, nil
		}
		not := p.cond(t.Unless)
		not = &ir.Expr{Op: ir.OpNot, Type: yesNo, Pos: not.Pos, Args: []*ir.Expr{not}}
		if p.fn != nil {
			for _, v := range p.fn.Needs {
				missing := &ir.Expr{Op: ir.OpEq, Type: yesNo, Pos: not.Pos, Args: []*ir.Expr{
					{Op: ir.OpVar, Type: orNone(v.Type), Var: v, Pos: not.Pos}, p.constant(nothing, ir.None, t.Unless.Extent())}}
				not = &ir.Expr{Op: ir.OpOr, Type: yesNo, Pos: not.Pos, Args: []*ir.Expr{missing, not}}
			}
			p.fn.Needs = before
		}
		if g == nil {
			g = not
		} else {
			g = &ir.Expr{Op: ir.OpAnd, Type: yesNo, Pos: g.Pos, Args: []*ir.Expr{g, not}}
		}
	}
	if g != nil {
		s.warnNeverTrue(g, cmp.Or(t.When, t.Unless))
	}
	return g
}

// withTail runs f with the guard of t assumed, and attaches the tail to the statement.
func (s *scope) withTail(t ast.Tail, f func() *ir.Stmt) []*ir.Stmt {
	g := s.guard(t)
	undo := func() {}
	if g != nil {
		undo = s.assume(g, true)
	}
	st := f()
	undo()
	if st == nil {
		return nil
	}
	if g != nil && st.Guard != nil {
		st = &ir.Stmt{Op: ir.DoIf, Pos: st.Pos, X: g, Body: []*ir.Stmt{st}}
	} else {
		st.Guard = g
	}
	s.citeStmt(st, t)
	return []*ir.Stmt{st}
}

// stmt checks one statement; a check with arms becomes several.
func (s *scope) stmt(cl ast.Clause) []*ir.Stmt {
	if !s.acting {
		s.errHint(cl.Extent(), "misplaced", "statements are not allowed here", "")
		return nil
	}
	pos := s.pos(cl.Extent())
	mk := func(op ir.StmtOp) *ir.Stmt { return &ir.Stmt{Op: op, Pos: pos} }
	switch n := cl.(type) {
	case *ast.Bad:
		return nil
	case *ast.Documentation:
		return nil // collected by the owner of the block
	case *ast.Let:
		return s.withTail(n.Tail, func() *ir.Stmt { return s.let(n) })
	case *ast.Set:
		return s.withTail(n.Tail, func() *ir.Stmt {
			st := s.set(n)
			s.hush(st, n.Quietly)
			return st
		})
	case *ast.If:
		return s.ifElse(n)
	case *ast.ForEach:
		return s.forEach(n)
	case *ast.Repeat:
		st := mk(ir.DoRepeat)
		st.X = s.value(n.Times, number)
		s.forgetSet(n.Body)
		st.Body = s.block(n.Body)
		return []*ir.Stmt{st}
	case *ast.Branch:
		return s.branch(n)
	case *ast.Choose:
		return s.choose(n)
	case *ast.Gain:
		return s.gain(n)
	case *ast.May:
		return s.withTail(n.Tail, func() *ir.Stmt { return s.may(n) })
	case *ast.ActsAt:
		return s.withTail(n.Tail, func() *ir.Stmt {
			st := mk(ir.DoActsAt)
			st.X = s.value(n.Who, creature)
			st.Name = n.Side
			of := number
			if n.Side != "at" {
				of = creature
			}
			for _, k := range n.Keys {
				st.Args = append(st.Args, s.value(k, of))
			}
			if len(n.Keys) > 4 {
				s.err(n.Span, "limit", "a place in the turn order has at most 4 numbers")
			}
			return st
		})
	case *ast.Moves:
		return s.withTail(n.Tail, func() *ir.Stmt { return s.moves(n) })
	case *ast.Simple:
		return s.withTail(n.Tail, func() *ir.Stmt { return s.simple(n) })
	case *ast.Command:
		return s.withTail(n.Tail, func() *ir.Stmt {
			if n.Name.Name == "do" && len(n.Args) == 1 && s.c.names["do"] == nil {
				st := mk(ir.DoPlan)
				st.X = s.value(n.Args[0].Value, planType)
				return st
			}
			if h, ok := s.c.names[n.Name.Name].(*ir.Hook); ok && n.Who == nil {
				return s.hookStatement(h, n)
			}
			call := s.command(n)
			if call == nil {
				return nil
			}
			st := mk(ir.DoCall)
			st.Call = call
			return st
		})
	}
	hint := ""
	switch cl.(type) {
	case *ast.Side, *ast.Directive, *ast.Map, *ast.Scripted, *ast.Expect:
		hint = "rules cannot do this; a script can: an encounter between `fight on for 2 rounds` and another `fight on`"
	}
	s.errHint(cl.Extent(), "misplaced", "this is not allowed among statements", hint)
	return nil
}

// hush marks a statement that ends in `quietly`: the transcript would tell it otherwise.
func (s *scope) hush(st *ir.Stmt, quietly *ast.Ident) {
	switch {
	case quietly == nil || st == nil:
	case st.Resource == nil && st.Effect == nil || st.Op == ir.DoSetMemory:
		s.errHint(quietly.Span, "misplaced", "the transcript does not tell what becomes of a name, a field or a memory", "leave out `quietly`: it goes with a resource, and with effects that are gained or lost")
	default:
		st.Quiet = true
	}
}

// ifElse checks both branches, each with the facts that the condition proves there.
func (s *scope) ifElse(n *ast.If) []*ir.Stmt {
	st := &ir.Stmt{Op: ir.DoIf, Pos: s.pos(n.Span)}
	st.X = s.cond(n.Cond)
	undo := s.assume(st.X, true)
	st.Body = s.block(n.Then)
	undo()
	undo = s.assume(st.X, false)
	st.Else = s.block(n.Else)
	undo()
	return []*ir.Stmt{st}
}

// forEach checks a loop; the body can rely on its condition.
func (s *scope) forEach(n *ast.ForEach) []*ir.Stmt {
	st := &ir.Stmt{Op: ir.DoForEach, Pos: s.pos(n.Span)}
	s.push()
	st.Query = s.query(&n.Query)
	s.forgetSet(n.Body)
	undo := func() {}
	if st.Query.Where != nil {
		undo = s.assume(st.Query.Where, true)
	}
	st.Body = s.block(n.Body)
	undo()
	s.pop()
	return []*ir.Stmt{st}
}

func (s *scope) let(n *ast.Let) *ir.Stmt {
	st := &ir.Stmt{Op: ir.DoSet, Pos: s.pos(n.Span)}
	step := s.step
	s.step = n.Name.Name // rolls and choices are labeled with the name they are bound to
	command := n.Command
	if command == nil {
		command = s.asCommand(n.Value)
	}
	if command != nil {
		if call := s.command(command); call != nil {
			st.X = &ir.Expr{Op: ir.OpCall, Type: ir.Type{Kind: ir.Record, Name: call.Proc.Name}, Call: call, Pos: call.Pos}
		} else {
			st.X = s.bad(n.Span)
		}
	} else {
		var want *ir.Type
		if s.replaces {
			if v := s.outerVar(n.Name.Name); v != nil {
				want = &v.Type
			}
		}
		st.X = s.expr(n.Value, want)
	}
	s.step = step
	if st.X.Type.Kind == ir.Nothing {
		s.errHint(n.Span, "untyped-none", "none of what? The type is not known here", "declare it where there is a value, or write `if ... then ... else none`")
		st.X.Type = invalid
	}
	if s.replaces {
		if v := s.outerVar(n.Name.Name); v != nil {
			if !fits(st.X.Type, v.Type) {
				s.err(n.Span, "wrong-type", "%s is %s where it is replaced, and this is %s", n.Name.Name, article(typeName(v.Type)), article(typeName(st.X.Type)))
			}
			st.Var = v
			return st
		}
	}
	if v := s.lookup(n.Name.Name); v != nil && (v.Kind == ir.VarSelf || v.Kind == ir.VarParam) {
		s.errHint(n.Name.Span, "declared-twice", n.Name.Name+" is a parameter here", "choose another name, or `set "+n.Name.Name+" to ...`")
	}
	s.warnAnother(n.Name)
	st.Var = s.bind(n.Name, st.X.Type)
	s.forget(st.Var)
	return st
}

func (s *scope) set(n *ast.Set) *ir.Stmt {
	c := s.c
	st := &ir.Stmt{Pos: s.pos(n.Span)}
	switch t := n.Target.(type) {
	case *ast.Name:
		if t.Name == "self" {
			s.err(t.Span, "not-settable", "self cannot be set")
			return nil
		}
		v := s.lookup(t.Name)
		if v == nil && s.effect != nil {
			for _, m := range s.effect.Values {
				if m.Name == t.Name {
					c.checkMemory(s.effect, m)
					v = m
				}
			}
		}
		if v == nil {
			v = s.outerVar(t.Name)
		}
		if x := s.script[t.Name]; v == nil && x != nil && x.Op == ir.OpVar {
			v = x.Var // of an earlier statement of the script
		}
		if g, ok := c.names[t.Name].(*ir.Global); ok && v == nil {
			c.global(g)
			v = g.Var
		}
		if v != nil {
			st.Op, st.Var = ir.DoSet, v
			st.X = s.value(n.Value, v.Type)
			s.forget(v)
			return st
		}
		if s.self != nil {
			return s.setProperty(st, s.selfExpr(t.Span), t.Ident, n.Value)
		}
		s.errUnknown(t.Ident, nil)
		return nil
	case *ast.Field:
		who, e, x := s.effectOf(t.X)
		if e != nil {
			for i, v := range e.Values {
				if v.Name == t.Name.Name {
					c.checkMemory(e, v)
					st.Op, st.X, st.Effect, st.Int = ir.DoSetMemory, who, e, int64(i)
					st.Y = s.value(n.Value, v.Type)
					return st
				}
			}
		}
		if x == nil {
			x = s.expr(t.X, nil)
		}
		if x.Type.Kind == ir.Invalid {
			return nil
		}
		if x.Type.OrNone {
			x = s.errMayBeNone(x, t.X)
		}
		return s.setProperty(st, x, t.Name, n.Value)
	}
	s.errHint(n.Target.Extent(), "not-settable", "this cannot be set", "a name, a field, a memory or a resource can")
	return nil
}

func (s *scope) setProperty(st *ir.Stmt, x *ir.Expr, id ast.Ident, value ast.Expr) *ir.Stmt {
	c := s.c
	if x.Type.Kind == ir.Outcome { // the outcome of a check can be changed later
		if y := s.property(x, id, nil); y != nil {
			st.Op, st.X, st.Int = ir.DoSetField, x, y.Int
			st.Y = s.value(value, y.Type)
			return st
		}
	}
	if x.Type.Kind == ir.Ref {
		k := c.kinds[x.Type.Name]
		if i := k.Field(id.Name); i >= 0 {
			st.Op, st.X, st.Kind, st.Int = ir.DoSetField, x, k, int64(i)
			st.Y = s.value(value, k.Fields[i].Type)
			s.forgetField(k, i)
			return st
		}
		if x.Type.Name == "creature" {
			switch y := c.names[id.Name].(type) {
			case *ir.Resource:
				st.Op, st.X, st.Resource = ir.DoSetResource, x, y
				st.Y = s.value(value, y.Type)
				return st
			case *ir.Stat:
				s.errHint(id.Span, "not-settable", id.Name+" is a stat: it is computed from its terms", "set one of its parts"+c.dependencyHint(c.kinds["creature"], y)+", or give an effect that modifies it")
				return nil
			}
		}
	}
	s.errHint(id.Span, "not-settable", fmt.Sprintf("%s has nothing named %s that can be set", article(typeName(x.Type)), id.Name), s.nearestMemberHint(x.Type, id.Name))
	return nil
}

func (s *scope) simple(n *ast.Simple) *ir.Stmt {
	st := &ir.Stmt{Pos: s.pos(n.Span)}
	switch n.Word.Name {
	case "stop":
		st.Op = ir.DoStop
	case "cancel":
		st.Op = ir.DoCancel
		if n.Text != nil {
			st.Text = n.Text.Value
		}
		if s.interrupted == nil && !s.anyAction {
			s.errHint(n.Span, "misplaced", "there is nothing here to cancel", "`cancel` belongs in a rule on a procedure; `stop` ends a procedure")
		}
	case "default":
		st.Op = ir.DoDefault
		if !s.replaces {
			s.errHint(n.Span, "misplaced", "`default` does what a rule replaces", "it belongs in `rule NAME instead of PATH`")
		}
	case "note", "say":
		st.Op = ir.DoNote
		if n.Text != nil {
			st.Note = s.note(n.Text)
		}
	}
	return st
}

// note checks the {values} of a text.
func (s *scope) note(t *ast.Text) []ir.NotePiece {
	parts, diags := parse.Note(s.file, t)
	for _, d := range diags {
		s.errHint(d.Span, d.Code, d.Message, d.Hint)
	}
	var out []ir.NotePiece
	for _, p := range parts {
		if p.Value == nil {
			out = append(out, ir.NotePiece{Text: p.Text})
		} else if x := s.pure("a text").expr(p.Value, nil); x.Type.Kind != ir.Invalid {
			out = append(out, ir.NotePiece{Value: x})
		}
	}
	return out
}

func (s *scope) may(n *ast.May) *ir.Stmt {
	st := &ir.Stmt{Op: ir.DoMay, Pos: s.pos(n.Span)}
	m := &ir.May{Who: s.value(n.Who, creature), Label: s.offerLabel(n)}
	st.May = m
	if n.Label != nil {
		m.Text = n.Label.Value
	}
	if n.Command != nil {
		m.Call = s.command(n.Command)
		if m.Call == nil {
			return nil
		}
		m.Call.Who = m.Who
	}
	m.Default = s.defaultCond(n.Default)
	m.Body = s.block(n.Body)
	m.Else = s.block(n.Else)
	return st
}

// defaultCond checks `by default when COND`, which is pure.
func (s *scope) defaultCond(e ast.Expr) *ir.Expr {
	if e == nil {
		return nil
	}
	return s.pure("`by default when`").cond(e)
}

func (s *scope) choose(n *ast.Choose) []*ir.Stmt {
	st := &ir.Stmt{Op: ir.DoChoose, Pos: s.pos(n.Span)}
	ch := &ir.Choose{Label: s.labelOf(chosen)}
	st.Choose = ch
	if n.By != nil {
		ch.By = s.value(n.By, creature)
	} else {
		ch.By = s.selfExpr(n.Span)
	}
	for i := range n.Options {
		o := &n.Options[i]
		s.checkDuplicateOption(n.Options[:i], o)
		g := s.guard(o.Tail)
		undo := func() {}
		if g != nil {
			undo = s.assume(g, true)
		}
		ch.Options = append(ch.Options, ir.Alternative{Text: o.Label.Value, Guard: g, Body: s.block(o.Body)})
		undo()
	}
	return []*ir.Stmt{st}
}

// checkDuplicateOption reports an option of a choice with the label of another, since an answer would be ambiguous.
// Guarded options may be alternatives.
func (s *scope) checkDuplicateOption(before []ast.Choice, o *ast.Choice) {
	if o.When != nil || o.Unless != nil {
		return
	}
	for i := range before {
		if b := &before[i]; b.Label.Value == o.Label.Value && b.When == nil && b.Unless == nil {
			s.errDuplicate(o.Label.Span, b.Label.Span, "there already is a choice \""+o.Label.Value+"\"", "give one of them another label")
			return
		}
	}
}

func (s *scope) moves(n *ast.Moves) *ir.Stmt {
	st := &ir.Stmt{Op: ir.DoMoves, Pos: s.pos(n.Span), Name: n.Word.Name, Int: ir.None, X: s.value(n.Who, creature)}
	if n.Amount != nil {
		st.Args = append(st.Args, s.value(n.Amount, quantity("distance")))
	} else {
		st.Args = append(st.Args, &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: st.Pos})
	}
	switch n.Word.Name {
	case "along":
		st.Args = append(st.Args, s.value(n.To, pathType))
	default:
		st.Args = append(st.Args, s.placeExpr(n.To))
	}
	if n.By != nil {
		e := s.c.enums[ir.MoveModes]
		if e == nil || e.Member(n.By.Name) < 0 {
			s.errHint(n.By.Span, "unknown-name", "there is no movement mode named "+n.By.Name, "declare `enum movement-mode: walking, ...`")
		} else {
			st.Int = int64(e.Member(n.By.Name))
		}
	}
	return st
}

// clauseWords start the clauses of actions and procedures that are not statements.
var clauseWords = []string{"step", "cost", "needs", "lasts", "keep", "includes", "cannot", "must"}
