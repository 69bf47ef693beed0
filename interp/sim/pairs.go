package sim

import (
	"cmp"
	"encoding/json"
	"slices"

	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// This file counts the differences between the same fights under two rules.

// Pairs counts fights played under two rules each. For every figure it holds the distribution of the difference, second
// minus first; fights without a difference are left out.
type Pairs struct {
	Winners   WinnerPairs `json:"winners"`
	Different uint64      `json:"different"` // fights with any difference at all
	Figures   Diffs       `json:"figures"`
}

// WinnerPairs counts fights by the winner before, then by the winner after; the number of sides stands for none.
type WinnerPairs [][]uint64

// Diffs holds the distribution of differences of each figure.
type Diffs map[Figure]Hist

// Figure is one number of a fight.
type Figure struct {
	Kind  Kind  `json:"kind"`
	Who   int   `json:"who"`   // index of a side or a member
	Cause Cause `json:"cause"` // for Left only the resource
}

// Kind is what a figure counts.
type Kind uint8

// The kinds, in the order of a report.
const (
	Wins Kind = iota
	Rounds
	Falls
	Took
	Dealt
	Left
	LossByCause
)

// newPairs returns pairs without counts.
func newPairs(c *session.Cast) *Pairs {
	p := &Pairs{Figures: Diffs{}, Winners: make(WinnerPairs, len(c.Sides)+1)}
	for i := range p.Winners {
		p.Winners[i] = make([]uint64, len(c.Sides)+1)
	}
	return p
}

// note adds one fight, before and after. watched lists the resources that both rules watch.
func (p *Pairs) note(a, b *FightResult, watched []int32) {
	p.Winners[a.Side][b.Side]++
	different := false
	differ := func(f Figure, d int64) {
		if d != 0 {
			different = true
			p.Figures.count(f, d)
		}
	}
	if a.Side != b.Side {
		differ(Figure{Kind: Wins, Who: a.Side}, -1)
		differ(Figure{Kind: Wins, Who: b.Side}, 1)
	}
	differ(Figure{Kind: Rounds}, int64(b.Rounds-a.Rounds))
	for i := range a.Combatants {
		x, y := &a.Combatants[i], &b.Combatants[i]
		if x.Down != y.Down {
			differ(Figure{Kind: Falls, Who: i}, toInt(y.Down)-toInt(x.Down))
		}
		differ(Figure{Kind: Took, Who: i}, y.Took-x.Took)
		differ(Figure{Kind: Dealt, Who: i}, y.Dealt-x.Dealt)
		for _, r := range watched {
			differ(Figure{Kind: Left, Who: i, Cause: Cause{Resource: r}}, y.Left[r]-x.Left[r])
		}
	}
	for d, n := range b.Causes {
		differ(Figure{Kind: LossByCause, Who: int(d.By), Cause: d}, n-a.Causes[d])
	}
	for d, n := range a.Causes {
		if _, both := b.Causes[d]; !both {
			differ(Figure{Kind: LossByCause, Who: int(d.By), Cause: d}, -n)
		}
	}
	if different {
		p.Different++
	}
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (d Diffs) count(f Figure, by int64) {
	h := d[f]
	if h == nil {
		h = Hist{}
		d[f] = h
	}
	h[by]++
}

// Add adds the counts of other fights of the same casts.
func (p *Pairs) Add(o *Pairs) {
	p.Different += o.Different
	for i, row := range o.Winners {
		for j, n := range row {
			p.Winners[i][j] += n
		}
	}
	for f, h := range o.Figures {
		if p.Figures[f] == nil {
			p.Figures[f] = Hist{}
		}
		p.Figures[f].add(h)
	}
}

// flipped returns the number of fights with a different winner.
func (p *Pairs) flipped() (n uint64) {
	for i, row := range p.Winners {
		for j, m := range row {
			if i != j {
				n += m
			}
		}
	}
	return n
}

// shared lists the resources that two jointly numbered casts both watch.
func shared(a, b *session.Cast) (list []int32) {
	for r, w := range a.Watched {
		if w != machine.Unwatched && b.Watched[r] != machine.Unwatched {
			list = append(list, int32(r))
		}
	}
	return list
}

// --- in a file -----------------------------------------------------------------------------------------

// diff is one entry of Diffs in a file.
type diff struct {
	Figure
	Counts Hist `json:"counts"`
}

// MarshalJSON writes the differences in a fixed order.
func (d Diffs) MarshalJSON() ([]byte, error) {
	list := make([]diff, 0, len(d))
	for f, h := range d {
		list = append(list, diff{f, h})
	}
	slices.SortFunc(list, func(a, b diff) int { return compareFigures(a.Figure, b.Figure) })
	return json.Marshal(list)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Diffs) UnmarshalJSON(data []byte) error {
	var list []diff
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*d = Diffs{}
	for _, x := range list {
		if x.Counts == nil {
			x.Counts = Hist{}
		}
		(*d)[x.Figure] = x.Counts
	}
	return nil
}

func compareFigures(a, b Figure) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Who, b.Who), cmp.Compare(a.Cause.What, b.Cause.What), cmp.Compare(a.Cause.Resource, b.Cause.Resource))
}
