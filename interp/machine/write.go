package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/resource"
)

// This file writes to the slots of creatures. Every write goes through write, which notifies the readers of the slot:
// cached stats are invalidated, and derived effects are reevaluated immediately, in an order in which each comes after
// those it depends on. Readers that only compare the slot with a threshold are notified only of writes that cross it.

// write sets a slot of a creature.
func (m *Machine) write(who, slot int32, v int64) {
	at := &m.s.Slots[int(who)*m.stride+int(slot)]
	old := *at
	if old == v {
		return
	}
	*at = v
	m.notifyReaders(who, slot, old, v)
}

// notifyReaders notifies the readers of a slot that its number has changed.
func (m *Machine) notifyReaders(who, slot int32, from, to int64) {
	d := &m.p.Deps[slot]
	if m.whileCount > 0 && m.crossesThreshold(&d.Whiles, who, slot, from, to) {
		m.mustCheckWhiles = true
	}
	if m.crossesThreshold(&d.GroundDefines, who, slot, from, to) {
		m.groundChanges++
	}
	shared := m.sharedVersions
	own := m.versions[int(who)*len(shared):][:len(shared)]
	for _, at := range d.OwnCached.EveryWrite {
		own[at]++
	}
	for _, at := range d.AllCached.EveryWrite {
		shared[at]++
	}
	for i := range d.OwnCached.Listeners {
		x := &d.OwnCached.Listeners[i]
		if m.crossesThreshold(&x.Thresholds, who, slot, from, to) {
			own[x.Index]++
		}
	}
	for i := range d.AllCached.Listeners {
		x := &d.AllCached.Listeners[i]
		if m.crossesThreshold(&x.Thresholds, who, slot, from, to) {
			shared[x.Index]++
		}
	}
	for i := range d.Groups {
		g := &d.Groups[i]
		if !m.crossesThreshold(&g.Thresholds, who, slot, from, to) {
			continue
		}
		for k := g.First; k < g.End; k++ {
			x := &d.OwnNodes[k]
			if m.mayChange(x.Index, who) && m.crossesThreshold(&x.Thresholds, who, slot, from, to) {
				m.schedule(x.Index, who)
			}
		}
	}
	for i := range d.AllNodes {
		x := &d.AllNodes[i]
		if m.crossesThreshold(&x.Thresholds, who, slot, from, to) {
			m.scheduleAll(x.Index)
		}
	}
	m.evalDirtyNodes()
}

// crossesThreshold says whether a change of a slot crosses a threshold of a reader.
func (m *Machine) crossesThreshold(c *program.Thresholds, who, slot int32, from, to int64) bool {
	if c.WeightedSum == 0 {
		return c.Crossed(from, to)
	}
	sum, ok := m.weightedSum(c.WeightedSum, who)
	if !ok || mayOverflow(from) || mayOverflow(to) {
		return true // the code will report it
	}
	for _, x := range m.p.WeightedSums[c.WeightedSum] {
		if x.Slot == slot {
			return c.Crossed(sum-x.Times*(to-from), sum)
		}
	}
	return true
}

// weightedSum computes a weighted sum of slots of a creature; ok is false if one is too large for that.
func (m *Machine) weightedSum(id, who int32) (sum int64, ok bool) {
	slots := m.s.Slots[int(who)*m.stride:]
	for _, x := range m.p.WeightedSums[id] {
		v := slots[x.Slot]
		if mayOverflow(v) {
			return 0, false
		}
		sum += x.Times * v
	}
	return sum, true
}

// mayOverflow says whether sums and multiples of a number may overflow.
func mayOverflow(v int64) bool { return v > 1<<40 || v < -1<<40 }

// invalidateShared invalidates what was cached from a slot that belongs to no creature.
func (m *Machine) invalidateShared(slot int32) {
	d := &m.p.Deps[slot]
	if d.GroundDefines != program.NoWrite {
		m.groundChanges++
	}
	for _, at := range d.AllCached.EveryWrite {
		m.sharedVersions[at]++
	}
	for i := range d.AllCached.Listeners {
		m.sharedVersions[d.AllCached.Listeners[i].Index]++
	}
}

// version of a stat or, after those, of a define; who may be no creature. It changes whenever something changes that
// the stat or define may read.
func (m *Machine) version(at int, who int64) uint32 {
	if uint64(who) >= uint64(len(m.s.Entities)) {
		return m.sharedVersions[at]
	}
	return m.sharedVersions[at] + m.versions[int(who)*len(m.sharedVersions)+at]
}

// resetCaches invalidates all caches.
func (m *Machine) resetCaches() {
	if m.sharedVersions == nil {
		m.sharedVersions = make([]uint32, len(m.stats)+len(m.p.Defines))
	}
	n := len(m.s.Entities)
	m.versions = append(m.versions, make([]uint32, max(0, n*len(m.sharedVersions)-len(m.versions)))...)
	m.ownDefines = append(m.ownDefines, make([]cachedDefine, max(0, n*m.ownDefineCount-len(m.ownDefines)))...)
	known := min(len(m.nodeStamps), max(n-1, 0)*len(m.p.Nodes))
	if !m.placingMany {
		known = 0 // of several that are placed, the others are evaluated again afterwards
	}
	m.nodeStamps = append(m.nodeStamps[:known], make([]readStamp, n*len(m.p.Nodes)-known)...)
	for i := range m.nodeStamps[known:] {
		m.nodeStamps[known+i].reads = Everybody
	}
	m.bumpAllVersions()
	clear(m.explanationCache)
}

// bumpAllVersions increments all versions; none is ever 0 again, the version of empty entries.
func (m *Machine) bumpAllVersions() {
	for i := range m.sharedVersions {
		m.sharedVersions[i]++
	}
	m.groundChanges++
	m.resetPointStates()
}

// notifySharedReaders notifies the readers of something that belongs to no creature: the order, the clock, the world of
// the host, a field of another kind of thing.
func (m *Machine) notifySharedReaders(slot int32) {
	if slot == m.p.Slots.Clock {
		m.recordClock()
	}
	m.invalidateShared(slot)
	if m.whileCount > 0 && m.p.Deps[slot].Whiles != program.NoWrite {
		m.mustCheckWhiles = true
	}
	for _, x := range m.p.Deps[slot].AllNodes {
		for e := range m.s.Entities {
			// A move concerns only the creatures whose condition has read the mover's square.
			if slot != m.p.Slots.World || m.NoCache || !m.isFresh(m.nodeStamp(x.Index, int32(e))) {
				m.schedule(x.Index, int32(e))
			}
		}
	}
	m.evalDirtyNodes()
}

// nodeStamp is what a node read when it was last evaluated.
func (m *Machine) nodeStamp(node, who int32) *readStamp {
	return &m.nodeStamps[int(who)*len(m.p.Nodes)+int(node)]
}

// scheduleAll schedules a node for all creatures.
func (m *Machine) scheduleAll(node int32) {
	for e := range m.s.Entities {
		m.schedule(node, int32(e))
	}
}

// schedule marks a node of a creature as to be evaluated.
func (m *Machine) schedule(node, who int32) { m.dirtyNodes.add(int(node)*len(m.s.Entities) + int(who)) }

// evalDirtyNodes evaluates the scheduled nodes, unless that is in progress.
func (m *Machine) evalDirtyNodes() {
	if m.evaluatingNodes {
		return
	}
	m.evaluatingNodes = true
	for i := m.dirtyNodes.takeFirst(); i >= 0 && m.err == nil; i = m.dirtyNodes.takeFirst() {
		m.evalNode(int32(i/len(m.s.Entities)), int32(i%len(m.s.Entities)))
	}
	m.dirtyNodes.clear()
	m.evaluatingNodes = false
}

// mayChange says whether evaluating a node can change anything: not if its effect cannot hold and the creature does not
// have it, nor if the effect that would include it is absent.
func (m *Machine) mayChange(id, who int32) bool {
	n := &m.p.Nodes[id]
	presence := m.s.Slots[int(who)*m.stride+int(m.p.Slots.Effects):]
	if n.Includer >= 0 {
		return presence[n.Includer] != 0
	}
	return presence[n.Effect] != 0 || m.mayHold(&n.Precondition, who)
}

// evalNode adds or removes a derived effect as its condition says, or an included one along with the effect that
// includes it.
func (m *Machine) evalNode(id, who int32) {
	n := &m.p.Nodes[id]
	s := m.s
	if s.Entities[who].Away {
		return
	}
	top := s.top()
	if n.Includer < 0 {
		outerReads := m.BeginReads()
		holds := m.mayHold(&n.Precondition, who) && m.eval1(n.Guard, top, int64(who)) != 0
		*m.nodeStamp(id, who) = readStamp{m.moveCount, m.EndReads(outerReads)}
		if m.err != nil {
			return
		}
		existing := m.instanceFrom(who, n.Effect, originDerived)
		switch {
		case holds && existing == 0:
			m.addUngained(n.Effect, who, originDerived)
		case !holds && existing != 0:
			m.removeInstance(existing)
		}
		return
	}
	if s.Slots[int(who)*m.stride+int(m.p.Slots.Effects+n.Includer)] == 0 {
		return // no effect includes it
	}
	m.s.Budget -= int64(len(s.Effects.OfBearer(who)))
	for id := int32(0); ; {
		inst := s.Effects.After(who, id)
		if inst == nil {
			return
		}
		id = inst.ID
		if inst.Def != n.Includer {
			continue
		}
		holds := n.Guard == program.NoChunk || m.eval2(n.Guard, top, int64(who), int64(id)) != 0
		if m.err != nil {
			return
		}
		existing := m.instanceFrom(who, n.Effect, id)
		switch {
		case holds && existing == 0:
			m.addUngained(n.Effect, who, id)
		case !holds && existing != 0:
			m.removeInstance(existing)
		}
	}
}

// mayHold says whether a creature's number is in the range that is necessary for a condition to hold.
func (m *Machine) mayHold(x *program.Range, who int32) bool {
	if x.Slot < 0 {
		return true
	}
	v, ok := int64(0), true
	if x.WeightedSum == 0 {
		v = m.s.Slots[int(who)*m.stride+int(x.Slot)]
	} else {
		v, ok = m.weightedSum(x.WeightedSum, who)
	}
	return !ok || v >= x.Low && v <= x.High
}

// instanceFrom finds the instance that a creature has because of site, 0 if there is none.
func (m *Machine) instanceFrom(who, def, origin int32) int32 {
	if m.s.Slots[int(who)*m.stride+int(m.p.Slots.Effects+def)] == 0 {
		return 0
	}
	list := m.s.Effects.OfBearer(who)
	m.chargeScan(len(list))
	for i := range list {
		if x := &list[i]; x.Def == def && x.Origin == origin {
			return x.ID
		}
	}
	return 0
}

// --- fields and resources ---

func (m *Machine) setField(thing int64, field int32, v int64, shape program.Shape, at int32) {
	if m.isEntity(thing) {
		m.changedRef(shape, m.s.Slots[int(thing)*m.stride+int(field)])
		m.changedRef(shape, v)
		m.write(int32(thing), field, v)
		return
	}
	if thing < program.RecordTag {
		m.fail(at, "%s is part of the rules and cannot be changed; make a new thing of its kind instead", m.FormatThing(thing))
		return
	}
	object := m.object(thing &^ program.RecordTag)
	if int(field)+1 >= len(object) {
		m.fail(at, "that no longer exists")
		return
	}
	m.changedRef(shape, object[field+1])
	m.changedRef(shape, v)
	object[field+1] = v
	_, kind, _ := program.UnpackHeader(object[0])
	if slots := m.p.Slots.KindFields; int(kind) < len(slots) && kind > 0 {
		m.notifySharedReaders(slots[kind] + field)
	}
}

// SetGlobal changes a memory of the game.
func (m *Machine) SetGlobal(id int32, v int64) {
	if at := &m.s.Globals[id]; *at != v {
		m.changedRef(m.p.Globals[id].Shape, *at)
		m.changedRef(m.p.Globals[id].Shape, v)
		*at = v
		if slot := m.p.Slots.Globals + id; slot < m.p.Slots.Count { // a memory that only the host uses has no slot: no rule reads it
			m.notifySharedReaders(slot)
		}
	}
}

// bounds of a resource of a creature.
func (m *Machine) bounds(who int64, id int32) (low, high int64) {
	return m.lowerBound(who, id), m.upperBound(who, id)
}

func (m *Machine) lowerBound(who int64, id int32) int64 {
	x := &m.p.Resources[id]
	return m.boundOf(who, x.LowChunk, x.Low, resource.NoFloor)
}

func (m *Machine) upperBound(who int64, id int32) int64 {
	x := &m.p.Resources[id]
	return m.boundOf(who, x.HighChunk, x.High, resource.NoCeiling)
}

// boundOf is the value of a chunk, or a constant; none means no bound.
func (m *Machine) boundOf(who int64, chunk int32, value, open int64) int64 {
	if chunk != program.NoChunk {
		value = m.eval1(chunk, m.s.top(), who)
	}
	if value == program.None {
		return open
	}
	return value
}

func (m *Machine) amountOf(who int64, id int32) int64 {
	return m.s.Slots[int(who)*m.stride+int(m.p.Slots.Resources+id)]
}

// availableAmount is how much of a resource can be spent.
func (m *Machine) availableAmount(who int64, id int32) int64 {
	if !m.isEntity(who) {
		return 0
	}
	low := m.lowerBound(who, id)
	if low == resource.NoFloor {
		return resource.NoCeiling
	}
	v, ok := exact.Sub(m.amountOf(who, id), low)
	if !ok {
		return resource.NoCeiling
	}
	return v
}

func (m *Machine) setResource(who int64, id int32, v int64) {
	low, high := m.bounds(who, id)
	if m.err == nil {
		m.changeResource(who, id, max(low, min(high, v)))
	}
}

// changeResource writes a resource and records it.
func (m *Machine) changeResource(who int64, id int32, v int64) {
	if m.Journal != nil {
		m.recordResource(who, id, m.amountOf(who, id), v)
	}
	if m.Ledger != nil {
		m.addToLedger(who, id, m.amountOf(who, id), v)
	}
	m.write(int32(who), m.p.Slots.Resources+id, v)
}

// loseAmount subtracts an amount and returns what could not be taken.
func (m *Machine) loseAmount(who int64, id int32, amount int64) (left int64) {
	now, left := resource.Spend(m.amountOf(who, id), amount, m.lowerBound(who, id))
	if m.err == nil {
		m.changeResource(who, id, now)
	}
	return left
}

// execAmount handles gains and losses of resources. Bounds are code, which may reallocate the registers, so it does not
// keep a window.
func (m *Machine) execAmount(in *program.Instr, base int, at int32) {
	who, amount := m.s.Regs[base+int(in.A)], m.s.Regs[base+int(in.B)]
	if !m.checkCreature(who, at) {
		return
	}
	m.hush(at)
	left := int64(0)
	switch in.Op {
	case program.OpGainAmount:
		var now int64
		now, left = resource.Gain(m.amountOf(who, in.D), amount, m.upperBound(who, in.D))
		if m.err == nil {
			m.changeResource(who, in.D, now)
		}
	case program.OpLoseAmount:
		left = m.loseAmount(who, in.D, amount)
	case program.OpLoseAll:
		low := m.lowerBound(who, in.D)
		if low == resource.NoFloor {
			low = 0
		}
		if m.err == nil && m.amountOf(who, in.D) > low {
			m.changeResource(who, in.D, low)
		}
		m.quietly = false
		return
	}
	m.quietly = false
	if in.C != program.NoReg {
		m.s.Regs[base+int(in.C)] = left
	}
}
