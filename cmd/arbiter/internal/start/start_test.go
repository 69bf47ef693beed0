package start

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/golden"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/rules"
)

// TestFiles uses every template on every system: what is written is formatted, has no mistakes, and its tests pass; so
// do the files with each of their examples enabled, and with all of them.
func TestFiles(t *testing.T) {
	archives, only := templateArchives()
	for _, base := range slices.Sorted(maps.Keys(archives)) {
		for _, kind := range []string{"ruleset", "encounter", "adventure", "tests"} {
			t.Run(base+" "+kind, func(t *testing.T) {
				t.Parallel()
				p := Plan{Kind: kind, Path: filepath.Join(t.TempDir(), "my-house"), Base: base, Chain: []string{base}}
				if only[base] != "" { // a game is started first, and everything else is based on that
					game := planFiles(t, Plan{Kind: "ruleset", Path: filepath.Join(filepath.Dir(p.Path), "my-game"), Base: base, Chain: p.Chain})
					if kind == "ruleset" {
						tryAll(t, game)
					}
					try(t, game, -1, 0)
					p.Base, p.Chain = "my-game", []string{base, "my-game"}
				}
				tryAll(t, planFiles(t, p))
			})
		}
	}
}

// planFiles returns the files of a plan.
func planFiles(t *testing.T, p Plan) []File {
	t.Helper()
	files, next, err := Files(p)
	if err != nil || len(next) == 0 {
		t.Fatal(err, next)
	}
	return files
}

// tryAll writes the files without examples, with each of them and with all.
func tryAll(t *testing.T, files []File) {
	t.Helper()
	total := 0
	for _, f := range files {
		n := len(examples(f.Text))
		if total += n; n == 0 {
			t.Errorf("%s teaches nothing", filepath.Base(f.Path))
		}
	}
	for i := range total + 2 { // none, each, all
		try(t, files, i-1, total)
	}
}

// try writes the files with one example enabled, with none (-1) or with all (as many as there are). A test may need the
// examples of the rules: those are enabled with it.
func try(t *testing.T, files []File, example, total int) {
	t.Helper()
	at := 0
	var scripts []string
	for _, f := range files {
		text := f.Text
		for i, e := range examples(f.Text) {
			if at+i == example || example == total || at+len(examples(f.Text)) <= example {
				text = strings.Replace(text, e, uncomment(e), 1)
			}
		}
		at += len(examples(f.Text))
		if example < 0 {
			tree, _ := parse.File(f.Path, []byte(text))
			if formatted := string(format.Format(tree, []byte(text))); formatted != text {
				t.Errorf("%s is not in form; it is\n%s", filepath.Base(f.Path), formatted)
			}
			if i := strings.IndexAny(text, "!"); i >= 0 {
				t.Errorf("%s: a slot is left: %.20s", filepath.Base(f.Path), text[i:])
			}
		}
		if err := os.WriteFile(f.Path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(f.Path) != ".rules" {
			scripts = append(scripts, f.Path)
		}
	}
	name := fmt.Sprintf("example %d of %d", example+1, total)
	for _, f := range files {
		_, diags, err := build.File(f.Path, build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
		report(t, name, diags, err)
	}
	result, err := golden.Run(scripts, golden.Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Tests) == 0 {
		t.Errorf("%s: no test", name)
	}
	for i := range result.Tests {
		report(t, name, result.Tests[i].Failures, nil)
	}
}

func report(t *testing.T, name string, diags diag.List, err error) {
	t.Helper()
	if err != nil {
		t.Error(name, err)
	}
	for _, d := range diags { // including warnings
		t.Errorf("%s: %s\n%s", name, d, d.Hint)
	}
}

// examples finds the blocks of comment lines that are indented further than prose.
func examples(text string) (blocks []string) {
	block := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#  ") {
			block += line
			continue
		}
		if block != "" {
			blocks = append(blocks, block)
		}
		block = ""
	}
	if block != "" {
		blocks = append(blocks, block)
	}
	return blocks
}

// uncomment uncomments a block.
func uncomment(block string) string {
	return strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n#", "\n"), "\n")
}

func TestNothingToBeginWith(t *testing.T) {
	if _, _, err := Files(Plan{Kind: "tests", Path: "x", Base: "d20", Chain: []string{"d20"}}); err == nil || !strings.Contains(err.Error(), "arbiter new ruleset NAME --extends d20") {
		t.Error(err)
	}
	if _, _, err := Files(Plan{Kind: "tests", Path: "x", Base: "plain", Chain: []string{"plain"}}); err == nil || !strings.Contains(err.Error(), "plain") {
		t.Error(err)
	}
}
