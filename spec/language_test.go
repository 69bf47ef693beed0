package spec_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"arbiter/interp/golden"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// TestLanguageExamples plays the scripts on the page about the language. The fragment before a script is its ruleset
// `example`.
func TestLanguageExamples(t *testing.T) {
	page, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	fragment, played := "", 0
	for _, b := range blocks(string(page)) {
		kind, _, _ := strings.Cut(b.text, " ")
		switch {
		case extendsLine.MatchString(b.text):
			fragment = "ruleset example extends " + extendsLine.FindStringSubmatch(b.text)[1] + " " + b.text
		case kind == "tests" || kind == "encounter":
			played++
			t.Run(strconv.Itoa(b.line), func(t *testing.T) { play(t, "script."+kind, b.text, fragment) })
		}
	}
	if played == 0 {
		t.Error("the page plays no script")
	}
}

// TestLanguageForm: the examples are formatted as by `arbiter fmt`.
func TestLanguageForm(t *testing.T) {
	page, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(string(page)) {
		src := b.text
		if extendsLine.MatchString(src) {
			src = "ruleset example\n\n" + src
		}
		f, _ := parse.File("example.rules", []byte(src))
		if got := string(format.Format(f, []byte(src))); got != src {
			t.Errorf("language.md:%d: the example is not in canonical form; it is\n%s", b.line, got)
		}
	}
}

// play runs the tests of a script with the ruleset `example`.
func play(t *testing.T, name, script, fragment string) {
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	for file, text := range map[string]string{path: script, filepath.Join(dir, "example.rules"): fragment} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := golden.Run([]string{path, filepath.Join(dir, "example.rules")}, golden.Options{Library: rules.FS, KnownCitation: catalogue.Known})
	if err != nil {
		t.Fatal(err)
	}
	all := report.Diagnostics
	for i := range report.Tests {
		all = append(all, report.Tests[i].Failures...)
	}
	for _, d := range all {
		t.Errorf("%s:%d:%d: %s\n%s", filepath.Base(d.File), d.Span.Start.Line, d.Span.Start.Column, d.Message, d.Hint)
	}
	if len(report.Tests) == 0 {
		t.Error("no tests")
	}
}
