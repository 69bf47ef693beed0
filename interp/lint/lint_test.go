package lint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

var update = flag.Bool("update", false, "write spec/lint.md anew")

// mark stands at the end of a line that a rule must find.
var mark = regexp.MustCompile(` *# want$`)

// caseOf returns a file of an archive without its marks, and the lines that have one.
func caseOf(t *testing.T, a *txtar.Archive, name string) (f *File, want []int) {
	t.Helper()
	for _, x := range a.Files {
		if base, _, _ := strings.Cut(x.Name, "."); base != name {
			continue
		}
		lines := strings.Split(string(x.Data), "\n")
		for i, line := range lines {
			if mark.MatchString(line) {
				lines[i], want = mark.ReplaceAllString(line, ""), append(want, i+1)
			}
		}
		text := []byte(strings.Join(lines, "\n"))
		parsed, diags := parse.File(x.Name, text)
		if len(diags) > 0 {
			t.Fatalf("%s: %v", x.Name, diags)
		}
		return &File{Parsed: parsed, Text: text, Base: NewBase(parsed.Body)}, want
	}
	return nil, nil
}

// everything gives every rule its severity, and those that are off that of a note.
func everything(code string) *Settings {
	s := Only(code, codeBareAllow, codeIdleAllow)
	if strings.HasSuffix(code, "-allow") {
		s.levels["stuttering-name"] = diag.Warning
	}
	if s.levels[code] == "" {
		s.levels[code] = diag.Note
	}
	return s
}

// TestRules: each rule finds what its case marks, and nothing else; what it mends is as in the case; and there is a case
// for each.
func TestRules(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			a, err := txtar.ParseFile("testdata/" + r.Code + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			linesOf := func(f *File) (lines []int, found []Finding) {
				for _, x := range Run(Input{Files: []File{*f}}, func(string) *Settings { return everything(r.Code) }) {
					if x.Code == r.Code {
						lines, found = append(lines, x.Span.Start.Line), append(found, x)
					}
				}
				return slices.Compact(lines), found
			}
			bad, want := caseOf(t, a, "bad")
			got, found := linesOf(bad)
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("it finds lines %v, not %v: %v", got, want, found)
			}
			good, _ := caseOf(t, a, "good")
			if got, found := linesOf(good); len(got) > 0 {
				t.Errorf("it finds lines %v of what is right: %v", got, found)
			}
			fixed, _ := caseOf(t, a, "fixed")
			if (fixed != nil) != r.Fixes {
				t.Errorf("the rule says that it mends: %v", r.Fixes)
			}
			out, _ := Fix(bad.Text, found)
			if fixed != nil && string(out) != string(fixed.Text) {
				t.Errorf("mended:\n%s\nand not:\n%s", out, fixed.Text)
			}
			if !r.Fixes && string(out) != string(bad.Text) {
				t.Error("it mends something")
			}
			if r.Why == "" || r.How == "" || r.Summary == "" {
				t.Error("the rule does not say what, why and how")
			}
		})
	}
	cases, _ := filepath.Glob("testdata/*.txtar")
	if len(cases) != len(Rules()) {
		t.Errorf("%d cases for %d rules", len(cases), len(Rules()))
	}
}

// TestAllowed: a comment allows the line, the clause or the file that it is about, and no more.
func TestAllowed(t *testing.T) {
	const head = "ruleset house extends d20\n\n"
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"the line":       {"condition a-condition { cannot act }  # lint: allow stuttering-name: so it is called\ncondition b-condition { cannot act }", "4:stuttering-name"},
		"the clause":     {"# lint: allow idle-modifier: for later\ncondition a {\n  +1 to x\n  +0 to y\n}\ncondition b { +0 to y }", "8:idle-modifier"},
		"after comments": {"# lint: allow idle-modifier: for later\n# It is nothing yet.\ncondition a { +0 to y }", ""},
		"the file":       {"# lint: allow-file idle-modifier, stuttering-name: it is all copied\ncondition a-condition { +0 to y }", ""},
		"another rule":   {"# lint: allow stuttering-name: for later\ncondition a { +0 to y }", "3:idle-allow 4:idle-modifier"},
		"no reason":      {"condition a { +0 to y }  # lint: allow idle-modifier", "3:bare-allow"},
		"no such rule":   {"condition a { +0 to y }  # lint: allow idle-modifer: for later", "3:bare-allow 3:idle-modifier"},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(head + c.text + "\n")
			parsed, diags := parse.File("house.rules", text)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var got []string
			for _, x := range Run(Input{Files: []File{{Parsed: parsed, Text: text}}}, nil) {
				got = append(got, fmt.Sprintf("%d:%s", x.Span.Start.Line, x.Code))
			}
			slices.Sort(got)
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}

// TestSettings: files of settings, and what is wrong with them.
func TestSettings(t *testing.T) {
	s, diags := parseSettings("x", []byte("# ours\nlong-line 80\nstuttering-name off  # we like it\nidle-modifier error\nmissing-doc warning\n"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if s.numbers[codeLongLine] != 80 || s.severity(Find("stuttering-name")) != "" || s.severity(Find("idle-modifier")) != diag.Error || s.severity(Find("missing-doc")) != diag.Warning || s.severity(Find("nested-if")) != diag.Note {
		t.Errorf("%+v", s)
	}
	inner, _ := parseSettings("x", []byte("idle-modifier note\n"))
	if u := s.under(inner); u.severity(Find("idle-modifier")) != diag.Note || u.numbers[codeLongLine] != 80 {
		t.Errorf("the inner settings do not count: %+v", u)
	}
	for text, want := range map[string]string{
		"lon-line off":      "there is no rule lon-line",
		"long-line":         "this line is not of the form `CODE SEVERITY`",
		"long-line maybe":   "long-line cannot be maybe",
		"nested-if 3":       "nested-if cannot be 3",
		"long-line 0":       "long-line cannot be 0",
		"long-line off now": "this line is not of the form `CODE SEVERITY`",
	} {
		if _, diags := parseSettings("x", []byte(text)); len(diags) != 1 || diags[0].Message != want {
			t.Errorf("%.40q: %v, want %s", text, diags, want)
		}
	}
}

// TestFixesConverge: mending never breaks a text, and ends.
func TestFixesConverge(t *testing.T) {
	cases, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range cases {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range a.Files {
			text := x.Data
			for round := 0; ; round++ {
				parsed, diags := parse.File(x.Name, text)
				if diags.HasErrors() {
					t.Fatalf("%s: %s: mending broke it: %v\n%s", path, x.Name, diags, text)
				}
				out, n := Fix(text, Run(Input{Files: []File{{Parsed: parsed, Text: text}}}, nil))
				if n == 0 {
					break
				}
				if round > 10 {
					t.Fatalf("%s: %s: mending does not end", path, x.Name)
				}
				text = out
			}
		}
	}
}

// TestOurOwn: the rules, the examples and the tests of the project are clean, or say why not.
func TestOurOwn(t *testing.T) {
	var paths []string
	for _, root := range []string{"../../rules", "../../examples", "../../spec"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{".rules", ".encounter", ".tests", ".adventure"}, filepath.Ext(path)) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r := &Reader{Library: os.DirFS("../../rules")}
	in, wrong, err := r.Read(paths)
	if err != nil || len(wrong) > 0 {
		t.Fatal(err, wrong)
	}
	for _, x := range Run(in, r.Settings) {
		t.Errorf("%s (%s)", x.Diagnostic, x.Code)
	}
	if len(r.Wrong) > 0 {
		t.Error(r.Wrong)
	}
	if len(in.Files) < 500 {
		t.Errorf("only %d files were read", len(in.Files))
	}
}

// TestNothingPanics: half a file is linted like a whole one.
func TestNothingPanics(t *testing.T) {
	cases, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range cases {
		a, _ := txtar.ParseFile(path)
		for _, x := range a.Files {
			for cut := 0; cut < len(x.Data); cut += 23 {
				parsed, _ := parse.File(x.Name, x.Data[:cut])
				Run(Input{Files: []File{{Parsed: parsed, Text: x.Data[:cut], Base: NewBase(parsed.Body)}}}, func(string) *Settings { return &Settings{} })
			}
		}
	}
}

// TestPage: spec/lint.md says of each rule what the catalogue and its case say.
func TestPage(t *testing.T) {
	const path, begin = "../../spec/lint.md", "<!-- rules -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(text), begin)
	if !ok {
		t.Fatalf("%s has no line %s", path, begin)
	}
	want := head + begin + page(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Error("spec/lint.md is not current: go test ./interp/lint -run TestPage -update")
	}
}

// page is the part of the page that lists the rules.
func page(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n| rule | severity | finds |\n| --- | --- | --- |\n")
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.Code, r.Code, level(r), strings.ReplaceAll(r.Summary, "|", "\\|"))
	}
	for _, r := range Rules() {
		mends := ""
		if r.Fixes {
			mends = " `--fix` mends it."
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n**Why.** %s\n\n**What to do.** %s%s\n\n```text\n%s```\n", r.Code, r.Summary, r.Why, r.How, mends, example(t, r.Code))
	}
	return b.String()
}

func level(r *Rule) string {
	if r.Severity == "" {
		return Off
	}
	return string(r.Severity)
}

// exampleLines is how many lines of a case the page shows.
const exampleLines = 8

// example is the clause of a rule's case that it finds first.
func example(t *testing.T, code string) string {
	a, err := txtar.ParseFile("testdata/" + code + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	f, want := caseOf(t, a, "bad")
	from, to := want[0], want[0]
	for _, cl := range f.Parsed.Body {
		if _, isHeader := cl.(*ast.Header); !isHeader && cl.Extent().Start.Line <= want[0] && cl.Extent().End.Line >= want[0] {
			from, to = cl.Extent().Start.Line, cl.Extent().End.Line
		}
	}
	lines := strings.Split(string(f.Text), "\n")[from-1 : to]
	if len(lines) > exampleLines {
		lines = append(slices.Clone(lines[:exampleLines-1]), "  ...")
	}
	return strings.Join(lines, "\n") + "\n"
}
