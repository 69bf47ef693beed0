// Package day plays stories with several fights many times, and measures what each fight costs the party, how far it gets,
// and with what left.
//
// A day is a playthrough of an adventure: one that somebody has written, or one that is composed of encounters with
// something in between (compose.go). The state of the party is carried from fight to fight by the session that plays it.
//
// It must never know what a resource means, nor what a rest is: the rules of the story say it.
package day

import (
	"sync"
	"sync/atomic"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// Options configures a measurement.
type Options struct {
	Seed       uint64
	Days       uint64
	Workers    int                     // at least 1; the result does not depend on it
	Pick       session.Pick            // chooses among open ways, called concurrently; nil: at random
	Stop       func() bool             // called between days; nil: never stops
	OnProgress func(done, days uint64) // called after each batch; nil: not called
}

// Error is a mistake that stopped a day.
type Error struct {
	diag.Diagnostic
	Day, Seed uint64 // the seed is that of its playthrough
}

func (e *Error) Error() string { return e.Diagnostic.String() }

// Sort tells two sorts of resources apart, of those of which members of the party begin with all: those that decide who is
// defeated, and the others, which are uses. Sorts is how many sorts there are.
type Sort int

const (
	Decisive Sort = iota
	Uses
	Sorts
)

// left is which share of each sort the party has, of all that it began the day with.
type left [Sorts]float64

// fought is one fight of one day.
type fought struct {
	battle        int32
	end           session.FightEnd
	rounds        int
	before, after left
	regained      left // since the fight before it, or the beginning
	fell          []int
}

// played is one day.
type played struct {
	done    bool
	failed  *diag.Diagnostic
	seed    uint64
	ending  int32
	fights  []fought
	left    left
	amounts []int64
	down    []bool
}

// batch is how many days are played between two looks, by each worker.
const batch = 250

// Play plays the days of a story. The error is an *Error for the first day that a mistake stopped.
func Play(s *build.Script, o Options) (*Tally, error) {
	walkers := make([]*session.StoryWalker, max(1, o.Workers))
	for i := range walkers {
		w, err := session.NewStoryWalker(s, session.Options{})
		if err != nil {
			return nil, err
		}
		w.Watch()
		walkers[i] = w
	}
	t := newTally(s.Story, walkers[0])
	for t.Days < o.Days {
		n := min(batch*uint64(len(walkers)), o.Days-t.Days)
		list := make([]played, n)
		from := t.Days
		var next atomic.Uint64
		var stopped atomic.Bool
		var all sync.WaitGroup
		for _, w := range walkers {
			all.Go(func() {
				for !stopped.Load() {
					if o.Stop != nil && o.Stop() {
						stopped.Store(true)
						return
					}
					at := next.Add(1) - 1
					if at >= n {
						return
					}
					list[at] = t.play(w, dice.FightSeed(o.Seed, from+at), o.Pick)
				}
			})
		}
		all.Wait()
		for i := range list { // in their order, so that the number of workers makes no difference
			if x := &list[i]; x.failed != nil {
				return nil, &Error{*x.failed, from + uint64(i), x.seed}
			}
			if !list[i].done {
				return t, nil // what was played after it does not count
			}
			t.add(&list[i])
		}
		if o.OnProgress != nil {
			o.OnProgress(t.Days, o.Days)
		}
	}
	return t, nil
}

// play plays one day.
func (t *Tally) play(w *session.StoryWalker, seed uint64, pick session.Pick) played {
	result := w.Play(seed, pick)
	x := played{done: true, seed: seed, ending: result.Ending}
	if result.Failure != nil {
		failure := *result.Failure
		x.failed = &failure
		return x
	}
	var now session.PartyState
	w.Now(&now)
	x.left, x.amounts, x.down = t.share(&now), now.Amounts, now.Down
	had := left{1, 1}
	for _, f := range w.Fights() {
		y := fought{battle: f.Battle, end: f.End, rounds: f.Rounds, before: t.share(&f.Before), after: t.share(&f.After)}
		for k := range y.regained {
			y.regained[k] = y.before[k] - had[k]
		}
		for i := range f.After.Down {
			if f.After.Down[i] && !f.Before.Down[i] {
				y.fell = append(y.fell, i)
			}
		}
		had = y.after
		x.fights = append(x.fights, y)
	}
	return x
}

// share is what the party has of what it began with. More than that, or less than nothing, does not count.
func (t *Tally) share(s *session.PartyState) (x left) {
	for i, b := range t.Begins {
		x[t.sortOf(i)] += float64(min(max(0, s.Amounts[i]), b.Amount))
	}
	for k := range x {
		if t.had[k] > 0 {
			x[k] /= t.had[k]
		}
	}
	return x
}

func (t *Tally) sortOf(i int) Sort {
	if t.Begins[i].Decides {
		return Decisive
	}
	return Uses
}
