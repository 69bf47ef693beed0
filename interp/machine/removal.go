package machine

import (
	"slices"

	"arbiter/interp/program"
	"arbiter/stdlib/clock"
)

// This file removes creatures from the game for good, after a fight of a longer story.

// RemoveFrom removes all creatures from first on, those that were placed last. Effects that come from one of them, or
// refer to one in a value or a duration, end, and their rules run. Elsewhere references to them become none, and lists
// lose them. It must not be called during a fight.
func (m *Machine) RemoveFrom(first int32) Result {
	s := m.s
	if s.InFight {
		return m.misuse("nobody can leave in the middle of a fight")
	}
	if first < 0 || int(first) >= len(s.Entities) {
		return Result{}
	}
	isGone := func(v int64) bool { return v >= int64(first) && v < int64(len(s.Entities)) }
	r := m.command(func() {
		var ends []int32
		for x := range s.Effects.All() {
			if x.Bearer < first && (isGone(int64(x.Source)) || m.refersTo(x.Def, x.Vals[:], isGone) || m.dependsOn(x.ID, isGone)) {
				ends = append(ends, x.ID)
			}
		}
		for _, id := range ends {
			m.removeInstance(id)
		}
		if len(ends) > 0 {
			m.boundary()
		}
	})
	if r.Status == Done {
		r = m.command(func() { m.removeData(first, isGone) })
	}
	return r
}

// refersTo says whether a value of an effect refers to one of some creatures.
func (m *Machine) refersTo(def int32, vals []int64, isGone func(int64) bool) bool {
	for k, v := range m.p.Effects[def].Values {
		if k < len(vals) && v.Shape == program.Thing && isGone(vals[k]) {
			return true
		}
	}
	return false
}

// dependsOn says whether the duration of an effect depends on one of some creatures: `until end of turn of Odo`.
func (m *Machine) dependsOn(instance int32, isGone func(int64) bool) bool {
	for _, h := range m.s.Captures {
		if h.Instance != instance {
			continue
		}
		captured := m.object(h.Addr)
		for k, shape := range m.p.Durations[h.Duration].Shapes {
			if k+1 < len(captured) && shape == program.Thing && isGone(captured[k+1]) {
				return true
			}
		}
	}
	return false
}

// removeData removes what is left of the creatures, without running rules.
func (m *Machine) removeData(first int32, isGone func(int64) bool) {
	s := m.s
	m.placing, m.placed, m.evaluatingNodes = true, first, true // nodes of removed creatures are no longer evaluated
	defer func() { m.placing = false }()
	var instances []int32
	for x := range s.Effects.All() {
		if x.Bearer >= first {
			instances = append(instances, x.ID)
		}
	}
	for _, id := range slices.Backward(instances) {
		m.removeInstance(id)
	}
	dropReferences := func(v *int64, shape program.Shape) {
		switch {
		case shape == program.Thing && isGone(*v):
			*v = program.None
		case shape == program.Things:
			*v = m.listWithout(*v, isGone)
		}
	}
	for i := range s.Vars {
		dropReferences(&s.Vars[i], program.Shape(s.VarShapes[i]))
	}
	for i := range s.Globals {
		dropReferences(&s.Globals[i], m.p.Globals[i].Shape)
	}
	for x := range s.Effects.All() {
		for k, v := range m.p.Effects[x.Def].Values {
			if k < len(x.Vals) && v.Shape == program.Things { // an effect that refers to a single creature has ended
				dropReferences(&x.Vals[k], v.Shape)
			}
		}
	}
	for e := range int(first) {
		for i, f := range m.creatureFields {
			dropReferences(&s.Slots[e*m.stride+i], f.Shape)
		}
	}
	for at := 0; at < len(s.Arena); { // the arena is compact: objects have no gaps, and a list follows its owner
		o, of, n := program.UnpackHeader(s.Arena[at])
		for k := range int(n) {
			v := s.Arena[at+1+k]
			dropReferences(&v, m.shapeIn(o, of, k)) // may allocate a list, and so reallocate the arena
			s.Arena[at+1+k] = v
		}
		at += int(n) + 1
	}
	s.Entities, s.Squares, s.Slots = s.Entities[:first], s.Squares[:first], s.Slots[:int(first)*m.stride]
	s.Order.CopyFrom(new(clock.Order))
	s.OnceRuns = s.OnceRuns[:0]
	m.StateChanged()
	m.reevaluateAll() // conditions of the remaining creatures may depend on those
}

// listWithout removes creatures from a list of things. A list in the arena is changed in place: the freed words become
// 0, which a scan of the arena takes for empty objects.
func (m *Machine) listWithout(v int64, isGone func(int64) bool) int64 {
	s := m.s
	list := m.list(v)
	if !slices.ContainsFunc(list, isGone) {
		return v
	}
	if v < program.ArenaBase {
		s.HasArenaRefs = true
		m.forgetKept()
		return m.makeObject(program.ListObject, int32(program.Thing), slices.DeleteFunc(slices.Clone(list), isGone))
	}
	at := int(v - program.ArenaBase)
	o, of, _ := program.UnpackHeader(s.Arena[at])
	s.Arena[at] = program.PackHeader(o, of, len(slices.DeleteFunc(list, isGone)))
	return v
}

// reevaluateAll reevaluates everything that depends on which creatures there are, and where.
func (m *Machine) reevaluateAll() {
	for n := range m.p.Nodes {
		m.scheduleAll(int32(n))
	}
	m.evalDirtyNodes()
	m.boundary()
}

// GroundChanged ends what other ground, just attached, does not allow, and begins what it brings.
func (m *Machine) GroundChanged() Result {
	return m.command(func() {
		m.mustCheckWhiles = true
		m.reevaluateAll()
	})
}

// LeaveMap removes all creatures from the map: there is none any more.
func (m *Machine) LeaveMap() {
	for i := range m.s.Squares {
		m.recordSquare(int64(i), -1, m.s.Squares[i], program.None)
		m.s.Squares[i] = program.None
	}
	m.RemoveGround()
}

// RemoveGround removes the map and leaves the state as it is, which may be one without a map.
func (m *Machine) RemoveGround() {
	m.Ground, m.Natives, m.FastNatives = nil, nil, nil
	m.Relink()
	m.StateChanged()
}

// SetAside excludes creatures, from first on, from the game: they are not among anyone's allies, enemies or creatures,
// their rules do not run, and their derived effects stay as they are.
func (m *Machine) SetAside(first int32) {
	for i := first; int(i) < len(m.s.Entities); i++ {
		m.s.Entities[i].Away = true
	}
	m.StateChanged()
}

// Leave sets aside one creature in the middle of the game: it leaves the map and the turn order. If it is its turn, the
// turn continues to its end. What lasts until a turn of it lasts one more round.
func (m *Machine) Leave(who int32) Result {
	return m.command(func() {
		m.limitTurnsOf(who)
		m.s.Entities[who].Away = true
		m.recordSquare(int64(who), -1, m.s.Squares[who], program.None)
		m.s.Squares[who] = program.None
		m.s.Order.Remove(who)
		m.StateChanged()
		m.recordMove(int64(who))
		m.notifySharedReaders(m.p.Slots.Clock)
		m.reevaluateAll()
	})
}

// BringBack lets a creature that was set aside take part again, on a square (none: off the map).
func (m *Machine) BringBack(who int32, at int64) Result {
	m.s.Entities[who].Away = false
	from := m.s.Squares[who]
	m.s.Squares[who] = at
	m.StateChanged()
	return m.command(func() {
		m.recordSquare(int64(who), -1, from, at)
		m.recordMove(int64(who))
		m.reevaluateAll()
	})
}
