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
	notStarted phase = iota // nothing has been told yet
	running                 // operations are running
	choosing                // waiting for a choice
	fighting                // during a fight
	finished
)

// The layout of State.Tale: these values, followed by the return addresses.
const (
	storyPhase = iota
	storyAt
	storyBattle // the current fight + 1, or 0
	storyEnding
	storySteps // number of operations run
	storyReturns
)

const (
	maxSteps  = 100_000 // operations without a choice
	maxVisits = 100     // nested visits

	maxRemovals = 10 // attempts to remove creatures while rules keep asking for something
)

// storyState is a story with its compiled statements.
type storyState struct {
	*story.Story
	values, statements []compile.Piece
	counters           int // index of the first counter among the globals
	party              int // size of the party: the first side
	placed, sides      int // how many creatures and sides there are from the start
	fields             []*ground.Field
	specs              map[*ast.Member]memberSpec
	points             *story.Points // the points counted in counts; nil: not counted
	counts             []uint64
	trail              trail
	watch              *fightWatch // of the fights of a playthrough; nil: nobody watches
	openChoices        []int       // the open choices
	latestStart        int         // offset in the transcript of what was told last
	title              string      // the last title shown
	file               string      // the file of the running operation, or ""
	changingLabels     bool        // some label has alternatives in turn
}

// memberSpec is a member without its place and side.
type memberSpec struct {
	template int32
	placing  machine.Placement
	tactics  *ir.Tactics
}

// newStoryState compiles the statements of a story, before anything is told.
func newStoryState(p *player, s *build.Script) *storyState {
	t := &storyState{Story: s.Story, fields: make([]*ground.Field, len(s.Story.Battles)), specs: map[*ast.Member]memberSpec{}}
	pr := p.m.Program()
	plans, durations := len(pr.Plans), len(pr.Durations)
	for i := range t.Statements {
		d := &t.Statements[i]
		piece, err := p.compiler.Statements(d.Stmts, d.Vars)
		if err != nil {
			p.halt(d.Node.Extent(), "too-large", "%s", err)
		}
		t.statements = append(t.statements, piece)
	}
	for i := range t.Values {
		v := &t.Values[i]
		piece, err := p.compiler.Expression(v.X, v.Vars)
		if err != nil {
			p.halt(v.Node.Extent(), "too-large", "%s", err)
		}
		t.values = append(t.values, piece)
	}
	if len(t.statements) > 0 { // all variables exist from the start
		last := t.statements[len(t.statements)-1]
		for _, shape := range last.VarShapes {
			p.m.State().Vars = append(p.m.State().Vars, none)
			p.m.State().VarShapes = append(p.m.State().VarShapes, uint8(shape))
		}
	}
	p.m.Relink()
	p.saveSources(plans, durations)
	t.counters = len(pr.Globals)
	for range t.Counters {
		pr.Globals = append(pr.Globals, program.Global{})
		p.m.State().Globals = append(p.m.State().Globals, 0)
	}
	for i := range t.Battles {
		for _, side := range t.Battles[i].Sides {
			for m := range ast.Members(side) {
				if x, diags := p.buildSpec(m); len(diags) == 0 { // otherwise reported when they are placed
					t.specs[m] = x
				}
			}
		}
	}
	p.m.State().Story = make([]int64, storyReturns)
	for i := range t.Choices {
		for k := range t.Choices[i].Ways {
			t.changingLabels = t.changingLabels || hasVariants(t.Texts[t.Choices[i].Ways[k].Label])
		}
	}
	return t
}

// hasVariants reports whether a text has alternatives in turn.
func hasVariants(t story.Text) bool {
	return slices.ContainsFunc(t, func(x story.Piece) bool { return x.Counter >= 0 || slices.ContainsFunc(x.Ways, hasVariants) })
}

const none = program.None

func (p *player) phase() phase {
	if p.story == nil {
		return finished
	}
	return phase(p.m.State().Story[storyPhase])
}

func (p *player) enter(x phase) { p.m.State().Story[storyPhase] = int64(x) }

// currentOp returns the current operation.
func (p *player) currentOp() *story.Op { return &p.story.Code[p.m.State().Story[storyAt]] }

// openStory places the party.
func (p *player) openStory() {
	for i, n := range p.story.Party {
		if p.side(n); i == 0 || n.Name.Name == p.sides[0] {
			p.story.party = len(p.members)
		}
	}
	p.story.placed, p.story.sides = len(p.members), len(p.sides)
}

// start begins the story at a scene.
func (p *player) start(scene int32) {
	at := &p.m.State().Story
	*at = append((*at)[:0], make([]int64, storyReturns)...)
	p.enter(running)
	p.narrator.turnOver()
	p.story.trail = trail{}
	p.enterScene(scene)
	p.advance()
}

// enterScene enters a scene.
func (p *player) enterScene(scene int32) {
	if p.story.trail.enter(scene) {
		p.failInCircle("a scene is entered %d times without a choice", maxSceneRepeats)
		return
	}
	s := &p.story.Scenes[scene]
	p.m.State().Story[storyAt] = int64(s.Entry)
	if s.Count >= 0 {
		p.m.SetGlobal(s.Count, p.m.State().Globals[s.Count]+1)
	}
	if p.story.points != nil {
		p.story.counts[p.story.points.OfScene(scene)]++
	}
	if s.Title != "" {
		p.narrator.title(s.Title)
	}
}

// advance runs operations until a choice must be made, a fight begins, or the story ends.
func (p *player) advance() {
	for n := 0; !p.stopped && p.phase() == running; n++ {
		o := p.currentOp()
		if n >= maxSteps {
			p.failInCircle("the story runs for %d steps without a choice", maxSteps)
			return
		}
		p.inFile(o.File, func() { p.step(o) })
	}
	p.narrator.flushParagraph()
}

// failAt reports a mistake at an operation and stops.
func (p *player) failAt(o *story.Op, code, format string, args ...any) {
	p.inFile(o.File, func() { p.halt(o.Span, code, format, args...) })
}

// step runs one operation.
func (p *player) step(o *story.Op) {
	s := p.m.State()
	at := s.Story[storyAt]
	s.Story[storySteps]++
	next := at + 1
	switch o.Kind {
	case story.Tell:
		if text, ok := p.textOf(o.A); ok {
			p.narrator.narrate(text, o.B != 0)
		}
	case story.Do:
		p.runStatements(o.A)
	case story.Jump:
		next = int64(o.A)
	case story.Test:
		holds, ok := p.valueOf(o.A)
		if ok && holds == 0 {
			next = int64(o.B)
		}
		p.countBranch(at, int(1-min(holds, 1)))
	case story.Switch:
		arm, ok := p.valueOf(o.A)
		if ok && arm > 0 && arm <= int64(len(o.To)) {
			next = int64(o.To[arm-1])
		}
		p.countBranch(at, int(arm))
	case story.Alternate:
		way := p.nextVariant(o.A)
		next = int64(o.To[way])
		p.countBranch(at, way)
	case story.Offer:
		p.offer(o)
		return
	case story.Go:
		p.removeStrangers()
		p.enterScene(o.A)
		return
	case story.Visit:
		if len(s.Story)-storyReturns >= maxVisits {
			p.failAt(o, "limit", "%d nested visits of scenes", maxVisits)
			return
		}
		s.Story = append(s.Story, next)
		p.enterScene(o.A)
		return
	case story.Back, story.End:
		n := len(s.Story) - 1
		if n < storyReturns {
			p.failAt(o, "dead-end", "nothing says where the story continues")
			return
		}
		if o.Kind == story.Back {
			p.removeStrangers()
			s = p.m.State()
		}
		next = s.Story[n]
		s.Story = s.Story[:n]
	case story.Finish:
		p.removeStrangers()
		p.finishStory(o)
		return
	case story.PassTime:
		if v, ok := p.valueOf(o.A); ok && v < 0 {
			p.failAt(o, "limit", "time cannot go backward")
		} else if ok {
			p.must(o.Span, func() machine.Result { return p.m.Pass(v) })
		}
	case story.BeginBattle:
		p.removeStrangers()
		p.m.State().Story[storyBattle] = int64(o.A) + 1
		if t := p.story.Battles[o.A].Title; t != "" {
			p.narrator.title(t)
		}
	case story.SetMap:
		p.setUpGround(o)
	case story.AddSide:
		p.side(p.story.Battles[o.A].Sides[o.B])
	case story.PlaceCreature:
		p.placeAt(o, &p.story.Battles[o.A].Places[o.B])
	case story.Follow:
		p.follows(p.story.Battles[o.B].Follows[o.A])
	case story.Fight:
		p.openFight(o)
		return
	case story.EndBattle:
		p.removeStrangers()
	}
	if !p.stopped {
		p.m.State().Story[storyAt] = next
	}
}

// countBranch counts which way the story went, if points are counted.
func (p *player) countBranch(at int64, way int) {
	if t := p.story; t.points != nil {
		t.counts[t.points.OfOp(int32(at), way)]++
	}
}

// continueStory continues the story after a command, if it no longer waits for anything.
func (p *player) continueStory() {
	if p.story == nil {
		return
	}
	p.afterFight()
	switch {
	case p.phase() == running:
		p.advance()
	case p.phase() == choosing && !p.stopped && !p.quiet:
		p.refreshOffer()
	}
}

// refreshOffer offers the choices again if they have changed, and continues if none is open any more.
func (p *player) refreshOffer() {
	c := &p.story.Choices[p.currentOp().A]
	open := p.openChoices(c)
	if p.stopped {
		return
	}
	if len(open) == 0 {
		p.enter(running)
		p.advance()
	} else if labels := p.choiceLabels(c, open); !slices.Equal(labels, p.narrator.lastChoices) {
		p.narrator.showChoices(labels)
	}
}

// ending returns the ending of the story, and whether it has ended.
func (p *player) ending() (string, bool) {
	if p.story == nil || p.phase() != finished {
		return "", false
	}
	return p.story.Endings[p.m.State().Story[storyEnding]], true
}

// scene returns the current scene.
func (p *player) scene() *story.Scene {
	return &p.story.Scenes[p.story.Where(int32(p.m.State().Story[storyAt]))]
}

// finishStory ends the story.
func (p *player) finishStory(o *story.Op) {
	if o.B >= 0 {
		if text, ok := p.textOf(o.B); ok {
			p.narrator.narrate(text, false)
		}
	}
	p.countBranch(p.m.State().Story[storyAt], 0)
	p.m.State().Story[storyEnding] = int64(o.A)
	p.enter(finished)
	p.narrator.showEnding(p.story.Endings[o.A])
}
