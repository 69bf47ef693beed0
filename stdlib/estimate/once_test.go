package estimate

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

var repetitions = flag.Int("once", 1000, "compute each interval so many times, to see how often it holds what is true")

// What parties lose in fights: in most of them little, or all, or something between; and of pairs, few of which differ.
var numbers = []struct {
	name string
	of   []int // how many observations
	mean float64
	draw func(*rand.Rand) float64
}{
	{"half of it, more or less", []int{20, 200}, 0.5, func(r *rand.Rand) float64 { return r.Float64() }},
	{"little", []int{20, 200}, 0.02, func(r *rand.Rand) float64 { return 0.04 * r.Float64() }},
	{"nothing, in 3 of 100 all", []int{20, 200}, 0.03, func(r *rand.Rand) float64 { return chance(r, 0.03) }},
	{"all, in 1 of 50 half", []int{20, 200}, 0.99, func(r *rand.Rand) float64 { return 1 - chance(r, 0.02)/2 }},
	{"a tenth, in 1 of 20 all", []int{20, 200}, 0.1*0.95 + 0.05, func(r *rand.Rand) float64 {
		if r.Float64() < 0.05 {
			return 1
		}
		return 0.2 * r.Float64()
	}},
	{"skewed", []int{20, 200}, 1.0 / 6, func(r *rand.Rand) float64 { return math.Pow(r.Float64(), 5) }},
}

func chance(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// The interval of a bounded mean holds the mean in at least 95 % of all cases, within what chance allows, also where what
// matters has hardly ever been met.
func TestBoundedHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, x := range numbers {
		for _, n := range x.of {
			holds, plain, width := 0, 0, 0.0
			for range *repetitions {
				sum, squares := 0.0, 0.0
				for range n {
					v := x.draw(r)
					sum, squares = sum+v, squares+v*v
				}
				mean := sum / float64(n)
				deviation := math.Sqrt(math.Max(0, squares-sum*mean) / float64(n-1))
				low, high := Bounded(uint64(n), mean, deviation, 0, 1)
				width += (high - low) / float64(*repetitions)
				if low <= x.mean && x.mean <= high {
					holds++
				}
				if math.Abs(mean-x.mean) <= normal*deviation/math.Sqrt(float64(n)) {
					plain++
				}
			}
			t.Logf("%-26s %3d: %.1f %%, width %.3f; usual interval %.1f %%", x.name, n, 100*float64(holds)/float64(*repetitions), width, 100*float64(plain)/float64(*repetitions))
			if holds < least(*repetitions) {
				t.Errorf("%s, %d observations: %d of %d", x.name, n, holds, *repetitions)
			}
		}
	}
}

// least is how many of some intervals of 95 % hold at least, within what chance allows.
func least(of int) int {
	return int(0.95*float64(of) - 3*math.Sqrt(float64(of)*0.95*0.05))
}

// The interval of a mean of differences holds it, however few differ.
func TestPairedHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, x := range []struct {
		name    string
		n       int
		differs float64
		size    func() float64
		mean    float64 // of the differences that are not zero
	}{
		{"all differ", 100, 1, func() float64 { return r.NormFloat64() + 0.3 }, 0.3},
		{"one in ten", 300, 0.1, func() float64 { return float64(r.IntN(9)) - 3 }, 1},
		{"one in two hundred", 300, 0.005, func() float64 { return 4 }, 4},
		{"one in fifty, always the same way", 300, 0.02, func() float64 { return 4 + 4*r.Float64() }, 6},
	} {
		holds := 0
		for range *repetitions {
			sum, squares, differing := 0.0, 0.0, uint64(0)
			for range x.n {
				if r.Float64() < x.differs {
					if d := x.size(); d != 0 {
						differing, sum, squares = differing+1, sum+d, squares+d*d
					}
				}
			}
			if low, high := Paired(uint64(x.n), differing, sum, squares, 8); low <= x.differs*x.mean && x.differs*x.mean <= high {
				holds++
			}
		}
		if t.Logf("%s: %.1f %%", x.name, 100*float64(holds)/float64(*repetitions)); holds < least(*repetitions) {
			t.Errorf("%s: %d of %d", x.name, holds, *repetitions)
		}
	}
}
