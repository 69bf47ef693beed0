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
	"arbiter/interp/replay"
	"arbiter/interp/view"
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

	o        Options       // initial options
	seed     uint64        // initial seed
	script   *build.Script // the initial script
	setup    []byte        // text of the initial script, with all declarations added since
	from     string        // file of the initial script
	first    int           // length of setup at the start; declarations are appended after it
	rebuild  Rebuild       // builds the script again with declarations; nil: nothing can be declared
	extend   Extend        // builds it with one more ruleset; nil: none can be added
	commands commands
	screen   bytes.Buffer
	shown    []string // lines of the running command that have been shown

	current       *Command     // the running command
	began         journal.Mark // start of the command in the journal
	knownAnswers  []Answer     // answers that are known already
	askAgain      bool         // the next question that is not in feed has been asked before
	recorded      int          // number of its answers that are recorded
	startRecorded bool         // its beginning is recorded
	stale         bool         // the record ends in an abandoned command, see put
	err           error        // why the command was abandoned

	warned        bool          // that temporary files cannot be used
	aside         int           // a command waits for an answer, and something is only read
	tableState    func() string // state recorded along with the fight; nil: none
	recordedTable string        // that state as last recorded
}

// Command is a command that was carried out.
type Command struct {
	Text    string // as typed
	Source  string // as in a script
	Answers []Answer
	Hash    uint64 // of the state after it

	began      Moment   // the turn in which it began
	statement  string   // Source without dice and answers, which are in allAnswers
	allAnswers []Answer // all answers in order, including those scripted before
	before     *moment  // the moment before it, once it has been carried out
}

// Began returns the turn in which the command began.
func (c *Command) Began() Moment { return c.began }

// Reply is the result of a command.
type Reply struct {
	Text     string       // what happened; text already shown with a question is not repeated
	Events   []view.Event // the events that happened
	Failures diag.List    // why it was refused, or its mistakes: nothing has changed
	Dropped  bool         // the Asker dropped it: nothing has changed
	Err      error        // an error of the Recorder or the Asker: nothing has changed
	Warning  string       // what the user should know beside it; "" for nothing
}

// Prompt is the file name of the commands.
const Prompt = "prompt"

const prompt = Prompt

// NewLive plays a script and continues interactively from its end; a story is only begun. The Reply is that of the
// script.
func NewLive(s *build.Script, o Options, a Asker) (*Live, *Reply) {
	l := &Live{asker: a, o: o, script: s, setup: s.Rules.Sources[s.Path], from: s.Path}
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
	p.bounds = bounds{events: maxRunEvents, text: maxRunText, kept: keptEventsLive, spilled: keptText, commands: keptCommands}
	l.p = p
	return l, out
}

// RecordTo makes k record everything from now on; nil: nothing is recorded.
func (l *Live) RecordTo(k Recorder) { l.recorder = k }

// AllowDeclarations allows declarations, using r to build the script again.
func (l *Live) AllowDeclarations(r Rebuild) { l.rebuild = r }

// Done and Undone count the commands done, and those undone since, which can be redone.
func (l *Live) Done() int   { return l.commands.done }
func (l *Live) Undone() int { return l.commands.undone() }

// Command returns a command by its number, from 0: those done in order, then those undone, the next to redo first.
func (l *Live) Command(n int) (*Command, error) { return l.commands.at(n) }

// Transcript returns everything printed so far, or its end if an earlier part cannot be read.
func (l *Live) Transcript() string { return l.p.narrator.transcript() }

// Close removes what the fight keeps in temporary files.
func (l *Live) Close() error {
	return errors.Join(l.commands.close(), l.p.narrator.output.Close())
}

// Recorded returns what has happened so far, to be watched again; nil unless the options asked for a record.
func (l *Live) Recorded() *replay.Document {
	if l.p.recorder == nil {
		return nil
	}
	return l.p.recorder.document()
}

// PlayAgain plays everything once more for a record of it.
func (l *Live) PlayAgain() (*replay.Document, error) {
	o := l.o
	o.Record = true
	again, _ := NewLive(l.script, o, nil)
	defer again.Close()
	if d, err := again.follow(l); err != nil {
		return nil, err
	} else if d != nil {
		return nil, fmt.Errorf("%q has a different result than before", d.Text)
	}
	return again.Recorded(), nil
}

// follow carries out what another fight has done. It returns the first command that does not come to the same result.
func (l *Live) follow(other *Live) (*Command, error) {
	for n := range other.commands.done {
		d, err := other.commands.at(n)
		if err != nil {
			return nil, err
		}
		out := l.execute(d, slices.Clone(d.Answers), recordNone)
		if out.Err != nil || len(out.Failures) > 0 {
			return d, nil
		}
	}
	return nil, nil
}

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

// SideNames lists the sides in the order in which they were declared.
func (l *Live) SideNames() []string { return slices.Clone(l.p.sides) }

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
func (l *Live) Explain(what string, depth Depth) (*Explanation, diag.List, error) {
	before := l.p.snapshot()
	defer func() { l.p.restore(before) }()
	l.p.script.Rules.Sources[Question] = []byte(what)
	return l.p.explainWhat(what, depth)
}

// IsGameVariable reports whether name is a variable of the game, whose current value may differ from what the rules
// state.
func (l *Live) IsGameVariable(name string) bool {
	_, ok := l.p.checked.Lookup(name).(*ir.Global)
	return ok
}

// Aside prepares for reading while a command waits for an answer: what is asked meanwhile must leave no trace in the
// command. Call end before the answer.
func (l *Live) Aside() (end func()) {
	p := l.p
	before, typed := p.snapshot(), p.script.Rules.Sources[prompt]
	playing, stopped, refusedBy := p.playing, p.stopped, p.refusedBy
	wantExplanations := p.m.WithoutExplanations()
	l.aside++
	return func() {
		l.aside--
		p.restore(before)
		wantExplanations()
		p.playing, p.stopped, p.refusedBy = playing, stopped, refusedBy
		p.script.Rules.Sources[prompt] = typed
	}
}

// newOutput returns the styled output since the last call.
func (l *Live) newOutput() string {
	defer l.screen.Reset()
	return l.screen.String()
}

// Do carries out a command, which consists of statements of a script. When it is Alia's turn, `attack Bron` is hers.
func (l *Live) Do(text string) *Reply {
	return l.do(&Command{Text: text}, nil, recordAll, false)
}

// do carries out a command, after which nothing can be redone. again: its first question has been asked before.
func (l *Live) do(d *Command, feed []Answer, record record, again bool) *Reply {
	l.askAgain = again
	out := l.execute(d, feed, record)
	l.askAgain = false
	return out
}

// record is how much of a command has to be recorded.
type record uint8

const (
	recordAll   record = iota
	recordRest         // the command and its known answers are recorded already
	recordNone         // all of it is recorded already
	recordAgain        // it is the next of the commands that were undone
	recordTrial        // it only shows what would happen: whoever tries it goes back
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
	if record < recordNone {
		if err := l.recordProgress(true); err != nil {
			l.err = err
			d.before = nil
			return l.drop(before)
		}
	}
	switch record {
	case recordTrial:
	case recordAgain:
		l.commands.advance(before)
	default:
		if err := l.commands.add(d, before); err != nil {
			l.err, d.before = err, nil
			return l.drop(before)
		}
	}
	l.current = nil
	l.dropMoments()
	reply := &Reply{Text: l.newLines(l.newOutput()), Events: slices.Clip(l.p.eventsSince(int32(before.journal)))}
	if record != recordTrial {
		l.p.forgetOld()
		reply.Warning = l.spill()
	}
	return reply
}

// spill moves what was done long ago to temporary files, and says if that is not possible.
func (l *Live) spill() string {
	if l.o.Spill == nil {
		return ""
	}
	b := &l.p.bounds
	err := errors.Join(l.commands.spill(b.commands, l.o.Spill), l.p.narrator.output.Spill(b.spilled, l.o.Spill))
	if err == nil || l.warned {
		return ""
	}
	l.warned = true
	reason, _, _ := strings.Cut(err.Error(), "\n")
	return "What happened long ago stays in memory, because no temporary file can hold it: " + reason
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
