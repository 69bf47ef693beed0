// Package resource spends and regains: a number that stops at a floor and at a ceiling, with the amount that did not
// fit. What happens to the overflow is for the rules. The package must never know what is spent.
package resource

import "math"

// NoFloor and NoCeiling are the bounds of an unbounded resource.
const (
	NoFloor   = math.MinInt64
	NoCeiling = math.MaxInt64
)

// Spend subtracts amount, down to floor; left is what could not be subtracted. A resource already below its floor gives
// nothing, and a negative amount subtracts nothing.
func Spend(current, amount, floor int64) (now, left int64) {
	taken := fit(amount, current, floor)
	return current - taken, max(amount, 0) - taken
}

// Gain adds amount, up to ceiling; over is what did not fit. A resource already above its ceiling takes nothing, and a
// negative amount adds nothing.
func Gain(current, amount, ceiling int64) (now, over int64) {
	added := fit(amount, ceiling, current)
	return current + added, max(amount, 0) - added
}

// fit returns the part of amount that fits between low and high. The difference of two int64 always fits a uint64, so
// nothing overflows.
func fit(amount, high, low int64) int64 {
	if amount <= 0 || high <= low {
		return 0
	}
	return int64(min(uint64(amount), uint64(high)-uint64(low)))
}
