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
	pr := p.m.Program()
	plans, durations := len(pr.Plans), len(pr.Durations)
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
	t.counters = len(pr.Globals)
	for range t.Counters {
		pr.Globals = append(pr.Globals, program.Global{})
		p.m.State().Globals = append(p.m.State().Globals, 0)
	}
	for i := range t.Battles {
		for _, side := range t.Battles[i].Sides {
			for m := range ast.Members(side) {
				if x, diags := p.assembled(m); len(diags) == 0 { // else it is said when they are placed
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

// counts tells whether a text changes each time.
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
		p.layGround(o)
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
