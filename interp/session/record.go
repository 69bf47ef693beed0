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

// Note is one entry of the record of a fight.
type Note struct {
	Kind string // do, die, choice, back, done, dropped, undo, redo, declare
	Text string
}

// keep keeps what the running command has come to, and at its end that it is done.
func (l *Live) keep(done bool) error {
	if l.keeper == nil {
		return nil
	}
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
	if err := l.keeper.Keep(notes); err != nil {
		return err
	}
	l.open, l.kept = true, len(l.deed.Given)
	return nil
}

func (l *Live) note(n Note) error {
	if l.keeper == nil {
		return nil
	}
	return l.keeper.Keep([]Note{n})
}

// note writes an answer down.
func (g *Given) note() Note {
	n := Note{Kind: "choice", Text: fmt.Sprintf("%s: %d", g.address(), g.Value)}
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
	d := &Deed{Text: p.Text}
	out := l.carryOut(d, slices.Clone(p.Given), goingOn)
	if d.before != nil {
		l.undone = nil
	}
	return out
}
