package sim

import (
	"fmt"

	"arbiter/interp/session"
)

// This file is about arms that were counted elsewhere: what they must be like, and what decides when there are enough.

// NewArms returns arms without counts for casts that are numbered jointly; names are those of their rules.
func NewArms(casts []*session.Cast, rules []string) []*Arm {
	list := make([]*Arm, len(casts))
	for i, c := range casts {
		list[i] = &Arm{Rules: rules[i], Cast: c, Tally: newTally(c)}
		if i > 0 {
			list[i].Pairs = newPairs(c)
		}
	}
	return list
}

// Fits reports what is wrong with counts that claim to be those of a range of fights, by their form: nil if they can be
// added. The cast of the arm must be set; isFirst says that it is not compared with another.
func (a *Arm) Fits(isFirst bool, from, fights uint64) error {
	switch {
	case a.Cast == nil || a.Tally == nil || !a.Tally.fits(a.Cast):
		return fmt.Errorf("the counts do not match the combatants")
	case a.Tally.Fights != fights:
		return fmt.Errorf("there are %d fights, not %d", a.Tally.Fights, fights)
	case isFirst != (a.Pairs == nil) || !isFirst && !a.Pairs.fits(a.Cast):
		return fmt.Errorf("the comparison does not match the combatants")
	}
	won := uint64(0)
	for _, n := range a.Tally.Wins {
		won += n
	}
	if won != fights {
		return fmt.Errorf("%d fights have been won or not, of %d", won, fights)
	}
	for _, f := range a.Tally.Firsts {
		if f.Fight < from || f.Fight-from >= fights {
			return fmt.Errorf("fight %d is not one of them", f.Fight)
		}
	}
	return nil
}

// Deciding returns the part of the counts on which Within depends.
func (a *Arm) Deciding() *Arm {
	d := &Arm{Tally: &Tally{Fights: a.Tally.Fights, Wins: a.Tally.Wins, Controls: a.Tally.Controls.deciding()}}
	if a.Pairs != nil {
		d.Pairs = &Pairs{Figures: Diffs{}}
		for f, h := range a.Pairs.Figures {
			if f.Kind == Wins {
				d.Pairs.Figures[f] = h
			}
		}
	}
	return d
}

// AddDeciding adds the deciding counts of more fights. It does not look at anything else, and reports whether they have
// as many sides.
func (a *Arm) AddDeciding(o *Arm) bool {
	if o.Tally == nil || len(o.Tally.Wins) != len(a.Tally.Wins) || (o.Pairs == nil) != (a.Pairs == nil) {
		return false
	}
	a.Tally.Controls = a.Tally.Controls.plus(o.Tally.Controls, a.Tally.Fights == 0)
	a.Tally.Fights += o.Tally.Fights
	for i, n := range o.Tally.Wins {
		a.Tally.Wins[i] += n
	}
	if o.Pairs != nil {
		for f, h := range o.Pairs.Figures {
			if a.Pairs.Figures[f] == nil {
				a.Pairs.Figures[f] = Hist{}
			}
			a.Pairs.Figures[f].add(h)
		}
	}
	return true
}

// NewDeciding returns deciding counts of no fights, for as many arms over as many sides.
func NewDeciding(arms, sides int) []*Arm {
	list := make([]*Arm, arms)
	for i := range list {
		list[i] = &Arm{Tally: &Tally{Wins: make([]uint64, sides+1)}}
		if i > 0 {
			list[i].Pairs = &Pairs{Figures: Diffs{}}
		}
	}
	return list
}
