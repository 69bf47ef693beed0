package machine

import "math/bits"

// This file tracks whose squares a stat or a define has read, and whether it has read the clock. A creature that moves
// then invalidates only the results that depend on its square: a fight has ten creatures, and one of them moves. The
// turn changes all the time, but few results depend on it.
//
// During a computation, Seen collects the creatures whose squares are read. A cached value stores its Seen and the move
// count at that time; it is valid as long as none of them has moved since. Slots are not tracked this way but by writes
// (write.go).

// Seen is a set of creatures whose squares have been read, one bit each.
type Seen uint64

// Everybody stands for all creatures, and for those that have no bit of their own. TheClock stands for the current
// turn, the round, the time and whether there is a fight.
const (
	TheClock  Seen = 1 << clockBit
	Everybody Seen = 1 << everybodyBit
)

const (
	clockBit = 62 + iota // the bits below are those of the creatures
	everybodyBit
	seenBits
)

// See records that these have been read. A host whose answers depend on positions must call it, each time even if the
// answer comes from a cache of its own.
func (m *Machine) See(who Seen) { m.seen |= who }

// Look starts collecting the reads of a nested computation; Looked ends it and returns them.
func (m *Machine) Look() (before Seen) {
	before, m.seen = m.seen, 0
	return before
}

func (m *Machine) Looked(before Seen) (since Seen) {
	since = m.seen
	m.seen |= before
	return since
}

// SeenOf returns the set of one creature.
func SeenOf(who int64) Seen {
	if uint64(who) < clockBit {
		return 1 << uint(who)
	}
	return Everybody
}

// stood is the move count at which something was computed, and whose squares it read.
type stood struct {
	moves uint32
	seen  Seen
}

// still says whether no creature has moved whose square was read.
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

// gone records that a creature has moved.
func (m *Machine) gone(who int64) {
	m.moveCount++
	m.wentAt[everybodyBit] = m.moveCount
	if uint64(who) < clockBit {
		m.wentAt[who] = m.moveCount
	}
	m.touch(m.p.Slots.World)
}

// ticked records that the clock has changed.
func (m *Machine) ticked() {
	m.moveCount++
	m.wentAt[clockBit] = m.moveCount
}
