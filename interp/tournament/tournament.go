// Package tournament ranks candidates by playing: many fights for those that may be the best, few for the hopeless.
//
// It is a bandit that eliminates (Even-Dar, Mannor and Mansour, Journal of Machine Learning Research 7, 2006). All
// candidates play the same fights, on the same dice, and are compared in pairs by the differences of their scores. A
// candidate that is worse than enough others, with certainty, plays no more; the others go on, until the order of those
// that matter is known or there are no fights left. The intervals of the differences hold at all times and for all pairs
// together (package estimate), so whoever stops by what they say has not spoiled them.
//
// It must never know what a candidate is, nor what its score means.
package tournament

import (
	"cmp"
	"math"
	"slices"

	"arbiter/stdlib/estimate"
)

// Play plays fights of some candidates and returns the scores of each in each fight, from one fight on. The same fight has
// the same dice for all of them. Fewer scores than asked for, the same number for each, mean that it was stopped.
type Play func(candidates []int, from, fights uint64) ([][]int64, error)

// Options say how much is played.
type Options struct {
	Candidates int
	Places     int     // how many of the first places matter, at least 1
	Fights     uint64  // of each candidate at most
	Within     float64 // a difference that is surely smaller than this does not matter; 0: every difference does
}

// alpha is the probability that anything is wrong of what is said to be certain: one of the pairs, or one of the intervals
// of the scores.
const alpha = 0.05

// Sizes of the batches between two looks: the first, and how much each grows.
const (
	firstBatch = 50
	batchParts = 2 // of what has been played, one of so many parts is played next
)

// Standing is what is known of a candidate.
type Standing struct {
	Candidate   int
	Fights      uint64
	Mean        float64 // of its scores
	Low, High   float64 // all intervals hold with a probability of 1 - Alpha
	First, Last int     // the places that it may have, from 1; all of them hold with a probability of 1 - Alpha
	Dropped     bool    // before the others, because it is worse than enough of them
}

// Result is the outcome of a tournament.
type Result struct {
	Standings []Standing // the best first
	Certainty float64    // that the first is the best: at least this; 0 if that is not known
	Fights    uint64     // of all candidates together
	Equal     uint64     // of all candidates together, if each had played as many as the one that played most
	Stopped   bool       // before it was over
	Settled   bool       // the places that matter are known, or do not matter
}

// field is a tournament under way.
type field struct {
	Options
	scores []estimate.Mean
	active []bool
	pairs  [][]pair // by the lower number, then by the higher
}

// pair is how two candidates compare: the scores of the second less those of the first.
type pair struct {
	estimate.Mean
	decided int     // -1: the first is better; 1: the second is
	doubt   float64 // the least p-value so far of there being no difference
}

// Run plays a tournament.
func Run(o Options, play Play) (*Result, error) {
	f := &field{Options: o, scores: make([]estimate.Mean, o.Candidates), active: make([]bool, o.Candidates), pairs: make([][]pair, o.Candidates)}
	for i := range f.pairs {
		f.active[i] = true
		f.pairs[i] = make([]pair, o.Candidates)
		for k := range f.pairs[i] {
			f.pairs[i][k].doubt = 1
		}
	}
	r := &Result{}
	for played := uint64(0); played < o.Fights && !r.Stopped; {
		list := f.undecided()
		if r.Settled = len(list) == 0; r.Settled {
			break
		}
		batch := min(max(firstBatch, played/batchParts), o.Fights-played)
		scores, err := play(list, played, batch)
		if err != nil {
			return nil, err
		}
		r.Stopped = uint64(len(scores[0])) < batch
		f.note(list, scores)
		f.decide()
		played += uint64(len(scores[0]))
	}
	r.Settled = r.Settled || len(f.undecided()) == 0
	f.rank(r)
	return r, nil
}

// note adds the scores of some candidates.
func (f *field) note(list []int, scores [][]int64) {
	for at, i := range list {
		for _, v := range scores[at] {
			observe(&f.scores[i], v)
		}
		for next := at + 1; next < len(list); next++ {
			p := f.pair(i, list[next])
			for n, v := range scores[at] {
				observe(&p.Mean, scores[next][n]-v)
			}
		}
	}
}

func observe(m *estimate.Mean, v int64) {
	x := float64(v)
	m.All, m.Sum, m.Squares = m.All+1, m.Sum+x, m.Squares+x*x
}

// pair is that of two candidates; the first has the lower number.
func (f *field) pair(i, k int) *pair { return &f.pairs[i][k] }

// alphaOfPair is the probability with which one of all pairs may be wrong. Half of Alpha is left for the scores.
func (f *field) alphaOfPair() float64 {
	return alpha / 2 / float64(max(1, f.Candidates*(f.Candidates-1)/2))
}

// decide decides pairs, and drops candidates that are worse than as many others as there are places that matter.
func (f *field) decide() {
	for i := range f.Candidates {
		for k := i + 1; k < f.Candidates; k++ {
			p := f.pair(i, k)
			if p.decided != 0 || p.All < estimate.LeastObserved {
				continue
			}
			if p.doubt = math.Min(p.doubt, p.PValue(0)); p.doubt > f.alphaOfPair() {
				continue
			}
			if p.decided = -1; p.Value() > 0 {
				p.decided = 1
			}
		}
	}
	for i := range f.Candidates {
		if _, worse := f.decisions(i); worse >= f.Places {
			f.active[i] = false
		}
	}
}

// decisions counts the others that a candidate is better and worse than.
func (f *field) decisions(i int) (better, worse int) {
	for k := range f.Candidates {
		d := 0
		switch {
		case k < i:
			d = f.pair(k, i).decided
		case k > i:
			d = -f.pair(i, k).decided
		}
		if d > 0 {
			better++
		} else if d < 0 {
			worse++
		}
	}
	return better, worse
}

// undecided lists the candidates that play on: those of which the place among the others that do is not known.
func (f *field) undecided() (list []int) {
	open := make([]bool, f.Candidates)
	for i := range f.Candidates {
		for k := i + 1; k < f.Candidates && f.active[i]; k++ {
			p := f.pair(i, k)
			if !f.active[k] || p.decided != 0 || f.alike(p) {
				continue
			}
			open[i], open[k] = true, true
		}
	}
	for i, is := range open {
		if is {
			list = append(list, i)
		}
	}
	return list
}

// alike reports whether the difference of two is surely too small to matter.
func (f *field) alike(p *pair) bool {
	if f.Within <= 0 || p.All < estimate.LeastObserved {
		return false
	}
	low, high := p.Interval(f.alphaOfPair())
	return low > -f.Within && high < f.Within
}

// rank puts the candidates in order, the best first; those that were dropped come after the others.
func (f *field) rank(r *Result) {
	most := uint64(0)
	for i := range f.Candidates {
		m := &f.scores[i]
		better, worse := f.decisions(i)
		s := Standing{Candidate: i, Fights: m.All, Mean: m.Value(), First: 1 + worse, Last: f.Candidates - better, Dropped: !f.active[i]}
		s.Low, s.High = m.Interval(alpha / 2 / float64(f.Candidates))
		r.Standings = append(r.Standings, s)
		r.Fights += m.All
		most = max(most, m.All)
	}
	r.Equal = most * uint64(f.Candidates)
	slices.SortStableFunc(r.Standings, func(a, b Standing) int {
		if a.Dropped != b.Dropped {
			return cmp.Compare(toInt(a.Dropped), toInt(b.Dropped))
		}
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.First, b.First), cmp.Compare(a.Candidate, b.Candidate))
	})
	if len(r.Standings) == 0 || r.Standings[0].Last > 1 {
		return
	}
	first, doubt := r.Standings[0].Candidate, 0.0
	for k := range f.Candidates {
		if k != first {
			doubt += f.pair(min(first, k), max(first, k)).doubt
		}
	}
	r.Certainty = math.Max(0, 1-doubt)
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
