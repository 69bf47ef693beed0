package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file finds the checks of which nothing but the result is read. If every face gives the same result, such a check
// needs no die.

// successField is the index of the result among the parts of an outcome.
var successField = int64(slices.Index(ir.OutcomeFields, "success"))

// resultOnlyVars returns the outcomes of which no rule reads more than whether the check succeeds. Every reading of an
// outcome is counted, and every one that takes its result and nothing else: the two counts are then equal.
func (c *compiler) resultOnlyVars() map[*ir.Var]bool {
	only := map[*ir.Var]bool{}
	reads := map[*ir.Var]int{}
	expr := func(e *ir.Expr) {
		if v := c.outcomeRead(e); v != nil {
			reads[v]++
		}
		if e.Op == ir.OpRecordGet && e.Int == successField && e.Args[0].Type.Kind == ir.Outcome {
			reads[c.outcomeRead(e.Args[0])]--
		}
		if e.Plan != nil {
			countCaptured(reads, e.Plan.Captured)
		}
	}
	stmt := func(s *ir.Stmt) {
		switch {
		case s.Op == ir.DoCheck && s.Check.Var != nil:
			only[s.Check.Var] = true
		case s.Op == ir.DoSetField && s.Int == successField && s.X.Type.Kind == ir.Outcome:
			reads[c.outcomeRead(s.X)]--
		}
		if s.Gain != nil && s.Gain.Duration != nil {
			countCaptured(reads, s.Gain.Duration.Captured)
		}
	}
	for _, q := range c.rs.Procs {
		for _, s := range q.Steps {
			ir.WalkExpr(s.Guard, expr)
			ir.WalkStmts(s.Body, stmt, expr)
		}
	}
	for _, r := range c.rs.Rules {
		ir.WalkTrigger(r.Trigger, expr)
		ir.WalkExpr(r.Guard, expr)
		ir.WalkExpr(r.Default, expr)
		ir.WalkStmts(r.Body, stmt, expr)
		for _, n := range r.Needs {
			ir.WalkExpr(n.Cond.Body, expr)
		}
	}
	for v := range only {
		if reads[v] > 0 {
			delete(only, v)
		}
	}
	return only
}

func countCaptured(reads map[*ir.Var]int, vars []*ir.Var) {
	for _, v := range vars {
		if v.Type.Kind == ir.Outcome {
			reads[original(v)]++
		}
	}
}

// outcomeRead is the variable whose outcome an expression reads, nil if it reads none.
func (c *compiler) outcomeRead(e *ir.Expr) *ir.Var {
	switch {
	case e.Type.Kind != ir.Outcome:
	case e.Op == ir.OpVar && e.Var != nil:
		return original(e.Var)
	case e.Op == ir.OpRecordGet:
		if q, ok := c.procName[e.Args[0].Type.Name]; ok && int(e.Int) < len(c.rs.Procs[q].Record) {
			return original(c.rs.Procs[q].Record[e.Int])
		}
	}
	return nil
}

// original is the variable of the procedure that a rule's variable stands for.
func original(v *ir.Var) *ir.Var {
	for v.Outer != nil {
		v = v.Outer
	}
	return v
}

// isResultOnly says whether nothing but the result of a check matters: to what reads its outcome, and to the rules on
// checks.
func (c *compiler) isResultOnly(k *ir.Check) bool {
	if k.Open || k.Var == nil || !c.resultOnly[k.Var] || len(c.p.Rolls[k.Roll.Index].Verdicts) > 0 {
		return false
	}
	for _, word := range []string{"before", "after", "instead"} {
		for _, point := range []string{"", "face", "outcome"} {
			i := c.findPoint(pointKey{word: word, roll: k.Roll, point: point})
			if i < 0 || word == "before" && point != "outcome" { // nothing is rolled yet
				continue
			}
			for _, id := range c.p.Points[i].Rules {
				switch r := c.rs.Rules[id]; {
				case point == "" && !readsDie(r):
				case word == "after" && point == "face" && c.keepsFaces(r.Body, k.Roll, map[*ir.Var]bool{}):
				default:
					return false
				}
			}
			if word == "after" && point == "face" && len(c.p.Points[i].Endings)+len(c.p.Points[i].Plans) > 0 {
				return false // they wait for the die itself
			}
		}
	}
	return true
}

// keepsFaces says whether statements at the face of a check do nothing but replace it by another face that its die has,
// and offer to do so. Where no face can change the result they need not run, and what an offer costs is saved. The
// variables are those that are known to hold such a face.
func (c *compiler) keepsFaces(body []*ir.Stmt, r *ir.Roll, faces map[*ir.Var]bool) bool {
	for _, s := range body {
		switch s.Op {
		case ir.DoSet:
			isFace := c.isFace(s.X, r, faces)
			if s.Var.Kind == ir.VarOuter && (ir.CheckVars[program.CheckNatural] != s.Var.Name || !isFace) {
				return false
			}
			before, isSet := faces[s.Var]
			faces[s.Var] = isFace && (before || !isSet)
		case ir.DoIf:
			if !c.keepsFaces(s.Body, r, faces) || !c.keepsFaces(s.Else, r, faces) {
				return false
			}
		case ir.DoMay:
			if s.May.Call != nil || len(s.May.Else) > 0 || !c.keepsFaces(withoutCosts(s.May.Body), r, faces) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// withoutCosts leaves out what whoever takes an offer loses by it.
func withoutCosts(body []*ir.Stmt) []*ir.Stmt {
	return slices.DeleteFunc(slices.Clone(body), func(s *ir.Stmt) bool { return s.Op == ir.DoLoseResource && s.Var == nil })
}

// isFace says whether an expression gives a number that the die of a roll can show.
func (c *compiler) isFace(e *ir.Expr, r *ir.Roll, faces map[*ir.Var]bool) bool {
	isFace := func(e *ir.Expr) bool { return c.isFace(e, r, faces) }
	switch e.Op {
	case ir.OpVar:
		return faces[e.Var] || e.Var.Kind == ir.VarOuter && e.Var.Name == ir.CheckVars[program.CheckNatural]
	case ir.OpRoll:
		return e.Args[0].Op == ir.OpConst && e.Args[0].Int == r.Die.Pack()
	case ir.OpIf:
		return isFace(e.Args[1]) && isFace(e.Args[2])
	case ir.OpBuiltin:
		return (e.Name == "min" || e.Name == "max") && !slices.ContainsFunc(e.Args, func(a *ir.Expr) bool { return !isFace(a) })
	}
	return false
}

// readsDie says whether a rule on checks reads or sets a number that depends on the die.
func readsDie(r *ir.Rule) bool {
	return slices.ContainsFunc(r.Vars, func(v *ir.Var) bool {
		if v.Kind != ir.VarOuter {
			return false
		}
		switch slices.Index(ir.CheckVars, v.Name) {
		case program.CheckNatural, program.CheckTotal, program.CheckMargin:
			return true
		}
		return false
	})
}
