package sim

import (
	"arbiter/interp/machine"
	"arbiter/interp/session"
)

// FightResult is the numerical result of one fight.
type FightResult struct {
	Side       int // the winner; the number of sides: no side won
	Rounds     int
	Combatants []CombatantResult // the members of the cast
	Causes     map[Cause]int64   // the loss by each; causes without a loss are left out
}

// CombatantResult is the result of one combatant.
type CombatantResult struct {
	Down  bool
	Took  int64   // total loss of watched resources
	Dealt int64   // losses that it caused to others
	Left  []int64 // by resource; 0 for those that are not watched
}

func newFightResult(c *session.Cast) *FightResult {
	f := &FightResult{Combatants: make([]CombatantResult, len(c.Members)), Causes: map[Cause]int64{}}
	for i := range f.Combatants {
		f.Combatants[i].Left = make([]int64, len(c.Resources))
	}
	return f
}

// read reads the result of a fight just played from its outcome and ledger. It allocates only for causes not met before.
func (f *FightResult) read(o session.Outcome, t *session.Trials, l *machine.Ledger, numbering *numbering) {
	if f.Side = o.Side; o.Side < 0 {
		f.Side = len(t.Cast().Sides)
	}
	f.Rounds = o.Rounds
	clear(f.Causes)
	for i := range f.Combatants {
		m := &f.Combatants[i]
		m.Down, m.Took, m.Dealt = false, 0, 0
		clear(m.Left)
	}
	for i, joint := range numbering.members {
		m := &f.Combatants[joint]
		m.Down = t.Down(i)
		for r, w := range t.Cast().Watched {
			if w != machine.Unwatched {
				m.Left[numbering.resources[r]] = t.Amount(i, r)
			}
		}
	}
	for _, e := range l.Entries {
		who, by := numbering.member(e.Who), numbering.member(e.By)
		if who < 0 {
			continue
		}
		f.Combatants[who].Took += e.Amount
		if by != who && by >= 0 {
			f.Combatants[by].Dealt += e.Amount
		}
		if by >= 0 {
			f.Causes[numbering.causeOf(e)] += e.Amount
		}
	}
}
