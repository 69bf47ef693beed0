package sim

import "arbiter/stdlib/estimate"

// This file reads single figures from counts, for searches that play until they know enough.

// EstimateOf returns what the counts say about a figure that FiguresOf lists, by intervals that may be looked at at any
// time.
func (t *Tally) EstimateOf(f Figure) estimate.Estimate {
	h := Hist{}
	switch f.Kind {
	case Wins:
		return estimate.Share{Hits: t.Wins[f.Who], All: t.Fights}
	case Falls:
		return estimate.Share{Hits: t.Members[f.Who].Down, All: t.Fights}
	case Rounds:
		h = t.Rounds
	case Took:
		h = t.Members[f.Who].Took
	case Dealt:
		h = t.Members[f.Who].Dealt
	case Left:
		h = t.Members[f.Who].Left[f.Cause.Resource]
	}
	m := estimate.Mean{All: t.Fights}
	for v, n := range h { // sums of integers: the order makes no difference
		m.Sum += float64(v) * float64(n)
		m.Squares += float64(v) * float64(v) * float64(n)
	}
	return m
}
