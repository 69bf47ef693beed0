package day

import (
	"math"

	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/story"
	"arbiter/stdlib/estimate"
)

// This file adds days up.

// Tally is what was counted in a number of days.
type Tally struct {
	Days      uint64
	Story     *story.Story
	Party     []string
	Begins    []session.Beginning
	Resources []string // of Begins
	Battles   []Battle // of the story; those that were never reached too
	Endings   []uint64 // by ending of the story
	Stands    []bool   // by day, whether somebody of the party stood at its end
	Left      [Sorts]Sum
	Amounts   []Sum    // by Begins, at the end of a day
	Down      []uint64 // by member, at the end of a day

	had [Sorts]float64 // what the party begins a day with
}

// Battle is what was counted of a fight of the story. It may be fought several times in a day.
type Battle struct {
	Days          [3]uint64 // on which it ended so, by session.FightEnd
	Reached       uint64    // days on which it was fought
	Times         uint64
	Rounds, Falls Sum
	Before, After [Sorts]Sum
	Cost          [Sorts]Sum
	Regained      [Sorts]Sum // since the fight before it
	Fell          []uint64   // by member
}

// Sum is the count, the sum, the sum of squares and the least of numbers.
type Sum struct {
	N                     uint64
	Total, Squares, Least float64
}

func (s *Sum) add(x float64) {
	if s.N == 0 || x < s.Least {
		s.Least = x
	}
	s.N, s.Total, s.Squares = s.N+1, s.Total+x, s.Squares+x*x
}

// Mean is the mean with its 95 % interval.
func (s *Sum) Mean() (m sim.Mean) {
	m = s.mean()
	if s.N > 1 {
		half := estimate.Student(int(min(s.N-1, 1<<30))) * m.Deviation / math.Sqrt(float64(s.N))
		m.Low, m.High = m.Mean-half, m.Mean+half
	}
	return m
}

// Bounded is the mean of numbers from 0 to most, with its 95 % interval. Those below 0, as costs of a fight that heals
// somebody, move the bound.
func (s *Sum) Bounded(most float64) (m sim.Mean) {
	m = s.mean()
	if s.N > 0 {
		m.Low, m.High = estimate.Bounded(s.N, m.Mean, m.Deviation, min(0, s.Least), most)
	}
	return m
}

// mean is the mean without an interval.
func (s *Sum) mean() (m sim.Mean) {
	if s.N == 0 {
		return m
	}
	n := float64(s.N)
	m.Mean = s.Total / n
	if s.N > 1 {
		m.Deviation = math.Sqrt(math.Max(0, s.Squares-s.Total*m.Mean) / (n - 1))
	}
	m.Low, m.High = m.Mean, m.Mean
	return m
}

func newTally(s *story.Story, w *session.StoryWalker) *Tally {
	t := &Tally{Story: s, Party: w.Party(), Begins: w.Begins(), Battles: make([]Battle, len(s.Battles)), Endings: make([]uint64, len(s.Endings))}
	t.Down, t.Amounts = make([]uint64, len(t.Party)), make([]Sum, len(t.Begins))
	for i, b := range t.Begins {
		t.Resources = append(t.Resources, w.Resource(b.Resource))
		t.had[t.sortOf(i)] += float64(b.Amount)
	}
	for i := range t.Battles {
		t.Battles[i].Fell = make([]uint64, len(t.Party))
	}
	return t
}

// Has reports whether the party begins with any resources of a sort.
func (t *Tally) Has(k Sort) bool { return t.had[k] > 0 }

// add adds a day.
func (t *Tally) add(x *played) {
	t.Days++
	if x.ending >= 0 {
		t.Endings[x.ending]++
	}
	reached, ended := map[int32]bool{}, map[int32][3]bool{}
	for i := range x.fights {
		f := &x.fights[i]
		b := &t.Battles[f.battle]
		b.Times++
		if !reached[f.battle] {
			reached[f.battle] = true
			b.Reached++
		}
		if e := ended[f.battle]; !e[f.end] {
			e[f.end] = true
			ended[f.battle] = e
			b.Days[f.end]++
		}
		b.Rounds.add(float64(f.rounds))
		b.Falls.add(float64(len(f.fell)))
		for _, who := range f.fell {
			b.Fell[who]++
		}
		for k := range f.before {
			b.Before[k].add(f.before[k])
			b.After[k].add(f.after[k])
			b.Cost[k].add(f.before[k] - f.after[k])
			b.Regained[k].add(f.regained[k])
		}
	}
	for k, v := range x.left {
		t.Left[k].add(v)
	}
	for i, v := range x.amounts {
		t.Amounts[i].add(float64(v))
	}
	stands := false
	for i, down := range x.down {
		if down {
			t.Down[i]++
		} else {
			stands = true
		}
	}
	t.Stands = append(t.Stands, stands)
}

// Survived returns on how many days somebody of the party stood at the end.
func (t *Tally) Survived() (n uint64) {
	for _, s := range t.Stands {
		if s {
			n++
		}
	}
	return n
}
