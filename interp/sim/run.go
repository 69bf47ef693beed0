package sim

import (
	"fmt"
	"sync"
	"sync/atomic"

	"arbiter/interp/session"
)

// Options configures a simulation.
type Options struct {
	Seed       uint64
	From       uint64                // the number of the first fight
	Names      Names                 // joint numbers of the names of more casts than those that are played; the zero value: of these
	Fights     uint64                // how many to play
	Workers    int                   // at least 1
	Until      float64               // stop when the 95 % confidence interval of every side's win rate, or of its difference from the first rules, has at most this half-width; 0: never
	Stop       func() bool           // called by every worker between fights; nil: never stops
	OnProgress func(done, of uint64) // called after each fight, by several workers concurrently; nil: not called
	OnBatch    func(batch []*Arm)    // called with the counts of each Batch of fights, in their order; nil: not called
	Adjust     []session.Roll        // of RollsOf: adjust the estimates of the first variant for the luck of these

	// OnFight is called with the results of each fight under all rules, which it may not keep; nil: not called. Workers call
	// it concurrently.
	OnFight func(fight uint64, results func(rules int) *FightResult)
}

// Batch is the number of fights between checks of Options.Until.
const Batch = 1000

// FightError is the error of a fight that failed.
type FightError struct {
	Fight uint64
	Err   error
}

func (e *FightError) Error() string { return fmt.Sprintf("fight %d: %s", e.Fight, e.Err) }
func (e *FightError) Unwrap() error { return e.Err }

// Variant is a fight under particular rules.
type Variant struct {
	Rules       string   // their name; "" for the rules of the script
	AlreadyUsed bool     // the script is played by these rules in any case
	Without     []string // rulesets that these rules leave out
	Trials      *session.Trials
}

// Arm holds the counts of fights under particular rules.
type Arm struct {
	Rules       string        `json:"rules"`
	AlreadyUsed bool          `json:"alreadyUsed,omitempty"` // as in Variant
	Without     []string      `json:"without,omitempty"`
	Cast        *session.Cast `json:"cast"`
	Tally       *Tally        `json:"tally"`
	Pairs       *Pairs        `json:"pairs"` // compared with the same fights under the first rules; nil for those
}

// Compare plays each fight from the same initial state, with a seed of its own, under all of the rules, and returns the
// counts of those that were completed. It uses common random numbers: a die with the same name shows the same face
// under all rules. The casts share one numbering. The nth fight does not depend on the number of workers. The error is
// a *FightError for the first fight that failed.
func Compare(list []Variant, o Options) ([]*Arm, error) {
	c, err := newJob(list, o.Names)
	if err != nil {
		return nil, err
	}
	c.rolls = o.Adjust
	workers := make([]*worker, max(1, o.Workers))
	for i := range workers {
		if workers[i], err = c.worker(&o, i > 0); err != nil {
			return nil, err
		}
	}
	total := c.arms()
	for done := uint64(0); done < o.Fights; {
		batch := min(Batch*uint64(len(workers)), o.Fights-done)
		if o.Until > 0 || o.OnBatch != nil {
			batch = min(Batch, o.Fights-done)
		}
		var next atomic.Uint64
		next.Store(o.From + done)
		var wg sync.WaitGroup
		for _, w := range workers {
			wg.Go(func() { w.play(&next, o.From+done+batch, chunkFor(batch, len(workers))) })
		}
		wg.Wait()
		var failed *FightError
		stopped := false
		counted := c.arms()
		for _, w := range workers {
			if w.failed != nil && (failed == nil || w.failed.Fight < failed.Fight) {
				failed = w.failed
			}
			stopped = stopped || w.stopped
			for i, x := range w.arms {
				x.Tally.Marks = w.lanes[i].trials.Marks()
				counted[i].Add(x)
			}
			w.arms = c.arms()
		}
		for i, x := range counted {
			total[i].Add(x)
		}
		if failed != nil {
			return total, failed
		}
		if o.OnBatch != nil {
			o.OnBatch(counted)
		}
		done += batch
		if stopped || o.Until > 0 && Within(total, o.Until) {
			break
		}
	}
	return total, nil
}

// Add adds the counts of other fights of the same cast under the same rules.
func (a *Arm) Add(o *Arm) {
	a.Tally.Add(o.Tally)
	if a.Pairs != nil {
		a.Pairs.Add(o.Pairs)
	}
}

// Within reports whether the intervals of all win rates have at most this half-width; with several rules, those of
// their differences.
func Within(arms []*Arm, half float64) bool { return Widest(arms) <= 2*half }

// Widest returns the width of the widest of these intervals: as wide as it could be if what is true is anything within the
// interval. Otherwise a simulation would stop early just when little has happened by chance, and its intervals would miss
// what is true too often.
func Widest(arms []*Arm) (widest float64) {
	for i, a := range arms {
		for side, n := range a.Tally.Wins {
			f := Figure{Kind: Wins, Who: side}
			switch {
			case i > 0:
				widest = max(widest, widestChange(a.Pairs.Figures[f], a.Tally.Fights))
			case len(arms) == 1:
				widest = max(widest, a.Tally.widestRate(f, n))
			}
		}
	}
	return widest
}
