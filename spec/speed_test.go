package spec

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var benchmarkOf = regexp.MustCompile("\\| `(\\w+)(?:/[^`]*)?` in `([\\w/]+)` \\|")

// Each figure on the page about speed names an existing benchmark.
func TestSpeedNamesBenchmarks(t *testing.T) {
	page, err := os.ReadFile("speed.md")
	if err != nil {
		t.Fatal(err)
	}
	named := benchmarkOf.FindAllStringSubmatch(string(page), -1)
	if rows := strings.Count(string(page), "\n| ") - 2*strings.Count(string(page), "\n| --- "); len(named) != rows || rows < 15 {
		t.Errorf("%d of %d rows name a benchmark", len(named), rows)
	}
	for _, m := range named {
		files, err := filepath.Glob("../" + m[2] + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), "func Benchmark"+m[1]+"(")
		}
		if !found {
			t.Errorf("there is no benchmark %s in %s", m[1], m[2])
		}
	}
}
