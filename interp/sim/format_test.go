package sim

import "testing"

// What rounds to zero has no sign; a change has one otherwise.
func TestFormat(t *testing.T) {
	for v, want := range map[float64][3]string{
		0: {"0.0", "0.0", "0.0 %"}, 0.04: {"0.0", "0.0", "4.0 %"}, -0.04: {"0.0", "0.0", "-4.0 %"}, -0.0004: {"0.0", "0.0", "0.0 %"},
		1.25: {"1.2", "+1.2", "125.0 %"}, -7: {"-7.0", "-7.0", "-700.0 %"},
	} {
		if got := [3]string{Number(v), signed(v, 1), Percent(v)}; got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
