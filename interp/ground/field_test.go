package ground_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// TestAreaCache checks that the cache of the squares around a place returns what the geometry computes, in any order
// of queries.
func TestAreaCache(t *testing.T) {
	on, diags := read(t, "map \"\"\"\n  .....\n  .#.=.\n  .....\n  \"\"\" { \"#\": wall; \"=\": low-wall }\n")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	m := machine.New(d20(t))
	if _, err := ground.Attach(m, on); err != nil {
		t.Fatal(err)
	}
	prices := grid.NewPrices(func(_ int, diagonal, odd bool) int32 { // the prices of d20 for plain ground
		if diagonal && !odd {
			return 10
		}
		return 5
	})
	r := rand.New(rand.NewPCG(3, 3))
	for range 20000 {
		at, feet := grid.Square{X: int16(r.IntN(9) - 2), Y: int16(r.IntN(7) - 2), Z: int16(r.IntN(2))}, r.Int64N(300)
		var want []int64
		for _, s := range on.Grid.Within(nil, grid.One(at), int32(feet), 0, prices) {
			want = append(want, s.Pack())
		}
		list, err := m.Natives["squares-within"](m, []int64{at.Pack(), feet})
		if got := m.ListElements(list); err != nil || !slices.Equal(got, want) {
			t.Fatalf("within %d feet of %v: %x %v, want %x", feet, at, got, err, want)
		}
		m.State().Arena = m.State().Arena[:0]
	}
}
