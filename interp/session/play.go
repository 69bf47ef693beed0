package session

import (
	"strings"
	"sync"

	"arbiter/interp/build"
	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/journal"
)

// This file runs the statements of a script, one by one.

// Played is the result of playing a script.
type Played struct {
	Result
	Output      string // the whole transcript
	Transcripts []Transcript
	player      *player
}

// Transcript is a `transcript` statement that differed from the output when it ran.
type Transcript struct {
	Node *ast.Directive
	Got  string
}

// Covered reports whether a part of the rules ran; the program must be compiled with Cover.
func (p *Played) Covered(part int32) bool {
	return p.player != nil && part >= 0 && p.player.m.Covered.Has(part)
}

// Explain explains a roll by its address.
func (p *Played) Explain(roll string, depth Depth) (*Explanation, error) {
	return p.player.explainThrow(roll, depth)
}

// Close lets other plays of the script use the memory of this one. What the result says remains, but nothing more may be
// asked.
func (p *Played) Close() {
	p.player.m.Close()
	p.player.m.Program().Release()
	p.player = nil
}

// Run plays a whole script.
func Run(s *build.Script, o Options) *Result {
	if s.Story != nil {
		return &runStory(s, o).Result
	}
	return &Play(s, s.File.Body, o).Result
}

// Play runs clauses of a script from a fresh state.
func Play(s *build.Script, clauses []ast.Clause, o Options) *Played {
	p := newPlayer(s, o)
	p.run(clauses)
	p.narrator.writeEvents()
	if a := p.o.Attendant; a != nil && !p.stopped {
		a.End()
	}
	p.finish()
	return &Played{Result: p.result, Output: p.narrator.transcript(), Transcripts: p.transcripts, player: p}
}

// player runs one script.
type player struct {
	script   *build.Script
	checked  *check.Checked
	names    *check.Script   // scope: combatants placed, names bound by `let`
	compiler *compile.Script // compiles statement by statement, against the program
	m        *machine.Machine
	o        Options
	result   Result
	narrator *narrator
	dice     queue
	answers  queue

	field          *ground.Field // nil if there is no map
	sides          []string
	members        []member
	transcripts    []Transcript
	stopped        bool           // after a mistake, see halt
	fought         bool           // a fight was opened, so it has an outcome
	playing        bool           // tactics play
	atQuestion     func()         // hook of tests, called before each die and choice
	recordedEvents map[int32]bool // events already recorded
	refusedBy      int32          // the part that refused the last statement, or -1
	hasSeed        bool           // the script states a seed
	before         machine.State  // snapshot before the running statement
	live           *Live          // interactive play; nil if there is none
	sources        commandSources // source of plans and durations from commands
	story          *storyState    // the story of an adventure; nil if there is none
	opening        ast.Clause     // the statement at which one fight of many diverges, see seedFight; nil if there is none
	adviser        *adviser       // for those who follow `best of N`; made when needed
	roundsLeft     int            // for which the current fight may still last, and turns, below 0 for no limit
	turnsLeft      int
	rounds         int                  // rounds of all fights played by tactics
	counted        int                  // rounds of the current fight included in rounds
	onPlaced       func(int32)          // called for each combatant placed, or nil
	buildLock      sync.Locker          // held while statements are checked and compiled; nil if nothing is shared
	lineSources    map[int32]lineSource // of explanations, by part; made when needed
	texts          map[string][]byte    // files that explanations quote
	recorder       *recorder            // makes a replay; nil: none is made
	bounds         bounds               // limits of what is kept of the history
	remembered     machine.HistoryMark  // what happened after it is not forgotten, see forgetOld
	quiet          bool                 // no output, and a mistake ends the run: no snapshots are kept
}

type member struct {
	name    string
	side    int
	tactics *ir.Tactics
}

func newPlayer(s *build.Script, o Options) *player {
	p := &player{script: s, checked: s.Rules.Checked, o: o, bounds: boundsOf(&o)}
	if comparesTranscript(s.File.Body) {
		p.bounds.keptText = 0
	}
	program := s.Rules.Program.Clone()
	p.names = p.checked.NewScript(s.Path).AtRunTime()
	p.compiler = compile.NewScript(program, p.checked.Ruleset)
	p.compiler.Complete = p.checked.Complete
	p.result.Seed = 1
	if o.Seed != nil {
		p.result.Seed = *o.Seed
	}
	p.m = machine.New(program)
	p.m.PlanText = p.planText
	p.m.State().Seed = p.result.Seed
	if s.Rules.Hooks != nil {
		p.m.Hooks = s.Rules.Hooks.NewRunner()
	}
	p.m.Journal = &journal.Journal{}
	p.recordedEvents = map[int32]bool{}
	p.narrator = newNarrator(p)
	p.result.Ruleset = s.Rules.Name
	if s.Head != nil && s.Head.Title != nil {
		p.result.Title = s.Head.Title.Value
	}
	p.dice.what, p.answers.what = "dice", "answer"
	p.dice.strict = o.Strict
	if at, _ := fightPart(s.File.Body); at >= 0 && o.FightSeed != nil {
		p.opening = s.File.Body[at]
	}
	if o.Record {
		p.recorder = newRecorder(p)
	}
	if s.Story != nil {
		p.names = s.Story.Names.Clone().WithFile(s.Path).AtRunTime()
		p.story = newStoryState(p, s)
		p.openStory()
	}
	if o.Attendant != nil {
		p.m.Observe(o.Attendant, machine.EveryInstruction)
		o.Attendant.Begin(&Stage{p})
	}
	return p
}

// path returns the file of the code that is running.
func (p *player) path() string {
	if p.story != nil && p.story.file != "" {
		return p.story.file
	}
	return p.script.Path
}

func (p *player) run(clauses []ast.Clause) {
	for _, cl := range clauses {
		if p.stopped {
			return
		}
		p.clause(cl)
	}
}

// clause runs one statement, then continues the story if it no longer waits for anything.
func (p *player) clause(cl ast.Clause) {
	if a := p.o.Attendant; a != nil && !a.Statement(p.path(), cl.Extent()) {
		p.stopped = true
		return
	}
	if p.story != nil {
		p.story.trail.restart()
	}
	p.carryOut(cl)
	p.recorder.compare()
	p.continueStory()
}

// execute runs one statement. Declarations have been linked already.
func (p *player) carryOut(cl ast.Clause) {
	if p.story != nil && p.phase() != fighting && needsFight(cl) {
		p.halt(cl.Extent(), "misplaced", "there is no fight here")
		p.addHint(p.describePosition())
		return
	}
	switch n := cl.(type) {
	case *ast.Side:
		p.side(n)
	case *ast.Follows:
		p.follows(n)
	case *ast.Scripted:
		q := &p.dice
		if n.Word.Name == "answer" {
			q = &p.answers
		}
		if p.live != nil && p.unknownLabel(n) { // in a script, it has been reported
			return
		}
		if err := q.add(n); err != nil {
			p.fail(n.Span, "wrong-type", "%s", err)
		}
	case *ast.Expect:
		p.expect(n)
	case *ast.Directive:
		p.directive(n)
	case *ast.Map:
		p.chart(n)
	case *ast.Repeat:
		if !build.HasDirectives(n) {
			p.statement(cl)
			return
		}
		times, ok := p.number(n.Times, check.Number)
		if ok && times > maxRepeats {
			p.halt(n.Times.Extent(), "limit", "a script can repeat at most %d times", maxRepeats)
		}
		if ok {
			for ; times > 0 && !p.stopped; times-- {
				p.run(n.Body.Clauses)
			}
		}
	case *ast.If:
		if !build.HasDirectives(n) {
			p.statement(cl)
			return
		}
		if holds, ok := p.number(n.Cond, check.YesNo); ok && holds != 0 && n.Then != nil {
			p.run(n.Then.Clauses)
		} else if ok && n.Else != nil {
			p.run(n.Else.Clauses)
		}
	case *ast.ForEach:
		if build.HasDirectives(n) {
			p.forEach(n)
		} else {
			p.statement(cl)
		}
	default:
		if ast.IsStatement(cl) {
			p.statement(cl)
		}
	}
}

// forEach runs the statements of a `for each` of a script for each element of its list, which is made before the first.
func (p *player) forEach(n *ast.ForEach) {
	list, vars, diags := p.names.Expr(check.Elements(n), ir.Type{})
	if len(diags) > 0 {
		p.haltWith(diags)
		return
	}
	unusable := func() {
		p.halt(n.Query.In.Extent(), "wrong-type", "a script cannot go through such a list")
		p.addHint("its elements are creatures, things of the rules, squares, numbers or texts")
	}
	if elem := list.Type.Elem; elem == nil || program.ShapeOf(*elem).IsAddress() {
		unusable()
		return
	}
	piece, err := p.compiler.Expression(list, vars)
	if err != nil {
		p.halt(n.Span, "too-large", "%s", err)
		return
	}
	p.m.Relink()
	values, err := p.m.EvalList(piece.Chunk, p.m.Vars()...)
	switch {
	case err != nil:
		p.failed(n.Query.Span, err)
	case len(values) > maxRepeats:
		p.halt(n.Query.Span, "limit", "a script can repeat at most %d times", maxRepeats)
	}
	for _, v := range values {
		if p.stopped {
			return
		}
		if program.ShapeOf(*list.Type.Elem) == program.Thing && v >= program.RecordTag { // it lasted only as long as the list
			unusable()
			return
		}
		undo := p.names.BindElement(n, list, &v)
		p.run(n.Body.Clauses)
		undo()
	}
}

// unknownLabel reports a die or an answer that nothing asks for. The labels of what is typed are known only when it runs.
func (p *player) unknownLabel(n *ast.Scripted) bool {
	if n.Path == nil || n.Path.Parts[0].Name.Name == check.ScriptLabel {
		return false
	}
	label, dice := link.PathText(n.Path), n.Word.Name == "dice"
	wrong := p.checked.UnknownLabel(label, dice)
	if wrong != "" {
		p.halt(n.Path.Span, "unknown-label", "%s", wrong)
		p.addHint(p.checked.LabelHint(label, dice))
	}
	return wrong != ""
}

// maxRepeats limits the loops of scripts; loops of rules are limited by the machine.
const maxRepeats = 10_000

// statement runs a statement that rules could contain as well.
func (p *player) statement(cl ast.Clause) {
	p.refusedBy = -1
	why, ok := p.do(cl)
	if ok {
		return
	}
	p.refuse(cl, why)
}

// --- doing -------------------------------------------------------------------------------------------

// do runs a statement; a refusal or a failure restores everything.
func (p *player) do(cl ast.Clause) (why string, ok bool) {
	stmts, vars, diags := p.names.Statements(cl)
	if len(diags) > 0 {
		p.haltWith(diags)
		return "", true
	}
	if c, isCommand := cl.(*ast.Command); isCommand && c.Who == nil && len(stmts) == 1 && stmts[0].Call != nil && stmts[0].Call.Proc.Action {
		p.halt(c.Span, "no-self", "who is to do this?")
		p.addHint("write `WHO: " + c.Name.Name + " ...`")
		return "", true
	}
	if d := p.absentIn(cl.Extent(), stmts); d != nil {
		p.haltWith(diag.List{*d})
		return "", true
	}
	if why := p.outOfTurn(cl, stmts); why != "" {
		return why, false
	}
	plans, durations := len(p.m.Program().Plans), len(p.m.Program().Durations)
	piece, err := p.compiler.Statements(stmts, vars)
	if err != nil {
		p.halt(cl.Extent(), "too-large", "%s", err)
		return "", true
	}
	p.saveSources(plans, durations)
	why, ok = p.drive(cl.Extent(), func() machine.Result { return p.m.RunScript(piece.Chunk, piece.VarShapes, piece.InitialValues) })
	if ok {
		p.names.BindResult(cl, stmts)
	}
	return why, ok
}

// absentIn reports that a command is about one who is not here: a creature of the rules in place of one that is made
// from it, or one who has left.
func (p *player) absentIn(span ast.Span, stmts []*ir.Stmt) *diag.Diagnostic {
	if len(stmts) != 1 || stmts[0].Call == nil {
		return nil
	}
	for _, x := range append([]*ir.Expr{stmts[0].Call.Who}, stmts[0].Call.Args...) {
		if x == nil || x.Op != ir.OpConst || x.Type.Kind != ir.Ref || x.Type.Name != p.checked.Kinds[0].Name {
			continue
		}
		d := diag.Diagnostic{File: p.path(), Span: span, Severity: diag.Error, Code: "no-combatant"}
		switch entities := p.m.State().Entities; {
		case x.Int >= 0 && x.Int < int64(len(entities)) && entities[x.Int].Away:
			d.Message = p.nameOf(x.Int) + " is not here"
			d.Hint = "`place " + p.nameOf(x.Int) + " back` brings one back who has left"
			if p.field != nil {
				d.Hint = "`place " + p.nameOf(x.Int) + " at SQUARE` brings one back who has left"
			}
			return &d
		case x.Int < 0 && -x.Int-1 < int64(len(p.checked.Templates)):
			t := p.checked.Templates[-x.Int-1]
			d.Message, d.Hint = "nobody here is named "+t.Name, "place one: side NAME { "+t.Name+" NAME }"
			var made []string
			for i := range p.members {
				if entities[i].Template == int32(t.Index) {
					made = append(made, p.members[i].name)
				}
			}
			if len(made) > 0 {
				d.Hint = "made from it: " + strings.Join(made, ", ")
			}
			return &d
		}
	}
	return nil
}

// outOfTurn says why a creature cannot be told to act now: it is the turn of somebody else, or it has put off its own.
func (p *player) outOfTurn(cl ast.Clause, stmts []*ir.Stmt) string {
	s := p.m.State()
	if _, ok := cl.(*ast.Command); !ok || !s.InFight || len(stmts) != 1 || stmts[0].Call == nil || !stmts[0].Call.Proc.Action {
		return ""
	}
	who := stmts[0].Call.Who
	if who == nil || who.Op != ir.OpConst || who.Int == int64(s.Order.Current()) && !p.m.PutOff() || s.Order.Current() < 0 {
		return ""
	}
	if ask := p.m.Program().CoreDefines[ir.CoreOutOfTurn]; ask >= 0 {
		if any, ok := p.m.TryDefine(ask, who.Int, int64(stmts[0].Call.Proc.Index)); ok && any != 0 {
			return ""
		}
	}
	if who.Int == int64(s.Order.Current()) {
		return "the turn of " + p.nameOf(who.Int) + " comes later in this round"
	}
	return p.turnOf()
}

func (p *player) turnOf() string {
	return "it is the turn of " + p.nameOf(int64(p.m.State().Order.Current()))
}

// drive starts something and answers its questions until it is done. A refusal or a failure restores the state, the
// draws and the scripted answers.
func (p *player) drive(span ast.Span, start func() machine.Result) (why string, ok bool) {
	if p.quiet {
		return p.driveQuietly(span, start())
	}
	if !p.hasRoom(span) {
		return "", true
	}
	p.m.Snapshot(&p.before)
	dice, answers := p.dice.mark(), p.answers.mark()
	events := p.m.Journal.Mark()
	back := func() {
		p.m.Restore(&p.before)
		p.m.Journal.Truncate(events)
		p.m.TruncateExplanations(int32(events) + 1)
		p.dice.reset(dice)
		p.answers.reset(answers)
	}
	p.m.AskDice = p.dice.strict || p.live != nil || p.o.Attendant != nil
	r := start()
	for {
		switch r.Status {
		case machine.Done:
			p.narrator.writeEvents()
			p.recorder.compare()
			if p.live == nil {
				p.forgetOld()
			}
			return "", true
		case machine.NeedDie:
			p.asked()
			face, good := p.face(span, &r)
			if !good {
				back()
				return "", true
			}
			r = p.m.Resume(face)
		case machine.NeedChoice:
			p.asked()
			way, good := p.choose(span, &r)
			if !good {
				back()
				return "", true
			}
			r = p.m.Resume(way)
		case machine.Refused:
			back()
			p.refusedBy = r.Part
			return p.refusalReason(&r), false
		default:
			back()
			p.failed(span, r.Err)
			return "", true
		}
	}
}

// driveQuietly answers as drive does, without output.
func (p *player) driveQuietly(span ast.Span, r machine.Result) (why string, ok bool) {
	for {
		switch r.Status {
		case machine.Done:
			return "", true
		case machine.NeedDie:
			r = p.m.Resume(int64(p.m.SeededFace()))
		case machine.NeedChoice:
			if r.ChoiceKind == machine.RulingChoice {
				p.halt(span, "no-ruling", "the game master is asked for %s", r.Label)
				return "", true
			}
			r = p.m.Resume(defaultAnswer(&r, p.playing))
		case machine.Refused:
			return p.refusalReason(&r), false
		default:
			p.failed(span, r.Err)
			return "", true
		}
	}
}

// maxRelated is how many positions that led to a failure are shown, each once, the innermost first.
const maxRelated = 6

// --- directives ----------------------------------------------------------------------------------------

func (p *player) directive(n *ast.Directive) {
	switch n.Word.Name {
	case "seed":
		if v, ok := p.number(n.Value, check.Number); ok && p.o.Seed == nil {
			p.result.Seed = uint64(v)
			p.m.State().Seed = uint64(v)
		}
		p.hasSeed = true
	case "begin":
		if n == p.opening {
			p.seedFight()
		}
		p.begin(n.Span)
	case "next":
		p.next(n)
	case "pass":
		if p.m.State().InFight {
			p.halt(n.Span, "refused", "refused: in a fight, time passes turn by turn")
			p.addHint("`next turn` lets a turn pass, `fight on for N rounds` some rounds; `pass` is for the time between fights")
			return
		}
		if v, ok := p.number(n.Value, check.Seconds); ok && v < 0 {
			p.halt(n.Value.Extent(), "limit", "time cannot go backward")
		} else if ok {
			p.must(n.Span, func() machine.Result { return p.m.Pass(v) })
		}
	case "fight":
		p.fight(n)
	case "place":
		p.relocate(n)
	case "ground":
		p.changeGround(n)
	case "explain":
		p.explain(n)
	case "transcript":
		p.transcript(n)
	case "start", "take":
		p.storyDirective(n)
	}
}

// must drives something that must not be refused.
func (p *player) must(span ast.Span, start func() machine.Result) bool {
	if why, ok := p.drive(span, start); !ok {
		p.halt(span, "refused", "refused: %s", why)
	}
	return !p.stopped
}

func (p *player) begin(span ast.Span) {
	if len(p.members) == 0 {
		p.halt(span, "nobody", "nobody has been placed")
		p.addHint("place the combatants first: side NAME { CREATURE NAME }")
		return
	}
	if p.live != nil && p.m.State().InFight { // a script may want another fight, a slip at the prompt would lose this one
		p.halt(span, "refused", "refused: a fight is going on")
		p.addHint("`next turn` goes on with it, `fight on` plays it to its end by tactics")
		return
	}
	p.fought, p.counted = true, 0
	p.must(span, p.m.BeginFight)
}

// hasTurnOrder reports whether anyone has a place in the turn order; otherwise no turn would ever come.
func (p *player) hasTurnOrder(span ast.Span) bool {
	if p.m.State().Order.Len() > 0 {
		return true
	}
	p.halt(span, "no-turn", "nobody has a turn: %s", noTurnOrder)
	p.addHint("a rule `at start of fight` gives them places: WHO acts at NUMBER")
	return false
}

// noTurnOrder is why a fight cannot go on if the rules give no one a turn.
const noTurnOrder = "the rules give nobody a place in the turn order"

// maxTurns limits the search for the turn of a creature.
const maxTurns = 10_000

// next advances to the next turn, or to the next turn of a given creature.
func (p *player) next(n *ast.Directive) {
	want := int64(-1)
	if n.Value != nil {
		v, ok := p.number(n.Value, ir.Type{Kind: ir.Ref, Name: "creature"})
		if !ok {
			return
		}
		want = v
	}
	if !p.m.State().InFight {
		p.halt(n.Span, "no-fight", "there are no turns yet")
		p.addHint("`begin` starts a fight")
		return
	}
	if !p.hasTurnOrder(n.Span) {
		return
	}
	since := p.m.Journal.Mark()
	for range maxTurns {
		if !p.must(n.Span, p.m.NextTurn) {
			return
		}
		if want < 0 || int64(p.m.State().Order.Current()) == want {
			p.tellPassedOver(since)
			return
		}
		if p.m.State().Order.Round() > defaultRounds {
			break
		}
	}
	why := p.whyNoTurn(int32(want))
	switch _, placed := p.m.State().Order.Place(int32(want)); {
	case !placed:
		p.halt(n.Span, "no-turn", "%s has no place in the turn order", p.nameOf(want))
	case why == "":
		p.halt(n.Span, "no-turn", "%s cannot take a turn", p.nameOf(want))
	default:
		p.halt(n.Span, "no-turn", "%s cannot take a turn: %s", p.nameOf(want), why)
	}
}

// number evaluates an expression of a script.
func (p *player) number(e ast.Expr, want ir.Type) (int64, bool) {
	if e == nil {
		return 0, false
	}
	x, vars, diags := p.names.Expr(e, want)
	if len(diags) > 0 {
		p.haltWith(diags)
		return 0, false
	}
	return p.eval(e.Extent(), x, vars)
}

func (p *player) eval(span ast.Span, x *ir.Expr, vars []*ir.Var) (int64, bool) {
	read, ok := p.compiled(span, x, vars)
	if !ok {
		return 0, false
	}
	return read()
}

// compiled compiles an expression that can then be evaluated repeatedly.
func (p *player) compiled(span ast.Span, x *ir.Expr, vars []*ir.Var) (read func() (int64, bool), ok bool) {
	piece, err := p.compiler.Expression(x, vars)
	if err != nil {
		p.halt(span, "too-large", "%s", err)
		return nil, false
	}
	p.m.Relink()
	return func() (int64, bool) {
		v, err := p.m.Eval(piece.Chunk, p.m.Vars()...)
		if err != nil {
			p.failed(span, err)
		}
		return v, err == nil
	}, true
}

// --- the end ---------------------------------------------------------------------------------------------

// finish checks that no scripted values are left over, and collects the result.
func (p *player) finish() {
	p.narrator.writeEvents()
	if !p.stopped {
		for _, q := range []*queue{&p.dice, &p.answers} {
			if what, span, any := q.leftover(); any {
				p.fail(span, "left-over", "%s %s were never used", map[string]string{"dice": "the dice", "answer": "the answers"}[q.what], what)
				p.addHint(q.hint(p.checked))
			}
		}
	}
	p.collectResult()
}
