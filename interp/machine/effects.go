package machine

import (
	"cmp"
	"math"
	"slices"

	"arbiter/interp/program"
	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
)

// This file adds and removes effects, and manages their durations.
//
// Every effect that a creature has is an instance, whether gained, derived, included, or of `everyone`. Instances
// differ only in Site, which says why they exist, so modifiers, permissions and rules need not distinguish them.

// Origins of instances. A positive number is the instance that includes this one.
const (
	originGained   int32 = effect.NoOrigin
	originDerived  int32 = 0
	originEveryone int32 = -2
)

// instance finds an instance, including one that ended in this command and whose rules still run.
func (m *Machine) instance(id int32) *effect.Instance {
	if x := m.s.Effects.ByID(id); x != nil {
		return x
	}
	m.chargeScan(len(m.s.EndedEffects))
	for i := range m.s.EndedEffects {
		if m.s.EndedEffects[i].ID == id {
			return &m.s.EndedEffects[i]
		}
	}
	return nil
}

// firstInstance finds a creature's first instance of an effect, nil if there is none.
func (m *Machine) firstInstance(who int64, def int32) *effect.Instance {
	if !m.isEntity(who) || m.s.Slots[int(who)*m.stride+int(m.p.Slots.Effects+def)] == 0 {
		return nil
	}
	m.chargeScan(len(m.s.Effects.OfBearer(int32(who))))
	return m.s.Effects.Find(int32(who), def)
}

// has says whether a creature has an effect with these parameters; args begin with the creature.
func (m *Machine) has(who int64, def int32, args []int64) bool {
	if !m.isEntity(who) || m.s.Slots[int(who)*m.stride+int(m.p.Slots.Effects+def)] == 0 {
		return false
	}
	if len(args) == 1 {
		return true
	}
	list := m.s.Effects.OfBearer(int32(who))
	m.chargeScan(len(list))
	for i := range list {
		if list[i].Def == def && matches(&list[i], args[1:]) {
			return true
		}
	}
	return false
}

// matches says whether an instance has these parameters; Absent matches any value.
func matches(x *effect.Instance, params []int64) bool {
	for i, v := range params {
		if v != program.Absent && i < len(x.Vals) && x.Vals[i] != v {
			return false
		}
	}
	return true
}

// addUngained adds an instance that is not gained: derived, included or everyone's.
func (m *Machine) addUngained(def, who, origin int32) {
	m.startInstance(effect.Instance{Def: def, Bearer: who, Source: effect.NoSource, Origin: origin}, nil, -1, program.None)
}

// gainEffect executes a gain: the creature, the effect's values and the captured duration are in the registers from
// args on.
func (m *Machine) gainEffect(id int32, args int, at int32) {
	s, g := m.s, &m.p.Gains[id]
	e := &m.p.Effects[g.Effect]
	if !m.checkCreature(s.Regs[args], at) {
		return
	}
	if e.While != program.NoChunk {
		m.fail(at, "%s follows its condition and cannot be gained", e.Name)
		return
	}
	n := len(e.Values)
	source := effect.NoSource
	if f := m.topFrame(); f != nil && f.Code != scriptCode && m.isEntity(s.Regs[f.Base]) {
		source = int32(s.Regs[f.Base])
	}
	x := effect.Instance{Def: g.Effect, Bearer: int32(s.Regs[args]), Source: source, Origin: originGained}
	captured, duration := s.Regs[args+1+n], g.Duration
	m.startInstance(x, s.Regs[args+1:args+1+n], duration, captured)
}

// startInstance adds an instance with its values and duration, unless an equal one absorbs it.
func (m *Machine) startInstance(x effect.Instance, values []int64, duration int32, captured int64) {
	s, e := m.s, &m.p.Effects[x.Def]
	if m.marks {
		m.cover(e.Part)
	}
	x.Since, x.Round = s.Time, s.Order.Round()
	for i, v := range values {
		if i < len(x.Vals) && v != program.Absent {
			x.Vals[i] = v
			m.changedRef(e.Values[i].Shape, v)
		}
	}
	m.s.Budget -= gainSteps
	if !m.mayGain(x.Bearer, e) {
		return
	}
	if m.watch != nil {
		m.watch.observer.Gained(m, x.Def, x.Bearer)
	}
	id := m.insert(x)
	s.NewestInstance = id
	top := s.top()
	for i, chunk := range e.Initial {
		k := int(e.NParams) + i
		if k >= len(x.Vals) || k < len(values) && values[k] != program.Absent {
			continue
		}
		v := int64(0)
		if chunk != program.NoChunk {
			v = m.eval2(chunk, top, int64(x.Bearer), int64(id))
		}
		if m.err != nil {
			return
		}
		if y := s.Effects.ByID(id); y != nil {
			y.Vals[k] = v
		}
		m.changedRef(e.Values[k].Shape, v)
	}
	if duration < 0 && e.CaptureChunk != program.NoChunk && x.Origin == originGained {
		duration = e.Duration
		captured = m.eval2(e.CaptureChunk, top, int64(x.Bearer), int64(id))
		if m.err != nil {
			return
		}
	}
	y := s.Effects.ByID(id)
	if duration >= 0 {
		if !m.setExpiry(y, duration, captured) {
			m.delete(y)
			return
		}
		m.setSkips(y, duration, captured)
	}
	if m.affectsPoints[x.Def] || duration >= 0 {
		m.resetPointStates()
	}
	if x.Origin == originGained && m.mergeInstance(y, duration, captured) {
		return
	}
	if m.needsCapture(duration) {
		s.Captures = append(s.Captures, Capture{Instance: id, Duration: duration, Addr: captured})
		m.keptWords = -1
		m.index.waiting[duration]++
		if m.p.Durations[duration].While != program.NoChunk {
			m.whileCount++
			m.mustCheckWhiles = true
		}
	}
	for _, t := range e.Ticks {
		m.scheduleTick(t, id, x.Bearer)
	}
	if m.Journal != nil && x.Origin != originEveryone && !m.isPlacing(x.Bearer) {
		m.recordEffect(EffectGained, s.Effects.ByID(id))
	}
	if e.GainPoint >= 0 && !m.placing && !m.hasTwin(s.Effects.ByID(id)) {
		s.EffectChanges = append(s.EffectChanges, EffectChange{Point: e.GainPoint, Effect: x.Def, Instance: id, Bearer: x.Bearer})
	}
	m.countInstance(x.Bearer, x.Def, 1)
}

// gainSteps is the cost of an effect that begins, in steps of the command.
const gainSteps = 20

// mayGain says whether there is room for another effect on a creature.
func (m *Machine) mayGain(who int32, e *program.Effect) bool {
	if len(m.s.Effects.OfBearer(who)) >= m.Limits.EffectsOfOne {
		m.fail(m.currentInstr(), "more than %d effects on one creature, the last %s", m.Limits.EffectsOfOne, e.Name)
	} else if most := max(m.Limits.Effects, m.Limits.EffectsPerCreature*len(m.s.Entities)); m.index.instances >= most {
		m.fail(m.currentInstr(), "more than %d effects in one game, the last %s", most, e.Name)
	}
	return m.err == nil
}

// isPlacing says whether a creature is just being placed or removed for good: what it has then is no event.
func (m *Machine) isPlacing(who int32) bool { return m.placing && who >= m.placed }

// needsCapture says whether a duration waits for something other than the clock, so that its captured values must be
// kept.
func (m *Machine) needsCapture(duration int32) bool {
	return duration >= 0 && (m.p.Durations[duration].HasTriggers || m.p.Durations[duration].While != program.NoChunk)
}

// mergeInstance merges a new instance into an old one with the same parameters, which gets the longer of both
// durations. If the durations cannot be compared, both instances stay.
func (m *Machine) mergeInstance(y *effect.Instance, duration int32, captured int64) bool {
	s := m.s
	hasCapture := m.needsCapture(duration)
	for x := m.nextKin(y, 0); x != nil; x = m.nextKin(y, x.ID) {
		if x.ID == y.ID || x.Origin != originGained {
			continue
		}
		i := s.captureOf(x.ID)
		switch {
		case x.Until.Ending == 0 && i < 0: // the old one is permanent
		case y.Until.Ending == 0 && !hasCapture:
			x.Until = effect.Until{}
			m.dropCapture(x.ID)
		case i >= 0 && hasCapture && s.Captures[i].Duration == duration && !m.isEndPointRunning(duration) &&
			x.Until.Ending == y.Until.Ending && slices.Equal(m.object(s.Captures[i].Addr), m.object(captured)):
			prolong(x, y) // the same event ends both
		case i >= 0 || hasCapture || x.Until.Ending != y.Until.Ending:
			continue
		default:
			prolong(x, y)
		}
		m.delete(y)
		return true
	}
	return false
}

// prolong extends an instance x to the end of y, as far as the clock ends them.
func prolong(x, y *effect.Instance) {
	if x.Until.Ending&effect.AtTime != 0 && y.Until.Time > x.Until.Time || x.Until.Ending&effect.AtCount != 0 && x.Until.Count.Before(y.Until.Count) {
		x.Until = y.Until
	}
}

// isEndPointRunning says whether a point that may end this duration is running: an effect gained meanwhile outlasts it.
func (m *Machine) isEndPointRunning(duration int32) bool {
	for i := range m.s.Frames {
		f := &m.s.Frames[i]
		if f.Kind != pointFrame {
			continue
		}
		for _, e := range m.p.Points[f.ID].Endings {
			if e.Duration == duration {
				return true
			}
		}
	}
	return false
}

// hasTwin says whether the bearer has a derived effect in another instance, too: by its condition and because others
// include it. They count as one, which begins with the first and ends with the last.
func (m *Machine) hasTwin(x *effect.Instance) bool {
	if m.p.Effects[x.Def].While == program.NoChunk {
		return false
	}
	list := m.s.Effects.OfBearer(x.Bearer)
	m.chargeScan(len(list))
	for i := range list {
		if y := &list[i]; y.ID != x.ID && y.Def == x.Def {
			return true
		}
	}
	return false
}

// sameVals compares the first n values of two instances.
func sameVals(x, y *effect.Instance, n int) bool {
	for i := range n {
		if x.Vals[i] != y.Vals[i] {
			return false
		}
	}
	return true
}

// setExpiry sets when an instance ends by the clock. It returns false if that is immediately.
func (m *Machine) setExpiry(y *effect.Instance, duration int32, captured int64) bool {
	s, object := m.s, m.object(captured)
	if len(object) < 3 {
		return true
	}
	rounds, seconds := object[1], object[2]
	if rounds == program.None && seconds != program.None && s.InFight {
		rounds = (seconds + int64(clock.Round) - 1) / int64(clock.Round)
	}
	switch {
	case rounds != program.None && rounds <= 0, rounds == program.None && seconds != program.None && seconds <= 0:
		return false
	case rounds != program.None && s.InFight:
		y.Until.Ending = effect.AtCount
		y.Until.Count = s.Order.Expiry(int32(min(rounds, 1<<30)))
	case rounds != program.None:
		y.Until.Ending = effect.AtTime
		y.Until.Time = s.Time.Plus(clock.Time(min(rounds, 1<<40)) * clock.Round)
	case seconds != program.None:
		y.Until.Ending = effect.AtTime
		y.Until.Time = s.Time.Plus(clock.Time(seconds))
	}
	if !s.InFight && m.waitsForTurn(duration) {
		limitDuration(y, s.Time.Plus(clock.Round)) // there are no turns; a round passes anyway
	}
	return true
}

// setSkips sets how many moments the duration of an instance skips before it ends.
func (m *Machine) setSkips(y *effect.Instance, duration int32, captured int64) {
	s, object := m.s, m.object(captured)
	for _, n := range m.p.Durations[duration].Skips {
		who := int64(y.Bearer)
		if n.Creature >= 0 && int(n.Creature)+1 < len(object) {
			who = object[n.Creature+1]
		}
		if int(n.Counter)+1 < len(object) {
			object[n.Counter+1] = int64(bit(n.AtEnd && s.InFight && who >= 0 && int64(s.Order.Current()) == who))
		}
	}
}

// dropCapture deletes the captured values of an instance's duration.
func (m *Machine) dropCapture(id int32) {
	s := m.s
	i := s.captureOf(id)
	if i < 0 {
		return
	}
	m.index.waiting[s.Captures[i].Duration]--
	if m.p.Durations[s.Captures[i].Duration].While != program.NoChunk {
		m.whileCount--
	}
	m.chargeScan(len(s.Captures) - i)
	s.Captures = slices.Delete(s.Captures, i, i+1)
	m.keptWords = -1
}

// removeInstance ends an instance and those it includes.
func (m *Machine) removeInstance(id int32) {
	s := m.s
	y := s.Effects.ByID(id)
	if y == nil {
		return
	}
	x := *y
	e := &m.p.Effects[x.Def]
	if m.Journal != nil && !m.isPlacing(x.Bearer) {
		m.recordEffect(EffectLost, y)
	}
	if !m.placing && (e.LosePoint >= 0 || len(e.Values) > 0) {
		s.EndedEffects = append(s.EndedEffects, x) // one of its rules may be running, and rules may run at its end
	}
	if e.LosePoint >= 0 && !m.placing && !m.hasTwin(&x) {
		s.EffectChanges = append(s.EffectChanges, EffectChange{Point: e.LosePoint, Effect: x.Def, Instance: id, Bearer: x.Bearer, Lost: true})
	}
	m.delete(&x)
	m.dropCapture(id)
	if len(e.Ticks) > 0 {
		m.dropTicks(id)
	}
	if len(e.Nodes) > 0 {
		m.s.Budget -= int64(len(s.Effects.OfBearer(x.Bearer)))
	}
	for after := int32(0); len(e.Nodes) > 0; { // the instances that it includes
		c := s.Effects.After(x.Bearer, after)
		if c == nil {
			break
		}
		after = c.ID
		if c.Origin == id {
			m.removeInstance(c.ID)
		}
	}
	m.countInstance(x.Bearer, x.Def, -1)
}

// dropTicks ends the rules of `every` of an instance. They are in the order of the instances.
func (m *Machine) dropTicks(id int32) {
	s := m.s
	byInstance := func(t ScheduledTick, id int32) int { return cmp.Compare(t.Instance, id) }
	from, _ := slices.BinarySearchFunc(s.Ticks, id, byInstance)
	to, _ := slices.BinarySearchFunc(s.Ticks, id+1, byInstance)
	m.chargeScan(len(s.Ticks) - from)
	s.Ticks = slices.Delete(s.Ticks, from, to)
}

// loseEffect ends every gained instance with these parameters.
func (m *Machine) loseEffect(who, def int32, params []int64, at int32) {
	if m.p.Effects[def].While != program.NoChunk {
		m.fail(at, "%s follows its condition and cannot be lost", m.p.Effects[def].Name)
		return
	}
	if m.s.Slots[int(who)*m.stride+int(m.p.Slots.Effects+def)] == 0 {
		return
	}
	var copied [8]int64
	n := copy(copied[:], params)
	m.s.Budget -= int64(len(m.s.Effects.OfBearer(who)))
	for id := int32(0); m.err == nil; {
		x := m.s.Effects.After(who, id)
		if x == nil {
			return
		}
		id = x.ID
		if x.Def == def && x.Origin == originGained && matches(x, copied[:n]) {
			m.removeInstance(id)
		}
	}
}

// setValue changes the memory of an instance.
func (m *Machine) setValue(id int32, k int, v int64) {
	x := m.s.Effects.ByID(id)
	if x == nil || k >= len(x.Vals) || x.Vals[k] == v {
		return
	}
	if e := &m.p.Effects[x.Def]; k < len(e.Values) {
		m.changedRef(e.Values[k].Shape, x.Vals[k])
		m.changedRef(e.Values[k].Shape, v)
	}
	x.Vals[k] = v
	m.notifyReaders(x.Bearer, m.p.Slots.Effects+x.Def, math.MinInt64, math.MaxInt64) // notify all readers
}

// endWhiles ends the instances whose duration has a condition that no longer holds.
func (m *Machine) endWhiles() {
	s := m.s
	m.mustCheckWhiles = false
	for i := 0; i < len(s.Captures) && m.err == nil; {
		h := s.Captures[i]
		d := &m.p.Durations[h.Duration]
		if d.While == program.NoChunk {
			i++
			continue
		}
		x := s.Effects.ByID(h.Instance)
		if x == nil {
			i++
			continue
		}
		top := s.top()
		s.reserve(top + int(d.WhileParams) + 1)
		s.Regs[top] = int64(x.Bearer)
		if object := m.object(h.Addr); len(object) >= 3+int(d.WhileParams) {
			copy(s.Regs[top+1:], object[3:3+int(d.WhileParams)])
		}
		if m.evalAt(d.While, top, -1) != 0 || m.err != nil {
			i++
			continue
		}
		m.removeInstance(h.Instance)
		i = 0
	}
}
