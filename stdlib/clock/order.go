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
	Who  int32
	N    uint8 // the number of keys in use; the others are zero
	Left bool  // the turn was left in the middle and is to continue later
	Keys Keys
}

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
// far the round has advanced. The zero Order is a fight that has not begun.
type Order struct {
	entries []Entry
	next    int   // index of the next turn in this round
	round   int32 // 0 before the first round
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

// Due reports whether a turn of who is still to come in this round.
func (o *Order) Due(who int32) bool {
	return o.phase != betweenRounds && o.index(who) >= o.next
}

// PutOff reports whether the combatant whose turn it is has a turn still to come in this round, so that it has put off
// this one.
func (o *Order) PutOff() bool { return o.phase == inTurn && o.Due(o.current.Who) }

// SetLeft sets or clears the mark that the turn of who was left in the middle, and returns its previous value. The
// order only stores the mark, for its caller; removing the place removes it.
func (o *Order) SetLeft(who int32, left bool) (was bool) {
	if i := o.index(who); i >= 0 {
		was, o.entries[i].Left = o.entries[i].Left, left
	}
	return was
}

// Len returns the number of places.
func (o *Order) Len() int { return len(o.entries) }

// At returns the i-th place from the top.
func (o *Order) At(i int) Entry { return o.entries[i] }

// Place returns the place of who.
func (o *Order) Place(who int32) (Entry, bool) {
	if i := o.index(who); i >= 0 {
		return o.entries[i], true
	}
	return Entry{}, false
}

// Tied yields the groups of places whose keys are all equal, from the top. The slices belong to the order and are valid
// until it changes.
func (o *Order) Tied() iter.Seq[[]Entry] {
	return func(yield func([]Entry) bool) {
		for i := 0; i < len(o.entries); {
			j := i + 1
			for j < len(o.entries) && o.entries[j].Keys == o.entries[i].Keys {
				j++
			}
			if j-i > 1 && !yield(o.entries[i:j]) {
				return
			}
			i = j
		}
	}
}

// Put gives who the place with these keys, after all that tie with it; keys beyond the fourth are dropped. An existing
// place is removed. A combatant put below the current turn acts in this round, even after having acted: this is how a
// turn is delayed. Put does not change whose turn it is.
func (o *Order) Put(who int32, keys ...int64) {
	was, _ := o.Place(who)
	o.Remove(who)
	e := Entry{Who: who, N: uint8(min(len(keys), len(Keys{}))), Left: was.Left}
	copy(e.Keys[:], keys)
	i := o.insertionIndex(e.Keys)
	o.entries = slices.Insert(o.entries, i, e)
	if i < o.next {
		o.next++
	}
}

// Remove removes the place of who and reports whether there was one. A turn in progress continues to its end.
func (o *Order) Remove(who int32) bool {
	i := o.index(who)
	if i < 0 {
		return false
	}
	o.entries = slices.Delete(o.entries, i, i+1)
	if i < o.next {
		o.next--
	}
	return true
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

func (o *Order) index(who int32) int {
	return slices.IndexFunc(o.entries, func(e Entry) bool { return e.Who == who })
}

// Advance moves to the next moment and returns it. A round with no places starts and ends.
func (o *Order) Advance() Event {
	switch {
	case o.phase == betweenRounds:
		o.round++
		o.next, o.phase = 0, roundOpened
		return Event{StartRound, Nobody, o.round}
	case o.phase == inTurn:
		o.phase = afterTurn
		return Event{EndTurn, o.current.Who, o.round}
	case o.next < len(o.entries):
		o.current = o.entries[o.next]
		o.next++
		o.phase = inTurn
		return Event{StartTurn, o.current.Who, o.round}
	}
	o.phase = betweenRounds
	return Event{EndRound, Nobody, o.round}
}

// CopyFrom makes o an independent copy of other, reusing o's memory where it suffices.
func (o *Order) CopyFrom(other *Order) {
	entries := append(o.entries[:0], other.entries...)
	*o = *other
	o.entries = entries
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
	return h
}

func (e *Entry) appendHash(h uint64) uint64 {
	n := uint64(e.N)
	if e.Left {
		n |= 1 << 7
	}
	h = mix.Add(h, uint64(uint32(e.Who))<<8|n)
	for _, k := range e.Keys {
		h = mix.Add(h, uint64(k))
	}
	return h
}
