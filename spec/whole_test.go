package spec

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/golden"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// whole are the systems whose catalogue is completely implemented.
var whole = []string{"modern", "srd35"}

// Every rule of the catalogue that its system cites is cited by a test that ran, or is a definition, which needs none;
// in a complete system that is every rule. That a test fails without the rule is proved separately: arbiter rules
// coverage --prove.
func TestWhole(t *testing.T) {
	books := map[string][]string{}
	var systems []string
	for _, s := range catalogue.Systems() {
		systems = append(systems, s.Name)
		for _, e := range s.Entries {
			books[s.Name] = append(books[s.Name], e.ID)
		}
	}
	report, err := golden.Coverage(golden.CoverageOptions{
		Options: golden.Options{Library: rules.FS, KnownCitation: catalogue.Known}, Rulesets: systems, Tests: []string{"."},
		Entries: func(system string) []string { return books[system] },
		Defines: func(id string) bool { e, ok := catalogue.Find(id); return ok && e.Kind == "definition" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Rulesets {
		due := r.Cited
		if slices.Contains(whole, r.Name) {
			due = books[r.Name]
		}
		open := slices.DeleteFunc(slices.Clone(due), func(id string) bool { return slices.Contains(r.Exercised, id) || slices.Contains(r.Settled, id) })
		if len(open) > 0 || len(due) < 70 {
			t.Errorf("of %d rules of %s these are not tested: %s", len(due), r.Name, strings.Join(open, ", "))
		}
	}
	if len(report.Rulesets) != 5 {
		t.Errorf("%d reports for five systems", len(report.Rulesets))
	}
}
