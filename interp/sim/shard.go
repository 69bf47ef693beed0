package sim

import (
	"fmt"
	"reflect"
	"slices"

	"arbiter/interp/session"
)

// This file divides a simulation among machines, and puts it together again.

// Shard is a part of a simulation, as it lies in a file.
type Shard struct {
	Kind    string        `json:"kind"`    // shard
	Version int           `json:"version"` // of this form
	Seed    uint64        `json:"seed"`
	Fights  uint64        `json:"fights"` // of the whole simulation
	Part    int           `json:"part"`   // from 1
	Of      int           `json:"of"`
	Cast    *session.Cast `json:"cast"`
	Tally   *Tally        `json:"tally"`
}

// ShardVersion is the version of the form of shards.
const ShardVersion = 1

// Range is where the fights of a part begin, and how many they are.
func Range(fights uint64, part, of int) (from, count uint64) {
	cut := func(n int) uint64 { return fights/uint64(of)*uint64(n) + fights%uint64(of)*uint64(n)/uint64(of) }
	from = cut(part - 1)
	return from, cut(part) - from
}

// Merge puts the parts of one simulation together, in any order; each must be there once.
func Merge(list []*Shard) (*Shard, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("there is nothing to merge")
	}
	first := list[0]
	seen := make([]bool, max(1, min(first.Of, len(list))))
	whole := *first
	for i, s := range list {
		switch {
		case s.Kind != "shard" || s.Cast == nil || s.Tally == nil:
			return nil, fmt.Errorf("number %d is no shard: `arbiter sim --shard 1/4` makes one", i+1)
		case s.Version != ShardVersion:
			return nil, fmt.Errorf("number %d has version %d of the form, not %d", i+1, s.Version, ShardVersion)
		case s.Seed != first.Seed || s.Fights != first.Fights || s.Of != first.Of || !reflect.DeepEqual(s.Cast, first.Cast):
			return nil, fmt.Errorf("number %d is of another simulation than the first", i+1)
		case s.Of != len(list):
			return nil, fmt.Errorf("the simulation was divided into %d parts, and %d are here", s.Of, len(list))
		case s.Part < 1 || s.Part > s.Of || seen[s.Part-1]:
			return nil, fmt.Errorf("part %d is here twice, or is none of %d", s.Part, s.Of)
		}
		if _, count := Range(s.Fights, s.Part, s.Of); s.Tally.Fights != count {
			return nil, fmt.Errorf("part %d was broken off after %d of %d fights", s.Part, s.Tally.Fights, count)
		}
		if !s.Tally.fits(s.Cast) {
			return nil, fmt.Errorf("number %d is damaged: its counts are not those of its cast", i+1)
		}
		seen[s.Part-1] = true
	}
	whole.Tally = NewTally(first.Cast)
	for _, s := range list {
		whole.Tally.Add(s.Tally)
	}
	whole.Part, whole.Of = 1, 1
	return &whole, nil
}

// fits tells whether a tally counts what there is in a cast.
func (t *Tally) fits(c *session.Cast) bool {
	if len(t.Wins) != len(c.Sides)+1 || len(t.Members) != len(c.Members) || t.Rounds == nil || len(c.Watched) != len(c.Resources) {
		return false
	}
	for _, m := range c.Members {
		if m.Side < 0 || m.Side >= len(c.Sides) {
			return false
		}
	}
	fresh := NewTally(c)
	for i := range t.Members {
		for r := range t.Members[i].Left {
			if fresh.Members[i].Left[r] == nil {
				return false
			}
		}
	}
	for d := range t.Deeds {
		what := d.What < 0 && (d.What == -1<<31 || int(^d.What) < len(c.Rules)) || d.What >= 0 && int(d.What) < len(c.Actions)
		if d.By < 0 || int(d.By) >= len(c.Members) || d.Resource < 0 || int(d.Resource) >= len(c.Resources) || !what {
			return false
		}
	}
	return !slices.ContainsFunc(t.Firsts, func(f First) bool { return f.Side < 0 || f.Side >= len(t.Wins) })
}
