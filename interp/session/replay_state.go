package session

import (
	"slices"

	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/replay"
	"arbiter/interp/view"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/resource"
)

// This file compares the state that a recorder keeps with that of the game, after each command.

// addResources lists the resources that the rules do not keep out of sight.
func (r *recorder) addResources() {
	pr, k := r.p.m.Program(), r.p.viewBuilder()
	for i := range pr.Resources {
		column, sort := -1, ""
		if !pr.Resources[i].Internal {
			column, sort = len(r.doc.Resources), "count"
			switch id := int32(i); {
			case k.renewed[id] && !k.actionCosts[id]:
				sort = "reaction"
			case k.renewed[id]:
				sort = "turn"
			}
			x := replay.Resource{Name: pr.Resources[i].Name, Sort: sort, Decides: k.defeats(int32(i))}
			if own := r.p.checked.Resources[i].Part; own != nil {
				x.Rule = r.rule(own.Path, own.Doc, own.Cites, own.Pos)
			}
			r.doc.Resources = append(r.doc.Resources, x)
		}
		r.columns, r.kinds = append(r.columns, column), append(r.kinds, sort)
	}
}

// placed records that a member has been placed.
func (r *recorder) placed(member int32) {
	if !r.on() {
		return
	}
	for int(member) >= len(r.ids) {
		r.ids = append(r.ids, -1)
	}
	m := &r.p.members[member]
	x := replay.Creature{Name: m.name, Side: m.side, Sign: string(ground.Figures(r.p.m)[member].Sign)}
	if t := r.p.m.State().Entities[member].Template; t >= 0 {
		x.Template = r.p.m.Program().Templates[t].Name
	}
	r.ids[member] = len(r.doc.Creatures)
	r.doc.Creatures = append(r.doc.Creatures, x)
	r.change(replay.CreatureChange{Who: r.ids[member]})
}

// removed records that all members from one on have been removed from the game.
func (r *recorder) removed(from int) {
	if !r.on() || from >= len(r.ids) {
		return
	}
	away, nowhere := false, []int{}
	for _, id := range r.ids[from:] {
		r.change(replay.CreatureChange{Who: id, Here: &away, At: &nowhere})
	}
	r.ids = r.ids[:from]
}

// present returns the indexes of the members that are still in the game, of whom some may be about to be removed.
func (r *recorder) present() []int { return r.ids[:min(len(r.ids), len(r.p.m.State().Entities))] }

// compare records what is different in the game, after a command.
func (r *recorder) compare() {
	if !r.on() {
		return
	}
	r.drawAreas()
	defer r.p.muteJournal()()
	r.compareFight()
	k := r.p.viewBuilderFor(r)
	for member := range r.present() {
		if r.ids[member] >= 0 {
			r.compareCreature(k, int32(member))
		}
	}
	r.watchSquares()
	r.drawLines()
	r.watchAreas()
	r.stale, r.batch = r.stale[:0], len(r.doc.Events)
	r.wantFrame = len(r.doc.Events)-r.lastFrame >= frameDistance
	if r.onCompared != nil {
		r.onCompared()
	}
}

// viewBuilderFor returns what reads creatures. It is made once: what it knows depends on the rules alone.
func (p *player) viewBuilderFor(r *recorder) *viewBuilder {
	if r.tables.view == nil {
		r.tables.view = p.viewBuilder()
	}
	return r.tables.view
}

func (r *recorder) compareFight() {
	s := r.p.m.State()
	if at := r.mapIndex(); at != r.now.Map {
		r.changeFight(replay.Change{Map: &at})
	}
	if fighting := s.InFight; fighting != r.now.Fighting {
		r.changeFight(replay.Change{Fighting: &fighting})
	}
	if round := int(s.Order.Round()); round != r.now.Round {
		r.changeFight(replay.Change{Round: &round})
	}
	turn := -1
	if s.InFight {
		turn = r.who(s.Order.Current())
	}
	if turn != r.now.Turn {
		r.changeFight(replay.Change{Turn: &turn})
	}
	order := []replay.Place{}
	for i := range s.Order.Len() {
		if e := s.Order.At(i); s.InFight && r.who(e.Who) >= 0 {
			order = append(order, replay.Place{Who: r.who(e.Who), Keys: append([]int64{}, e.Keys[:e.N]...)})
		}
	}
	if !slices.EqualFunc(order, r.now.Order, func(a, b replay.Place) bool { return a.Who == b.Who && slices.Equal(a.Keys, b.Keys) }) {
		r.changeFight(replay.Change{Order: &order})
	}
}

func (r *recorder) compareCreature(k *viewBuilder, member int32) {
	s := r.p.m.State()
	id := r.ids[member]
	was, c, differs := &r.now.Creatures[id], replay.CreatureChange{Who: id}, false
	if here := !s.Entities[member].Away; here != was.Here {
		c.Here, differs = &here, true
	}
	if down := r.p.defeated(member); down != was.Down {
		c.Down, differs = &down, true
	}
	if at := spot(s.Squares[member]); !slices.Equal(at, was.At) {
		c.At, differs = &at, true
	}
	width := 1
	if r.p.field != nil {
		if _, side, ok := r.p.field.Footprint(r.p.m, member); ok {
			width = side
		}
	}
	if width != was.Width {
		c.Width, differs = &width, true
	}
	c.Amounts = r.differentAmounts(k, member, was)
	c.Gained, c.Lost = r.differentEffects(k, member, was)
	if differs || len(c.Amounts)+len(c.Gained)+len(c.Lost) > 0 {
		r.change(c)
	}
}

// differentAmounts returns the amounts of a creature that are not as recorded.
func (r *recorder) differentAmounts(k *viewBuilder, member int32, was *replay.CreatureState) (list []replay.Amount) {
	next := 0
	for i, column := range r.columns {
		if column < 0 {
			continue
		}
		for next < len(was.Amounts) && was.Amounts[next].Of < column {
			next++
		}
		known := next < len(was.Amounts) && was.Amounts[next].Of == column
		a := replay.Amount{Of: column, Value: r.p.m.Resource(member, int32(i))}
		if known {
			a.Low, a.High = was.Amounts[next].Low, was.Amounts[next].High
		}
		if !known || r.doc.Resources[column].Sort == "pool" { // other bounds are those of the beginning
			r.setBounds(k, member, int32(i), &a)
		}
		if !known || a.Value != was.Amounts[next].Value || !sameNumber(a.Low, was.Amounts[next].Low) || !sameNumber(a.High, was.Amounts[next].High) {
			list = append(list, a)
		}
	}
	return list
}

// setBounds sets the bounds of an amount, and notes whether its resource is a pool.
func (r *recorder) setBounds(k *viewBuilder, member, id int32, a *replay.Amount) {
	low, high, err := r.p.m.Bounds(member, id)
	if err != nil {
		return
	}
	a.Low, a.High = nil, nil
	if low != resource.NoFloor {
		a.Low = &low
	}
	if high != resource.NoCeiling {
		a.High = &high
	}
	if x := &r.doc.Resources[a.Of]; x.Sort == "count" && k.beginsFull(member, id, view.Amount{Value: a.Value, Low: a.Low, High: a.High}) {
		x.Sort = "pool"
	}
}

func sameNumber(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// differentEffects returns the effects that a creature has gained and lost and whose events have not said so, and
// completes those that have just been gained.
func (r *recorder) differentEffects(k *viewBuilder, member int32, was *replay.CreatureState) (gained []replay.Active, lost []int32) {
	list := r.p.m.State().Effects.OfBearer(member)
	for i := range list {
		x := &list[i]
		of := r.effect(x.Def)
		if of < 0 {
			continue
		}
		known := slices.IndexFunc(was.Effects, func(e replay.Active) bool { return e.ID == x.ID })
		switch {
		case known < 0:
			gained = append(gained, r.active(k, x, of))
		case slices.Contains(r.stale, x.ID):
			full := r.active(k, x, of)
			r.complete(&full)
			was.Effects = slices.Clone(was.Effects)
			was.Effects[known] = full
		}
	}
	for _, e := range was.Effects {
		if !slices.ContainsFunc(list, func(x effect.Instance) bool { return x.ID == e.ID }) {
			lost = append(lost, e.ID)
		}
	}
	return gained, lost
}

// active describes an instance of an effect. How long a derived effect lasts is in the rules.
func (r *recorder) active(k *viewBuilder, x *effect.Instance, of int) replay.Active {
	a := replay.Active{ID: x.ID, Of: of, With: k.parameterText(x)}
	if from := r.who(x.Source); from >= 0 && x.Source != x.Bearer {
		a.From = &from
	}
	if r.p.m.Program().Effects[x.Def].Word == ir.ConditionWord {
		a.Lasts = k.durationText(x)
	}
	return a
}

// complete completes what an event of the latest command says about an effect that was gained.
func (r *recorder) complete(full *replay.Active) {
	for i := len(r.doc.Events) - 1; i >= max(r.batch-1, 0); i-- {
		c := r.doc.Events[i].Change
		for j := range creaturesOf(c) {
			for n := range c.Creatures[j].Gained {
				if c.Creatures[j].Gained[n].ID == full.ID {
					c.Creatures[j].Gained[n] = *full
					return
				}
			}
		}
	}
}

func creaturesOf(c *replay.Change) []replay.CreatureChange {
	if c == nil {
		return nil
	}
	return c.Creatures
}

// effect returns the index of an effect, -1 for what the rules keep out of sight.
func (r *recorder) effect(def int32) int {
	if i, known := r.tables.effects[def]; known {
		return i
	}
	x, i := &r.p.m.Program().Effects[def], -1
	if x.Word != "everyone" && !x.Internal {
		i = len(r.doc.Effects)
		r.doc.Effects = append(r.doc.Effects, replay.Effect{Name: x.Name, Word: x.Word, Rule: r.part(x.Part)})
	}
	r.tables.effects[def] = i
	return i
}
