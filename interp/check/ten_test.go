package check_test

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// TestTenMistakes checks, from the lexer to the checker, that one mistake causes one diagnostic and hides no other.
func TestTenMistakes(t *testing.T) {
	const path = "testdata/ten-mistakes.rules"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	diags := diagnose(path, src)
	if len(diags) != 10 {
		t.Errorf("%d diagnostics, want 10", len(diags))
	}
	got := excerpts(string(src), diags)
	if *update {
		if err := os.WriteFile(path+".golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path + ".golden")
	if err != nil || string(want) != got {
		t.Errorf("got:\n%s\n(run with -update to accept) %v", got, err)
	}
}

// TestWrongWords repeatedly replaces a word with another one of the same file. So the checker sees every kind of thing
// in every kind of place; it must neither panic nor hang.
func TestWrongWords(t *testing.T) {
	for _, path := range []string{"testdata/casebook/base.rules", "testdata/casebook/acting.rules", "testdata/casebook/structure.rules", "testdata/casebook/types.rules"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "# ERROR")
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
		words := strings.Fields(strings.Join(lines, " \n "))
		spots := strings.SplitAfter(strings.Join(lines, "\n"), " ")
		for i := 3; i < len(spots); i += 2 {
			wrong := append([]string{}, spots...)
			wrong[i] = words[(i*7919)%len(words)] + " "
			diagnose("wrong.rules", []byte(strings.Join(wrong, "")))
		}
	}
}
