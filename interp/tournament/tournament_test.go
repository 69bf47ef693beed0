package tournament

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

var repetitions = flag.Int("tournaments", 200, "play each tournament with a known answer so many times; 1000 for the table in spec/numbers.md")

// noisy plays candidates with known means: a score is 1 with their probability, and the luck of a fight is partly the same
// for all.
func noisy(r *rand.Rand, shares []float64) Play {
	return func(list []int, _, fights uint64) ([][]int64, error) {
		scores := make([][]int64, len(list))
		for range fights {
			luck := r.Float64()
			for at, i := range list {
				x := luck
				if r.IntN(2) == 0 {
					x = r.Float64()
				}
				v := int64(0)
				if x < shares[i] {
					v = 1
				}
				scores[at] = append(scores[at], v)
			}
		}
		return scores, nil
	}
}

// In hardly any of many tournaments is a place wrong that is said to be certain, or an interval without the mean; the
// hopeless play little, and the best is found.
func TestKnownAnswers(t *testing.T) {
	repetitions := *repetitions
	r := rand.New(rand.NewPCG(4, 2))
	for _, shares := range [][]float64{
		{0.5, 0.3, 0.62, 0.1, 0.45}, {0.5, 0.5, 0.5}, {0.2, 0.9}, {0.55, 0.5, 0.05, 0.06, 0.07, 0.08, 0.02, 0.01},
	} {
		wrong, found, hopeless, all, equal := 0, 0, uint64(0), uint64(0), uint64(0)
		best := 0
		for i, s := range shares {
			if s > shares[best] {
				best = i
			}
		}
		for range repetitions {
			result, err := Run(Options{Candidates: len(shares), Places: 1, Fights: 4000}, noisy(r, shares))
			if err != nil {
				t.Fatal(err)
			}
			mistaken := false
			for at, s := range result.Standings {
				above, below := 0, 0
				for _, x := range shares {
					if x > shares[s.Candidate] {
						above++
					} else if x < shares[s.Candidate] {
						below++
					}
				}
				// Those that are as good may have any of their places.
				if s.First > len(shares)-below || s.Last < 1+above || s.Low > shares[s.Candidate] || s.High < shares[s.Candidate] {
					mistaken = true
				}
				if shares[s.Candidate] < 0.15 {
					hopeless = max(hopeless, s.Fights)
				}
				if at == 0 && s.Candidate == best {
					found++
				}
			}
			if mistaken {
				wrong++
			}
			all, equal = all+result.Fights, equal+result.Equal
		}
		t.Logf("%v: %d wrong, the best first in %d of %d, %d of %d fights", shares, wrong, found, repetitions, all, equal)
		if times := float64(repetitions); float64(wrong) > times*alpha+3*math.Sqrt(times*alpha*(1-alpha)) {
			t.Errorf("%v: wrong in %d of %d", shares, wrong, repetitions)
		}
		if shares[0] != shares[best] && found < repetitions*9/10 {
			t.Errorf("%v: the best is first in %d of %d", shares, found, repetitions)
		}
		if hopeless > 400 {
			t.Errorf("%v: a hopeless candidate has played %d fights", shares, hopeless)
		}
	}
}

// Who is as good as the others, for all that matters, ends a tournament; of two places that matter, both are known.
func TestSettled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	same, err := Run(Options{Candidates: 2, Places: 1, Fights: 1_000_000, Within: 0.1}, noisy(r, []float64{0.5, 0.5}))
	if err != nil || !same.Settled || same.Fights > 20_000 || same.Certainty != 0 {
		t.Errorf("%+v %v", same, err)
	}
	two, err := Run(Options{Candidates: 4, Places: 2, Fights: 100_000}, noisy(r, []float64{0.2, 0.7, 0.1, 0.5}))
	if err != nil || !two.Settled || two.Standings[0].Candidate != 1 || two.Standings[1].Candidate != 3 || two.Standings[1].First != 2 || two.Standings[1].Last != 2 || two.Certainty < 0.97 {
		t.Errorf("%+v %v", two, err)
	}
	if one, err := Run(Options{Candidates: 1, Places: 1, Fights: 100}, noisy(r, []float64{0.2})); err != nil || !one.Settled {
		t.Errorf("%+v %v", one, err)
	}
}
