package session

import (
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/replay"
)

// This file reports a fight as one side sees it, for a screen that its players look at: nothing that only whoever leads
// the fight may know.

// seenKinds are the kinds of events that are told to everybody who sees the creature.
var seenKinds = []string{"act", "broke-off", "cancelled", "chosen", "round", "turn", "ended", "scene", "told", "took", "finished"}

// SeenBy returns the fight as a side sees it, as a replay of its present state: foes without their amounts and what
// cannot be seen of them, those that nobody of the side sees not at all, what was done but no roll and no number. It is
// nil if nothing is recorded. Whether a creature sees another is for the rules to say (creature.sees); without that, all
// are seen.
func (l *Live) SeenBy(side string) *replay.Document {
	r := l.p.recorder
	if r == nil {
		return nil
	}
	d := r.document()
	mine := slices.Index(d.Sides, side)
	seen := make([]bool, len(d.Creatures))
	members := make([]int32, len(d.Creatures)) // of each creature of the document
	for member, i := range r.ids {
		if i >= 0 && i < len(members) {
			members[i] = int32(member)
		}
	}
	for i := range d.Creatures {
		seen[i] = d.Creatures[i].Side == mine || l.isSeen(members, d.Creatures, mine, i)
	}
	d.Seed, d.Rules, d.Numbers, d.Frames, d.Cut = 0, []replay.Rule{}, []replay.Number{}, []replay.Frame{}, nil
	now := r.clone()
	now.Order = []replay.Place{}
	for _, p := range r.now.Order {
		if p.Who >= 0 && seen[p.Who] {
			now.Order = append(now.Order, replay.Place{Who: p.Who, Keys: []int64{}})
		}
	}
	if now.Turn >= 0 && !seen[now.Turn] {
		now.Turn = -1
	}
	for i := range now.Creatures {
		c := &now.Creatures[i]
		switch {
		case !seen[i]:
			*c = replay.NewCreatureState()
			d.Creatures[i].Name, d.Creatures[i].Sign, d.Creatures[i].Template = "", "?", ""
		case d.Creatures[i].Side != mine:
			c.Amounts, c.Reach, c.Threatens = []replay.Amount{}, nil, nil
			c.Effects = slices.DeleteFunc(slices.Clone(c.Effects), func(x replay.Active) bool { return d.Effects[x.Of].Word != ir.ConditionWord })
			for k := range c.Effects {
				c.Effects[k].Lasts = ""
			}
			d.Creatures[i].Template = ""
		}
	}
	d.Start = now
	resources, effects := slices.Clone(d.Resources), slices.Clone(d.Effects)
	for i := range resources {
		resources[i].Rule = nil
	}
	for i := range effects {
		effects[i].Rule = nil
	}
	d.Resources, d.Effects = resources, effects
	d.Events = slices.DeleteFunc(d.Events, func(e replay.Event) bool {
		return !slices.Contains(seenKinds, e.Kind) || e.Who >= 0 && !seen[e.Who] || slices.ContainsFunc(e.Targets, func(t int) bool { return t >= 0 && !seen[t] })
	})
	for i := range d.Events {
		e := &d.Events[i]
		*e = replay.Event{ID: e.ID, Kind: e.Kind, Round: e.Round, Who: e.Who, Name: e.Name, Text: e.Text, Depth: e.Depth}
	}
	return d
}

// isSeen says whether anybody of a side sees a creature, both by their indexes in a replay.
func (l *Live) isSeen(members []int32, creatures []replay.Creature, side, other int) bool {
	sees := l.p.m.Program().CoreDefines[ir.CoreSees]
	if sees < 0 {
		return true
	}
	for i, c := range creatures {
		if c.Side != side || l.p.recorder.now.Creatures[i].Down || !l.p.recorder.now.Creatures[i].Here {
			continue
		}
		if v, ok := l.p.m.TryDefine(sees, int64(members[i]), int64(members[other])); !ok || v != 0 {
			return true
		}
	}
	return false
}

// PlayersSide is the side whose players a screen is for, unless somebody says otherwise: the one that was placed first.
func (l *Live) PlayersSide() string {
	if len(l.p.sides) == 0 {
		return ""
	}
	return l.p.sides[0]
}

// HasSide says whether there is a side of that name.
func (l *Live) HasSide(side string) bool { return slices.Contains(l.p.sides, side) }
