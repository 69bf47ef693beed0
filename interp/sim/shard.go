package sim

import (
	"fmt"
	"reflect"
	"slices"

	"arbiter/interp/session"
)

// This file splits a simulation into shards for several machines, and merges them.

// Shard is a part of a simulation, as stored in a file.
type Shard struct {
	Kind    string        `json:"kind"`    // always "shard"
	Version int           `json:"version"` // of the file format
	Seed    uint64        `json:"seed"`
	Fights  uint64        `json:"fights"` // of the whole simulation
	Part    int           `json:"part"`   // from 1
	Of      int           `json:"of"`
	Cast    *session.Cast `json:"cast"`
	Tally   *Tally        `json:"tally"`
	Others  []*Arm        `json:"others,omitempty"` // of a comparison: the rules other than the first
	Sweeps  []Sweep       `json:"sweeps,omitempty"` // one or two, if a comparison varies something
	Figure  string        `json:"figure,omitempty"` // that is shown of them, "" for the default
}

// Arms returns the arms of a shard: one, or several of a comparison.
func (s *Shard) Arms() []*Arm { return append([]*Arm{{Cast: s.Cast, Tally: s.Tally}}, s.Others...) }

// emptyCopy returns a copy of the shard without counts.
func (s *Shard) emptyCopy() *Shard {
	b := *s
	b.Tally, b.Others = NewTally(s.Cast), nil
	for _, a := range s.Others {
		b.Others = append(b.Others, &Arm{a.Rules, a.AlreadyUsed, a.Cast, NewTally(a.Cast), NewPairs(a.Cast)})
	}
	return &b
}

// ShardVersion is the version of the file format of shards.
const ShardVersion = 2

// Range returns the first fight of a part, and its number of fights.
func Range(fights uint64, part, of int) (from, count uint64) {
	cut := func(n int) uint64 { return fights/uint64(of)*uint64(n) + fights%uint64(of)*uint64(n)/uint64(of) }
	from = cut(part - 1)
	return from, cut(part) - from
}

// Merge merges all parts of one simulation, in any order; each must occur exactly once.
func Merge(list []*Shard) (*Shard, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("there is nothing to merge")
	}
	first := list[0]
	seen := make([]bool, max(1, min(first.Of, len(list))))
	for i, s := range list {
		switch {
		case s.Kind != "shard" || !s.isComplete():
			return nil, fmt.Errorf("file %d is not a shard: `arbiter sim --shard 1/4` makes one", i+1)
		case s.Version != ShardVersion:
			return nil, fmt.Errorf("file %d has format version %d, not %d", i+1, s.Version, ShardVersion)
		case !s.sameTexts(first):
			return nil, fmt.Errorf("file %d was made from another script or other rules than the first: every part needs the same files and the same --with", i+1)
		case s.Seed != first.Seed || s.Fights != first.Fights || s.Of != first.Of || !s.sameCombatants(first):
			return nil, fmt.Errorf("file %d is from another simulation than the first", i+1)
		case !reflect.DeepEqual(s.Sweeps, first.Sweeps) || s.Figure != first.Figure:
			return nil, fmt.Errorf("file %d varies something else than the first, or shows another figure", i+1)
		case !s.sweepsFit():
			return nil, fmt.Errorf("file %d is damaged: its counts do not match what is varied", i+1)
		case s.Of != len(list):
			return nil, fmt.Errorf("the simulation has %d parts, %d given: name the file of each part once", s.Of, len(list))
		case s.Part < 1 || s.Part > s.Of || seen[s.Part-1]:
			return nil, fmt.Errorf("file %d holds part %d of %d, which was given before, or does not exist", i+1, s.Part, s.Of)
		}
		if _, count := Range(s.Fights, s.Part, s.Of); s.Tally.Fights != count {
			return nil, fmt.Errorf("part %d was interrupted after %d of %d fights", s.Part, s.Tally.Fights, count)
		}
		for k, a := range s.Arms() {
			if !a.Tally.fits(a.Cast) || a.Tally.Fights != s.Tally.Fights || k > 0 && !(a.sameNumbering(s.Cast) && a.Pairs.fits(a.Cast)) {
				return nil, fmt.Errorf("file %d is damaged: its counts do not match its combatants", i+1)
			}
		}
		seen[s.Part-1] = true
	}
	whole := first.emptyCopy()
	for _, s := range list {
		for i, a := range whole.Arms() {
			a.Add(s.Arms()[i])
		}
	}
	whole.Part, whole.Of = 1, 1
	return whole, nil
}

// isComplete reports whether a shard is complete.
func (s *Shard) isComplete() bool {
	return s.Cast != nil && s.Tally != nil && !slices.ContainsFunc(s.Others, func(a *Arm) bool { return a == nil || a.Cast == nil || a.Tally == nil || a.Pairs == nil })
}

// sweepsFit reports whether there is an arm for each value of a sweep, or for each pair of two.
func (s *Shard) sweepsFit() bool {
	arms := 1
	for _, x := range s.Sweeps {
		if len(x.Values) == 0 || len(x.Values) > len(s.Others) {
			return false
		}
		arms *= len(x.Values)
	}
	return len(s.Sweeps) == 0 || len(s.Sweeps) <= 2 && arms == len(s.Others)
}

// sameTexts reports whether two shards come from the same script and rules, whatever was counted.
func (s *Shard) sameTexts(o *Shard) bool {
	return slices.EqualFunc(s.Arms(), o.Arms(), func(a, b *Arm) bool { return a.Cast.Digest == b.Cast.Digest })
}

// sameCombatants reports whether two shards count the same combatants under the same rules.
func (s *Shard) sameCombatants(o *Shard) bool {
	return reflect.DeepEqual(s.Cast, o.Cast) && slices.EqualFunc(s.Others, o.Others, func(a, b *Arm) bool {
		return a.Rules == b.Rules && reflect.DeepEqual(a.Cast, b.Cast)
	})
}

// sameNumbering reports whether an arm uses the same numbering as a cast.
func (a *Arm) sameNumbering(c *session.Cast) bool {
	return slices.Equal(a.Cast.Sides, c.Sides) && slices.Equal(a.Cast.Members, c.Members) && slices.Equal(a.Cast.Resources, c.Resources) &&
		slices.Equal(a.Cast.Actions, c.Actions) && slices.Equal(a.Cast.Rules, c.Rules)
}

// fits reports whether the pairs match a cast.
func (p *Pairs) fits(c *session.Cast) bool {
	if len(p.Winners) != len(c.Sides)+1 || p.Figures == nil {
		return false
	}
	for _, row := range p.Winners {
		if len(row) != len(c.Sides)+1 {
			return false
		}
	}
	return true // figures that are not asked for are never looked up
}

// fits reports whether a tally matches a cast.
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
	for d := range t.Causes {
		what := d.What < 0 && (d.What == -1<<31 || int(^d.What) < len(c.Rules)) || d.What >= 0 && int(d.What) < len(c.Actions)
		if d.By < 0 || int(d.By) >= len(c.Members) || d.Resource < 0 || int(d.Resource) >= len(c.Resources) || !what {
			return false
		}
	}
	return !slices.ContainsFunc(t.Firsts, func(f First) bool { return f.Side < 0 || f.Side >= len(t.Wins) })
}
