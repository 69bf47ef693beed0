package sim

import (
	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// Fought is what came of one fight, in numbers.
type Fought struct {
	Side   int // that won; the number of sides: nobody
	Rounds int
	Of     []Fared        // the members of the cast
	Deeds  map[Deed]int64 // what each took; deeds that took nothing are left out
}

// Fared is what came of one combatant.
type Fared struct {
	Down  bool
	Took  int64   // lost of all watched resources
	Dealt int64   // taken from others
	Left  []int64 // by resource; of those that are not watched, 0
}

func newFought(c *session.Cast) *Fought {
	f := &Fought{Of: make([]Fared, len(c.Members)), Deeds: map[Deed]int64{}}
	for i := range f.Of {
		f.Of[i].Left = make([]int64, len(c.Resources))
	}
	return f
}

// read takes a fight that has just been played, and what was entered of it. It allocates nothing once it has met every deed.
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
