// Package clock keeps time: the turn order of a fight with its rounds, places in that order at
// which something runs out, and the seconds to years of the world. All of it is plain data that
// can be cloned, hashed and stopped between two moments; what happens at a moment is for the
// caller. It must never know why somebody acts before another, nor what runs out.
package clock

import "math"

// Time is a moment in seconds since the beginning, or a span of them.
type Time int64

const (
	Second Time = 1
	Round       = 6 * Second
	Minute      = 60 * Second
	Hour        = 60 * Minute
	Day         = 24 * Hour
)

// Never lies after every moment.
const Never Time = math.MaxInt64

// Plus returns the moment d later; a time that does not fit is Never.
func (t Time) Plus(d Time) Time {
	if d > 0 && t > Never-d {
		return Never
	}
	if d < 0 && t < math.MinInt64-d {
		return math.MinInt64
	}
	return t + d
}
