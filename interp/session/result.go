package session

import (
	"fmt"
	"sort"

	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/journal"
)

// This file collects the results of a run.

// eventKinds are the kinds of events in the JSON document; events without one are never told.
var eventKinds = map[uint8]string{
	machine.ProcBegan: "act", machine.ProcBrokenOff: "broke-off", machine.CheckRolled: "check", machine.CheckRevised: "revised", machine.CheckChanged: "revised", machine.PickRolled: "roll", machine.DiceRolled: "roll", machine.ResourceChanged: "resource",
	machine.EffectGained: "gained", machine.EffectLost: "lost", machine.NoteWritten: "note", machine.ProcCanceled: "cancelled", machine.ChoiceMade: "chosen",
	machine.MomentBegan: "round", machine.SquareChanged: "move",
}

// recordEvent records an event that has been told. Its cause is the nearest one that was told as well.
func (p *player) recordEvent(e *journal.Event, text string) {
	x := Event{ID: e.ID, Kind: eventKinds[e.Kind], Round: int(p.m.State().Order.Round()), Text: text}
	if e.Who >= 0 {
		x.Who = p.nameOf(int64(e.Who))
	}
	pr := p.m.Program()
	switch e.Kind {
	case machine.ProcBegan, machine.ProcBrokenOff:
		x.Name = pr.Procs[e.Code].Name
	case machine.CheckRolled:
		x.Name = pr.Labels[pr.Checks[e.Code].Label].Name
		x.Roll = p.narrator.rollOf(e.ID)
		x.Faces = []int{int(e.A)}
	case machine.CheckRevised, machine.CheckChanged:
		x.Name = pr.Labels[pr.Checks[e.Code].Label].Name
	case machine.PickRolled:
		x.Name = pr.Labels[e.Code].Name
		x.Faces = []int{int(e.A)}
	case machine.DiceRolled:
		x.Name = pr.Labels[e.Code].Name
		x.Roll = p.narrator.rollOf(e.ID)
	case machine.ResourceChanged:
		x.Name = pr.Resources[e.Code].Name
	case machine.EffectGained, machine.EffectLost:
		x.Name = pr.Effects[e.Code].Name
	}
	x.Cause = nearestCause(p.m.Journal, e, func(id int32) bool { return p.recordedEvents[id] })
	p.recordedEvents[e.ID] = true
	p.result.Events = append(p.result.Events, x)
}

// collectResult reads the final state.
func (p *player) collectResult() {
	m := p.m
	r := &p.result
	r.Rounds = int(m.State().Order.Round())
	r.Hash = fmt.Sprintf("%016x", m.State().Hash())
	if p.story != nil && p.phase() != notStarted {
		r.Scene = p.scene().Path
		if ending, over := p.ending(); over {
			r.Ending = &ending
		}
	}
	switch side, n := p.standing(); {
	case !p.fought:
	case n == 1:
		r.Outcome = p.sides[side]
	default:
		r.Outcome = "undecided"
	}
	r.Combatants = []Combatant{}
	for i := range p.members {
		who := int32(i)
		c := Combatant{Name: p.members[i].name, Side: p.sides[p.members[i].side], Position: p.position(who), Resources: map[string]int64{}, Stats: map[string]int64{}, Conditions: []string{}}
		for k := range m.Program().Resources {
			c.Resources[m.Program().Resources[k].Name] = m.Resource(who, int32(k))
		}
		for k := range m.Program().Stats {
			if v, err := m.Stat(who, int32(k)); err == nil {
				c.Stats[m.Program().Stats[k].Name] = v
			}
		}
		c.Conditions = append(c.Conditions, p.conditionsOf(int64(i))...)
		r.Combatants = append(r.Combatants, c)
	}
	if r.Events == nil {
		r.Events = []Event{}
	}
}

// position returns the position of a creature, or nil without a map.
func (p *player) position(who int32) *[3]int {
	s, ok := grid.Unpack(p.m.State().Squares[who])
	if !ok {
		return nil
	}
	return &[3]int{int(s.X), int(s.Y), int(s.Z)}
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
