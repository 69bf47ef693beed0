package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"arbiter/stdlib/estimate"
)

// Published or independently computed figures.
func TestPairedEstimates(t *testing.T) {
	near := func(what string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	// The example of diffpropci.mp in the R package PropCIs: of 160 pairs, 40 turn one way and 20 the other. It has the
	// quantile of the normal distribution.
	r := RateChange(Hist{-1: 40, 1: 20}, 160)
	near("rate", r.Rate, -20.0/160, 1e-12)
	middle, wider := (-0.21601726-0.03089632)/2, estimate.Student(120)/z
	near("low", r.Low, middle+wider*(-0.21601726-middle), 1e-8)
	near("high", r.High, middle+wider*(-0.03089632-middle), 1e-8)
	// If nothing has turned, the interval is symmetric, and has in it what nothing of 98 can be: up to 3.7 of 100.
	r = RateChange(nil, 98)
	near("low of none", r.Low, -estimate.Student(2)/100, 1e-12)
	near("high of none", r.High, estimate.Student(2)/100, 1e-12)
	if r := RateChange(nil, 0); r.Low != -1 || r.High != 1 {
		t.Errorf("of nothing: %+v", r)
	}

	near("coins", PValueOfFlips(8, 2), 2*(1+10+45)/1024.0, 1e-12)
	near("as many", PValueOfFlips(5, 5), 1, 0)
	near("none", PValueOfFlips(0, 0), 1, 0)
	near("many, counted out", PValueOfFlips(540, 460), 0.0124, 1e-4) // from a table: 2 P(X <= 460) of 1000 coins
	near("more, by the normal distribution", PValueOfFlips(541, 460), 0.0114, 3e-4)

	// Mean 1 and standard deviation 2 of 100 fights: five standard errors.
	h := Hist{-1: 50, 3: 50}
	near("five standard errors", PValueOfMean(h, 100), math.Erfc(10/MeanOf(h, 100).Deviation/math.Sqrt2), 1e-15)
	near("four fights that differ", PValueOfMean(Hist{2: 4}, 1000), 1.0/8, 1e-12)
	near("all alike", PValueOfMean(Hist{2: 20}, 20), math.Pow(2, -19), 1e-12)
	near("no difference", PValueOfMean(Hist{-2: 4, 2: 4}, 1000), 1, 0)
}

// For pairs drawn with a known difference, the interval contains it about 95 % of the time, for few pairs or many.
// Without a difference, the test finds one at most 5 % of the time.
func TestPairedCoverage(t *testing.T) {
	const trials = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		pairs    int
		up, down float64 // probabilities that a pair turns that way
	}{{40, 0.1, 0.1}, {100, 0.08, 0.02}, {1000, 0.03, 0.03}, {1000, 0.02, 0.004}, {300, 0.3, 0.1}} {
		held, seen := 0, 0
		for range trials {
			h := Hist{}
			for range c.pairs {
				switch x := r.Float64(); {
				case x < c.up:
					h[1]++
				case x < c.up+c.down:
					h[-1]++
				}
			}
			if s := RateChange(h, uint64(c.pairs)); s.Low <= c.up-c.down && c.up-c.down <= s.High {
				held++
			}
			if PValueOfFlips(h[1], h[-1]) <= 0.05 {
				seen++
			}
		}
		if share := float64(held) / trials; share < 0.94 || share > 0.985 {
			t.Errorf("%+v: the interval holds %.3f", c, share)
		}
		if share := float64(seen) / trials; c.up == c.down && share > 0.053 {
			t.Errorf("%+v: a difference is seen in %.3f, and there is none", c, share)
		}
	}
}

// The steps of Holm's method: the smallest p-value is compared with 5 % divided by the number of all, the next with one
// fewer.
func TestHolm(t *testing.T) {
	for _, c := range []struct {
		chances []float64
		want    []bool
	}{
		{nil, []bool{}},
		{[]float64{0.05}, []bool{true}},
		{[]float64{0.04, 0.01, 0.03, 0.005}, []bool{false, true, false, true}},
		{[]float64{0.026, 0.02}, []bool{true, true}},
		{[]float64{0.026, 0.026}, []bool{false, false}},
	} {
		if got := Holm(c.chances); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.chances, got, c.want)
		}
	}
}
