package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file is the record of a fight: what is written down of each command before it is shown, and how a fight is played
// again from it.

// Keeper keeps what happens before it is shown. An error drops the command.
type Keeper interface {
	Keep(notes []Note) error
}

// Unkept says that something could not be kept: then it has not happened.
type Unkept struct{ Err error }

func (e *Unkept) Error() string { return e.Err.Error() }
func (e *Unkept) Unwrap() error { return e.Err }

// Note is one entry of the record of a fight.
type Note struct {
	Kind string // do, die, choice, back, done, dropped, undo, redo, declare, table
	Text string
}

// keep keeps what the running command has come to, and at its end that it is done.
func (l *Live) keep(done bool) error {
	var notes []Note
	if !l.open {
		notes = append(notes, Note{"do", l.deed.Text})
	}
	for i := range l.deed.Given[l.kept:] {
		notes = append(notes, l.deed.Given[l.kept+i].note())
	}
	if done {
		notes = append(notes, Note{"done", fmt.Sprintf("%016x", l.deed.Hash)})
	}
	if len(notes) == 0 {
		return nil
	}
	if err := l.put(notes...); err != nil {
		return err
	}
	if l.keeper != nil {
		l.open, l.kept = true, len(l.deed.Given)
	}
	return nil
}

// put has notes kept, all or none. Before them it says that a command was left which the record still holds to be running,
// behind them what stands beside the fight, when that has changed.
func (l *Live) put(notes ...Note) error {
	if l.keeper == nil {
		return nil
	}
	if l.stale {
		notes = append([]Note{{Kind: "dropped"}}, notes...)
	}
	aside := l.aside
	if l.beside != nil {
		if aside = l.beside(); aside != l.aside {
			notes = append(notes, Note{"table", aside})
		}
	}
	if len(notes) == 0 {
		return nil
	}
	if err := l.keeper.Keep(notes); err != nil {
		return &Unkept{err}
	}
	l.stale, l.aside = false, aside
	return nil
}

// Beside has something kept beside the fight, whenever it is no more what it was: how the table throws its dice, say.
func (l *Live) Beside(say func() string) { l.beside = say }

// Aside is what stands beside the fight in its record.
func (l *Live) Aside() string { return l.aside }

// KeepAside keeps it at once. An error is an *Unkept.
func (l *Live) KeepAside() error { return l.put() }

// Rewrite begins another record with whatever has been done, and taken back, and goes on with that one. An error is an
// *Unkept; then the old one goes on.
func (l *Live) Rewrite(k Keeper) error {
	var notes []Note
	write := func(d *Deed) {
		notes = append(notes, Note{"do", d.Text})
		for i := range d.Given {
			notes = append(notes, d.Given[i].note())
		}
		notes = append(notes, Note{"done", fmt.Sprintf("%016x", d.Hash)})
	}
	for _, d := range l.done {
		write(d)
	}
	for _, d := range slices.Backward(l.undone) {
		write(d)
	}
	for range l.undone {
		notes = append(notes, Note{Kind: "undo"})
	}
	if l.beside != nil {
		l.aside = l.beside()
	}
	if l.aside != "" {
		notes = append(notes, Note{"table", l.aside})
	}
	if len(notes) > 0 {
		if err := k.Keep(notes); err != nil {
			return &Unkept{err}
		}
	}
	l.keeper, l.stale = k, false
	return nil
}

// Script is the text that the record begins with: that of the script, with what has been declared since.
func (l *Live) Script() string { return string(l.setup) }

// note writes an answer down.
func (g *Given) note() Note {
	n := Note{Kind: "choice", Text: fmt.Sprintf("%s: %d", g.Address(), g.Value)}
	if g.Die {
		n.Kind = "die"
	}
	if g.Word != "" {
		n.Text += " " + g.Word
	}
	if g.Seeded {
		n.Text += byItself
	}
	return n
}

// byItself stands behind an answer that nobody gave.
const byItself = " (by itself)"

// given reads an answer that was written down.
func (n *Note) given() (Given, bool) {
	g := Given{Die: n.Kind == "die"}
	text, seeded := strings.CutSuffix(n.Text, byItself)
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

// Pending is a command that had been begun, and asked something, when its record ends.
type Pending struct {
	Text  string
	Given []Given
}

// Replay does again what was written down, in a fight that is where it was when the record began. A command that is not
// done at the end of the record is given back: see GoOn. An error says at which note the fight would go another way.
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
		l.aside = n.Text
		return nil
	case "undo", "redo":
		if running != nil {
			return fmt.Errorf("%q is not done yet", running.Text)
		}
		return l.backOrForth(n.Kind)
	case "declare":
		if running != nil {
			return fmt.Errorf("%q is not done yet", running.Text)
		}
		if out := l.declare(n.Text, repeating); out.Err != nil {
			return out.Err
		} else if len(out.Failures) > 0 {
			return fmt.Errorf("%s", out.Failures[0].Message)
		}
		return nil
	case "die", "choice", "back", "done", "dropped":
		if running == nil {
			return fmt.Errorf("no command has been begun")
		}
	default:
		return fmt.Errorf("there is no such kind of entry")
	}
	switch n.Kind {
	case "die", "choice":
		g, ok := n.given()
		if !ok {
			return fmt.Errorf("this is no answer")
		}
		running.Given = append(running.Given, g)
	case "back":
		to, err := strconv.Atoi(n.Text)
		if err != nil || to < 0 || to > len(running.Given) {
			return fmt.Errorf("there are %d answers", len(running.Given))
		}
		running.Given = running.Given[:to]
	case "dropped":
		*open = nil
	case "done":
		*open = nil
		hash, err := strconv.ParseUint(n.Text, 16, 64)
		if err != nil {
			return err
		}
		return l.again(&Deed{Text: running.Text, Given: running.Given, Hash: hash})
	}
	return nil
}

// backOrForth takes back or does again, as it was written down.
func (l *Live) backOrForth(kind string) error {
	keeper := l.keeper
	l.keeper = nil
	defer func() { l.keeper = keeper }()
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

// again does a deed that was written down.
func (l *Live) again(d *Deed) error {
	asker := l.asker
	l.asker = nil
	defer func() { l.asker = asker }()
	if err := l.repeat(d); err != nil {
		return err
	}
	if n := len(l.feed); n > 0 {
		return fmt.Errorf("%d of its answers are asked for no more", n)
	}
	l.undone = nil
	return nil
}

// GoOn goes on with a command that had been begun: what was answered is not asked again.
func (l *Live) GoOn(p *Pending) *Reply {
	return l.do(&Deed{Text: p.Text}, slices.Clone(p.Given), goingOn, true)
}
