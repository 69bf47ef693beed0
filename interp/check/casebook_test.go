package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/spec/catalogue"
)

// The casebook consists of broken rulesets. The expected diagnostics are at the ends of the lines where they occur:
//
//	stat speed = fivteen   # ERROR unknown-name `fivteen` "nothing here is called" hint "did you mean `fifteen`?"
//
// or WARNING: the code, the source text at which the diagnostic starts, a part of the message, and a part of the hint.
// A line can have several. Every diagnostic must be expected, and must have a hint or a related place.
var expectation = regexp.MustCompile("(ERROR|WARNING) ([a-z-]+) `([^`]+)` \"([^\"]*)\"(?: hint \"([^\"]*)\")?")

// opening matches the start of the expectations in a line.
var opening = regexp.MustCompile("# (ERROR|WARNING) ")

// noRelated matches declared-twice messages that need no related place: the body itself declares the name twice.
var noRelated = regexp.MustCompile("with another type|is a parameter here")

type expected struct{ severity, code, at, message, hint string }

func TestCasebook(t *testing.T) {
	paths, err := filepath.Glob("testdata/casebook/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		if filepath.Base(path) == "base.rules" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rules"), func(t *testing.T) { casebook(t, path) })
	}
}

func casebook(t *testing.T, path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	want := map[int][]expected{}
	for i, line := range lines {
		at := opening.FindStringIndex(line)
		if at == nil {
			continue
		}
		found := expectation.FindAllStringSubmatch(line[at[0]:], -1)
		if len(found) != strings.Count(line[at[0]:], " ERROR ")+strings.Count(line[at[0]:], " WARNING ") {
			t.Errorf("%s:%d: this expectation is malformed", path, i+1)
		}
		for _, m := range found {
			want[i+1] = append(want[i+1], expected{strings.ToLower(m[1]), m[2], m[3], m[4], m[5]})
		}
	}
	for _, d := range diagnose(path, src) {
		line := d.Span.Start.Line
		if filepath.Base(d.File) != filepath.Base(path) || line < 1 || line > len(lines) {
			t.Errorf("outside of the file: %s [%s]", d, d.Code)
			continue
		}
		rest := lines[line-1][min(d.Span.Start.Column-1, len(lines[line-1])):]
		matched := false
		for i, e := range want[line] {
			if e.severity == string(d.Severity) && e.code == d.Code && strings.HasPrefix(rest, e.at) && strings.Contains(d.Message, e.message) && strings.Contains(d.Hint, e.hint) {
				want[line] = append(want[line][:i:i], want[line][i+1:]...)
				matched = true
				break
			}
		}
		if !matched {
			t.Errorf("unexpected: %s\n\t# %s %s `%s` %q hint %q", d, strings.ToUpper(string(d.Severity)), d.Code, firstWord(rest), d.Message, d.Hint)
		}
		if d.Hint == "" && len(d.Related) == 0 {
			t.Errorf("%s [%s]: neither a hint nor a related place", d, d.Code)
		}
		if d.Code == "declared-twice" && len(d.Related) == 0 && !strings.HasPrefix(rest, `"`) && !noRelated.MatchString(d.Message) {
			t.Errorf("%s: where was it said first?", d)
		}
		if d.Span.End.Offset < d.Span.Start.Offset {
			t.Errorf("%s: ends before it begins", d)
		}
	}
	for line, es := range want {
		for _, e := range es {
			t.Errorf("%s:%d: expected %s at `%s`: %q", path, line, e.code, e.at, e.message)
		}
	}
}

func firstWord(s string) string { w, _, _ := strings.Cut(s, " "); return w }

// diagnose runs all passes on a file: it parses it, loads what it extends, links and checks.
func diagnose(path string, src []byte) diag.List {
	f, all := parse.File(path, src)
	l := &load.Loader{Places: []load.Place{{FS: os.DirFS("testdata/casebook")}}}
	rulesets, diags := l.Add(f)
	all = append(all, diags...)
	set, diags := link.Link(rulesets, nil)
	all = append(all, diags...)
	_, diags = check.Check(set, check.Options{KnownCitation: catalogue.Known})
	all = append(all, diags...)
	all.Sort()
	return all
}

// excerpts prints diagnostics like the command line.
func excerpts(src string, diags diag.List) string {
	var b strings.Builder
	lines := strings.Split(src, "\n")
	for _, d := range diags {
		start, end := d.Span.Start, d.Span.End
		width := 1
		if end.Line == start.Line && end.Column > start.Column {
			width = end.Column - start.Column
		}
		fmt.Fprintf(&b, "%s [%s]\n  %s\n  %s%s\n", d, d.Code, lines[start.Line-1], strings.Repeat(" ", start.Column-1), strings.Repeat("^", width))
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s:%d:%d: %s\n", r.File, r.Span.Start.Line, r.Span.Start.Column, r.Message)
		}
	}
	return b.String()
}
