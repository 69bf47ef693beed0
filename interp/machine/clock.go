package machine

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
)

// This file advances time: fights with rounds and turns, and hours that pass. What falls due meanwhile (rules of
// `every`, durations that run out) runs in order, and may stop for dice and choices like anything else.

// Moments of the clock.
const (
	StartOf = 0
	EndOf   = 1

	OfTurn  = 0
	OfRound = 1
	OfFight = 2
)

// beginMoment begins the rules of a moment for a creature, or for none.
func (m *Machine) beginMoment(edge, period int, who int64) {
	point := m.p.Moments[edge][period]
	if m.Journal != nil {
		m.recordMoment(edge, period, who)
	}
	if point < 0 {
		return
	}
	f := m.frameWithoutRegs(Frame{Kind: pointFrame, ID: point, Outer: -1, Interrupted: -1, Actor: who, NewestInstance: m.s.NewestInstance})
	m.pushPoint(&m.p.Points[point], f, noChange)
}

// scheduleTick starts a rule of `every`.
func (m *Machine) scheduleTick(id, instance, bearer int32) {
	s := m.s
	t := &m.p.Ticks[id]
	if t.Period == program.NoChunk {
		return
	}
	who := int64(bearer)
	if instance == 0 {
		who = program.None
	}
	every := clock.Time(m.eval2(t.Period, s.top(), who, int64(instance)))
	if m.err != nil {
		return
	}
	if every <= 0 {
		m.fail(m.p.Chunks[t.Period].Start, "%s is to run every %d seconds", m.p.Rules[t.Rule].Name, int64(every))
		return
	}
	x := ScheduledTick{Tick: id, Instance: instance, Due: s.Time.Plus(every), Period: every}
	if s.InFight {
		x.OrderFight = s.FightCount
		x.OrderPlace = s.Order.Expiry(int32(min(int64(every/clock.Round), 1<<30)))
	}
	s.Ticks = append(s.Ticks, x)
}

// isDue says whether a tick is due.
func (m *Machine) isDue(t *ScheduledTick) bool {
	s := m.s
	if s.InFight && t.OrderFight == s.FightCount && t.Period%clock.Round == 0 {
		return s.Order.Reached(t.OrderPlace)
	}
	return t.Due <= s.Time
}

// dueSteps is the cost of running what is due, in steps.
const dueSteps = 4

// runNextDue runs the first thing that is due, rules before the durations that end at the same time, and says whether
// there was one.
func (m *Machine) runNextDue() bool {
	s := m.s
	best := -1
	m.s.Budget -= dueSteps
	m.chargeScan(len(s.Ticks))
	for i := range s.Ticks {
		if m.isDue(&s.Ticks[i]) && (best < 0 || m.tickLess(&s.Ticks[i], &s.Ticks[best])) {
			best = i
		}
	}
	if best >= 0 {
		m.runTick(best)
		return true
	}
	order := &s.Order
	if !s.InFight {
		order = nil
	}
	if x := s.Effects.DueAt(s.Time, order); x != nil {
		m.removeInstance(x.ID)
		m.boundary()
		return true
	}
	return false
}

// tickLess orders due ticks: by time, then like rules.
func (m *Machine) tickLess(a, b *ScheduledTick) bool {
	if a.Due != b.Due {
		return a.Due < b.Due
	}
	x, y := &m.p.Rules[m.p.Ticks[a.Tick].Rule], &m.p.Rules[m.p.Ticks[b.Tick].Rule]
	if x.RulesetDepth != y.RulesetDepth {
		return x.RulesetDepth < y.RulesetDepth
	}
	if x.Order != y.Order {
		return x.Order < y.Order
	}
	return a.Instance < b.Instance
}

// runTick runs a rule of `every` and sets its next time.
func (m *Machine) runTick(i int) {
	s := m.s
	s.RuleCount = 0 // the limit is for rules that trigger each other, not for hours that pass
	t := &s.Ticks[i]
	t.Due = t.Due.Plus(t.Period)
	t.OrderPlace.Round += int32(min(int64(t.Period/clock.Round), 1<<20))
	id, instance := t.Tick, t.Instance
	rule := m.p.Ticks[id].Rule
	x := &m.p.Rules[rule]
	f := m.frameWithoutRegs(Frame{Kind: pointFrame, ID: m.p.TickPoint, Outer: -1, Interrupted: -1, Actor: program.None, NewestInstance: s.NewestInstance})
	first := len(s.Queue)
	switch {
	case instance > 0:
		inst := s.Effects.ByID(instance)
		if inst == nil {
			return
		}
		f.Actor = int64(inst.Bearer)
		s.Queue = append(s.Queue, PendingRule{Rule: rule, Instance: instance, PlanRule: -1, Bearer: int64(inst.Bearer)})
	case x.EveryCreature:
		for e := range s.Entities {
			s.Queue = append(s.Queue, PendingRule{Rule: rule, PlanRule: -1, Bearer: int64(e)})
		}
	default:
		s.Queue = append(s.Queue, PendingRule{Rule: rule, PlanRule: -1, Bearer: program.None})
	}
	f.Next, f.End = int32(first), int32(len(s.Queue))
	s.Queue = s.Queue[:first]
	m.push(f)
	s.Queue = s.Queue[:f.End]
}

// stepPass advances time to the next thing that is due, or to the end.
func (m *Machine) stepPass() {
	s := m.s
	if m.runNextDue() || m.err != nil {
		return
	}
	f := &s.Frames[len(s.Frames)-1]
	until := f.Until
	if s.Time >= until {
		m.pop()
		return
	}
	m.chargeScan(2*m.index.instances + len(s.Ticks))
	next := until
	for i := range s.Ticks {
		if t := &s.Ticks[i]; t.Due > s.Time {
			next = min(next, t.Due)
		}
	}
	for x := range s.Effects.All() {
		if x.Until.Ending&effect.AtTime != 0 && x.Until.Time > s.Time {
			next = min(next, x.Until.Time)
		}
	}
	s.Time = next
	m.notifySharedReaders(m.p.Slots.Clock)
}

// stepTurn advances the order until a turn has been opened.
func (m *Machine) stepTurn() {
	s := m.s
	if m.runNextDue() || m.err != nil {
		return
	}
	f := &s.Frames[len(s.Frames)-1]
	if f.is(flagOpening) {
		// Everything due before the turn has run; now the turn begins.
		who := int64(s.Order.Current())
		resumes := m.evalCoreDefine(ir.CoreResumes, who, false)
		if !resumes && s.Order.SetLeft(int32(who), false) {
			// A turn that was put off has not been resumed, so it ends now at the latest.
			m.recordClock()
			m.beginMoment(EndOf, OfTurn, who)
			return
		}
		f.Flags = f.Flags&^flagOpening | flagOpened
		if !resumes {
			m.beginMoment(StartOf, OfTurn, who)
		} else if m.Journal != nil {
			m.recordMoment(StartOf, OfTurn, who)
		}
		return
	}
	if f.is(flagOpened) {
		// The turn of a creature that cannot take it is skipped, but its moments still happen. If no creature can, the
		// order stops after one round.
		f.Flags &^= flagOpened
		if f.Next++; int(f.Next) >= max(s.Order.Len(), 1) || m.evalCoreDefine(ir.CoreCanTurn, int64(s.Order.Current()), true) {
			m.pop()
			return
		}
	}
	if s.Order.Len() == 0 {
		m.pop()
		return
	}
	isInterrupted := m.turnResumes(s.Order.Current()) // asked while the turn is still running
	e := s.Order.Advance()
	defer m.boundary()
	switch e.Moment {
	case clock.StartRound:
		if e.Round > 1 {
			s.Time = s.Time.Plus(clock.Round)
		}
		m.notifySharedReaders(m.p.Slots.Clock)
		m.beginMoment(StartOf, OfRound, program.None)
	case clock.StartTurn:
		s.TurnCount++
		f.Flags |= flagOpening
		m.notifySharedReaders(m.p.Slots.Clock)
	case clock.EndTurn:
		if s.Order.SetLeft(e.Who, isInterrupted); !isInterrupted {
			m.recordClock() // the rules of this moment test their guards before anything else is notified
			m.beginMoment(EndOf, OfTurn, int64(e.Who))
		}
		m.notifySharedReaders(m.p.Slots.Clock)
	case clock.EndRound:
		m.notifySharedReaders(m.p.Slots.Clock)
		m.beginMoment(EndOf, OfRound, program.None)
	}
}

// turnResumes says whether the current turn, that of who, is only interrupted, not ended: its creature waits, or comes
// up again in this round to resume it.
func (m *Machine) turnResumes(who int32) bool {
	return who != clock.Nobody && (m.evalCoreDefine(ir.CoreWaits, int64(who), false) ||
		m.s.Order.Sunk() && m.evalCoreDefine(ir.CoreResumes, int64(who), false))
}

// execActsAt gives a creature its place in the order: by numbers, or next to that of another. Next to one that has no
// place it keeps its own.
func (m *Machine) execActsAt(in *program.Instr, r *[windowSize]int64, at int32) {
	o, who := &m.s.Order, r[in.A]
	if !m.checkCreature(who, at) {
		return
	}
	switch in.D {
	case program.ActsAtKeys:
		o.Put(int32(who), r[in.B:int(in.B)+int(in.C)]...)
	case program.ActsBefore, program.ActsAfter:
		if !m.checkCreature(r[in.B], at) {
			return
		}
		if in.D == program.ActsBefore {
			o.PutBefore(int32(who), int32(r[in.B]))
		} else {
			o.PutAfter(int32(who), int32(r[in.B]))
		}
	}
	m.notifySharedReaders(m.p.Slots.Clock)
}

// evalCoreDefine evaluates a define that the core knows of the creature whose turn it is; without is the answer if the
// rules do not declare it.
func (m *Machine) evalCoreDefine(what ir.CoreDefine, who int64, otherwise bool) bool {
	if m.p.CoreDefines[what] < 0 || !m.isEntity(who) {
		return otherwise
	}
	return m.eval1(m.p.Defines[m.p.CoreDefines[what]].Chunk, m.s.top(), who) != 0
}

// BeginFight begins a fight: its moment is announced and the first turn is opened.
func (m *Machine) BeginFight() Result {
	return m.command(func() {
		s := m.s
		m.roundsToTime() // of a fight that was not ended
		s.Order.CopyFrom(new(clock.Order))
		s.FightCount++
		s.InFight = true
		m.notifySharedReaders(m.p.Slots.Clock)
		m.pushTurn()
		m.beginMoment(StartOf, OfFight, program.None)
	})
}

// NextTurn ends the current turn and opens the next.
func (m *Machine) NextTurn() Result {
	return m.command(m.pushTurn)
}

func (m *Machine) pushTurn() {
	m.push(m.frameWithoutRegs(Frame{Kind: turnFrame, Outer: -1, Interrupted: -1}))
}

// roundsToTime converts durations in rounds to the time that those rounds take. Durations that wait for a turn, which
// will not come any more, last one round.
func (m *Machine) roundsToTime() {
	s := m.s
	s.Effects.MarkEndsChanged()
	for x := range s.Effects.All() {
		if x.Until.Ending&effect.AtCount != 0 {
			left := max(x.Until.Count.Round-s.Order.Round(), 0)
			x.Until.Ending = effect.AtTime
			x.Until.Time = s.Time.Plus(clock.Time(left) * clock.Round)
		}
	}
	soon := s.Time.Plus(clock.Round)
	for i := range s.Captures {
		if x := s.Effects.ByID(s.Captures[i].Instance); x != nil && m.waitsForTurn(s.Captures[i].Duration) {
			limitDuration(x, soon)
		}
	}
}

// limitDuration limits the duration of an instance to a time.
func limitDuration(x *effect.Instance, until clock.Time) {
	if x.Until.Ending&effect.AtTime == 0 || x.Until.Time > until {
		x.Until.Ending |= effect.AtTime
		x.Until.Time = until
	}
}

// waitsForTurn says whether a duration can end at the start or end of a turn.
func (m *Machine) waitsForTurn(duration int32) bool {
	for _, edge := range [...]int{StartOf, EndOf} {
		if point := m.p.Moments[edge][OfTurn]; point >= 0 && slices.ContainsFunc(m.p.Points[point].Endings, func(e program.Ending) bool { return e.Duration == duration }) {
			return true
		}
	}
	return false
}

// limitTurnsOf limits to one round what waits for a turn of a creature that will have none.
func (m *Machine) limitTurnsOf(who int32) {
	s := m.s
	if !s.InFight {
		return
	}
	soon := s.Time.Plus(clock.Round)
	for i := range s.Captures {
		h := s.Captures[i]
		if x := s.Effects.ByID(h.Instance); x != nil && m.waitsForTurnOf(h, x, who) {
			s.Effects.MarkEndsChanged()
			limitDuration(x, soon)
		}
	}
}

// waitsForTurnOf says whether a duration can end at the start or end of a turn of that creature.
func (m *Machine) waitsForTurnOf(h Capture, x *effect.Instance, who int32) bool {
	object := m.object(h.Addr)
	for _, edge := range [...]int{StartOf, EndOf} {
		point := m.p.Moments[edge][OfTurn]
		if point < 0 {
			continue
		}
		for _, e := range m.p.Points[point].Endings {
			if e.Duration != h.Duration {
				continue
			}
			for _, a := range e.Args {
				of := int64(x.Bearer)
				if a.Captured >= 0 {
					if int(a.Captured)+1 >= len(object) {
						continue
					}
					of = object[a.Captured+1]
				}
				if a.Outer < 0 && of == int64(who) {
					return true
				}
			}
		}
	}
	return false
}

// EndFight ends a fight. Durations in rounds continue by the clock.
func (m *Machine) EndFight() Result {
	return m.command(func() {
		s := m.s
		if !s.InFight {
			return
		}
		m.roundsToTime()
		m.beginMoment(EndOf, OfFight, program.None)
		s.InFight = false
		m.notifySharedReaders(m.p.Slots.Clock)
		m.boundary()
	})
}

// Pass lets seconds pass.
func (m *Machine) Pass(seconds int64) Result {
	return m.command(func() {
		until := m.s.Time.Plus(clock.Time(max(seconds, 0)))
		m.push(m.frameWithoutRegs(Frame{Kind: passFrame, Outer: -1, Interrupted: -1, Until: until}))
	})
}
