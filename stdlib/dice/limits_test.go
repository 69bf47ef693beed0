package dice

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

// even returns n equally likely totals from 1, steps apart.
func even(n int, step int64) *distribution {
	d := &distribution{allWays: big.NewInt(int64(n))}
	for i := range n {
		d.totals, d.ways = append(d.totals, 1+int64(i)*step), append(d.ways, big.NewInt(1))
	}
	return d
}

// Each limit of exact odds is tried below it, at it and above it: in the parts of the computation, which count exactly,
// and in what one can type.
func TestLimitsOfOdds(t *testing.T) {
	fresh := func() *counter { return &counter{workLeft: maxWork} }
	try := func(what string, below, at, above error, says string) {
		t.Helper()
		var x *Error
		if below != nil || at != nil || !errors.As(above, &x) || !strings.Contains(x.Message, says) {
			t.Errorf("%s: %v, %v, %v", what, below, at, above)
		}
	}
	row := func(span int64, width uint) error {
		_, err := fresh().rowWords(span, width)
		return err
	}
	try("totals of a row", row(maxTotals-2, 1), row(maxTotals-1, 1), row(maxTotals, 1), "more than 262144 totals")
	try("bits of a row", row(maxTotals-2, 64), row(maxTotals-1, 64), row(maxTotals-1, 65), "more than 16777216 binary digits")
	try("bits of a row of one", row(0, maxBits-1), row(0, maxBits), row(0, maxBits+1), "more than 16777216 binary digits")
	pairs := func(a, b int) error {
		_, err := fresh().pairs(even(a, 1), even(b, 1), func(x, y int64) int64 { return x*1_000_000 + y })
		return err
	}
	try("totals of pairs", pairs(512, 511), pairs(512, 512), pairs(513, 512), "more than 262144 totals")
	charge := func(words ...float64) (err error) {
		c := fresh()
		for _, w := range words {
			err = errors.Join(err, c.charge(w))
		}
		return err
	}
	try("work at once", charge(maxWork-1), charge(maxWork), charge(maxWork+1), "more than 1073741824 steps")
	try("work in parts", charge(maxWork/2, maxWork/2-1), charge(maxWork/2, maxWork/2), charge(maxWork/2, maxWork/2+1), "more than 1073741824 steps")
	power := func(bits uint, n int) error {
		d := &distribution{totals: []int64{1}, ways: []*big.Int{big.NewInt(1)}, allWays: new(big.Int).Lsh(big.NewInt(1), bits-1)}
		_, err := fresh().times(d, n)
		return err
	}
	try("bits of a power", power(1<<10-1, 1<<14), power(1<<10, 1<<14), power(1<<10+1, 1<<14), "more than 16777216 binary digits")

	typed := func(text string) error {
		t.Helper()
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Odds()
		return err
	}
	try("a die", typed("1d131071"), typed("1d131072"), typed("1d131073"), "more than 131072 sides")
	try("four dice", typed("4d65534+0"), typed("4d65535"), typed("4d65536"), "more than 16777216 binary digits")
	try("different faces", typed("2d722uo"), typed("2d723uo"), typed("2d724uo"), "more than 1073741824 steps")
}
