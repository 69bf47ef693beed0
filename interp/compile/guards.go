package compile

import (
	"cmp"
	"math"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file inlines the guards of the rules at a point. Most rules outside effects do not hold most of the time, and
// listing them with their bearers only to find that out costs more than testing their guards. If all such rules of a
// point have small guards, the code tests them in the order in which the rules would run, and reaches the point only if
// one holds, or if a creature has an effect that waits there.

// rulesWithoutEffect returns the rules of a point that are in no effect, in the order in which they would run.
func (c *compiler) rulesWithoutEffect(point int32) []*ir.Rule {
	var list []*ir.Rule
	for _, id := range c.p.Points[point].Rules {
		if r := c.rs.Rules[id]; r.Effect == nil && !c.isOmitted(r) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *ir.Rule) int { return cmp.Or(a.RulesetDepth-b.RulesetDepth, cmp.Compare(a.Name, b.Name)) })
	return list
}

// inlineGuards compiles the tests before a point, and returns the jumps past it. The interrupted names begin at
// register outer; the actor is in register actor.
func (f *chunkBuilder) inlineGuards(point int32, rules []*ir.Rule, outer, actor int) (past []int) {
	for _, r := range rules {
		if !f.hasSmallGuard(r) {
			return nil
		}
	}
	if len(rules) == 0 || point > math.MaxInt16 {
		return nil
	}
	saved, mark := *f, f.next
	toPoint := []int{f.emit(program.OpJumpAwaited, 0, int(uint8(point>>8)), int(uint8(point)), 0)}
	for _, r := range rules {
		f.self, f.actor, f.inst, f.interrupted = actor, actor, -1, outer
		f.interruptsCheck = r.Trigger.Any == "check"
		f.at = f.c.posOf(r.Part)
		no := f.triggerJumps(r.Trigger, false)
		if r.Guard != nil {
			toPoint = append(toPoint, f.jump(r.Guard, true)...)
		} else {
			toPoint = append(toPoint, f.emit(program.OpJump, 0, 0, 0, 0))
		}
		f.patch(no)
	}
	past = []int{f.emit(program.OpJump, 0, 0, 0, 0)}
	f.patch(toPoint)
	f.self, f.actor, f.inst, f.interrupted, f.interruptsCheck, f.at, f.next = saved.self, saved.actor, saved.inst, saved.interrupted, saved.interruptsCheck, saved.at, mark
	return past
}

// hasSmallGuard says whether the guard and trigger of a rule can be tested in place: small expressions about the
// interrupted code and its actor. If parts are marked as run, the rules test their guards themselves.
func (f *chunkBuilder) hasSmallGuard(r *ir.Rule) bool {
	t := r.Trigger
	if f.c.marks(r.Part) || r.Reaction || r.Within != nil || r.Once != "" || t.Plan != nil || r.Guard == nil && len(t.Args) == 0 {
		return false
	}
	if r.Guard != nil && !ir.SmallnessOf(r.Guard).AtMost(maxInlineSize) {
		return false
	}
	for _, a := range t.Args {
		if !ir.SmallnessOf(a.Value).AtMost(maxInlineSize) {
			return false
		}
	}
	return true
}
