package session

import (
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/story"
	"arbiter/lang/ast"
)

// This file tells the story of an adventure: it runs operation after operation until a choice must be made, a fight
// begins, or the story ends. The position in the story is part of the state of the machine.

// phase is the phase of a story.
type phase int64

const (
	untold   phase = iota // nothing has been told yet
	telling               // operations are running
	choosing              // waiting for a choice
	fighting              // during a fight
	finished
)

// The layout of State.Tale: these values, followed by the return addresses.
const (
	talePhase = iota
	taleAt
	taleBattle // the current fight + 1, or 0
	taleEnding
	taleSteps // number of operations run
	taleReturns
)

const (
	mostSteps  = 100_000 // operations without a choice
	mostVisits = 100     // nested visits

	mostFarewells = 10 // attempts to remove creatures while rules keep asking for something
)

// tale is a story with its compiled statements.
type tale struct {
	*story.Story
	values, deeds []compile.Piece
	counters      int // index of the first counter among the globals
	party         int // size of the party: the first side
	placed, sides int // how many creatures and sides there are from the start
	fields        []*ground.Field
	made          map[*ast.Member]made
	points        *story.Points // the points counted in counts; nil: not counted
	counts        []uint64
	ways          []int  // the open choices
	began         int    // offset in the transcript of what was told last
	title         string // the last title shown
	file          string // the file of the running operation, or ""
	fickle        bool   // some label has alternatives in turn
}

// made is a member without its place and side.
type made struct {
	template int32
	placing  machine.Placing
	tactics  *ir.Tactics
}

// newTale compiles the statements of a story, before anything is told.
func newTale(p *player, s *build.Script) *tale {
	t := &tale{Story: s.Story, fields: make([]*ground.Field, len(s.Story.Battles)), made: map[*ast.Member]made{}}
	pr := p.m.Program()
	plans, durations := len(pr.Plans), len(pr.Durations)
	for i := range t.Statements {
		d := &t.Statements[i]
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
	if len(t.deeds) > 0 { // all variables exist from the start
		last := t.deeds[len(t.deeds)-1]
		for _, shape := range last.Kept {
			p.m.State().Vars = append(p.m.State().Vars, none)
			p.m.State().Shapes = append(p.m.State().Shapes, uint8(shape))
		}
	}
	p.m.Relink()
	p.quote(plans, durations)
	t.counters = len(pr.Globals)
	for range t.Counters {
		pr.Globals = append(pr.Globals, program.Global{})
		p.m.State().Globals = append(p.m.State().Globals, 0)
	}
	for i := range t.Battles {
		for _, side := range t.Battles[i].Sides {
			for m := range ast.Members(side) {
				if x, diags := p.assembled(m); len(diags) == 0 { // otherwise reported when they are placed
					t.made[m] = x
				}
			}
		}
	}
	p.m.State().Tale = make([]int64, taleReturns)
	for i := range t.Choices {
		for k := range t.Choices[i].Ways {
			t.fickle = t.fickle || counts(t.Texts[t.Choices[i].Ways[k].Label])
		}
	}
	return t
}

// counts reports whether a text has alternatives in turn.
func counts(t story.Text) bool {
	return slices.ContainsFunc(t, func(x story.Piece) bool { return x.Counter >= 0 || slices.ContainsFunc(x.Ways, counts) })
}

const none = program.None

func (p *player) phase() phase {
	if p.tale == nil {
		return finished
	}
	return phase(p.m.State().Tale[talePhase])
}

func (p *player) enter(x phase) { p.m.State().Tale[talePhase] = int64(x) }

// op returns the current operation.
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

// start begins the story at a scene.
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

// advance runs operations until a choice must be made, a fight begins, or the story ends.
func (p *player) advance() {
	for n := 0; !p.stopped && p.phase() == telling; n++ {
		o := p.op()
		if n >= mostSteps {
			p.failAt(o, "limit", "the story runs for %d steps without a choice", mostSteps)
			p.hint("is there a loop here?")
			return
		}
		p.within(o.File, func() { p.step(o) })
	}
	p.out.flushParagraph()
}

// failAt reports a mistake at an operation and stops.
func (p *player) failAt(o *story.Op, code, format string, args ...any) {
	was := p.tale.file
	p.tale.file = o.File
	p.halt(o.Span, code, format, args...)
	p.tale.file = was
}

// step runs one operation.
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
	case story.Switch:
		arm, ok := p.valueOf(o.A)
		if ok && arm > 0 && arm <= int64(len(o.To)) {
			next = int64(o.To[arm-1])
		}
		p.branch(at, int(arm))
	case story.Alternate:
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
			p.failAt(o, "limit", "%d nested visits of scenes", mostVisits)
			return
		}
		s.Tale = append(s.Tale, next)
		p.visit(o.A)
		return
	case story.Back, story.End:
		n := len(s.Tale) - 1
		if n < taleReturns {
			p.failAt(o, "dead-end", "nothing says where the story continues")
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
	case story.PassTime:
		if v, ok := p.valueOf(o.A); ok && v < 0 {
			p.failAt(o, "limit", "time cannot go backward")
		} else if ok {
			p.must(o.Span, func() machine.Result { return p.m.Pass(v) })
		}
	case story.BeginBattle:
		p.depart()
		p.m.State().Tale[taleBattle] = int64(o.A) + 1
		if t := p.tale.Battles[o.A].Title; t != "" {
			p.out.title(t)
		}
	case story.SetMap:
		p.layGround(o)
	case story.AddSide:
		p.side(p.tale.Battles[o.A].Sides[o.B])
	case story.PlaceCreature:
		p.standAt(o, &p.tale.Battles[o.A].Places[o.B])
	case story.Follow:
		p.follows(p.tale.Battles[o.B].Follows[o.A])
	case story.Fight:
		p.openFight(o)
		return
	case story.EndBattle:
		p.depart()
	}
	if !p.stopped {
		p.m.State().Tale[taleAt] = next
	}
}

// branch counts which way the story went, if points are counted.
func (p *player) branch(at int64, way int) {
	if t := p.tale; t.points != nil {
		t.counts[t.points.OfOp(int32(at), way)]++
	}
}

// goOn continues the story after a command, if it no longer waits for anything.
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

// offerAgain offers the choices again if they have changed, and continues if none is open any more.
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

// ending returns the ending of the story, and whether it has ended.
func (p *player) ending() (string, bool) {
	if p.tale == nil || p.phase() != finished {
		return "", false
	}
	return p.tale.Endings[p.m.State().Tale[taleEnding]], true
}

// scene returns the current scene.
func (p *player) scene() *story.Scene {
	return &p.tale.Scenes[p.tale.Where(int32(p.m.State().Tale[taleAt]))]
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
