package build

import (
	"os"
	"path/filepath"
	"testing"

	"arbiter/rules"
)

// TestDeclaredElsewhere checks that the hint for a name declared in the library suggests its ruleset, if that is
// compatible with the script.
func TestDeclaredElsewhere(t *testing.T) {
	for _, x := range []struct {
		name, file, src string
		hints           []string // by diagnostic
	}{
		{"a creature of the bestiary", "x.encounter", "encounter \"x\" with srd35\nside a { troll Grom }\n",
			[]string{"ruleset `srd35-bestiary` declares it: write `with srd35-bestiary`"}},
		{"with another beside it", "x.encounter", "encounter \"x\" with srd35-spells\nside a { troll Grom }\n",
			[]string{"ruleset `srd35-bestiary` declares it: write `with srd35-spells, srd35-bestiary`"}},
		{"two, of two rulesets", "x.rules", "ruleset x extends srd35\ncreature king extends troll { }\ndefine best-spell = fireball\n",
			[]string{"ruleset `srd35-bestiary` declares it: write `extends srd35-bestiary`", "ruleset `srd35-spells` declares it: write `extends srd35-spells`"}},
		{"of the foundation", "x.rules", "ruleset x extends d20\ndefine creature.ready = self.touch-armor-class\n",
			[]string{"ruleset `classic` declares it: write `extends classic`"}},
		{"of another system", "x.encounter", "encounter \"x\" with srd35\ncreature man { has toughness }\nside a { man Grom; human-soldier Bo { stamina-points: 3 } }\n",
			[]string{"declare one: creature human-soldier { ... }"}},
		{"an effect of another system", "x.rules", "ruleset x extends srd35\nfeat grim { includes shaken }\n",
			[]string{"declare it: condition shaken { ... }; as a model see `arbiter rules show true20 shaken`"}},
		{"of nobody", "x.encounter", "encounter \"x\" with srd35\nside a { dragoness Grom }\n", []string{"declare one: creature dragoness { ... }"}},
		{"of a ruleset that it has", "x.encounter", "encounter \"x\" with srd35\nside a { longsword Grom }\n", []string{"declare one: creature longsword { ... }"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, diags, err := Source(x.file, []byte(x.src), quick)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range diags {
				got = append(got, d.Hint)
			}
			if len(got) != len(x.hints) {
				t.Fatalf("%d mistakes: %v", len(got), diags)
			}
			for i := range got {
				if got[i] != x.hints[i] {
					t.Errorf("got  %s\nwant %s", got[i], x.hints[i])
				}
			}
		})
	}
}

// TestDeclaredElsewhereForTheHouse checks that for house rules from Options.With the hint is about their own header.
func TestDeclaredElsewhereForTheHouse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gritty.rules")
	if err := os.WriteFile(path, []byte("ruleset gritty extends srd35\ncreature king extends troll { }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, diags, err := Source("x.encounter", []byte("encounter \"x\" with srd35\n"), Options{Library: rules.FS, With: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "ruleset `srd35-bestiary` declares it: write `extends srd35-bestiary`"; len(diags) != 1 || diags[0].File != path || diags[0].Hint != want {
		t.Errorf("got %v, want the hint %s", diags, want)
	}
}
