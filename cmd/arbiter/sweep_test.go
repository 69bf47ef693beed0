package main

import (
	"strings"
	"testing"

	"arbiter/interp/sim"
	"arbiter/interp/sweep"
)

// Values that differ significantly from the script as written, one below and one above it, differ from each other, even
// if their own intervals overlap.
func TestExtremes(t *testing.T) {
	at := func(value float64) sim.Estimate {
		return sim.Estimate{Value: value, Low: value - 0.04, High: value + 0.04}
	}
	for name, c := range map[string]struct {
		values      []float64 // as written it is 0.5
		significant []bool
		want        string
	}{
		"around":   {[]float64{0.48, 0.5, 0.53}, []bool{true, false, true}, "wins: lowest with 1, 48.0 %; highest with 3, 53.0 %."},
		"apart":    {[]float64{0.48, 0.6}, []bool{false, true}, "wins: lowest with 1, 48.0 %; highest with 2, 60.0 %."},
		"above":    {[]float64{0.5, 0.53}, []bool{false, true}, "wins: significantly different from as written: 2; too few fights to compare the values with each other."},
		"the same": {[]float64{0.5, 0.51}, []bool{false, false}, "wins: no significant difference between the values."},
	} {
		s, diags := sweep.Parse("sweep", "stat = 1.."+string(rune('0'+len(c.values))))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		r := &sim.Comparison{}
		for i, v := range c.values {
			r.Rules = append(r.Rules, sim.ArmReport{Figures: []sim.FigureReport{{Share: true, Before: at(0.5), After: at(v), Significant: c.significant[i]}}})
		}
		v := &sweepView{sweeps: []*sweep.Sweep{s}, figure: sim.NamedFigure{Name: "wins"}}
		if got := v.extremesText(r); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
