package clock

import (
	"cmp"
	"iter"
	"slices"
	"unsafe"

	"arbiter/stdlib/mix"
)

// Keys sort a place in the turn order: the first key decides, each next one breaks its ties. Higher comes first.
type Keys [4]int64

// Compare returns -1 if k comes before other, 1 if it comes after, 0 if they tie.
func (k Keys) Compare(other Keys) int {
	for i := range k {
		if c := cmp.Compare(other[i], k[i]); c != 0 {
			return c
		}
	}
	return 0
}

// An Entry is a combatant's place in the turn order.
type Entry struct {
	Who    int32
	N      uint8 // the number of keys in use; the others are zero
	Acted  bool  // its turn in this round has begun or been
	New    bool  // it came in this round
	Late   bool  // it came when the round had passed its place, so that it has no turn in this round
	Left   bool  // the turn was left in the middle and is to continue later
	Beside bool  // the place was given next to another, so that it ties with nobody
	Keys   Keys
}

// Due reports whether a turn of this place is still to come in this round.
func (e *Entry) Due() bool { return !e.Acted && !e.Late }

// Nobody is the current combatant between two turns.
const Nobody int32 = -1

// A Moment is what happens when the order advances.
type Moment uint8

const (
	StartRound Moment = iota
	StartTurn
	EndTurn
	EndRound
)

var moments = [...]string{"start of round", "start of turn", "end of turn", "end of round"}

func (m Moment) String() string {
	if int(m) < len(moments) {
		return moments[m]
	}
	return "unknown"
}

// An Event is a moment, with its combatant and round.
type Event struct {
	Moment Moment
	Who    int32 // Nobody at the start and end of a round
	Round  int32
}

// An Order is the turn order of a fight: all places, highest first, ties in the order in which they were added, and how
// far the round has advanced. Whatever becomes of its place, a combatant has one turn a round: the next turn is that of
// the first who has not had it. The zero Order is a fight that has not begun.
type Order struct {
	entries []Entry
	gone    []int32 // those who lost their place in this round after they had acted
	next    int     // how many places are above the current or last turn, or at it
	round   int32   // 0 before the first round
	phase   phase
	current Entry // the current or last turn; it outlives its place in entries
}

type phase uint8

const (
	betweenRounds phase = iota // before a round
	roundOpened                // in a round, before its first turn
	inTurn                     // during a turn
	afterTurn                  // after a turn
)

// Bytes returns the memory that the order holds besides itself, approximately.
func (o *Order) Bytes() int { return cap(o.entries) * int(unsafe.Sizeof(Entry{})) }

// Round returns the number of the round, 0 before the first.
func (o *Order) Round() int32 { return o.round }

// Current returns whose turn it is, or Nobody.
func (o *Order) Current() int32 {
	if o.phase != inTurn {
		return Nobody
	}
	return o.current.Who
}

// Sunk reports whether the place of the combatant whose turn it is has been moved below that where the turn
// began, so that the turn can be put off until that place comes up.
func (o *Order) Sunk() bool {
	return o.phase == inTurn && o.Index(o.current.Who) >= o.next
}

// SetLeft sets or clears the mark that the turn of who was left in the middle, and returns its previous value. A turn
// that is left by one whose place has been moved down comes up again in this round. Otherwise the order only stores
// the mark, for its caller; removing the place removes it.
func (o *Order) SetLeft(who int32, left bool) (was bool) {
	if i := o.Index(who); i >= 0 {
		e := &o.entries[i]
		was, e.Left = e.Left, left
		if left && i >= o.next {
			e.Acted = false
		}
	}
	return was
}

// Len returns the number of places.
func (o *Order) Len() int { return len(o.entries) }

// At returns the i-th place from the top.
func (o *Order) At(i int) Entry { return o.entries[i] }

// Place returns the place of who.
func (o *Order) Place(who int32) (Entry, bool) {
	if i := o.Index(who); i >= 0 {
		return o.entries[i], true
	}
	return Entry{}, false
}

// Tied yields the groups of places whose keys are all equal, from the top, without those that were given next to
// another. The slices are valid until the next group.
func (o *Order) Tied() iter.Seq[[]Entry] {
	return func(yield func([]Entry) bool) {
		var group []Entry
		for i := 0; i < len(o.entries); {
			group = group[:0]
			j := i
			for ; j < len(o.entries) && o.entries[j].Keys == o.entries[i].Keys; j++ {
				if !o.entries[j].Beside {
					group = append(group, o.entries[j])
				}
			}
			if len(group) > 1 && !yield(group) {
				return
			}
			i = j
		}
	}
}

// Put gives who the place with these keys, after all that tie with it; keys beyond the fourth are dropped. A combatant
// that has that place already keeps it. Put does not change whose turn it is, and gives nobody a second turn in a round
// or none:
//   - One who has acted acts again in the next round, wherever its place is now. A turn that was left in the middle
//     continues in this round if the place is below the current or last turn.
//   - One who has not acted, and whose place is now above that turn, acts next.
//   - One who came in this round acts in it if the place is below that turn.
func (o *Order) Put(who int32, keys ...int64) {
	e := Entry{Who: who, N: uint8(min(len(keys), len(Keys{})))}
	copy(e.Keys[:], keys)
	if i := o.Index(who); i >= 0 && o.entries[i].Keys == e.Keys {
		o.entries[i].N, o.entries[i].Beside = e.N, false
		return
	}
	o.place(e, func() int { return o.insertionIndex(e.Keys) })
}

// PutBefore gives who the place just before that of another; otherwise it is like Put. If the other has no place,
// nothing changes.
func (o *Order) PutBefore(who, other int32) { o.putBeside(who, other, false) }

// PutAfter gives who the place after that of another, and after those that were given a place there earlier; otherwise
// it is like Put. If the other has no place, nothing changes.
func (o *Order) PutAfter(who, other int32) { o.putBeside(who, other, true) }

func (o *Order) putBeside(who, other int32, after bool) {
	at, ok := o.Place(other)
	if !ok || who == other {
		return
	}
	e := Entry{Who: who, N: at.N, Beside: true, Keys: at.Keys}
	o.place(e, func() int {
		i := o.Index(other)
		if after {
			for i++; i < len(o.entries) && o.entries[i].Beside && o.entries[i].Keys == at.Keys; i++ {
			}
		}
		return i
	})
}

// place moves a combatant to the index that where returns once its former place is gone.
func (o *Order) place(e Entry, where func() int) {
	was, had := o.Place(e.Who)
	o.delete(e.Who)
	i := where()
	above := i < o.next || i == o.next && o.phase >= inTurn && e.Keys.Compare(o.current.Keys) < 0
	o.entries = slices.Insert(o.entries, i, e)
	if above {
		o.next++
	}
	n := &o.entries[i]
	n.Left = was.Left
	if had {
		n.New, n.Acted = was.New, was.Acted && (above || !was.Left)
	} else {
		n.New, n.Acted = true, slices.Contains(o.gone, e.Who)
		o.gone = slices.DeleteFunc(o.gone, func(who int32) bool { return who == e.Who })
	}
	n.Late = n.New && above
}

// Remove removes the place of who and reports whether there was one. A turn in progress continues to its end.
func (o *Order) Remove(who int32) bool {
	i := o.Index(who)
	if i < 0 {
		return false
	}
	if o.entries[i].Acted && o.phase != betweenRounds {
		o.gone = append(o.gone, who)
	}
	o.delete(who)
	return true
}

// delete removes the place of who, if there is one, as if there had never been any.
func (o *Order) delete(who int32) {
	i := o.Index(who)
	if i < 0 {
		return
	}
	o.entries = slices.Delete(o.entries, i, i+1)
	if i < o.next {
		o.next--
	}
}

// insertionIndex returns the index after all places whose keys are as high or higher.
func (o *Order) insertionIndex(keys Keys) int {
	for i := range o.entries {
		if keys.Compare(o.entries[i].Keys) < 0 {
			return i
		}
	}
	return len(o.entries)
}

// Index returns how many places are above that of who, -1 if it has none.
func (o *Order) Index(who int32) int {
	for i := range o.entries {
		if o.entries[i].Who == who {
			return i
		}
	}
	return -1
}

// Advance moves to the next moment and returns it. A round with no places starts and ends.
func (o *Order) Advance() Event {
	switch o.phase {
	case betweenRounds:
		o.round++
		o.next, o.phase, o.gone = 0, roundOpened, o.gone[:0]
		for i := range o.entries {
			e := &o.entries[i]
			e.Acted, e.New, e.Late = false, false, false
		}
		return Event{StartRound, Nobody, o.round}
	case inTurn:
		o.phase = afterTurn
		return Event{EndTurn, o.current.Who, o.round}
	}
	i := slices.IndexFunc(o.entries, func(e Entry) bool { return e.Due() })
	if i < 0 {
		o.phase = betweenRounds
		return Event{EndRound, Nobody, o.round}
	}
	o.entries[i].Acted = true
	o.current = o.entries[i]
	o.next, o.phase = i+1, inTurn
	return Event{StartTurn, o.current.Who, o.round}
}

// CopyFrom makes o an independent copy of other, reusing o's memory where it suffices.
func (o *Order) CopyFrom(other *Order) {
	entries, gone := append(o.entries[:0], other.entries...), append(o.gone[:0], other.gone...)
	*o = *other
	o.entries, o.gone = entries, gone
}

// AppendHash adds the order to the hash h.
func (o *Order) AppendHash(h uint64) uint64 {
	h = mix.Add(h, uint64(uint32(o.round))<<8|uint64(o.phase))
	h = mix.Add(h, uint64(o.next))
	h = o.current.appendHash(h)
	h = mix.Add(h, uint64(len(o.entries)))
	for i := range o.entries {
		h = o.entries[i].appendHash(h)
	}
	for _, who := range o.gone {
		h = mix.Add(h, uint64(uint32(who)))
	}
	return h
}

func (e *Entry) appendHash(h uint64) uint64 {
	n := uint64(e.N)
	for i, mark := range [...]bool{e.Acted, e.New, e.Late, e.Left, e.Beside} {
		if mark {
			n |= 1 << (3 + i)
		}
	}
	h = mix.Add(h, uint64(uint32(e.Who))<<8|n)
	for _, k := range e.Keys {
		h = mix.Add(h, uint64(k))
	}
	return h
}
