package session

import (
	"flag"
	"math"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/odds"
	"arbiter/interp/split"
	"arbiter/rules"
)

var rareRepeats = flag.Int("rare-repeats", 3, "estimate something rare so many times, to see how often its interval holds it")

// million is a duel in which one side hardly ever wins.
const million = `encounter "One in a million" with srd35

creature duelist { level: 1; full-hit-points: 5; base-attack: 0; strength: 1; dexterity: 10; main-weapon: dagger }

tactics hew { attack first-foe with weapon-in-hand when first-foe is not none }

side weak { duelist Alia follows hew { full-hit-points: 1; base-attack: 9 } }
side strong { duelist Bron follows hew { base-attack: 7; strength: 22 } }

seed 1
begin
next turn of Alia
fight on for 10 rounds
`

// What happens once in a million fights is estimated from some thousand, and the interval of 95 % holds the exact odds.
// Bron falls also by what he does when he has nothing left, and takes Alia with him.
func TestRareIsWhatOddsSay(t *testing.T) {
	c, err := seriesOdds(t, million, "Alia: attack Bron; Bron: attack Alia", odds.Options{Rounds: 10, Steps: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var exact float64
	for _, f := range c.Rounds[len(c.Rounds)-1] {
		if f.Who == "Bron" {
			exact = f.Share.Float()
		}
	}
	if exact < 1e-6 || exact > 2e-6 {
		t.Fatal("the duel is not one in a million:", exact)
	}
	script, diags, err := build.Source("million.encounter", []byte(million), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	trials, err := NewTrials(script, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := trials.Rare(RareEvent{Kind: Falls, Who: 1})
	if err != nil {
		t.Fatal(err)
	}
	held, sum, attempts := 0, 0.0, uint64(0)
	for n := range *rareRepeats {
		e, err := split.Run([]split.Process{r}, split.Options{Seed: uint64(n), Most: 40_000})
		if err != nil {
			t.Fatal(err)
		}
		if e.Low <= exact && exact <= e.High {
			held++
		}
		sum += e.Value / float64(*rareRepeats)
		attempts += e.Attempts
		if n == 0 {
			t.Logf("%.3g, %.3g to %.3g, %d levels %v, chances %.2f, %d attempts", e.Value, e.Low, e.High, len(e.Levels), e.Levels, e.Chances, e.Attempts)
		}
	}
	all := float64(*rareRepeats)
	t.Logf("exactly %.4g; %d of %d intervals hold it; on average %.4g from %.0f attempts", exact, held, *rareRepeats, sum, float64(attempts)/all)
	if off := (0.95*all - float64(held)) / math.Sqrt(all*0.95*0.05); off > 3 {
		t.Error("too few intervals hold the exact odds")
	}
	if math.Abs(sum/exact-1) > 4*0.15/math.Sqrt(all) {
		t.Error("the estimate is biased")
	}
}
