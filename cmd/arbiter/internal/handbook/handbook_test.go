package handbook

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/rules"
)

// books are the embedded rulesets, each laid out with what it changes. They are many, so they are made once.
var books = sync.OnceValues(func() ([]*Book, error) {
	folders, err := rules.FS.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var list []*Book
	for _, f := range folders {
		o := build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
		r, found, err := build.Named(o, f.Name())
		if err != nil || r == nil {
			return nil, fmt.Errorf("%s: %v %v", f.Name(), err, found)
		}
		before, found, err := build.ParentsNamed(o, f.Name())
		if err != nil || before == nil {
			return nil, fmt.Errorf("%s: %v %v", f.Name(), err, found)
		}
		list = append(list, New(&rulebook.Book{Rules: r, Source: r.Text}, before))
	}
	return list, nil
})

// forEachRuleset shows every embedded ruleset.
func forEachRuleset(t *testing.T, check func(t *testing.T, b *Book)) {
	t.Helper()
	list, err := books()
	if err != nil || len(list) < 5 {
		t.Fatal(err, len(list))
	}
	for _, b := range list {
		t.Run(b.Name, func(t *testing.T) { check(t, b) })
	}
}

// parsedPages is the pages of a book as a browser parses them.
type parsedPages struct {
	ids   map[string]bool // page#id
	links map[string]string
}

// parsePages parses pages strictly: every opened tag is closed, every id is unique, and nothing is fetched or executed.
func parsePages(t *testing.T, pages []Page) parsedPages {
	t.Helper()
	w := parsedPages{ids: map[string]bool{}, links: map[string]string{}}
	for _, p := range pages {
		w.ids[p.Name] = true
		d := xml.NewDecoder(bytes.NewReader(p.Text))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			tag, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch tag.Name.Local {
			case "script", "link", "img", "iframe", "object":
				t.Errorf("%s: a <%s>", p.Name, tag.Name.Local)
			}
			for _, a := range tag.Attr {
				switch a.Name.Local {
				case "id":
					if id := p.Name + "#" + a.Value; w.ids[id] {
						t.Errorf("%s appears twice", id)
					} else {
						w.ids[id] = true
					}
				case "href":
					to := a.Value
					if strings.HasPrefix(to, "#") {
						to = p.Name + to
					}
					w.links[to] = p.Name
				case "src", "style", "onclick":
					t.Errorf("%s: %s=%q", p.Name, a.Name.Local, a.Value)
				}
			}
		}
	}
	return w
}

// TestLinks: every link of every book leads to an existing entry.
func TestLinks(t *testing.T) {
	forEachRuleset(t, func(t *testing.T, b *Book) {
		pages, err := b.HTML()
		if err != nil {
			t.Fatal(err)
		}
		w := parsePages(t, pages)
		for to, from := range w.links {
			if !w.ids[to] {
				t.Errorf("%s: a link to %s, which is nowhere", from, to)
			}
		}
		if len(w.links) < 100 {
			t.Errorf("only %d links", len(w.links))
		}
		for _, l := range b.Names {
			for _, n := range l.Names {
				if b.chapterOf[n.ID] == nil {
					t.Errorf("%s %s has no entry", n.Kind, n.Name)
				}
			}
		}
	})
}

// TestMentions: walking a tree finds all names, in the order in which the formatter prints them.
func TestMentions(t *testing.T) {
	forEachRuleset(t, func(t *testing.T, b *Book) {
		n := newNames()
		newDrafts(b.ruleBook.Rules.Set(), n, func() {})
		for _, d := range b.ruleBook.Rules.Set().Defs {
			if _, ok := d.Node.(*ast.Table); ok {
				continue // printed cell by cell
			}
			s := n.scopeOf(d.Node)
			for _, p := range b.ruleBook.Rules.Set().Pieces(d) {
				if p.Clause == nil {
					continue
				}
				printed := 0
				for _, l := range s.clause(p.Clause) {
					for _, x := range l.Spans {
						if x.Kind == Name {
							printed++
						}
					}
				}
				if all := s.mentions(p.Clause); printed != len(all) {
					t.Errorf("%s: %d of %d names are met, not %v", p.Path, printed, len(all), all[printed])
				}
			}
		}
	})
}

// TestPaper: plain text keeps to its columns, except for words that are longer than a line.
func TestPaper(t *testing.T) {
	forEachRuleset(t, func(t *testing.T, b *Book) {
		text := b.Plain()
		for _, l := range strings.Split(text, "\n") {
			if term.Columns(l) > pageWidth && strings.Contains(strings.TrimSpace(l), " ") {
				t.Errorf("too wide: %s", l)
			}
		}
		for _, d := range rulebook.Entries(b.ruleBook.Rules.Set()) {
			if !strings.Contains(text, d.Path) {
				t.Errorf("%s %s is not in it", d.Kind, d.Path)
			}
		}
	})
}

// layOut lays out a text of rules and what it extends.
func layOut(t *testing.T, text string) *Book {
	t.Helper()
	o := build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
	s, diags, err := build.Source("house.rules", []byte(text), o)
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	var before *link.Set
	if len(s.Head.Extends) > 0 {
		base, diags, err := build.Named(o, s.Head.Extends[0].Name)
		if err != nil || base == nil {
			t.Fatal(err, diags)
		}
		before = base.Set()
	}
	r := s.Rules
	return New(&rulebook.Book{Rules: r, Source: r.Text}, before)
}

// TestHostile: untrusted doc strings and headings are text on the page and nothing else.
func TestHostile(t *testing.T) {
	evil := `</style></p><script>alert(1)</script><img src=x onerror=alert(1)> &amp; ' ]]> <!--`
	b := layOut(t, "ruleset evil \""+evil+"\u202e\"\n"+
		"# --- "+evil+" ---\n"+
		"stat wits \""+evil+"\" = 3\n"+
		"kind coin \""+evil+"\" { worth: number = 1 }\n"+
		"coin penny \""+evil+"\" { worth: 2 }\n"+
		"action shout { cost none; needs wits > 1 \""+evil+"\"; step cry \""+evil+"\" { note \""+evil+"\" } }\n")
	pages, err := b.HTML()
	if err != nil {
		t.Fatal(err)
	}
	parsePages(t, pages)
	shown := 0
	for _, p := range pages {
		text := string(p.Text)
		if strings.Contains(text, "<script") || strings.Contains(text, "<img") || strings.ContainsAny(text, "\u202e") {
			t.Errorf("%s lets it through", p.Name)
		}
		shown += strings.Count(text, "&lt;script&gt;alert(1)")
	}
	if shown < 7 {
		t.Errorf("it is shown %d times", shown)
	}
	if strings.ContainsAny(b.Plain(), "\u202e") {
		t.Error("the plain text lets it through")
	}
}

// TestChanges: the book of a house rule begins with what it changes, and a changed part shows what it was.
func TestChanges(t *testing.T) {
	b := layOut(t, `ruleset house extends d20
override rubble.price = 3
define creature.idle = self is prone
remove fog
`)
	first := b.Chapters()[0]
	if first.Slug != "changes" || len(first.Altered()) != 1 || len(first.Added()) != 1 || len(first.Gone()) != 1 {
		t.Fatal(b.PlainChapter(first))
	}
	pages, err := b.HTML()
	if err != nil || !strings.Contains(string(pages[0].Text), `<dt>Changed</dt><dd><a href="terrain.html#rubble">rubble.price</a></dd>`) {
		t.Errorf("the first page does not tell: %v", err)
	}
	text := b.PlainChapter(first)
	for _, want := range []string{"rubble.price (terrain) overridden", "price: 2", "price: 3", "house.rules:2 (house)", "creature.idle (define)", "fog (terrain)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if text := b.PlainChapter(b.Chapter("terrain")); !strings.Contains(text, "in place of d20/ground.rules:") {
		t.Errorf("what was is not told:\n%s", text)
	}
}

// TestUsed: references to an entry are listed there, and a name bound in a definition is no link.
func TestUsed(t *testing.T) {
	b := layOut(t, `ruleset small
roll plain { die d20 }
kind coin { natural: flag }
stat wits rolled as plain = 3
stat luck = 1
procedure think at luck: number {
  step ponder {
    check wits as idea
    let all = wits + luck + idea.natural
  }
}
kind creature { level: number = 1 }
stat grip = 4
table strength by level {
  | level  | grip | pull |
  | others | 1    | 2    |
}
define creature.might = strength[level].grip + strength[level, grip]
define creature.hold = grip
`)
	users := map[string]string{}
	for _, c := range b.Chapters() {
		for _, s := range c.Sections {
			for _, e := range s.Entries {
				for _, u := range e.UsedBy {
					users[e.ID] += u.Name
				}
			}
		}
	}
	if users["wits"] != "think" || users["luck"] != "" || users["coin"] != "" || users["plain"] != "wits" || users["grip"] != "creature.hold" || users["strength"] != "creature.might" {
		t.Error(users)
	}
}

// TestSame: the same rules make the same book, byte for byte.
func TestSame(t *testing.T) {
	pages := func() string {
		p, err := layOut(t, "ruleset small extends d20\nstat wits = 3\n").HTML()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s", p)
	}
	if pages() != pages() {
		t.Error("two books differ")
	}
}

// TestThings: things with few fields are in a table, those with many in blocks; fields of what they extend count as
// their own.
func TestThings(t *testing.T) {
	b := layOut(t, `ruleset shop
kind cup { worth: number = 3; cracked, painted: flag }
cup plain-cup "Clay." { is cracked }
cup fine-cup extends plain-cup { worth: 9; is painted }
kind pot { a, b, c, d, e, f, g, h, i, j: number = 0 }
kind charm { power: number = 1 }
procedure charm.works { note "Nothing." }
charm clover { power: 2; works "Luck." { note "It shines." } }
action rub charm { works charm }
rule told after clover.works { note "Ah." }
pot huge { a: 1; b: 2; c: 3; d: 4; e: 5; f: 6; g: 7; h: 8; i: 9; j: 10 }
`)
	for slug, want := range map[string]string{
		"cup":   "  cup        worth  is\n  ----------------------------------\n  plain-cup  3      cracked\n  fine-cup   9      cracked, painted\n  plain-cup: Clay.\n",
		"charm": "clover (charm)\n  power 2\n  works           Luck.\n                  note \"It shines.\"\n  house.rules:8 (shop)\n  used by told\n",
		"house": "charm.works (procedure)\n  does            note \"Nothing.\"\n  house.rules:7 (shop)\n  used by rub\n",
		"pot":   "huge (pot)\n  a 1; b 2; c 3; d 4; e 5; f 6; g 7; h 8; i 9; j 10\n",
	} {
		if text := b.PlainChapter(b.Chapter(slug)); !strings.Contains(text, want) {
			t.Errorf("%s:\n%s\nwithout\n%s", slug, text, want)
		}
	}
}

// TestOpened: a body in braces is shown without them, with its beginning as the label.
func TestOpened(t *testing.T) {
	for text, want := range map[string]string{
		"works { stop }":                    "works: stop",
		"works {\n  stop\n}":                "works: stop",
		"by day {\n  if x {\n    y\n  }\n}": "by day: if x {|y|}",
		"works upon target: number":         ": works upon target: number",
	} {
		label, lines := splitBraces(linkedLines(text, nil))
		var all []string
		for _, l := range lines {
			all = append(all, strings.TrimSpace(l.String()))
		}
		if got := label + ": " + strings.Join(all, "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHouseRules lays out the house rules of the examples that come with Starlark functions.
func TestHouseRules(t *testing.T) {
	files, err := filepath.Glob("../../../../examples/house-rules/*.star")
	if err != nil || len(files) < 5 {
		t.Fatal(err, len(files))
	}
	functions := 0
	for _, file := range files {
		file = strings.TrimSuffix(file, "star") + "rules"
		s, diags, err := build.File(file, build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
		if err != nil || s.Rules == nil {
			t.Fatal(err, diags)
		}
		r := s.Rules
		before, _, err := build.Parents(file, build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
		if err != nil {
			t.Fatal(err)
		}
		b := New(&rulebook.Book{Rules: r, Source: r.Text}, before)
		if first := b.Chapters()[0]; first.Slug != "changes" || first.Changes == nil {
			t.Errorf("%s: the book begins with %s", file, first.Slug)
		}
		for _, c := range b.Chapters() {
			for _, s := range c.Sections {
				for _, e := range s.Entries {
					for _, row := range e.Rows {
						if row.Code != "" {
							functions++
						}
						if row.Place.Line == 0 {
							t.Errorf("%s: %s, %s has no place", file, e.Name, row.Label)
						}
					}
				}
			}
		}
	}
	if functions < 8 {
		t.Errorf("only %d functions are shown", functions)
	}
}

func BenchmarkBook(b *testing.B) {
	o := build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
	r, _, err := build.Named(o, "srd35")
	if err != nil {
		b.Fatal(err)
	}
	before, _, _ := build.ParentsNamed(o, "srd35")
	for b.Loop() {
		book := New(&rulebook.Book{Rules: r, Source: r.Text}, before)
		if _, err := book.HTML(); err != nil {
			b.Fatal(err)
		}
	}
}
