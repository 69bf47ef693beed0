package session

import "arbiter/stdlib/dice"

// This file measures the luck of a fight: by how much its dice have shown more than they do on average.

// Roll is a kind of roll: what all members of a side roll for one label. Side is -1 for those who are on none.
type Roll struct {
	Side  int    `json:"side"`
	Label int32  `json:"label"` // of the program
	Name  string `json:"name"`  // of the label
}

// luckSides is how finely luck is measured: the face that a die of so many sides would have shown in place of each die.
const surplusSides = 64

// KnowsDice reports whether Surplus knows the dice of these fights: it does not if a script does something in between.
func (t *Trials) KnowsDice() bool { return t.script == nil }

// Surplus calls add with the luck of each kind of roll in the latest fight, which was played with this seed, and how many
// dice were rolled; several times for a kind, in no order. The luck of a die is a number from -63 to 63 whose mean is
// exactly 0; it is the same number whatever sides the die has. Whether a die is rolled at all depends on those before
// it and never on itself, so the mean of the sum is 0 too: it is a martingale.
func (t *Trials) Controls(seed uint64, add func(side int, label int32, dice uint32, surplus int64)) {
	labels := t.m.Program().Labels
	t.m.State().Draws.Each(func(who int64, label int32, count uint32) {
		if label < 0 || int(label) >= len(labels) {
			return
		}
		side := -1
		if who >= 0 && int(who) < len(t.members) {
			side = t.members[who].side
		}
		first, surplus := t.start.Draws.Count(who, label), int64(0)
		for n := first; n < count; n++ {
			surplus += 2*int64(dice.Face(seed, uint64(who+1), labels[label].Hash, n, surplusSides)) - surplusSides - 1
		}
		if count > first {
			add(side, label, count-first, surplus)
		}
	})
}
