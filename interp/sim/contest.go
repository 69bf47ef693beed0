package sim

import (
	"fmt"
	"sync/atomic"

	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/stdlib/dice"
)

// This file plays one fight under several rules, one after the other with the same dice, and counts the results.

// contest is the state shared by all workers.
type contest struct {
	list   []Ruled
	casts  []*session.Cast // jointly numbered
	as     []*numbers
	shared [][]int32 // for each rules, the resources that both they and the first rules watch
	played atomic.Uint64
}

func newContest(list []Ruled) (*contest, error) {
	c := &contest{list: list}
	var casts []*session.Cast
	for _, r := range list {
		casts = append(casts, r.Trials.Cast())
	}
	var err error
	if c.casts, c.as, err = join(casts); err != nil {
		return nil, err
	}
	for _, x := range c.casts {
		c.shared = append(c.shared, shared(c.casts[0], x))
	}
	return c, nil
}

// arms returns arms without counts.
func (c *contest) arms() []*Arm {
	list := make([]*Arm, len(c.list))
	for i, r := range c.list {
		list[i] = &Arm{Rules: r.Rules, Cast: c.casts[i], Tally: NewTally(c.casts[i])}
		if i > 0 {
			list[i].Pairs = NewPairs(c.casts[i])
		}
	}
	return list
}

// worker plays fights concurrently with others, each with its own states.
type worker struct {
	*contest
	o       *Options
	seats   []seat
	arms    []*Arm
	stopped bool
	failed  *Failed
}

// seat is the state of a worker for one of the rules.
type seat struct {
	t      *session.Trials
	l      *machine.Ledger
	fought *Fought
}

func (c *contest) worker(o *Options, clone bool) (*worker, error) {
	w := &worker{contest: c, o: o, arms: c.arms()}
	for i, r := range c.list {
		t := r.Trials
		if clone {
			var err error
			if t, err = t.Clone(); err != nil {
				return nil, err
			}
		}
		w.seats = append(w.seats, seat{t, t.Account(), newFought(c.casts[i])})
	}
	return w, nil
}

// few is how many fights a worker takes at a time, to reduce contention.
const few = 8

func (w *worker) play(next *atomic.Uint64, end uint64) {
	for w.failed == nil && !w.stopped {
		last := next.Add(few)
		first := last - few
		if first >= end {
			return
		}
		for n := first; n < min(last, end) && w.failed == nil; n++ {
			if w.o.Stop != nil && w.o.Stop() {
				w.stopped = true
				return
			}
			w.fight(n)
			if w.o.Told != nil {
				w.o.Told(w.played.Add(1), w.o.Fights)
			}
		}
	}
}

// fight plays a fight under all rules; if it fails under one of them, it counts under none.
func (w *worker) fight(n uint64) {
	seed := dice.FightSeed(w.o.Seed, n)
	for i := range w.seats {
		s := &w.seats[i]
		s.l.Entries = s.l.Entries[:0]
		o, err := s.t.Fight(seed)
		if err != nil {
			if rules := w.list[i].Rules; rules != "" {
				err = fmt.Errorf("with %s: %w", rules, err)
			}
			w.failed = &Failed{n, err}
			return
		}
		s.fought.read(o, s.t, s.l, w.as[i])
	}
	for i := range w.seats {
		w.arms[i].Tally.Note(n, w.seats[i].fought)
		if i > 0 {
			w.arms[i].Pairs.note(w.seats[0].fought, w.seats[i].fought, w.shared[i])
		}
	}
}
