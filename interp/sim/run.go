package sim

import (
	"fmt"
	"sync"
	"sync/atomic"

	"arbiter/interp/session"
)

// Options of a simulation.
type Options struct {
	Seed    uint64
	From    uint64                // the first fight; 0
	Fights  uint64                // how many there are from it on
	Workers int                   // at least 1
	Until   float64               // it is enough when the half width of the interval of every side's rate is at most this, or of its difference from the first rules; 0: never
	Stop    func() bool           // asked between fights by every worker; nil: nobody stops it
	Told    func(done, of uint64) // after each fight, of several workers at once; nil: nobody listens
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

// Ruled is a fight under some rules.
type Ruled struct {
	Rules  string // what they are called; "" are those of the script
	Trials *session.Trials
}

// Arm is what came of fights under some rules.
type Arm struct {
	Rules string        `json:"rules"`
	Cast  *session.Cast `json:"cast"`
	Tally *Tally        `json:"tally"`
	Pairs *Pairs        `json:"pairs"` // with the same fights under the first rules; nil for those
}

// Compare plays fights, each from the same beginning with dice of its own, under all of the rules, and gives what came of those
// that were played to their end. Under all of them a die that has the same name shows the same face, and the casts have common
// numbers. The nth fight is the same however many workers there are. The error is a *Failed, of the first fight that failed.
func Compare(list []Ruled, o Options) ([]*Arm, error) {
	c, err := newContest(list)
	if err != nil {
		return nil, err
	}
	workers := make([]*worker, max(1, o.Workers))
	for i := range workers {
		if workers[i], err = c.worker(&o, i > 0); err != nil {
			return nil, err
		}
	}
	total := c.arms()
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
			for i, x := range w.arms {
				total[i].Add(x)
			}
			w.arms = c.arms()
		}
		if failed != nil {
			return total, failed
		}
		done += batch
		if stopped || o.Until > 0 && Within(total, o.Until) {
			break
		}
	}
	return total, nil
}

// Add takes in what came of other fights of the same cast under the same rules.
func (a *Arm) Add(o *Arm) {
	a.Tally.Add(o.Tally)
	if a.Pairs != nil {
		a.Pairs.Add(o.Pairs)
	}
}

// Within tells whether the rate of every side is known so well; of several rules, by how much it differs.
func Within(arms []*Arm, half float64) bool {
	for i, a := range arms {
		for side, n := range a.Tally.Wins {
			r := RateOf(n, a.Tally.Fights)
			switch {
			case i > 0:
				r = ShiftOf(a.Pairs.Figures[Figure{Kind: Wins, Who: side}], a.Tally.Fights)
			case len(arms) > 1:
				continue
			}
			if r.High-r.Low > 2*half {
				return false
			}
		}
	}
	return true
}
