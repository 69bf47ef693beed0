package session

import (
	"fmt"
	"slices"

	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/replay"
	"arbiter/interp/view"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/journal"
)

// This file records a replay while a script is played.
//
// What changes is read from the journal, event by event, and kept with the event that is told at that time, or last
// told. What no event tells (the turn order, who is out of the fight, bounds, the map) is compared after each command.
// So the state after an event is that of the game, and recording changes nothing: it only reads.

// recorder records a replay. A nil recorder records nothing.
type recorder struct {
	p      *player
	doc    replay.Document
	now    replay.State // the state after the last event, with a slice of creatures of its own
	ids    []int        // of each member, its index in the document
	tables replayTables

	most       int    // number of events at which it ends
	onCompared func() // hook of tests: after each comparison with the game

	stale     []int32 // instances of effects that have been gained since the last comparison
	batch     int     // number of events at that time
	wantFrame bool    // the next event is preceded by a frame
	lastFrame int     // number of events before the latest frame
	size      int     // of the document, in bytes, approximately
	drawn     *drawnMap
	watched   watchedSquares
	areasOf   *ground.Field // whose areas are watched
	areas     []watchedArea // of the running command
	kinds     []string      // of resources, by index: as in ReplayResource; "" for those that are not shown
	columns   []int         // of resources: the index in the document, -1 for none
}

// A replay ends at these limits, though the run goes on: a page with more would be too large to open.
const (
	maxReplayEvents = 100_000
	maxReplaySize   = 48 << 20
)

// frameDistance is the number of events between frames.
const frameDistance = 256

func newRecorder(p *player) *recorder {
	r := &recorder{p: p, most: maxReplayEvents, now: replay.State{Turn: -1, Map: -1, Order: []replay.Place{}, Creatures: []replay.CreatureState{}}}
	r.tables = newReplayTables()
	r.doc = replay.Document{
		Kind: "replay", Version: replay.Version, Sides: []string{}, Creatures: []replay.Creature{}, Resources: []replay.Resource{}, Effects: []replay.Effect{},
		Ground: []replay.Ground{}, Rows: []string{}, Maps: []replay.Map{}, Rules: []replay.Rule{}, Numbers: []replay.Number{},
		Events: []replay.Event{}, Frames: []replay.Frame{},
	}
	r.addResources()
	return r
}

// on reports whether anything is still recorded.
func (r *recorder) on() bool { return r != nil && r.doc.Cut == nil }

// document returns the replay so far.
func (r *recorder) document() *replay.Document {
	d := r.doc
	x := &r.p.result
	d.Title, d.Ruleset, d.Seed, d.Outcome, d.Ended = x.Title, x.Ruleset, x.Seed, x.Outcome, x.Ended
	if d.Rounds = int(r.p.m.State().Order.Round()); d.Outcome == "" && r.p.fought {
		d.Outcome = r.p.outcome() // so far
	}
	d.Sides = append([]string{}, r.p.sides...)
	d.Creatures = slices.Clone(d.Creatures)
	d.Events = slices.Clone(d.Events)
	if len(d.Events) == 0 {
		d.Start = r.clone()
	}
	return &d
}

// clone returns a copy of the state that stays as it is.
func (r *recorder) clone() replay.State {
	s := r.now
	s.Creatures = append([]replay.CreatureState{}, s.Creatures...)
	return s
}

// who returns the index of a member in the document, -1 for nobody.
func (r *recorder) who(member int32) int {
	if member < 0 || int(member) >= len(r.ids) {
		return -1
	}
	return r.ids[member]
}

// --- events --------------------------------------------------------------------------------------------

// add begins an event. What changes from now on belongs to it.
func (r *recorder) add(x replay.Event) {
	n := len(r.doc.Events)
	if n == 0 {
		r.doc.Start = r.clone()
	}
	if r.wantFrame {
		r.doc.Frames = append(r.doc.Frames, replay.Frame{Event: n, State: r.clone()})
		r.wantFrame, r.lastFrame = false, n
		r.size += 512 * len(r.now.Creatures)
	}
	if n >= r.most || r.size > maxReplaySize {
		r.doc.Cut = &replay.Cut{Round: r.now.Round, Why: fmt.Sprintf("a replay has at most %d events and %d MB", r.most, maxReplaySize>>20)}
		return
	}
	x.Cause = r.recordedCause(x.ID)
	r.tables.recorded[x.ID] = true
	r.size += 160 + len(x.Text) + 40*len(x.Dice) + 40*len(x.Lines)
	r.doc.Events = append(r.doc.Events, x)
}

// recordedCause returns the nearest cause of an event that is in the document.
func (r *recorder) recordedCause(id int32) int32 {
	e := r.p.m.Journal.ByID(id)
	if e == nil {
		return journal.None
	}
	return nearestCause(r.p.m.Journal, e, func(id int32) bool { return r.tables.recorded[id] })
}

// tell records an event that the transcript tells, or lists.
func (r *recorder) tell(e *journal.Event, x *view.Event) {
	if !r.on() || x.Text == "" {
		return
	}
	y := replay.Event{ID: x.ID, Kind: x.Kind, Round: x.Round, Who: r.who(e.Who), Name: x.Name, Text: x.Text, Roll: x.Roll, Rule: r.ruleBehind(e)}
	if depth, ok := r.p.narrator.depths[e.ID]; ok {
		y.Depth = depth
	} else {
		y.Depth = r.p.narrator.under(e)
	}
	y.Success = x.Success
	if e.Kind == machine.ResourceChanged {
		y.Was, y.Is = &x.Before, &x.After
	}
	switch e.Kind {
	case machine.ProcBegan:
		r.addTargets(&y, e)
	case machine.CheckRolled, machine.DiceRolled:
		y.Dice = r.diceOf(e)
		y.Number = r.numberOf(e, x)
	}
	r.add(y)
	if e.Kind == machine.CheckRolled && r.on() {
		r.watchLines(e)
	}
}

// host records an event of a story, or the end of a fight.
func (r *recorder) host(x *view.Event) {
	if r.on() {
		r.add(replay.Event{ID: x.ID, Kind: x.Kind, Round: x.Round, Who: -1, Name: x.Name, Text: x.Text})
	}
}

// addTargets adds the creatures and the square among the arguments of an act.
func (r *recorder) addTargets(y *replay.Event, e *journal.Event) {
	pr := r.p.m.Program()
	values := []int64{e.B, e.C, e.D}
	for i := range pr.Procs[e.Code].Params {
		if e.A>>uint(i)&1 == 1 || len(values) == 0 {
			continue
		}
		v := values[0]
		values = values[1:]
		if at := squareOf(v); at != nil {
			y.Square = at
		} else if r.isCreature(pr.Procs[e.Code].Params[i].Type) && v >= 0 && v < int64(len(r.ids)) {
			y.Targets = append(y.Targets, r.who(int32(v)))
		}
	}
}

func (r *recorder) isCreature(typ int32) bool {
	types := r.p.m.Program().Types
	return typ >= 0 && int(typ) < len(types) && types[typ].Kind == ir.Ref && types[typ].Of == 0
}

// diceOf lists the dice of a roll, with the rule that replaced their face.
func (r *recorder) diceOf(e *journal.Event) (list []replay.Die) {
	thrown := e
	var x *machine.RollExplanation
	if e.Kind == machine.CheckRolled {
		if x = r.p.m.ExplanationOf(e.ID); x == nil || x.Dice < 0 {
			return nil
		}
		thrown = r.p.m.Journal.ByID(x.Dice)
	}
	faces := r.p.narrator.facesOf(thrown)
	notation, ok := r.p.diceNotation(thrown)
	for ok && len(faces) > 0 {
		trace := notation.Trace(faces)
		if len(trace) == 0 {
			break
		}
		for _, d := range trace {
			list = append(list, replay.Die{Face: d.Face, Sides: d.Sides, Value: d.Value, Marks: d.Marks.Words()})
		}
		faces = faces[min(len(trace), len(faces)):]
	}
	if x == nil || len(list) == 0 {
		return list
	}
	for _, c := range x.Changes {
		if c.Part == program.CheckNatural {
			last := &list[len(list)-1]
			last.By, last.Instead = r.rulePart(c.Rule), c.To
		}
	}
	return list
}

// diceNotation returns the dice of a roll.
func (p *player) diceNotation(e *journal.Event) (*dice.Expr, bool) {
	d, notations := ir.UnpackDice(e.B), p.m.Program().Dice
	if d.Times == 0 || int(d.Expr) >= len(notations) {
		return nil, false
	}
	x, err := dice.Parse(notations[d.Expr])
	return x, err == nil
}

// ruleBehind returns where an event comes from: for an act what is done, otherwise what has done it.
func (r *recorder) ruleBehind(e *journal.Event) *int {
	pr, j := r.p.m.Program(), r.p.m.Journal
	for x := e; x != nil; x = j.ByID(x.Cause) {
		switch x.Kind {
		case machine.ProcBegan:
			return r.part(pr.Procs[x.Code].Part)
		case machine.RuleRan:
			return r.part(pr.Rules[x.Code].Part)
		}
	}
	return nil
}

// --- changes -------------------------------------------------------------------------------------------

// observe records what an event of the journal changes.
func (r *recorder) observe(e *journal.Event) {
	if !r.on() {
		return
	}
	switch e.Kind {
	case machine.ResourceChanged:
		if column := r.columns[e.Code]; column >= 0 && e.Who >= 0 {
			r.changeAmount(e.Who, column, e.B)
		}
	case machine.EffectGained:
		if of := r.effect(e.Code); of >= 0 && e.Who >= 0 {
			r.change(replay.CreatureChange{Who: r.who(e.Who), Gained: []replay.Active{{ID: int32(e.A), Of: of, With: r.effectText(e)}}})
			r.stale = append(r.stale, int32(e.A))
		}
	case machine.EffectLost:
		if of := r.effect(e.Code); of >= 0 && e.Who >= 0 {
			r.change(replay.CreatureChange{Who: r.who(e.Who), Lost: []int32{int32(e.A)}})
		}
	case machine.SquareChanged:
		at := spot(e.B)
		r.change(replay.CreatureChange{Who: r.who(e.Who), At: &at})
	case machine.MomentBegan:
		r.observeMoment(e)
	}
}

func (r *recorder) observeMoment(e *journal.Event) {
	round, yes, no, nobody := int(e.A), true, false, -1
	switch e.Code {
	case machine.StartOf*3 + machine.OfRound:
		r.changeFight(replay.Change{Round: &round, Turn: &nobody})
	case machine.StartOf*3 + machine.OfFight:
		r.changeFight(replay.Change{Fighting: &yes})
	case machine.EndOf*3 + machine.OfFight:
		r.changeFight(replay.Change{Fighting: &no, Turn: &nobody})
	case machine.StartOf*3 + machine.OfTurn:
		who := r.who(e.Who)
		r.add(replay.Event{ID: e.ID, Kind: "turn", Round: round, Who: who})
		if r.on() {
			r.changeFight(replay.Change{Turn: &who})
		}
	}
}

func spot(square int64) []int {
	if at := squareOf(square); at != nil {
		return at[:]
	}
	return []int{}
}

// changeAmount records the amount of a resource, with its bounds as far as they are known.
func (r *recorder) changeAmount(who int32, column int, value int64) {
	a := replay.Amount{Of: column, Value: value}
	if i := r.who(who); i >= 0 {
		for _, have := range r.now.Creatures[i].Amounts {
			if have.Of == column {
				a.Low, a.High = have.Low, have.High
			}
		}
		r.change(replay.CreatureChange{Who: i, Amounts: []replay.Amount{a}})
	}
}

// change records a change of a creature.
func (r *recorder) change(c replay.CreatureChange) {
	if c.Who < 0 {
		return
	}
	if c.Who == len(r.now.Creatures) {
		r.now.Creatures = append(r.now.Creatures, replay.NewCreatureState())
	}
	r.now.Creatures[c.Who] = r.now.Creatures[c.Who].Apply(&c)
	if to := r.changeFor(c.Reach != nil || c.Threatens != nil); to != nil {
		to.Creatures = append(to.Creatures, c)
		r.size += 48 + 60*len(c.Amounts) + 60*len(c.Gained)
	}
}

// changeFight records a change of the fight.
func (r *recorder) changeFight(c replay.Change) {
	r.now = r.now.Apply(&c)
	if to := r.changeFor(c.Order != nil); to != nil {
		keep(&to.Round, c.Round)
		keep(&to.Fighting, c.Fighting)
		keep(&to.Turn, c.Turn)
		keep(&to.Map, c.Map)
		keep(&to.Order, c.Order)
		r.size += 32
		if c.Order != nil {
			r.size += 24 * len(*c.Order)
		}
	}
}

func keep[T any](to **T, value *T) {
	if value != nil {
		*to = value
	}
}

// changeFor returns the change of the latest event; nil before the first. What no event tells and is seen only after a
// command, though it is so from the turn on that begins in it, belongs to the event of that turn or its round.
func (r *recorder) changeFor(opening bool) *replay.Change {
	n := len(r.doc.Events)
	if n == 0 {
		return nil
	}
	e := &r.doc.Events[n-1]
	for i := r.batch; opening && i < n; i++ {
		if kind := r.doc.Events[i].Kind; kind == "turn" || kind == "round" {
			e = &r.doc.Events[i]
			break
		}
	}
	if e.Change == nil {
		e.Change = &replay.Change{}
	}
	return e.Change
}

// --- going back ------------------------------------------------------------------------------------------

// recorderMark is what the recorder has recorded at a moment.
type recorderMark struct {
	doc                    replay.Document
	last                   *replay.Event
	now                    replay.State
	ids                    []int
	batch, lastFrame, size int
	wantFrame              bool
	drawn                  *drawnMap
	watched                watchedSquares
}

func (r *recorder) mark() *recorderMark {
	if r == nil {
		return nil
	}
	x := &recorderMark{doc: r.doc, now: r.clone(), ids: slices.Clone(r.ids), batch: r.batch, lastFrame: r.lastFrame, size: r.size, wantFrame: r.wantFrame, drawn: r.drawn, watched: r.watched.clone()}
	if n := len(r.doc.Events); n > 0 {
		last := r.doc.Events[n-1]
		if last.Change != nil { // it may be added to
			c := *last.Change
			c.Creatures = slices.Clip(slices.Clone(c.Creatures))
			last.Change = &c
		}
		x.last = &last
	}
	return x
}

// back forgets what was recorded since the mark. Tables keep their entries, which others refer to by index.
func (r *recorder) back(x *recorderMark, after int32) {
	if r == nil || x == nil {
		return
	}
	d := &r.doc
	d.Cut, d.Start = x.doc.Cut, x.doc.Start
	d.Creatures, d.Events, d.Frames = d.Creatures[:len(x.doc.Creatures)], d.Events[:len(x.doc.Events)], d.Frames[:len(x.doc.Frames)]
	if x.last != nil {
		last := *x.last
		if last.Change != nil {
			c := *last.Change
			last.Change = &c
		}
		d.Events[len(d.Events)-1] = last
	}
	r.now, r.ids, r.stale, r.areas = x.now, slices.Clone(x.ids), nil, nil
	r.now.Creatures = slices.Clone(x.now.Creatures)
	r.batch, r.lastFrame, r.size, r.wantFrame, r.drawn, r.watched = x.batch, x.lastFrame, x.size, x.wantFrame, x.drawn, x.watched.clone()
	for id := range r.tables.recorded {
		if id > after {
			delete(r.tables.recorded, id)
		}
	}
}
