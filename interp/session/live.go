package session

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/stdlib/journal"
)

// This file implements interactive play: commands come one by one, an Asker answers their questions, and each command
// can be undone. It knows no terminal: the caller shows its output and supplies the answers.

// Live is a fight that is played interactively. Its history is a script: the statements, with the dice and answers that
// were given. It is not safe for concurrent use.
type Live struct {
	p        *player
	asker    Asker
	recorder Recorder

	o            Options    // initial options
	seed         uint64     // initial seed
	setup        []byte     // text of the initial script, with all declarations added since
	from         string     // file of the initial script
	first        int        // length of setup at the start; declarations are appended after it
	rebuild      Rebuild    // builds the script again with declarations; nil: nothing can be declared
	done, undone []*Command // undone: latest last
	screen       bytes.Buffer
	shown        []string // lines of the running command that have been shown

	current       *Command     // the running command
	began         journal.Mark // start of the command in the journal
	knownAnswers  []Answer     // answers that are known already
	askAgain      bool         // the next question that is not in feed has been asked before
	recorded      int          // number of its answers that are recorded
	startRecorded bool         // its beginning is recorded
	stale         bool         // the record ends in an abandoned command, see put
	err           error        // why the command was abandoned

	tableState    func() string // state recorded along with the fight; nil: none
	recordedTable string        // that state as last recorded
}

// Asker answers the questions of a command. It can abandon the command by returning ErrBack, to be asked the previous
// question again, ErrDrop or ErrLeave. Any other error drops the command as well.
type Asker interface {
	Answer(q *Request) (int64, error)
}

var (
	ErrBack = errors.New("back to the question before")
	ErrDrop = errors.New("the command is dropped")
	// ErrLeave drops the command too, but not from the record: when play resumes from the record, the same question is
	// asked again.
	ErrLeave = errors.New("the command waits for its answer")
)

// Request is a die or a choice that a command waits for. The answer is a face, or the index of an option; for a Ruling
// it is a number.
type Request struct {
	Die         bool
	Who         string // "" is the game master
	Label       string // as scripts name it: strike.to-hit
	Sides       int
	Kind        machine.ChoiceKind
	Options     []string
	Default     int64    // the face drawn from the seed, or the default choice
	ByTactics   bool     // tactics play the current turn
	AskedBefore bool     // asked before: its answer was undone, or never came
	OpenRolls   []Answer // for a choice: dice of checks that are not yet judged
	Plans       []Plan   // for a choice: the plans of the effect that asks

	live  *Live
	shown bool // it has been shown
}

// SoFar returns what the command has done since the last question shown. It is recorded before it is returned, and the
// question counts as shown.
func (q *Request) SoFar() (string, error) {
	if err := q.live.recordProgress(false); err != nil {
		return "", err
	}
	q.shown = true
	return q.live.preview(), nil
}

// Answer is the answer to a question.
type Answer struct {
	Die        bool
	Who, Label string
	Value      int64
	Word       string // of an option
	Seeded     bool   // the seed's face or the default; the question was not shown
}

// Address returns the name of the question as scripts write it.
func (a *Answer) Address() string { return strings.TrimSpace(a.Who + " " + a.Label) }

// Command is a command that was carried out.
type Command struct {
	Text    string // as typed
	Source  string // as in a script
	Answers []Answer
	Hash    uint64 // of the state after it

	began      Moment   // the turn in which it began
	statement  string   // Source without dice and answers, which are in allAnswers
	allAnswers []Answer // all answers in order, including those scripted before
	before     *moment  // the moment before it; nil: no longer kept, see dropMoments
}

// Began returns the turn in which the command began.
func (c *Command) Began() Moment { return c.began }

// Reply is the result of a command.
type Reply struct {
	Text     string    // what happened; text already shown with a question is not repeated
	Events   []Event   // the events that happened
	Failures diag.List // why it was refused, or its mistakes: nothing has changed
	Dropped  bool      // the Asker dropped it: nothing has changed
	Err      error     // an error of the Recorder or the Asker: nothing has changed
}

// Prompt is the file name of the commands.
const Prompt = "prompt"

const prompt = Prompt

// NewLive plays a script and continues interactively from its end; a story is only begun. The Reply is that of the
// script.
func NewLive(s *build.Script, o Options, a Asker) (*Live, *Reply) {
	l := &Live{asker: a, o: o, setup: s.Rules.Sources[s.Path], from: s.Path}
	l.first = len(bytes.TrimRight(l.setup, "\n"))
	o.Out = &l.screen
	p := newPlayer(s, o)
	if s.Story != nil {
		p.playOpening(s)
	} else {
		p.run(s.File.Body)
	}
	p.narrator.writeEvents()
	out := &Reply{Text: l.newOutput(), Events: p.result.Events, Failures: p.result.Failures}
	p.o.Seed = nil // a `seed` that is typed takes effect
	l.seed = p.result.Seed
	typed := *s
	rules := *s.Rules
	rules.Sources = maps.Clone(rules.Sources) // commands are added to it, and the rules may be shared
	typed.Path, typed.Rules = prompt, &rules
	p.script, p.names, p.live, p.stopped = &typed, p.names.WithFile(prompt), l, false
	l.p = p
	return l, out
}

// RecordTo makes k record everything from now on; nil: nothing is recorded.
func (l *Live) RecordTo(k Recorder) { l.recorder = k }

// AllowDeclarations allows declarations, using r to build the script again.
func (l *Live) AllowDeclarations(r Rebuild) { l.rebuild = r }

// Done and Undone list the commands done, oldest first, and those undone, latest last.
func (l *Live) Done() []*Command   { return l.done }
func (l *Live) Undone() []*Command { return l.undone }

// Transcript returns everything printed so far.
func (l *Live) Transcript() string { return string(l.p.narrator.output) }

// Hash returns the hash of the state.
func (l *Live) Hash() uint64 { return l.p.m.State().Hash() }

// Rules returns the rules of the fight.
func (l *Live) Rules() *build.Rules { return l.p.script.Rules }

// Turn returns whose turn it is, or "".
func (l *Live) Turn() string {
	s := l.p.m.State()
	if who := s.Order.Current(); s.InFight && who >= 0 {
		return l.p.nameOf(int64(who))
	}
	return ""
}

// Moment is one turn of a fight; the zero value is no turn.
type Moment struct {
	Whose string
	Round int
}

// Moment returns the current turn.
func (l *Live) Moment() Moment {
	if whose := l.Turn(); whose != "" {
		return Moment{whose, int(l.p.m.State().Order.Round())}
	}
	return Moment{}
}

// Sides lists the sides; Names lists all combatants.
func (l *Live) Sides() []string { return l.p.sides }
func (l *Live) Names() []string {
	var names []string
	for i := range l.p.members {
		names = append(names, l.p.members[i].name)
	}
	return names
}

// SideOf returns the side of a combatant, or "".
func (l *Live) SideOf(name string) string {
	for i := range l.p.members {
		if l.p.members[i].name == name {
			return l.p.sides[l.p.members[i].side]
		}
	}
	return ""
}

// Present lists the combatants who are here: those who have not been taken out of the fight.
func (l *Live) Present() (names []string) {
	for i := range l.p.members {
		if !l.p.isAway(int64(i)) {
			names = append(names, l.p.members[i].name)
		}
	}
	return names
}

// Turnless lists the combatants who are here and have no place in the order of the running fight.
func (l *Live) Turnless() (names []string) {
	s := l.p.m.State()
	for i := range l.p.members {
		if _, has := s.Order.Place(int32(i)); s.InFight && !has && !l.p.isAway(int64(i)) {
			names = append(names, l.p.members[i].name)
		}
	}
	return names
}

// Decided reports whether at most one side has a combatant that is not defeated.
func (l *Live) Decided() bool { return l.p.decided() }

// Explain explains a value: what is an expression that reads a stat, or the address of a roll, such as strike.to-hit#3.
func (l *Live) Explain(what string) (*Explanation, diag.List, error) {
	before := l.p.snapshot()
	defer func() { l.p.restore(before) }()
	l.p.script.Rules.Sources[Question] = []byte(what)
	return l.p.explainWhat(what)
}

// IsGameVariable reports whether name is a variable of the game, whose current value may differ from what the rules
// state.
func (l *Live) IsGameVariable(name string) bool {
	_, ok := l.p.checked.Lookup(name).(*ir.Global)
	return ok
}

// newOutput returns the styled output since the last call.
func (l *Live) newOutput() string {
	defer l.screen.Reset()
	return l.screen.String()
}

// --- doing ---------------------------------------------------------------------------------------------

// Do carries out a command, which consists of statements of a script. When it is Alia's turn, `attack Bron` is hers.
func (l *Live) Do(text string) *Reply {
	return l.do(&Command{Text: text}, nil, recordAll, false)
}

// do carries out a command, after which nothing can be redone. again: its first question has been asked before.
func (l *Live) do(d *Command, feed []Answer, record record, again bool) *Reply {
	l.askAgain = again
	out := l.execute(d, feed, record)
	if l.askAgain = false; d.before != nil {
		l.undone = nil
	}
	return out
}

// record is how much of a command has to be recorded.
type record uint8

const (
	recordAll  record = iota
	recordRest        // the command and its known answers are recorded already
	recordNone        // all of it is recorded already
)

// execute carries out a command, with the answers that are known already.
func (l *Live) execute(d *Command, feed []Answer, record record) *Reply {
	l.p.script.Rules.Sources[prompt] = []byte(d.Text)
	clauses, diags := parse.Statement(prompt, d.Text)
	if len(diags) > 0 || len(clauses) == 0 {
		return &Reply{Failures: diags}
	}
	switch all, some := declares(clauses); {
	case all:
		return l.declare(d.Text, record)
	case some:
		return &Reply{Failures: diag.List{{File: prompt, Span: clauses[0].Extent(), Severity: diag.Error, Code: "misplaced",
			Message: "this both declares and does something", Hint: "declare first, then give the command"}}}
	}
	for _, cl := range clauses {
		switch cl.(type) {
		case *ast.Given, *ast.Test:
			return &Reply{Failures: diag.List{{File: prompt, Span: cl.Extent(), Severity: diag.Error, Code: "misplaced",
				Message: "a test belongs in a file of tests", Hint: "`arbiter new tests NAME` creates one; `:save as test FILE` makes one from this session"}}}
		case *ast.Include, *ast.Scene, *ast.Choices, *ast.Divert, *ast.Finish, *ast.Alternation, *ast.Battle, *ast.Aftermath, *ast.BreakOff:
			return &Reply{Failures: diag.List{{File: prompt, Span: cl.Extent(), Severity: diag.Error, Code: "misplaced",
				Message: "this belongs in a scene", Hint: "at a prompt, `take N` makes a choice and `start at SCENE` goes to a scene"}}}
		}
	}
	before := l.p.snapshot()
	d.began = l.Moment()
	l.shown, l.recorded, l.startRecorded = nil, 0, record == recordRest
	if l.startRecorded {
		l.recorded, l.stale = len(feed), false
	}
	for again := true; again; {
		l.current, l.began, l.knownAnswers, l.err = d, before.journal, feed, nil
		d.Answers, d.allAnswers, d.Source, d.statement = nil, nil, "", ""
		l.screen.Reset()
		for _, cl := range clauses {
			if !l.p.stopped && l.err == nil {
				cl = l.acting(cl)
				d.Source += format.Node(cl) + "\n"
				if cl := withoutScripted(cl); cl != nil {
					d.statement += format.Node(cl) + "\n"
				}
				l.p.clause(cl)
			}
		}
		if again = errors.Is(l.err, ErrBack); again {
			if feed, again = withoutLatest(d.Answers); !again {
				l.err = ErrDrop
			} else if l.recorded > len(feed) {
				l.recorded = len(feed)
				if err := l.put(Note{"back", fmt.Sprint(l.recorded)}); err != nil {
					l.err, again = err, false
				}
			}
			if again {
				l.askAgain = true
				l.p.restore(before)
			}
		}
	}
	if l.err != nil || l.p.stopped || len(l.p.result.Failures) > before.failed {
		return l.drop(before)
	}
	l.p.narrator.writeEvents()
	d.Hash, d.before = l.Hash(), before
	if record != recordNone {
		if err := l.recordProgress(true); err != nil {
			l.err = err
			d.before = nil
			return l.drop(before)
		}
	}
	l.current = nil
	l.done = append(l.done, d)
	l.dropMoments()
	return &Reply{Text: l.newLines(l.newOutput()), Events: l.p.result.Events[before.events:]}
}

// withoutLatest returns the answers before the latest that was not seeded.
func withoutLatest(given []Answer) ([]Answer, bool) {
	for n := len(given) - 1; n >= 0; n-- {
		if !given[n].Seeded {
			return slices.Clone(given[:n]), true
		}
	}
	return nil, false
}

// drop undoes a command that did not complete.
func (l *Live) drop(before *moment) *Reply {
	out := &Reply{Failures: slices.Clone(l.p.result.Failures[before.failed:])}
	switch {
	case l.err == nil:
	case errors.Is(l.err, ErrDrop):
		out.Dropped, out.Failures = true, nil
	default:
		out.Err, out.Failures = l.err, nil
	}
	l.p.restore(before)
	l.screen.Reset()
	l.current = nil
	if !l.startRecorded {
		return out
	}
	l.stale = true
	if unkept := (*UnsavedError)(nil); !errors.As(l.err, &unkept) && !errors.Is(l.err, ErrLeave) {
		if err := l.put(); err != nil {
			out.Err = err
		}
	}
	return out
}

// acting assigns a command without an actor to the creature whose turn it is.
func (l *Live) acting(cl ast.Clause) ast.Clause {
	c, ok := cl.(*ast.Command)
	s := l.p.m.State()
	if !ok || c.Who != nil || !s.InFight || s.Order.Current() < 0 {
		return cl
	}
	x := *c
	x.Who = &ast.Name{Ident: ast.Ident{Span: c.Name.Span, Name: l.p.nameOf(int64(s.Order.Current()))}}
	return &x
}

// --- asking --------------------------------------------------------------------------------------------

// answer answers a question from the known answers, or asks. If not ok, the command is abandoned.
func (l *Live) answer(q *Request) (v int64, ok bool) {
	g := Answer{Die: q.Die, Who: q.Who, Label: q.Label, Value: q.Default, Seeded: true}
	switch {
	case len(l.knownAnswers) > 0:
		known := l.knownAnswers[0]
		if known.Die != g.Die || known.Who != g.Who || known.Label != g.Label || !q.fits(known.Value) {
			return l.abandon(fmt.Errorf("%s was answered with %d; now the question is %s", known.Address(), known.Value, g.Address()))
		}
		l.knownAnswers, g.Value, g.Seeded = l.knownAnswers[1:], known.Value, known.Seeded
	case l.asker != nil:
		q.live, q.AskedBefore, l.askAgain = l, l.askAgain, false
		v, err := l.asker.Answer(q)
		if err == nil && !q.fits(v) {
			err = fmt.Errorf("%d is not an answer to %s", v, g.Address())
		}
		if err != nil {
			return l.abandon(err)
		}
		g.Value, g.Seeded = v, v == q.Default && !q.shown
	}
	if !q.Die && g.Value >= 0 && g.Value < int64(len(q.Options)) {
		g.Word = q.Options[g.Value]
	}
	l.current.Answers = append(l.current.Answers, g)
	l.current.allAnswers = append(l.current.allAnswers, g)
	return g.Value, true
}

// scripted records an answer that came from the script.
func (l *Live) scripted(r *machine.Result, die bool, value int64, word string) {
	if l != nil {
		l.current.allAnswers = append(l.current.allAnswers, Answer{Die: die, Who: l.who(r), Label: r.Label, Value: value, Word: word})
	}
}

// abandon abandons the running command.
func (l *Live) abandon(why error) (int64, bool) {
	l.err, l.p.stopped = why, true
	return 0, false
}

// askDie asks for a face.
func (l *Live) askDie(r *machine.Result) (int64, bool) {
	return l.answer(&Request{Die: true, Who: l.who(r), Label: r.Label, Sides: int(r.Sides), Default: int64(l.p.m.SeededFace()), ByTactics: l.p.playing})
}

// askChoice asks for an option.
func (l *Live) askChoice(r *machine.Result) (int64, bool) {
	q := &Request{Who: l.who(r), Label: r.Label, Kind: r.ChoiceKind, Default: defaultAnswer(r, l.p.playing), ByTactics: l.p.playing, OpenRolls: l.openRolls()}
	q.Options = append(q.Options, r.Options...)
	if x := l.p.m.Asking(); x != nil {
		q.Plans = l.p.plansOf(x)
	}
	return l.answer(q)
}

// openRolls lists the rolls of checks that are not yet judged.
func (l *Live) openRolls() (list []Answer) {
	p := l.p
	pr := p.m.Program()
	judged := map[int32]int{} // by label
	for _, e := range slices.Backward(p.m.Journal.Since(l.began)) {
		switch e.Kind {
		case machine.CheckRolled:
			c := &pr.Checks[e.Code]
			judged[c.Label]++
			if c.Opposed >= 0 {
				judged[c.OpposedLabel]++
			}
		case machine.DiceRolled:
			if judged[e.Code] > 0 {
				judged[e.Code]--
				continue
			}
			for i := range pr.Checks {
				if c := &pr.Checks[i]; c.Label == e.Code || c.Opposed >= 0 && c.OpposedLabel == e.Code {
					list = append(list, Answer{Die: true, Who: p.nameOf(int64(e.Who)), Label: pr.Labels[e.Code].Name, Value: e.A})
					break
				}
			}
		}
	}
	slices.Reverse(list)
	return list
}

func (l *Live) who(r *machine.Result) string {
	if r.Who < 0 {
		return ""
	}
	return l.p.nameOf(r.Who)
}

// fits reports whether a value is a valid answer.
func (q *Request) fits(v int64) bool {
	switch {
	case q.Die:
		return v >= 1 && v <= int64(q.Sides)
	case q.Kind == machine.RulingChoice:
		return true
	}
	return v >= 0 && v < int64(len(q.Options))
}

// preview returns what the running command has done, without marking it as told: it may read differently when complete.
func (l *Live) preview() string {
	p := l.p
	told, where, events, painted := p.narrator.snapshot(), len(p.narrator.output), len(p.result.Events), l.screen.Len()
	p.narrator.writeEvents()
	text := l.screen.String()
	p.narrator.back(&told, where)
	p.forgetEvents(int32(told.position), events)
	l.screen.Truncate(painted)
	return l.newLines(text)
}

// newLines returns the lines of a text that have not been shown yet. A line that has changed since it was shown is
// shown again.
func (l *Live) newLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	n := 0
	for n < len(lines) && n < len(l.shown) && lines[n] == l.shown[n] {
		n++
	}
	l.shown = lines
	return strings.Join(lines[n:], "")
}

// --- undo and redo -------------------------------------------------------------------------------------

// Undo undoes the latest command and returns it, or nil if there is none.
func (l *Live) Undo() (*Command, error) {
	if len(l.done) == 0 {
		return nil, nil
	}
	if err := l.put(Note{Kind: "undo"}); err != nil {
		return nil, err
	}
	d := l.done[len(l.done)-1]
	if err := l.rewindTo(len(l.done) - 1); err != nil {
		return nil, err
	}
	l.undone = append(l.undone, d)
	return d, nil
}

// UndoTo undoes all but the first n commands.
func (l *Live) UndoTo(n int) error {
	back := slices.Clone(l.done[n:])
	if len(back) == 0 {
		return nil
	}
	if err := l.put(slices.Repeat([]Note{{Kind: "undo"}}, len(back))...); err != nil {
		return err
	}
	if err := l.rewindTo(n); err != nil {
		return err
	}
	slices.Reverse(back)
	l.undone = append(l.undone, back...)
	return nil
}

// rewindTo goes back to the state after the first n commands.
func (l *Live) rewindTo(n int) error {
	from := n
	for l.done[from].before == nil {
		from--
	}
	again := slices.Clone(l.done[from:n])
	l.p.restore(l.done[from].before)
	l.done = l.done[:from]
	for _, d := range again {
		if err := l.rerun(d); err != nil {
			return err
		}
	}
	return nil
}

// rerun runs a past command again, with the same answers.
func (l *Live) rerun(d *Command) error {
	was := *d
	out := l.execute(d, slices.Clone(d.Answers), recordNone)
	switch {
	case out.Err != nil:
		return out.Err
	case len(out.Failures) > 0:
		return fmt.Errorf("%q was done, and now: %s", was.Text, out.Failures[0].Message)
	case d.Hash != was.Hash:
		return fmt.Errorf("%q has a different result than before", was.Text)
	}
	return nil
}

// Redo runs the command that was undone last, or returns nil if there is none.
func (l *Live) Redo() (*Reply, error) {
	n := len(l.undone) - 1
	if n < 0 {
		return nil, nil
	}
	if err := l.put(Note{Kind: "redo"}); err != nil {
		return nil, err
	}
	d := l.undone[n]
	l.undone = l.undone[:n]
	was := d.Hash
	out := l.execute(d, slices.Clone(d.Answers), recordNone)
	if out.Err == nil && len(out.Failures) == 0 && d.Hash != was {
		return out, fmt.Errorf("%q has a different result than before", d.Text)
	}
	return out, out.Err
}

// Retry runs the command that was undone last and asks again for its last answer that was not seeded, or for its last
// die if all were.
func (l *Live) Retry() *Reply {
	d := l.undone[len(l.undone)-1]
	feed, ok := withoutLatest(d.Answers)
	if !ok && len(d.Answers) > 0 {
		feed = slices.Clone(d.Answers[:len(d.Answers)-1])
	}
	return l.do(&Command{Text: d.Text}, feed, recordAll, true)
}

// dropMoments drops moments that are unlikely to be needed. To go back to a dropped one, the commands after an earlier
// moment are run again.
func (l *Live) dropMoments() {
	const near, apart = 64, 32
	if i := len(l.done) - near; i >= 0 && i%apart != 0 {
		l.done[i].before = nil
	}
}
