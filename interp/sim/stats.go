package sim

import (
	"math"
	"math/big"
	"slices"
)

// This file computes estimates from counts.

// z is the number of standard errors on each side of a 95 % confidence interval.
const z = 1.959963984540054

// Rate is a share of all fights with its 95 % confidence interval (Wilson).
type Rate struct {
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// RateOf returns the rate of count out of all.
func RateOf(count, all uint64) Rate {
	if all == 0 {
		return Rate{0, 0, 1}
	}
	return wilson(float64(count)/float64(all), float64(all))
}

// wilson is the rate p as n fights give it.
func wilson(p, n float64) Rate {
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return Rate{p, max(0, middle-half), min(1, middle+half)}
}

// Mean is a mean with its 95 % confidence interval.
type Mean struct {
	Mean      float64 `json:"mean"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Deviation float64 `json:"deviation"` // standard deviation, of one fight
}

// MeanOf returns the mean of a distribution over all fights; fights missing from it count as 0.
func MeanOf(h Hist, all uint64) Mean {
	if all == 0 {
		return Mean{}
	}
	// Sums of integers do not depend on the order.
	sum, squares, one := new(big.Int), new(big.Int), new(big.Int)
	for v, n := range h {
		x, times := big.NewInt(v), new(big.Int).SetUint64(n)
		sum.Add(sum, one.Mul(x, times))
		squares.Add(squares, one.Mul(one.Mul(x, x), times))
	}
	n := new(big.Int).SetUint64(all)
	mean, _ := new(big.Rat).SetFrac(sum, n).Float64()
	m := Mean{Mean: mean, Low: mean, High: mean}
	if all > 1 {
		// n * squares - sum^2 is exact, and never negative.
		top := new(big.Int).Sub(new(big.Int).Mul(n, squares), new(big.Int).Mul(sum, sum))
		variance, _ := new(big.Rat).SetFrac(top, new(big.Int).Mul(n, new(big.Int).Sub(n, big.NewInt(1)))).Float64()
		m.Deviation = math.Sqrt(variance)
		half := z * math.Sqrt(variance/float64(all))
		m.Low, m.High = mean-half, mean+half
	}
	return m
}

// quantile returns the least value that at least this share of all fights does not exceed; fights missing from the
// distribution count as 0.
func quantile(h Hist, all uint64, share float64) int64 {
	values := make([]int64, 0, len(h)+1)
	counted := uint64(0)
	for v, n := range h {
		values, counted = append(values, v), counted+n
	}
	rest := all - min(counted, all)
	if _, has := h[0]; rest > 0 && !has {
		values = append(values, 0)
	}
	slices.Sort(values)
	wanted := uint64(math.Ceil(share * float64(all)))
	sum := uint64(0)
	for _, v := range values {
		sum += h[v]
		if v == 0 {
			sum += rest
		}
		if sum >= wanted {
			return v
		}
	}
	return 0
}
