package rulebook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/link"
	"arbiter/rules"
)

// TestLibrary opens the book of every embedded ruleset at every definition and at every part.
func TestLibrary(t *testing.T) {
	entries, err := rules.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		r, diags, err := build.Named(build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}, e.Name())
		if err != nil || r == nil {
			t.Fatal(e.Name(), err, diags)
		}
		b := &Book{Rules: r, Source: noSource}
		for _, d := range Entries(r.Set()) {
			pages, _ := b.Find(d.Path)
			if len(pages) == 0 || d.Kind == "" {
				t.Errorf("%s: %+v cannot be shown", e.Name(), d)
			}
			for _, p := range pages {
				if p.Text == "" || p.Place.Line == 0 {
					t.Errorf("%s: %s has no text or no place", e.Name(), d.Path)
				}
			}
		}
		for _, part := range r.Checked.Parts {
			name, _, _ := strings.Cut(part.Path, "[")
			if pages, _ := b.Find(name); len(pages) == 0 {
				t.Errorf("%s: the part %s cannot be shown", e.Name(), part.Path)
			}
		}
	}
}

// TestDiffLibrary compares every embedded ruleset with itself and with the next one: with itself nothing differs, and
// what only one of two has is the same both ways.
func TestDiffLibrary(t *testing.T) {
	entries, err := rules.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var sets []*link.Set
	for _, e := range entries {
		r, _, err := build.Named(build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		names, sets = append(names, e.Name()), append(sets, r.Set())
	}
	count := func(list []Difference, what string) (n int) {
		for _, d := range list {
			if d.Was != nil && (d.Was.Text == "" || d.Was.Place.Line == 0) || d.Now != nil && (d.Now.Text == "" || d.Now.Place.Line == 0) {
				t.Errorf("%s has no text or no place", d.Path)
			}
			if d.What == what {
				n++
			}
		}
		return n
	}
	for i, x := range sets {
		if same := Diff(x, x); len(same) > 0 {
			t.Errorf("%s and itself: %d differences", names[i], len(same))
		}
		next := (i + 1) % len(sets)
		there, back := Diff(x, sets[next]), Diff(sets[next], x)
		if there, back := count(there, link.Added), count(back, link.Removed); there != back {
			t.Errorf("%s -> %s adds %d, and back %d are removed", names[i], names[next], there, back)
		}
	}
}

const house = `ruleset house
option rounds = 3
stat nerve "What holds." { base: 1; charm: 2 }
rule alarm at start of fight { }
override nerve.charm = 5
extend nerve { luck: 1 }
resource breath from 0
action shout { cost breath }
override shout.cost { cost 2 breath }
define creature.hoarse = breath < 2
`

func TestFind(t *testing.T) {
	s, diags, err := build.Source("house.rules", []byte(house), build.Options{})
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	for _, c := range []struct {
		path, kind, near string
		text             string // part of it
		replaced         int
	}{
		{path: "rounds", kind: "option", text: "option rounds = 3"},
		{path: "nerve", kind: "stat", text: "charm: 5"},
		{path: "nerve.charm", kind: "term", text: "charm: 5", replaced: 1},
		{path: "nerve.luck", kind: "term", text: "luck: 1"},
		{path: "shout.cost", kind: "part of shout", text: "cost 2 breath", replaced: 1},
		{path: "alarm", kind: "rule", text: "at start of fight"},
		{path: "creature.hoarse", kind: "define", text: "breath < 2"},
		{path: "hoarse", kind: "define", text: "breath < 2"},
		{path: "nervs", near: "nerve"},
		{path: "nerve.charn", near: "nerve.charm"},
		{path: ""},
		{path: "."},
		{path: "nerve."},
	} {
		pages, near := (&Book{Rules: s.Rules, Source: noSource}).Find(c.path)
		if c.kind == "" {
			if len(pages) > 0 || c.near != "" && near != c.near {
				t.Errorf("%q: %d pages, near %q, want %q", c.path, len(pages), near, c.near)
			}
			continue
		}
		if len(pages) != 1 {
			t.Errorf("%q: %d pages", c.path, len(pages))
			continue
		}
		p := pages[0]
		if p.Kind != c.kind || !strings.Contains(strings.Join(strings.Fields(p.Text), " "), c.text) || len(p.Replaced) != c.replaced {
			t.Errorf("%q: %+v", c.path, p)
		}
	}
	pages, _ := (&Book{Rules: s.Rules, Source: noSource}).Find("nerve")
	if pages[0].Doc != "What holds." {
		t.Errorf("the sentence is %q", pages[0].Doc)
	}
	if i := slices.IndexFunc(pages[0].Parts, func(p Part) bool { return p.Path == "nerve.charm" }); i < 0 || len(pages[0].Parts[i].Replaced) != 1 {
		t.Errorf("parts: %+v", pages[0].Parts)
	}
}

// TestKinds: a kind that is opened twice is one definition, and what is defined for its things is not one of its parts.
func TestKinds(t *testing.T) {
	s, diags, err := build.Source("house.rules", []byte(`ruleset house
kind coin { worth: number = 1 }
define coin.gold = worth > 10
kind coin { weight: number = 2; flat: flag }
`), build.Options{})
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	pages, _ := (&Book{Rules: s.Rules, Source: noSource}).Find("coin")
	if len(pages) != 1 || len(pages[0].Parts) != 3 {
		t.Fatalf("%+v", pages)
	}
	if want := "kind coin {\n  worth: number = 1\n  weight: number = 2\n  flat: flag\n}"; pages[0].Text != want {
		t.Errorf("%s", pages[0].Text)
	}
	if list := Entries(s.Rules.Set()); len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// TestParts: two clauses with the same path are two parts, each at its own place; things that share a name have
// separate parts.
func TestParts(t *testing.T) {
	s, diags, err := build.Source("house.rules", []byte(`ruleset house
action shout {
  needs level > 1
  needs level < 9
  step cry {
    note "one"  cite a.01
    note "two"  cite a.02
  }
}
kind creature { level: number = 1 }
enum level: low, high
permission hail
reaction hail before shout {
  needs level > 2
}
`), build.Options{})
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	b := &Book{Rules: s.Rules, Source: noSource}
	for _, c := range []struct {
		path string
		want []string // of each definition of that name, its parts with their lines
	}{
		{"shout", []string{"shout.needs:3 shout.needs:4 shout.cry:5"}},
		{"level", []string{""}},
		{"hail", []string{"", "hail.needs:14"}},
	} {
		pages, _ := b.Find(c.path)
		var got []string
		for _, p := range pages {
			var parts []string
			for _, x := range p.Parts {
				parts = append(parts, fmt.Sprintf("%s:%d", x.Path, x.Place.Line))
			}
			got = append(got, strings.Join(parts, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

// noSource has no texts.
func noSource(string) []byte { return nil }

// TestSearch finds what a reader looks for: by a catalogue id, by a topic of the catalogue, by words in the name, the
// doc string and the values.
func TestSearch(t *testing.T) {
	r, _, err := build.Source("x.rules", []byte(`ruleset x "A small book."
enum harm: burning, freezing "How it hurts." cite x.harm.01
kind creature { toughness: number = 3  cite x.body.01 }
stat warm-coat against foe: creature "What keeps the cold away." {
  base: 2  cite x.coat.01, x.coat.02
  worn: 1 when toughness > 2  cite x.coat.10
}
`), build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
	if err != nil || r == nil || r.Rules == nil {
		t.Fatal(err)
	}
	b := &Book{Rules: r.Rules, Source: noSource}
	paths := func(list []Entry) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Kind+" "+e.Path)
		}
		return strings.Join(out, ", ")
	}
	for id, want := range map[string]string{
		"x.coat.01": "stat warm-coat.base", "x.coat.1": "", "x.coat": "stat warm-coat.base, stat warm-coat.worn", "x.harm.01": "enum harm",
		"x": "enum harm, kind creature.toughness, stat warm-coat.base, stat warm-coat.worn", "y": "",
	} {
		if got := paths(b.Citing(id)); got != want {
			t.Errorf("citing %s: %q, want %q", id, got, want)
		}
	}
	for text, want := range map[string]string{
		"coats": "stat warm-coat", "warm coat": "stat warm-coat", "the cold": "stat warm-coat", "Freezing": "enum harm", "harm": "enum harm",
		"of a": "", "warm freezing": "", "": "", "arm": "", "oat": "",
	} {
		if got := paths(b.Search(text)); got != want {
			t.Errorf("search %q: %q, want %q", text, got, want)
		}
	}
}
