// Package estimate estimates shares and means from repeated observations by intervals that hold at all times: whoever
// plays on until an interval looks right has not spoiled it. With probability 1 - alpha such an interval, a confidence
// sequence, contains the truth after every number of observations at once. That takes more observations than an interval
// that is looked at only once, and is what a search needs that decides by what it has seen whether to go on.
//
// It must never know what is observed.
package estimate

import "math"

// Estimate is what is known of an unknown number.
type Estimate interface {
	// Value is the number as observed; NaN without observations.
	Value() float64
	// Interval contains the unknown number, at all times, with probability 1 - alpha.
	Interval(alpha float64) (low, high float64)
	// PValue is how well the observations agree with the unknown number being x. If it is x, the probability that this is
	// ever at most p is at most p.
	PValue(x float64) float64
}

// Share is how many of all observations were hits.
//
// Its interval is that of a mixture over all shares (Robbins, Annals of Mathematical Statistics 41, 1970): under the
// true share, the likelihood averaged over all shares, divided by that of the true one, is a martingale which begins at
// 1, so by Ville's inequality it exceeds 1/alpha with probability at most alpha.
type Share struct{ Hits, All uint64 }

// Value implements Estimate.
func (s Share) Value() float64 { return float64(s.Hits) / float64(s.All) }

// PValue implements Estimate.
func (s Share) PValue(x float64) float64 { return math.Min(1, math.Exp(-s.evidence(x))) }

// evidence is the logarithm of the martingale for a share.
func (s Share) evidence(x float64) float64 {
	hits, misses := float64(s.Hits), float64(s.All-s.Hits)
	if x <= 0 && hits > 0 || x >= 1 && misses > 0 {
		return math.Inf(1)
	}
	a, _ := math.Lgamma(hits + 1)
	b, _ := math.Lgamma(misses + 1)
	c, _ := math.Lgamma(hits + misses + 2)
	e := a + b - c
	if hits > 0 {
		e -= hits * math.Log(x)
	}
	if misses > 0 {
		e -= misses * math.Log1p(-x)
	}
	return e
}

// Interval implements Estimate.
func (s Share) Interval(alpha float64) (low, high float64) {
	if s.All == 0 {
		return 0, 1
	}
	return s.end(alpha, 0), s.end(alpha, 1)
}

// end finds where the evidence reaches its limit between the observed share, where it is least, and one end.
func (s Share) end(alpha, outer float64) float64 {
	inner, limit := s.Value(), -math.Log(alpha)
	if s.evidence(outer) <= limit {
		return outer
	}
	for range 60 {
		if x := (inner + outer) / 2; s.evidence(x) > limit {
			outer = x
		} else {
			inner = x
		}
	}
	return outer
}

// Mean is the count, the sum and the sum of the squares of observations that are whole numbers.
//
// Its interval is that of a normal mixture with the observed deviation. It holds in the limit of many observations
// (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024); before LeastObserved it is the whole
// line.
type Mean struct {
	All     uint64
	Sum     float64
	Squares float64
}

// LeastObserved is the number of observations before which a mean says nothing.
const LeastObserved = 30

// Value implements Estimate.
func (m Mean) Value() float64 { return m.Sum / float64(m.All) }

// variance is that of one observation. One square of a unit is added to the sum: observations that have all been the same
// may still differ by a unit.
func (m Mean) variance() float64 {
	n := float64(m.All)
	return (math.Max(0, m.Squares-m.Sum*m.Sum/n) + 1) / (n - 1)
}

// spread is the variance of the mixture in units of that of the observations, chosen such that the interval is narrowest
// at about a thousand observations and a probability of error of a few percent.
const spread = 0.01

// PValue implements Estimate.
func (m Mean) PValue(x float64) float64 {
	if m.All < LeastObserved {
		return 1
	}
	n := float64(m.All)
	d := m.Value() - x
	return math.Min(1, math.Exp(math.Log1p(n*spread)/2-spread*n*n*d*d/(2*m.variance()*(1+n*spread))))
}

// Interval implements Estimate.
func (m Mean) Interval(alpha float64) (low, high float64) {
	if m.All < LeastObserved {
		return math.Inf(-1), math.Inf(1)
	}
	n := float64(m.All)
	half := math.Sqrt(2 * m.variance() * (1 + n*spread) / (spread * n * n) * (math.Log1p(n*spread)/2 - math.Log(alpha)))
	return m.Value() - half, m.Value() + half
}
