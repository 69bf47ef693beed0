package golden

import (
	"fmt"
	"maps"
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
	run, proved := Run, map[string]bool{}
	if o.Prove {
		run = func(paths []string, o Options) (rep *Report, err error) {
			rep, proved, err = runProving(paths, o)
			return rep, err
		}
	}
	rep, err := run(o.Tests, o.Options)
	if err != nil {
		return nil, err
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

// prover takes out, one at a time, each part that cites an id and ran in a test that cites it too. The id is proved if the
// test then fails. Its workers share it.
type prover struct {
	mu sync.Mutex
	// ids proved by any file; they are not tried again
	proved map[string]bool
}

// runProving runs tests, and tries each file right after its tests, while its rules are at hand. It returns the ids that
// are proved as well.
func runProving(paths []string, o Options) (*Report, map[string]bool, error) {
	o.Cover, o.prover = true, &prover{proved: map[string]bool{}}
	rep, err := Run(paths, o)
	return rep, o.prover.proved, err
}

// try runs the trials of the tests of one file that can still prove something. Trials that prove the most ids come first.
func (p *prover) try(o Options, s *build.Script, tests []Test) error {
	var list []trial
	for i := range tests {
		if t := &tests[i]; t.Passed {
			list = append(list, trials(t)...)
		}
	}
	slices.SortStableFunc(list, func(a, b trial) int { return len(b.ids) - len(a.ids) })
	o.Cover, o.OnPlayed = false, nil
	var without *build.Recompiler
	plain := map[string]*writtenTest{} // by title, which is unique in a file
	for _, x := range list {
		if !p.hasUnproved(x.ids) {
			continue
		}
		if without == nil {
			var err error
			if without, err = s.Recompiler(o.compile(nil)); err != nil {
				return err
			}
			for _, t := range testsOf(s) {
				plain[t.Title] = &t
			}
		}
		if o.failsWithout(without, *plain[x.test.Title], x.part) {
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
func (o *Options) failsWithout(without *build.Recompiler, t writtenTest, part int32) bool {
	s, err := without.Without(part)
	if err != nil {
		return true // nothing runs without the part
	}
	o.play(s, &t).Close()
	return !t.Passed
}
