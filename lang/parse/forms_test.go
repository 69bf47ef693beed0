package parse

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestForms parses every form of the specification. testdata/forms/*.txt holds sources separated by lines of ---; the
// golden file next to each holds the trees.
func TestForms(t *testing.T) {
	inputs, err := filepath.Glob("testdata/forms/*.txt")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no forms", err)
	}
	for _, input := range inputs {
		t.Run(strings.TrimSuffix(filepath.Base(input), ".txt"), func(t *testing.T) {
			src, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			name := map[bool]string{true: "forms.tests", false: "forms.rules"}[strings.Contains(input, "script")]
			var out strings.Builder
			for _, form := range strings.Split(string(src), "\n---\n") {
				form = strings.Trim(form, "\n")
				file, diags := File(name, []byte(form))
				fmt.Fprintf(&out, "%s\n", form)
				for _, c := range file.Body {
					fmt.Fprintf(&out, "  => %s\n", dump(c))
				}
				for _, d := range diags {
					t.Errorf("%s\n%s", form, d)
				}
				out.WriteByte('\n')
			}
			golden(t, strings.TrimSuffix(input, ".txt")+".golden", out.String())
		})
	}
}

// golden compares got with a file, or rewrites the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run the test with -update and read the difference\n%s", path, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(w), len(g))
}
