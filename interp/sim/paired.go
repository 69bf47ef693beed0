package sim

import (
	"maps"
	"math"
	"slices"

	"arbiter/stdlib/estimate"
)

// This file estimates the differences between the same fights under two rules.

// RateChange returns the change of a rate, given the fights that turned (1: only after, -1: only before) out of all. The
// interval is that of Agresti and Min (Statistics in Medicine 24, 2005, pages 729 to 740), called Wald+2, which adds
// half a fight to each of the four possible outcomes of a pair, but with the quantile of Student, for twice as many degrees
// of freedom as there are fights that turned: where few did, all in one direction, that of the normal distribution holds
// too seldom. It depends on the fights that flips, not on how common the counted event is.
func RateChange(h Hist, all uint64) Rate {
	if all == 0 {
		return Rate{0, -1, 1}
	}
	up, down := float64(h[1]), float64(h[-1])
	n := float64(all) + 2
	middle := (up - down) / n
	half := pairQuantile(h[1]+h[-1]) / n * math.Sqrt(up+down+1-(up-down)*(up-down)/n)
	return Rate{(up - down) / float64(all), max(-1, middle-half), min(1, middle+half)}
}

// pairQuantile is how many standard errors the interval of a change has to either side, if so many fights differ.
func pairQuantile(differing uint64) float64 {
	return estimate.Student(int(2 * max(1, min(differing, 1<<30))))
}

// widestChange is how wide the interval of a change is if as many fights turn as could well be, given how many have.
func widestChange(h Hist, all uint64) float64 {
	if all == 0 {
		return 2
	}
	flips, n := float64(h[1]+h[-1]), float64(all)+2
	flips = min(n, flips+z*math.Sqrt(flips+z*z/4)+z*z/2) // the upper end for a count
	change := (float64(h[1]) - float64(h[-1])) / n
	return 2 * pairQuantile(h[1]+h[-1]) / n * math.Sqrt(max(0, flips+1-change*change*n))
}

// MeanChange returns the change of a mean, given the distribution of the differences of the fights that differ, out of all,
// and how much the numbers differ themselves of which these are the differences (0: unknown), see estimate.Paired.
func MeanChange(h Hist, all uint64, size float64) Mean {
	m := MeanOf(h, all)
	differing, squares := uint64(0), 0.0
	for _, v := range slices.Sorted(maps.Keys(h)) { // in an order, as numbers with a point depend on it
		if v != 0 {
			differing, squares = differing+h[v], squares+float64(v)*float64(v)*float64(h[v])
		}
	}
	if all < 2 {
		return m
	}
	m.Low, m.High = estimate.Paired(all, differing, m.Mean*float64(all), squares, size)
	return m
}

// maxExactPairs is the number of pairs up to which the exact test is computed; above it the normal approximation is good
// enough.
const maxExactPairs = 1000

// PValueOfFlips returns the two-sided p-value of the exact test of McNemar: the probability of turns at least this
// uneven if both directions are equally likely.
func PValueOfFlips(up, down uint64) float64 {
	n, few := float64(up+down), float64(min(up, down))
	if n == 0 {
		return 1
	}
	if n > maxExactPairs {
		return math.Erfc(max(0, n-2*few-1) / math.Sqrt(2*n))
	}
	sum := 0.0
	all, _ := math.Lgamma(n + 1)
	for k := 0.0; k <= few; k++ {
		a, _ := math.Lgamma(k + 1)
		b, _ := math.Lgamma(n - k + 1)
		sum += math.Exp(all - a - b - n*math.Ln2)
	}
	return min(1, 2*sum)
}

// PValueOfMean returns the probability of a mean difference at least this far from 0 if there is none. With few
// differing fights the normal approximation is overconfident; therefore the result is never below the probability that
// as many coins all land on the same side.
func PValueOfMean(h Hist, all uint64) float64 {
	differing := uint64(0)
	for _, n := range h {
		differing += n
	}
	m := MeanOf(h, all)
	if m.Mean == 0 {
		return 1
	}
	p := 0.0
	if m.Deviation > 0 {
		p = math.Erfc(math.Abs(m.Mean) / m.Deviation * math.Sqrt(float64(all)/2))
	}
	return min(1, max(p, math.Pow(2, 1-float64(differing))))
}

// Holm reports which of several differences are significant (Holm, Scandinavian Journal of Statistics 6, 1979, pages 65
// to 70). If there were none at all, the probability of reporting any is at most 5 %, however many are tested.
func Holm(pValues []float64) []bool {
	order := make([]int, len(pValues))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if pValues[i] < pValues[j] {
			return -1
		}
		if pValues[i] > pValues[j] {
			return 1
		}
		return 0
	})
	significant := make([]bool, len(pValues))
	for rank, i := range order {
		if pValues[i] > 0.05/float64(len(pValues)-rank) {
			break
		}
		significant[i] = true
	}
	return significant
}
