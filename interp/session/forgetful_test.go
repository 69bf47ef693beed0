package session

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	sameFights  = flag.Uint64("same-fights", 4, "how many fights of each script are compared, with caches and without")
	updateSame  = flag.Bool("update-fights", false, "write the digests of the fights into testdata/fights.golden")
	countFights = flag.Uint64("count-fights", 0, "how many fights TestCounted plays")
	countOf     = flag.String("count-of", courtyard, "the script whose fights it plays")
)

// withHooks are fights with functions in Starlark.
var withHooks = [][]string{
	{ambush, "testdata/hooks/three.rules"},
	{ambush, "testdata/hooks/acting.rules"},
	{ambush, "testdata/hooks/places.rules"},
}

// fightingScripts lists the encounters of the examples whose fights tactics can play, and the one for measurements.
func fightingScripts(t *testing.T) (list [][]string) {
	t.Helper()
	list = append(list, []string{courtyard})
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".encounter" {
			if s := open(t, path); s.Rules != nil {
				if _, err := NewTrials(s, Options{}); err == nil {
					list = append(list, []string{filepath.ToSlash(path)})
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(list, withHooks...)
}

// statesOf plays a fight and returns a hash of the state after each command.
func statesOf(t *testing.T, x *Trials, n uint64) (states []uint64, o Outcome) {
	t.Helper()
	x.onCommand = func() { states = append(states, x.m.State().Hash()) }
	o, err := x.Fight(n)
	if err != nil {
		t.Fatal(err)
	}
	return states, o
}

// TestRememberingChangesNothing plays fights with all caches and short cuts, and without: the states are the same after
// every command. A stale entry would make some creature act differently. The digests of the fights are those of
// testdata/fights.golden, so that work on the speed of the machine changes no fight unseen; a change of the rules does.
func TestRememberingChangesNothing(t *testing.T) {
	fights := *sameFights
	if testing.Short() {
		fights = 1
	}
	var golden strings.Builder
	for _, files := range fightingScripts(t) {
		s := open(t, files[0], files[1:]...)
		fast, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		slow, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		slow.m.NoCache = true
		for n := range fights {
			got, outcome := statesOf(t, fast, n)
			want, wantOutcome := statesOf(t, slow, n)
			if outcome != wantOutcome {
				t.Errorf("%s, fight %d: %v with what is remembered, %v without", files, n, outcome, wantOutcome)
			}
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Errorf("%s, fight %d: after %d of %d commands what is remembered is not what is", files, n, i+1, len(want))
					break
				}
			}
			if n == 0 {
				fmt.Fprintf(&golden, "%s: side %d, %d rounds, %d commands, %016x\n", strings.Join(files, " with "), outcome.Side, outcome.Rounds, len(got), fast.m.State().Hash())
			}
		}
	}
	const path = "testdata/fights.golden"
	if *updateSame {
		if err := os.WriteFile(path, []byte(golden.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if golden.String() != string(want) {
		t.Errorf("the first fights are\n%s, not\n%s; -update-fights accepts them", golden.String(), want)
	}
}

// TestCounted plays fights for whoever counts the instructions of the processor: the difference between some and none.
func TestCounted(t *testing.T) {
	x, err := NewTrials(open(t, *countOf), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range *countFights + 2 {
		if _, err := x.Fight(n); err != nil {
			t.Fatal(err)
		}
	}
}
