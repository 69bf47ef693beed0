package load

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"arbiter/lang/ast"
)

// packed is a place that brings trees. Its texts can be read, if they have to be.
type packed struct {
	fstest.MapFS
	trees map[string][]byte
	reads int
}

func (p *packed) Trees(ruleset string) []byte { return p.trees[ruleset] }

func (p *packed) ReadFile(name string) ([]byte, error) {
	p.reads++
	return fs.ReadFile(p.MapFS, name)
}

func dumped(t *testing.T, rulesets []*Ruleset) string {
	t.Helper()
	var b strings.Builder
	for _, r := range rulesets {
		b.WriteString(r.Name + "\n")
		for _, f := range r.Files {
			b.WriteString(f.Path + "\n")
			ast.Dump(&b, f.Body)
		}
	}
	return b.String()
}

// Trees that a place brings are those of its texts, which nobody reads then; and what is no such thing is not taken.
func TestTreesOfAPlace(t *testing.T) {
	texts := fstest.MapFS{
		"base/a.rules":    {Data: []byte("ruleset base\n\nstat force\n")},
		"base/b.rules":    {Data: []byte("ruleset base\n\nstat wit = 1 +\n")}, // with a mistake
		"more/more.rules": {Data: []byte("ruleset more extends base\n\noverride force = 3\n")},
	}
	plain := Loader{Places: []Place{{FS: texts, Prefix: "rules"}}}
	rulesets, diags := plain.Load("more")
	want := dumped(t, rulesets)
	trees := map[string][]byte{}
	for _, name := range []string{"base", "more"} {
		text, err := PackTrees(Place{FS: texts, Prefix: "rules", Fixed: true}, name)
		if err != nil {
			t.Fatal(err)
		}
		trees[name] = text
	}
	damaged := strings.Replace(string(trees["base"]), "force", "farce", 1)
	for name, x := range map[string]struct {
		base   []byte
		prefix string
		reads  int
	}{
		"all are brought":      {trees["base"], "rules", 0},
		"none":                 {nil, "rules", 2},
		"those of another":     {trees["more"], "rules", 2},
		"damaged ones":         {[]byte(damaged), "rules", 2},
		"no trees at all":      {[]byte("<!doctype html>"), "rules", 2},
		"of a place elsewhere": {trees["base"], "other", 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := &packed{texts, map[string][]byte{"base": x.base, "more": trees["more"]}, 0}
			for range 2 { // the second time all is remembered
				l := Loader{Places: []Place{{FS: p, Prefix: x.prefix, Fixed: true}}}
				got, more := l.Load("more")
				if now := strings.ReplaceAll(dumped(t, got), x.prefix+"/", "rules/"); now != want {
					t.Errorf("%s\ninstead of\n%s", now, want)
				}
				if len(more) != len(diags) || more[0].Message != diags[0].Message || len(l.Sources()) != 2 || len(l.Checksums()) != 3 {
					t.Error(more, diags, l.Sources(), l.Checksums())
				}
			}
			if p.reads != x.reads {
				t.Errorf("%d texts were read instead of %d", p.reads, x.reads)
			}
		})
	}
}
