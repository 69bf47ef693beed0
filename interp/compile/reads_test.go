package compile_test

import (
	"math"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/program"
)

// A derived effect is notified of writes to what it reads, and of no others; if a slot is only compared with constants,
// of writes that cross one of them.
func TestCuts(t *testing.T) {
	const slot = 0 // of the only field
	tests := []struct {
		while string
		cuts  program.Thresholds
	}{
		{"wounds < 3", program.Thresholds{Low: 3, High: 3}},
		{"wounds <= 3", program.Thresholds{Low: 4, High: 4}},
		{"3 < wounds", program.Thresholds{Low: 4, High: 4}},
		{"3 <= wounds", program.Thresholds{Low: 3, High: 3}},
		{"wounds = 3", program.Thresholds{Low: 3, High: 4}},
		{"wounds != 3", program.Thresholds{Low: 3, High: 4}},
		{"wounds > 2 and (wounds < 9 or wounds = 20)", program.Thresholds{Low: 3, High: 21}},
		{"deep", program.Thresholds{Low: 7, High: 7}},
		{"wounds * 2 < 9", program.EveryWrite},
		{"wounds < scars", program.Thresholds{Low: 0, High: 0, WeightedSum: 1}},
		{"wounds + scars <= 9 and 4 + scars > 8 - wounds", program.Thresholds{Low: 5, High: 10, WeightedSum: 1}},
		{"harm > 2 - scars", program.Thresholds{Low: 3, High: 3, WeightedSum: 1}},
		{"scars - harm = 0", program.Thresholds{Low: 0, High: 1, WeightedSum: 1}},
		{"wounds + wounds < 9", program.Thresholds{Low: 9, High: 9, WeightedSum: 1}},
		{"wounds < scars or wounds + scars > 4", program.EveryWrite}, // two different sums
		{"wounds < scars or wounds > 4", program.EveryWrite},
		{"wounds + luck < 4", program.EveryWrite}, // a stat
		{"wounds - wounds < scars", program.NoWrite},
		{"scars > 0", program.NoWrite},
		{"life < few", program.Thresholds{Low: 3, High: 3}},
		{"few <= life-again", program.Thresholds{Low: 3, High: 3}},
		{"life + 1 < few", program.Thresholds{Low: 2, High: 2}},
		{"-life < few", program.Thresholds{Low: -2, High: -2}},
	}
	for _, x := range tests {
		p, err := compile.Compile(ruleset(t, `ruleset test
kind creature { wounds, scars: number = 0 }
option few = 3
stat luck { base: 1 }
define creature.harm = wounds
define creature.deep = wounds >= 7
define creature.life = wounds
define creature.life-again = life
condition worn while `+x.while+"\n"), compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := program.NoWrite
		for _, l := range p.Deps[slot].OwnNodes {
			got = l.Thresholds
		}
		if got != x.cuts {
			t.Errorf("%s: %v, want %v", x.while, got, x.cuts)
		}
	}
}

// The condition on a number of its creature that is tested first is necessary for the whole condition.
func TestNecessary(t *testing.T) {
	none := program.Range{Slot: -1}
	for while, want := range map[string]program.Range{
		"wounds < 3":                               {Slot: 0, Low: math.MinInt64, High: 2},
		"wounds <= 3 and scars > 1":                {Slot: 0, Low: math.MinInt64, High: 3},
		"3 < wounds":                               {Slot: 0, Low: 4, High: math.MaxInt64},
		"3 <= wounds and wounds < 9":               {Slot: 0, Low: 3, High: math.MaxInt64},
		"scars = 3":                                {Slot: 1, Low: 3, High: 3},
		"scars != 3":                               none,
		"wounds < 3 or scars > 1":                  none,
		"wounds < scars":                           {Slot: 0, WeightedSum: 1, Low: math.MinInt64, High: -1},
		"wounds < 3 or wounds = 7":                 {Slot: 0, Low: math.MinInt64, High: 7},
		"wounds < 3 or wounds > 7":                 none,
		"scars != 1 and wounds < 3":                {Slot: 0, Low: math.MinInt64, High: 2},
		"3 - wounds > 0":                           {Slot: 0, Low: math.MinInt64, High: 2},
		"not (wounds < 3)":                         none,
		"(highest x in creatures of x.wounds) = 3": none,
		"life < few":                               {Slot: 0, Low: math.MinInt64, High: 2},
		"life = limit and few > 2":                 {Slot: 0, Low: 3, High: 3},
		"both < 3":                                 {Slot: 0, WeightedSum: 1, Low: math.MinInt64, High: 2},
		"both = 0 or (both < 0 and wounds > 1)":    {Slot: 0, WeightedSum: 1, Low: math.MinInt64, High: 0},
	} {
		p, err := compile.Compile(ruleset(t, "ruleset test\nkind creature { wounds, scars: number = 0 }\noption few = 3\n"+
			"define creature.life = wounds\ndefine creature.limit = few\ndefine creature.both = wounds + scars\ncondition worn while "+while+"\n"), compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Nodes[0].Precondition; got != want {
			t.Errorf("%s: %v, want %v", while, got, want)
		}
	}
}

// A `cannot` with a condition on an argument of the action is tested only if the argument is in the necessary range.
func TestNecessaryArgument(t *testing.T) {
	none := program.ArgumentRange{Param: -1}
	at := func(low, high int64) program.ArgumentRange {
		return program.ArgumentRange{Param: 1, Low: low, High: high}
	}
	for when, want := range map[string]program.ArgumentRange{
		"harm = hot":                            at(1, 1),
		"hot = harm and wounds > 3":             at(1, 1),
		"wounds > 3 and harm is (cold or wet)":  at(0, 2),
		"harm = hot or harm = wet":              at(1, 2),
		"harm = hot or wounds > 3":              none,
		"harm != hot":                           none,
		"not (harm = hot)":                      none,
		"wounds = 1":                            none,
		"target.wounds = 1 and wounds = harder": none,
		"harder = 4":                            {Param: 2, Low: 4, High: 4},
	} {
		p, err := compile.Compile(ruleset(t, "ruleset test\nkind creature { wounds: number = 0 }\nenum heat: cold, hot, wet\n"+
			"action hurt target: creature for harm: heat = cold by harder: number = 1 { cost none }\n"+
			"effect worn { cannot hurt \"no\" when "+when+" }\n"), compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Effects[0].Cannots[0].Argument; got != want {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
}

func TestCrossed(t *testing.T) {
	for _, x := range []struct {
		cuts     program.Thresholds
		from, to int64
		want     bool
	}{
		{program.Thresholds{Low: 3, High: 3}, 2, 3, true},
		{program.Thresholds{Low: 3, High: 3}, 3, 2, true},
		{program.Thresholds{Low: 3, High: 3}, 3, 9, false},
		{program.Thresholds{Low: 3, High: 3}, 2, -9, false},
		{program.Thresholds{Low: 3, High: 4}, 3, 4, true},
		{program.Thresholds{Low: 3, High: 4}, 2, 3, true},
		{program.Thresholds{Low: 3, High: 8}, 4, 5, true}, // there may be other thresholds between the two
		{program.EveryWrite, 1, 2, true},
		{program.EveryWrite, math.MinInt64, math.MaxInt64, true},
		{program.NoWrite, 1, 2, false},
	} {
		if got := x.cuts.Crossed(x.from, x.to); got != x.want {
			t.Errorf("%v from %d to %d: %v", x.cuts, x.from, x.to, got)
		}
	}
}
