package sim

import (
	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// Fought is the numerical result of one fight.
type Fought struct {
	Side   int // the winner; the number of sides: no side won
	Rounds int
	Of     []Fared        // the members of the cast
	Deeds  map[Deed]int64 // the amount that each took; deeds that took nothing are left out
}

// Fared is the result of one combatant.
type Fared struct {
	Down  bool
	Took  int64   // total loss of watched resources
	Dealt int64   // losses that it caused to others
	Left  []int64 // by resource; 0 for those that are not watched
}

func newFought(c *session.Cast) *Fought {
	f := &Fought{Of: make([]Fared, len(c.Members)), Deeds: map[Deed]int64{}}
	for i := range f.Of {
		f.Of[i].Left = make([]int64, len(c.Resources))
	}
	return f
}

// read reads the result of a fight just played from its outcome and ledger. It allocates only for deeds not met before.
func (f *Fought) read(o session.Outcome, t *session.Trials, l *machine.Ledger, as *numbers) {
	if f.Side = o.Side; o.Side < 0 {
		f.Side = len(t.Cast().Sides)
	}
	f.Rounds = o.Rounds
	clear(f.Deeds)
	for i := range f.Of {
		m := &f.Of[i]
		m.Down, m.Took, m.Dealt = t.Down(i), 0, 0
		for r, w := range t.Cast().Watched {
			if w != machine.Unwatched {
				m.Left[as.resources[r]] = t.Amount(i, r)
			}
		}
	}
	for _, e := range l.Entries {
		if int(e.Who) >= len(f.Of) {
			continue
		}
		f.Of[e.Who].Took += e.Amount
		if e.By != e.Who && int(e.By) < len(f.Of) {
			f.Of[e.By].Dealt += e.Amount
		}
		f.Deeds[as.deed(e)] += e.Amount
	}
}
