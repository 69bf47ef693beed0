package machine

import (
	"math"
	"math/rand/v2"
	"testing"

	"arbiter/interp/ir"
)

// TestKeyRanges: what is listed is what a search through the ranges finds, whatever they are.
func TestKeyRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for range 500 {
		var ranges []ir.Range
		for at := int64(r.IntN(40) - 20); len(ranges) < 1+r.IntN(8); {
			hi := at + int64(r.IntN(30))
			ranges = append(ranges, ir.Range{Lo: at, Hi: hi})
			at = hi + 1 + int64(r.IntN(3))
		}
		if r.IntN(2) == 0 {
			ranges[0].Lo = math.MinInt64 + 1
		}
		if r.IntN(2) == 0 {
			ranges[len(ranges)-1].Hi = math.MaxInt64
		}
		if r.IntN(3) == 0 {
			ranges = append(ranges, ir.Range{Lo: math.MaxInt64, Hi: math.MinInt64 + 1}) // all others
		}
		var known keyRanges
		for range 200 {
			key := int64(r.IntN(700) - 350)
			if r.IntN(20) == 0 {
				key = []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, 1 << 40, -1 << 40}[r.IntN(5)]
			}
			if got, want := known.indexOf(ranges, key), rangeIndex(ranges, key); got != want {
				t.Fatalf("%d in %v: range %d, want %d", key, ranges, got, want)
			}
		}
	}
}
