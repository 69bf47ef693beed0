package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file implements the record of a fight: what is recorded of each command before its output is shown, and how a
// fight is replayed from that.

// Recorder stores notes before the events they record are shown. An error drops the command.
type Recorder interface {
	Record(notes []Note) error
}

// UnsavedError is the error of a Recorder; what could not be stored has not happened.
type UnsavedError struct{ Err error }

func (e *UnsavedError) Error() string { return e.Err.Error() }
func (e *UnsavedError) Unwrap() error { return e.Err }

// Note is one entry of the record of a fight.
type Note struct {
	Kind string // do, die, choice, back, done, dropped, undo, redo, declare, with, table
	Text string
}

// recordProgress records the new answers of the running command, and at its end that it is done.
func (l *Live) recordProgress(done bool) error {
	var notes []Note
	if !l.startRecorded {
		notes = append(notes, Note{"do", l.current.Text})
	}
	for i := range l.current.Answers[l.recorded:] {
		notes = append(notes, l.current.Answers[l.recorded+i].note())
	}
	if done {
		notes = append(notes, Note{"done", fmt.Sprintf("%016x", l.current.Hash)})
	}
	if len(notes) == 0 {
		return nil
	}
	if err := l.put(notes...); err != nil {
		return err
	}
	if l.recorder != nil {
		l.startRecorded, l.recorded = true, len(l.current.Answers)
	}
	return nil
}

// put stores notes, all or none. It first adds a note if the record still contains an abandoned command, and last one
// of the table state if that has changed.
func (l *Live) put(notes ...Note) error {
	if l.recorder == nil {
		return nil
	}
	if l.stale {
		notes = append([]Note{{Kind: "dropped"}}, notes...)
	}
	aside := l.recordedTable
	if l.tableState != nil {
		if aside = l.tableState(); aside != l.recordedTable {
			notes = append(notes, Note{"table", aside})
		}
	}
	if len(notes) == 0 {
		return nil
	}
	if err := l.recorder.Record(notes); err != nil {
		return &UnsavedError{err}
	}
	l.stale, l.recordedTable = false, aside
	return nil
}

// OnTableState registers a function that returns the table state, for example how dice are rolled; the state is
// recorded whenever it changes.
func (l *Live) OnTableState(say func() string) { l.tableState = say }

// TableState returns the table state as recorded.
func (l *Live) TableState() string { return l.recordedTable }

// SaveTable records the table state immediately. An error is an *UnsavedError.
func (l *Live) SaveTable() error { return l.put() }

// Rewrite starts another record with everything done and undone so far, and continues with it. An error is an
// *UnsavedError; the old record then stays in use.
func (l *Live) Rewrite(k Recorder) error {
	var notes []Note
	write := func(d *Command) {
		notes = append(notes, Note{"do", d.Text})
		for i := range d.Answers {
			notes = append(notes, d.Answers[i].note())
		}
		notes = append(notes, Note{"done", fmt.Sprintf("%016x", d.Hash)})
	}
	for n := range l.commands.count() {
		d, err := l.commands.at(n)
		if err != nil {
			return &UnsavedError{err}
		}
		write(d)
	}
	for range l.commands.undone() {
		notes = append(notes, Note{Kind: "undo"})
	}
	if l.tableState != nil {
		l.recordedTable = l.tableState()
	}
	if l.recordedTable != "" {
		notes = append(notes, Note{"table", l.recordedTable})
	}
	if len(notes) > 0 {
		if err := k.Record(notes); err != nil {
			return &UnsavedError{err}
		}
	}
	l.recorder, l.stale = k, false
	return nil
}

// Script returns the text that the record begins with: the script, with all declarations made since.
func (l *Live) Script() string { return string(l.setup) }

// note returns the note of an answer.
func (a *Answer) note() Note {
	n := Note{Kind: "choice", Text: fmt.Sprintf("%s: %d", a.Address(), a.Value)}
	if a.Die {
		n.Kind = "die"
	}
	if a.Word != "" {
		n.Text += " " + a.Word
	}
	if a.Seeded {
		n.Text += automatic
	}
	return n
}

// automatic marks answers that were not given by anyone.
const automatic = " (by itself)"

// answer parses the note of an answer.
func (n *Note) answer() (Answer, bool) {
	g := Answer{Die: n.Kind == "die"}
	text, seeded := strings.CutSuffix(n.Text, automatic)
	g.Seeded = seeded
	address, value, ok := strings.Cut(text, ": ")
	if who, label, named := strings.Cut(address, " "); named {
		g.Who, g.Label = who, label
	} else {
		g.Label = address
	}
	number, word, _ := strings.Cut(value, " ")
	v, err := strconv.ParseInt(number, 10, 64)
	g.Value, g.Word = v, word
	return g, ok && err == nil && g.Label != ""
}

// Pending is a command that has asked something but is not done when its record ends.
type Pending struct {
	Text    string
	Answers []Answer
}

// Replay replays a record, in a fight that is in the state in which the record began. It returns the command that is
// not done at the end of the record, if there is one: see Continue. An error tells at which note the fight would
// diverge.
func (l *Live) Replay(notes []Note) (*Pending, error) {
	var open *Pending
	for i := range notes {
		n := &notes[i]
		if err := l.replay(n, &open); err != nil {
			return nil, fmt.Errorf("entry %d, %s %s: %w", i+1, n.Kind, n.Text, err)
		}
	}
	l.stale = open != nil
	return open, nil
}

func (l *Live) replay(n *Note, open **Pending) error {
	running := *open
	switch n.Kind {
	case "do":
		if running != nil {
			return fmt.Errorf("%q is not done yet", running.Text)
		}
		*open = &Pending{Text: n.Text}
		return nil
	case "table":
		l.recordedTable = n.Text
		return nil
	case "undo", "redo":
		if running != nil {
			return fmt.Errorf("%q is not done yet", running.Text)
		}
		return l.replayUndo(n.Kind)
	case "declare", "with":
		if running != nil {
			return fmt.Errorf("%q is not done yet", running.Text)
		}
		add := l.declare
		if n.Kind == "with" {
			add = l.addRuleset
		}
		if out := add(n.Text, recordNone); out.Err != nil {
			return out.Err
		} else if len(out.Failures) > 0 {
			return fmt.Errorf("%s", out.Failures[0].Message)
		}
		return nil
	case "die", "choice", "back", "done", "dropped":
		if running == nil {
			return fmt.Errorf("no command has been started")
		}
	default:
		return fmt.Errorf("there is no such kind of entry")
	}
	switch n.Kind {
	case "die", "choice":
		g, ok := n.answer()
		if !ok {
			return fmt.Errorf("this is not an answer")
		}
		running.Answers = append(running.Answers, g)
	case "back":
		to, err := strconv.Atoi(n.Text)
		if err != nil || to < 0 || to > len(running.Answers) {
			return fmt.Errorf("there are %d answers", len(running.Answers))
		}
		running.Answers = running.Answers[:to]
	case "dropped":
		*open = nil
	case "done":
		*open = nil
		hash, err := strconv.ParseUint(n.Text, 16, 64)
		if err != nil {
			return err
		}
		return l.replayCommand(&Command{Text: running.Text, Answers: running.Answers, Hash: hash})
	}
	return nil
}

// replayUndo replays an undo or a redo.
func (l *Live) replayUndo(kind string) error {
	recorder := l.recorder
	l.recorder = nil
	defer func() { l.recorder = recorder }()
	if kind == "undo" {
		d, err := l.Undo()
		if d == nil && err == nil {
			return fmt.Errorf("there is nothing to take back")
		}
		return err
	}
	out, err := l.Redo()
	if out == nil && err == nil {
		return fmt.Errorf("nothing has been taken back")
	}
	return err
}

// replayCommand replays a command.
func (l *Live) replayCommand(d *Command) error {
	asker := l.asker
	l.asker = nil
	defer func() { l.asker = asker }()
	if err := l.rerun(d, recordNone); err != nil {
		return err
	}
	if n := len(l.knownAnswers); n > 0 {
		return fmt.Errorf("%d of its answers are asked for no more", n)
	}
	return nil
}

// Continue continues a pending command: questions already answered are not asked again.
func (l *Live) Continue(p *Pending) *Reply {
	return l.do(&Command{Text: p.Text}, slices.Clone(p.Answers), recordRest, true)
}
