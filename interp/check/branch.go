package check

import (
	"cmp"
	"slices"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file checks statements with arms: check, chance, roll, case.

func (s *scope) branch(n *ast.Branch) []*ir.Stmt {
	pos := s.pos(n.Span)
	g := s.guard(n.Tail)
	undo := func() {}
	if g != nil {
		undo = s.assume(g, true)
	}
	defer undo()
	step := s.step
	if n.As != nil {
		s.step = n.As.Name
	}
	var first *ir.Stmt
	var arms []*ir.Stmt
	switch n.Word.Name {
	case "check":
		ck := s.check(n)
		s.step = step
		if ck == nil {
			s.resultVar(n.As, invalid) // it is declared, whatever it holds
			return nil
		}
		ck.Var = s.resultVar(n.As, outcome)
		first = &ir.Stmt{Op: ir.DoCheck, Pos: pos, Check: ck}
		arms = s.outcomeArms(n, s.read(ck.Var, n.Span))
	case "chance":
		p := s.value(n.Subject, quantity("chance"))
		label := s.labelOf(rolled)
		s.step = step
		die := &ir.Expr{Op: ir.OpRoll, Type: number, Pos: pos, Label: label, Args: []*ir.Expr{s.constant(diceType, s.c.internDice("d100"), n.Span)}}
		low := *p
		if low.Type.Kind != ir.Invalid {
			low.Type = number
		}
		v := s.resultVar(n.As, yesNo)
		first = &ir.Stmt{Op: ir.DoSet, Pos: pos, Var: v, X: chanceOf(die, &low)}
		arms = s.outcomeArms(n, s.read(v, n.Span))
	case "roll":
		d := s.value(n.Subject, diceType)
		label := s.labelOf(rolled)
		s.step = step
		v := s.resultVar(n.As, number)
		first = &ir.Stmt{Op: ir.DoSet, Pos: pos, Var: v, X: &ir.Expr{Op: ir.OpRoll, Type: number, Pos: pos, Label: label, Args: []*ir.Expr{d}}}
		arms = s.valueArms(n, s.read(v, n.Span), nil)
	case "case":
		s.step = step
		x := s.expr(n.Subject, nil)
		v := s.resultVar(n.As, x.Type)
		first = &ir.Stmt{Op: ir.DoSet, Pos: pos, Var: v, X: x}
		arms = s.valueArms(n, s.read(v, n.Span), x)
		s.checkExhaustive(n, x.Type)
	}
	s.citeStmt(first, n.Tail)
	out := append([]*ir.Stmt{first}, arms...)
	if g != nil {
		return []*ir.Stmt{{Op: ir.DoIf, Pos: pos, X: g, Body: out}}
	}
	return out
}

// chanceOf says whether d%, the die, shows at most p. No die is rolled for what is certain or impossible.
func chanceOf(die, p *ir.Expr) *ir.Expr {
	is := func(op ir.Op, a, b *ir.Expr) *ir.Expr {
		return &ir.Expr{Op: op, Type: yesNo, Pos: die.Pos, Args: []*ir.Expr{a, b}}
	}
	percent := func(n int64) *ir.Expr { return &ir.Expr{Op: ir.OpConst, Type: number, Pos: die.Pos, Int: n} }
	rolls := is(ir.OpLe, die, p)
	switch {
	case p.Op != ir.OpConst:
		return is(ir.OpOr, is(ir.OpLe, percent(100), p), is(ir.OpAnd, is(ir.OpLt, percent(0), p), rolls))
	case p.Int >= 100 || p.Int <= 0:
		return &ir.Expr{Op: ir.OpConst, Type: yesNo, Pos: die.Pos, Int: int64(map[bool]int{true: 1}[p.Int > 0])}
	}
	return rolls
}

// resultVar is the variable that a branch binds, a hidden one if it has no name.
func (s *scope) resultVar(as *ast.Ident, t ir.Type) *ir.Var {
	if as != nil {
		if s.replaces {
			if v := s.outerVar(as.Name); v != nil {
				return v
			}
		}
		return s.bind(*as, t)
	}
	v := &ir.Var{Type: t, Kind: ir.VarLocal, Owner: s.proc}
	switch {
	case s.proc != nil:
		s.proc.Vars = append(s.proc.Vars, v)
	case s.rule != nil:
		s.rule.Vars = append(s.rule.Vars, v)
	case s.locals != nil:
		*s.locals = append(*s.locals, v)
	}
	return v
}

// check determines who rolls what: the first stat with `rolled as`, or the roll named.
func (s *scope) check(n *ast.Branch) *ir.Check {
	c := s.c
	ck := &ir.Check{Label: s.labelOf(rolled)}
	rollerExpr, stat := s.statIn(n.Subject, true)
	if stat != nil {
		ck.Roll, ck.Stat = stat.Roll, stat
	}
	if n.Rolled != nil {
		if ck.Roll = c.rolls[n.Rolled.Name]; ck.Roll == nil {
			s.errHint(n.Rolled.Span, "unknown-roll", "there is no roll "+n.Rolled.Name, c.nearestHint(n.Rolled.Name, keys(c.rolls)))
			return nil
		}
	}
	if ck.Roll == nil {
		hint := "check a stat that is `rolled as ROLL`, or write `check ... rolled as ROLL`"
		if call := s.checkFormFor(n.Subject); call != "" {
			hint = "did you mean `check " + call + "`?"
		}
		s.errHint(n.Subject.Extent(), "which-roll", "what is rolled for this?", hint)
		return nil
	}
	ck.Roller = s.owner(rollerExpr, n.Subject.Extent())
	ck.Foe = &ir.Expr{Op: ir.OpConst, Type: nothing, Int: ir.None, Pos: s.pos(n.Span)}
	if n.Target == nil {
		ck.Open = true
		if len(n.Arms) > 0 {
			s.errHint(n.Arms[0].Span, "wrong-arm", "without a difficulty a check cannot succeed or fail", "write `check ... dc N`")
		}
		t := *s
		t.acting, t.where, t.fill = false, "a check", s.filler(ck.Foe)
		ck.Bonus = t.value(n.Subject, number)
		ck.Target = s.constant(number, 0, n.Span)
		return ck
	}
	if n.Versus.Name != "dc" {
		foeExpr, foeStat := s.statIn(n.Target, n.Versus.Name == "opposed")
		if foeStat != nil {
			ck.Foe = s.owner(foeExpr, n.Target.Extent())
		} else if n.Versus.Name == "vs" {
			s.errHint(n.Target.Extent(), "no-opponent", "`vs` takes a stat of a creature", "for a number write `dc`")
		}
		if n.Versus.Name == "opposed" {
			if foeStat == nil || foeStat.Roll == nil {
				s.errHint(n.Target.Extent(), "which-roll", "what does the other side roll?", "oppose it by a stat that is `rolled as ROLL`")
				return nil
			}
			ck.Opposed = foeStat.Roll
			s.asks(ck.Label+".opposed", rolled)
		}
	}
	t := *s
	t.acting = false
	t.where = "a check"
	t.fill = s.filler(ck.Foe)
	ck.Bonus = t.value(n.Subject, number)
	t.fill = s.filler(ck.Roller)
	ck.Target = t.value(n.Target, number)
	return ck
}

// filler supplies a stat's situation in a check: the opponent, and names in scope for the rest.
func (s *scope) filler(foe *ir.Expr) func(p *ir.Var) *ir.Expr {
	return func(p *ir.Var) *ir.Expr {
		if p.Label == "against" && p.Type.Kind == ir.Ref && p.Type.Name == "creature" {
			return foe
		}
		v := s.lookup(p.Name)
		if v == nil {
			v = s.outerVar(p.Name)
		}
		if v != nil && sameType(v.Type, p.Type) {
			return s.read(v, ast.Span{})
		}
		return nil
	}
}

// checkFormFor returns the form of the check for a thing that cannot be rolled itself, such as a skill: a stat with the
// thing in its situation.
func (s *scope) checkFormFor(e ast.Expr) string {
	who, thing := "WHO", ""
	switch n := e.(type) {
	case *ast.Name:
		thing = n.Name
	case *ast.Field:
		who, thing = format.Expr(n.X), n.Name.Name
	}
	t, ok := s.c.names[thing].(*ir.Template)
	if !ok {
		return ""
	}
	rolled := s.c.namesOf(func(x any) bool { st, ok := x.(*ir.Stat); return ok && st.Roll != nil })
	slices.SortFunc(rolled, func(a, b string) int { // the one with the fewest parameters comes first
		n, m := s.c.names[a].(*ir.Stat), s.c.names[b].(*ir.Stat)
		return cmp.Or(cmp.Compare(len(n.Params), len(m.Params)), cmp.Compare(n.Index, m.Index))
	})
	for _, name := range rolled {
		for _, v := range s.c.names[name].(*ir.Stat).Params {
			if v.Type.Kind == ir.Ref && v.Type.Name == t.Kind.Name && t.Kind.Name != "creature" {
				return who + "." + name + " " + v.Label + " " + thing
			}
		}
	}
	return ""
}

// statIn finds the stat that is checked, and the expression of its creature (nil: self).
func (s *scope) statIn(e ast.Expr, rolled bool) (ast.Expr, *ir.Stat) {
	ok := func(name string) *ir.Stat {
		st, _ := s.c.names[name].(*ir.Stat)
		if st == nil || rolled && st.Roll == nil {
			return nil
		}
		return st
	}
	switch n := e.(type) {
	case *ast.Name:
		if s.lookup(n.Name) == nil {
			return nil, ok(n.Name)
		}
	case *ast.Field:
		if st := ok(n.Name.Name); st != nil {
			return n.X, st
		}
	case *ast.Call:
		if !n.Bracketed {
			return s.statIn(n.Fn, rolled)
		}
		for _, a := range n.Args {
			if x, st := s.statIn(a.Value, rolled); st != nil {
				return x, st
			}
		}
	case *ast.Paren:
		return s.statIn(n.X, rolled)
	case *ast.Unary:
		return s.statIn(n.X, rolled)
	case *ast.Binary:
		if x, st := s.statIn(n.X, rolled); st != nil {
			return x, st
		}
		return s.statIn(n.Y, rolled)
	case *ast.Cond:
		if x, st := s.statIn(n.Then, rolled); st != nil {
			return x, st
		}
		return s.statIn(n.Else, rolled)
	}
	return nil, nil
}

func (s *scope) owner(e ast.Expr, span ast.Span) *ir.Expr {
	if e != nil {
		p := s.pure("a check")
		x := p.expr(e, &creature)
		if x.Type.Kind == ir.List { // that it has no such stat is reported with the stat
			return s.bad(span)
		}
		return p.demand(x, e, creature)
	}
	if x := s.selfExpr(span); x != nil {
		return x
	}
	s.errHint(span, "no-self", "whose check is this?", "write `check WHO.STAT ...`")
	s.c.reported[diagKey{s.file, span.Start.Offset, "unknown-name"}] = true // an unknown stat is the same mistake
	return s.bad(span)
}

// outcomeArms turns success, failure and natural arms into a chain of ifs.
func (s *scope) outcomeArms(n *ast.Branch, x *ir.Expr) []*ir.Stmt {
	isOutcome := x.Type.Kind == ir.Outcome
	return s.chain(n, func(a *ast.Arm) *ir.Expr {
		pos := s.pos(a.Span)
		success := x
		if isOutcome {
			success = &ir.Expr{Op: ir.OpRecordGet, Type: yesNo, Int: 4, Args: []*ir.Expr{x}, Pos: pos}
		}
		not := &ir.Expr{Op: ir.OpNot, Type: yesNo, Args: []*ir.Expr{success}, Pos: pos}
		switch a.Label.Name {
		case "success", "failure":
			t := success
			if a.Label.Name == "failure" {
				t = not
			}
			if a.By == nil {
				return t
			}
			if !isOutcome {
				s.err(a.By.Extent(), "wrong-type", "a chance has no margin")
				return t
			}
			return s.byMargin(t, x, s.value(a.By, number), a.Label.Name == "failure", pos)
		case "natural":
			if isOutcome && a.By != nil {
				nat := &ir.Expr{Op: ir.OpRecordGet, Type: number, Int: 0, Args: []*ir.Expr{x}, Pos: pos}
				return &ir.Expr{Op: ir.OpEq, Type: yesNo, Args: []*ir.Expr{nat, s.value(a.By, number)}, Pos: pos}
			}
		case "otherwise":
			return nil
		}
		hint := ""
		if len(a.Values) > 0 {
			if n, ok := a.Values[0].From.(*ast.Name); ok {
				hint = s.c.nearestHint(n.Name, []string{"success", "failure", "natural", "otherwise"})
			}
		}
		s.errHint(a.Span, "wrong-arm", "this is not a possible result of a check", hint)
		return s.bad(a.Span)
	})
}

// valueArms tests a value, x, against the values of arms; of is the expression in the source that computes it, if there
// is one.
func (s *scope) valueArms(n *ast.Branch, x, of *ir.Expr) []*ir.Stmt {
	return s.chain(n, func(a *ast.Arm) *ir.Expr {
		if a.Label.Name == "otherwise" {
			return nil
		}
		pos := s.pos(a.Span)
		var any *ir.Expr
		for i := range a.Values {
			v := &a.Values[i]
			if v.Mark == "others" {
				return nil
			}
			var t *ir.Expr
			switch {
			case v.To != nil:
				lo, hi := s.value(v.From, x.Type), s.value(v.To, x.Type)
				t = &ir.Expr{Op: ir.OpAnd, Type: yesNo, Pos: pos, Args: []*ir.Expr{
					{Op: ir.OpLe, Type: yesNo, Pos: pos, Args: []*ir.Expr{lo, x}}, {Op: ir.OpLe, Type: yesNo, Pos: pos, Args: []*ir.Expr{x, hi}}}}
			case v.Open == "more":
				t = &ir.Expr{Op: ir.OpLe, Type: yesNo, Pos: pos, Args: []*ir.Expr{s.value(v.From, x.Type), x}}
			case v.Open == "less":
				t = &ir.Expr{Op: ir.OpLe, Type: yesNo, Pos: pos, Args: []*ir.Expr{x, s.value(v.From, x.Type)}}
			case v.From != nil:
				w := x.Type
				y := s.expr(v.From, &w)
				if y.Type.OrNone {
					w = orNone(w)
				}
				y = s.demand(y, v.From, w)
				if of != nil && s.rejectNameComparison(of, n.Subject, y) {
					return s.bad(a.Span)
				}
				t = &ir.Expr{Op: equalityOp(x, y), Type: yesNo, Pos: pos, Args: []*ir.Expr{x, y}}
			default:
				t = s.bad(v.Span)
			}
			if any == nil {
				any = t
			} else {
				any = &ir.Expr{Op: ir.OpOr, Type: yesNo, Pos: pos, Args: []*ir.Expr{any, t}}
			}
		}
		if any == nil {
			s.err(a.Span, "wrong-arm", "this arm has no value")
			return s.bad(a.Span)
		}
		return any
	})
}

// chain turns arms into if, else if, else; test returns nil for the `otherwise` arm.
func (s *scope) chain(n *ast.Branch, test func(*ast.Arm) *ir.Expr) []*ir.Stmt {
	var head, last *ir.Stmt
	seen := map[string]ast.Span{}
	for i := range n.Arms {
		a := &n.Arms[i]
		s.checkDuplicateArm(a, seen)
		t := test(a)
		body := s.block(a.Body)
		if t == nil {
			if i != len(n.Arms)-1 {
				s.errHint(n.Arms[i+1].Span, "unreachable", "this arm is never reached", "`otherwise` comes last")
			}
			if last == nil {
				return body
			}
			last.Else = body
			return []*ir.Stmt{head}
		}
		st := &ir.Stmt{Op: ir.DoIf, Pos: s.pos(a.Span), X: t, Body: body}
		if last == nil {
			head = st
		} else {
			last.Else = []*ir.Stmt{st}
		}
		last = st
	}
	if head == nil {
		return nil
	}
	return []*ir.Stmt{head}
}

// checkDuplicateArm reports an arm for a case that an earlier arm handles.
func (s *scope) checkDuplicateArm(a *ast.Arm, seen map[string]ast.Span) {
	once := func(what string, span ast.Span) {
		if first, twice := seen[what]; twice {
			s.errDuplicate(span, first, "there already is an arm for "+what, "remove one of them")
			return
		}
		seen[what] = span
	}
	switch what := a.Label.Name; {
	case what == "otherwise":
	case what != "" && a.By == nil:
		once("`"+what+"`", a.Label.Span)
	case what == "natural":
		once("`natural "+format.Expr(a.By)+"`", a.Label.Span)
	}
	for _, v := range a.Values {
		if v.From != nil && v.To == nil && v.Open == "" {
			once("`"+format.Expr(v.From)+"`", v.Span)
		}
	}
}

// checkExhaustive reports the members of an enum that a `case` does not handle.
func (s *scope) checkExhaustive(n *ast.Branch, t ir.Type) {
	if t.Kind != ir.EnumType {
		return
	}
	handled := map[string]bool{}
	for i := range n.Arms {
		a := &n.Arms[i]
		if a.Label.Name == "otherwise" {
			return
		}
		for _, v := range a.Values {
			if name, ok := v.From.(*ast.Name); ok {
				handled[name.Name] = true
			}
			if v.To != nil || v.Open != "" {
				return
			}
		}
	}
	for _, m := range s.c.enums[t.Name].Members {
		if !handled[m] {
			s.errHint(n.Span, "incomplete-case", "there is no arm for "+m, "add an arm for it, or `otherwise`")
			return
		}
	}
}
