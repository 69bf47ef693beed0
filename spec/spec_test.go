// Package spec_test compares the specification with the code: the rules of this repository check, the examples in the
// documents run through the front end, every diagnostic is documented, and no Go code mentions a rule.
package spec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/spec/catalogue"
)

// library has the rulebooks of the repository, and the hard rules.
func library() []load.Place {
	return []load.Place{{FS: os.DirFS("../rules"), Prefix: "../rules"}, {FS: os.DirFS("hard"), Prefix: "hard"}}
}

// checkRules loads, links and checks rulesets, from the library or from files.
func checkRules(names []string, files ...*ast.File) diag.List {
	l := &load.Loader{Places: library()}
	var rulesets []*load.Ruleset
	var all diag.List
	if files != nil {
		rulesets, all = l.Add(files...)
	} else {
		rulesets, all = l.Load(names...)
	}
	set, diags := link.Link(rulesets, nil)
	all = append(all, diags...)
	_, diags = check.Check(set, check.Options{KnownCitation: catalogue.Known})
	return append(all, diags...)
}

func report(t *testing.T, diags diag.List) {
	t.Helper()
	for _, d := range diags {
		t.Errorf("%s [%s]", d, d.Code)
	}
}

// TestRulebooks: every ruleset of the repository checks, including its citations.
func TestRulebooks(t *testing.T) {
	for _, name := range (&load.Loader{Places: library()[:1]}).Names() {
		t.Run(name, func(t *testing.T) { report(t, checkRules([]string{name})) })
	}
}

// TestHardRules: so does each of the hardest rules of the five books, in a ruleset of its own.
func TestHardRules(t *testing.T) {
	paths, err := filepath.Glob("hard/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no hard rules", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rules"), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, diags := parse.File(path, src)
			for _, d := range checkRules(nil, f) {
				if d.File == path { // mistakes in a rulebook are reported once, above
					diags = append(diags, d)
				}
			}
			report(t, diags)
		})
	}
}

// TestDocuments: the blocks fenced as ```arbiter in the documents are parsed, and checked if they are rules.
//
// A block that begins with `# file: NAME` is that file, header included: rules are checked with what they extend. Any
// other block is a fragment. One that begins with a header is a file too. Otherwise it is a part of a ruleset that
// extends the one named by `# extends: NAME` in its first line; without such a line it is only parsed.
func TestDocuments(t *testing.T) {
	paths, _ := filepath.Glob("*.md")
	paths = slices.DeleteFunc(paths, func(p string) bool { return p == "starlark.md" }) // the tests of cmd/arbiter run its examples
	paths = append(paths, "../README.md")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks(string(text)) {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(path), b.line), func(t *testing.T) { report(t, example(path, b)) })
		}
	}
}

type block struct {
	line int // of its first line
	text string
}

func blocks(document string) []block {
	var out []block
	var b *block
	for i, line := range strings.Split(document, "\n") {
		switch {
		case b == nil && strings.TrimSpace(line) == "```arbiter":
			b = &block{line: i + 2}
		case b != nil && strings.TrimSpace(line) == "```":
			out = append(out, *b)
			b = nil
		case b != nil:
			b.text += line + "\n"
		}
	}
	return out
}

var (
	fileLine    = regexp.MustCompile(`^# file: (\S+\.(?:rules|encounter|tests|adventure))\n`)
	extendsLine = regexp.MustCompile(`^# extends: ([a-z0-9-]+)\n`)
	headerLine  = regexp.MustCompile(`^(ruleset|encounter|tests|adventure) `)
)

func example(path string, b block) diag.List {
	name := fmt.Sprintf("%s:%d", path, b.line)
	src := b.text
	checked := false
	switch {
	case fileLine.MatchString(src):
		name += "/" + fileLine.FindStringSubmatch(src)[1]
		checked = strings.HasSuffix(name, ".rules")
	case headerLine.MatchString(src):
		checked = strings.HasPrefix(src, "ruleset ")
	case extendsLine.MatchString(src):
		src = "ruleset example extends " + extendsLine.FindStringSubmatch(src)[1] + " " + src // line numbers do not change
		checked = true
	}
	f, diags := parse.File(name, []byte(src))
	if checked {
		for _, d := range checkRules(nil, f) {
			if d.File == name { // mistakes in a rulebook are reported by its own test
				diags = append(diags, d)
			}
		}
	}
	return diags
}
