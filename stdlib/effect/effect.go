// Package effect stores the effects active in a fight: for each its bearer, its source, when it began and ends, and its
// memory. A set of them is plain data that can be copied, hashed, and iterated over while it changes. The package must
// never know what an effect does.
package effect

import (
	"iter"
	"slices"
	"unsafe"

	"arbiter/stdlib/clock"
	"arbiter/stdlib/mix"
)

// NoSource and NoOrigin are the Source and Site of an effect that has none. Field is the Bearer of effects on the whole
// field.
const (
	NoSource int32 = -1
	NoOrigin int32 = -1
	Field    int32 = -1
)

// An Ending says which clocks end an instance; with several bits the first one to be reached does.
type Ending uint16

const (
	AtTime  Ending = 1 << iota // at Until.Time
	AtCount                    // at Until.Count
)

// Until says when the clock ends an instance.
type Until struct {
	Ending Ending
	Time   clock.Time
	Count  clock.Expiry
}

// Vals is the memory of an instance.
type Vals [8]int64

// An Instance is one effect on one bearer.
type Instance struct {
	ID     int32 // given by Add, ascending: the order of addition
	Def    int32 // index of the effect's definition
	Bearer int32
	Source int32
	Origin int32 // why it exists, in the terms of the caller
	Round  int32 // the round in which it began
	Since  clock.Time
	Until  Until
	Vals   Vals
}

// A Set holds all effects of a fight. The zero Set is empty. Bearers are small integers, starting at Field.
//
// The effects of one bearer are contiguous, in the order of addition, since iterating is far more frequent than adding
// or removing; adding or removing moves only effects of the same bearer.
type Set struct {
	byBearer [][]Instance // by bearer, Field first
	last     int32        // the last ID given

	// The earliest end on each clock of all instances, if known: nothing is due before it.
	nextEnds      Until
	nextEndsKnown bool

	// What was found to be due at a moment and has not been returned yet, so that many that end together are found
	// together.
	due   []int32
	dueAt moment
}

// moment is a time and a place in a turn order, if there is one.
type moment struct {
	time    clock.Time
	ordered bool
	place   clock.Expiry
}

// Len returns the number of effects.
func (s *Set) Len() int {
	n := 0
	for _, list := range s.byBearer {
		n += len(list)
	}
	return n
}

// Bytes returns the memory that the set holds besides itself, approximately.
func (s *Set) Bytes() int {
	n := 0
	for _, list := range s.byBearer[:cap(s.byBearer)] {
		n += int(unsafe.Sizeof(list)) + cap(list)*int(unsafe.Sizeof(Instance{}))
	}
	return n
}

// grow makes lists for the given number of bearers, reusing the memory of earlier ones.
func (s *Set) grow(bearers int) {
	for len(s.byBearer) < bearers {
		if n := len(s.byBearer); n < cap(s.byBearer) {
			s.byBearer = s.byBearer[:n+1]
			s.byBearer[n] = s.byBearer[n][:0]
		} else {
			s.byBearer = append(s.byBearer, nil)
		}
	}
}

// Add adds the instance, gives it the next ID and returns that. IDs start at 1.
func (s *Set) Add(i Instance) int32 {
	s.last++
	i.ID = s.last
	s.nextEndsKnown = false
	at := int(i.Bearer - Field)
	s.grow(at + 1)
	s.byBearer[at] = append(s.byBearer[at], i)
	return i.ID
}

// Remove removes an instance and reports whether it was there.
func (s *Set) Remove(id int32) bool {
	at, i := s.find(id)
	if i < 0 {
		return false
	}
	s.byBearer[at] = slices.Delete(s.byBearer[at], i, i+1)
	return true
}

// ByID returns an instance, or nil. The pointer is valid until the set changes.
func (s *Set) ByID(id int32) *Instance {
	at, i := s.find(id)
	if i < 0 {
		return nil
	}
	return &s.byBearer[at][i]
}

// find returns the list and the index of an instance; i is -1 if there is none.
func (s *Set) find(id int32) (at, i int) {
	for at, list := range s.byBearer {
		if n := len(list); n == 0 || id < list[0].ID || id > list[n-1].ID {
			continue
		}
		if i := indexFrom(list, id); list[i].ID == id {
			return at, i
		}
	}
	return 0, -1
}

// All iterates over every instance, by bearer, then in the order of addition. The set must not change meanwhile.
func (s *Set) All() iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		for _, list := range s.byBearer {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// OfBearer returns the effects of a bearer in the order of addition. The slice belongs to the set and is valid until
// the set changes; to iterate while effects are added and removed, use After.
func (s *Set) OfBearer(bearer int32) []Instance {
	if at := int(bearer) - int(Field); uint(at) < uint(len(s.byBearer)) {
		return s.byBearer[at]
	}
	return nil
}

// After returns the first effect of a bearer added after id, or nil. An iteration that starts with id 0 and continues
// with each returned ID visits what stays, and what is added meanwhile, exactly once.
func (s *Set) After(bearer, id int32) *Instance {
	list := s.OfBearer(bearer)
	if n := len(list); n == 0 || list[n-1].ID <= id {
		return nil
	}
	return &list[indexFrom(list, id+1)]
}

// Find returns the bearer's first instance of def, or nil.
func (s *Set) Find(bearer, def int32) *Instance {
	list := s.OfBearer(bearer)
	for i := range list {
		if list[i].Def == def {
			return &list[i]
		}
	}
	return nil
}

// DueAt returns the earliest added instance of all bearers whose time has run out or whose place in the order is
// reached, or nil. The order is nil when there are no rounds. Call it again after removing that instance, since the end
// of one effect may end others.
//
// Add keeps track of new instances; after making an instance end earlier, the caller must call MarkEndsChanged.
func (s *Set) DueAt(now clock.Time, order *clock.Order) *Instance {
	at := moment{time: now}
	if order != nil {
		at.ordered, at.place = true, order.Expiry(0)
	}
	if s.dueAt != at {
		s.due, s.dueAt = s.due[:0], at
	}
	for len(s.due) > 0 { // what has been added since is later than these
		e := s.ByID(s.due[0])
		if e != nil && e.Until.isDue(now, order) {
			return e
		}
		s.due = s.due[1:]
	}
	if s.nextEndsKnown && !s.nextEnds.isDue(now, order) {
		return nil
	}
	s.nextEnds, s.nextEndsKnown = Until{}, true
	s.due = s.due[:0]
	for e := range s.All() {
		if e.Until.Ending&(AtTime|AtCount) == 0 { // most of them by far
			continue
		}
		s.nextEnds.lowerTo(&e.Until)
		if e.Until.isDue(now, order) {
			s.due = append(s.due, e.ID)
		}
	}
	if len(s.due) == 0 {
		return nil
	}
	slices.Sort(s.due)
	return s.ByID(s.due[0])
}

// MarkEndsChanged records that some instance may end earlier than before.
func (s *Set) MarkEndsChanged() { s.nextEndsKnown, s.due = false, s.due[:0] }

func (u *Until) isDue(now clock.Time, order *clock.Order) bool {
	return u.Ending&AtTime != 0 && u.Time <= now || u.Ending&AtCount != 0 && order != nil && order.Reached(u.Count)
}

// lowerTo lowers each clock of u to that of v, if v's is earlier.
func (u *Until) lowerTo(v *Until) {
	if v.Ending&AtTime != 0 && (u.Ending&AtTime == 0 || v.Time < u.Time) {
		u.Time = v.Time
	}
	if v.Ending&AtCount != 0 && (u.Ending&AtCount == 0 || v.Count.Before(u.Count)) {
		u.Count = v.Count
	}
	u.Ending |= v.Ending & (AtTime | AtCount)
}

// indexFrom returns the index of the first instance whose ID is at least id, or where it would be.
func indexFrom(list []Instance, id int32) int {
	low, high := 0, len(list)
	for low < high {
		if mid := int(uint(low+high) / 2); list[mid].ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// CopyFrom makes s an independent copy of other, reusing s's memory where it suffices.
func (s *Set) CopyFrom(other *Set) {
	s.byBearer = s.byBearer[:0]
	s.grow(len(other.byBearer))
	for i, list := range other.byBearer {
		s.byBearer[i] = append(s.byBearer[i][:0], list...)
	}
	s.last = other.last
	s.MarkEndsChanged()
}

// AppendHash adds the instance, without its memory, to the hash h.
func (e *Instance) AppendHash(h uint64) uint64 {
	h = mix.Add(h, uint64(uint32(e.ID))<<32|uint64(uint32(e.Def)))
	h = mix.Add(h, uint64(uint32(e.Bearer))<<32|uint64(uint32(e.Source)))
	h = mix.Add(h, uint64(uint32(e.Origin))<<32|uint64(uint32(e.Round)))
	h = mix.Add(h, uint64(e.Since))
	h = mix.Add(h, uint64(e.Until.Ending))
	h = mix.Add(h, uint64(e.Until.Time))
	return e.Until.Count.AppendHash(h)
}
