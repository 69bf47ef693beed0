package machine_test

import (
	"slices"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/program"
)

// Values that read the clock are recomputed when it changes, although no slot has been written.
func TestClockChangesAreNoticed(t *testing.T) {
	f := newFight(t, timely+`
		define creature.at-it = count one in creatures where one.taking-turn
		stat alert { base: if taking-turn then 2 else 1 }
		stat bustle { base: self.at-it * 10 + (count one in creatures where current-round > 1) }
	`, compile.Options{}).place("Alia:fighter", "Bron:fighter").must("set Alia.place to 10; set Bron.place to 5")
	stats := func(when string, want ...int64) {
		t.Helper()
		var got []int64
		for _, name := range []string{"alert", "bustle"} {
			id := slices.IndexFunc(f.p.Stats, func(x program.Stat) bool { return x.Name == name })
			v, err := f.m.Stat(0, int32(id))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", when, got, want)
		}
	}
	stats("before", 1, 0)
	f.done(f.m.BeginFight())
	stats("in the first turn", 2, 10)
	f.next(1)
	stats("in the other's", 1, 10)
	f.next(1)
	stats("in the next round", 2, 12)
	f.done(f.m.EndFight())
	stats("afterwards", 1, 2)
}
