package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/golden"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// TestAdventuresPage plays the plans of the page on adventures; each is of the adventure before it.
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
		report, err := golden.Run([]string{path}, golden.Options{Library: rules.FS, Known: catalogue.Known})
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
