package check

import (
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file checks triggers: of rules, durations and plans.

// checkPoints are the steps of a check that a rule can interrupt.
var checkPoints = map[string]bool{"face": true, "outcome": true}

// trigger resolves a trigger.
func (s *scope) trigger(n *ast.Trigger) *ir.Trigger {
	c := s.c
	t := &ir.Trigger{Word: n.Word.Name, Step: -1, Next: n.Next}
	p := s.pure("a trigger")
	switch n.Word.Name {
	case "start", "end":
		t.Moment = n.Moment.Name
		if n.Of != nil {
			t.Of = p.value(n.Of, creature)
		}
	case "every":
		f := &ir.Func{Pos: s.pos(n.Span), Params: s.funcParams()}
		q := *p
		q.fn = f
		f.Body = q.value(n.Every, quantity("duration"))
		t.Every = f
	case "gaining", "losing":
		if n.Effect != nil {
			f, ok := c.names[n.Effect.Name].(*ir.Effect)
			if !ok {
				s.errHint(n.Effect.Span, "unknown-effect", "there is no condition, feat or effect "+n.Effect.Name, c.nearestHint(n.Effect.Name, c.namesOf(isEffect)))
			}
			t.Effect = f
		} else if s.effect == nil {
			s.errHint(n.Span, "unknown-effect", "gaining or losing what?", "the form is: on gaining EFFECT")
		} else {
			t.Effect = s.effect
		}
	default:
		s.event(n, t, p)
	}
	return t
}

// funcParams are the parameters of code that belongs to an effect: self and the instance.
func (s *scope) funcParams() []*ir.Var {
	ps := []*ir.Var{s.self}
	if s.inst != nil {
		ps = append(ps, s.inst)
	}
	return ps
}

// event resolves a trigger on a procedure or a check: which one, at which step, by whom and with which arguments.
func (s *scope) event(n *ast.Trigger, t *ir.Trigger, p *scope) {
	c := s.c
	if n.Path == nil || len(n.Path.Parts) == 0 {
		return
	}
	first := n.Path.Parts[0].Name
	var second ast.Ident
	if len(n.Path.Parts) > 1 {
		second = n.Path.Parts[1].Name
	}
	switch {
	case first.Name == "action" && c.names["action"] == nil:
		t.Any, t.Point = "action", second.Name
		if second.Name != "" && second.Name != "commit" {
			s.errHint(second.Span, "unknown-step", "for any action there is only `commit`", "write `action` or `action.commit`")
		}
	case first.Name == "check" && c.names["check"] == nil:
		t.Any, t.Point = "check", second.Name
		t.Proc = c.checkProc()
		if second.Name != "" && !checkPoints[second.Name] {
			s.errHint(second.Span, "unknown-step", "a check has no step "+second.Name, "its steps are face and outcome")
		}
	case s.planNamed(first.Name) != nil:
		t.Plan = s.planNamed(first.Name)
	default:
		proc, ok := c.names[first.Name].(*ir.Proc)
		if own, is := c.names[first.Name+"."+second.Name].(*ir.Proc); is { // of a kind or a thing
			proc, ok, second = own, true, ast.Ident{}
			if len(n.Path.Parts) > 2 {
				second = n.Path.Parts[2].Name
			}
		}
		if !ok {
			s.errHint(first.Span, "unknown-event", "there is no action or procedure "+first.Name, c.nearestHint(first.Name, c.namesOf(isProc)))
			return
		}
		c.procBody(proc)
		t.Proc = proc
		if second.Name == "commit" && proc.Action {
			t.Point = "commit"
		} else if second.Name != "" {
			var names []string
			for i, st := range proc.Steps {
				names = append(names, st.Name)
				if st.Name == second.Name {
					t.Step = i
				}
			}
			if t.Step < 0 {
				s.errHint(second.Span, "unknown-step", proc.Name+" has no step "+second.Name, c.stepHint(proc, second.Name, names))
			}
		}
	}
	c.recordTrigger(s.file, n, t)
	for i := range n.Args {
		a := &n.Args[i]
		var param *ir.Var
		if t.Proc != nil {
			for _, v := range t.Proc.Params {
				if v.Label == a.Label.Name {
					param = v
				}
			}
			if param == nil && (a.Label.Name == "to" || a.Label.Name == "of") && len(t.Proc.Params) > 0 && t.Proc.Params[0].Label == "" {
				param = t.Proc.Params[0]
			}
		}
		if param == nil && a.Label.Name != "by" {
			s.errHint(a.Label.Span, "wrong-label", "this event has no `"+a.Label.Name+"`", labelHint(t.Proc, a.Label.Name))
			continue
		}
		want := creature
		if param != nil {
			want = param.Type
		}
		t.Args = append(t.Args, ir.TriggerArg{Param: param, Value: p.value(a.Value, want)})
	}
}

// planNamed finds the parameter or memory of the effect that contains a plan: `before deed` waits for the plan's own
// trigger.
func (s *scope) planNamed(name string) *ir.Var {
	if s.effect != nil {
		for _, v := range s.effect.Values {
			if v.Name == name && v.Type.Kind == ir.PlanType {
				return v
			}
		}
	}
	return nil
}

// statNames is the enum of all stats; no ruleset can declare one of that name.
const statNames = "name of a stat"

// checkProc is a pseudo-procedure with the variables that rules on checks see.
func (c *checker) checkProc() *ir.Proc {
	if c.checkProcedure != nil {
		return c.checkProcedure
	}
	e := c.enums["roll"]
	if e == nil {
		e = &ir.Enum{Name: "roll"}
		for _, r := range c.rs.Rolls {
			e.Members = append(e.Members, r.Name)
		}
		c.enums["roll"] = e
		c.rs.Enums = append(c.rs.Enums, e)
	}
	if c.enums[statNames] == nil {
		e := &ir.Enum{Name: statNames}
		for _, st := range c.rs.Stats { // in the order of their indexes
			e.Members = append(e.Members, st.Name)
		}
		c.enums[statNames] = e
		c.rs.Enums = append(c.rs.Enums, e)
	}
	p := &ir.Proc{Index: -1, Name: "check"}
	p.Self = &ir.Var{Name: "self", Type: creature, Kind: ir.VarSelf, Owner: p}
	p.Vars = append(p.Vars, p.Self)
	for _, name := range ir.CheckVars {
		t := number
		switch name {
		case "roller":
			t = creature
		case "foe":
			t = orNone(creature)
		case "kind":
			t = enumOf("roll")
		case "stat":
			t = orNone(enumOf(statNames))
		case "success":
			t = yesNo
		}
		v := &ir.Var{Name: name, Type: t, Kind: ir.VarLocal, Exported: true, Owner: p, Index: len(p.Vars)}
		p.Vars = append(p.Vars, v)
		p.Record = append(p.Record, v)
	}
	c.checkProcedure = p
	return p
}
