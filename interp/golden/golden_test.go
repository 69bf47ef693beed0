package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arbiter/rules"
)

// The sixth system - two six-sided dice, three boxes, no armor, no attacks of opportunity - runs on the same engine.
func TestTinySystem(t *testing.T) {
	rep, err := Run([]string{"testdata/tiny"}, Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Tests) != 5 || rep.Failed() > 0 || len(rep.Diagnostics) > 0 {
		t.Fatalf("%d tests, %d failed, %v", len(rep.Tests), rep.Failed(), rep.Diagnostics)
	}
}

func write(t *testing.T, dir, name, src string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The printed values of a creature are a test of their own, in any file; a failure shows how the value is computed.
func TestPrinted(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "town.rules", `ruleset town
kind creature { size, weight: number = 1 }
stat bulk { size: size; weight: weight }
creature rat { weight: 2 * size; printed { bulk = 3; size = 1 } }
creature giant-rat extends rat { size: 4; printed { bulk = 3; weight = 8; size > 4 } }
`)
	write(t, dir, "plain.rules", "ruleset plain extends nothing-that-there-is\n")
	write(t, dir, "town.tests", `tests "town" with town
creature cat { size: 3; printed { bulk = 4 } }
test "a cat" { side one { cat Tom }; expect Tom.bulk = 4 }
`)
	rep, err := Run([]string{dir}, Options{Library: rules.FS})
	if err != nil || len(rep.Diagnostics) > 0 {
		t.Fatal(err, rep.Diagnostics)
	}
	var got []string
	for _, x := range rep.Tests {
		got = append(got, x.Title)
		if x.Passed != (x.Title != "giant-rat as printed") {
			t.Errorf("%s: %v", x.Title, x.Failures)
		}
		if !x.Passed {
			if m := x.Failures[0].Message; len(x.Failures) != 2 || !strings.HasPrefix(m, "3 is printed, but it is 12:\n") || !strings.Contains(m, "+8  weight") {
				t.Errorf("%v", x.Failures)
			}
			if x.Failures[1].Hint != "size is 4" {
				t.Errorf("%v", x.Failures[1])
			}
		}
	}
	if strings.Join(got, ", ") != "rat as printed, giant-rat as printed, a cat, cat as printed" {
		t.Errorf("%q", got)
	}
}

const coin = `ruleset coin
kind creature { luck: number = 0 }
roll flip "Two sides." { die d2 }
stat guess rolled as flip { luck: luck cite coin.luck }
resource points from 0 to 9 starts 0
action toss "Heads is a point." {
  step throw { check guess dc 2 as side }
  step pay when side succeeds { self gains 1 points cite coin.point }
  step idle { note "done" cite coin.idle }
  step gloat {
    if luck > 2 {
      self gains 2 points
      cite coin.gloat
    }
  }
}
`

// Update rewrites transcripts; without it they are compared.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "coin.rules", coin)
	path := write(t, dir, "toss.tests", `tests "coin" with coin
creature child { luck: 0 }
test "heads" {
  side one { child Ada }
  dice 2
  Ada: toss
  transcript """
    wrong
    """
}
`)
	rep, err := Run([]string{path}, Options{})
	if err != nil || rep.Failed() != 1 {
		t.Fatalf("%v, %d failed", err, rep.Failed())
	}
	if m := rep.Tests[0].Failures[0].Message; !strings.Contains(m, "-wrong") || !strings.Contains(m, "+Ada: toss") {
		t.Errorf("the difference is told as %q", m)
	}
	if rep, err = Run([]string{path}, Options{Update: true}); err != nil || len(rep.Updated) != 1 {
		t.Fatalf("%v %v", err, rep.Updated)
	}
	if rep, err = Run([]string{path}, Options{}); err != nil || rep.Failed() != 0 {
		t.Fatalf("after the update: %v, %v", err, rep.Tests)
	}
	again, err := Run([]string{path}, Options{Update: true})
	if err != nil || len(again.Updated) != 0 {
		t.Errorf("a second update changes the file again: %v", again.Updated)
	}
}

// After an update, what still fails is reported at its new line, and the file keeps its line ends.
func TestUpdateMovesFailures(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "coin.rules", coin)
	const src = "tests \"coin\" with coin\ncreature child { luck: 0 }\ntest \"heads\" {\n  side one { child Ada }\n  dice 2\n  Ada: toss\n  transcript \"\"\"\n    \"\"\"\n  expect Ada.points = 2\n}\n"
	path := write(t, dir, "toss.tests", strings.ReplaceAll(src, "\n", "\r\n"))
	rep, err := Run([]string{path}, Options{Update: true})
	if err != nil || len(rep.Updated) != 1 || len(rep.Tests) != 1 || len(rep.Tests[0].Failures) != 1 {
		t.Fatal(err, rep)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "\n") != strings.Count(string(text), "\r\n") {
		t.Errorf("mixed line ends: %q", text)
	}
	at := rep.Tests[0].Failures[0].Span.Start
	if line := strings.Split(string(text), "\r\n")[at.Line-1]; line[at.Column-1:] != "Ada.points = 2" || rep.Tests[0].Line != 3 {
		t.Errorf("reported at %q", line)
	}
	if rep, err = Run([]string{path}, Options{}); err != nil || len(rep.Tests[0].Failures) != 1 {
		t.Errorf("the transcript differs after the update: %v %v", err, rep.Tests)
	}
}

// A part counts as exercised if a passing test cites it, and as proved if that test fails without it.
func TestCoverage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "coin.rules", strings.NewReplacer("Two sides", "Three sides", "die d2", "die d3", "dc 2", "dc 3").Replace(coin))
	path := write(t, dir, "toss.tests", `tests "coin" with coin
creature child { luck: 0 }
test "heads is a point" {
  cite coin.point, coin.idle
  side one { child Ada }
  dice 3
  Ada: toss
  expect Ada.points = 1
}
test "luck helps" {
  cite coin.luck
  side one { child Ada { luck: 1 } }
  dice 2
  Ada: toss
  expect Ada.points = 1
}
test "more luck helps more" {
  cite coin.gloat
  side one { child Ada { luck: 3 } }
  Ada: toss # a toss that cannot fail rolls no die
  expect Ada.points = 3
}
`)
	rep, proved, err := runProving([]string{path}, Options{})
	if err != nil || rep.Failed() > 0 {
		t.Fatalf("%v %v", err, rep.Tests)
	}
	for _, id := range []string{"coin.point", "coin.idle", "coin.luck", "coin.gloat"} {
		if len(rep.Covered[id]) == 0 {
			t.Errorf("%s ran, and is not covered", id)
		}
	}
	if !proved["coin.point"] || !proved["coin.luck"] || !proved["coin.gloat"] || proved["coin.idle"] {
		t.Errorf("proved: %v; the note changes nothing and must not be", proved)
	}
}

// Titles select tests, and the report is written for build servers.
func TestChosenAndJUnit(t *testing.T) {
	rep, err := Run([]string{"testdata/tiny"}, Options{Library: rules.FS, Run: regexp.MustCompile("boxcars")})
	if err != nil || len(rep.Tests) != 1 {
		t.Fatalf("%v, %d tests", err, len(rep.Tests))
	}
	if x := string(rep.JUnit()); !strings.Contains(x, `tests="1" failures="0"`) || !strings.Contains(x, "boxcars always do it") {
		t.Errorf("JUnit: %s", x)
	}
}

// Output reads the same between triple quotes. A transcript that already holds keeps its layout, and none is written
// that would end too early.
func TestUpdateKeepsWhatHolds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "coin.rules", coin)
	const src = "tests \"x\" with coin\n\ntest \"quotes\" {\n  note \"a \\\\ b \\\"c\\\"\"\n  transcript \"\"\"\"\"\"\n}\n\ntest \"laid out\" {\n  note \"fine\"\n  transcript \"\"\"\nfine\n\"\"\"\n}\n\ntest \"cannot be held\" {\n  note \"\\\"\\\"\\\"\"\n  transcript \"\"\"\"\"\"\n}\n"
	path := write(t, dir, "x.tests", src)
	if _, err := Run([]string{path}, Options{Library: rules.FS, Update: true}); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(after), src[strings.Index(src, "test \"laid out\""):]) {
		t.Errorf("the second transcript was changed:\n%s", after)
	}
	rep, err := Run([]string{path}, Options{Library: rules.FS})
	if err != nil || len(rep.Tests) != 3 || rep.Failed() != 1 || rep.Tests[2].Passed {
		t.Errorf("%v %v\n%s", err, rep, after)
	}
}

// A file that cannot be run is an error in the report for build servers; it is not silently skipped.
func TestBrokenFilesInJUnit(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "coin.rules", coin)
	path := write(t, dir, "x.tests", "tests \"x\" with coin\ntest \"t\" { expect }\n")
	rep, err := Run([]string{path}, Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if x := string(rep.JUnit()); len(rep.BrokenFiles()) != 1 || !strings.Contains(x, `tests="1" failures="0" errors="1"`) {
		t.Errorf("%s", x)
	}
}

// A mistake in a ruleset is reported once, however many files of tests use it.
func TestBrokenRuleset(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "coin.rules", coin+"\ndefine heads = nonsense\n")
	for _, name := range []string{"x.tests", "y.tests"} {
		write(t, dir, name, "tests \"x\" with coin\ntest \"t\" { expect yes }\n")
	}
	rep, err := Run([]string{dir}, Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(rep.BrokenFiles()); n != 1 || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].File != path {
		t.Errorf("%d files with %v", n, rep.Diagnostics)
	}
}
