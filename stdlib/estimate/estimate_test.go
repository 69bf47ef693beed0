package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whoever looks after every batch, and stops when the interval is wrong, hardly ever sees it wrong: in at most 5 % of
// repetitions, within sampling error.
func TestIntervalsHoldAtAllTimes(t *testing.T) {
	const repetitions, batches, batch, alpha = 1000, 40, 50, 0.05
	most := int(alpha*repetitions + 3*math.Sqrt(alpha*(1-alpha)*repetitions))
	r := rand.New(rand.NewPCG(1, 2))
	for _, truth := range []float64{0.02, 0.3, 0.5, 0.95} {
		missed := 0
		for range repetitions {
			var s Share
			for range batches {
				for range batch {
					if s.All++; r.Float64() < truth {
						s.Hits++
					}
				}
				if s.PValue(truth) <= alpha { // which is to say that the interval misses it
					missed++
					break
				}
			}
		}
		if t.Logf("share %v: %d of %d", truth, missed, repetitions); missed > most {
			t.Errorf("the interval of a share of %v missed it in %d of %d", truth, missed, repetitions)
		}
	}
	// A few rounds more often than many, and what is lost, of which most is nothing.
	for name, draw := range map[string]func() float64{
		"rounds": func() float64 { return math.Floor(r.ExpFloat64() * 4) },
		"loss":   func() float64 { return float64(max(0, r.IntN(20)-12)) },
	} {
		truth := 0.0
		for range 400_000 {
			truth += draw() / 400_000
		}
		missed := 0
		for range repetitions {
			var m Mean
			for range batches {
				for range batch {
					x := draw()
					m.All, m.Sum, m.Squares = m.All+1, m.Sum+x, m.Squares+x*x
				}
				if m.PValue(truth) <= alpha {
					missed++
					break
				}
			}
		}
		if t.Logf("%s: %d of %d", name, missed, repetitions); missed > most {
			t.Errorf("the interval of %s missed it in %d of %d", name, missed, repetitions)
		}
	}
}

// The interval has in it exactly the numbers whose p-value is above alpha, and the observed one.
func TestIntervalAgreesWithPValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.Uint64Range(30, 100_000).Draw(t, "all")
		hits := rapid.Uint64Range(0, all).Draw(t, "hits")
		alpha := rapid.Float64Range(0.0001, 0.3).Draw(t, "alpha")
		s := Share{hits, all}
		for _, e := range []Estimate{s, Mean{all, float64(hits), float64(hits)}} {
			low, high := e.Interval(alpha)
			if v := e.Value(); v < low || v > high {
				t.Fatalf("%v is not in %v to %v", v, low, high)
			}
			width := high - low
			for x, within := range map[float64]bool{low - 0.01*width: false, low + 0.01*width: true, high - 0.01*width: true, high + 0.01*width: false} {
				if _, isShare := e.(Share); isShare && (x < 0 || x > 1) {
					continue
				}
				if got := e.PValue(x) > alpha; got != within {
					t.Fatalf("%+v: p-value of %v is %v, interval %v to %v at %v", e, x, e.PValue(x), low, high, alpha)
				}
			}
		}
	})
}

func TestWithoutObservations(t *testing.T) {
	if low, high := (Share{}).Interval(0.05); low != 0 || high != 1 {
		t.Error(low, high)
	}
	if p := (Share{}).PValue(0.3); math.Abs(p-1) > 1e-12 {
		t.Error(p)
	}
	if low, high := (Mean{All: 5, Sum: 9, Squares: 81}).Interval(0.05); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Error(low, high)
	}
}

// The fit rises, and no other that rises is nearer: against the formula of the greatest least mean.
func TestRising(t *testing.T) {
	if got := Rising([]float64{1, 3, 2, 4, 1}, []float64{1, 1, 1, 1, 2}); !slices.Equal(got, []float64{1, 2.2, 2.2, 2.2, 2.2}) {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "n")
		numbers := rapid.SliceOfN(rapid.Float64Range(-5, 5), n, n).Draw(t, "numbers")
		weights := rapid.SliceOfN(rapid.Float64Range(0.1, 5), n, n).Draw(t, "weights")
		fit := Rising(numbers, weights)
		for i := range numbers {
			most := math.Inf(-1)
			for from := range i + 1 {
				least := math.Inf(1)
				for to := i; to < n; to++ {
					sum, weight := 0.0, 0.0
					for k := from; k <= to; k++ {
						sum, weight = sum+numbers[k]*weights[k], weight+weights[k]
					}
					least = math.Min(least, sum/weight)
				}
				most = math.Max(most, least)
			}
			if math.Abs(fit[i]-most) > 1e-9 {
				t.Fatalf("%v: %v at %d is to be %v", numbers, fit, i, most)
			}
		}
	})
}
