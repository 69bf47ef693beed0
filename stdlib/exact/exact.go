// Package exact provides integer arithmetic that reports overflow, and division that rounds down for negative numbers
// too. The package must never know what is counted.
package exact

import "math"

// Add returns a + b, and whether it fits.
func Add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0)
}

// Sub returns a - b, and whether it fits.
func Sub(a, b int64) (difference int64, ok bool) {
	difference = a - b
	return difference, (difference < a) == (b > 0)
}

// Mul returns a * b, and whether it fits.
func Mul(a, b int64) (product int64, ok bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	product = a * b
	// The only pair that the division below does not detect: -(-2^63) wraps to itself.
	if a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return product, false
	}
	return product, product/b == a
}

// FloorDiv returns a / b rounded down. ok is false for b = 0 and for the one quotient that overflows.
func FloorDiv(a, b int64) (quotient int64, ok bool) {
	if b == 0 || b == -1 && a == math.MinInt64 {
		return 0, false
	}
	quotient = a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		quotient--
	}
	return quotient, true
}
