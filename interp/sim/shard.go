package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Hash    string        `json:"hash"`             // of all of the above, see Seal

	file string // where it was read
}

// Arms returns the arms of a shard: one, or several of a comparison.
func (s *Shard) Arms() []*Arm { return append([]*Arm{{Cast: s.Cast, Tally: s.Tally}}, s.Others...) }

// emptyCopy returns a copy of the shard without counts.
func (s *Shard) emptyCopy() *Shard {
	b := *s
	b.Tally, b.Others = newTally(s.Cast), nil
	for _, a := range s.Others {
		b.Others = append(b.Others, &Arm{a.Rules, a.AlreadyUsed, a.Without, a.Cast, newTally(a.Cast), newPairs(a.Cast)})
	}
	return &b
}

// ShardVersion is the version of the file format of shards.
const ShardVersion = 4

// Range returns the first fight of a part, and its number of fights.
func Range(fights uint64, part, of int) (from, count uint64) {
	cut := func(n int) uint64 { return fights/uint64(of)*uint64(n) + fights%uint64(of)*uint64(n)/uint64(of) }
	from = cut(part - 1)
	return from, cut(part) - from
}

// Seal gives a shard the hash of what it holds and of what it was made from: the script with its rules, the seed and the
// range of fights.
func (s *Shard) Seal() { s.Hash = s.sum() }

func (s *Shard) sum() string {
	b := *s
	b.Hash = ""
	text, err := json.Marshal(&b)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// maxShard is how many bytes the file of a shard may have.
const maxShard = 64 << 20

// ReadShard reads a shard from a file of this name. An error names it, and says what is wrong with it by itself; Merge
// says how it fits the others.
func ReadShard(name string, r io.Reader) (*Shard, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxShard+1))
	if err != nil {
		return nil, err
	}
	notOne := name + " is not a part of a simulation as printed by `arbiter sim --shard 1/4`"
	s := new(Shard)
	d := json.NewDecoder(bytes.NewReader(text))
	switch err := d.Decode(s); {
	case len(text) > maxShard:
		return nil, fmt.Errorf("%s: it has more than %d bytes", notOne, maxShard)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, fmt.Errorf("%s: it is empty", notOne)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: it has been cut off after %d bytes", notOne, len(text))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", notOne, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s holds something after the part of a simulation: give each part a file of its own", name)
	}
	s.file = name
	switch {
	case s.Kind != "shard" || !s.isComplete():
		return nil, errors.New(notOne)
	case s.Version != ShardVersion:
		return nil, fmt.Errorf("%s has format version %d, not %d: make it again with this version of arbiter", name, s.Version, ShardVersion)
	case s.Hash != s.sum():
		return nil, fmt.Errorf("%s has been changed since it was made: its hash does not match what it holds", name)
	}
	return s, nil
}

// Merge merges all parts of one simulation, in any order; each must occur exactly once.
func Merge(list []*Shard) (*Shard, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("there is nothing to merge")
	}
	first := list[0]
	seen := make([]*Shard, max(1, min(first.Of, len(list))))
	for _, s := range list {
		switch {
		case !s.sameTexts(first):
			return nil, fmt.Errorf("%s was made from another script or other rules than %s: every part needs the same files and the same --with", s.file, first.file)
		case s.Seed != first.Seed:
			return nil, fmt.Errorf("%s was made with the seed %d, and %s with %d: every part needs the same --seed", s.file, s.Seed, first.file, first.Seed)
		case s.Fights != first.Fights || s.Of != first.Of || !s.sameCombatants(first):
			return nil, fmt.Errorf("%s is from another simulation than %s: every part needs the same -n and the same number of parts", s.file, first.file)
		case !reflect.DeepEqual(s.Sweeps, first.Sweeps) || s.Figure != first.Figure:
			return nil, fmt.Errorf("%s varies something else than %s, or shows another figure", s.file, first.file)
		case !s.sweepsFit():
			return nil, fmt.Errorf("%s is damaged: its counts do not match what is varied", s.file)
		case s.Of != len(list):
			return nil, fmt.Errorf("the simulation has %d parts, %d given: name the file of each part once", s.Of, len(list))
		case s.Part < 1 || s.Part > s.Of:
			return nil, fmt.Errorf("%s holds part %d of %d, which does not exist", s.file, s.Part, s.Of)
		case seen[s.Part-1] != nil:
			return nil, fmt.Errorf("%s holds part %d of %d, which %s holds too", s.file, s.Part, s.Of, seen[s.Part-1].file)
		}
		if _, count := Range(s.Fights, s.Part, s.Of); s.Tally.Fights != count {
			return nil, fmt.Errorf("%s was interrupted after %d of %d fights: make part %d again", s.file, s.Tally.Fights, count, s.Part)
		}
		for k, a := range s.Arms() {
			if !a.Tally.fits(a.Cast) || a.Tally.Fights != s.Tally.Fights || k > 0 && !(a.sameNumbering(s.Cast) && a.Pairs.fits(a.Cast)) {
				return nil, fmt.Errorf("%s is damaged: its counts do not match its combatants", s.file)
			}
		}
		seen[s.Part-1] = s
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
	return sameCast(s.Cast, o.Cast) && slices.EqualFunc(s.Others, o.Others, func(a, b *Arm) bool {
		return a.Rules == b.Rules && sameCast(a.Cast, b.Cast)
	})
}

// sameCast reports whether two casts are the same; where the files are that their rules come from makes no difference.
func sameCast(a, b *session.Cast) bool {
	x, y := *a, *b
	x.Additions, y.Additions = nil, nil
	return len(a.Additions) == len(b.Additions) && reflect.DeepEqual(x, y)
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
	if !t.Controls.fits(c) || len(t.Wins) != len(c.Sides)+1 || len(t.Members) != len(c.Members) || t.Rounds == nil || len(c.Watched) != len(c.Resources) ||
		slices.ContainsFunc(c.Additions, func(a session.Addition) bool { return len(a.Stages) == 0 }) {
		return false
	}
	for _, m := range c.Members {
		if m.Side < 0 || m.Side >= len(c.Sides) {
			return false
		}
	}
	fresh := newTally(c)
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
