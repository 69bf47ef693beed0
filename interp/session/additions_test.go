package session

import (
	"path/filepath"
	"slices"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/rules"
)

// What is marked the first time, in a program that remembers, is what runs in one that computes everything anew; and
// marking changes no fight.
func TestAdditionsAreMarked(t *testing.T) {
	const fights = 3
	for _, path := range systemFights {
		s, diags, err := build.File(filepath.Join("../../examples", path), build.Options{Library: rules.FS})
		if err != nil || s.Rules == nil {
			t.Fatal(path, diags, err)
		}
		s.Rules.Complete()
		plain, err := s.Recompiled(compile.Options{AnnounceAll: s.WaitsForEvents()})
		if err != nil {
			t.Fatal(err)
		}
		covering, err := s.Recompiled(compile.Options{Cover: true, AnnounceAll: s.WaitsForEvents()})
		if err != nil {
			t.Fatal(err)
		}
		all := func(string) bool { return true }
		var trials []*Trials
		for i, script := range []*build.Script{s, plain, covering} {
			o := Options{}
			if i == 0 {
				o.Additions = all
			}
			x, err := NewTrials(script, o)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, x)
		}
		for seed := range uint64(fights) {
			var ends []Outcome
			for _, x := range trials {
				end, err := x.Fight(seed)
				if err != nil {
					t.Fatal(path, seed, err)
				}
				ends = append(ends, end)
			}
			if ends[0] != ends[1] || ends[0] != ends[2] || trials[0].m.State().Hash() != trials[1].m.State().Hash() {
				t.Errorf("%s, fight %d: the ends are %v, or the state differs", path, seed, ends)
			}
		}
		marks := trials[0].Marks()
		used, unused := 0, 0
		for _, a := range trials[0].Cast().Additions {
			last := a.Stages[len(a.Stages)-1].Mark
			if last < 0 {
				continue // it shows before the fights
			}
			why, is := a.Unused(marks)
			if is {
				unused++
			} else {
				used++
			}
			p := s.Rules.Checked.Parts[last/2]
			if covered := trials[2].m.Covered.Has(p.ID); covered == is && (covered || len(p.Cites) > 0) {
				t.Errorf("%s: %s %s (%s:%d): used %v, but ran %v; %s", path, a.Kind, a.Path, a.File, a.Line, !is, covered, why)
			}
		}
		if used < 200 || unused < 200 {
			t.Errorf("%s: %d parts used, %d not", path, used, unused)
		}
		t.Logf("%s: %d parts used, %d not", path, used, unused)
		if len(trials[1].Marks()) > 0 || !slices.IsSorted(marks) {
			t.Errorf("%s: marks %v", path, trials[1].Marks())
		}
	}
}
