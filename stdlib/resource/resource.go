// Package resource spends and regains: a number that stops at a floor and at a ceiling, and says
// what did not fit. What overflows, and where it goes, is for the rules. It must never know what
// is spent.
package resource

import "math"

// NoFloor and NoCeiling are the bounds of a resource that has none.
const (
	NoFloor   = math.MinInt64
	NoCeiling = math.MaxInt64
)

// Spend takes amount away, down to floor; left is what could not be taken. A resource that is
// below its floor already gives nothing, and an amount below zero takes nothing.
func Spend(current, amount, floor int64) (now, left int64) {
	taken := fit(amount, current, floor)
	return current - taken, max(amount, 0) - taken
}

// Gain adds amount, up to ceiling; over is what did not fit. A resource that is above its
// ceiling already takes nothing, and an amount below zero adds nothing.
func Gain(current, amount, ceiling int64) (now, over int64) {
	added := fit(amount, ceiling, current)
	return current + added, max(amount, 0) - added
}

// fit returns as much of amount as lies between low and high. The room between two int64 always
// fits a uint64, so nothing wraps.
func fit(amount, high, low int64) int64 {
	if amount <= 0 || high <= low {
		return 0
	}
	return int64(min(uint64(amount), uint64(high)-uint64(low)))
}
