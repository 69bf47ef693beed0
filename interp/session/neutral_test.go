package session

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ir"
)

var everyOption = flag.Bool("every-option", false, "change every option of the rules, not only some")

// A fight with another value of an option, compiled in place, is the one with the rules built from their source.
func TestOptionsInPlace(t *testing.T) {
	script := func(changes string) string {
		return "encounter \"e\" with srd35\n" + changes + `creature man { level: 3; full-hit-points: 20; base-attack: 3; strength: 16; main-weapon: longsword }
side a { man Ann; man Abe }
side b { man Bo; man Bea }
fight on for 10 rounds
`
	}
	plain := opened(t, script(""))
	again, err := NewRecompiler(plain)
	if err != nil {
		t.Fatal(err)
	}
	ends := func(s *build.Script) (list []string) {
		x, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			end, err := x.Fight(seed)
			list = append(list, fmt.Sprintf("%+v %v %x", end, err, x.m.State().Hash()))
		}
		return list
	}
	asWritten, changed, tried := ends(plain), 0, 0
	plain.Rules.Complete()
	for _, o := range plain.Rules.Checked.Ruleset.Options {
		if o.Type.Kind != ir.YesNo || !*everyOption && o.Name != "natural-rolls-decide-attacks" && o.Name != "minimum-damage-per-roll" && o.Name != "criticals-multiply-bonuses" {
			continue
		}
		word := map[int64]string{0: "yes", 1: "no"}[o.Value]
		changedScript, known, err := again.With(o.Name, 1-o.Value)
		if err != nil {
			t.Fatal(o.Name, err)
		}
		if !known {
			t.Logf("%s is fixed", o.Name)
			continue
		}
		built := opened(t, script("override "+o.Name+" = "+word+"\n"))
		got, want := ends(changedScript), ends(built)
		if tried++; !slices.Equal(got, want) {
			t.Errorf("%s = %s: %v, built from source %v", o.Name, word, got, want)
		}
		if !slices.Equal(got, asWritten) {
			changed++
		}
	}
	t.Logf("%d options, %d make a difference", tried, changed)
	if tried == 0 || changed == 0 {
		t.Error("no option makes a difference")
	}
}
