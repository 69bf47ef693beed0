package odds

import "arbiter/interp/machine"

// This file is about several commands in a row, whole rounds, and a fight to its end: after each step of a series,
// branches that have reached the same state are one again, so that what grows is the number of states and not that of
// ways.

// Series is what is done one after the other, and again in each of Options.Rounds.
type Series struct {
	Steps  []Step
	rounds int
}

// Step begins one step of a series in the current state of the machine, and says how the series goes on after it. tries
// is how often the step has begun before and was to begin again. If it is refused, nothing happens, and the series goes
// on.
type Step func(round, tries int) (machine.Result, Onward)

// Onward is how a series goes on after a step.
type Onward uint8

const (
	Next  Onward = iota // with the next step
	Again               // with the same step
	Over                // not at all: nothing changes any more
)

// OfSeries computes the odds of a series, and who is defeated after each of its rounds. The result has no checks.
func OfSeries(m *machine.Machine, s Series, o Options) (*Result, error) {
	s.rounds = max(1, o.Rounds)
	return explore(m, func() machine.Result { return machine.Result{Status: machine.Done} }, s, o)
}

func (s *Series) has() bool  { return len(s.Steps) > 0 }
func (s *Series) steps() int { return len(s.Steps) * s.rounds }

// position is how far a branch has come in a series: how many steps are through, and how often the next has begun.
type position struct{ step, tries, over int } // over: the step at which nothing changed any more, counted from 1; 0: none

// mixInto mixes the position into a key.
func (p position) mixInto(key machine.Key) machine.Key {
	if p == (position{}) {
		return key
	}
	return key.With(uint64(p.step)<<32 | uint64(p.tries))
}

// nextStep begins the step at a position, and returns where the branch is when it has ended.
func (c *explorer) nextStep(at position) (machine.Result, position) {
	n := len(c.series.Steps)
	r, onward := c.series.Steps[at.step%n](at.step/n, at.tries)
	switch onward {
	case Again:
		at.tries++
	case Over:
		at = position{step: c.series.steps(), over: at.step + 1}
	default:
		at = position{step: at.step + 1}
	}
	if r.Status == machine.Refused {
		c.m.Abort()
		r = machine.Result{Status: machine.Done}
	}
	return r, at
}

// hasMore reports whether a series, or the command itself, goes on after a result.
func (c *explorer) hasMore(r *machine.Result, at position) bool {
	return r.Status == machine.NeedDie || r.Status == machine.NeedChoice || r.Status == machine.Done && at.step < c.series.steps()
}

// takeStep begins the next step of a branch between two steps.
func (c *explorer) takeStep(w *branch) error {
	if err := c.count(); err != nil {
		return err
	}
	c.restore(w.state)
	if c.options.Before != nil {
		c.options.Before(c.options.Keyer, c.m.State())
	}
	budget := c.m.State().Budget
	r, at := c.nextStep(w.at)
	c.work += workOf(w, max(0, budget-c.m.State().Budget), w.share)
	return c.recordStep(r, nil, at, w.share)
}

// recordRound records who is defeated, if a round of the series is through.
func (c *explorer) recordRound(at position, part share) {
	n := len(c.series.Steps)
	if n == 0 || at.tries > 0 || at.step == 0 || at.step%n > 0 {
		return
	}
	first := at.step/n - 1
	if at.over > 0 {
		first = (at.over - 1) / n
	}
	for len(c.rounds) < at.step/n {
		c.rounds = append(c.rounds, map[int32]share{})
	}
	for who := range c.m.State().Entities {
		if down, _ := c.m.Defeated(int32(who)); down && (who >= len(c.startDefeated) || !c.startDefeated[who]) {
			for _, falls := range c.rounds[first : at.step/n] {
				add(falls, int32(who), part)
			}
		}
	}
}
