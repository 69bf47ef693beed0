package sweep

import (
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

const roles = `encounter "roles" with srd35
creature frail { full-hit-points: 1; main-weapon: dagger }
creature sturdy { full-hit-points: 30; strength: 30; main-weapon: greatsword }
tactics nap { stand-up when self is prone }
side left { frail Alia; frail Anna }
side right { frail Bron; frail Cole }
Bron follows nap
seed 1
fight on for 3 rounds
`

// A member, a side or all of a template are made from something else, or follow other tactics.
func TestRoles(t *testing.T) {
	for _, c := range []struct{ text, expect string }{
		{"Alia.template = sturdy, frail", "Alia.max-hit-points = 30 and Anna.max-hit-points = 1|Alia.max-hit-points = 1"},
		{"left.template = sturdy", "Alia.max-hit-points = 30 and Anna.max-hit-points = 30 and Bron.max-hit-points = 1"},
		{"frail.template = sturdy", "Alia.max-hit-points = 30 and Cole.max-hit-points = 30"},
		{"left.tactics = nap", "Alia.hit-points > -20"},
		{"right.tactics = nap", "Alia.hit-points = 1 and Anna.hit-points = 1"}, // nobody hurts them
		{"Bron.tactics = default, nap, best of 10", "yes|yes|yes"},
	} {
		base, diags, err := build.Source("test.encounter", []byte(roles), options())
		if err != nil || diags.HasErrors() {
			t.Fatal(diags, err)
		}
		s, diags := Parse("--sweep", c.text)
		if len(diags) > 0 || len(s.Check(base)) > 0 {
			t.Fatal(c.text, shown(append(diags, s.Check(base)...)))
		}
		for i, expect := range strings.Split(c.expect, "|") {
			a, _ := s.Amendment(i)
			x, _, err := build.Source("test.encounter", []byte(roles+"expect "+expect+"\n"), build.Options{Library: rules.FS, Amend: []build.Amendment{a}})
			if err != nil || x.Rules == nil {
				t.Fatal(c.text, err)
			}
			if failures := played(x); failures != "" {
				t.Errorf("%s, value %d: %s", c.text, i+1, failures)
			}
			// The same rules do.
			y, ok := base.Amended([]build.Amendment{a})
			if !ok {
				t.Fatal(c.text)
			}
			z, _, _ := build.Source("test.encounter", []byte(roles), build.Options{Library: rules.FS, Amend: []build.Amendment{a}})
			if session.Run(y, session.Options{}).Hash != session.Run(z, session.Options{}).Hash {
				t.Errorf("%s, value %d: without a build the fight goes otherwise", c.text, i+1)
			}
		}
	}
}

func TestRoleMistakes(t *testing.T) {
	base, _, err := build.Source("test.encounter", []byte(roles), options())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Alia.template = sturdi":          "--sweep:1:17-23: there is no creature called sturdi (did you mean `sturdy`?)\n",
		"Alia.template = dagger":          "--sweep:1:17-23: there is no creature called dagger (",
		"Alia.tactics = nap, napp":        "--sweep:1:21-25: there are no tactics named napp (did you mean `nap`?)\n",
		"Alia.tactics = best of some":     "--sweep:1:16-28: some is not a number of playouts (write `best of 50`)\n",
		"Alia.tactics = best of 10000000": "--sweep:1:16-32: a command can be the best of",
	} {
		s, diags := Parse("--sweep", text)
		if len(diags) == 0 {
			diags = s.Check(base)
		}
		if got := shown(diags); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  gives %s\n  want  %s", text, got, want)
		}
	}
}
