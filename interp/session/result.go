package session

import (
	"fmt"
	"sort"

	"arbiter/interp/view"
)

// This file collects the results of a run.

// collectResult reads the final state.
func (p *player) collectResult() {
	m := p.m
	r := &p.result
	r.Rounds = int(m.State().Order.Round())
	if p.story != nil && p.phase() != notStarted {
		r.Scene = p.scene().Path
		if ending, over := p.ending(); over {
			r.Ending = &ending
		}
	}
	if p.fought {
		r.Outcome = p.outcome()
	}
	r.Combatants = []Combatant{}
	if !p.o.Stateless {
		r.Hash = fmt.Sprintf("%016x", m.State().Hash())
		p.collectCombatants()
	}
	if r.Events == nil {
		r.Events = []view.Event{}
	}
	if p.recorder != nil {
		p.recorder.compare()
		r.Replay = p.recorder.document()
	}
}

// collectCombatants reads the combatants in the final state.
func (p *player) collectCombatants() {
	m, r := p.m, &p.result
	everybody := make([]int32, len(p.members))
	for i := range everybody {
		everybody[i] = int32(i)
	}
	stats := p.statsOf(everybody...)
	for i := range p.members {
		who := int32(i)
		c := Combatant{Name: p.members[i].name, Side: p.sides[p.members[i].side], Position: p.position(who), Resources: map[string]int64{}, Stats: map[string]int64{}, Conditions: []string{}}
		for k := range m.Program().Resources {
			c.Resources[m.Program().Resources[k].Name] = m.Resource(who, int32(k))
		}
		for k := range m.Program().Stats {
			if v, err := stats.read(who, int32(k)); err == nil {
				c.Stats[m.Program().Stats[k].Name] = v
			}
		}
		c.Conditions = append(c.Conditions, p.conditionsOf(int64(i))...)
		r.Combatants = append(r.Combatants, c)
	}
}

// position returns the position of a creature, or nil without a map.
func (p *player) position(who int32) *[3]int {
	return squareOf(p.m.State().Squares[who])
}

// conditionsOf lists the names of a creature's conditions, feats and traits.
func (p *player) conditionsOf(who int64) []string {
	var names []string
	for k, e := range p.m.Program().Effects {
		if e.Word != "everyone" && e.Word != "effect" && p.m.Has(int32(who), int32(k)) {
			names = append(names, e.Name)
		}
	}
	sort.Strings(names)
	return names
}
