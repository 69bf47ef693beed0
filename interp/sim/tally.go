// Package sim runs Monte Carlo simulations: it plays a fight many times and adds up the results. It keeps only integer
// counts that can be added, so the order of the fights, the number of workers and the division into shards make no
// difference, and memory does not grow with the number of fights.
//
// It must never know how a fight is played, nor what a resource or an action means.
package sim

import (
	"cmp"
	"encoding/json"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// Hist is a histogram: it counts how often each value occurred.
type Hist map[int64]uint64

// Tally holds the counts of a number of fights.
type Tally struct {
	Fights   uint64    `json:"fights"`
	Wins     []uint64  `json:"wins"` // by side; the last: no side won
	Rounds   Hist      `json:"rounds"`
	Members  []Member  `json:"members"`
	Causes   Causes    `json:"causes"`             // the loss by each in one fight; fights without it are left out
	Firsts   []First   `json:"firsts"`             // sorted
	Marks    []int32   `json:"marks,omitempty"`    // seen, of the additions of the cast, in ascending order
	Controls *Controls `json:"controls,omitempty"` // nil: not asked for
}

// Causes holds the distribution of each cause.
type Causes map[Cause]Hist

// causeCounts is the distribution of one cause in a file.
type causeCounts struct {
	Cause
	Counts Hist `json:"counts"`
}

// MarshalJSON writes the causes in a fixed order.
func (c Causes) MarshalJSON() ([]byte, error) {
	list := make([]causeCounts, 0, len(c))
	for k, h := range c {
		list = append(list, causeCounts{k, h})
	}
	slices.SortFunc(list, func(a, b causeCounts) int {
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.What, b.What), cmp.Compare(a.Resource, b.Resource))
	})
	return json.Marshal(list)
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Causes) UnmarshalJSON(data []byte) error {
	var list []causeCounts
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*c = Causes{}
	for _, x := range list {
		if x.Counts == nil {
			x.Counts = Hist{}
		}
		(*c)[x.Cause] = x.Counts
	}
	return nil
}

// Member holds the counts of one combatant.
type Member struct {
	Down  uint64         `json:"down"`  // number of fights at whose end it was defeated
	Left  map[int32]Hist `json:"left"`  // of watched resources, at the end
	Took  Hist           `json:"took"`  // total loss of watched resources, in one fight
	Dealt Hist           `json:"dealt"` // losses that it caused to others, in one fight
}

// Cause is what a combatant does, together with the resource that is lost by it.
type Cause struct {
	By       int32 `json:"by"`
	What     int32 `json:"what"` // see machine.Entry
	Resource int32 `json:"resource"`
}

// First is the first fight that a side won in this number of rounds; the number of sides stands for none.
type First struct {
	Side   int    `json:"side"`
	Rounds int    `json:"rounds"`
	Fight  uint64 `json:"fight"`
}

// newTally returns an empty tally.
func newTally(c *session.Cast) *Tally {
	t := &Tally{Wins: make([]uint64, len(c.Sides)+1), Rounds: Hist{}, Members: make([]Member, len(c.Members)), Causes: Causes{}}
	for i := range t.Members {
		t.Members[i] = Member{Left: map[int32]Hist{}, Took: Hist{}, Dealt: Hist{}}
		for r, w := range c.Watched {
			if w != machine.Unwatched {
				t.Members[i].Left[int32(r)] = Hist{}
			}
		}
	}
	return t
}

// note adds a fight.
func (t *Tally) note(fight uint64, f *FightResult) {
	t.Fights++
	t.Wins[f.Side]++
	t.Rounds[int64(f.Rounds)]++
	t.keepFirst(First{f.Side, f.Rounds, fight})
	for d, n := range f.Causes {
		if t.Causes[d] == nil {
			t.Causes[d] = Hist{}
		}
		t.Causes[d][n]++
	}
	for i := range t.Members {
		m, x := &t.Members[i], &f.Combatants[i]
		if x.Down {
			m.Down++
		}
		m.Took[x.Took]++
		m.Dealt[x.Dealt]++
		for r, h := range m.Left {
			h[x.Left[r]]++
		}
	}
}

// keepFirst keeps the earliest fight of its kind.
func (t *Tally) keepFirst(f First) {
	at, met := slices.BinarySearchFunc(t.Firsts, f, func(a, b First) int {
		return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Rounds, b.Rounds))
	})
	if !met {
		t.Firsts = slices.Insert(t.Firsts, at, f)
	} else if f.Fight < t.Firsts[at].Fight {
		t.Firsts[at] = f
	}
}

// Add adds the counts of other fights of the same cast.
func (t *Tally) Add(o *Tally) {
	if o.Fights > 0 {
		t.Controls = t.Controls.plus(o.Controls, t.Fights == 0)
	}
	t.Fights += o.Fights
	for i, n := range o.Wins {
		t.Wins[i] += n
	}
	t.Rounds.add(o.Rounds)
	for _, f := range o.Firsts {
		t.keepFirst(f)
	}
	t.Marks = append(slices.Clone(t.Marks), o.Marks...)
	slices.Sort(t.Marks)
	t.Marks = slices.Compact(t.Marks)
	for d, h := range o.Causes {
		if t.Causes[d] == nil {
			t.Causes[d] = Hist{}
		}
		t.Causes[d].add(h)
	}
	for i := range o.Members {
		m, x := &t.Members[i], &o.Members[i]
		m.Down += x.Down
		m.Took.add(x.Took)
		m.Dealt.add(x.Dealt)
		for r, h := range x.Left {
			m.Left[r].add(h)
		}
	}
}

func (h Hist) add(o Hist) {
	for v, n := range o {
		h[v] += n
	}
}
