package golden

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

var (
	trialFiles = flag.Int("trial-files", 8, "how many files TestTrialsAreTheSame tries; -1: all, every trial")
	trialSeed  = flag.Uint64("trial-seed", 4, "which ones it picks")
)

// TestTrialsAreTheSame takes parts out of the rules of tests in both ways: with everything compiled anew, and with only
// what depends on the part. What the tests print, and how they fail, is the same.
func TestTrialsAreTheSame(t *testing.T) {
	found, err := files.Find([]string{"../../spec"}, []string{".tests"})
	if err != nil || len(found) < 50 {
		t.Fatal(len(found), err)
	}
	r := rand.New(rand.NewPCG(36, *trialSeed))
	r.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	most := 10 // of a file
	if *trialFiles >= 0 {
		found = found[:min(*trialFiles, len(found))]
	} else {
		most = 1 << 30
	}
	o := Options{Library: rules.FS, KnownCitation: catalogue.Known, Cover: true}
	tried, failed := 0, 0
	for _, path := range found {
		tests, _, _, err := o.runFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var list []trial
		for i := range tests {
			list = append(list, trials(&tests[i])...)
		}
		if len(list) == 0 {
			continue
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		plain := o
		plain.Cover = false
		s, _, err := plain.build(path)
		if err != nil {
			t.Fatal(err)
		}
		without, err := s.Recompiler(plain.compile(nil))
		if err != nil {
			t.Fatal(err)
		}
		again := testsOf(s)
		for _, x := range list[:min(most, len(list))] {
			i := slices.IndexFunc(again, func(y writtenTest) bool { return y.Title == x.test.Title })
			play := func(s *build.Script, err error) Test {
				test := again[i]
				if test.Failures = nil; err != nil {
					test.Output = err.Error()
					return test.Test
				}
				verbose := plain
				verbose.Verbose = true
				verbose.play(s, &test).Close()
				return test.Test
			}
			want := play(s.Recompiled(plain.compile(map[int32]bool{x.part: true})))
			got := play(without.Without(x.part))
			if tried++; !want.Passed {
				failed++
			}
			if got.Output != want.Output || fmt.Sprint(got.Failures) != fmt.Sprint(want.Failures) {
				t.Errorf("%s, %s without %s:\n%s\n%v\nnot\n%s\n%v", path, x.test.Title, s.Rules.Checked.Parts[x.part].Path, got.Output, got.Failures, want.Output, want.Failures)
			}
		}
	}
	if failed < tried/2 {
		t.Errorf("only %d of %d trials failed", failed, tried)
	}
	t.Logf("%d trials", tried)
}
