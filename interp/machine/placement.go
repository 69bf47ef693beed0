package machine

import (
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

// Place puts a creature into the fight. Its initial effects have always been there: no rule reacts to them.
func (m *Machine) Place(template int32, x Placement) (who int32, err error) {
	defer m.recoverPanic(&err)
	s, p := m.s, m.p
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
	m.StateChanged()
	s.Budget = MaxSteps
	m.placing = true
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
		for e := range s.Entities {
			m.schedule(int32(n), int32(e))
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
	m.notifySharedReaders(p.Slots.Clock)
	if m.err != nil {
		err = m.err
		m.err = nil
	}
	return who, err
}

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
