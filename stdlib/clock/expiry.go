package clock

import (
	"math"

	"arbiter/stdlib/mix"
)

// An Expiry is the moment just before a place in the turn order of some round, whoever has that place by then.
type Expiry struct {
	Round int32
	Count Keys
}

// Expiry returns the moment just before the current place in the order, the given number of rounds later. Before the
// first turn of a round that place is the top of the order, after the last turn the bottom.
func (o *Order) Expiry(rounds int32) Expiry {
	return Expiry{Round: int32(min(int64(o.round)+int64(rounds), math.MaxInt32)), Count: o.currentKeys()}
}

// Reached reports whether the order has reached the expiry: its round is past, or the current or last turn is at or
// below its place.
func (o *Order) Reached(x Expiry) bool {
	return o.round > x.Round || o.round == x.Round && x.Count.Compare(o.currentKeys()) <= 0
}

// Before reports whether x is before y: in an earlier round, or higher up in the same round.
func (x Expiry) Before(y Expiry) bool {
	return x.Round < y.Round || x.Round == y.Round && x.Count.Compare(y.Count) < 0
}

// currentKeys returns the keys of the place that the round has reached.
func (o *Order) currentKeys() Keys {
	switch o.phase {
	case betweenRounds:
		if o.round > 0 {
			return bottom
		}
		return top
	case roundOpened:
		return top
	}
	return o.current.Keys
}

var (
	top    = Keys{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	bottom = Keys{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64}
)

// AppendHash adds the expiry to the hash h.
func (x Expiry) AppendHash(h uint64) uint64 {
	h = mix.Add(h, uint64(uint32(x.Round)))
	for _, k := range x.Count {
		h = mix.Add(h, uint64(k))
	}
	return h
}
