package machine

import "math/bits"

// This file tracks whose squares a stat or a define has read, and whether it has read the clock. A creature that moves
// then invalidates only the results that depend on its square: a fight has ten creatures, and one of them moves. The
// turn changes all the time, but few results depend on it.
//
// During a computation, Machine.reads collects the creatures whose squares are read. A cached value stores its reads
// and the move count at that time; it is valid as long as none of them has moved since. Slots are not tracked this way
// but by writes (write.go).

// Reads is a set of creatures whose squares have been read, one bit each.
type Reads uint64

// Everybody stands for all creatures, and for those that have no bit of their own. TheClock stands for the current
// turn, the round, the time and whether there is a fight.
const (
	TheClock  Reads = 1 << clockBit
	Everybody Reads = 1 << everybodyBit
)

const (
	clockBit = 62 + iota // the bits below are those of the creatures
	everybodyBit
	readBits
)

// AddReads records that these have been read. A host whose answers depend on positions must call it, each time even if
// the answer comes from a cache of its own.
func (m *Machine) AddReads(who Reads) { m.reads |= who }

// BeginReads starts collecting the reads of a nested computation; EndReads ends it and returns them.
func (m *Machine) BeginReads() (outerReads Reads) {
	outerReads, m.reads = m.reads, 0
	return outerReads
}

func (m *Machine) EndReads(outerReads Reads) (since Reads) {
	since = m.reads
	m.reads |= outerReads
	return since
}

// ReadsOf returns the set of one creature.
func ReadsOf(who int64) Reads {
	if uint64(who) < clockBit {
		return 1 << uint(who)
	}
	return Everybody
}

// readStamp is the move count at which something was computed, and whose squares it read.
type readStamp struct {
	moves uint32
	reads Reads
}

// isFresh says whether no creature has moved whose square was read.
func (m *Machine) isFresh(x *readStamp) bool {
	if x.moves == m.moveCount {
		return true
	}
	for left := x.reads; left != 0; left &= left - 1 {
		if m.lastMoves[bits.TrailingZeros64(uint64(left))] > x.moves {
			return false
		}
	}
	x.moves = m.moveCount
	return true
}

// recordMove records that a creature has moved.
func (m *Machine) recordMove(who int64) {
	m.moveCount++
	m.lastMoves[everybodyBit] = m.moveCount
	if uint64(who) < clockBit {
		m.lastMoves[who] = m.moveCount
	}
	m.notifySharedReaders(m.p.Slots.World)
}

// recordClock records that the clock has changed.
func (m *Machine) recordClock() {
	m.moveCount++
	m.lastMoves[clockBit] = m.moveCount
}
