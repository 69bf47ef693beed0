package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/words"
	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/resource"
)

// This file says what is true now in a fight that somebody leads, as data that a screen shows and `--json` prints. It only
// reads. spec/json.md describes the documents.
//
// Which amounts matter is read off the rules: what a turn gives is what deeds are paid with and a rule of its own gives back
// with the turn; what begins full is what one has to lose; the rest is counted.

// View is what is true now.
type View struct {
	Title    string    `json:"title"`
	Ruleset  string    `json:"ruleset"`
	Round    int       `json:"round"`
	Fighting bool      `json:"fighting"`
	Turn     string    `json:"turn"` // whose turn it is, "" nobody's
	Sides    []Side    `json:"sides"`
	Order    []Place   `json:"order"` // highest first
	Fighters []Fighter `json:"combatants"`
	Chart    *Chart    `json:"map"`             // nil: there is none
	Story    *Here     `json:"story,omitempty"` // nil: none is told
	Events   []Event   `json:"events"`          // the latest, oldest first
	Undone   []string  `json:"undone"`          // commands that were taken back, the next to be done again first
	Hash     string    `json:"hash"`
}

// Side is who fight together.
type Side struct {
	Name     string `json:"name"`
	Members  int    `json:"members"`
	Standing int    `json:"standing"` // of them
}

// Place is somebody's place in the order of turns.
type Place struct {
	Who   string  `json:"who"`
	Keys  []int64 `json:"keys"`  // what the place goes by: the count first, then what breaks ties
	Acted bool    `json:"acted"` // its turn has come in this round, or goes on
	Waits bool    `json:"waits"` // for a better moment
}

// Fighter is one combatant.
type Fighter struct {
	Name       string   `json:"name"`
	Side       string   `json:"side"`
	Sign       string   `json:"sign"`      // on the map
	Position   *[3]int  `json:"position"`  // x, y, z of the upper left square; nil without a map
	Width      int      `json:"width"`     // squares
	Down       bool     `json:"down"`      // out of the fight
	Turn       []Amount `json:"turn"`      // what is left of what a turn gives
	Reactions  []Amount `json:"reactions"` // likewise, for nothing but reactions
	Pools      []Amount `json:"pools"`     // what one has to lose
	Counts     []Amount `json:"counts"`    // everything else
	Conditions []Borne  `json:"conditions"`
	Effects    []Borne  `json:"effects"` // that are no conditions, and that somebody gained
	Feats      []string `json:"feats"`   // and traits
	Plans      []Plan   `json:"plans"`
}

// Amount of a resource. A bound is nil where there is none.
type Amount struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Low   *int64 `json:"low"`
	High  *int64 `json:"high"`
}

// Borne is a reason for which somebody bears an effect.
type Borne struct {
	Name  string  `json:"name"`
	With  string  `json:"with"` // its parameters, in words
	From  string  `json:"from"` // whose doing it is, "" nobody's
	Lasts string  `json:"lasts"`
	By    string  `json:"by"`   // the effect that brings it along, ""
	Part  bool    `json:"part"` // of a condition that is listed
	Keeps []Named `json:"keeps"`
	Doc   string  `json:"doc"`
}

// Named is a value in words.
type Named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plan is what somebody holds ready.
type Plan struct {
	Effect string `json:"effect"` // that keeps it
	When   string `json:"when"`   // its trigger, as it was written
	Do     string `json:"do"`
	Lasts  string `json:"lasts"`
}

// Chart is the ground. A row is a sign for each square from (X, Y) on; a dot is plain.
type Chart struct {
	X      int      `json:"x"`
	Y      int      `json:"y"`
	Rows   []string `json:"rows"`
	Legend []Mark   `json:"legend"`
}

// Mark is what a sign of the ground means.
type Mark struct {
	Sign  string   `json:"sign"`
	Names []string `json:"names"`
}

// latest is how many events a view holds.
const latest = 12

// View looks at the fight.
func (l *Live) View() *View {
	defer l.unheard()()
	p, s := l.p, l.p.m.State()
	v := &View{
		Title: p.result.Title, Ruleset: p.result.Ruleset, Round: int(s.Order.Round()), Fighting: s.InFight,
		Sides: []Side{}, Order: []Place{}, Fighters: []Fighter{}, Events: []Event{}, Undone: []string{}, Hash: fmt.Sprintf("%016x", l.Hash()),
	}
	for _, name := range p.sides {
		v.Sides = append(v.Sides, Side{Name: name})
	}
	look := p.looker()
	for i := range p.members {
		f := look.fighter(int32(i))
		side := &v.Sides[p.members[i].side]
		side.Members++
		if !f.Down {
			side.Standing++
		}
		v.Fighters = append(v.Fighters, f)
	}
	v.Order = look.order()
	if who := s.Order.Current(); s.InFight && who >= 0 {
		v.Turn = p.nameOf(int64(who))
	}
	v.Chart = look.chart()
	v.Story = l.here()
	v.Events = append(v.Events, p.result.Events[max(len(p.result.Events)-latest, 0):]...)
	for i := len(l.undone) - 1; i >= 0; i-- {
		v.Undone = append(v.Undone, l.undone[i].Text)
	}
	return v
}

// unheard lets nobody listen while the fight is looked at: what is read then explains no throw. What it gives ends that.
func (l *Live) unheard() (end func()) {
	m := l.p.m
	listens := m.Journal
	m.Journal = nil
	return func() { m.Journal = listens }
}

// --- looking -------------------------------------------------------------------------------------------

// looker looks at a state. It holds what is the same for all combatants.
type looker struct {
	p       *player
	m       *machine.Machine
	figures []ground.Figure
	given   map[int32]bool // resources that the turn gives back
	acts    map[int32]bool // and that actions are paid with
}

func (p *player) looker() *looker {
	k := &looker{p: p, m: p.m, figures: ground.Figures(p.m), given: map[int32]bool{}, acts: map[int32]bool{}}
	for i := range p.m.Program().Procs {
		for _, c := range p.m.Program().Procs[i].Costs {
			for _, x := range c.Parts {
				k.acts[x.Resource] = true
			}
		}
	}
	for _, r := range p.rs.Rules {
		t := r.Trigger
		if r.Resource != nil && t != nil && (t.Moment == "turn" || t.Moment == "round") && p.out.paid[int32(r.Resource.Index)] {
			k.given[int32(r.Resource.Index)] = true
		}
	}
	return k
}

// order lists the places. Who has taken a place below the running turn has still to come.
func (k *looker) order() []Place {
	o := &k.m.State().Order
	out := []Place{}
	if !k.m.State().InFight {
		return out
	}
	for i := range o.Len() {
		e := o.At(i)
		reached := o.Reached(clock.Expiry{Round: o.Round(), Count: e.Keys})
		out = append(out, Place{
			Who: k.p.nameOf(int64(e.Who)), Keys: append([]int64{}, e.Keys[:e.N]...), Acted: reached,
			Waits: k.m.Answer(k.m.Program().Asked[ir.AskWaits], e.Who, false),
		})
	}
	return out
}

func (k *looker) fighter(who int32) Fighter {
	p := k.p
	f := Fighter{
		Name: p.members[who].name, Side: p.sides[p.members[who].side], Sign: string(k.figures[who].Sign), Position: p.position(who), Width: 1,
		Down: k.figures[who].Down, Turn: []Amount{}, Reactions: []Amount{}, Pools: []Amount{}, Counts: []Amount{}, Conditions: []Borne{}, Effects: []Borne{}, Feats: []string{}, Plans: []Plan{},
	}
	if p.field != nil {
		if _, side, ok := p.field.Fills(k.m, who); ok {
			f.Width = side
		}
	}
	for i := range k.m.Program().Resources {
		id := int32(i)
		a := k.amount(who, id)
		switch {
		case k.given[id] && !k.acts[id]:
			f.Reactions = append(f.Reactions, a)
		case k.given[id]:
			f.Turn = append(f.Turn, a)
		case k.beginsFull(who, id, a):
			f.Pools = append(f.Pools, a)
		default:
			f.Counts = append(f.Counts, a)
		}
	}
	k.bears(who, &f)
	return f
}

func (k *looker) amount(who, id int32) Amount {
	a := Amount{Name: k.m.Program().Resources[id].Name, Value: k.m.Resource(who, id)}
	low, high, err := k.m.Bounds(who, id)
	if err == nil && low != resource.NoFloor {
		a.Low = &low
	}
	if err == nil && high != resource.NoCeiling {
		a.High = &high
	}
	return a
}

// beginsFull tells whether somebody has such a resource to lose: it begins at its upper bound, and that is not the lower one.
func (k *looker) beginsFull(who, id int32, a Amount) bool {
	r := &k.m.Program().Resources[id]
	if a.High == nil || a.Low != nil && *a.High <= *a.Low {
		return false
	}
	switch {
	case r.Starts != program.NoChunk:
		first, err := k.m.Eval(r.Starts, int64(who))
		return err == nil && first == *a.High
	case r.First != program.None:
		return r.First == *a.High
	}
	return true
}

// defeats tells whether who is defeated hangs on a resource: if that is asked of it, or of an effect that comes by it.
func (k *looker) defeats(id int32) bool {
	pr := k.m.Program()
	slots := []int32{pr.Slots.Resources + id}
	for i := 0; i < len(slots); i++ {
		d := &pr.Deps[slots[i]]
		if d.Defeats {
			return true
		}
		for _, n := range slices.Concat(d.OwnNodes, d.AllNodes) {
			if slot := pr.Slots.Effects + pr.Nodes[n.Index].Effect; !slices.Contains(slots, slot) {
				slots = append(slots, slot)
			}
		}
	}
	return false
}

// bears lists what somebody bears, in the order of coming.
func (k *looker) bears(who int32, f *Fighter) {
	pr := k.m.Program()
	list := k.m.State().Effects.OfBearer(who)
	for i := range list {
		x := &list[i]
		e := &pr.Effects[x.Def]
		switch e.Word {
		case "condition":
			f.Conditions = append(f.Conditions, k.borne(x))
		case "effect":
			if x.Site == effect.NoSite {
				f.Effects = append(f.Effects, k.borne(x))
			}
		case "everyone":
		default:
			if !slices.Contains(f.Feats, e.Name) {
				f.Feats = append(f.Feats, e.Name)
			}
		}
		for v := range e.Values {
			if plan, ok := k.plan(x, v); ok {
				f.Plans = append(f.Plans, plan)
			}
		}
	}
}

func (k *looker) borne(x *effect.Instance) Borne {
	pr := k.m.Program()
	e := &pr.Effects[x.Def]
	b := Borne{Name: e.Name, With: k.with(x), Lasts: k.lasts(x), Doc: pr.Parts[e.Part].Doc, Keeps: []Named{}}
	if x.Source >= 0 && x.Source != x.Bearer {
		b.From = k.p.nameOf(int64(x.Source))
	}
	for y, by := k.includer(x); y != nil; y, _ = k.includer(y) {
		if b.By == "" {
			b.By = by
		}
		b.Part = b.Part || pr.Effects[y.Def].Word == "condition"
	}
	for i := int(e.NParams); i < len(e.Values) && i < len(x.Vals); i++ {
		if v := x.Vals[i]; v < program.RecordTag && e.Values[i].Shape == program.Scalar {
			b.Keeps = append(b.Keeps, Named{e.Values[i].Name, k.m.Format(e.Values[i].Type, v)})
		}
	}
	return b
}

// with says the parameters of an instance, as the transcript does.
func (k *looker) with(x *effect.Instance) string {
	e := &k.m.Program().Effects[x.Def]
	var said []string
	for i := range min(int(e.NParams), len(x.Vals)) {
		if v := x.Vals[i]; v < program.RecordTag && !e.Values[i].Shape.Addressed() {
			said = append(said, strings.TrimSpace(e.Values[i].Label+" "+k.m.Format(e.Values[i].Type, v)))
		}
	}
	return strings.Join(said, " ")
}

// includer is the instance that brought another one along, with its name; nil when none did.
func (k *looker) includer(x *effect.Instance) (*effect.Instance, string) {
	by, ok := machine.Included(x)
	if !ok {
		return nil, ""
	}
	y := k.m.State().Effects.ByID(by)
	if y == nil {
		return nil, ""
	}
	return y, k.m.Program().Effects[y.Def].Name
}

// lasts says how long an instance lasts.
func (k *looker) lasts(x *effect.Instance) string {
	s := k.m.State()
	if _, by := k.includer(x); by != "" {
		return "while " + by
	}
	e := &k.m.Program().Effects[x.Def]
	if e.While != program.NoChunk {
		return "while " + k.p.rules()[e.Name].while
	}
	var said []string
	switch {
	case x.Until.Ending&effect.AtCount != 0 && s.InFight:
		left := x.Until.Count.Round - s.Order.Round()
		if !s.Order.Reached(clock.Expiry{Round: s.Order.Round(), Count: x.Until.Count.Count}) {
			left++ // this round has still to come down to the place
		}
		said = append(said, words.Quantity("duration", int64(clock.Round)*int64(max(left, 1))))
	case x.Until.Ending&effect.AtTime != 0:
		said = append(said, words.Quantity("duration", int64(max(x.Until.Time-s.Time, 0))))
	}
	if id, held, ok := k.m.Held(x.ID); ok {
		d := &k.m.Program().Durations[id]
		var until []string
		for i := range d.Says {
			until = append(until, k.trigger(&d.Says[i], x.Bearer, held))
		}
		if len(until) > 0 {
			said = append(said, "until "+strings.Join(until, " or "))
		}
		if d.While != program.NoChunk {
			own := ""
			if id == e.Lasts {
				own = k.p.rules()[e.Name].lasts
			}
			said = append(said, "while "+cmp.Or(own, k.p.typed.whiles[id], k.p.sourceOf(d.At), "its condition holds"))
		}
	}
	if len(said) == 0 {
		return "until something ends it"
	}
	return strings.Join(said, ", ")
}

// trigger says what ends a duration: the end of turn of Bron.
func (k *looker) trigger(t *program.Trigger, bearer int32, held []int64) string {
	text := t.Text
	if int(t.At) < len(held) && held[t.At] > 0 {
		text = strings.Replace(text, "of turn", "of the next turn", 1)
	}
	for _, a := range t.Args {
		v := int64(bearer)
		if a.At >= 0 {
			if v = program.None; int(a.At) < len(held) {
				v = held[a.At]
			}
		}
		text += " " + a.Label + " " + k.m.Format(a.Type, v)
	}
	if t.Moment {
		text = "the " + strings.Replace(text, "of turn", "of the turn", 1)
	}
	return text
}

// plan opens the v-th value of an instance, if it is a plan.
func (k *looker) plan(x *effect.Instance, v int) (Plan, bool) {
	pr := k.m.Program()
	e := &pr.Effects[x.Def]
	if v >= len(x.Vals) || int(e.Values[v].Type) >= len(pr.Types) || e.Values[v].Type < 0 || pr.Types[e.Values[v].Type].Kind != ir.PlanType {
		return Plan{}, false
	}
	id, ok := k.m.PlanOf(x.Vals[v])
	if !ok {
		return Plan{}, false
	}
	text := cmp.Or(k.p.typed.plans[id], k.p.sourceOf(pr.Plans[id].Pos))
	when, do, _ := strings.Cut(strings.TrimPrefix(text, "plan "), "{")
	return Plan{Effect: e.Name, When: strings.TrimSpace(when), Do: strings.TrimSpace(strings.TrimSuffix(do, "}")), Lasts: k.lasts(x)}, true
}

func (k *looker) chart() *Chart {
	f := k.p.field
	if f == nil {
		return nil
	}
	d := f.Draw(k.m)
	c := &Chart{X: d.X, Y: d.Y, Rows: []string{}, Legend: []Mark{}}
	for y := range d.Rows {
		row := make([]rune, 0, len(d.Rows[y]))
		for x := range d.Rows[y] {
			row = append(row, f.At(d.X+x, d.Y+y).Mark)
		}
		c.Rows = append(c.Rows, string(row))
	}
	for _, g := range d.Ground {
		c.Legend = append(c.Legend, Mark{string(g.Mark), append([]string{}, g.Names...)})
	}
	return c
}

// --- what was typed ------------------------------------------------------------------------------------

// typed are the words of plans and durations that stood in commands, by their number: those are gone when the next is typed.
// What the rules say of effects is kept beside them.
type typed struct {
	plans, whiles map[int32]string
	effects       map[string]holds
}

// quote keeps the words of what a statement has added to the program, beyond so many plans and durations.
func (p *player) quote(plans, durations int) {
	pr := p.m.Program()
	keep := func(list *map[int32]string, id int, pos ir.Pos) {
		if *list == nil {
			*list = map[int32]string{}
		}
		(*list)[int32(id)] = p.sourceOf(pos)
	}
	for id := plans; id < len(pr.Plans); id++ {
		keep(&p.typed.plans, id, pr.Plans[id].Pos)
	}
	for id := durations; id < len(pr.Durations); id++ {
		keep(&p.typed.whiles, id, pr.Durations[id].At)
	}
}

// holds are the conditions of an effect, in the words of the rules: what a derived one follows from, and how long it lasts.
type holds struct{ while, lasts string }

// rules gives them by the name of the effect.
func (p *player) rules() map[string]holds {
	if p.typed.effects != nil {
		return p.typed.effects
	}
	p.typed.effects = map[string]holds{}
	for _, d := range p.script.Rules.Set.Defs {
		e, ok := d.Node.(*ast.Effect)
		if !ok {
			continue
		}
		var h holds
		if e.While != nil {
			h.while = format.Expr(e.While)
		}
		if e.Body != nil {
			for _, cl := range e.Body.Clauses {
				if l, ok := cl.(*ast.Lasts); ok && l.Duration.While != nil {
					h.lasts = format.Expr(l.Duration.While)
				}
			}
		}
		p.typed.effects[e.Name.Name] = h
	}
	return p.typed.effects
}
