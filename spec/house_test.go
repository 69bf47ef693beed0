package spec_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// TestHouseRules: what a house rule can do is shown under two systems, by tests with the same names.
func TestHouseRules(t *testing.T) {
	systems := []string{"srd35", "starfinder"}
	titles := map[string][]string{}
	verbs := map[string]map[string]int{}
	for _, system := range systems {
		paths, _ := filepath.Glob(filepath.Join("house", system, "*.tests"))
		verbs[system] = map[string]int{}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, diags := parse.File(path, src)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			for _, cl := range f.Body {
				switch n := cl.(type) {
				case *ast.Test:
					titles[system] = append(titles[system], filepath.Base(path)+": "+n.Title.Value)
				case *ast.Change:
					verbs[system][n.Word.Name]++
				}
			}
		}
		for _, verb := range []string{"override", "extend", "remove"} {
			if verbs[system][verb] == 0 {
				t.Errorf("nothing is changed by %s under %s", verb, system)
			}
		}
	}
	if a, b := titles[systems[0]], titles[systems[1]]; len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("%s has the tests\n%s\n\n%s has\n%s", systems[0], strings.Join(a, "\n"), systems[1], strings.Join(b, "\n"))
	}
}
