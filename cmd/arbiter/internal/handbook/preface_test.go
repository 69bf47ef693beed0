package handbook

import (
	"slices"
	"testing"
)

func TestPreface(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"paragraphs and points", "ruleset a\n  \"A.\"\n\n# One\n# and on.\n#\n# Two:\n# - this\n#   and this\n# - that\n\nenum b: c\n",
			[]string{"One and on.", "Two:", "- this and this", "- that"}},
		{"of what follows it", "ruleset a\n\n# What b is.\nenum b: c\n", nil},
		{"a heading", "ruleset a\n\n# --- b ---\n\nenum b: c\n", nil},
		{"nothing else", "ruleset a\n\n# One.\n", []string{"One."}},
		{"no comment", "ruleset a\n\nenum b: c\n", nil},
		{"only a head", "ruleset a\n", nil},
		{"nothing", "", nil},
	} {
		if got := preface(c.source); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSystemsHavePrefaces: each system that others rest on, or that is played, says how it differs from what it rests on.
func TestSystemsHavePrefaces(t *testing.T) {
	list, err := books()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		if len(b.Rulesets) > 0 && b.Preface == nil && !onlyThings(b) {
			t.Errorf("%s.rules has no comment below its head that says how %[1]s differs from what it rests on", b.Name)
		}
	}
}

// onlyThings reports whether a ruleset adds only creatures and spells to another one, and its sentence says all.
func onlyThings(b *Book) bool {
	return slices.ContainsFunc(b.Rulesets, func(r Ruleset) bool { return len(b.Name) > len(r.Name) && b.Name[:len(r.Name)+1] == r.Name+"-" })
}
