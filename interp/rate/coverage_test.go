package rate

import (
	"flag"
	"math"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

var (
	coverage       = flag.Int("coverage", 60, "rate each foe so many times, to see how often the intervals hold what is true; 1000 for the table in spec/numbers.md")
	coverageFights = flag.Uint64("coverage-fights", 20, "each time by so many fights")
)

// The intervals of what a fight costs hold what is true in at least 95 % of all cases, within what chance allows: with a
// foe that costs hardly anything, with one that costs much, and with one that few survive. What is true is what all fights
// together say.
func TestIntervalsHold(t *testing.T) {
	for _, foe := range []struct{ name, stats string }{
		{"an easy foe", "level: 1; full-hit-points: 3; base-attack: 0; strength: 8; main-weapon: dagger"},
		{"a middling foe", "level: 3; full-hit-points: 20; base-attack: 3; strength: 16; main-weapon: greatsword"},
		{"a deadly foe", "level: 6; full-hit-points: 60; base-attack: 6; strength: 20; main-weapon: greataxe"},
	} {
		s, diags, err := build.Source("rate.encounter", []byte(`encounter "Two and one" with srd35
creature soldier { level: 1; full-hit-points: 10; base-attack: 1; strength: 14; main-weapon: longsword }
creature foe { `+foe.stats+` }
side party { soldier Ann; soldier Bob }
side foes { foe Foe }
fight on for 50 rounds
`), build.Options{Library: rules.FS})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		x, err := session.NewTrials(s, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := uint64(*coverage) * *coverageFights
		list, err := play(x, Options{Seed: 1, Fights: all, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		truth := sum("all", list, 2)
		held := [4]int{}
		for n := range *coverage {
			at := uint64(n) * *coverageFights
			r := sum("some", list[at:at+*coverageFights], 2)
			for i, is := range []bool{
				r.Cost.Low <= truth.Cost.Mean && truth.Cost.Mean <= r.Cost.High, r.Falls.Low <= truth.Falls.Mean && truth.Falls.Mean <= r.Falls.High,
				r.Loss.Low <= truth.Loss.Rate && truth.Loss.Rate <= r.Loss.High, r.Kill.Low <= truth.Kill.Rate && truth.Kill.Rate <= r.Kill.High,
			} {
				if is {
					held[i]++
				}
			}
		}
		of := float64(*coverage)
		t.Logf("%s, which costs %.1f %% and wins %.1f %%: cost %.1f %%, falls %.1f %%, lost %.1f %%, killed %.1f %% of %d intervals hold", foe.name, 100*truth.Cost.Mean, 100*truth.Loss.Rate,
			100*float64(held[0])/of, 100*float64(held[1])/of, 100*float64(held[2])/of, 100*float64(held[3])/of, *coverage)
		for i, what := range []string{"cost", "falls", "lost", "killed"} {
			if off := (0.95*of - float64(held[i])) / math.Sqrt(of*0.95*0.05); off > 3 {
				t.Errorf("%s: %d of %d intervals of %s hold", foe.name, held[i], *coverage, what)
			}
		}
	}
}
