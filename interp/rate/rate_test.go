package rate

import (
	"math"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	if got := Ranks([]float64{3, 1, 3, 0}); !slices.Equal(got, []float64{3.5, 2, 3.5, 1}) {
		t.Error(got)
	}
}

func TestAgreement(t *testing.T) {
	for _, x := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 21}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8}, // 1 - 6*2/(4*15)
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0},
	} {
		if got := Agreement(x.a, x.b); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%v %v: %v, want %v", x.a, x.b, got, x.want)
		}
	}
}

func TestParsePrinted(t *testing.T) {
	for text, want := range map[string]float64{"3": 3, "1/2": 0.5, " 1/8 ": 0.125} {
		if got, ok := ParsePrinted(text); !ok || got != want {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "many", "1/0", "1/x"} {
		if _, ok := ParsePrinted(text); ok {
			t.Errorf("%q is read", text)
		}
	}
}

func TestSum(t *testing.T) {
	r := sum("two", []cost{{true, 1, 0, 2, 1}, {true, 0.5, 0.5, 1, 0}, {true, 0, 0, 0, -1}, {}}, 2)
	if r.Fights != 3 || r.Cost.Mean != 0.5 || r.Loss.Rate != 1.0/3 || r.Kill.Rate != 1.0/3 || r.Draw.Rate != 1.0/3 || r.Falls.Mean != 1 {
		t.Errorf("%+v", r)
	}
	if d := Difficulty([]*Rating{r, {}}); d != 25 {
		t.Error(d)
	}
}
