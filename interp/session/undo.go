package session

import (
	"fmt"
	"slices"
)

// This file undoes and redoes the commands of a live fight.

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
	for i, d := range l.done {
		span := 1
		for age := len(l.done) - 1 - i; age >= near*span; {
			span *= sparser
		}
		if i%span != 0 {
			d.before = nil
		}
	}
}
