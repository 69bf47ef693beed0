package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/rules"
	"arbiter/spec/catalogue"
)

const branchRules = `ruleset brave extends d20

resource nerve from 0 to 10 starts 0
define creature.daring = nerve > 3 or level > 4
condition shaky while nerve < 2
table gasps by size {
  | size   | number |
  | small  |      1 |
  | others |      2 |
}
procedure dare {
  step boast {
    if self is daring { note "Ha." } else { note "Oh." }
    set nerve to 1 when level < 3
    let breath = gasps[size].number
  }
}
`

const branchTests = `tests "brave" with brave

creature man { level: 1 }
given one { side us { man Alia } }
test "a timid man" given one {
  Alia: dare
  expect Alia is shaky
}
test "a brave man" given one {
  set Alia.nerve to 5
  expect Alia is not shaky
  Alia: dare
  expect Alia.nerve = 1
}
test "a test that fails proves nothing" given one {
  set Alia.level to 5
  Alia: dare
  expect Alia.nerve = 7
}
`

// TestBranches: of each condition is known which way it went in passing tests, of each side of it too.
func TestBranches(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"brave.rules": branchRules, "brave.tests": branchTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run([]string{dir}, Options{Library: rules.FS, Cover: true, Branches: true, Own: func(name string) bool { return name == "brave" }})
	if err != nil || len(r.Diagnostics) > 0 || len(r.Tests) != 3 || r.Failed() != 1 {
		t.Fatal(err, r)
	}
	lines := strings.Split(branchRules, "\n")
	got := map[string]string{}
	for i := range r.Branches {
		b := &r.Branches[i]
		if filepath.Base(b.File) != "brave.rules" || b.Line != b.EndLine {
			t.Errorf("an odd place: %+v", b)
			continue
		}
		got[b.Kind+" "+strings.TrimSpace(lines[b.Line-1][b.Column-1:b.EndColumn-1])] = fmt.Sprintf("%d %d", b.Yes, b.No)
	}
	for what, want := range map[string]string{
		"condition nerve > 3 or level > 4": "1 1",
		"condition nerve > 3":              "1 1",
		"condition level > 4":              "0 1",
		"condition nerve < 2":              "2 1",
		"condition self is daring":         "1 1",
		"condition level < 3":              "2 0",
		"statement note \"Ha.\"":           "1 0",
		"statement note \"Oh.\"":           "1 0",
		"cell 1":                           "0 0",
		"cell 2":                           "2 0",
	} {
		if got[what] != want {
			t.Errorf("%s: %s, want %s", what, got[what], want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	lcov := string(r.LCOV())
	for _, want := range []string{"SF:" + filepath.Join(dir, "brave.rules"), "BRDA:14,", "LF:", "end_of_record"} {
		if !strings.Contains(lcov, want) {
			t.Errorf("LCOV has no %s:\n%s", want, lcov)
		}
	}
	if covered, all := r.Share(); covered == 0 || covered >= all {
		t.Errorf("%d of %d", covered, all)
	}
}

// TestBranchesChangeNothing: tests pass as well where everything is marked.
func TestBranchesChangeNothing(t *testing.T) {
	paths := []string{"../../spec/classic", "../../spec/srd35/grapple.tests", "../../spec/true20/damage.tests", "../../spec/starfinder/full-attack.tests"}
	r, err := Run(paths, Options{Library: rules.FS, KnownCitation: catalogue.Known, Cover: true, Branches: true, Own: func(string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Tests {
		if !x.Passed {
			t.Errorf("%s: %s: %v", x.File, x.Title, x.Failures)
		}
	}
	if len(r.Tests) < 30 || len(r.Branches) < 1000 {
		t.Errorf("only %d tests, %d branches", len(r.Tests), len(r.Branches))
	}
}
