// Package repl leads a fight from a prompt: it reads commands, carries them out, asks what they ask, and shows what came of
// them. Besides the statements of scripts it knows commands of its own, behind a colon, and questions, behind a question
// mark.
//
// It must never know a terminal (that is Console's), a rule (that is the rulesets'), or a file (who keeps the session is told
// by session.Live).
package repl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// Console is where somebody types.
type Console interface {
	// Read gives the next line or block. io.EOF is the end, ErrInterrupted drops what has been typed.
	Read(a Ask) (string, error)
	// Show prints text, which ends its lines.
	Show(text string)
}

// ErrInterrupted is Ctrl-C at the prompt.
var ErrInterrupted = errors.New("interrupted")

// Ask is what is read.
type Ask struct {
	Prompt, More string                 // More stands before the further lines of a block
	Unfinished   func(text string) bool // whether a block goes on; nil: one line
	Complete     func(text string, at int) (from int, list []session.Candidate)
	Answer       bool // to a question of a command: it does not belong into the history
}

// Config is what a prompt works with.
type Config struct {
	Live     *session.Live
	Console  Console
	Stopped  func() bool // whether somebody has asked to stop since this was last asked; nil: nobody can
	Asks     bool        // choices are asked; else they are made by default, or as `answer` said before
	Blind    bool        // nobody sees prompts: questions are shown
	Diagnose func(diag.List) string
	Help     func(topic string) (text string, known bool) // on a definition of the rules
	Save     func(path, text string) (warning string, err error)
	Keep     func(how string) (said string, err error) // "" keeps on in the file that failed, "off" nowhere, else in a new file
	Files    func(begun string) []string               // whose paths begin so
	Bold     func(string) string
	Board    Board
	JSON     io.Writer // events and replies, a line each, instead of what is shown; nil: none
	Greeting string    // what to say at the beginning
}

// Board shows what is true now; each may be nil.
type Board struct {
	Turn   func() string                    // a line, when the turn has changed
	Status func() string                    // everybody, briefly
	Who    func(name string) (string, bool) // somebody, fully
	Order  func() string                    // of the turns
	Map    func(mode, name string) (string, error)
	Log    func(n int) string // the last lines of the transcript
}

// table is a running prompt.
type table struct {
	Config
	byHand bool            // dice are asked for
	faces  []int64         // that fall next, said beforehand
	auto   map[string]bool // sides that tactics play
	byUs   bool            // in a story: nobody plays whom the party meets but those at the prompt
	turns  bool            // a turn that tactics play runs
	marks  []mark
	moment session.Moment // the turn that was last shown
	unkept error          // why the last command could not be kept
	left   bool
}

// Run leads the fight until somebody leaves; a command that had been begun when its record ended goes on first. The error
// is that of the console, or of the keeper if the last command could not be kept; io.EOF is none.
func Run(c Config, a *Answerer, first *session.Reply, open *session.Pending) error {
	t := &table{Config: c, auto: map[string]bool{}}
	a.t = t
	if c.Greeting != "" && c.JSON == nil {
		t.show(c.Greeting)
	}
	t.set(t.Live.Aside())
	t.Live.Beside(t.setting)
	if err := t.reply(first); err != nil {
		return err
	}
	if open != nil {
		t.say("Resuming: %s", oneLine(open.Text))
		t.turns = open.Text == byTactics
		if err := t.do(func() *session.Reply { return t.Live.GoOn(open) }); err != nil {
			return err
		}
	}
	for !t.left {
		if err := t.tactics(); err != nil {
			return err
		}
		t.turn()
		t.stopped() // what was asked while nothing ran
		text, err := t.Console.Read(Ask{Prompt: t.prompt(), More: "  ... ", Unfinished: unfinished, Complete: t.complete})
		switch {
		case errors.Is(err, ErrInterrupted):
			continue
		case errors.Is(err, io.EOF):
			return t.unkept
		case err != nil:
			return err
		}
		if err := t.told(t.line(text)); err != nil {
			return err
		}
	}
	return t.unkept
}

// unfinished tells whether more lines belong to what has been typed. A question, and a command to the table, is one line.
func unfinished(text string) bool {
	line := strings.TrimSpace(text)
	return !strings.HasPrefix(line, ":") && !strings.HasPrefix(line, "?") && parse.Unfinished(text)
}

// prompt says whose turn it is.
func (t *table) prompt() string {
	if who := t.Live.Turn(); who != "" {
		return who + "> "
	}
	return "> "
}

// line carries out what was typed.
func (t *table) line(text string) error {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil
	case text[0] == ':':
		return t.command(strings.TrimSpace(text[1:]))
	case text[0] == '?':
		t.question(strings.TrimSpace(text[1:]))
		return nil
	}
	if command, ok := t.Live.Way(text); ok {
		text = command
	}
	choosing, over := t.Live.Choosing(), t.Live.Finished()
	var r *session.Reply
	err := t.do(func() *session.Reply { r = t.Live.Do(text); t.advise(text, r.Failures); return r })
	switch {
	case len(r.Failures) > 0 && choosing && !isNoWay(r.Failures):
		t.say("Choose by number or by the beginning of a label. `:look` shows the choices again.")
	case happened(r) && !over && t.Live.Finished() && !t.Blind:
		t.say("`:undo` takes back your last choice, `:quit` leaves.")
	}
	return err
}

func isNoWay(list diag.List) bool { return list[0].Code == noWay }

// noWay is the code of what is said of a way that is not there.
const noWay = "no-way"

// do carries something out. Faces that were said beforehand for what has not happened fall next again.
func (t *table) do(command func() *session.Reply) error {
	faces := t.faces
	r := command()
	if len(t.faces) != len(faces) && !happened(r) && !errors.Is(r.Err, session.ErrLeave) {
		t.faces = faces
		if err := t.Live.KeepAside(); err != nil && r.Err == nil {
			r.Err = err
		}
	}
	return t.reply(r)
}

func happened(r *session.Reply) bool { return r.Err == nil && !r.Dropped && len(r.Failures) == 0 }

// reply shows what came of a command.
func (t *table) reply(r *session.Reply) error {
	if happened(r) {
		t.unkept = nil
	}
	if t.JSON != nil {
		t.events(r)
	} else {
		t.show(r.Text)
	}
	switch {
	case errors.Is(r.Err, session.ErrLeave):
		t.say("Left with a question still open.")
	case r.Err != nil:
		if t.told(r.Err) != nil { // it is of an answer
			t.say("Refused: %s", r.Err)
		}
	case r.Dropped:
		t.show("Dropped; nothing was done.\n")
	case len(r.Failures) > 0:
		t.show(t.failed(r.Failures))
	}
	return nil
}

// told says of what could not be kept that it has not happened. Any other error it gives back.
func (t *table) told(err error) error {
	unkept := (*session.Unkept)(nil)
	if !errors.As(err, &unkept) {
		return err
	}
	t.unkept = err
	t.say("Not saved, so not done: %s", unkept)
	t.say("Try again, or: `:keep` reopens the file, `:keep FILE` starts another, `:keep off` stops saving.")
	return nil
}

// failed says why nothing has happened.
func (t *table) failed(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		if d.Code != "refused" && d.Code != noWay && (d.Code != "misplaced" || !t.Live.Story()) {
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

// show prints text, where people read.
func (t *table) show(text string) {
	if text == "" || t.JSON != nil {
		return
	}
	t.Console.Show(text)
}

// say prints a line.
func (t *table) say(format string, args ...any) {
	if t.JSON != nil {
		t.encode(map[string]string{"kind": "message", "text": fmt.Sprintf(format, args...)})
		return
	}
	t.show(fmt.Sprintf(format, args...) + "\n")
}

// stopped tells whether somebody wants the running command to be left.
func (t *table) stopped() bool { return t.Stopped != nil && t.Stopped() }

// turn says whose turn it is when another one has begun.
func (t *table) turn() {
	who, now := t.Live.Turn(), t.Live.Moment()
	if now == t.moment {
		return
	}
	if t.moment = now; who != "" && t.Board.Turn != nil && t.JSON == nil {
		t.show(t.Board.Turn())
	}
}

// byTactics is the command that plays the turn of somebody whom nobody leads.
const byTactics = "fight on for 1 turn"

// played tells whether tactics play the turns of a side: of those that were named, and of whomever the party of a story meets.
func (t *table) played(side string) bool {
	return t.auto[side] || !t.byUs && t.Live.Met(side)
}

// somePlayed tells whether tactics play for anybody.
func (t *table) somePlayed() bool { return slices.ContainsFunc(t.Live.Sides(), t.played) }

// tactics plays the turns of the sides that nobody leads.
func (t *table) tactics() error {
	t.turns = true
	defer func() { t.turns = false }()
	idle, rounds := t.Live.Moment().Round, 0 // since when nobody has done anything, and for how long
	for !t.left && t.played(t.Live.SideOf(t.Live.Turn())) && !t.Live.Decided() {
		var r *session.Reply
		if err := t.do(func() *session.Reply { r = t.Live.Do(byTactics); return r }); err != nil {
			return err
		}
		if now := t.Live.Moment().Round; slices.ContainsFunc(r.Events, func(e session.Event) bool { return e.Kind == "act" }) {
			idle = now
		} else {
			rounds = now - idle
		}
		if (!happened(r) || rounds >= session.IdleRounds) && !t.left {
			t.auto, t.byUs = map[string]bool{}, t.Live.Story()
			if rounds >= session.IdleRounds {
				t.say("Nobody has done anything for %d rounds.", session.IdleRounds)
			}
			t.say("No side is played by tactics any more; :auto SIDE turns it on again.")
		}
	}
	return nil
}

// --- JSON ----------------------------------------------------------------------------------------------

// noReply is that of what brings nothing new about.
var noReply = &session.Reply{}

// replyDocument ends the lines of each command.
type replyDocument struct {
	Kind     string   `json:"kind"` // reply
	Done     bool     `json:"done"`
	Dropped  bool     `json:"dropped,omitempty"`
	Failures []string `json:"failures,omitempty"`
	Unkept   string   `json:"unkept,omitempty"` // why it could not be kept
	Hash     string   `json:"hash"`
}

func (t *table) events(r *session.Reply) {
	for i := range r.Events {
		t.encode(&r.Events[i])
	}
	d := replyDocument{Kind: "reply", Done: happened(r), Dropped: r.Dropped, Hash: fmt.Sprintf("%016x", t.Live.Hash())}
	for _, f := range r.Failures {
		text := f.Message
		if f.Hint != "" {
			text += " (" + f.Hint + ")"
		}
		d.Failures = append(d.Failures, text)
	}
	if unkept := (*session.Unkept)(nil); errors.As(r.Err, &unkept) {
		d.Unkept = unkept.Error()
	}
	t.encode(d)
}

func (t *table) encode(v any) {
	e := json.NewEncoder(t.JSON)
	e.SetEscapeHTML(false)
	e.Encode(v)
}
