package link_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
)

var update = flag.Bool("update", false, "rewrite the expected parts of the archives")

// TestArchives links the rulesets of each archive in testdata. The first line of its comment, `link: NAME, ...`, lists
// the rulesets to link. The file `want` contains the diagnostics and every definition affected by a change: its chain
// of origins, its text, and the origins of the parts that come from elsewhere; then the citations added by changes, and
// what was removed.
func TestArchives(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(a.Comment), "\n")
			names := strings.Split(strings.TrimPrefix(first, "link: "), ", ")
			got := linked(a, names)
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					a.Files, i = append(a.Files, txtar.File{Name: "want"}), len(a.Files)
				}
				a.Files[i].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if i < 0 || string(a.Files[i].Data) != got {
				t.Errorf("got:\n%s\n(run with -update to accept)", got)
			}
		})
	}
}

func sources(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".rules") {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

func linked(a *txtar.Archive, names []string) string {
	l := &load.Loader{Places: []load.Place{{FS: sources(a)}}}
	rulesets, all := l.Load(names...)
	set, diags := link.Link(slices.Clone(rulesets), nil)
	return describe(set, append(all, diags...))
}

// Linking above what has been linked before gives what linking everything does, the first time and later.
func TestAbove(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	above := 0
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(a.Comment), "\n")
		l := &load.Loader{Places: []load.Place{{FS: sources(a)}}}
		rulesets, _ := l.Load(strings.Split(strings.TrimPrefix(first, "link: "), ", ")...)
		parsed := textOf(rulesets)
		set, diags := link.Link(slices.Clone(rulesets), nil)
		want := describe(set, diags)
		var f *link.Foundation
		for time := range 3 {
			set, _, diags, made, ok := link.Above(f, slices.Clone(rulesets))
			if f = made; !ok {
				break
			}
			above++
			if got := describe(set, diags); got != want {
				t.Fatalf("%s, time %d: got\n%s\nwant\n%s", path, time+1, got, want)
			}
		}
		if now := textOf(rulesets); now != parsed {
			t.Errorf("%s: linking has changed what was parsed, from\n%s\nto\n%s", path, parsed, now)
		}
	}
	if above < len(paths) {
		t.Errorf("only %d of %d archives have a ruleset above all others", above/3, len(paths))
	}
}

// textOf writes the files of rulesets from their trees.
func textOf(rulesets []*load.Ruleset) string {
	var b strings.Builder
	for _, r := range rulesets {
		for _, f := range r.Files {
			for _, cl := range f.Body {
				fmt.Fprintln(&b, format.Node(cl))
			}
		}
	}
	return b.String()
}

func describe(set *link.Set, diags diag.List) string {
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "%s [%s]\n", d, d.Code)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s:%d:%d: %s\n", r.File, r.Span.Start.Line, r.Span.Start.Column, r.Message)
		}
	}
	for _, d := range set.Defs {
		var parts []string
		walk(d.Node, func(cl ast.Clause) {
			if o := set.Origins[cl]; o != nil {
				parts = append(parts, fmt.Sprintf("#   %s: %s", strings.SplitN(format.Node(cl), "\n", 2)[0], chain(o)))
			}
		})
		for _, path := range slices.Sorted(maps.Keys(set.Cells)) {
			if strings.HasPrefix(path, d.Name+"[") {
				parts = append(parts, fmt.Sprintf("#   %s: %s", path, chain(set.Cells[path])))
			}
		}
		if d.Origin.Was == nil && parts == nil {
			continue
		}
		fmt.Fprintf(&b, "\n# %s: %s\n%s\n", d.Name, chain(d.Origin), format.Node(d.Node))
		for _, p := range parts {
			fmt.Fprintln(&b, p)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(set.AddedCites)) {
		for _, x := range set.AddedCites[path] {
			fmt.Fprintf(&b, "\n# cited for %s: %s:%d", path, x.File, x.Cites[0].Start.Line)
			for _, id := range x.Cites {
				fmt.Fprintf(&b, " %s", id.ID)
			}
			fmt.Fprintln(&b)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set.Removed)) {
		fmt.Fprintf(&b, "\n# removed %s: %s\n", name, chain(set.Removed[name]))
	}
	return b.String()
}

func chain(o *link.Origin) string {
	var links []string
	for ; o != nil; o = o.Was {
		links = append(links, fmt.Sprintf("%s %s:%d:%d", o.Verb, o.File, o.Span.Start.Line, o.Span.Start.Column))
	}
	return strings.Join(links, " <- ")
}

// walk visits the clauses in the bodies of a definition.
func walk(cl ast.Clause, visit func(ast.Clause)) {
	visit(cl)
	var body *ast.Block
	switch n := cl.(type) {
	case *ast.Kind:
		body = n.Body
	case *ast.Template:
		body = n.Body
	case *ast.Roll:
		body = n.Body
	case *ast.Stat:
		body = n.Body
	case *ast.Resource:
		body = n.Body
	case *ast.Effect:
		body = n.Body
	case *ast.Procedure:
		body = n.Body
	case *ast.Rule:
		body = n.Body
	case *ast.Step:
		body = n.Body
	case *ast.Tactics:
		body = n.Body
	}
	if body != nil {
		for _, c := range body.Clauses {
			walk(c, visit)
		}
	}
}

// TestOrderOfSiblings checks that the order in which siblings are named does not change the result.
func TestOrderOfSiblings(t *testing.T) {
	a, err := txtar.ParseFile("testdata/siblings.txtar")
	if err != nil {
		t.Fatal(err)
	}
	texts := func(names ...string) string {
		l := &load.Loader{Places: []load.Place{{FS: sources(a)}}}
		rulesets, diags := l.Load(names...)
		set, more := link.Link(rulesets, nil)
		if diags = append(diags, more...); len(diags) > 0 {
			t.Fatal(diags)
		}
		var defs []string
		for _, d := range set.Defs {
			defs = append(defs, format.Node(d.Node))
		}
		slices.Sort(defs)
		return strings.Join(defs, "\n")
	}
	if one, other := texts("left", "right"), texts("right", "left"); one != other {
		t.Errorf("left, right:\n%s\n\nright, left:\n%s", one, other)
	}
}

// TestParentsStayWhole checks that a change copies what it changes, and leaves the trees of the parents alone.
func TestParentsStayWhole(t *testing.T) {
	a, err := txtar.ParseFile("testdata/override.txtar")
	if err != nil {
		t.Fatal(err)
	}
	l := &load.Loader{Places: []load.Place{{FS: sources(a)}}}
	rulesets, _ := l.Load("house")
	before := texts(rulesets)
	first, _ := link.Link(rulesets, nil)
	if after := texts(rulesets); after != before {
		t.Errorf("linking changed a tree:\n%s\n\nwas:\n%s", after, before)
	}
	second, _ := link.Link(rulesets, nil)
	if describe(first, nil) != describe(second, nil) {
		t.Error("linking twice gives two results")
	}
}

func texts(rulesets []*load.Ruleset) string {
	var b strings.Builder
	for _, r := range rulesets {
		for _, f := range r.Files {
			b.Write(format.Format(f, nil))
		}
	}
	return b.String()
}
