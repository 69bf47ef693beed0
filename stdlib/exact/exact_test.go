package exact

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// edges are values where overflow happens; every pair of them is checked against math/big.
var edges = []int64{
	math.MinInt64, math.MinInt64 + 1, Min - 1, Min, Min + 1, Min / 2, -1 << 32, -1<<31 - 1, -7, -2, -1, 0,
	1, 2, 7, 1<<31 + 1, 1 << 32, math.MaxInt64 - 1, math.MaxInt64,
}

func TestEdges(t *testing.T) {
	for _, a := range edges {
		for _, b := range edges {
			agree(t, a, b)
		}
	}
}

func TestAnyPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b"))
	})
}

func agree(t interface{ Errorf(string, ...any) }, a, b int64) {
	x, y := big.NewInt(a), big.NewInt(b)
	for _, op := range []struct {
		name string
		got  func(a, b int64) (int64, bool)
		want *big.Int
	}{
		{"Add", Add, new(big.Int).Add(x, y)},
		{"Sub", Sub, new(big.Int).Sub(x, y)},
		{"Mul", Mul, new(big.Int).Mul(x, y)},
		{"FloorDiv", FloorDiv, floor(x, y)},
	} {
		got, ok := op.got(a, b)
		fits := op.want != nil && op.want.IsInt64() && op.want.Int64() >= Min
		if ok != fits || ok && got != op.want.Int64() {
			t.Errorf("%s(%d, %d) = %d, %t; want %v, %t", op.name, a, b, got, ok, op.want, fits)
		}
	}
}

// floor divides and rounds down by means of a remainder that is never negative.
func floor(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	if y.Sign() < 0 {
		x, y = new(big.Int).Neg(x), new(big.Int).Neg(y)
	}
	return new(big.Int).Div(x, y)
}
