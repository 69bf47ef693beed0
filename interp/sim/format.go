package sim

import (
	"math"
	"strconv"
	"strings"
)

// This file formats estimates: to one decimal place, since more would promise a precision that they lack, unless the
// difference from zero is what they tell.

// Percent formats a share as a percentage.
func Percent(share float64) string { return Number(100*share) + " %" }

// Number formats a number; what rounds to zero has no sign.
func Number(v float64) string { return number(v, 1) }

func number(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// signed formats a change, with its sign unless it rounds to zero.
func signed(v float64, digits int) string {
	text := number(v, digits)
	if v > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// maxDigits are the most decimal places of a change.
const maxDigits = 4

// Words formats a change and the bounds of its interval, of a share in percentage points. A significant change has as
// many decimal places as it takes to see that the interval excludes zero.
func (f *FigureReport) Words() (change, low, high string) {
	digits := f.digits()
	scale := f.scale()
	return signed(scale*f.Change, digits), signed(scale*f.Low, digits), signed(scale*f.High, digits)
}

func (f *FigureReport) scale() float64 {
	if f.Share {
		return 100
	}
	return 1
}

func (f *FigureReport) digits() int {
	nearest := f.scale() * min(math.Abs(f.Low), math.Abs(f.High))
	digits := 1
	for f.Significant && f.Low*f.High > 0 && digits < maxDigits && strings.Trim(number(nearest, digits), "0.") == "" {
		digits++
	}
	return digits
}
