package link_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

// FuzzLink checks that linking any two rulesets terminates without a panic, and that the result can be printed.
func FuzzLink(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil || len(a.Files) < 2 {
			continue
		}
		f.Add(string(a.Files[0].Data), string(a.Files[1].Data))
	}
	f.Add("ruleset a\ntable t by x {\n| x | y |\n| 1 | 2 |\n}", "ruleset b extends a\noverride t[1] = 3\nextend t { | 2 | 3 | 4 | }\nremove t[].x\noverride t[1][2].z = 1")
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 4<<10 {
			return
		}
		a, _ := parse.File("a.rules", []byte(one))
		b, _ := parse.File("b.rules", []byte(other))
		l := &load.Loader{}
		rulesets, _ := l.Add(a, b)
		set, diags := link.Link(rulesets, nil)
		if diags.HasErrors() {
			return
		}
		for _, d := range set.Defs {
			if d.Origin == nil || d.Node == nil {
				t.Fatal("a definition without an origin or a node")
			}
			format.Node(d.Node)
		}
	})
}
