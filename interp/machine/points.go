package machine

import (
	"cmp"
	"slices"

	"arbiter/interp/program"
	"arbiter/stdlib/clock"
)

// This file runs the rules at a point: whose rules they are, in which order they run, and what they do to the code they
// interrupt.
//
// When code reaches a point, the rules that wait there are listed once, so that no rule reacts twice to one event, and
// what a rule causes waits for the next. The guard of each rule is tested only when its turn comes, since earlier rules
// may have changed the result.

// beginPoint begins the rules of a point. outer is the first register of the interrupted names, actor is who acts.
func (m *Machine) beginPoint(point int32, outer int32, actor int64) {
	s, pt := m.s, &m.p.Points[point]
	if m.nothingWaits(pt, outer, actor) {
		return
	}
	f := m.frameWithoutRegs(Frame{Kind: pointFrame, ID: point, Outer: outer, Interrupted: int32(len(s.Frames) - 1), Actor: actor, NewestInstance: s.NewestInstance})
	m.pushPoint(pt, f, noChange)
}

// nothingWaits says whether nothing waits at a point: most rules are in effects that no creature has.
func (m *Machine) nothingWaits(pt *program.Point, outer int32, actor int64) bool {
	if m.mayEndDuration(pt) {
		return false
	}
	s := m.s
	for h := range pt.Plans {
		if m.index.counts[m.p.Rules[pt.Plans[h].Rule].Effect] > 0 {
			return false
		}
	}
	for _, id := range pt.Rules {
		x := &m.p.Rules[id]
		if x.Effect < 0 {
			return false
		}
		if m.index.counts[x.Effect] == 0 {
			continue
		}
		first, last := m.ruleBearers(x, outer, actor)
		for e := first; e < last; e++ {
			if s.Slots[e*m.stride+int(m.p.Slots.Effects+x.Effect)] != 0 {
				return false
			}
		}
	}
	return true
}

// ruleBearers returns the range of creatures, first up to last, whose rule it can be: all, or the one that its trigger
// names. Earlier rules may assign an interrupted name, so it must be read when the turn of the rule comes.
func (m *Machine) ruleBearers(x *program.Rule, outer int32, actor int64) (first, last int) {
	who := actor
	switch {
	case x.Bearer >= 0 && outer >= 0:
		who = m.s.Regs[outer+x.Bearer]
	case x.Bearer != program.ActorBearer:
		return 0, len(m.s.Entities)
	}
	if !m.isEntity(who) {
		return 0, 0
	}
	return int(who), int(who) + 1
}

// noChange is for points other than the gain or loss of an effect.
var noChange = EffectChange{Instance: -1}

// pushPoint pushes a point frame with the rules that wait, unless there is nothing to do.
func (m *Machine) pushPoint(pt *program.Point, f Frame, a EffectChange) {
	s := m.s
	first := len(s.Queue)
	m.listWaiting(pt, f.Actor, a)
	f.Next, f.End = int32(first), int32(len(s.Queue))
	// Most rules do not hold most of the time. Those at the front that do not, before anything has run, need no frame.
	for f.Next < f.End && !m.shouldRun(&s.Queue[f.Next], &f) {
		if f.Next++; m.err != nil {
			return
		}
	}
	if f.Next == f.End && !m.mayEndDuration(pt) {
		s.Queue = s.Queue[:first]
		return
	}
	s.Queue = s.Queue[:first]
	p := m.push(f)
	s.Queue = s.Queue[:f.End]
	p.QueueLen = int32(first)
}

// mayEndDuration says whether a point may end a duration.
func (m *Machine) mayEndDuration(pt *program.Point) bool {
	for i := range pt.Endings {
		if m.index.waiting[pt.Endings[i].Duration] > 0 {
			return true
		}
	}
	return false
}

// listWaiting lists the rules of a point with their bearers, in the order in which they will run.
func (m *Machine) listWaiting(pt *program.Point, actor int64, a EffectChange) {
	s := m.s
	first := len(s.Queue)
	for _, id := range pt.Rules {
		x := &m.p.Rules[id]
		switch {
		case x.Effect >= 0 && a.Instance >= 0 && x.Effect == a.Effect:
			// The gain or loss of an effect concerns only the rules of that instance.
			s.Queue = append(s.Queue, PendingRule{Rule: id, Instance: a.Instance, PlanRule: -1, Bearer: int64(a.Bearer)})
		case x.Effect >= 0 && m.index.counts[x.Effect] == 0:
		case x.Effect >= 0:
			first, last := m.ruleBearers(x, -1, actor)
			for e := first; e < last; e++ {
				if s.Slots[e*m.stride+int(m.p.Slots.Effects+x.Effect)] == 0 {
					continue
				}
				list := s.Effects.OfBearer(int32(e))
				m.chargeScan(len(list))
				for i := range list {
					if list[i].Def == x.Effect && !m.isDuplicate(list, i) {
						s.Queue = append(s.Queue, PendingRule{Rule: id, Instance: list[i].ID, PlanRule: -1, Bearer: int64(e)})
					}
				}
			}
		case x.Within >= 0:
			for i := range s.Frames {
				if f := &s.Frames[i]; f.Kind == codeFrame && f.Code == procedureCode && f.ID == x.Within {
					s.Queue = append(s.Queue, PendingRule{Rule: id, Instance: int32(i), PlanRule: -1, Bearer: s.Regs[f.Base]})
				}
			}
		case x.EveryCreature:
			first, last := m.ruleBearers(x, -1, actor)
			for e := first; e < last; e++ {
				s.Queue = append(s.Queue, PendingRule{Rule: id, PlanRule: -1, Bearer: int64(e)})
			}
		default:
			s.Queue = append(s.Queue, PendingRule{Rule: id, PlanRule: -1, Bearer: actor})
		}
	}
	for h := range pt.Plans {
		k := &pt.Plans[h]
		effect := m.p.Rules[k.Rule].Effect
		if m.index.counts[effect] == 0 {
			continue
		}
		for inst := range s.Effects.All() {
			if inst.Def != effect || !m.isPlan(inst.Vals[k.Value&7], k.Plan) {
				continue
			}
			s.Queue = append(s.Queue, PendingRule{Rule: k.Rule, Instance: inst.ID, PlanRule: int32(h), Bearer: int64(inst.Bearer)})
		}
	}
	m.sortRules(s.Queue[first:], actor)
}

// sortRules sorts the rules that wait at a point, by insertion: they are few, and mostly in order already.
func (m *Machine) sortRules(list []PendingRule, actor int64) {
	if len(list) > maxInsertionSort {
		slices.SortStableFunc(list, func(x, y PendingRule) int { return m.compareRules(&x, &y, actor) })
		return
	}
	for i := 1; i < len(list); i++ {
		if m.compareRules(&list[i-1], &list[i], actor) <= 0 {
			continue
		}
		x, k := list[i], i
		for ; k > 0 && m.compareRules(&list[k-1], &x, actor) > 0; k-- {
			list[k] = list[k-1]
		}
		list[k] = x
	}
}

// isPlan says whether a value is an object of that plan.
func (m *Machine) isPlan(v int64, plan int32) bool {
	_, of, ok := m.planObject(v)
	return ok && of == plan
}

// planObject returns the object of a value that is a plan, and the index of the plan.
func (m *Machine) planObject(v int64) (object []int64, plan int32, ok bool) {
	object = m.object(v)
	if v == program.None || len(object) == 0 {
		return nil, 0, false
	}
	kind, plan, _ := program.UnpackHeader(object[0])
	return object, plan, kind == program.PlanObject
}

// compareRules orders rules: compulsory ones before reactions; those of the actor, then those of the others by their
// place in the order; for one creature by the depth of the ruleset, then by path, then by the age of the instances.
func (m *Machine) compareRules(x, y *PendingRule, actor int64) int {
	a, b := m.ruleRanks[x.Rule], m.ruleRanks[y.Rule]
	if x.Bearer != y.Bearer && a.isReaction() == b.isReaction() {
		return m.turnRank(x.Bearer, actor) - m.turnRank(y.Bearer, actor)
	}
	return cmp.Or(cmp.Compare(a, b), int(x.Instance-y.Instance))
}

// ruleRank is the place of a rule among those of one creature.
type ruleRank int64

const reactionRank ruleRank = 1 << 62

func rankOf(x *program.Rule) ruleRank {
	rank := ruleRank(x.RulesetDepth)<<32 + ruleRank(x.Order)
	if x.Reaction {
		rank += reactionRank
	}
	return rank
}

func (r ruleRank) isReaction() bool { return r >= reactionRank/2 }

// turnRank is a creature's place: the actor comes first, creatures without a place in the order come last.
func (m *Machine) turnRank(who, actor int64) int {
	if who == actor {
		return -1
	}
	if m.s.InFight && m.isEntity(who) {
		if i := m.s.Order.Index(int32(who)); i >= 0 {
			return i
		}
	}
	return 1<<20 + int(who&0xfffff)
}

// shouldRun says whether a listed rule should run now.
func (m *Machine) shouldRun(x *PendingRule, f *Frame) bool {
	s, rule := m.s, &m.p.Rules[x.Rule]
	if uint64(x.Bearer) < uint64(len(s.Entities)) && s.Entities[x.Bearer].Away {
		return false
	}
	if rule.Bearer >= 0 && f.Outer >= 0 && s.Regs[f.Outer+rule.Bearer] != x.Bearer {
		return false
	}
	if rule.Effect >= 0 && m.instance(x.Instance) == nil {
		return false
	}
	if rule.Within >= 0 && (int(x.Instance) >= len(s.Frames) || s.Frames[x.Instance].ID != rule.Within) {
		return false
	}
	if rule.Once != "" && m.hasRun(x) {
		return false
	}
	top := s.top()
	if x.PlanRule >= 0 {
		k := &m.p.Points[f.ID].Plans[x.PlanRule]
		inst := m.instance(x.Instance)
		if k.Guard != program.NoChunk && m.eval3(k.Guard, top, x.Bearer, f.Actor, inst.Vals[k.Value&7], f.Outer) == 0 {
			return false
		}
	}
	if m.err != nil {
		return false
	}
	return rule.Guard == program.NoChunk || m.eval3(rule.Guard, top, x.Bearer, f.Actor, int64(x.Instance), f.Outer) != 0 && m.err == nil
}

// onceStamp identifies the current round, turn or fight for a rule that runs once in it.
func (m *Machine) onceStamp(once string) int64 {
	s := m.s
	switch {
	case once == "fight":
		return int64(s.FightCount)<<1 | int64(bit(s.InFight))
	case !s.InFight:
		return -1 - int64(s.Time/clock.Round)
	case once == "round":
		return int64(s.FightCount)<<32 | int64(s.Order.Round())
	}
	return int64(s.TurnCount) << 1
}

// hasRun says whether a rule has run for its bearer in this round, turn or fight; markRun records that it has.
func (m *Machine) hasRun(x *PendingRule) bool {
	stamp := m.onceStamp(m.p.Rules[x.Rule].Once)
	for _, o := range m.s.OnceRuns {
		if o.Rule == x.Rule && o.Bearer == x.Bearer {
			return o.Stamp == stamp
		}
	}
	return false
}

func (m *Machine) markRun(x *PendingRule) {
	stamp := m.onceStamp(m.p.Rules[x.Rule].Once)
	for i := range m.s.OnceRuns {
		if o := &m.s.OnceRuns[i]; o.Rule == x.Rule && o.Bearer == x.Bearer {
			o.Stamp = stamp
			return
		}
	}
	m.s.OnceRuns = append(m.s.OnceRuns, OnceRun{Rule: x.Rule, Bearer: x.Bearer, Stamp: stamp})
}

// settleRun records that an offer of the rule on top, which runs once in a turn or the like, was accepted, or declined: a
// rule all of whose offers were declined has not run yet. bearer is that of the rule.
func (m *Machine) settleRun(accepted bool, bearer int64) {
	f := &m.s.Frames[len(m.s.Frames)-1]
	if f.Kind != codeFrame || f.Code != ruleCode {
		return
	}
	switch x := (PendingRule{Rule: f.ID, Bearer: bearer}); {
	case accepted:
		f.Flags |= flagAccepted
		m.markRun(&x)
	case !f.is(flagAccepted):
		m.s.OnceRuns = slices.DeleteFunc(m.s.OnceRuns, func(o OnceRun) bool { return o.Rule == x.Rule && o.Bearer == x.Bearer })
	}
}

// stepPoint runs the next rule of the point on top, or ends the point.
func (m *Machine) stepPoint() {
	s := m.s
	at := len(s.Frames) - 1
	// Only the first rule that replaces something runs; its `default` reaches the others.
	if replaced := s.Frames[at].is(flagInstead) && s.Frames[at].is(flagFired); !replaced && m.nextRule(at, false) || m.err != nil || m.phase != running {
		return
	}
	f := s.Frames[at]
	if !f.is(flagInstead) {
		if m.endDurations(&f) {
			f.Flags |= flagFired
		}
	}
	if m.Journal != nil && f.is(flagInstead) && f.is(flagFired) && !f.is(flagDefault) {
		m.recordReplacement(&f)
	}
	m.pop()
	if f.is(flagFired) && f.Interrupted >= 0 {
		m.checkInterrupted(int(f.Interrupted))
	}
	m.boundary()
}

// nextRule begins the next rule of a point that holds, or offers it if it is a reaction; it returns false if there is
// none left. Inside `default` it looks for another rule that replaces the same code.
func (m *Machine) nextRule(at int, inDefault bool) bool {
	s := m.s
	for {
		f := &s.Frames[at]
		if f.Next >= f.End || m.err != nil {
			return false
		}
		x := s.Queue[f.Next]
		rule := &m.p.Rules[x.Rule]
		if !f.is(flagAccepted) {
			if !m.shouldRun(&x, f) {
				f.Next++
				continue
			}
			if rule.Reaction {
				// A reaction is offered for the original code, not from inside a rule.
				if inDefault || !m.offerReaction(&x, f) {
					f.Next++
					continue
				}
				return true
			}
		}
		f.Flags &^= flagAccepted
		f.Next++
		f.Flags |= flagFired
		if rule.Once != "" {
			m.markRun(&x)
		}
		if f.is(flagInstead) && !inDefault {
			s.Frames[f.Interrupted].PC = f.PC - 1 // back to the jump past what is replaced
		}
		m.beginRule(&x, at)
		return true
	}
}

// offerReaction asks whether a reaction is taken, unless it is not legal.
func (m *Machine) offerReaction(x *PendingRule, f *Frame) bool {
	rule, top := &m.p.Rules[x.Rule], m.s.top()
	if m.eval3(rule.Legal, top, x.Bearer, f.Actor, int64(x.Instance), f.Outer) >= 0 || m.err != nil {
		return false
	}
	q := Question{Status: NeedChoice, ChoiceKind: ReactionChoice, Index: x.Rule, Label: rule.Label, Who: x.Bearer, Options: 3, Reg: -1}
	if rule.Default != program.NoChunk {
		q.Default = advice(m.eval3(rule.Default, top, x.Bearer, f.Actor, int64(x.Instance), f.Outer) != 0)
	}
	if m.err == nil {
		m.askQuestion(q)
	}
	return true
}

// beginRule pushes the frame of a rule.
func (m *Machine) beginRule(x *PendingRule, at int) {
	s, rule := m.s, &m.p.Rules[x.Rule]
	ch := &m.p.Chunks[rule.Chunk]
	point := s.Frames[at]
	base, regs := m.enterWindow(ch, rule.InitialValues)
	regs[0], regs[1], regs[2] = x.Bearer, point.Actor, int64(x.Instance)
	f := Frame{
		Kind: codeFrame, Code: ruleCode, ID: x.Rule, PC: ch.Start, Base: int32(base), Top: int32(base + int(ch.Regs)), Ret: -1,
		Outer: point.Outer, Interrupted: point.Interrupted, Parent: int32(at), Event: point.Event,
	}
	s.Budget -= int64(ch.End - ch.Start)
	if m.Journal != nil {
		f.Event = m.recordRule(x, point.Event)
	}
	m.push(f)
}

// checkInterrupted checks, after an interruption, whether the actors of the interrupted code can still act; if not,
// their actions are canceled.
func (m *Machine) checkInterrupted(interrupted int) {
	if m.p.ActPermission < 0 {
		return
	}
	s := m.s
	outermost := -1
	for i := m.ownerFrame(interrupted); i >= 0; i-- {
		f := &s.Frames[i]
		if f.Kind == pointFrame || f.Kind == effectFrame || f.Kind == passFrame || f.Kind == turnFrame {
			break // the frames below are checked when their own interruption ends
		}
		if f.Kind != codeFrame || f.Code != procedureCode || !m.p.Procs[f.ID].Action || f.is(flagCanceled) || f.PC > m.cancelTarget(f) {
			continue
		}
		top := s.top()
		s.reserve(top)
		s.Regs[top] = s.Regs[f.Base]
		if !m.can(m.p.ActPermission, top, 0, top+1) {
			outermost = i
		}
		if m.err != nil {
			return
		}
	}
	if outermost >= 0 && m.cancelFrame(outermost) && m.Journal != nil {
		m.recordBreakOff(&s.Frames[outermost])
	}
}

// endDurations ends the instances whose duration waits for this point, and says whether there were any.
func (m *Machine) endDurations(f *Frame) bool {
	s, pt := m.s, &m.p.Points[f.ID]
	found := false
	for k := range pt.Endings {
		x := &pt.Endings[k]
		for i := 0; i < len(s.Captures) && m.index.waiting[x.Duration] > 0; i++ {
			h := s.Captures[i]
			if h.Duration != x.Duration || h.Instance > f.NewestInstance || !m.durationEnded(x, h, f) {
				continue
			}
			m.removeInstance(h.Instance)
			found = true
			i-- // the others have moved up
			if m.err != nil {
				return found
			}
		}
	}
	return found
}

// durationEnded says whether a duration's trigger has fired. A moment that should be skipped is counted down.
func (m *Machine) durationEnded(x *program.Ending, h Capture, f *Frame) bool {
	inst := m.s.Effects.ByID(h.Instance)
	if inst == nil {
		return false
	}
	object := m.object(h.Addr)
	value := func(at int32) int64 {
		if at < 0 {
			return int64(inst.Bearer)
		}
		if int(at)+1 < len(object) {
			return object[at+1]
		}
		return program.None
	}
	for _, a := range x.Args {
		have := f.Actor
		if a.Outer >= 0 {
			if f.Outer < 0 {
				return false
			}
			have = m.s.Regs[f.Outer+a.Outer]
		}
		if have != value(a.Captured) {
			return false
		}
	}
	if x.Skip >= 0 && int(x.Skip)+1 < len(object) && object[x.Skip+1] > 0 {
		object[x.Skip+1]--
		return false
	}
	return true
}

// beginInstead begins a rule that replaces the following code; if there is none, the code continues after the jump.
func (m *Machine) beginInstead(point int32, outer int32, actor int64) {
	s := m.s
	i := len(s.Frames) - 1
	s.Frames[i].PC++ // past the jump, unless a rule replaces the following code
	depth := len(s.Frames)
	f := m.frameWithoutRegs(Frame{Kind: pointFrame, ID: point, Flags: flagInstead, Outer: outer, Interrupted: int32(i), Actor: actor, NewestInstance: s.NewestInstance})
	m.pushPoint(&m.p.Points[point], f, noChange)
	if len(s.Frames) == depth {
		return
	}
	s.Frames[depth].PC = s.Frames[i].PC // where the replaced code begins
}

// doDefault runs what a rule of `instead of` replaces: the next rule that replaces it or the original code, with the
// interrupted names.
func (m *Machine) doDefault(at int32) {
	s := m.s
	i := m.ruleFrame()
	if i < 0 || s.Frames[s.Frames[i].Parent].Kind != pointFrame || !s.Frames[s.Frames[i].Parent].is(flagInstead) {
		m.fail(at, "`default` is only allowed in an `instead of` rule")
		return
	}
	point := int(s.Frames[i].Parent)
	if m.nextRule(point, true) || m.err != nil {
		return
	}
	p := s.Frames[point]
	owner := m.ownerFrame(int(p.Interrupted))
	f := s.Frames[p.Interrupted]
	end := p.PC
	for nested := 0; int(end) < len(m.p.Code); end++ {
		if m.p.Code[end].Op == program.OpInstead {
			nested++
		} else if m.p.Code[end].Op == program.OpEndInstead {
			if nested == 0 {
				break
			}
			nested--
		}
	}
	s.Frames[point].Flags |= flagDefault
	m.push(Frame{
		Kind: insteadFrame, Code: f.Code, ID: f.ID, PC: p.PC, Base: f.Base, Top: int32(s.top()), Ret: -1, Outer: f.Outer,
		Interrupted: f.Interrupted, Parent: int32(owner), End: end, Event: m.causeEvent(),
	})
}

// ruleFrame is the frame of the running rule, when called by its own code; -1 if none runs.
func (m *Machine) ruleFrame() int {
	i := len(m.s.Frames) - 1
	if i >= 0 && m.s.Frames[i].Kind == codeFrame && m.s.Frames[i].Code == ruleCode {
		return i
	}
	return -1
}

// cancel cancels the code that this rule interrupts.
func (m *Machine) cancel(why string) {
	s := m.s
	i := m.ruleFrame()
	if i < 0 {
		m.stop()
		return
	}
	if m.Journal != nil {
		m.recordCancel(why)
	}
	point, interrupted := int(s.Frames[i].Parent), int(s.Frames[i].Interrupted)
	if interrupted >= 0 && m.cancelFrame(interrupted) {
		return
	}
	// There is nothing left to cancel: end the rule and what still waits at its point.
	m.unwind(point)
	s.Frames[point].Next = s.Frames[point].End
}

// stepEffects runs the rules of the next effect that was gained or lost.
func (m *Machine) stepEffects() {
	s := m.s
	if len(s.EffectChanges) == 0 {
		f := s.Frames[len(s.Frames)-1]
		m.pop()
		if f.Interrupted >= 0 && f.is(flagFired) {
			m.checkInterrupted(int(f.Interrupted))
		}
		return
	}
	a := s.EffectChanges[0]
	s.EffectChanges = append(s.EffectChanges[:0], s.EffectChanges[1:]...)
	f := &s.Frames[len(s.Frames)-1]
	f.Flags |= flagFired
	p := Frame{
		Kind: pointFrame, ID: a.Point, Ret: -1, Outer: -1, Interrupted: -1, Actor: int64(a.Bearer), Event: f.Event, NewestInstance: m.s.NewestInstance,
		Base: int32(s.top()), Top: int32(s.top()),
	}
	m.pushPoint(&m.p.Points[a.Point], p, a)
}

// doPlan runs the commands of a plan, with the actor of the running code.
func (m *Machine) doPlan(v int64, at int32) {
	o, of, ok := m.planObject(v)
	if !ok {
		m.fail(at, "there is no plan to carry out")
		return
	}
	plan := &m.p.Plans[of]
	ch := &m.p.Chunks[plan.Chunk]
	base, regs := m.enterWindow(ch, plan.InitialValues)
	regs[0], regs[1], regs[2] = m.s.Regs[m.topFrame().Base], program.None, program.None
	copy(regs[program.RuleParams:], o[1:])
	m.push(Frame{
		Kind: codeFrame, Code: planCode, ID: of, PC: ch.Start, Base: int32(base), Top: int32(base + int(ch.Regs)), Ret: -1,
		Outer: -1, Interrupted: -1, Event: m.causeEvent(),
	})
}
