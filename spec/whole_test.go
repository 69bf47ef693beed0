package spec

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/golden"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// whole are the systems of which every rule of the catalogue is written and tested.
var whole = []string{"srd35"}

// A system that is whole stays so: each rule of its catalogue is cited by some part of it, and ran in a test that cites it,
// or is a definition, which needs none. That a test fails without it is proved apart: arbiter rules coverage --prove.
func TestWhole(t *testing.T) {
	books := map[string][]string{}
	for _, s := range catalogue.Systems() {
		for _, e := range s.Entries {
			books[s.Name] = append(books[s.Name], e.ID)
		}
	}
	report, err := golden.Coverage(golden.CoverageOptions{
		Options: golden.Options{Library: rules.FS, Known: catalogue.Known}, Rulesets: whole, Tests: []string{"."},
		Entries: func(system string) []string { return books[system] },
		Defines: func(id string) bool { e, ok := catalogue.Find(id); return ok && e.Kind == "definition" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Rulesets {
		var open []string
		for _, id := range books[r.Name] {
			if !slices.Contains(r.Exercised, id) && !slices.Contains(r.Settled, id) {
				open = append(open, id)
			}
		}
		if len(open) > 0 || len(books[r.Name]) < 400 {
			t.Errorf("of the %d rules of %s these are not written and tested: %s", len(books[r.Name]), r.Name, strings.Join(open, ", "))
		}
	}
	if len(report.Rulesets) != len(whole) {
		t.Errorf("%d reports for %d systems", len(report.Rulesets), len(whole))
	}
}
