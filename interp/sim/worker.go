package sim

import (
	"fmt"
	"sync/atomic"

	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/stdlib/dice"
)

// This file plays one fight under several rules, one after the other with the same dice, and counts the results.

// job is the state shared by all workers.
type job struct {
	variants   []Variant
	casts      []*session.Cast // jointly numbered
	numberings []*numbering
	rolls      []session.Roll // whose luck is counted; nil: of none
	shared     [][]int32      // for each rules, the resources that both they and the first rules watch
	played     atomic.Uint64
}

func newJob(list []Variant, known Names) (*job, error) {
	c := &job{variants: list}
	var casts []*session.Cast
	for _, r := range list {
		casts = append(casts, r.Trials.Cast())
	}
	var err error
	if c.casts, c.numberings, err = joinCasts(casts, known); err != nil {
		return nil, err
	}
	for _, x := range c.casts {
		c.shared = append(c.shared, shared(c.casts[0], x))
	}
	return c, nil
}

// arms returns arms without counts.
func (j *job) arms() []*Arm {
	list := make([]*Arm, len(j.variants))
	for i, r := range j.variants {
		list[i] = &Arm{Rules: r.Rules, AlreadyUsed: r.AlreadyUsed, Without: r.Without, Cast: j.casts[i], Tally: newTally(j.casts[i])}
		if i > 0 {
			list[i].Pairs = newPairs(j.casts[i])
		} else if j.rolls != nil {
			list[i].Tally.Controls = newControls(j.casts[i], j.rolls)
		}
	}
	return list
}

// worker plays fights concurrently with others, each with its own states.
type worker struct {
	*job
	options *Options
	lanes   []lane
	arms    []*Arm
	surplus []int64 // of a fight, by roll
	stopped bool
	failed  *FightError
}

// lane is the state of a worker for one of the rules.
type lane struct {
	trials *session.Trials
	ledger *machine.Ledger
	result *FightResult
}

func (j *job) worker(o *Options, clone bool) (*worker, error) {
	w := &worker{job: j, options: o, arms: j.arms()}
	for i, r := range j.variants {
		t := r.Trials
		if clone {
			var err error
			if t, err = t.Clone(); err != nil {
				return nil, err
			}
		}
		w.lanes = append(w.lanes, lane{t, t.Ledger(), newFightResult(j.casts[i])})
	}
	return w, nil
}

// maxChunk limits how many fights a worker takes at a time. Taking several reduces contention; but if there are few, as of
// those in which creatures search for their best command, every worker should have some to the end.
const maxChunk = 8

// chunkFor returns how many of the fights each of the workers takes at a time.
func chunkFor(fights uint64, workers int) uint64 {
	return max(1, min(maxChunk, fights/uint64(4*workers)))
}

// play plays fights from next on before end, as long as there are any, a chunk at a time.
func (w *worker) play(next *atomic.Uint64, end, chunk uint64) {
	for w.failed == nil && !w.stopped {
		last := next.Add(chunk)
		first := last - chunk
		if first >= end {
			return
		}
		for n := first; n < min(last, end) && w.failed == nil; n++ {
			if w.options.Stop != nil && w.options.Stop() {
				w.stopped = true
				return
			}
			w.fight(n)
			if w.options.OnProgress != nil {
				w.options.OnProgress(w.played.Add(1), w.options.Fights)
			}
		}
	}
}

// fight plays a fight under all rules; if it fails under one of them, it counts under none.
func (w *worker) fight(n uint64) {
	seed := dice.FightSeed(w.options.Seed, n)
	for i := range w.lanes {
		s := &w.lanes[i]
		s.ledger.Entries = s.ledger.Entries[:0]
		o, err := s.trials.Fight(seed)
		if err != nil {
			if rules := w.variants[i].Rules; rules != "" {
				err = fmt.Errorf("with %s: %w", rules, err)
			}
			w.failed = &FightError{n, err}
			return
		}
		s.result.read(o, s.trials, s.ledger, w.numberings[i])
	}
	if w.rolls != nil {
		w.readControls(seed)
		w.arms[0].Tally.Controls.note(w.lanes[0].result, w.surplus)
	}
	for i := range w.lanes {
		w.arms[i].Tally.note(n, w.lanes[i].result)
		if i > 0 {
			w.arms[i].Pairs.note(w.lanes[0].result, w.lanes[i].result, w.shared[i])
		}
	}
	if w.options.OnFight != nil {
		w.options.OnFight(n, func(rules int) *FightResult { return w.lanes[rules].result })
	}
}

// readControls reads the luck of the fight that was just played by the first rules.
func (w *worker) readControls(seed uint64) {
	if w.surplus == nil {
		w.surplus = make([]int64, len(w.rolls))
	}
	clear(w.surplus)
	w.lanes[0].trials.Controls(seed, func(side int, label int32, _ uint32, surplus int64) {
		for i := range w.rolls {
			if w.rolls[i].Side == side && w.rolls[i].Label == label {
				w.surplus[i] += surplus
			}
		}
	})
}
