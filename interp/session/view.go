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
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/words"
	"arbiter/stdlib/clock"
	"arbiter/stdlib/effect"
	"arbiter/stdlib/resource"
)

// This file reports the current state of an interactive fight as data, for screens and for `--json`. It only reads.
// spec/json.md describes the documents.
//
// How a resource is displayed follows from the rules. If actions are paid with it and a rule returns it each turn, it
// belongs to the turn. If it starts full, it is something to lose. Everything else is a count.

// recentEvents is the number of events in a view.
const recentEvents = 12

// View returns the current state of the fight.
func (l *Live) View() *view.Fight {
	defer l.muteJournal()()
	p, s := l.p, l.p.m.State()
	v := &view.Fight{
		Title: p.result.Title, Ruleset: p.result.Ruleset, Round: int(s.Order.Round()), Fighting: s.InFight,
		Sides: []view.Side{}, Order: []view.Place{}, Fighters: []view.Fighter{}, Events: []view.Event{}, Undone: []string{}, Hash: fmt.Sprintf("%016x", l.Hash()),
	}
	for _, name := range p.sides {
		v.Sides = append(v.Sides, view.Side{Name: name})
	}
	look := p.viewBuilder()
	for i := range p.members {
		if s.Entities[i].Away {
			continue
		}
		f := look.fighter(int32(i))
		side := &v.Sides[p.members[i].side]
		side.Members++
		if !f.Down {
			side.Standing++
		}
		v.Fighters = append(v.Fighters, f)
	}
	v.Order = look.order()
	v.Turnless = append([]string{}, l.Turnless()...)
	if who := s.Order.Current(); s.InFight && who >= 0 {
		v.Turn = p.nameOf(int64(who))
	}
	v.Chart = look.chart()
	v.Story, v.Kept = l.storyPosition(), p.kept()
	for i := len(p.result.Events) - 1; i >= 0 && len(v.Events) < recentEvents; i-- {
		if e := &p.result.Events[i]; e.Text != "" {
			v.Events = append(v.Events, *e)
		}
	}
	slices.Reverse(v.Events)
	for n := l.commands.done; n < l.commands.count(); n++ {
		d, err := l.commands.at(n)
		if err != nil {
			break // `redo` says why
		}
		v.Undone = append(v.Undone, d.Text)
	}
	return v
}

// muteJournal turns off the journal while the fight is only read, so that nothing read is taken for the explanation of
// a roll. The returned function turns it on again.
func (l *Live) muteJournal() (end func()) { return l.p.muteJournal() }

func (p *player) muteJournal() (end func()) {
	m := p.m
	listens := m.Journal
	m.Journal = nil
	return func() { m.Journal = listens }
}

// --- looking -------------------------------------------------------------------------------------------

// viewBuilder reads a state. It holds what is the same for all combatants.
type viewBuilder struct {
	p           *player
	m           *machine.Machine
	figures     []ground.Figure
	renewed     map[int32]bool // resources returned each turn or round
	actionCosts map[int32]bool // resources that actions cost
}

func (p *player) viewBuilder() *viewBuilder {
	k := &viewBuilder{p: p, m: p.m, figures: ground.Figures(p.m), renewed: map[int32]bool{}, actionCosts: map[int32]bool{}}
	payable := map[int32]bool{} // by actions or reactions
	note := func(costs []program.Cost, in map[int32]bool) {
		for _, c := range costs {
			for _, x := range c.Parts {
				payable[x.Resource], in[x.Resource] = true, true
			}
		}
	}
	for i := range p.m.Program().Procs {
		note(p.m.Program().Procs[i].Costs, k.actionCosts)
	}
	for i := range p.m.Program().Rules {
		note(p.m.Program().Rules[i].Costs, payable)
	}
	for _, r := range p.checked.Rules {
		t := r.Trigger
		if r.Resource != nil && t != nil && (t.Moment == "turn" || t.Moment == "round") && payable[int32(r.Resource.Index)] {
			k.renewed[int32(r.Resource.Index)] = true
		}
	}
	return k
}

// order lists the turn order.
func (k *viewBuilder) order() []view.Place {
	o := &k.m.State().Order
	out := []view.Place{}
	if !k.m.State().InFight {
		return out
	}
	for i := range o.Len() {
		e := o.At(i)
		out = append(out, view.Place{
			Who: k.p.nameOf(int64(e.Who)), Keys: append([]int64{}, e.Keys[:e.N]...), Acted: !e.Due(),
			Waits: k.m.TryYesNo(k.m.Program().CoreDefines[ir.CoreWaits], e.Who, false),
		})
	}
	return out
}

func (k *viewBuilder) fighter(who int32) view.Fighter {
	p := k.p
	f := view.Fighter{
		Name: p.members[who].name, Side: p.sides[p.members[who].side], Sign: string(k.figures[who].Sign), Position: p.position(who), Width: 1,
		Down: k.figures[who].Down, OneAction: k.m.TryYesNo(k.m.Program().CoreDefines[ir.CoreOneAction], who, false), Turn: []view.Amount{}, WholeTurn: []view.Amount{}, Reactions: []view.Amount{}, Pools: []view.Amount{}, Counts: []view.Amount{}, Conditions: []view.Effect{}, Effects: []view.Effect{}, Feats: []string{}, Plans: []view.Plan{},
	}
	if p.field != nil {
		if _, side, ok := p.field.Footprint(k.m, who); ok {
			f.Width = side
		}
	}
	for i := range k.m.Program().Resources {
		id := int32(i)
		if k.m.Program().Resources[i].Internal {
			continue
		}
		a := k.amount(who, id)
		switch {
		case k.renewed[id] && a.High == nil && a.Value == 0: // none, and no limit to show it against
		case k.renewed[id] && !k.actionCosts[id]:
			f.Reactions = append(f.Reactions, a)
		case k.renewed[id] && k.m.Program().Resources[i].Share == ir.WholeTurn:
			f.WholeTurn = append(f.WholeTurn, a)
		case k.renewed[id]:
			a.Beside = k.m.Program().Resources[i].Share == ir.BesideActions
			f.Turn = append(f.Turn, a)
		case k.beginsFull(who, id, a):
			f.Pools = append(f.Pools, a)
		default:
			f.Counts = append(f.Counts, a)
		}
	}
	k.addEffects(who, &f)
	f.Carries = k.carries(who)
	return f
}

func (k *viewBuilder) amount(who, id int32) view.Amount {
	a := view.Amount{Name: k.m.Program().Resources[id].Name, Value: k.m.Resource(who, id)}
	low, high, err := k.m.Bounds(who, id)
	if err == nil && low != resource.NoFloor {
		a.Low = &low
	}
	if err == nil && high != resource.NoCeiling {
		a.High = &high
	}
	return a
}

// beginsFull reports whether a creature starts with such a resource at its upper bound, which differs from the lower
// one.
func (k *viewBuilder) beginsFull(who, id int32, a view.Amount) bool {
	r := &k.m.Program().Resources[id]
	if a.High == nil || a.Low != nil && *a.High <= *a.Low {
		return false
	}
	switch {
	case r.InitialChunk != program.NoChunk:
		first, err := k.m.Eval(r.InitialChunk, int64(who))
		return err == nil && first == *a.High
	case r.Initial != program.None:
		return r.Initial == *a.High
	}
	return true
}

// defeats reports whether a resource decides who is defeated, directly or through an effect that depends on it.
func (k *viewBuilder) defeats(id int32) bool {
	pr := k.m.Program()
	slots := []int32{pr.Slots.Resources + id}
	for i := 0; i < len(slots); i++ {
		d := &pr.Deps[slots[i]]
		if d.DecidesDefeat {
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

// addEffects lists the effects of a creature in the order in which they were gained.
func (k *viewBuilder) addEffects(who int32, f *view.Fighter) {
	pr := k.m.Program()
	list := k.m.State().Effects.OfBearer(who)
	for i := range list {
		x := &list[i]
		e := &pr.Effects[x.Def]
		word := e.Word
		if e.Internal {
			word = "everyone" // what it waits for is shown nevertheless
		}
		switch word {
		case ir.ConditionWord:
			f.Conditions = append(f.Conditions, k.activeEffect(x))
		case "effect":
			if x.Origin == effect.NoOrigin {
				f.Effects = append(f.Effects, k.activeEffect(x))
			}
		case "everyone":
		default:
			if !slices.Contains(f.Feats, e.Name) {
				f.Feats = append(f.Feats, e.Name)
			}
		}
		f.Plans = append(f.Plans, k.p.plansOf(x)...)
	}
}

// plansOf lists the plans that an instance of an effect keeps.
func (p *player) plansOf(x *effect.Instance) (list []view.Plan) {
	k := &viewBuilder{p: p, m: p.m}
	for v := range p.m.Program().Effects[x.Def].Values {
		if plan, ok := k.plan(x, v); ok {
			list = append(list, plan)
		}
	}
	return list
}

func (k *viewBuilder) activeEffect(x *effect.Instance) view.Effect {
	pr := k.m.Program()
	e := &pr.Effects[x.Def]
	b := view.Effect{Name: e.Name, With: k.parameterText(x), Lasts: k.durationText(x), Doc: pr.Parts[e.Part].Doc, Keeps: []view.Named{}}
	if x.Source >= 0 && x.Source != x.Bearer {
		b.From = k.p.nameOf(int64(x.Source))
	}
	for y, by := k.includer(x); y != nil; y, _ = k.includer(y) {
		if b.By == "" {
			b.By = by
		}
		b.Part = b.Part || pr.Effects[y.Def].Word == ir.ConditionWord
	}
	for i := int(e.NParams); i < len(e.Values) && i < len(x.Vals); i++ {
		if v := x.Vals[i]; v < program.RecordTag && e.Values[i].Shape == program.Scalar {
			b.Keeps = append(b.Keeps, view.Named{Name: e.Values[i].Name, Value: k.m.Format(e.Values[i].Type, v)})
		}
	}
	return b
}

// parameterText returns the parameters of an instance in words, as in the transcript.
func (k *viewBuilder) parameterText(x *effect.Instance) string {
	var said []string
	for _, v := range k.parameters(x) {
		said = append(said, strings.TrimSpace(v.Name+" "+v.Value))
	}
	return strings.Join(said, " ")
}

// parameters returns the parameters of an instance that are something, in words, by their labels.
func (k *viewBuilder) parameters(x *effect.Instance) (list []view.Named) {
	pr := k.m.Program()
	e := &pr.Effects[x.Def]
	for i := range min(int(e.NParams), len(x.Vals)) {
		v, p := x.Vals[i], e.Values[i]
		if isRecord := v >= program.RecordTag && pr.Types[p.Type].Kind != ir.Dice; !isRecord && v != program.None && !p.Shape.IsAddress() {
			list = append(list, view.Named{Name: p.Label, Value: k.m.Format(p.Type, v)})
		}
	}
	return list
}

// includer returns the instance that includes another one, and its name; nil if there is none.
func (k *viewBuilder) includer(x *effect.Instance) (*effect.Instance, string) {
	by, ok := machine.IncludedBy(x)
	if !ok {
		return nil, ""
	}
	y := k.m.State().Effects.ByID(by)
	if y == nil {
		return nil, ""
	}
	return y, k.m.Program().Effects[y.Def].Name
}

// durationText describes how long an instance lasts.
func (k *viewBuilder) durationText(x *effect.Instance) string {
	s := k.m.State()
	if _, by := k.includer(x); by != "" {
		return "while " + by
	}
	e := &k.m.Program().Effects[x.Def]
	if e.While != program.NoChunk {
		return "while " + k.p.effectTexts()[e.Name].while
	}
	var said []string
	switch {
	case x.Until.Ending&effect.AtCount != 0 && s.InFight:
		left := x.Until.Count.Round - s.Order.Round()
		if !s.Order.Reached(clock.Expiry{Round: s.Order.Round(), Count: x.Until.Count.Count}) {
			left++ // its place has not come yet in this round
		}
		said = append(said, words.Quantity("duration", int64(clock.Round)*int64(max(left, 1))))
	case x.Until.Ending&effect.AtTime != 0:
		said = append(said, words.Quantity("duration", int64(max(x.Until.Time-s.Time, 0))))
	}
	if id, held, ok := k.m.CapturedValues(x.ID); ok {
		d := &k.m.Program().Durations[id]
		var until []string
		for i := range d.Triggers {
			until = append(until, k.trigger(&d.Triggers[i], x.Bearer, held))
		}
		if len(until) > 0 {
			said = append(said, "until "+strings.Join(until, " or "))
		}
		if d.While != program.NoChunk {
			own := ""
			if id == e.Duration {
				own = k.p.effectTexts()[e.Name].lasts
			}
			said = append(said, "while "+cmp.Or(own, k.p.sources.whiles[id], k.p.sourceOf(d.At), "its condition holds"))
		}
	}
	if len(said) == 0 {
		return "until something ends it"
	}
	return strings.Join(said, ", ")
}

// trigger describes what ends a duration: the end of turn of Bron.
func (k *viewBuilder) trigger(t *program.Trigger, bearer int32, held []int64) string {
	text := t.Text
	if int(t.Skip) < len(held) && held[t.Skip] > 0 {
		text = strings.Replace(text, "of turn", "of the next turn", 1)
	}
	for _, a := range t.Args {
		v := int64(bearer)
		if a.Captured >= 0 {
			if v = program.None; int(a.Captured) < len(held) {
				v = held[a.Captured]
			}
		}
		text += " " + a.Label + " " + k.m.Format(a.Type, v)
	}
	if t.Moment {
		text = "the " + strings.Replace(text, "of turn", "of the turn", 1)
	}
	return text
}

// plan decodes the v-th value of an instance, if it is a plan.
func (k *viewBuilder) plan(x *effect.Instance, v int) (view.Plan, bool) {
	pr := k.m.Program()
	e := &pr.Effects[x.Def]
	if v >= len(x.Vals) || int(e.Values[v].Type) >= len(pr.Types) || e.Values[v].Type < 0 || pr.Types[e.Values[v].Type].Kind != ir.PlanType {
		return view.Plan{}, false
	}
	id, ok := k.m.PlanOf(x.Vals[v])
	if !ok {
		return view.Plan{}, false
	}
	text := k.p.planText(id)
	when, do, _ := strings.Cut(strings.TrimPrefix(text, "plan "), "{")
	return view.Plan{Effect: e.Name, When: strings.TrimSpace(when), Do: strings.TrimSpace(strings.TrimSuffix(do, "}")), Lasts: k.durationText(x)}, true
}

// planText returns a plan as it was written.
func (p *player) planText(id int32) string {
	return cmp.Or(p.sources.plans[id], p.planSource(p.m.Program().Plans[id].Pos), "...")
}

// planSource returns the source of a plan in one line and without comments.
func (p *player) planSource(pos ir.Pos) string {
	var out strings.Builder
	for line := range strings.Lines(p.linesOf(pos)) {
		line = strings.Join(strings.Fields(withoutComment(line)), " ")
		if s := out.String(); s != "" && line != "" {
			if !strings.HasPrefix(line, "}") && !strings.ContainsAny(s[len(s)-1:], "{;,") {
				out.WriteByte(';')
			}
			out.WriteByte(' ')
		}
		out.WriteString(line)
	}
	return out.String()
}

// withoutComment cuts a line at the `#` that begins a comment, which is outside of quotes.
func withoutComment(line string) string {
	quoted := false
	for i, r := range line {
		if r == '"' {
			quoted = !quoted
		}
		if r == '#' && !quoted {
			return line[:i]
		}
	}
	return line
}

func (k *viewBuilder) chart() *view.Chart {
	f := k.p.field
	if f == nil {
		return nil
	}
	d := f.Draw(k.m)
	c := &view.Chart{X: d.X, Y: d.Y, Rows: []string{}, Legend: []view.Mark{}}
	for y := range d.Rows {
		row := make([]rune, 0, len(d.Rows[y]))
		for x := range d.Rows[y] {
			row = append(row, f.At(d.X+x, d.Y+y).Mark)
		}
		c.Rows = append(c.Rows, string(row))
	}
	for _, g := range d.Ground {
		c.Legend = append(c.Legend, view.Mark{Sign: string(g.Mark), Names: append([]string{}, g.Names...)})
	}
	return c
}

// --- what was typed ------------------------------------------------------------------------------------

// commandSources keeps the source of plans and durations in commands, by id, because the next command replaces that
// source. It also caches what the rules say about effects.
type commandSources struct {
	plans, whiles map[int32]string
	effects       map[string]effectTexts
}

// saveSources keeps the source of the plans and durations that a statement has added to the program; plans and
// durations are their previous numbers.
func (p *player) saveSources(plans, durations int) {
	pr := p.m.Program()
	keep := func(list *map[int32]string, id int, text string) {
		if *list == nil {
			*list = map[int32]string{}
		}
		(*list)[int32(id)] = text
	}
	for id := plans; id < len(pr.Plans); id++ {
		keep(&p.sources.plans, id, p.planSource(pr.Plans[id].Pos))
	}
	for id := durations; id < len(pr.Durations); id++ {
		keep(&p.sources.whiles, id, p.sourceOf(pr.Durations[id].At))
	}
}

// effectTexts are the conditions of an effect in the words of the rules: from what a derived effect follows, and how
// long one lasts.
type effectTexts struct{ while, lasts string }

// effectTexts returns the holds of all effects by name.
func (p *player) effectTexts() map[string]effectTexts {
	if p.sources.effects != nil {
		return p.sources.effects
	}
	p.sources.effects = map[string]effectTexts{}
	for _, d := range p.script.Rules.Set().Defs {
		e, ok := d.Node.(*ast.Effect)
		if !ok {
			continue
		}
		var h effectTexts
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
		p.sources.effects[e.Name.Name] = h
	}
	return p.sources.effects
}
