// Package repl leads a fight from a prompt: it reads commands, runs them, asks their questions, and shows the results.
// Besides the statements of scripts it has commands of its own, which start with a colon, and questions, which start
// with a question mark.
//
// It must never know a terminal (that is the Console's business), a rule (the rulesets'), or a file (that of
// session.Live and its recorder).
package repl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/debugprompt"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/view"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/lang/words"
)

// Console is where the user types.
type Console interface {
	// Read returns the next line or block. io.EOF is the end of the input, ErrInterrupted drops what has been typed.
	Read(a ReadOptions) (string, error)
	// Show prints text, which ends with a line feed.
	Show(text string)
	// Page prints text that may be longer than the screen, so that it can be read from its beginning.
	Page(text string)
}

// ErrInterrupted is Ctrl-C at the prompt.
var ErrInterrupted = errors.New("interrupted")

// ReadOptions is what Read asks for.
type ReadOptions struct {
	Prompt, More string                 // More precedes the further lines of a block
	Unfinished   func(text string) bool // whether a block continues; nil: one line
	Complete     func(text string, at int) (from int, list []session.Candidate)
	IsAnswer     bool // to a question of a command: not part of the history
}

// Config is what a prompt needs.
type Config struct {
	Live          *session.Live
	Console       Console
	Stopped       func() bool // whether the user has asked to stop since the last call; nil: never
	AskChoices    bool        // choices are asked; otherwise made by default or by an earlier `answer`
	EchoQuestions bool        // prompts are not visible: questions are printed
	Diagnose      func(diag.List) string
	Help          func(topic string) (text string, known bool) // about a name of the rules
	SaveScript    func(path, text string) (warning string, err error)
	SaveTo        func(how string) (said string, err error)     // "" retries the file that failed, "off" stops saving, otherwise a new file
	WriteReplay   func(path string) (warning string, err error) // as a page to watch
	Files         func(begun string) []string                   // with that prefix
	Debugged      func() (s *build.Script, line int, err error) // the game so far as a script, and the line of its last command; nil: there is no debugger
	RulesetWith   func(name string) string                      // a ruleset not in play that has such a creature, or ""
	Bold          func(string) string
	Columns       func() int // the width of the screen; nil: the usual one
	Workers       int        // how many playouts :advise makes at a time; 0 for 1
	Board         Board
	JSON          io.Writer // gets events and replies, one per line, instead of the text output; nil: no JSON
	Greeting      string    // printed at the start
}

// Board shows the current state; each function may be nil.
type Board struct {
	Turn      func() string                    // a line, when the turn has changed
	Left      func() string                    // a line, when something has been done in it: what is left
	Status    func() string                    // all creatures, briefly
	Who       func(name string) (string, bool) // one creature, in full
	Inventory func(name string) string         // what a creature carries; "" is everybody
	Kept      func() string                    // what the game remembers, and where its story is
	Order     func() string                    // of the turns
	Map       func(mode, name string) (string, error)
	Log       func([]view.Line) string // lines of the transcript
}

// repl is a running prompt.
type repl struct {
	Config
	diceByHand  bool            // dice are asked for
	nextFaces   []int64         // the next faces, given in advance
	autoSides   map[string]bool // sides played by tactics
	playsFoes   bool            // in a story: the user also plays those whom the party meets
	inAutoTurn  bool            // a turn played by tactics is running
	marks       []mark
	shownMoment session.Moment // the turn shown last
	shownLeft   string         // what was last said to be left of the turn
	shownEnd    bool           // that the running fight is decided
	saveError   error          // why the last command could not be saved
	failed      bool           // the last command has changed nothing
	points      debugprompt.Points
	mistakes    int // the commands and questions that were refused or not understood
	quit        bool
}

// MistakesError says that some of the commands of a pipe were refused or not understood; all others were carried out.
type MistakesError struct{ Count int }

func (e *MistakesError) Error() string {
	if e.Count == 1 {
		return "1 command was refused or not understood"
	}
	return fmt.Sprintf("%d commands were refused or not understood", e.Count)
}

// Run leads the fight until the user leaves; a command that was unfinished at the end of the record is finished first.
// The error is that of the console, or of the recorder if the last command could not be saved; where nobody watches, in a
// pipe, also a *MistakesError. io.EOF is not an error.
func Run(c Config, a *Answerer, first *session.Reply, pending *session.Pending) error {
	t := &repl{Config: c, autoSides: map[string]bool{}}
	a.repl = t
	if c.Greeting != "" && c.JSON == nil {
		t.show(c.Greeting)
	}
	t.applySettings(t.Live.TableState())
	t.Live.OnTableState(t.settingsText)
	if err := t.showReply(first); err != nil {
		return err
	}
	if pending != nil {
		t.showLine("Resuming: %s", oneLine(pending.Text))
		t.inAutoTurn = pending.Text == autoTurnCommand
		if err := t.do(func() *session.Reply { return t.Live.Continue(pending) }); err != nil {
			return err
		}
	}
	for !t.quit {
		if err := t.playAutoTurns(); err != nil {
			return err
		}
		t.announceTurn()
		t.announceEnd()
		t.stopped() // discards what came while nothing was running
		text, err := t.Console.Read(ReadOptions{Prompt: t.promptText(), More: "  ... ", Unfinished: unfinished, Complete: t.complete})
		switch {
		case errors.Is(err, ErrInterrupted):
			continue
		case errors.Is(err, io.EOF):
			return t.outcome()
		case err != nil:
			return err
		}
		if err := t.runParts(partsOf(text)); err != nil {
			return err
		}
	}
	return t.outcome()
}

// outcome is the error with which the prompt ends.
func (t *repl) outcome() error {
	if t.saveError == nil && t.EchoQuestions && t.mistakes > 0 {
		return &MistakesError{t.mistakes}
	}
	return t.saveError
}

// runParts runs what was typed or pasted, until something fails.
func (t *repl) runParts(parts []string) error {
	for i, part := range parts {
		t.failed = false
		if err := t.reportSaveError(t.runLine(part)); err != nil || t.quit {
			return err
		}
		if rest := strings.Join(parts[i+1:], ""); t.failed && strings.TrimSpace(rest) != "" {
			t.showLine("What was pasted below that has not been run.")
			return nil
		}
	}
	return nil
}

// partsOf splits pasted lines where a colon command or a question stands among them, since those take one line. What
// lies between them is one command, as if it had been typed as a block.
func partsOf(text string) (parts []string) {
	block := ""
	for line := range strings.SplitSeq(text, "\n") {
		if begun := strings.TrimSpace(line); (strings.HasPrefix(begun, ":") || strings.HasPrefix(begun, "?")) && !parse.Unfinished(block) {
			parts = append(parts, block, line)
			block = ""
			continue
		}
		block += line + "\n"
	}
	return append(parts, block)
}

// unfinished reports whether more lines must follow. Questions and colon commands take one line.
func unfinished(text string) bool {
	line := strings.TrimSpace(text)
	return !strings.HasPrefix(line, ":") && !strings.HasPrefix(line, "?") && parse.Unfinished(text)
}

// promptText names the creature whose turn it is.
func (t *repl) promptText() string {
	if who := t.Live.Turn(); who != "" {
		return who + "> "
	}
	return "> "
}

// runLine runs what was typed.
func (t *repl) runLine(text string) error {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil
	case text[0] == ':':
		return t.runColonCommand(strings.TrimSpace(text[1:]))
	case text[0] == '?':
		t.answerQuestion(strings.TrimSpace(text[1:]))
		return nil
	}
	if command, ok := t.Live.ChoiceCommand(text, false); ok {
		text = command
	} else if t.lacksColon(text) {
		return t.runColonCommand(text)
	} else if command, ok := t.Live.ChoiceCommand(text, true); ok && !t.beginsStatement(text) {
		text = command
	}
	choosing, over, before, sides := t.Live.WaitsForChoice(), t.Live.Finished(), t.Live.Present(), t.Live.SideNames()
	var r *session.Reply
	near := ""
	err := t.do(func() *session.Reply {
		r = t.Live.Do(text)
		if choosing && len(r.Failures) > 0 && !isNoSuchChoice(r.Failures) {
			near = t.Live.NearestChoice(text)
		}
		if near != "" {
			r.Failures = diag.List{{Code: noSuchChoice, Message: "there is no choice " + text, Hint: "did you mean `" + near + "`?"}}
		} else if choosing && len(r.Failures) > 0 && !isNoSuchChoice(r.Failures) && t.foreignHint(text) == "" && !t.beginsStatement(text) {
			r.Failures = diag.List{{Code: noSuchChoice, Message: "no choice has the words " + text, Hint: "choose by number, or by a word of a label; `:look` shows the choices again"}}
		} else {
			r.Failures = t.improveHints(text, r.Failures)
		}
		return r
	})
	t.failed = !changedAnything(r)
	if !t.failed && !t.points.None() {
		t.debug(debugprompt.Start{})
	}
	switch {
	case len(r.Failures) > 0 && choosing && !isNoSuchChoice(r.Failures) && !strings.HasPrefix(r.Failures[0].Hint, "did you mean"):
		t.showLine("Choose by number or by the beginning of a label. `:look` shows the choices again.")
	case changedAnything(r) && !over && t.Live.Finished() && !t.EchoQuestions:
		t.showLine("`:undo` takes back your last choice, `:quit` leaves.")
	case changedAnything(r):
		t.doubtNewSide(sides)
		for _, name := range t.Live.Turnless() {
			if !slices.Contains(before, name) {
				t.showLine("%s gets no turn without a place in the order: `%s acts at NUMBER`, or what the rules have for it.", name, name)
			}
		}
	}
	return err
}

// beginsStatement reports whether a line begins like a statement of scripts, or is about a creature, so that it is not
// meant as the words of a choice.
func (t *repl) beginsStatement(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return strings.ContainsAny(text, ":=(){}.") || t.isStatement(word) || t.isProcedure(word) || t.creatureNamed(word) != ""
}

// doubtNewSide asks whether a new side was meant to be one of those before, whose name is similar.
func (t *repl) doubtNewSide(before []string) {
	for _, name := range t.Live.SideNames() {
		if near := words.Nearest(name, before); near != "" && !slices.Contains(before, name) {
			t.showLine("%s is a new side; if you meant %s, `:undo` takes it back.", name, near)
		}
	}
}

func isNoSuchChoice(list diag.List) bool { return list[0].Code == noSuchChoice }

// noSuchChoice is the code of the diagnostic about a choice that does not exist.
const noSuchChoice = "no-way"

// do runs a command. If nothing happened, the faces that it used are available again.
func (t *repl) do(command func() *session.Reply) error {
	faces := t.nextFaces
	r := command()
	if len(t.nextFaces) != len(faces) && !changedAnything(r) && !errors.Is(r.Err, session.ErrLeave) {
		t.nextFaces = faces
		if err := t.Live.SaveTable(); err != nil && r.Err == nil {
			r.Err = err
		}
	}
	return t.showReply(r)
}

func changedAnything(r *session.Reply) bool {
	return r.Err == nil && !r.Dropped && len(r.Failures) == 0
}

// showReply shows the result of a command.
func (t *repl) showReply(r *session.Reply) error {
	if changedAnything(r) {
		t.saveError = nil
	}
	if t.JSON != nil {
		t.showEvents(r)
	} else {
		t.show(r.Text)
	}
	switch {
	case errors.Is(r.Err, session.ErrLeave):
		t.showLine("Left with a question still open.")
	case r.Err != nil:
		if t.reportSaveError(r.Err) != nil { // about an answer
			t.showLine("Refused: %s", r.Err)
		}
	case r.Dropped:
		t.show("Dropped; nothing was done.\n")
	case len(r.Failures) > 0:
		t.mistakes++
		t.show(t.failureText(r.Failures))
	}
	if r.Warning != "" {
		t.showLine("%s", r.Warning)
	}
	return nil
}

// reportSaveError reports an error of saving: the command has not happened. Any other error it returns.
func (t *repl) reportSaveError(err error) error {
	unsaved := (*session.UnsavedError)(nil)
	if !errors.As(err, &unsaved) {
		return err
	}
	t.saveError = err
	t.showLine("Not saved, so not done: %s", unsaved)
	t.showLine("Try again, or: `:keep` reopens the file, `:keep FILE` starts another, `:keep off` stops saving.")
	return nil
}

// failureText says why nothing has happened.
func (t *repl) failureText(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		if strings.HasPrefix(d.Hint, "declare it") { // advice for authors of rules
			d.Hint = "Tab lists what there is"
		}
		if d.Code != "refused" && d.Code != noSuchChoice && (d.Code != "misplaced" || !t.Live.Story()) {
			b.WriteString(t.Diagnose(diag.List{d}))
			continue
		}
		why := strings.TrimPrefix(d.Message, "refused: ")
		if d.Hint != "" {
			why += " (" + d.Hint + ")"
		}
		b.WriteString("Refused: " + why + "\n")
	}
	return b.String()
}

// show prints text, unless the output is JSON.
func (t *repl) show(text string) {
	if text == "" || t.JSON != nil {
		return
	}
	t.Console.Show(text)
}

// page prints text that may be long, unless the output is JSON.
func (t *repl) page(text string) {
	if text != "" && t.JSON == nil {
		t.Console.Page(text)
	}
}

// showLine prints a line.
func (t *repl) showLine(format string, args ...any) {
	if t.JSON != nil {
		t.encode(map[string]string{"kind": "message", "text": fmt.Sprintf(format, args...)})
		return
	}
	t.show(fmt.Sprintf(format, args...) + "\n")
}

// stopped reports whether the user wants to stop the running command.
func (t *repl) stopped() bool { return t.Stopped != nil && t.Stopped() }

// announceTurn announces a new turn, and what is left of it after something has been done.
func (t *repl) announceTurn() {
	who, now := t.Live.Turn(), t.Live.Moment()
	if now == t.shownMoment {
		if who != "" && t.Board.Left != nil && t.JSON == nil {
			if left := t.Board.Left(); left != t.shownLeft {
				t.shownLeft = left
				t.show(left)
			}
		}
		return
	}
	if t.Board.Left != nil {
		t.shownLeft = t.Board.Left()
	}
	if t.shownMoment = now; who != "" && t.Board.Turn != nil && t.JSON == nil {
		t.show(t.Board.Turn())
	}
}

// announceEnd says that a fight is decided, when it has become so.
func (t *repl) announceEnd() {
	decided := t.Live.Turn() != "" && len(t.Live.Sides()) > 1 && t.Live.Decided()
	if decided && !t.shownEnd && t.JSON == nil {
		t.show("The fight is decided; `fight on` ends it.\n")
	}
	t.shownEnd = decided
}

// autoTurnCommand is the command that plays a turn by tactics.
const autoTurnCommand = "fight on for 1 turn"

// isAutoPlayed reports whether tactics play the turns of a side: one set to automatic, or one that the party of a story
// has met.
func (t *repl) isAutoPlayed(side string) bool {
	return t.autoSides[side] || !t.playsFoes && t.Live.KnowsSide(side)
}

// anyAutoPlayed reports whether tactics play for any side.
func (t *repl) anyAutoPlayed() bool { return slices.ContainsFunc(t.Live.Sides(), t.isAutoPlayed) }

// playAutoTurns plays the turns of the sides that tactics play.
func (t *repl) playAutoTurns() error {
	t.inAutoTurn = true
	defer func() { t.inAutoTurn = false }()
	idle, rounds := t.Live.Moment().Round, 0 // the last round in which a creature acted, and the rounds since
	for !t.quit && t.isAutoPlayed(t.Live.SideOf(t.Live.Turn())) && !t.Live.Decided() {
		var r *session.Reply
		if err := t.do(func() *session.Reply { r = t.Live.Do(autoTurnCommand); return r }); err != nil {
			return err
		}
		if now := t.Live.Moment().Round; slices.ContainsFunc(r.Events, func(e view.Event) bool { return e.Kind == "act" }) {
			idle = now
		} else {
			rounds = now - idle
		}
		if (!changedAnything(r) || rounds >= session.IdleRounds) && !t.quit {
			t.autoSides, t.playsFoes = map[string]bool{}, t.Live.Story()
			if rounds >= session.IdleRounds {
				t.showLine("Nobody has done anything for %d rounds.", session.IdleRounds)
			}
			t.showLine("No side is played by tactics any more; :auto SIDE turns it on again.")
		}
	}
	return nil
}

// --- JSON ----------------------------------------------------------------------------------------------

// noReply is the reply when there is nothing new.
var noReply = &session.Reply{}

// replyDocument is the last line for each command.
type replyDocument struct {
	Kind     string   `json:"kind"` // reply
	Done     bool     `json:"done"`
	Dropped  bool     `json:"dropped,omitempty"`
	Failures []string `json:"failures,omitempty"`
	Unsaved  string   `json:"unsaved,omitempty"` // why it could not be saved
	Hash     string   `json:"hash"`
}

func (t *repl) showEvents(r *session.Reply) {
	for i := range r.Events {
		t.encode(&r.Events[i])
	}
	d := replyDocument{Kind: "reply", Done: changedAnything(r), Dropped: r.Dropped, Hash: fmt.Sprintf("%016x", t.Live.Hash())}
	for _, f := range r.Failures {
		text := f.Message
		if f.Hint != "" {
			text += " (" + f.Hint + ")"
		}
		d.Failures = append(d.Failures, text)
	}
	if unsaved := (*session.UnsavedError)(nil); errors.As(r.Err, &unsaved) {
		d.Unsaved = unsaved.Error()
	}
	t.encode(d)
}

func (t *repl) encode(v any) {
	e := json.NewEncoder(t.JSON)
	e.SetEscapeHTML(false)
	e.Encode(v)
}
