package load_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	tests := []struct {
		name  string
		files fstest.MapFS
		ask   string
		want  string // name/depth/files, ...
		diags string // FILE:LINE:COL: error: MESSAGE [CODE] HINT, one per line
	}{
		{"a folder, files by name", files("base/b.rules", "ruleset base", "base/a.rules", "ruleset base", "base/notes.txt", "no rules"), "base",
			"base/0/base/a.rules+base/b.rules", ""},
		{"a folder, without hidden files", files("base/.#a.rules", "me@host", "base/a.rules", "ruleset base", ".#b.rules", "me@host"), "base",
			"base/0/base/a.rules", ""},
		{"a file that cannot be read", files("base/a.rules/b", ""), "base", "",
			":0:0: error: the ruleset base cannot be read: read base/a.rules: invalid argument [unreadable] check the names and the permissions of its files"},
		{"a single file", files("base.rules", "ruleset base"), "base", "base/0/base.rules", ""},
		{"a chain, parents first", files("a.rules", "ruleset a extends b", "b/x.rules", "ruleset b extends c", "c.rules", "ruleset c"), "a",
			"c/0/c.rules, b/1/b/x.rules, a/2/a.rules", ""},
		{"each once", files("a.rules", "ruleset a extends b, c", "b.rules", "ruleset b extends d", "c.rules", "ruleset c extends d", "d.rules", "ruleset d"), "a c",
			"d/0/d.rules, b/1/b.rules, c/1/c.rules, a/2/a.rules", ""},
		{"the files of a ruleset extend together", files("a/1.rules", "ruleset a extends b", "a/2.rules", "ruleset a extends c", "b.rules", "ruleset b", "c.rules", "ruleset c extends b"), "a",
			"b/0/b.rules, c/1/c.rules, a/2/a/1.rules+a/2.rules", ""},
		{"nothing of that name", files("base.rules", "ruleset base", "other/x.rules", "ruleset other", "empty/x.txt", ""), "bsae", "",
			":0:0: error: there is no ruleset bsae [unknown-ruleset] did you mean `base`?"},
		{"an unknown parent", files("a.rules", "ruleset a extends zebra"), "a", "a/0/a.rules",
			"a.rules:1:19: error: there is no ruleset zebra [unknown-ruleset] there are: a"},
		{"an unknown parent of two", files("a.rules", "ruleset a extends x", "b.rules", "ruleset b extends x"), "a b", "a/0/a.rules, b/0/b.rules",
			"a.rules:1:19: error: there is no ruleset x [unknown-ruleset] there are: a, b"},
		{"a cycle", files("a.rules", "ruleset a extends b", "b.rules", "ruleset b extends c", "c.rules", "ruleset c extends a"), "a",
			"c/0/c.rules, b/1/b.rules, a/2/a.rules",
			"c.rules:1:19: error: a ruleset extends itself: a -> b -> c -> a [cycle] remove one of these `extends`"},
		{"itself", files("a.rules", "ruleset a extends a"), "a", "a/0/a.rules",
			"a.rules:1:19: error: a ruleset extends itself: a -> a [cycle] remove one of these `extends`"},
		{"the wrong name", files("a/x.rules", "ruleset b"), "a", "a/0/a/x.rules",
			"a/x.rules:1:9: error: this file is in the folder of a [wrong-header] write `ruleset a`, or move it"},
		{"no header", files("a/x.rules", "option one = 1"), "a", "a/0/a/x.rules",
			"a/x.rules:1:1: error: this file has no header [no-header] start it with `ruleset a`"},
		{"another header", files("a.rules", `encounter "x" with a`), "a", "a/0/a.rules",
			"a.rules:1:1: error: this file has no header [no-header] start it with `ruleset a`"},
		{"a second header", files("a.rules", "ruleset a\noption one = 1\nruleset b extends c"), "a", "a/0/a.rules",
			"a.rules:3:1: error: a file has one header, at the top [misplaced] what follows it belongs in a file of its own"},
		{"a later language", files("a.rules", "ruleset a language 2"), "a", "a/0/a.rules",
			"a.rules:1:1: error: this is written for version 2 of the language [language-version] this version of arbiter knows version 1"},
		{"what does not parse", files("a.rules", "ruleset a\noption = 3"), "a", "a/0/a.rules",
			"a.rules:2:8: error: expected a name for the option, found `=` [expected] "},
		{"a name that leads out of the folder", files("a.rules", "ruleset a"), "../a", "",
			":0:0: error: there is no ruleset ../a [unknown-ruleset] there are: a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &load.Loader{Places: []load.Place{{FS: tt.files}}}
			rulesets, diags := l.Load(strings.Fields(tt.ask)...)
			if got := names(rulesets); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			got := texts(diags)
			if tt.name == "what does not parse" && strings.HasPrefix(got, "a.rules:2:8: error: expected a name") {
				return // the parser's own words
			}
			if got != tt.diags {
				t.Errorf("got\n%s\nwant\n%s", got, tt.diags)
			}
		})
	}
}

func TestLongChain(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 200 {
		fsys[fmt.Sprintf("r%d.rules", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "ruleset r%d extends r%d", i, i+1)}
	}
	l := &load.Loader{Places: []load.Place{{FS: fsys}}}
	if _, diags := l.Load("r0"); len(diags) != 1 || diags[0].Code != "limit" {
		t.Error(texts(diags))
	}
}

func names(rulesets []*load.Ruleset) string {
	var all []string
	for _, r := range rulesets {
		var paths []string
		for _, f := range r.Files {
			paths = append(paths, f.Path)
		}
		all = append(all, fmt.Sprintf("%s/%d/%s", r.Name, r.Depth, strings.Join(paths, "+")))
	}
	return strings.Join(all, ", ")
}

func texts(diags diag.List) string {
	var all []string
	for _, d := range diags {
		all = append(all, fmt.Sprintf("%s [%s] %s", d, d.Code, d.Hint))
	}
	return strings.Join(all, "\n")
}

func TestPlaces(t *testing.T) {
	l := &load.Loader{Places: []load.Place{
		{FS: files("a.rules", "ruleset a extends b", "own.rules", "ruleset own"), Prefix: "house"},
		{FS: files("a.rules", "ruleset a", "b/x.rules", "ruleset b"), Prefix: "rules"},
	}}
	rulesets, diags := l.Load("a")
	if got := names(rulesets); got != "b/0/rules/b/x.rules, a/1/house/a.rules" || len(diags) > 0 {
		t.Error("the first place that has a ruleset gives it:", got, diags)
	}
	if got := l.Names(); !slices.Equal(got, []string{"a", "b", "own"}) {
		t.Error("the names of all places, each once:", got)
	}
}

func TestAdd(t *testing.T) {
	l := &load.Loader{Places: []load.Place{{FS: files("base.rules", "ruleset base", "more.rules", "ruleset more")}}}
	one, _ := parse.File("one.rules", []byte("ruleset house extends base"))
	two, _ := parse.File("two.rules", []byte("ruleset house extends more"))
	bare, _ := parse.File("bare.rules", []byte("option one = 1"))
	rulesets, diags := l.Add(one, two, bare)
	if got := names(rulesets); got != "base/0/base.rules, more/0/more.rules, house/1/one.rules+two.rules" {
		t.Error(got)
	}
	if got := texts(diags); got != "bare.rules:1:1: error: this file has no header [no-header] start it with `ruleset NAME extends NAME`" {
		t.Error(got)
	}
	if h := rulesets[len(rulesets)-1]; !slices.Equal(h.Extends, []string{"base", "more"}) {
		t.Error("the second file's header counts too:", h.Extends)
	}
}

// Whoever parses a text at the same time as others gets the same tree, and so does whoever comes later.
func TestParsingOnce(t *testing.T) {
	const path = "at-once.rules"
	texts := [][]byte{[]byte("ruleset a\n\ncondition dazed { }\n"), []byte("ruleset b\n")}
	for _, src := range texts {
		var trees [8]*ast.File
		var wg sync.WaitGroup
		for i := range trees {
			wg.Go(func() { trees[i], _ = load.Parse(path, src) })
		}
		wg.Wait()
		last, _ := load.Parse(path, slices.Clone(src))
		for _, f := range trees {
			if f == nil || f != last || load.HeaderOf(f).Name.Name != string(src[8]) {
				t.Fatalf("%q has the trees %p and %p", src, f, last)
			}
		}
	}
}
