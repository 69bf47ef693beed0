package session

import (
	"math/bits"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/grid"
)

// This file tells the story of an adventure: it goes from operation to operation until somebody must choose, fight, or is
// at the end. Where a story is lies in the state of the machine, with everything else.

// phase of a story.
type phase int64

const (
	untold   phase = iota // nothing has been told yet
	telling               // operations are carried out
	choosing              // the choices at the present place are open
	fighting              // a fight goes on
	finished
)

// What State.Tale holds: these, and then the places to come back to.
const (
	talePhase = iota
	taleAt
	taleBattle // who has been met: the fight and one, 0 for nobody
	taleEnding
	taleSteps // how many operations have been carried out
	taleReturns
)

const (
	mostSteps  = 100_000 // operations in which nobody chooses anything
	mostVisits = 100     // scenes within one another

	mostFarewells = 10 // times that rules may ask for something when somebody departs
)

// tale is a story with the code of its statements.
type tale struct {
	*story.Story
	values, deeds []compile.Piece
	counters      int // where they begin among the memories of the game
	party         int // how many go together: the first side
	placed, sides int // how many are there from the beginning, and their sides
	fields        []*ground.Field
	made          map[*ast.Member]made
	points        *story.Points // what is counted, by their numbers; nil: nothing is
	counts        []uint64
	ways          []int  // those that are open
	began         int    // of the transcript: where what was told last begins
	title         string // that was shown last
	file          string // of the operation that is carried out; "": none is
	fickle        bool   // some label changes each time
}

// made is what a member is made of, but where it stands and on whose side.
type made struct {
	template int32
	placing  machine.Placing
	tactics  *ir.Tactics
}

// newTale compiles the statements of a story, before anything is told.
func newTale(p *player, s *build.Script) *tale {
	t := &tale{Story: s.Story, fields: make([]*ground.Field, len(s.Story.Battles)), made: map[*ast.Member]made{}}
	program := p.m.Program()
	plans, durations := len(program.Plans), len(program.Durations)
	for i := range t.Deeds {
		d := &t.Deeds[i]
		piece, err := p.loose.Statements(d.Stmts, d.Vars)
		if err != nil {
			p.halt(d.Node.Extent(), "too-large", "%s", err)
		}
		t.deeds = append(t.deeds, piece)
	}
	for i := range t.Values {
		v := &t.Values[i]
		piece, err := p.loose.Expression(v.X, v.Vars)
		if err != nil {
			p.halt(v.Node.Extent(), "too-large", "%s", err)
		}
		t.values = append(t.values, piece)
	}
	if len(t.deeds) > 0 { // all names are there from the beginning
		last := t.deeds[len(t.deeds)-1]
		for _, shape := range last.Kept {
			p.m.State().Vars = append(p.m.State().Vars, none)
			p.m.State().Shapes = append(p.m.State().Shapes, uint8(shape))
		}
	}
	p.m.Relink()
	p.quote(plans, durations)
	t.counters = len(program.Globals)
	for range t.Counters {
		program.Globals = append(program.Globals, programGlobal)
		p.m.State().Globals = append(p.m.State().Globals, 0)
	}
	p.m.State().Tale = make([]int64, taleReturns)
	for i := range t.Choices {
		for k := range t.Choices[i].Ways {
			t.fickle = t.fickle || counts(t.Texts[t.Choices[i].Ways[k].Label])
		}
	}
	return t
}

// counts tells whether a text changes each time.
func counts(t story.Text) bool {
	return slices.ContainsFunc(t, func(x story.Piece) bool { return x.Counter >= 0 || slices.ContainsFunc(x.Ways, counts) })
}

const none = program.None

var programGlobal = program.Global{Name: "story"}

// --- where the story is ------------------------------------------------------------------------------

func (p *player) phase() phase {
	if p.tale == nil {
		return finished
	}
	return phase(p.m.State().Tale[talePhase])
}

func (p *player) enter(x phase) { p.m.State().Tale[talePhase] = int64(x) }

// op is the operation at which the story is.
func (p *player) op() *story.Op { return &p.tale.Code[p.m.State().Tale[taleAt]] }

// openTale places the party.
func (p *player) openTale() {
	for i, n := range p.tale.Party {
		if p.side(n); i == 0 || n.Name.Name == p.sides[0] {
			p.tale.party = len(p.members)
		}
	}
	p.tale.placed, p.tale.sides = len(p.members), len(p.sides)
}

// start begins the story, at a scene of it.
func (p *player) start(scene int32) {
	at := &p.m.State().Tale
	*at = append((*at)[:0], make([]int64, taleReturns)...)
	p.enter(telling)
	p.out.turnOver()
	p.visit(scene)
	p.advance()
}

// visit enters a scene.
func (p *player) visit(scene int32) {
	s := &p.tale.Scenes[scene]
	p.m.State().Tale[taleAt] = int64(s.Entry)
	if s.Count >= 0 {
		p.m.SetGlobal(s.Count, p.m.State().Globals[s.Count]+1)
	}
	if p.tale.points != nil {
		p.tale.counts[p.tale.points.OfScene(scene)]++
	}
	if s.Title != "" {
		p.out.title(s.Title)
	}
}

// advance carries out operations until somebody must choose or fight, or the story is at its end.
func (p *player) advance() {
	for n := 0; !p.stopped && p.phase() == telling; n++ {
		o := p.op()
		if n >= mostSteps {
			p.failAt(o, "limit", "the story goes on for %d steps, and nobody chooses anything", mostSteps)
			p.hint("what leads in a circle here?")
			return
		}
		p.within(o.File, func() { p.step(o) })
	}
	p.out.flushParagraph()
}

// failAt reports a mistake at an operation, and stops.
func (p *player) failAt(o *story.Op, code, format string, args ...any) {
	was := p.tale.file
	p.tale.file = o.File
	p.halt(o.Span, code, format, args...)
	p.tale.file = was
}

// step carries out one operation.
func (p *player) step(o *story.Op) {
	s := p.m.State()
	at := s.Tale[taleAt]
	s.Tale[taleSteps]++
	next := at + 1
	switch o.Kind {
	case story.Tell:
		if text, ok := p.textOf(o.A); ok {
			p.out.narrate(text, o.B != 0)
		}
	case story.Do:
		p.doDeed(o.A)
	case story.Jump:
		next = int64(o.A)
	case story.Test:
		holds, ok := p.valueOf(o.A)
		if ok && holds == 0 {
			next = int64(o.B)
		}
		p.branch(at, int(1-min(holds, 1)))
	case story.Arm:
		arm, ok := p.valueOf(o.A)
		if ok && arm > 0 && int(arm) <= len(o.To) {
			next = int64(o.To[arm-1])
		}
		p.branch(at, int(arm))
	case story.Turn:
		way := p.inTurn(o.A)
		next = int64(o.To[way])
		p.branch(at, way)
	case story.Offer:
		p.offer(o)
		return
	case story.Go:
		p.depart()
		p.visit(o.A)
		return
	case story.Visit:
		if len(s.Tale)-taleReturns >= mostVisits {
			p.failAt(o, "limit", "%d scenes are visited within one another", mostVisits)
			return
		}
		s.Tale = append(s.Tale, next)
		p.visit(o.A)
		return
	case story.Back, story.End:
		n := len(s.Tale) - 1
		if n < taleReturns {
			p.failAt(o, "dead-end", "nothing says where the story goes on")
			return
		}
		if o.Kind == story.Back {
			p.depart()
			s = p.m.State()
		}
		next = s.Tale[n]
		s.Tale = s.Tale[:n]
	case story.Finish:
		p.depart()
		p.finale(o)
		return
	case story.Pass:
		if v, ok := p.valueOf(o.A); ok && v < 0 {
			p.failAt(o, "limit", "time goes on, never back")
		} else if ok {
			p.must(o.Span, func() machine.Result { return p.m.Pass(v) })
		}
	case story.Meet:
		p.depart()
		p.m.State().Tale[taleBattle] = int64(o.A) + 1
		if t := p.tale.Battles[o.A].Title; t != "" {
			p.out.title(t)
		}
	case story.Chart:
		p.chartOf(o)
	case story.Muster:
		p.side(p.tale.Battles[o.A].Sides[o.B])
	case story.Stand:
		p.standAt(o, &p.tale.Battles[o.A].Places[o.B])
	case story.Follow:
		p.follows(p.tale.Battles[o.B].Follows[o.A])
	case story.Fight:
		p.openFight(o)
		return
	case story.Part:
		p.depart()
	}
	if !p.stopped {
		p.m.State().Tale[taleAt] = next
	}
}

// branch counts where the story went, when somebody looks on.
func (p *player) branch(at int64, way int) {
	if t := p.tale; t.points != nil {
		t.counts[t.points.OfOp(int32(at), way)]++
	}
}

// --- values and deeds --------------------------------------------------------------------------------

// valueOf evaluates an expression of the story.
func (p *player) valueOf(id int32) (int64, bool) {
	v, err := p.m.EvalIn(p.tale.values[id].Chunk)
	if err != nil {
		x := &p.tale.Values[id]
		p.within(x.File, func() { p.failed(x.Node.Extent(), err) })
		return 0, false
	}
	return v, true
}

// within does something that a file of the story says.
func (p *player) within(file string, do func()) {
	was := p.tale.file
	p.tale.file = file
	do()
	p.tale.file = was
}

// doDeed does statements of the story.
func (p *player) doDeed(id int32) {
	d := &p.tale.Deeds[id]
	piece := p.tale.deeds[id]
	p.within(d.File, func() {
		if why, ok := p.drive(d.Node.Extent(), func() machine.Result { return p.m.Run(piece.Chunk, piece.Kept, piece.Zeros) }); !ok {
			p.refuse(d.Node, why)
		}
	})
}

// textOf puts a text together.
func (p *player) textOf(id int32) (string, bool) {
	if p.quiet {
		return "", p.passOver(p.tale.Texts[id])
	}
	return p.tellText(nil, p.tale.Texts[id])
}

func (p *player) tellText(b []byte, t story.Text) (string, bool) {
	b, ok := p.appendText(b, t)
	return string(b), ok
}

func (p *player) appendText(b []byte, t story.Text) ([]byte, bool) {
	ok := true
	for i := range t {
		x := &t[i]
		switch {
		case x.If:
			var way int
			if way, ok = p.wayOf(x); ok && way < len(x.Ways) {
				b, ok = p.appendText(b, x.Ways[way])
			}
		case x.Counter >= 0:
			b, ok = p.appendText(b, x.Ways[p.inTurn(x.Counter)])
		case x.Value >= 0:
			piece, v := p.tale.values[x.Value], &p.tale.Values[x.Value]
			text, err := p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
			if err != nil {
				p.within(v.File, func() { p.failed(v.Node.Extent(), err) })
				return b, false
			}
			b = append(b, text...)
		default:
			b = append(b, x.Words...)
		}
		if !ok {
			return b, false
		}
	}
	return b, true
}

// passOver counts what a text would count, and tells nothing.
func (p *player) passOver(t story.Text) bool {
	for i := range t {
		x := &t[i]
		switch {
		case x.If:
			way, ok := p.wayOf(x)
			if !ok || way < len(x.Ways) && !p.passOver(x.Ways[way]) {
				return false
			}
		case x.Counter >= 0:
			if !p.passOver(x.Ways[p.inTurn(x.Counter)]) {
				return false
			}
		}
	}
	return true
}

// wayOf is which way of {if ...} is told.
func (p *player) wayOf(x *story.Piece) (int, bool) {
	holds, ok := p.valueOf(x.Value)
	way := int(1 - min(holds, 1))
	if t := p.tale; t.points != nil {
		t.counts[t.points.OfText(x.Value, way)]++
	}
	return way, ok
}

// --- what comes in turn ------------------------------------------------------------------------------

// inTurn is which way comes now, and counts it.
func (p *player) inTurn(counter int32) int {
	c := &p.tale.Counters[counter]
	n := &p.m.State().Globals[p.tale.counters+int(counter)]
	ways := int64(c.Ways)
	switch c.Word {
	case "cycle":
		defer func() { *n = (*n + 1) % ways }()
		return int(*n)
	case "shuffle":
		return p.shuffled(c, n)
	}
	way := min(*n, ways-1)
	if *n < ways-1 {
		*n++
	}
	return int(way)
}

// shuffled draws one of the ways that have not come yet: the lower bits of a counter mark those that have, the others count.
func (p *player) shuffled(c *story.Counter, n *int64) int {
	const drawn = 40
	ways := min(int(c.Ways), drawn)
	marks, count := *n&(1<<drawn-1), *n>>drawn
	if bits.OnesCount64(uint64(marks)) >= ways {
		marks = 0
	}
	left := ways - bits.OnesCount64(uint64(marks))
	face := int64(0)
	if s, ok := p.dice.take("", c.Name); ok {
		if face = s.value.number; !s.value.isNum || face < 1 || face > int64(left) {
			p.halt(s.span, "bad-die", "%s is no face of the d%d that is thrown for %s", s.value, left, c.Name)
			return 0
		}
	} else {
		face = int64(dice.Face(p.m.State().Seed, 0, dice.Hash(c.Name), uint32(count), int32(left)))
	}
	way := 0
	for ; ; way++ {
		if marks>>way&1 == 0 {
			if face--; face == 0 {
				break
			}
		}
	}
	*n = (count+1)<<drawn | marks | 1<<way
	return way
}

// --- choices -----------------------------------------------------------------------------------------

// offer opens choices, or goes on where there is nothing to choose.
func (p *player) offer(o *story.Op) {
	c := &p.tale.Choices[o.A]
	open := p.open(c)
	switch {
	case p.stopped:
	case len(open) > 0:
		p.enter(choosing)
		if t := p.tale; t.points != nil {
			for _, way := range open {
				t.counts[t.points.OfOffer(t.Story, int32(p.m.State().Tale[taleAt]), way)]++
			}
		}
		p.out.offer(p.offered(c, open))
	case c.Otherwise >= 0:
		p.branch(p.m.State().Tale[taleAt], len(c.Ways))
		p.m.State().Tale[taleAt] = int64(c.Otherwise)
	default:
		p.m.State().Tale[taleAt] = int64(c.After)
	}
}

// open lists the ways that can be taken; the list is good until the next is made.
func (p *player) open(c *story.Choices) []int {
	list := p.tale.ways[:0]
	for i := range c.Ways {
		if p.isOpen(&c.Ways[i]) {
			list = append(list, i)
		}
	}
	p.tale.ways = list
	return list
}

func (p *player) isOpen(w *story.Way) bool {
	if w.Once >= 0 && p.m.State().Globals[p.tale.counters+int(w.Once)] != 0 {
		return false
	}
	if w.Open >= 0 {
		if holds, ok := p.valueOf(w.Open); !ok || holds == 0 {
			return false
		}
	}
	for i := range w.Costs {
		if can, ok := p.valueOf(w.Costs[i].Afford); !ok || can == 0 {
			return false
		}
	}
	return true
}

// offered says the ways that are open, as they are shown.
func (p *player) offered(c *story.Choices, open []int) (labels []string) {
	if p.quiet {
		return nil
	}
	for _, i := range open {
		w := &c.Ways[i]
		label := p.label(w)
		if sight := p.inSight(w); sight != "" {
			label += " [" + sight + "]"
		}
		labels = append(labels, label)
	}
	return labels
}

// label of a way. To read it counts nothing: what changes in it each time does so when one of the ways is taken.
func (p *player) label(w *story.Way) string {
	if !p.tale.fickle {
		label, _ := p.tellText(nil, p.tale.Texts[w.Label])
		return label
	}
	counters, dice := slices.Clone(p.m.State().Globals[p.tale.counters:]), p.dice.mark()
	label, _ := p.tellText(nil, p.tale.Texts[w.Label])
	copy(p.m.State().Globals[p.tale.counters:], counters)
	p.dice.reset(dice)
	return label
}

// inSight is what a way costs, and the check that it asks for.
func (p *player) inSight(w *story.Way) string {
	text := ""
	add := func(s string) {
		if text != "" {
			text += "; "
		}
		text += s
	}
	say := func(id int32) string {
		piece := p.tale.values[id]
		s, _ := p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
		return s
	}
	for i := range w.Costs {
		c := &w.Costs[i]
		s := say(c.Amount)
		if c.Of != "" {
			s += " " + c.Of
		}
		add(s)
	}
	if w.Check.Name != "" {
		s := w.Check.Name
		if w.Check.Who != "" {
			s = w.Check.Who + ": " + s
		}
		if w.Check.DC >= 0 {
			s += ", DC " + say(w.Check.DC)
		}
		add(s)
	}
	return text
}

// takeWay takes one of the choices, by its place among all of them.
func (p *player) takeWay(way int) {
	o := p.op()
	c := &p.tale.Choices[o.A]
	w := &c.Ways[way]
	p.tale.began = len(p.out.all)
	p.out.turnOver()
	if !p.quiet {
		p.out.took(p.label(w))
	}
	if p.tale.fickle {
		for _, i := range p.open(c) {
			p.passOver(p.tale.Texts[c.Ways[i].Label])
		}
	}
	p.branch(p.m.State().Tale[taleAt], way)
	for i := range w.Costs {
		if p.doDeed(w.Costs[i].Pay); p.stopped {
			return
		}
	}
	if w.Once >= 0 {
		p.m.State().Globals[p.tale.counters+int(w.Once)] = 1
	}
	p.m.State().Tale[taleAt] = int64(w.To)
	p.enter(telling)
	p.advance()
}

// finale ends the story.
func (p *player) finale(o *story.Op) {
	if o.B >= 0 {
		if text, ok := p.textOf(o.B); ok {
			p.out.narrate(text, false)
		}
	}
	p.branch(p.m.State().Tale[taleAt], 0)
	p.m.State().Tale[taleEnding] = int64(o.A)
	p.enter(finished)
	p.out.ended(p.tale.Endings[o.A])
}

// --- fights ------------------------------------------------------------------------------------------

// depart lets those go whom the party has met.
func (p *player) depart() {
	if p.m.State().Tale[taleBattle] == 0 {
		return
	}
	p.m.State().Tale[taleBattle] = 0
	if p.m.State().InFight {
		p.must(p.op().Span, p.m.EndFight)
	}
	if p.field != nil {
		p.m.Unmap()
		p.field = nil
	}
	for n := 0; !p.stopped && len(p.m.State().Entities) > p.tale.placed; n++ {
		if n == mostFarewells {
			p.failAt(p.op(), "limit", "those who were met do not depart: what they leave behind ends again and again")
			return
		}
		p.must(p.op().Span, func() machine.Result { return p.m.Depart(int32(p.tale.placed)) })
	}
	for i := p.tale.placed; i < len(p.members); i++ {
		p.names.Forget(p.members[i].name)
	}
	p.members, p.sides = p.members[:p.tale.placed], p.sides[:p.tale.sides]
	for i := range p.members {
		if p.m.State().Entities[i].Away {
			p.enterAt(int32(i), none)
		}
	}
}

// aside lets those take no part in a fight who are no party to it.
func (p *player) aside() {
	if p.tale.placed > p.tale.party {
		p.m.SetAside(int32(p.tale.party))
		for i := p.tale.placed; i < len(p.members); i++ {
			p.enterAt(int32(i), p.m.State().Squares[i])
		}
	}
}

// enterAt lets somebody who was set aside take part.
func (p *player) enterAt(who int32, at int64) {
	listens := p.m.Journal
	p.m.Journal = nil // the map shows where everybody stands
	p.must(p.op().Span, func() machine.Result { return p.m.Enter(who, at) })
	p.m.Journal = listens
}

// chartOf lays the map of a fight.
func (p *player) chartOf(o *story.Op) {
	defer p.m.SetAside(0) // until they stand somewhere
	if f := p.tale.fields[o.A]; f != nil {
		p.field = f
		f.Under(p.m)
		return
	}
	m, diags := ground.Read(o.File, p.m.Program(), p.tale.Battles[o.A].Map)
	if len(diags) > 0 {
		p.halted(diags)
		return
	}
	p.stand(o.Span, m)
	p.tale.fields[o.A] = p.field
}

// standAt puts somebody on a square.
func (p *player) standAt(o *story.Op, x *story.Placing) {
	who, ok := p.valueOf(x.Who)
	if !ok {
		return
	}
	if p.field == nil {
		if p.stand(o.Span, ground.Open()); p.stopped {
			return
		}
	}
	var at grid.Square
	if x.Square == nil {
		if at, ok = p.coordinates(x.Node.At[0]); !ok {
			return
		}
	} else {
		var xyz [3]int16
		for i, id := range x.Square {
			v, ok := p.valueOf(id)
			if !ok {
				return
			}
			xyz[min(i, 2)] = int16(min(max(v, -1), ground.MostSide))
		}
		at = grid.Square{X: xyz[0], Y: xyz[1], Z: xyz[2]}
		if len(x.Square) == 2 && p.field.Has(at) {
			at = p.field.Floor(at)
		}
	}
	if !p.field.Has(at) {
		p.failAt(o, "no-place", "(%d, %d) is not on the map, which has %d by %d squares", at.X, at.Y, p.field.Width, p.field.Height)
		return
	}
	if why := p.field.UnfitAt(p.m, who, at.Pack()); why != "" {
		p.failAt(o, "no-place", "%s cannot stand at %s: %s", p.nameOf(who), machine.FormatSquare(at.Pack()), why)
		return
	}
	if p.m.State().Entities[who].Away {
		p.enterAt(int32(who), at.Pack())
		return
	}
	p.must(o.Span, func() machine.Result { return p.m.Relocate(int32(who), at.Pack()) })
}

// openFight rolls initiative. Whoever plays goes on from there.
func (p *player) openFight(o *story.Op) {
	p.enter(fighting)
	if p.field == nil {
		p.aside()
	} else {
		for i := range p.tale.party {
			if p.m.State().Squares[i] == none {
				p.failAt(o, "no-place", "nobody says where %s stands", p.members[i].name)
				p.hint("write `place " + p.members[i].name + " at SQUARE` in the fight")
				return
			}
		}
	}
	p.begin(o.Span)
	p.afterFight()
}

// afterFight goes on with the story when the fight is over.
func (p *player) afterFight() {
	if p.stopped || p.phase() != fighting {
		return
	}
	o := p.op()
	b := &p.tale.Battles[o.A]
	over := p.decided() || p.result.Ended != "" && p.result.Ended != "won"
	if !over && b.BreakOff >= 0 {
		holds, ok := p.valueOf(b.BreakOff)
		over = ok && holds != 0
	}
	if !over || p.stopped {
		return
	}
	p.result.Ended = ""
	if p.m.State().InFight && !p.must(o.Span, p.m.EndFight) {
		return
	}
	which := 2
	if side, n := p.standing(); n == 1 && side == 0 {
		which = 0
	} else if !p.partyStands() {
		which = 1
	}
	p.branch(p.m.State().Tale[taleAt], which)
	p.m.State().Tale[taleAt] = int64(o.To[which])
	p.out.turnOver()
	p.enter(telling)
}

// partyStands tells whether somebody of the party is not defeated.
func (p *player) partyStands() bool {
	for i := range p.tale.party {
		if !p.defeated(int32(i)) {
			return true
		}
	}
	return false
}

// broken tells whether the fight of the story is to be broken off.
func (p *player) broken() bool {
	if p.phase() != fighting {
		return false
	}
	b := &p.tale.Battles[p.op().A]
	if b.BreakOff < 0 {
		return false
	}
	holds, ok := p.valueOf(b.BreakOff)
	return ok && holds != 0
}

// fightOut lets tactics play the fight of the story, and tells on.
func (p *player) fightOut() {
	o := p.op()
	p.fight(&ast.Directive{Span: o.Span, Word: ast.Ident{Span: o.Span, Name: "fight"}})
	p.goOn()
}

// goOn tells on after a command, if the story waits for nothing any more.
func (p *player) goOn() {
	if p.tale == nil {
		return
	}
	p.afterFight()
	switch {
	case p.phase() == telling:
		p.advance()
	case p.phase() == choosing && !p.stopped && !p.quiet:
		p.offerAgain()
	}
}

// offerAgain offers the ways anew when something has changed them, and goes on when none is open any more.
func (p *player) offerAgain() {
	c := &p.tale.Choices[p.op().A]
	open := p.open(c)
	if p.stopped {
		return
	}
	if len(open) == 0 {
		p.enter(telling)
		p.advance()
	} else if labels := p.offered(c, open); !slices.Equal(labels, p.out.ways) {
		p.out.offer(labels)
	}
}

// Ending of a story, and whether it is at its end.
func (p *player) ending() (string, bool) {
	if p.tale == nil || p.phase() != finished {
		return "", false
	}
	return p.tale.Endings[p.m.State().Tale[taleEnding]], true
}

// scene is that in which the story is.
func (p *player) scene() *story.Scene {
	return &p.tale.Scenes[p.tale.Where(int32(p.m.State().Tale[taleAt]))]
}
