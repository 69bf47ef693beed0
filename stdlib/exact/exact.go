// Package exact provides integer arithmetic that reports overflow, and division that rounds down for negative numbers
// too. The package must never know what is counted.
package exact

import "math"

// Min and Max are the least and the greatest number. The integers of 64 bits below Min are no numbers: callers mark with
// them what has no value.
const (
	Min = -9_223_372_036_854_775_800
	Max = math.MaxInt64
)

// Add returns a + b, and whether it is a number.
func Add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0) && sum >= Min
}

// Sub returns a - b, and whether it is a number.
func Sub(a, b int64) (difference int64, ok bool) {
	difference = a - b
	return difference, (difference < a) == (b > 0) && difference >= Min
}

// Mul returns a * b, and whether it is a number.
func Mul(a, b int64) (product int64, ok bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	product = a * b
	// The only pair that the division below does not detect: -(-2^63) wraps to itself.
	if a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return product, false
	}
	return product, product/b == a && product >= Min
}

// FloorDiv returns a / b rounded down. ok is false for b = 0 and for a quotient that is no number.
func FloorDiv(a, b int64) (quotient int64, ok bool) {
	if b == 0 || b == -1 && a == math.MinInt64 {
		return 0, false
	}
	quotient = a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		quotient--
	}
	return quotient, quotient >= Min
}
