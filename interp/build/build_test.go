package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/compile"
	"arbiter/lang/diag"
	"arbiter/rules"
)

// quick are the options of tests that run nothing.
var quick = Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}

// TestScriptsAreChecked checks that every statement of a script is checked statically, and each mistake is reported
// once, at its position.
func TestScriptsAreChecked(t *testing.T) {
	src := `encounter "bad" with srd35
creature duelist { base-attack: 5 }
side left { duelst Ann }
side right { duelist Bo; duelist Bo }
expect Ann.armr = 3
Bo: attak Ann with club
Bo follows nothing
let x = Bo.hit-points
expect x = yes
pass 3
next turn of 5
`
	s, diags, err := Source("bad.encounter", []byte(src), quick)
	if err != nil || s.Rules != nil {
		t.Fatalf("%v, and there are rules", err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s", d.Span.Start.Line, d.Span.Start.Column, d.Code))
	}
	want := "3:13 unknown-template, 4:34 declared-twice, 5:12 unknown-name, 6:5 unknown-command, 7:12 unknown-tactics, 9:8 wrong-type, 10:6 wrong-type, 11:14 wrong-type"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// TestWhatWasNotReadIsNotMissed checks that names declared by clauses with syntax errors are not reported as unknown.
func TestWhatWasNotReadIsNotMissed(t *testing.T) {
	for _, x := range []struct{ file, src, want string }{
		{"x.encounter", "encounter \"x\" with srd35\ncreature man level: 1\nside a { man Bo }\nlet n 3\nexpect n = 3\nexpect m = 3\n", "2:14 expected-end, 4:7 expected, 6:8 unknown-name"},
		{"x.rules", "ruleset x extends srd35\noption often 3\ndefine creature.seldom = often - 1\n", "2:14 expected"},
		{"x.rules", "ruleset x extends srd35\ndefine creature.luck luck \"How lucky.\"\n  = 3\ndefine creature.fate = luck + self.luck\n", "2:22 expected"},
		{"x.rules", "ruleset x extends srd35\naction dodge-it foe {\n  chekc reflex dc 12 as way-out\n  stop when way-out fails or wayout fails\n}\n", "3:16 expected-end, 4:30 unknown-name"},
		{"x.encounter", "encounter \"x\" with srd35\ncreature man { level: 1 }\nmap \"A.\" { \"#\" wall }\nside a { man Bo at \"A\" }\n", "3:16 expected"},
		{"x.adventure", "adventure \"x\" with srd35\nkeep coins 3\ncreature man { level: 1 }\nparty { man Bo }\nscene a {\n  if coins > 2 { let n: 3; \"{n} {coyns}\" }\n  Bo loses 1 hit-points\n  finish\n}\n",
			"2:12 expected, 4:7 expected-end, 6:23 expected, 6:34 unknown-name"},
	} {
		_, diags, err := Source(x.file, []byte(x.src), quick)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range diags {
			got = append(got, fmt.Sprintf("%d:%d %s", d.Span.Start.Line, d.Span.Start.Column, d.Code))
		}
		if strings.Join(got, ", ") != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.src, strings.Join(got, ", "), x.want)
		}
	}
}

// TestPrintedIsChecked checks that `printed` is checked with the rest of the file, before anything is computed.
func TestPrintedIsChecked(t *testing.T) {
	src := `ruleset bad extends srd35
creature hound {
  printed { armr-class = 3; armor-class; fortitude = yes; self has shagy; Rex.speed = 3 ft; armor-class = 3 }
}
`
	_, diags, err := Source("bad.rules", []byte(src), quick)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s", d.Span.Start.Line, d.Span.Start.Column, d.Code))
	}
	want := "3:13 unknown-name, 3:29 wrong-type, 3:42 wrong-type, 3:68 unknown-name, 3:75 unknown-name"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// TestTestsAreChecked checks that each test of a file is checked with its own givens, and that a mistake in a given is
// reported once.
func TestTestsAreChecked(t *testing.T) {
	src := `tests "bad" with srd35
creature duelist { base-attack: 5 }
given duel { side left { duelist Ann }; side right { duelist Bo }; set Ann.hit-pints to 3 }
test "one" given duel { Ann: attack Bo with club }
test "two" given duel { Ann: attack Cy with club }
test "three" given dual { expect 1 + 1 = 2 }
dice 3
`
	_, diags, err := Source("bad.tests", []byte(src), quick)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s %s", d.Span.Start.Line, d.Span.Start.Column, d.Code, d.Hint))
	}
	for i, want := range []string{"3:76 not-settable", "5:37 unknown-name", "6:20 unknown-given did you mean `duel`?", "7:1 misplaced"} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Fatalf("got %q, want %q as the one numbered %d", got, want, i)
		}
	}
	if len(got) != 4 {
		t.Errorf("%q", got)
	}
}

// TestSiblingsAreChecked checks that a ruleset of several files is checked as a whole, whichever of them is named: a
// syntax error in another one is reported.
func TestSiblingsAreChecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "house")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]string{"one.rules": "ruleset house extends d20\n", "two.rules": "ruleset house extends d20\noption two = = 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one := filepath.Join(dir, "one.rules")
	for how, build := range map[string]func() ([]string, error){
		"as a file": func() ([]string, error) {
			_, diags, err := File(one, quick)
			return places(diags), err
		},
		"as a house": func() ([]string, error) {
			_, diags, err := Named(Options{Library: rules.FS, With: []string{one}}, "d20")
			return places(diags), err
		},
	} {
		if got, err := build(); err != nil || strings.Join(got, ", ") != "two.rules:2:14" {
			t.Errorf("%s: %v %v", how, got, err)
		}
	}
}

// TestFolderOfARuleset checks that a ruleset of several files means the same whichever of them is named and from
// wherever, and that what it extends and the scripts in its folder are found.
func TestFolderOfARuleset(t *testing.T) {
	top := t.TempDir()
	house := filepath.Join(top, "house")
	if err := os.Mkdir(house, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]string{
		"base.rules":        "ruleset base extends d20\nprocedure greet { step hello { note \"Hello.\" } }\n",
		"house/one.rules":   "ruleset house extends base\nextend greet { step smile after hello { note \"Smiles.\" } }\n",
		"house/two.rules":   "ruleset house extends base\nextend greet { step bow after smile { note \"Bows.\" } }\n",
		"house/.#one.rules": "a lock of an editor",
		"house/house.tests": "tests \"house\" with house\ncreature soldier { }\ntest \"t\" { side us { soldier Alia }; Alia: greet }\n",
	} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{top, house} {
		t.Chdir(from)
		for _, name := range []string{"one.rules", "two.rules", "house.tests"} {
			path, err := filepath.Rel(from, filepath.Join(house, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{path, filepath.Join(house, name)} {
				if _, diags, err := File(path, quick); err != nil || len(diags) > 0 {
					t.Errorf("%s from %s: %v %v", path, from, diags, err)
				}
				if filepath.Ext(path) != ".rules" {
					continue
				}
				if _, diags, err := Named(Options{Library: rules.FS, With: []string{path}}, "d20"); err != nil || len(diags) > 0 {
					t.Errorf("with %s from %s: %v %v", path, from, diags, err)
				}
			}
		}
	}
}

func places(diags diag.List) []string {
	var list []string
	for _, d := range diags {
		list = append(list, fmt.Sprintf("%s:%d:%d", filepath.Base(d.File), d.Span.Start.Line, d.Span.Start.Column))
	}
	return list
}
