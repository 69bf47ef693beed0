// Package rate measures what a foe costs a party: it plays a fight of a party against it many times, and compares the
// order of many foes with one that is printed somewhere.
//
// It must never know what a resource means, nor how dangerous anything is said to be.
package rate

import (
	"math"
	"sync"
	"sync/atomic"

	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/stdlib/dice"
	"arbiter/stdlib/estimate"
)

// Rating is what one fight costs a party.
type Rating struct {
	Party  string   `json:"party"`
	Fights uint64   `json:"fights"`
	Cost   sim.Mean `json:"cost"`  // share of what decides who is defeated that the party loses, from 0 to 1; all of it counts as lost with the fight
	Uses   sim.Mean `json:"uses"`  // share of everything else that it begins with all of; 0 if there is no such thing
	Falls  sim.Mean `json:"falls"` // members that are down at the end
	Loss   sim.Rate `json:"loss"`  // the foe has won
	Kill   sim.Rate `json:"kill"`  // no member is left standing
	Draw   sim.Rate `json:"draw"`  // nobody has won within the limit of the fight
}

// Options configures the measurement.
type Options struct {
	Seed    uint64
	Fights  uint64
	Workers int         // at least 1; the result does not depend on it
	Stop    func() bool // called between fights; nil: never stops
}

// cost is what a single fight has cost.
type cost struct {
	done        bool
	cost, uses  float64
	falls, side int
}

// Of measures what a fight costs the members of its first side. The error is a *sim.FightError.
func Of(party string, t *session.Trials, o Options) (*Rating, error) {
	list, err := play(t, o)
	if err != nil {
		return nil, err
	}
	return sum(party, list, members(t)), nil
}

// play returns what each fight has cost; fights that were not played any more are not done.
func play(t *session.Trials, o Options) ([]cost, error) {
	begins := t.Begins()
	list := make([]cost, o.Fights)
	var next atomic.Uint64
	var failed atomic.Pointer[sim.FightError]
	var all sync.WaitGroup
	for n := range max(1, o.Workers) {
		w := t
		if n > 0 {
			c, err := t.Clone()
			if err != nil {
				return nil, err
			}
			w = c
		}
		all.Go(func() {
			for failed.Load() == nil && (o.Stop == nil || !o.Stop()) {
				n := next.Add(1) - 1
				if n >= o.Fights {
					return
				}
				end, err := w.Fight(dice.FightSeed(o.Seed, n))
				if err != nil {
					failed.CompareAndSwap(nil, &sim.FightError{Fight: n, Err: err})
					return
				}
				list[n] = costOf(w, begins, end)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return nil, err
	}
	return list, nil
}

// members counts the members of the first side.
func members(t *session.Trials) (n int) {
	for _, m := range t.Cast().Members {
		if m.Side == 0 {
			n++
		}
	}
	return n
}

// costOf reads what the fight just played has cost.
func costOf(t *session.Trials, begins []session.Beginning, end session.Outcome) cost {
	c := cost{done: true, side: end.Side}
	lost, had := [2]float64{}, [2]float64{}
	for _, b := range begins {
		if t.Cast().Members[b.Who].Side != 0 {
			continue
		}
		of := 0
		if !b.Decides {
			of = 1
		}
		left := min(max(0, t.Amount(b.Who, b.Resource)), b.Amount)
		lost[of], had[of] = lost[of]+float64(b.Amount-left), had[of]+float64(b.Amount)
	}
	if had[0] > 0 {
		c.cost = lost[0] / had[0]
	}
	if had[1] > 0 {
		c.uses = lost[1] / had[1]
	}
	for i, m := range t.Cast().Members {
		if m.Side == 0 && t.Down(i) {
			c.falls++
		}
	}
	if end.Side > 0 {
		c.cost = 1
	}
	return c
}

// sum adds fights up, in their order, so that the number of workers makes no difference.
func sum(party string, list []cost, members int) *Rating {
	r := &Rating{Party: party}
	var costs, uses, falls []float64
	var loss, kill, draw uint64
	for i := range list {
		c := &list[i]
		if !c.done {
			continue
		}
		r.Fights++
		costs, uses, falls = append(costs, c.cost), append(uses, c.uses), append(falls, float64(c.falls))
		switch {
		case c.side > 0:
			loss++
		case c.side < 0:
			draw++
		}
		if c.falls == members {
			kill++
		}
	}
	r.Cost, r.Uses, r.Falls = meanOf(costs, 1), meanOf(uses, 1), meanOf(falls, float64(members))
	r.Loss, r.Kill, r.Draw = sim.RateOf(loss, r.Fights), sim.RateOf(kill, r.Fights), sim.RateOf(draw, r.Fights)
	return r
}

// meanOf is the mean of samples from 0 to most, with its 95 % interval.
func meanOf(list []float64, most float64) (m sim.Mean) {
	n := float64(len(list))
	if n == 0 {
		return m
	}
	for _, v := range list {
		m.Mean += v
	}
	m.Mean /= n
	squares := 0.0
	for _, v := range list {
		squares += (v - m.Mean) * (v - m.Mean)
	}
	if n > 1 {
		m.Deviation = math.Sqrt(squares / (n - 1))
	}
	m.Low, m.High = estimate.Bounded(uint64(len(list)), m.Mean, m.Deviation, 0, most)
	return m
}

// Difficulty is the unit in which foes are compared: the mean cost over several parties, from 0, for a foe that costs none
// of them anything, to 100, for one that all of them lose against.
func Difficulty(list []*Rating) (sum float64) {
	for _, r := range list {
		sum += 100 * r.Cost.Mean / float64(len(list))
	}
	return sum
}
