package golden

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"sync"

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

// trial is a part that is taken out, and a test that ran it, with what of that is proved if the test then fails.
type trial struct {
	test *Test
	part int32
	ids  []string
}

// prover gathers what is proved; its workers share it.
type prover struct {
	o  *Options
	mu sync.Mutex
	// proved ids, from any file: what is proved once is not tried again
	proved map[string]bool
}

// prove takes out, one after the other, the parts that carry an id and ran in a test that cites it; the id is proved when the
// test then fails. What proves most at once is tried first.
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
	var failed error
	var wg sync.WaitGroup
	for range min(workers, max(1, len(files))) {
		wg.Go(func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			for next < len(files) && failed == nil {
				f := files[next]
				next++
				p.mu.Unlock()
				err := p.file(f, byFile[f])
				p.mu.Lock()
				failed = cmp.Or(failed, err)
				done++
				if o.Progress != nil {
					o.Progress(done, len(files))
				}
			}
		})
	}
	wg.Wait()
	return p.proved, failed
}

// file makes the trials of one file that can still prove something. The file is read and checked once for all of them.
func (p *prover) file(path string, list []trial) error {
	slices.SortStableFunc(list, func(a, b trial) int { return len(b.ids) - len(a.ids) })
	var s *build.Script
	tests := map[string]*Test{} // by title, which no two tests of a file share
	for _, x := range list {
		if !p.open(x.ids) {
			continue
		}
		if s == nil {
			var err error
			if s, _, err = p.o.build(path); err != nil {
				return err
			}
			for _, t := range testsOf(s) {
				tests[t.Title] = &t
			}
		}
		if p.o.failsWithout(s, *tests[x.test.Title], x.part) {
			p.mu.Lock()
			for _, id := range x.ids {
				p.proved[id] = true
			}
			p.mu.Unlock()
		}
	}
	return nil
}

// open tells whether some of ids is not proved yet.
func (p *prover) open(ids []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(ids, func(id string) bool { return !p.proved[id] })
}

// trials are those of one test: the ids that it cites, by the parts that carry them.
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

// failsWithout tells whether a test of a script fails once a part is taken out of its rules.
func (o *Options) failsWithout(s *build.Script, t Test, part int32) bool {
	without, err := s.Recompiled(o.compile(map[int32]bool{part: true}))
	if err != nil {
		return true // nothing can be played without the part
	}
	o.play(without, &t)
	return !t.Passed
}
