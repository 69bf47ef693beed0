package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file places creatures.

// Placing says how a creature enters, and what is different from its template.
type Placing struct {
	Name      string
	Side      int32
	Square    int64           // packed; 0: off the map
	Settle    func(who int32) // chooses a Square instead, before anything is cached about the creature; nil
	Fields    map[int32]int64 // by field
	Resources map[int32]int64
	Effects   []program.InitialEffect // in addition to those of the template
}

// Place puts a creature into the fight. Its initial effects have always been there: no rule reacts to them.
func (m *Machine) Place(template int32, x Placing) (who int32, err error) {
	defer m.recover(&err)
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
		has = p.Templates[template].Has
	}
	for i, v := range x.Fields {
		if i >= 0 && int(i) < len(m.creatureFields) {
			slots[i] = v
		}
	}
	s.Slots = append(s.Slots, slots...)
	m.Restored()
	s.Budget = MaxSteps
	m.placing = true
	defer func() { m.placing = false }()
	bears := func(e int32, vals []int64, site int32) {
		if e >= 0 && int(e) < len(p.Effects) && p.Effects[e].While == program.NoChunk {
			m.startInstance(effect.Instance{Def: e, Bearer: who, Source: effect.NoSource, Site: site}, vals, -1, program.None)
		}
	}
	for _, e := range p.Everyone {
		if len(p.Effects[e].Initial) == 0 {
			bears(e, nil, siteEveryone)
		}
	}
	for _, list := range [][]program.InitialEffect{has, x.Effects} {
		for _, g := range list {
			bears(g.Effect, g.Vals, siteGained)
		}
	}
	if x.Settle != nil {
		x.Settle(who)
	}
	for n := range p.Nodes {
		for e := range s.Entities {
			m.schedule(int32(n), int32(e))
		}
	}
	m.settle()
	for _, e := range p.Everyone { // an effect with memory may refer to what the creature was created with
		if len(p.Effects[e].Initial) > 0 {
			bears(e, nil, siteEveryone)
		}
	}
	m.settle()
	for i := range p.Resources {
		v, given := x.Resources[int32(i)]
		if !given {
			v = m.starts(int64(who), int32(i))
		}
		m.write(who, p.Slots.Resources+int32(i), v)
	}
	m.touch(p.Slots.Clock)
	if m.err != nil {
		err = m.err
		m.err = nil
	}
	return who, err
}

// starts is the initial amount of a resource.
func (m *Machine) starts(who int64, id int32) int64 {
	x := &m.p.Resources[id]
	for _, b := range []struct {
		chunk int32
		value int64
	}{{x.Starts, x.First}, {x.To, x.High}, {x.From, x.Low}} {
		if v := m.boundOf(who, b.chunk, b.value, program.None); v != program.None {
			return v
		}
	}
	return 0
}
