package rate

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file compares the order of measured difficulties with the order of what is printed.

// ParsePrinted reads a printed rating: 3, or 1/2.
func ParsePrinted(text string) (float64, bool) {
	over, under, isFraction := strings.Cut(strings.TrimSpace(text), "/")
	a, err := strconv.ParseFloat(over, 64)
	if err != nil || !isFraction {
		return a, err == nil
	}
	b, err := strconv.ParseFloat(under, 64)
	return a / b, err == nil && b > 0
}

// Ranks returns the rank of each value, from 1; those that are tied share the mean of their ranks.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// Agreement is the rank correlation (Spearman) of two lists, from -1 to 1: 1 if both have the same order. It is 0 if
// either has no order.
func Agreement(a, b []float64) float64 {
	x, y := Ranks(a), Ranks(b)
	middle := float64(len(x)+1) / 2
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-middle, y[i]-middle
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// Surprises returns how far above (positive) or below its printed rank each measured rank is, as a share of all.
func Surprises(measured, printed []float64) []float64 {
	x, y := Ranks(measured), Ranks(printed)
	for i := range x {
		x[i] = (x[i] - y[i]) / float64(len(x))
	}
	return x
}
