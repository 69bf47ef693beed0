package golden

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"arbiter/interp/build"
)

// This file computes which entries of the catalogue are implemented: cited, exercised by a passing test, or settled as
// data.

// CoverageReport is how much of their catalogues rulesets implement. Failed are the tests that failed, as FILE:LINE:
// they prove nothing.
type CoverageReport struct {
	Rulesets []RulesetCoverage `json:"rulesets"`
	Failed   []string          `json:"failed"`
}

// RulesetCoverage is the coverage of one system. Total is the size of its catalogue. Cited are the ids that some part
// of the rules cites. Exercised are those cited by a passing test that ran such a part; with mutation testing, that
// test must also fail without the part. Settled are those of definitions alone, which are documented where they are
// cited. Missing are those that nothing cites.
type RulesetCoverage struct {
	Name      string   `json:"name"`
	Total     int      `json:"total"`
	Cited     []string `json:"cited"`
	Exercised []string `json:"exercised"`
	Settled   []string `json:"settled"`
	Missing   []string `json:"missing"`
	Unproved  []string `json:"unproved,omitempty"` // with Prove: exercised, but every test passes without the part
}

// Untested returns the ids that are cited, but that no passing test exercises.
func (c *RulesetCoverage) Untested() []string {
	return slices.DeleteFunc(slices.Clone(c.Cited), func(id string) bool {
		return slices.Contains(c.Exercised, id) || slices.Contains(c.Settled, id) || slices.Contains(c.Unproved, id)
	})
}

// CoverageOptions configures the coverage.
type CoverageOptions struct {
	Options
	Rulesets []string                           // names
	Tests    []string                           // files and folders
	Entries  func(system string) (ids []string) // of the catalogue
	Defines  func(id string) bool               // whether the entry is a definition, or ambiguous data that is settled
	Prove    bool                               // mutation testing: neutralize each part and require that a test fails
}

// Coverage runs the tests and compares what they exercised with the catalogue of each ruleset.
func Coverage(o CoverageOptions) (*CoverageReport, error) {
	o.Cover = true
	rep, err := Run(o.Tests, o.Options)
	if err != nil {
		return nil, err
	}
	proved := map[string]bool{}
	if o.Prove {
		trials := o.Options
		trials.Cover = false
		if proved, err = prove(&trials, rep); err != nil {
			return nil, err
		}
	}
	out := &CoverageReport{Failed: []string{}}
	for i := range rep.Tests {
		if t := &rep.Tests[i]; !t.Passed {
			out.Failed = append(out.Failed, fmt.Sprintf("%s:%d", t.File, t.Line))
		}
	}
	for _, name := range o.Rulesets {
		rules, _, err := build.Named(build.Options{Library: o.Library}, name)
		if err != nil {
			return nil, err
		}
		c := RulesetCoverage{Name: name, Cited: []string{}, Exercised: []string{}, Settled: []string{}, Missing: []string{}}
		ids := o.Entries(name)
		c.Total = len(ids)
		cited := map[string]bool{}
		if rules != nil {
			for _, p := range rules.Checked.Parts {
				for _, id := range p.Cites {
					cited[id] = true
				}
			}
		}
		for _, id := range ids {
			if !cited[id] {
				c.Missing = append(c.Missing, id)
				continue
			}
			c.Cited = append(c.Cited, id)
			tests := len(rep.Covered[id]) > 0
			switch {
			case tests && (!o.Prove || proved[id]):
				c.Exercised = append(c.Exercised, id)
			case o.Defines != nil && o.Defines(id):
				c.Settled = append(c.Settled, id)
			case tests:
				c.Unproved = append(c.Unproved, id)
			}
		}
		out.Rulesets = append(out.Rulesets, c)
	}
	return out, nil
}

// trial is a mutation: a part to take out, a test that ran it, and the ids that are proved if the test then fails.
type trial struct {
	test *Test
	part int32
	ids  []string
}

// prover holds what is proved; its workers share it.
type prover struct {
	o  *Options
	mu sync.Mutex
	// ids proved by any file; they are not tried again
	proved map[string]bool
}

// prove takes out, one at a time, each part that cites an id and ran in a test that cites it too. The id is proved if
// the test then fails. Trials that prove the most ids come first.
func prove(o *Options, rep *Report) (map[string]bool, error) {
	byFile := map[string][]trial{}
	for i := range rep.Tests {
		if t := &rep.Tests[i]; t.Passed {
			byFile[t.File] = append(byFile[t.File], trials(t)...)
		}
	}
	files := slices.Sorted(maps.Keys(byFile))
	p := &prover{o: o, proved: map[string]bool{}}
	next, done, workers := 0, 0, o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var firstError error
	var wg sync.WaitGroup
	for range min(workers, max(1, len(files))) {
		wg.Go(func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			for next < len(files) && firstError == nil {
				f := files[next]
				next++
				p.mu.Unlock()
				err := p.runTrials(f, byFile[f])
				p.mu.Lock()
				firstError = cmp.Or(firstError, err)
				done++
				if o.OnProgress != nil {
					o.OnProgress(done, len(files))
				}
			}
		})
	}
	wg.Wait()
	return p.proved, firstError
}

// runTrials runs the trials of one file that can still prove something. The file is read and checked only once.
func (p *prover) runTrials(path string, list []trial) error {
	slices.SortStableFunc(list, func(a, b trial) int { return len(b.ids) - len(a.ids) })
	var s *build.Script
	var without *build.Recompiler
	tests := map[string]*Test{} // by title, which is unique in a file
	for _, x := range list {
		if !p.hasUnproved(x.ids) {
			continue
		}
		if s == nil {
			var err error
			if s, _, err = p.o.build(path); err != nil {
				return err
			}
			if without, err = s.Recompiler(p.o.compile(nil)); err != nil {
				return err
			}
			for _, t := range testsOf(s) {
				tests[t.Title] = &t
			}
		}
		if p.o.failsWithout(without, *tests[x.test.Title], x.part) {
			p.mu.Lock()
			for _, id := range x.ids {
				p.proved[id] = true
			}
			p.mu.Unlock()
		}
	}
	return nil
}

// hasUnproved reports whether some of the ids are not proved yet.
func (p *prover) hasUnproved(ids []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(ids, func(id string) bool { return !p.proved[id] })
}

// trials returns the trials of one test: for each part that ran, the ids that both cite.
func trials(t *Test) []trial {
	ids := map[int32][]string{}
	for id, parts := range t.covered {
		for _, part := range parts {
			ids[part] = append(ids[part], id)
		}
	}
	var list []trial
	for _, part := range slices.Sorted(maps.Keys(ids)) {
		list = append(list, trial{t, part, ids[part]})
	}
	return list
}

// failsWithout reports whether a test fails when a part is taken out of its rules.
func (o *Options) failsWithout(without *build.Recompiler, t Test, part int32) bool {
	s, err := without.Without(part)
	if err != nil {
		return true // nothing runs without the part
	}
	o.play(s, &t)
	return !t.Passed
}
