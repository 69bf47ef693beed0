// Package clock keeps time: the turn order of a fight with its rounds, expiries at places in that order, and world time
// in seconds. All of it is plain data that can be cloned, hashed and stopped between two moments; what happens at a
// moment is up to the caller. The package must never know why one combatant acts before another, or what expires.
package clock

import "math"

// Time is a point in time in seconds since the start, or a duration in seconds.
type Time int64

const (
	Second Time = 1
	Round       = 6 * Second
	Minute      = 60 * Second
	Hour        = 60 * Minute
	Day         = 24 * Hour
)

// Never is after every moment.
const Never Time = math.MaxInt64

// Plus returns the time d seconds later; a time that does not fit is Never.
func (t Time) Plus(d Time) Time {
	if d > 0 && t > Never-d {
		return Never
	}
	if d < 0 && t < math.MinInt64-d {
		return math.MinInt64
	}
	return t + d
}
