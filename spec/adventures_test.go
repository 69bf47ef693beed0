package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/golden"
	"arbiter/interp/walk"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// TestAdventuresPage plays the plans on the page about adventures; each belongs to the adventure before it.
func TestAdventuresPage(t *testing.T) {
	page, err := os.ReadFile("adventures.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, played := t.TempDir(), 0
	for _, b := range blocks(string(page)) {
		kind, _, _ := strings.Cut(b.text, " ")
		path := filepath.Join(dir, "example."+kind)
		if err := os.WriteFile(path, []byte(b.text), 0o644); err != nil {
			t.Fatal(err)
		}
		f, _ := parse.File(path, []byte(b.text))
		if got := string(format.Format(f, []byte(b.text))); got != b.text {
			t.Errorf("adventures.md:%d: the example is not in canonical form; it is\n%s", b.line, got)
		}
		report, err := golden.Run([]string{path}, golden.Options{Library: rules.FS, KnownCitation: catalogue.Known})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range report.Diagnostics {
			t.Errorf("adventures.md:%d: %s", b.line+d.Span.Start.Line, d.String())
		}
		for i := range report.Tests {
			played++
			for _, d := range report.Tests[i].Failures {
				t.Errorf("adventures.md:%d: %s: %s\n%s", b.line+d.Span.Start.Line, report.Tests[i].Title, d.Message, d.Hint)
			}
		}
	}
	if played == 0 {
		t.Error("the page plays nothing")
	}
}

// TestExamplesAreWalked: everything in the example adventures is reachable, and nothing stops a playthrough.
func TestExamplesAreWalked(t *testing.T) {
	paths, err := filepath.Glob("../examples/adventures/*/*.adventure")
	if err != nil {
		t.Fatal(err)
	}
	walked := 0
	for _, path := range paths {
		s, diags, err := build.File(path, build.Options{Library: rules.FS, KnownCitation: catalogue.Known})
		if err != nil || len(diags) > 0 {
			t.Fatal(path, err, diags)
		}
		if s.IsPart() {
			continue
		}
		walked++
		walks := uint64(3000)
		if testing.Short() {
			walks = 0 // a guided walk
		}
		tally, err := walk.Walk(s, walk.Options{Seed: 1, Walks: walks, Workers: 2})
		if err != nil {
			t.Fatal(path, err)
		}
		for _, f := range tally.Failures {
			t.Errorf("%s, playthrough %d: %s", path, f.Walk, f.Diagnostic.String())
		}
		if tally.Seen() < tally.Goals() {
			report := walk.NewReport(tally, path, func(file string) []byte { return s.Rules.Sources[file] })
			t.Errorf("%s: %d of %d have been seen; not: %v", path, tally.Seen(), tally.Goals(), report.Gaps)
		}
	}
	if walked < 3 {
		t.Errorf("only %d adventures", walked)
	}
}
