package clock

import (
	"math"

	"arbiter/stdlib/mix"
)

// An Expiry is just before a place in the order of some round, whoever has that place by then.
type Expiry struct {
	Round int32
	Count Keys
}

// Expiry returns the moment just before this same place in the order, rounds later. Before the
// first turn of a round that is the top of the order, after the last turn the bottom.
func (o *Order) Expiry(rounds int32) Expiry {
	return Expiry{Round: int32(min(int64(o.round)+int64(rounds), math.MaxInt32)), Count: o.place()}
}

// Reached says whether the order has come to the expiry: its round is past, or the turn that is
// going on, or went last, stands at its place or below.
func (o *Order) Reached(x Expiry) bool {
	return o.round > x.Round || o.round == x.Round && x.Count.Compare(o.place()) <= 0
}

// Before says whether x comes before y in every order: in an earlier round, or higher up in the same.
func (x Expiry) Before(y Expiry) bool {
	return x.Round < y.Round || x.Round == y.Round && x.Count.Compare(y.Count) < 0
}

// place returns the keys that the round has come down to.
func (o *Order) place() Keys {
	switch o.phase {
	case between:
		if o.round > 0 {
			return bottom
		}
		return top
	case opened:
		return top
	}
	return o.current.Keys
}

var (
	top    = Keys{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	bottom = Keys{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64}
)

// AppendHash takes the expiry into the hash h.
func (x Expiry) AppendHash(h uint64) uint64 {
	h = mix.Add(h, uint64(uint32(x.Round)))
	for _, k := range x.Count {
		h = mix.Add(h, uint64(k))
	}
	return h
}
