package machine

import "math/bits"

// This file notes who it was that stood somewhere when a stat or a define was reckoned, and whether the clock was looked
// at. Somebody who moves makes only those answers old that looked where that creature stands: a fight has ten creatures,
// and one of them moves. Whose turn it is changes all the time, and what may ask for it seldom does.
//
// While anything is reckoned, Seen gathers whose squares are read. What is remembered keeps its part of it and the count
// of the moves at that time; it is good as long as none of them has moved since. Slots are not noted so, they are heard of
// (write.go).

// Seen is a set of creatures whose squares have been read, a bit each.
type Seen uint64

// Everybody stands for all creatures, and for those that have no bit of their own. TheClock stands for whose turn it is, the
// round, the time and whether there is a fight.
const (
	TheClock  Seen = 1 << clockBit
	Everybody Seen = 1 << everybodyBit
)

const (
	clockBit = 62 + iota // and below it one for each creature
	everybodyBit
	seenBits
)

// See notes that these have been read. A host that answers from where creatures stand tells so; of what it keeps from one
// question to the next it tells each time.
func (m *Machine) See(who Seen) { m.seen |= who }

// Look begins a reckoning whose own reading is wanted; Looked ends it and gives that.
func (m *Machine) Look() (before Seen) {
	before, m.seen = m.seen, 0
	return before
}

func (m *Machine) Looked(before Seen) (since Seen) {
	since = m.seen
	m.seen |= before
	return since
}

// SeenOf is the set of one creature.
func SeenOf(who int64) Seen {
	if uint64(who) < clockBit {
		return 1 << uint(who)
	}
	return Everybody
}

// stood is when something was reckoned, as far as places and the clock go, and from where whom.
type stood struct {
	moves uint32 // counted
	seen  Seen
}

// still says whether nobody has moved who was seen.
func (m *Machine) still(x *stood) bool {
	if x.moves == m.moveCount {
		return true
	}
	for left := x.seen; left != 0; left &= left - 1 {
		if m.wentAt[bits.TrailingZeros64(uint64(left))] > x.moves {
			return false
		}
	}
	x.moves = m.moveCount
	return true
}

// gone tells that a creature stands somewhere else.
func (m *Machine) gone(who int64) {
	m.moveCount++
	m.wentAt[everybodyBit] = m.moveCount
	if uint64(who) < clockBit {
		m.wentAt[who] = m.moveCount
	}
	m.touch(m.p.Slots.World)
}

// ticked tells that the clock says something else.
func (m *Machine) ticked() {
	m.moveCount++
	m.wentAt[clockBit] = m.moveCount
}
