package compile

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles rules and reactions: when they run, whose they are, and their bodies.

// newRuleChunk begins a chunk in the scope of a rule: self, the actor of the interrupted code, the instance.
func (c *compiler) newRuleChunk(r *ir.Rule, name string) *chunkBuilder {
	f := c.newChunk(name, program.RuleParams)
	f.actor, f.inst = 1, 2
	f.interruptsCheck = r.Trigger != nil && r.Trigger.Any == "check"
	for _, v := range r.Vars {
		f.declare(v)
	}
	return f
}

func (c *compiler) rule(r *ir.Rule, order int32) program.Rule {
	out := program.Rule{
		Name: r.Name, Effect: -1, Within: -1, Guard: program.NoChunk, Chunk: program.NoChunk, Legal: program.NoChunk, Default: program.NoChunk, Reaction: r.Reaction,
		Bearer: program.AnyBearer, Permission: -1, Once: r.Once, RulesetDepth: int32(r.RulesetDepth), Order: order, Label: c.label(r.Name), Part: partID(r.Part),
	}
	switch {
	case r.Effect != nil:
		out.Effect = int32(r.Effect.Index)
	case r.Within != nil:
		out.Within = int32(r.Within.Index)
	default:
		out.EveryCreature = r.Reaction || c.belongsToNobody(r) && mentionsSelf(r)
	}
	out.Bearer = c.ruleBearer(r, out.EveryCreature)
	for i, x := range c.rs.Permissions {
		if r.Reaction && x.Proc == nil && x.Name == lastName(r.Name) {
			out.Permission = int32(i)
		}
	}
	out.Guard = c.ruleGuard(r)
	if r.Reaction {
		out.Costs = c.costs(r.Costs, program.RuleParams, r.Name+".cost", true)
		out.Legal = c.reactionLegal(r, out.Permission)
		out.Default = c.reactionDefault(r)
	}
	f := c.newRuleChunk(r, r.Name)
	f.mayAct, f.runsOnce = true, r.Once != "" && !r.Reaction
	f.at = c.posOf(r.Part)
	f.declareStmts(r.Body)
	f.cover(r.Part)
	if len(out.Costs) > 0 {
		f.emit(program.OpPay, 0, 0, 0, 0)
	}
	if !c.isOmitted(r) {
		f.body(r.Body)
	}
	f.recordPosition(&out.CancelPC)
	f.end()
	out.InitialValues = f.initialValues()
	out.Chunk = f.finish(program.Scalar)
	if t := r.Trigger; t != nil && t.Word == "every" && !c.isOmitted(r) {
		c.tick(r)
	}
	return out
}

// belongsToNobody says whether a rule's moment is no creature's: a round, a fight, a beat of the clock.
func (c *compiler) belongsToNobody(r *ir.Rule) bool {
	t := r.Trigger
	return t != nil && (t.Word == "every" || (t.Word == "start" || t.Word == "end") && t.Moment != "turn")
}

// mentionsSelf decides whether such a rule runs once, or once per creature. A Starlark function always receives self,
// but counts only if its source mentions it.
func mentionsSelf(r *ir.Rule) bool {
	found := false
	unmentioned := map[*ir.Expr]bool{} // the self that a function receives but does not mention
	visit := func(e *ir.Expr) {
		if (e.Op == ir.OpHook || e.Op == ir.OpHookRoll) && !slices.Contains(e.Hook.Mentions.Names, "self") {
			unmentioned[e.Args[0]] = true
		}
		if e.Op == ir.OpVar && e.Var != nil && e.Var.Kind == ir.VarSelf && !unmentioned[e] {
			found = true
		}
	}
	ir.WalkExpr(r.Guard, visit)
	ir.WalkStmts(r.Body, func(s *ir.Stmt) {
		if s.Call != nil && s.Call.Who == nil {
			found = true
		}
	}, visit)
	if r.Trigger != nil && r.Trigger.Every != nil {
		ir.WalkExpr(r.Trigger.Every.Body, visit)
	}
	return found
}

// ruleBearer returns whose rule it can be according to its trigger alone, which the guard tests as well (triggered).
func (c *compiler) ruleBearer(r *ir.Rule, each bool) int32 {
	t := r.Trigger
	if t == nil || t.Plan != nil || r.Effect == nil && !each {
		return program.AnyBearer
	}
	turn := (t.Word == "start" || t.Word == "end") && t.Moment == "turn" && t.Of == nil
	if r.Effect != nil && (turn || t.Word == "gaining" || t.Word == "losing") {
		return program.ActorBearer
	}
	for _, a := range t.Args {
		switch v := a.Value; {
		case v.Op != ir.OpVar || v.Var == nil || v.Var.Kind != ir.VarSelf:
		case a.Param == nil:
			return program.ActorBearer
		case t.Proc != nil:
			return c.outerOf(t, a.Param)
		}
	}
	return program.AnyBearer
}

// ruleGuard combines the conditions of the trigger (whose turn, by whom, with which arguments) and the rule's own
// guard.
func (c *compiler) ruleGuard(r *ir.Rule) int32 {
	f := c.newRuleChunk(r, r.Name+".guard")
	f.at = c.posOf(r.Part)
	f.declareExprs(r.Guard)
	no := f.triggerJumps(r.Trigger, r.Effect != nil || r.Within != nil)
	f.consider(r.Part)
	if r.Guard != nil {
		no = append(no, f.jump(r.Guard, false)...)
	}
	if len(no) == 0 {
		return program.NoChunk
	}
	f.returnYes(no)
	return f.finish(program.Scalar)
}

// triggerJumps compiles the conditions of a trigger; the jumps are taken if one does not hold.
func (f *chunkBuilder) triggerJumps(t *ir.Trigger, inEffect bool) []int {
	if t == nil || t.Plan != nil {
		return nil
	}
	ir.WalkTrigger(t, func(e *ir.Expr) { f.declareExprs(e) })
	var no []int
	switch t.Word {
	case "start", "end":
		switch {
		case t.Moment != "turn":
		case t.Of != nil:
			mark := f.next
			no = append(no, f.emit(program.OpJumpNe, f.value(t.Of), f.actor, 0, 0))
			f.next = mark
		case inEffect:
			no = append(no, f.emit(program.OpJumpNe, f.self, f.actor, 0, 0))
		}
	case "gaining", "losing":
		if inEffect {
			no = append(no, f.emit(program.OpJumpNe, f.self, f.actor, 0, 0))
		}
	}
	for _, a := range t.Args {
		mark := f.next
		have := f.actor
		if a.Param != nil {
			if i := f.c.outerOf(t, a.Param); f.interrupted >= 0 {
				have = f.interrupted + int(i)
			} else {
				have = f.temp()
				f.emit(program.OpOuter, have, 0, 0, i)
			}
		}
		no = append(no, f.emit(program.OpJumpNe, f.value(a.Value), have, 0, 0))
		f.next = mark
	}
	return no
}

// reactionLegal compiles whether a reaction can be offered: its owner may act and do it, its needs hold, and it can be
// paid for.
func (c *compiler) reactionLegal(r *ir.Rule, permission int32) int32 {
	f := c.newRuleChunk(r, r.Name+".needs")
	f.consider(r.Part)
	f.permit(int32(c.rs.ActPermission), 0)
	f.permit(permission, 0)
	f.needs(r.Needs, 2)
	f.payable(r.Costs, 2)
	f.returnInt(-1)
	return f.finish(program.Scalar)
}

// reactionDefault compiles whether a reaction is taken if nobody decides.
func (c *compiler) reactionDefault(r *ir.Rule) int32 {
	if r.Default == nil {
		return program.NoChunk
	}
	f := c.newRuleChunk(r, r.Name+".default")
	f.at = c.posOf(r.Part)
	f.declareExprs(r.Default)
	f.returnYes(f.jump(r.Default, false))
	return f.finish(program.Scalar)
}

// tick compiles the period of a rule of `every`.
func (c *compiler) tick(r *ir.Rule) {
	x := program.Tick{Rule: int32(r.Index), Period: program.NoChunk, Effect: -1}
	if fn := r.Trigger.Every; fn != nil && fn.Body != nil {
		x.Period = c.instanceFunc(fn, r.Name+".every")
	}
	if r.Effect != nil {
		x.Effect = int32(r.Effect.Index)
		e := &c.p.Effects[r.Effect.Index]
		e.Ticks = append(e.Ticks, int32(len(c.p.Ticks)))
	}
	c.p.Ticks = append(c.p.Ticks, x)
}
