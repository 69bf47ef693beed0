package grid

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPushKnight pushes along a slant over every distance that can be earned.
func TestPushKnight(t *testing.T) {
	p := NewPrices(func(_ int, diagonal, odd bool) int32 {
		if diagonal && !odd {
			return 10
		}
		return 5
	})
	for _, c := range []struct {
		feet    int32
		x, y, n int16
	}{{5, 1, 1, 1}, {10, 2, 1, 2}, {15, 3, 1, 3}, {20, 3, 2, 3}, {25, 4, 2, 4}, {30, 5, 3, 5}, {35, 6, 3, 6}, {0, 0, 0, 0}} {
		path := Push(nil, Square{}, Square{X: -2, Y: -1}, c.feet, p)
		end := Square{}
		if len(path) > 0 {
			end = path[len(path)-1]
		}
		if len(path) != int(c.n) || end != (Square{X: c.x, Y: c.y}) {
			t.Errorf("%d feet: %v", c.feet, path)
		}
	}
	if path := Push(nil, Square{}, Square{X: -1, Y: -1}, 10, p); len(path) != 1 {
		t.Errorf("the second diagonal of 10 feet is not paid for: %v", path)
	}
	if path := Push(nil, Square{}, Square{}, 10, p); len(path) != 0 {
		t.Errorf("there is no way away from oneself: %v", path)
	}
}

// TestPush compares the end of a push with a search among all squares that the line crosses, with exact fractions.
func TestPush(t *testing.T) {
	p := NewPrices(func(_ int, diagonal, odd bool) int32 {
		if diagonal && !odd {
			return 10
		}
		return 5
	})
	r := rand.New(rand.NewPCG(7, 1))
	for range 150 {
		from := Square{X: int16(r.IntN(20)), Y: int16(r.IntN(20))}
		origin := Square{X: from.X + int16(r.IntN(11)-5), Y: from.Y + int16(r.IntN(11)-5)}
		if from == origin {
			continue
		}
		feet, want, crossed := int32(5*r.IntN(9)), int32(0), slowlyCrossed(from, origin)
		for s := range crossed {
			if d := Distance(One(from), One(s), p); d <= feet {
				want = max(want, d)
			}
		}
		before, got := from, int32(0)
		for _, s := range Push(nil, from, origin, feet, p) {
			d := Distance(One(from), One(s), p)
			if Distance(One(before), One(s), p) > 5 || d <= got || !crossed[s] && !tied(from, origin, s) {
				t.Fatalf("from %v away from %v: the push leads over %v", from, origin, s)
			}
			before, got = s, d
		}
		if got != want {
			t.Fatalf("from %v away from %v over %d feet: %d, want %d", from, origin, feet, got, want)
		}
	}
}

// slowlyCrossed returns the first squares whose inside the line away from origin crosses. It cuts the line into pieces
// at every border and looks where the middle of each piece is.
func slowlyCrossed(from, origin Square) map[Square]bool {
	dx, dy := int64(from.X-origin.X), int64(from.Y-origin.Y)
	cuts := []*big.Rat{big.NewRat(0, 1)}
	for n := int64(1); n <= 21; n += 2 { // borders are at halves
		for _, d := range []int64{dx, dy} {
			if d != 0 {
				cuts = append(cuts, big.NewRat(n, 2*max(d, -d)))
			}
		}
	}
	slices.SortFunc(cuts, (*big.Rat).Cmp)
	crossed := map[Square]bool{}
	for i := range cuts[1:] {
		middle := new(big.Rat).Add(cuts[i], cuts[i+1])
		middle.Quo(middle, big.NewRat(2, 1))
		x, okX := nearestWhole(middle, dx)
		y, okY := nearestWhole(middle, dy)
		if okX && okY {
			crossed[Square{X: from.X + x, Y: from.Y + y}] = true
		}
	}
	return crossed
}

// nearestWhole rounds t*d to a whole number; ok is false exactly between two.
func nearestWhole(t *big.Rat, d int64) (whole int16, ok bool) {
	x := new(big.Rat).Mul(t, big.NewRat(d, 1))
	for whole = -40; whole <= 40; whole++ {
		off := new(big.Rat).Sub(x, big.NewRat(int64(whole), 1))
		if off.Abs(off).Cmp(big.NewRat(1, 2)) < 0 {
			return whole, true
		}
	}
	return 0, false
}

// tied reports whether the line runs along the border of a square.
func tied(from, origin, s Square) bool {
	dx, dy := int32(from.X-origin.X), int32(from.Y-origin.Y)
	off := dx*int32(s.Y-from.Y) - dy*int32(s.X-from.X)
	return 2*max(off, -off) == max(dx, -dx, dy, -dy)
}
