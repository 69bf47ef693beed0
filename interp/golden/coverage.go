package golden

import (
	"sort"

	"arbiter/interp/build"
)

// This file says which entries of the catalogue are implemented: cited, exercised by a passing test, or settled as data.

// CoverageReport says of rulesets how much of their catalogues they implement.
type CoverageReport struct {
	Rulesets []RulesetCoverage `json:"rulesets"`
}

// RulesetCoverage of one system. Total is the size of its catalogue. Cited are the ids that some part of the rules
// carries; exercised those that a passing test cites, whose part ran in that test (and, with proof, without which
// that test fails); settled those that are carried by definitions alone: what is documented where it is cited.
type RulesetCoverage struct {
	Name      string   `json:"name"`
	Total     int      `json:"total"`
	Cited     []string `json:"cited"`
	Exercised []string `json:"exercised"`
	Settled   []string `json:"settled"`
	Unproved  []string `json:"unproved,omitempty"` // with proof: exercised, but every test passes without the part
}

// CoverageOptions say where tests and catalogue are.
type CoverageOptions struct {
	Options
	Rulesets []string                           // names
	Tests    []string                           // files and folders
	Entries  func(system string) (ids []string) // of the catalogue
	Defines  func(id string) bool               // is the entry a definition, or ambiguous data that is settled?
	Prove    bool                               // neutralise each part and see a test fail
}

// Coverage runs the tests and holds the catalogue of each ruleset against what they exercised.
func Coverage(o CoverageOptions) (*CoverageReport, error) {
	o.Cover = true
	rep, err := Run(o.Tests, o.Options)
	if err != nil {
		return nil, err
	}
	proved := map[string]bool{}
	if o.Prove {
		if proved, err = prove(&o.Options, rep); err != nil {
			return nil, err
		}
	}
	out := &CoverageReport{}
	for _, name := range o.Rulesets {
		rules, _, err := build.Named(build.Options{Library: o.Library}, name)
		if err != nil {
			return nil, err
		}
		c := RulesetCoverage{Name: name, Cited: []string{}, Exercised: []string{}, Settled: []string{}}
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

// prove neutralises, for each id that a test exercises, the parts that carry it and ran, one after the other; the id is
// proved when a test that cites it then fails.
func prove(o *Options, rep *Report) (map[string]bool, error) {
	type job struct {
		id   string
		test *Test
	}
	byFile := map[string][]job{}
	for i := range rep.Tests {
		t := &rep.Tests[i]
		if !t.Passed {
			continue
		}
		for id := range t.covered {
			byFile[t.File] = append(byFile[t.File], job{id, t})
		}
	}
	var files []string
	for f := range byFile {
		files = append(files, f)
	}
	sort.Strings(files)
	proved := map[string]bool{}
	done := 0
	for _, f := range files {
		jobs := byFile[f]
		sort.Slice(jobs, func(i, j int) bool { return jobs[i].id < jobs[j].id })
		for _, j := range jobs {
			if proved[j.id] {
				continue
			}
			for _, part := range j.test.covered[j.id] {
				fails, err := o.failsWithout(f, j.test, part)
				if err != nil {
					return nil, err
				}
				if fails {
					proved[j.id] = true
					break
				}
			}
		}
		done++
		if o.Progress != nil {
			o.Progress(done, len(files))
		}
	}
	return proved, nil
}

// failsWithout tells whether a test fails once a part is taken out.
func (o *Options) failsWithout(file string, t *Test, part int32) (bool, error) {
	s, _, err := o.build(file, map[int32]bool{part: true})
	if err != nil {
		return false, err
	}
	if s.Rules == nil {
		return true, nil
	}
	for _, u := range testsOf(s) {
		if u.Line == t.Line && u.Title == t.Title {
			o.play(s, &u)
			return !u.Passed, nil
		}
	}
	return false, nil
}
