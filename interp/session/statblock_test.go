package session

import (
	"os"
	"path/filepath"
	"testing"

	"arbiter/interp/build"
)

// The stat block of a creature; nothing if the ruleset has none, or if the name is not a creature.
func TestStatBlock(t *testing.T) {
	const town = `ruleset town
kind creature { size, weight: number = 1 }
kind tool { edge: number = 2 }
tool saw { edge: 3 }
stat bulk { size: size; weight: weight }
creature mouse { weight: 2 * size }
`
	const told = `procedure stat-block { step all { note "bulk {bulk} of {weight}" } }
`
	for _, c := range []struct{ rules, creature, want string }{
		{town + told, "mouse", "mouse: stat-block\n  bulk 3 of 2\n"},
		{town + told, "saw", ""},
		{town + told, "cat", ""},
		{town, "mouse", ""},
	} {
		path := filepath.Join(t.TempDir(), "town.rules")
		if err := os.WriteFile(path, []byte(c.rules), 0o644); err != nil {
			t.Fatal(err)
		}
		s, diags, err := build.File(path, build.Options{})
		if err != nil || s.Rules == nil {
			t.Fatal(err, diags)
		}
		if got := StatBlock(s.Rules, c.creature); got != c.want {
			t.Errorf("%s: %q, want %q", c.creature, got, c.want)
		}
	}
}
