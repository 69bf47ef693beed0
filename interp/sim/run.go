package sim

import (
	"fmt"
	"sync"
	"sync/atomic"

	"arbiter/interp/session"
	"arbiter/stdlib/dice"
)

// Options of a simulation.
type Options struct {
	Seed    uint64
	From    uint64                                               // the first fight; 0
	Fights  uint64                                               // how many there are from it on
	Workers int                                                  // at least 1
	Until   float64                                              // it is enough when the half width of the interval of every side's rate is at most this; 0: never
	Stop    func() bool                                          // asked between fights by every worker; nil: nobody stops it
	Told    func(done, of uint64)                                // after a batch; nil: nobody listens
	Each    func(n uint64, o session.Outcome, t *session.Trials) // after each fight, of several workers at once; nil
}

// Batch is how many fights are played before it is asked whether they suffice.
const Batch = 1000

// Failed says in which fight it failed.
type Failed struct {
	Fight uint64
	Err   error
}

func (e *Failed) Error() string { return fmt.Sprintf("fight %d: %s", e.Fight, e.Err) }
func (e *Failed) Unwrap() error { return e.Err }

// Run plays fights, each from the same beginning with dice of its own, and gives what came of those that were played to their
// end. The nth fight is the same however many workers there are. The error is a *Failed, of the first fight that failed.
func Run(t *session.Trials, o Options) (*Tally, error) {
	workers := make([]*worker, max(1, o.Workers))
	for i := range workers {
		x := t
		if i > 0 {
			var err error
			if x, err = t.Clone(); err != nil {
				return nil, err
			}
		}
		workers[i] = &worker{t: x, o: &o, tally: NewTally(t.Cast())}
	}
	total := NewTally(t.Cast())
	for done := uint64(0); done < o.Fights; {
		batch := min(Batch*uint64(len(workers)), o.Fights-done)
		if o.Until > 0 {
			batch = min(Batch, o.Fights-done)
		}
		var next atomic.Uint64
		next.Store(o.From + done)
		var wg sync.WaitGroup
		for _, w := range workers {
			wg.Go(func() { w.play(&next, o.From+done+batch) })
		}
		wg.Wait()
		var failed *Failed
		stopped := false
		for _, w := range workers {
			if w.failed != nil && (failed == nil || w.failed.Fight < failed.Fight) {
				failed = w.failed
			}
			stopped = stopped || w.stopped
			total.Add(w.tally)
			w.tally = NewTally(t.Cast())
		}
		if failed != nil {
			return total, failed
		}
		if done += batch; o.Told != nil {
			o.Told(total.Fights, o.Fights)
		}
		if stopped || o.Until > 0 && total.within(o.Until) {
			break
		}
	}
	return total, nil
}

// within tells whether the rate of every side is known so well.
func (t *Tally) within(half float64) bool {
	for _, n := range t.Wins {
		if r := RateOf(n, t.Fights); r.High-r.Low > 2*half {
			return false
		}
	}
	return true
}

type worker struct {
	t       *session.Trials
	o       *Options
	tally   *Tally
	stopped bool
	failed  *Failed
}

// few fights are taken at a time, so that workers seldom meet.
const few = 8

func (w *worker) play(next *atomic.Uint64, end uint64) {
	l := w.t.Account()
	for w.failed == nil && !w.stopped {
		last := next.Add(few)
		first := last - few
		if first >= end {
			return
		}
		for n := first; n < min(last, end); n++ {
			if w.o.Stop != nil && w.o.Stop() {
				w.stopped = true
				return
			}
			l.Entries = l.Entries[:0]
			o, err := w.t.Fight(dice.FightSeed(w.o.Seed, n))
			if err != nil {
				w.failed = &Failed{n, err}
				return
			}
			w.tally.Note(n, o, w.t, l)
			if w.o.Each != nil {
				w.o.Each(n, o, w.t)
			}
		}
	}
}
