package session

import (
	"errors"
	"fmt"
	"slices"
)

// This file undoes and redoes the commands of a live fight.

// Undo undoes the latest command and returns it, or nil if there is none.
func (l *Live) Undo() (*Command, error) {
	n := l.commands.done - 1
	if n < 0 {
		return nil, nil
	}
	d, err := l.commands.at(n)
	if err != nil {
		return nil, err
	}
	if err := l.put(Note{Kind: "undo"}); err != nil {
		return nil, err
	}
	return d, l.rewindTo(n)
}

// UndoTo undoes all but the first n commands.
func (l *Live) UndoTo(n int) error {
	back := l.commands.done - n
	if back == 0 {
		return nil
	}
	if err := l.put(slices.Repeat([]Note{{Kind: "undo"}}, back)...); err != nil {
		return err
	}
	return l.rewindTo(n)
}

// rewindTo goes back to the state after the first n commands.
func (l *Live) rewindTo(n int) error {
	l.p.restore(l.commands.back(n))
	for l.commands.done < n {
		d, err := l.commands.at(l.commands.done)
		if err != nil {
			return err
		}
		if err := l.rerun(d, recordAgain); err != nil {
			return err
		}
	}
	return nil
}

// rerun runs a past command again, with the same answers.
func (l *Live) rerun(d *Command, record record) error {
	was := *d
	out := l.execute(d, slices.Clone(d.Answers), record)
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

// Redo runs the command that was undone last, or returns nil if there is none. If it fails, nothing can be redone.
func (l *Live) Redo() (*Reply, error) {
	if l.commands.undone() == 0 {
		return nil, nil
	}
	d, err := l.commands.at(l.commands.done)
	if err != nil {
		return nil, err
	}
	if err := l.put(Note{Kind: "redo"}); err != nil {
		return nil, err
	}
	was := d.Hash
	out := l.execute(d, slices.Clone(d.Answers), recordAgain)
	if out.Err != nil || len(out.Failures) > 0 {
		return out, errors.Join(out.Err, l.commands.forgetUndone())
	}
	if d.Hash != was {
		return out, fmt.Errorf("%q has a different result than before", d.Text)
	}
	return out, nil
}

// Retry runs the command that was undone last and asks again for its last answer that was not seeded, or for its last
// die if all were.
func (l *Live) Retry() *Reply {
	d, err := l.commands.at(l.commands.done)
	if err != nil {
		return &Reply{Err: err}
	}
	feed, ok := withoutLatest(d.Answers)
	if !ok && len(d.Answers) > 0 {
		feed = slices.Clone(d.Answers[:len(d.Answers)-1])
	}
	return l.do(&Command{Text: d.Text}, feed, recordAll, true)
}

// Of the moments to go back to, the latest are kept, before these one of sparser, before these one of sparser squared
// and so on: their number grows with the logarithm of the length of the evening. In a large fight fewer are kept.
const (
	nearMoments = 64
	leastNear   = 4
	sparser     = 32
	nearBytes   = 64 << 20
)

// dropMoments drops moments that are unlikely to be needed. To go back to a dropped one, the commands after an earlier
// moment are run again.
func (l *Live) dropMoments() {
	near := min(max(leastNear, nearBytes/max(1, l.p.m.State().Bytes())), nearMoments)
	c := &l.commands
	c.moments = slices.DeleteFunc(c.moments, func(m moments) bool {
		span := 1
		for age := c.done - 1 - m.at; age >= near*span; {
			span *= sparser
		}
		return m.at%span != 0
	})
}
