package catalogue

import (
	"regexp"
	"strings"
	"testing"
)

var idForm = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[a-z0-9-]+)+\.[0-9]{2,3}$`)

func TestSystems(t *testing.T) {
	systems := Systems()
	if len(systems) != len(names) {
		t.Fatalf("%d systems, want %d", len(systems), len(names))
	}
	seen := map[string]bool{}
	for i, s := range systems {
		if s.Name != names[i] {
			t.Errorf("system %d is %s, want %s", i, s.Name, names[i])
		}
		text, err := files.ReadFile(s.Name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n") - 1; len(s.Entries) != lines {
			t.Errorf("%s: %d entries of %d lines", s.Name, len(s.Entries), lines)
		}
		options := 0
		for _, e := range s.Entries {
			if !idForm.MatchString(e.ID) || !strings.HasPrefix(e.ID, s.Name+".") {
				t.Errorf("%s: the id %q has not the form SYSTEM.SECTION.NN", s.Name, e.ID)
			}
			if e.Kind == "" || strings.ContainsAny(e.Kind, " \t") {
				t.Errorf("%s: the kind %q is not one word", e.ID, e.Kind)
			}
			if seen[e.ID] {
				t.Errorf("%s appears twice", e.ID)
			}
			seen[e.ID] = true
			if e.Ambiguous {
				options++
			}
		}
		if options == 0 || options == len(s.Entries) {
			t.Errorf("%s: %d of %d rules are ambiguous", s.Name, options, len(s.Entries))
		}
	}
}

func TestKnown(t *testing.T) {
	for id, want := range map[string]bool{
		"srd35.ac.01": true, "true20.general.01": true, "third.core.02": true,
		"srd35.ac": false, "srd35.ac.999": false, "srd35.AC.01": false, "": false, "id": false,
	} {
		if Known(id) != want {
			t.Errorf("Known(%q) = %v", id, !want)
		}
	}
	if e, ok := Find("srd35.ac.01"); !ok || e.ID != "srd35.ac.01" {
		t.Error("Find does not find what Known knows")
	}
}
