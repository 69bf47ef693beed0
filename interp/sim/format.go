package sim

import "strconv"

// This file formats estimates: to one decimal place, since more would promise a precision that they lack.

// Percent formats a share as a percentage.
func Percent(share float64) string { return Number(100*share) + " %" }

// Number formats a number; what rounds to zero has no sign.
func Number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	if text == "-0.0" {
		return "0.0"
	}
	return text
}

// Signed formats a change, with its sign unless it rounds to zero.
func Signed(v float64) string {
	text := Number(v)
	if v > 0 && text != "0.0" {
		return "+" + text
	}
	return text
}
