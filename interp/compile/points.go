package compile

import (
	"cmp"
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file links rules to the points at which they run. A hook identifies a point; only hooks where something waits
// become points of the program.

// pointKey is where a rule, a duration or a plan waits, in terms of the tree.
type pointKey struct {
	word   string // before, after, instead, start, end, gaining, losing
	proc   *ir.Proc
	step   int      // -1: the whole procedure
	roll   *ir.Roll // of the points of checks: the kind of roll
	point  string   // commit; face, outcome; turn, round, fight
	effect *ir.Effect
}

// pointKeys of a trigger: one, or with `action` one per action, with `check` one per kind of roll.
func (c *compiler) pointKeys(t *ir.Trigger, bearer *ir.Effect) []pointKey {
	switch t.Word {
	case "before", "after", "instead":
		var hs []pointKey
		if t.Any == "check" {
			for _, r := range c.rs.Rolls {
				hs = append(hs, pointKey{word: t.Word, roll: r, point: t.Point})
			}
			return hs
		}
		if t.Any == "action" {
			for _, q := range c.rs.Procs {
				if q.Action {
					hs = append(hs, pointKey{word: t.Word, proc: q, step: -1, point: t.Point})
				}
			}
			return hs
		}
		if t.Proc != nil {
			step := t.Step
			if t.Point != "" {
				step = -1
			}
			return []pointKey{{word: t.Word, proc: t.Proc, step: step, point: t.Point}}
		}
	case "start", "end":
		return []pointKey{{word: t.Word, point: t.Moment}}
	case "gaining", "losing":
		e := t.Effect
		if e == nil {
			e = bearer
		}
		if e != nil {
			return []pointKey{{word: t.Word, effect: e}}
		}
	}
	return nil
}

// name is unique: two keys with the same name are the same point.
func (h pointKey) name() string {
	what := h.point
	switch {
	case h.roll != nil:
		what = "check"
		if h.point != "" {
			what += "." + h.point
		}
		what += " of " + h.roll.Name
	case h.effect != nil:
		what = h.effect.Name
	case h.proc != nil:
		what = h.proc.Name
		if h.point != "" {
			what = h.point + " of " + what
		} else if h.step >= 0 && h.step < len(h.proc.Steps) {
			what += "." + h.proc.Steps[h.step].Name
		}
	}
	return h.word + " " + what
}

// pointOf returns the point of a hook, and makes it if necessary.
func (c *compiler) pointOf(h pointKey) int32 {
	name := h.name()
	if i, ok := c.points.of(name); ok {
		return i
	}
	i := int32(len(c.p.Points))
	c.points.set(name, i)
	c.p.Points = append(c.p.Points, program.Point{Name: name, Check: h.checkPhase()})
	return i
}

// checkPhase says how far a check is at its points.
func (h *pointKey) checkPhase() program.CheckPhase {
	switch {
	case h.roll == nil:
		return program.NoCheck
	case h.point == "" && h.word != "after":
		return program.CheckBegins
	case h.point == "face" || h.word != "after":
		return program.CheckStands
	}
	return program.CheckJudged
}

// findPoint returns the point of a hook, -1 if nothing waits there.
func (c *compiler) findPoint(h pointKey) int32 {
	if i, ok := c.points.of(h.name()); ok {
		return i
	}
	return -1
}

// announce emits the point of a hook, if something waits there. The interrupted names begin at register outer.
func (f *chunkBuilder) announce(h pointKey, outer, actor int) {
	if i := f.c.findPoint(h); i >= 0 {
		rules := f.c.rulesWithoutEffect(i)
		past := f.inlineGuards(i, rules, outer, actor)
		at := f.emit(program.OpAt, outer, actor, min(1, len(rules)), i)
		if at > 0 && f.code[at-1].Op == program.OpEndInstead && len(rules) == 0 {
			f.code[at-1].D = 1 + i
		}
		f.patch(past)
	}
}

// compareRules orders the rules of one creature at a point as they run: compulsory ones before reactions, then by the
// depth of the ruleset, then by path.
func compareRules(a, b *ir.Rule) int {
	if a.Reaction != b.Reaction {
		if b.Reaction {
			return -1
		}
		return 1
	}
	return cmp.Or(a.RulesetDepth-b.RulesetDepth, cmp.Compare(a.Name, b.Name))
}

// linkPoints makes every point where a rule, a duration or a plan waits, and numbers durations and plans.
func (c *compiler) linkPoints() {
	p := c.p
	for i := range p.Moments {
		for j := range p.Moments[i] {
			p.Moments[i][j] = -1
		}
	}
	p.TickPoint = c.pointOf(pointKey{word: "every", point: "beat"})
	for i, r := range c.rs.Rules {
		c.of(pointsUnit, i)
		if c.isOmitted(r) || r.Trigger == nil || r.Trigger.Plan != nil {
			continue
		}
		for _, h := range c.pointKeys(r.Trigger, r.Effect) {
			if h.roll != nil && requiresOtherRoll(r.Guard, h.roll) {
				continue
			}
			i := c.pointOf(h)
			p.Points[i].Rules = append(p.Points[i].Rules, int32(r.Index))
		}
	}
	for i := range p.Points { // in the order in which the rules of one creature run, so that there is little left to sort
		slices.SortStableFunc(p.Points[i].Rules, func(a, b int32) int { return compareRules(c.rs.Rules[a], c.rs.Rules[b]) })
	}
	c.of(anyUnit, 0)
	for _, e := range c.rs.Effects {
		if e.Lasts != nil {
			c.addDuration(e.Lasts, e)
		}
	}
	for _, q := range c.rs.Procs {
		for _, s := range q.Steps {
			c.collectWaits(s.Body, q)
		}
		if c.opts.AnnounceAll {
			c.addAllPoints(q)
		}
	}
	for _, r := range c.rs.Rules {
		c.collectWaits(r.Body, nil)
	}
	for i, word := range []string{"start", "end"} {
		for j, moment := range []string{"turn", "round", "fight"} {
			h := pointKey{word: word, point: moment}
			if c.opts.AnnounceAll {
				c.pointOf(h)
			}
			p.Moments[i][j] = c.findPoint(h)
		}
	}
	if c.opts.AnnounceAll {
		for _, r := range c.rs.Rolls {
			for _, word := range []string{"before", "after", "instead"} {
				for _, point := range []string{"", "face", "outcome"} {
					c.pointOf(pointKey{word: word, roll: r, point: point})
				}
			}
		}
	}
}

// requiresOtherRoll says whether the guard of a rule on `check` requires another kind of roll, so that the rule need
// not wait at checks of this kind.
func requiresOtherRoll(guard *ir.Expr, roll *ir.Roll) bool {
	switch {
	case guard == nil:
		return false
	case guard.Op == ir.OpAnd:
		return requiresOtherRoll(guard.Args[0], roll) || requiresOtherRoll(guard.Args[1], roll)
	case guard.Op != ir.OpEq:
		return false
	}
	kind, is := guard.Args[0], guard.Args[1]
	if kind.Op == ir.OpConst {
		kind, is = is, kind
	}
	return kind.Op == ir.OpVar && kind.Var != nil && kind.Var.Kind == ir.VarOuter && kind.Var.Name == ir.CheckVars[program.CheckKind] &&
		is.Op == ir.OpConst && is.Int != int64(roll.Index)
}

// isOmitted says whether a rule is neutral, itself or with what it belongs to.
func (c *compiler) isOmitted(r *ir.Rule) bool {
	return c.isNeutral(r.Part) || r.Effect != nil && c.isNeutral(r.Effect.Part) || r.Resource != nil && c.isNeutral(r.Resource.Part)
}

// addAllPoints makes every point of a procedure.
func (c *compiler) addAllPoints(q *ir.Proc) {
	for _, word := range []string{"before", "after", "instead"} {
		c.pointOf(pointKey{word: word, proc: q, step: -1})
		if q.Action && word != "instead" {
			c.pointOf(pointKey{word: word, proc: q, step: -1, point: "commit"})
		}
		for i := range q.Steps {
			c.pointOf(pointKey{word: word, proc: q, step: i})
		}
	}
}

// collectWaits finds the durations and plans of a piece of code.
func (c *compiler) collectWaits(body []*ir.Stmt, q *ir.Proc) {
	visit := func(e *ir.Expr) {
		if e.Plan != nil {
			c.addPlan(e.Plan)
		}
	}
	ir.WalkStmts(body, func(s *ir.Stmt) {
		if s.Gain != nil && s.Gain.Duration != nil {
			c.addDuration(s.Gain.Duration, s.Gain.Effect)
		}
	}, visit)
	if q != nil {
		for _, v := range q.Params {
			ir.WalkExpr(v.Default, visit)
		}
	}
}

// capturedValue is a value that a duration captures when it begins: an expression or a variable.
type capturedValue struct {
	x     *ir.Expr
	v     *ir.Var
	shape program.Shape
}

// capturedValues lists them: rounds, seconds, the variables of the condition, then for each trigger a mark for `next`,
// whose turn, and the values of its arguments.
func capturedValues(d *ir.Duration) []capturedValue {
	values := []capturedValue{{x: d.Rounds}, {x: d.Seconds}}
	for _, v := range d.Captured {
		values = append(values, capturedValue{v: v, shape: program.ShapeOf(v.Type)})
	}
	add := func(x *ir.Expr) {
		v := capturedValue{x: x}
		if x != nil {
			v.shape = program.ShapeOf(x.Type)
		}
		values = append(values, v)
	}
	for _, t := range d.Until {
		add(nil) // the mark
		add(t.Of)
		for _, a := range t.Args {
			add(a.Value)
		}
	}
	return values
}

// addDuration numbers a duration and makes its triggers wait at their points. An effect's own moments (`until end of
// turn`) are those of its bearer.
func (c *compiler) addDuration(d *ir.Duration, of *ir.Effect) {
	if _, ok := c.durations[d]; ok {
		return
	}
	id := int32(len(c.p.Durations))
	c.durations[d] = id
	out := program.Duration{While: program.NoChunk, WhileParams: int32(len(d.Captured)), HasTriggers: len(d.Until) > 0}
	for _, v := range capturedValues(d) {
		out.Shapes = append(out.Shapes, v.shape)
	}
	if d.While != nil {
		out.At = d.While.Pos
	}
	c.p.Durations = append(c.p.Durations, out)
	at := int32(2 + len(d.Captured))
	for _, t := range d.Until {
		mark, ofIndex := at, at+1
		at += 2 + int32(len(t.Args))
		ending := program.Ending{Duration: id, Skip: -1}
		if t.Word == "start" || t.Word == "end" {
			if t.Moment == "turn" {
				whose := int32(-1)
				if t.Of != nil {
					whose = ofIndex
				}
				ending.Args = append(ending.Args, program.EndingArg{Outer: -1, Captured: whose})
				if t.Next {
					ending.Skip = mark
					c.p.Durations[id].Skips = append(c.p.Durations[id].Skips, program.Skip{Counter: mark, Creature: whose, AtEnd: t.Word == "end"})
				}
			}
		}
		if t.Word == "gaining" || t.Word == "losing" {
			ending.Args = append(ending.Args, program.EndingArg{Outer: -1, Captured: -1})
		}
		trigger := program.Trigger{Text: t.String(), Moment: t.Moment != "", Skip: mark}
		if t.Moment == "turn" {
			whose := program.TriggerArg{Label: "of", Captured: -1, Type: c.typeOf(ir.Type{Kind: ir.Ref, Name: c.rs.Kinds[0].Name})}
			if t.Of != nil {
				whose.Captured = ofIndex
			}
			trigger.Args = append(trigger.Args, whose)
		}
		for k, a := range t.Args {
			outer, label := int32(-1), "by"
			if a.Param != nil {
				outer, label = c.outerOf(t, a.Param), cmp.Or(a.Param.Label, "to")
			}
			trigger.Args = append(trigger.Args, program.TriggerArg{Label: label, Captured: ofIndex + 1 + int32(k), Type: c.typeOf(a.Value.Type)})
			ending.Args = append(ending.Args, program.EndingArg{Outer: outer, Captured: ofIndex + 1 + int32(k)})
		}
		c.p.Durations[id].Triggers = append(c.p.Durations[id].Triggers, trigger)
		for _, h := range c.pointKeys(t, of) {
			p := c.pointOf(h)
			c.p.OwnPoints()
			c.p.Points[p].Endings = append(c.p.Points[p].Endings, ending)
		}
	}
}

// outerOf is the index of a parameter of what a trigger interrupts.
func (c *compiler) outerOf(t *ir.Trigger, v *ir.Var) int32 {
	from := v
	if v.Outer != nil {
		from = v.Outer
	}
	if t.Proc != nil {
		if r, ok := c.registers(t.Proc)[from]; ok {
			return int32(r)
		}
		for x, r := range c.registers(t.Proc) {
			if x.Name == v.Name && x.Kind == ir.VarParam {
				return int32(r)
			}
		}
	}
	for i, name := range ir.CheckVars {
		if name == v.Name {
			return int32(i)
		}
	}
	c.fail(ir.Pos{}, "%s is not a name in what is interrupted", v.Name)
	return -1
}

// addPlan numbers a plan and makes the rules that wait for plans wait at its trigger, before or after it as they say.
func (c *compiler) addPlan(x *ir.Plan) {
	if _, ok := c.plans[x]; ok {
		return
	}
	id := int32(len(c.p.Plans))
	c.plans[x] = id
	out := program.Plan{Name: fmt.Sprintf("plan %d", id), Chunk: program.NoChunk, Actions: c.actionsOf(x), Pos: x.Pos,
		ComesAfter: x.Trigger != nil && x.Trigger.Word == "after"}
	for _, v := range x.Captured {
		out.Shapes = append(out.Shapes, program.ShapeOf(v.Type))
	}
	c.p.Plans = append(c.p.Plans, out)
	for _, r := range c.rs.Rules {
		if r.Trigger == nil || r.Trigger.Plan == nil || x.Trigger == nil || r.Effect == nil || c.isOmitted(r) {
			continue
		}
		t := *x.Trigger
		if t.Word == "before" || t.Word == "after" || t.Word == "instead" {
			t.Word = r.Trigger.Word
		}
		for _, h := range c.pointKeys(&t, nil) {
			p := c.pointOf(h)
			c.p.OwnPoints()
			c.p.Points[p].Plans = append(c.p.Points[p].Plans, program.PlanRule{
				Rule: int32(r.Index), Value: int32(r.Trigger.Plan.Index), Plan: id, Guard: program.NoChunk,
			})
		}
	}
	c.collectWaits(x.Body, nil)
}

// actionsOf lists the actions among the commands of a plan.
func (c *compiler) actionsOf(x *ir.Plan) int64 {
	object := []int64{0}
	ir.WalkStmts(x.Body, func(s *ir.Stmt) {
		if s.Call != nil && s.Call.Proc.Action {
			object = append(object, int64(s.Call.Proc.Index))
		}
	}, func(*ir.Expr) {})
	object[0] = program.PackHeader(program.ListObject, int32(program.Scalar), len(object)-1)
	return c.constantObject(object)
}
