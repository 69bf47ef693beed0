package walk

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

func open(t testing.TB, path string) *build.Script {
	t.Helper()
	s, diags, err := build.File(path, build.Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if diags.HasErrors() || s.Story == nil {
		t.Fatalf("%v", diags)
	}
	return s
}

const keep = "testdata/keep.adventure"

// The result of a walk does not depend on the number of workers.
func TestWorkers(t *testing.T) {
	s := open(t, keep)
	for _, walks := range []uint64{0, 130} {
		var want *Tally
		for _, workers := range []int{1, 3} {
			got, err := Walk(s, Options{Seed: 7, Walks: walks, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Failures) > 0 {
				t.Fatalf("walk %d: %v", got.Failures[0].Walk, got.Failures[0].Diagnostic)
			}
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got.Counts, want.Counts) || got.Walks != want.Walks || got.Steps != want.Steps || !reflect.DeepEqual(got.Ended, want.Ended) {
				t.Errorf("%d playthroughs: %d workers count otherwise than one", walks, workers)
			}
		}
	}
}

// A guided walk sees everything that can be seen, and sooner than a random walk.
func TestGuided(t *testing.T) {
	led, err := Walk(open(t, keep), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d after %d playthroughs", led.Seen(), led.Goals(), led.Walks)
	for i, x := range led.Points.List {
		if x.Goal && led.times(int32(i)) == 0 {
			t.Errorf("line %d was not seen: what %d, way %d", x.Span.Start.Line, x.What, x.Way)
		}
	}
}

// Something that cannot be seen does not hold up a walk for long: neither if it is ahead of a choice that is always
// open, nor if it is merely after the return from a visit.
func TestNobodyIsHeldUp(t *testing.T) {
	for name, scenes := range map[string]string{
		"a fallback that is never needed": `scene a { choices { "Again" { again }; "Leave" { finish }; otherwise { finish never } } }`,
		"a fallback in a visit":           `scene a { choices { "Go in" { visit b; again }; "Leave" { finish } } }; scene b { choices { "Again" { again }; "Leave" { back }; otherwise { "!" } } }`,
		"unseen is behind a visit":        `scene a { visit b; choices { "Leave" { finish } } }; scene b { choices { "Again" { again }; "Leave" { back } } }`,
	} {
		s, diags, err := build.Source("x.adventure", []byte("adventure \"x\" with d20\ncreature man { }\nside party { man Ann }\n"+strings.ReplaceAll(scenes, "}; scene", "}\nscene")+"\n"), build.Options{Library: rules.FS})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		led, err := Walk(s, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if most := 60 * led.Walks; len(led.Failures) > 0 || led.Choices > most {
			t.Errorf("%s: %d choices in %d playthroughs, %d failures", name, led.Choices, led.Walks, len(led.Failures))
		}
	}
}

// A random playthrough is the story that `run` tells with the same seed.
func TestReplay(t *testing.T) {
	s := open(t, keep)
	w, err := session.NewStoryWalker(s, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(12) {
		seed := seedOf(5, n)
		j := w.Play(seed, nil)
		told := session.Run(s, session.Options{Seed: &seed, Habit: session.Chance})
		if told.Hash != fmt.Sprintf("%016x", j.Hash) {
			t.Errorf("playthrough %d ends otherwise than it is told", n)
		}
	}
}

// BenchmarkWalk makes random playthroughs and reports how many operations and playthroughs per second one worker does,
// for a story of ten scenes and three fights and for one of thirty-five scenes.
func BenchmarkWalk(b *testing.B) {
	for _, path := range []string{keep, "../../examples/adventures/salt-bell/salt-bell.adventure"} {
		b.Run(filepath.Base(path), func(b *testing.B) {
			w, err := session.NewStoryWalker(open(b, path), session.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			steps, choices, n := int64(0), 0, uint64(0)
			for b.Loop() {
				j := w.Play(seedOf(1, n), nil)
				if j.Failure != nil {
					b.Fatal(j.Failure)
				}
				n++
				steps += j.Steps
				choices += j.Choices
			}
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "operations/s")
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "playthroughs/s")
			b.ReportMetric(float64(choices)/float64(n), "choices/playthrough")
		})
	}
}
