package machine

import (
	"fmt"

	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file places creatures.

// Placement says how a creature enters, and what is different from its template.
type Placement struct {
	Name         string
	Side         int32
	Square       int64                   // packed; 0: off the map
	ChooseSquare func(who int32)         // chooses a Square instead, before anything is cached about the creature; nil
	Fields       map[int32]int64         // by field
	Resources    map[int32]int64         // within its bounds
	Effects      []program.InitialEffect // in addition to those of the template
}

// MaxCreatures is the limit on the creatures of a game, those that are set aside included.
const MaxCreatures = 2_000

// PlaceMany places several creatures by calls of Place. What those that are there already derive from others (the
// conditions of their effects) is computed only once, afterwards.
func (m *Machine) PlaceMany(place func()) error {
	if m.placingMany {
		place()
		return nil
	}
	count := len(m.s.Entities)
	m.placingMany = true
	defer func() { m.placingMany = false }()
	place()
	if len(m.s.Entities) == count {
		return nil
	}
	return m.deriveAll(int32(count))
}

// deriveAll computes the derived effects of all creatures, after some have been placed, from first on.
func (m *Machine) deriveAll(first int32) (err error) {
	defer m.recoverPanic(&err)
	m.placing, m.placed = true, first
	defer func() { m.placing = false }()
	m.s.Budget = m.maxSteps()
	for n := range m.p.Nodes {
		m.scheduleAll(int32(n))
	}
	m.evalDirtyNodes()
	m.notifySharedReaders(m.p.Slots.Clock)
	return m.takeError()
}

func (m *Machine) takeError() (err error) {
	if m.err != nil {
		err = m.err
		m.err = nil
	}
	return err
}

// Place puts a creature into the fight. Its initial effects have always been there: no rule reacts to them.
func (m *Machine) Place(template int32, x Placement) (who int32, err error) {
	defer m.recoverPanic(&err)
	s, p := m.s, m.p
	if len(s.Entities) >= MaxCreatures {
		return 0, &Error{Message: fmt.Sprintf("more than %d creatures in one game", MaxCreatures)}
	}
	who = int32(len(s.Entities))
	s.Entities = append(s.Entities, Entity{Name: x.Name, Template: template, Side: x.Side})
	square := x.Square
	if square == 0 {
		square = program.None
	}
	s.Squares = append(s.Squares, square)
	slots := make([]int64, m.stride)
	for i, f := range m.creatureFields {
		slots[i] = f.Default
	}
	var has []program.InitialEffect
	if template >= 0 && int(template) < len(p.Templates) {
		copy(slots[:p.Slots.Resources], p.Templates[template].Values)
		has = p.Templates[template].Effects
	}
	for i, v := range x.Fields {
		if i >= 0 && int(i) < len(m.creatureFields) {
			slots[i] = v
		}
	}
	s.Slots = append(s.Slots, slots...)
	m.entityAdded()
	s.Budget = m.maxSteps()
	m.allowEvents()
	m.placing, m.placed = true, who
	defer func() { m.placing = false }()
	addEffect := func(e int32, vals []int64, origin int32) {
		if e >= 0 && int(e) < len(p.Effects) && p.Effects[e].While == program.NoChunk {
			m.startInstance(effect.Instance{Def: e, Bearer: who, Source: effect.NoSource, Origin: origin}, vals, -1, program.None)
		}
	}
	for _, e := range p.Everyone {
		if len(p.Effects[e].Initial) == 0 {
			addEffect(e, nil, originEveryone)
		}
	}
	for _, list := range [][]program.InitialEffect{has, x.Effects} {
		for _, g := range list {
			addEffect(g.Effect, g.Vals, originGained)
		}
	}
	if x.ChooseSquare != nil {
		x.ChooseSquare(who)
	}
	for n := range p.Nodes {
		if m.placingMany {
			m.schedule(int32(n), who)
		} else {
			m.scheduleAll(int32(n))
		}
	}
	m.evalDirtyNodes()
	for _, e := range p.Everyone { // an effect with memory may refer to what the creature was created with
		if len(p.Effects[e].Initial) > 0 {
			addEffect(e, nil, originEveryone)
		}
	}
	m.evalDirtyNodes()
	for i := range p.Resources {
		v, isSet := x.Resources[int32(i)]
		if isSet {
			low, high := m.bounds(int64(who), int32(i))
			v = max(low, min(high, v))
		} else {
			v = m.initialAmount(int64(who), int32(i))
		}
		m.write(who, p.Slots.Resources+int32(i), v)
	}
	if !m.placingMany {
		m.notifySharedReaders(p.Slots.Clock)
	}
	return who, m.takeError()
}

// entityAdded makes room for what is cached about the newest creature, and drops what was cached about others.
func (m *Machine) entityAdded() {
	m.resetCaches()
	m.index.forbidding = append(m.index.forbidding, make([]int32, len(m.p.Permissions))...)
	m.forgetKept()
	m.dirtyNodes.clear()
	m.entries = m.entries[:0]
	m.phase, m.err, m.depth, m.evaluatingNodes = running, nil, 0, false
}

// ForgetCached drops what was cached, after the square of a creature that is being placed was chosen.
func (m *Machine) ForgetCached() { m.bumpAllVersions() }

// initialAmount is the initial amount of a resource.
func (m *Machine) initialAmount(who int64, id int32) int64 {
	x := &m.p.Resources[id]
	for _, b := range []struct {
		chunk int32
		value int64
	}{{x.InitialChunk, x.Initial}, {x.HighChunk, x.High}, {x.LowChunk, x.Low}} {
		if v := m.boundOf(who, b.chunk, b.value, program.None); v != program.None {
			return v
		}
	}
	return 0
}
