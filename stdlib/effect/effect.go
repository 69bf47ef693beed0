// Package effect keeps the effects that hold in a fight: who bears what, from whom, since when
// and until when, with their memory. A set of them is plain data that can be copied, hashed and
// walked while it changes. It must never know what an effect does.
package effect

import (
	"iter"
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
type Ending uint16

const (
	AtTime  Ending = 1 << iota // at Until.Time
	AtCount                    // at Until.Count
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

// A Set is all effects of a fight. The zero Set is empty. Bearers are small numbers, from Field on.
//
// The effects of one bearer lie side by side, in the order of coming, for they are walked far more often than any comes or
// goes; and what comes or goes moves those of its own bearer alone.
type Set struct {
	of   [][]Instance // by bearer, Field first
	last int32        // the ID given last

	// Of all ends by the clock the first by either, if that is known: until then nothing is due.
	first Until
	known bool
}

// Len returns how many effects there are.
func (s *Set) Len() int {
	n := 0
	for _, list := range s.of {
		n += len(list)
	}
	return n
}

// room makes lists for so many bearers, in the memory of earlier ones where there is some.
func (s *Set) room(bearers int) {
	for len(s.of) < bearers {
		if n := len(s.of); n < cap(s.of) {
			s.of = s.of[:n+1]
			s.of[n] = s.of[n][:0]
		} else {
			s.of = append(s.of, nil)
		}
	}
}

// Add takes the instance in, gives it the next ID and returns that. IDs start at 1.
func (s *Set) Add(i Instance) int32 {
	s.last++
	i.ID = s.last
	s.known = false
	at := int(i.Bearer - Field)
	s.room(at + 1)
	s.of[at] = append(s.of[at], i)
	return i.ID
}

// Remove takes an instance out and says whether it was there.
func (s *Set) Remove(id int32) bool {
	at, i := s.find(id)
	if i < 0 {
		return false
	}
	s.of[at] = slices.Delete(s.of[at], i, i+1)
	return true
}

// ByID returns an instance, or nil. The pointer holds until the set changes.
func (s *Set) ByID(id int32) *Instance {
	at, i := s.find(id)
	if i < 0 {
		return nil
	}
	return &s.of[at][i]
}

// find returns which list an instance lies in, and where; i is -1 if it is nowhere.
func (s *Set) find(id int32) (at, i int) {
	for at, list := range s.of {
		if n := len(list); n == 0 || id < list[0].ID || id > list[n-1].ID {
			continue
		}
		if i := from(list, id); list[i].ID == id {
			return at, i
		}
	}
	return 0, -1
}

// All walks over every instance, by bearer, then in the order of coming. The set must not change meanwhile.
func (s *Set) All() iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		for _, list := range s.of {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// OfBearer returns what somebody bears, in the order of coming. The slice is the set's own and
// holds until the set changes; to walk while effects come and go, use After.
func (s *Set) OfBearer(bearer int32) []Instance {
	if at := int(bearer) - int(Field); uint(at) < uint(len(s.of)) {
		return s.of[at]
	}
	return nil
}

// After returns the first that somebody bears and that came after id, or nil. A walk that starts
// after 0 and goes on after each ID meets what stays, and what comes meanwhile, exactly once.
func (s *Set) After(bearer, id int32) *Instance {
	list := s.OfBearer(bearer)
	if n := len(list); n == 0 || list[n-1].ID <= id {
		return nil
	}
	return &list[from(list, id+1)]
}

// Find returns the first instance of def that somebody bears, or nil.
func (s *Set) Find(bearer, def int32) *Instance {
	list := s.OfBearer(bearer)
	for i := range list {
		if list[i].Def == def {
			return &list[i]
		}
	}
	return nil
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
	for e := range s.All() {
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

// from returns the index of the first instance whose ID is id or above, or where it would be.
func from(list []Instance, id int32) int {
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

// CopyFrom makes s equal to other and apart from it, in s's own memory where that suffices.
func (s *Set) CopyFrom(other *Set) {
	s.of = s.of[:0]
	s.room(len(other.of))
	for i, list := range other.of {
		s.of[i] = append(s.of[i][:0], list...)
	}
	s.last, s.known = other.last, false
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
