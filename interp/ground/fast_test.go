package ground_test

import (
	"math/rand/v2"
	"testing"

	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/stdlib/grid"
)

// TestFastNatives checks that the fast paths agree with the functions, for squares and for creatures of any size.
func TestFastNatives(t *testing.T) {
	on, diags := read(t, `map """
  ..........
  .#.=....#.
  .#..==:...
  ....#.....
  ..........
  """ { "#": wall; "=": low-wall; ":": rubble }
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	m := machine.New(d20(t))
	if _, err := ground.Attach(m, on); err != nil {
		t.Fatal(err)
	}
	size := -1
	for i, f := range m.Program().Kinds[0].Fields {
		if f.Name == "size" {
			size = i
		}
	}
	for i, big := range []int64{4, 6, 4} { // medium, huge
		at := grid.Square{X: int16(4 * i), Y: int16(i)}
		if _, err := m.Place(-1, machine.Placement{Square: at.Pack(), Fields: map[int32]int64{int32(size): big}}); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	place := func() int64 {
		if r.IntN(2) == 0 {
			return r.Int64N(3)
		}
		return grid.Square{X: int16(r.IntN(12) - 1), Y: int16(r.IntN(7) - 1)}.Pack()
	}
	for range 400 { // cached lines agree with the geometry
		a, b := grid.Square{X: int16(r.IntN(12) - 1), Y: int16(r.IntN(7) - 1), Z: int16(r.IntN(3) - 1)}, grid.Square{X: 3, Y: 2}
		for range 2 {
			want := on.Grid.HasLine(grid.One(a), grid.One(b), grid.BlocksEffect, grid.DrawnIn)
			if got, err := m.Natives["line-of-effect"](m, []int64{a.Pack(), b.Pack()}); err != nil || got != 0 != want {
				t.Errorf("from %v to %v: %d %v, want %t", a, b, got, err, want)
			}
			a, b = b, a
		}
	}
	for name, quick := range m.FastNatives {
		known := 0
		for range 400 {
			a, b := place(), place()
			if name == "free" {
				a, b = 2*r.Int64N(2), grid.Square{X: int16(r.IntN(12) - 1), Y: int16(r.IntN(7) - 1)}.Pack()
			}
			want, err := m.Natives[name](m, []int64{a, b})
			if err != nil {
				t.Fatal(err)
			}
			got, ok := quick(m, a, b)
			if ok && got != want {
				t.Errorf("%s of %x and %x: %d, want %d", name, a, b, got, want)
			}
			if ok {
				known++
			}
		}
		if known < 200 || known == 400 && name != "free" {
			t.Errorf("%s: %d of 400 are answered quickly", name, known)
		}
	}
}
