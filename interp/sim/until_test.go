package sim

import (
	"math/rand/v2"
	"testing"
)

// The intervals of a simulation that stops once they are narrow enough keep their coverage: checking again every
// thousand fights does not invalidate them.
func TestIntervalsHoldWhenStopped(t *testing.T) {
	const tries = 2000
	r := rand.New(rand.NewPCG(1, 2))
	for _, x := range []struct{ rate, half float64 }{{0.5, 0.02}, {0.2, 0.02}, {0.2, 0.01}, {0.05, 0.01}, {0.01, 0.005}} {
		held := 0
		for range tries {
			var n, wins uint64
			for {
				for range Batch {
					if n++; r.Float64() < x.rate {
						wins++
					}
				}
				if Within([]*Arm{{Tally: &Tally{Fights: n, Wins: []uint64{wins}}}}, x.half) {
					break
				}
			}
			if i := RateOf(wins, n); i.Low <= x.rate && x.rate <= i.High {
				held++
			}
		}
		if share := float64(held) / tries; share < 0.935 || share > 0.975 {
			t.Errorf("of a rate of %v, known within %v, the intervals held %.1f times in 100", x.rate, x.half, 100*share)
		}
	}
}
