package machine

// This file notes who it was that stood somewhere when a stat or a define was reckoned. Somebody who moves makes only
// those answers old that looked where that creature stands: a fight has ten creatures, and one of them moves.
//
// While anything is reckoned, Seen gathers whose squares are read. What is remembered keeps its part of it and the count
// of the moves at that time; it is good as long as none of them has moved since. Slots are not noted so, they are heard of
// (write.go).

// Seen is a set of creatures whose squares have been read, a bit each.
type Seen uint64

// Everybody stands for all creatures, and for those that have no bit of their own.
const Everybody Seen = 1 << 63

// See notes that the squares of these have been read. A host that answers from where creatures stand tells so; of what it
// keeps from one question to the next it tells each time.
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
	if uint64(who) < 63 {
		return 1 << uint(who)
	}
	return Everybody
}

// stood is when something was reckoned, as far as places go, and from where whom.
type stood struct {
	moves uint32 // counted
	seen  Seen
}

// still says whether nobody has moved who was seen.
func (m *Machine) still(x *stood) bool {
	if x.seen == 0 || x.moves == m.moveCount {
		return true
	}
	if x.seen&Everybody != 0 {
		return false
	}
	for who, at := range m.movedAt {
		if at > x.moves && x.seen>>uint(who)&1 != 0 {
			return false
		}
	}
	x.moves = m.moveCount
	return true
}

// moved tells that a creature stands somewhere else.
func (m *Machine) moved(who int64) {
	m.moveCount++
	m.movedAt[who] = m.moveCount
	m.touch(m.p.Slots.World)
}
