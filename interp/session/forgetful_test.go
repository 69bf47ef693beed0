package session

import "testing"

// systems lists the ambush under each of the systems, and with functions in Starlark.
var systems = [][]string{
	{ambush},
	{"../../examples/ambush/modern.encounter"},
	{"../../examples/ambush/third.encounter"},
	{"../../examples/ambush/starfinder.encounter"},
	{"../../examples/ambush/true20.encounter"},
	{ambush, "testdata/hooks/three.rules"},
	{ambush, "testdata/hooks/acting.rules"},
	{ambush, "testdata/hooks/places.rules"},
}

// Caches (of stats, defines and queries of the ground) change nothing: fights of a machine without caches are the same
// after every command. A stale cache entry would make some creature act differently.
func TestRememberingChangesNothing(t *testing.T) {
	fights := uint64(12)
	if testing.Short() {
		fights = 2
	}
	for _, files := range systems {
		s := open(t, files[0], files[1:]...)
		fight := func(n uint64, forgetful bool) []uint64 {
			x, err := NewTrials(s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			x.m.NoCache = forgetful
			var states []uint64
			x.onCommand = func() { states = append(states, x.m.State().Hash()) }
			if _, err := x.Fight(n); err != nil {
				t.Fatal(err)
			}
			return states
		}
		for n := range fights {
			want, got := fight(n, true), fight(n, false)
			if len(want) < 20 {
				t.Fatalf("%s, fight %d: only %d commands", files, n, len(want))
			}
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Errorf("%s, fight %d: after %d of %d commands what is remembered is not what is", files, n, i+1, len(want))
					break
				}
			}
		}
	}
}
