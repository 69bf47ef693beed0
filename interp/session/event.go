package session

import (
	"fmt"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/view"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/journal"
)

// This file lists the events of a run as data: each number, square and name is a field.

// addDice adds the dice of a check, and what rules changed of its numbers.
func (p *player) addDice(x *view.Event, e *journal.Event) {
	how := p.m.ExplanationOf(e.ID)
	if how == nil {
		return
	}
	if how.Dice >= 0 {
		die := p.m.Journal.ByID(how.Dice)
		x.Dice = p.m.FormatDice(die.B)
		for _, face := range p.narrator.facesOf(die) {
			x.Faces = append(x.Faces, int(face))
		}
	}
	for _, c := range how.Changes {
		x.Changes = append(x.Changes, view.CheckChange{Part: ir.CheckVars[c.Part], From: c.From, To: c.To, By: p.narrator.ruleName(c.Rule)})
	}
}

// eventKinds are the kinds of events in the JSON document; events without one are never listed.
var eventKinds = map[uint8]string{
	machine.ProcBegan: "act", machine.ProcBrokenOff: "broke-off", machine.CheckRolled: "check", machine.CheckReplaced: "replaced", machine.CheckRevised: "revised", machine.CheckChanged: "revised", machine.PickRolled: "roll",
	machine.DiceRolled: "roll", machine.ResourceChanged: "resource",
	machine.EffectGained: "gained", machine.EffectLost: "lost", machine.NoteWritten: "note", machine.ProcCanceled: "cancelled", machine.ChoiceMade: "chosen",
	machine.MomentBegan: "round", machine.SquareChanged: "move",
}

// isChange reports whether an event is a change of a resource, of effects or of a place, which is listed whether it is
// told or not.
func isChange(e *journal.Event) bool {
	switch e.Kind {
	case machine.ResourceChanged, machine.EffectGained, machine.EffectLost, machine.SquareChanged:
		return true
	}
	return false
}

// recordEvent lists an event with the text that tells it, if any. Its cause is the nearest one that is listed as well.
func (p *player) recordEvent(e *journal.Event, text string) {
	x := view.Event{ID: e.ID, Kind: eventKinds[e.Kind], Round: int(p.m.State().Order.Round()), Text: text}
	if e.Who >= 0 {
		x.Who = p.nameOf(int64(e.Who))
	}
	pr := p.m.Program()
	switch e.Kind {
	case machine.ProcBegan:
		x.Name = pr.Procs[e.Code].Name
		x.With = p.arguments(e)
		if at, moves := p.narrator.startOf(e); moves && text != "" {
			x.Start = squareOf(at)
		}
	case machine.ProcBrokenOff:
		x.Name = pr.Procs[e.Code].Name
	case machine.CheckRolled:
		c := &pr.Checks[e.Code]
		x.Name = pr.Labels[c.Label].Name
		x.Roll = p.narrator.rollOf(e.ID)
		x.CheckNumbers = &view.CheckNumbers{Bonus: e.B, Total: e.C}
		rolled, natural := !c.IsForegone(e.A), e.A
		if rolled {
			x.Natural = &natural
			p.addDice(&x, e)
		}
		if against, margin, success := e.D, e.C-e.D, e.Text == 1; !c.Open {
			if x.Against, x.Success = &against, &success; rolled {
				x.Margin = &margin
			}
		}
	case machine.CheckRevised, machine.CheckReplaced:
		c, success := &pr.Checks[e.Code], e.Text == 1
		x.Name, x.Success = pr.Labels[c.Label].Name, &success
		if x.By = p.narrator.causeName(e); e.Kind == machine.CheckReplaced {
			if x.By = p.narrator.ruleName(int32(e.B)); c.Open {
				total := e.A
				x.Sum, x.Success = &total, nil
			}
			if e.C == 1 {
				x.Faces = []int{int(e.D)}
			}
		}
	case machine.CheckChanged:
		x.Name, x.Part, x.By = pr.Labels[pr.Checks[e.Code].Label].Name, ir.CheckVars[e.C], p.narrator.causeName(e)
		x.AmountChange = &view.AmountChange{Before: e.A, After: e.B}
	case machine.PickRolled:
		x.Name = pr.Labels[e.Code].Name
		x.Dice, x.Faces = fmt.Sprintf("d%d", e.B), []int{int(e.A)}
		x.Way = p.m.EventText(e)
	case machine.DiceRolled:
		sum := e.A
		x.Name = pr.Labels[e.Code].Name
		x.Roll = p.narrator.rollOf(e.ID)
		x.Sum, x.Dice = &sum, p.m.FormatDice(e.B)
		if e.C == 2 { // the die of an opponent
			x.CheckNumbers = &view.CheckNumbers{Natural: &sum, Bonus: e.D, Total: e.A + e.D}
		}
		for _, face := range p.narrator.facesOf(e) {
			x.Faces = append(x.Faces, int(face))
		}
	case machine.ResourceChanged:
		x.Name = pr.Resources[e.Code].Name
		x.AmountChange = &view.AmountChange{Before: e.A, After: e.B, Paid: machine.Telling(e.Text) == machine.Paid}
	case machine.EffectGained, machine.EffectLost:
		effect := &pr.Effects[e.Code]
		x.Name = effect.Name
		x.With = p.details(effect.Values[:effect.NParams], []int64{e.B, e.C, e.D})
	case machine.SquareChanged:
		x.SquareChange = &view.SquareChange{From: squareOf(e.A), To: squareOf(e.B)}
	case machine.ChoiceMade:
		x.Name = pr.Labels[e.Code].Name
		x.Way = p.m.EventText(e)
	}
	x.Cause = nearestCause(p.m.Journal, e, func(id int32) bool { return p.recordedEvents[id] })
	p.recordedEvents[e.ID] = true
	p.result.Events = append(p.result.Events, x)
	p.recorder.tell(e, &x)
}

// arguments returns those of the first three arguments of an action that were given.
func (p *player) arguments(e *journal.Event) []view.Detail {
	var given []program.Param
	for i, x := range p.m.Program().Procs[e.Code].Params {
		if e.A>>uint(i)&1 == 0 {
			given = append(given, x)
		}
	}
	return p.details(given, []int64{e.B, e.C, e.D})
}

// details puts values into words and, where they are numbers or squares, into figures. What is none is left out.
func (p *player) details(params []program.Param, values []int64) (list []view.Detail) {
	for i := range params {
		if i >= len(values) || values[i] == program.None {
			continue
		}
		x, v := &params[i], values[i]
		d := view.Detail{Name: x.Name, Value: p.m.FormatBrief(x, v), Square: squareOf(v)}
		switch types := p.m.Program().Types; {
		case x.Type < 0 || int(x.Type) >= len(types):
		case types[x.Type].Kind == ir.Number, types[x.Type].Kind == ir.Quantity:
			d.Number = &v
		}
		list = append(list, d)
	}
	return list
}

// squareOf returns x, y and z of a square; nil if it is none.
func squareOf(v int64) *[3]int {
	s, ok := grid.Unpack(v)
	if !ok {
		return nil
	}
	return &[3]int{int(s.X), int(s.Y), int(s.Z)}
}
