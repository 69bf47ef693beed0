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
				if point != "" || readsDie(c.rs.Rules[id]) {
					return false
				}
			}
		}
	}
	return true
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
