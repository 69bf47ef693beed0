package load_test

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

func TestWithout(t *testing.T) {
	chain := files("a.rules", "ruleset a", "b.rules", "ruleset b extends a", "c.rules", "ruleset c extends b",
		"d.rules", "ruleset d extends b, a", "e.rules", "ruleset e extends c, d without b", "f.rules", "ruleset f extends e without d",
		"g.rules", "ruleset g extends c without d", "h.rules", "ruleset h extends c, missing without missing")
	for _, tt := range []struct {
		name, load, without, script string
		want                        string // name/depth of those that are not Off
		absent, diags               string
	}{
		{"nothing", "c", "", "", "a/0 b/1 c/2", "", ""},
		{"one in the middle", "c", "b", "", "a/0 c/1", "", ""},
		{"the first", "c", "a", "", "b/0 c/1", "", ""},
		{"two in a row", "c", "a b", "", "c/0", "", ""},
		{"the last", "c", "c", "", "a/0 b/1", "", ""},
		{"for all who extend it", "c d", "b", "", "a/0 c/1 d/1", "", ""},
		{"in a header", "e", "", "", "a/0 c/1 d/1 e/2", "", ""},
		{"in the header of an heir, too", "f", "", "", "a/0 c/1 e/2 f/3", "", ""},
		{"what is left out leaves nothing out", "f", "e", "", "a/0 b/1 c/2 f/3", "", ""},
		{"in a script", "c", "", `tests "x" with c without b`, "a/0 c/1", "", ""},
		{"a name that nobody has", "c", "x b", "", "a/0 c/1", "x", ""},
		{"a script's name that nobody has", "c", "", `tests "x" with c without b1`, "a/0 b/1 c/2", "",
			"x.tests:1:26: error: this has no ruleset b1 to leave out [unknown-ruleset] there are: a, b, c"},
		{"what one does not extend", "g d", "", "", "a/0 b/1 c/2 g/3 d/2", "",
			"g.rules:1:29: error: this has no ruleset d to leave out [unknown-ruleset] there are: a, b, c"},
		{"what is missing", "h", "", "", "a/0 b/1 c/2 h/3", "",
			"h.rules:1:38: error: this has no ruleset missing to leave out [unknown-ruleset] there are: a, b, c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &load.Loader{Places: []load.Place{{FS: chain}}}
			rulesets, _ := l.Load(strings.Fields(tt.load)...)
			var script *ast.File
			if tt.script != "" {
				script, _ = parse.File("x.tests", []byte(tt.script))
			}
			absent, diags := load.Exclude(rulesets, strings.Fields(tt.without), script)
			rulesets = slices.DeleteFunc(rulesets, func(r *load.Ruleset) bool { return r.Excluded })
			got := strings.ReplaceAll(names(rulesets), ",", "")
			want := map[string]bool{}
			for _, w := range strings.Fields(tt.want) {
				want[w+"/"+w[:1]+".rules"] = true
			}
			for _, g := range strings.Fields(got) {
				if !want[g] {
					t.Errorf("%s takes part", g)
				}
				delete(want, g)
			}
			if len(want) > 0 || strings.Join(absent, " ") != tt.absent || texts(diags) != tt.diags {
				t.Errorf("got %s, absent %v, %s\nmissing %v", got, absent, texts(diags), want)
			}
		})
	}
}
