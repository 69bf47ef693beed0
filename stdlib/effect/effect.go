// Package effect keeps the effects that hold in a fight: who bears what, from whom, since when
// and until when, with their memory. A set of them is plain data that can be cloned, hashed and
// walked while it changes. It must never know what an effect does.
package effect

import (
	"slices"

	"arbiter/stdlib/clock"
	"arbiter/stdlib/mix"
)

// NoSource and NoSite are an effect's Source and Site when it has none; what bears the effects
// of the whole field is the Bearer Field.
const (
	NoSource int32 = -1
	NoSite   int32 = -1
	Field    int32 = -1
)

// An Ending says by which clocks an instance ends; with several bits the first to come ends it.
// The upper bits are the caller's, for endings that no clock knows.
type Ending uint16

const (
	AtTime  Ending = 1 << iota // at Until.Time
	AtCount                    // at Until.Count
	AtCaller
)

// Until is when an instance ends by the clock.
type Until struct {
	Ending Ending
	Time   clock.Time
	Count  clock.Expiry
}

// Vals is the memory of an instance.
type Vals [8]int64

// An Instance is one effect on one bearer.
type Instance struct {
	ID     int32 // given by Add, rising: the order of coming
	Def    int32 // which effect it is
	Bearer int32
	Source int32
	Site   int32 // where it stands, or what it came with
	Round  int32 // the round in which it began
	Since  clock.Time
	Until  Until
	Vals   Vals
}

// A Set is all effects of a fight. The zero Set is empty.
//
// The instances are sorted by bearer, then by coming: the effects of one bearer lie side by side,
// for they are walked far more often than any comes or goes.
type Set struct {
	list []Instance
	last int32 // the ID given last

	// Of all ends by the clock the first by either, if that is known: until then nothing is due.
	first Until
	known bool
}

// Len returns how many effects there are.
func (s *Set) Len() int { return len(s.list) }

// Add takes the instance in, gives it the next ID and returns that. IDs start at 1.
func (s *Set) Add(i Instance) int32 {
	s.last++
	i.ID = s.last
	s.known = false
	s.list = slices.Insert(s.list, s.from(i.Bearer, i.ID), i)
	return i.ID
}

// Remove takes an instance out and says whether it was there.
func (s *Set) Remove(id int32) bool {
	for i := range s.list {
		if s.list[i].ID == id {
			s.list = slices.Delete(s.list, i, i+1)
			return true
		}
	}
	return false
}

// ByID returns an instance, or nil. The pointer holds until the set changes.
func (s *Set) ByID(id int32) *Instance {
	for i := range s.list {
		if s.list[i].ID == id {
			return &s.list[i]
		}
	}
	return nil
}

// All returns every instance, by bearer, then in the order of coming. The slice is the set's own
// and holds until the set changes.
func (s *Set) All() []Instance { return s.list }

// OfBearer returns what somebody bears, in the order of coming. The slice is the set's own and
// holds until the set changes; to walk while effects come and go, use After.
func (s *Set) OfBearer(bearer int32) []Instance {
	low := s.from(bearer, 0)
	high := low
	for high < len(s.list) && s.list[high].Bearer == bearer {
		high++
	}
	return s.list[low:high:high]
}

// After returns the first that somebody bears and that came after id, or nil. A walk that starts
// after 0 and goes on after each ID meets what stays, and what comes meanwhile, exactly once.
func (s *Set) After(bearer, id int32) *Instance {
	i := len(s.list)
	if id+1 > id {
		i = s.from(bearer, id+1)
	}
	if i == len(s.list) || s.list[i].Bearer != bearer {
		return nil
	}
	return &s.list[i]
}

// Find returns the first instance of def that somebody bears, or nil.
func (s *Set) Find(bearer, def int32) *Instance {
	for i := s.from(bearer, 0); i < len(s.list) && s.list[i].Bearer == bearer; i++ {
		if s.list[i].Def == def {
			return &s.list[i]
		}
	}
	return nil
}

// Count returns how many instances of def somebody bears.
func (s *Set) Count(bearer, def int32) int {
	n := 0
	for i := s.from(bearer, 0); i < len(s.list) && s.list[i].Bearer == bearer; i++ {
		if s.list[i].Def == def {
			n++
		}
	}
	return n
}

// DueAt returns the instance, of all bearers the first to have come, whose time has run out or
// whose place in the order is reached, or nil. The order is nil when no rounds are kept. It is
// called again once that instance is removed, so that the end of one effect may end others.
//
// What has come is known by Add; whoever lets an instance end sooner than it was to must say so by Sooner.
func (s *Set) DueAt(now clock.Time, order *clock.Order) *Instance {
	if s.known && !s.first.due(now, order) {
		return nil
	}
	var due *Instance
	s.first, s.known = Until{}, true
	for i := range s.list {
		e := &s.list[i]
		if e.Until.Ending&(AtTime|AtCount) == 0 { // the most by far
			continue
		}
		s.first.join(&e.Until)
		if (due == nil || e.ID < due.ID) && e.Until.due(now, order) {
			due = e
		}
	}
	return due
}

// Sooner says that an instance may end sooner than it was to.
func (s *Set) Sooner() { s.known = false }

func (u *Until) due(now clock.Time, order *clock.Order) bool {
	return u.Ending&AtTime != 0 && u.Time <= now || u.Ending&AtCount != 0 && order != nil && order.Reached(u.Count)
}

// join makes u end with each clock when the first of both does.
func (u *Until) join(v *Until) {
	if v.Ending&AtTime != 0 && (u.Ending&AtTime == 0 || v.Time < u.Time) {
		u.Time = v.Time
	}
	if v.Ending&AtCount != 0 && (u.Ending&AtCount == 0 || v.Count.Before(u.Count)) {
		u.Count = v.Count
	}
	u.Ending |= v.Ending & (AtTime | AtCount)
}

// from returns the index of the first instance of bearer whose ID is id or above, or where it
// would be.
func (s *Set) from(bearer, id int32) int {
	low, high := 0, len(s.list)
	for low < high {
		mid := int(uint(low+high) / 2)
		e := &s.list[mid]
		if e.Bearer < bearer || e.Bearer == bearer && e.ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// CopyFrom makes s equal to other and apart from it, in s's own memory where that suffices.
func (s *Set) CopyFrom(other *Set) {
	s.list = append(s.list[:0], other.list...)
	s.last, s.known = other.last, false
}

// Clone returns a set equal to s and apart from it.
func (s *Set) Clone() *Set {
	c := new(Set)
	c.CopyFrom(s)
	return c
}

// AppendHash takes the instance, without its memory, into the hash h.
func (e *Instance) AppendHash(h uint64) uint64 {
	h = mix.Add(h, uint64(uint32(e.ID))<<32|uint64(uint32(e.Def)))
	h = mix.Add(h, uint64(uint32(e.Bearer))<<32|uint64(uint32(e.Source)))
	h = mix.Add(h, uint64(uint32(e.Site))<<32|uint64(uint32(e.Round)))
	h = mix.Add(h, uint64(e.Since))
	h = mix.Add(h, uint64(e.Until.Ending))
	h = mix.Add(h, uint64(e.Until.Time))
	return e.Until.Count.AppendHash(h)
}
