package handbook

import (
	"cmp"
	_ "embed"
	"path"
	"slices"
	"strings"
	"unicode"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file sorts the definitions into chapters. Files of the same name are one topic, whichever rulesets they belong
// to; the options, and the things of each kind, have chapters of their own.

// topics is the order in which topics are read: parts of the book, and below each the names of files.
//
//go:embed topics.txt
var topics string

// New lays out a ruleset. before is what it extends or changes; nil if there is nothing to compare it with.
func New(ruleBook *rulebook.Book, before *link.Set) *Book {
	set := ruleBook.Rules.Set()
	b := &Book{Name: ruleBook.Rules.Name, chapterOf: map[string]*Chapter{}, ruleBook: ruleBook}
	if house := ruleBook.Rules.House; len(house) > 1 {
		b.Name = strings.Join(house, ", ")
	}
	b.setRulesets(set)
	n := newNames()
	drafts := newDrafts(set, n, func() {})
	for _, d := range drafts {
		d.fill(b, n)
	}
	m := &bookBuilder{book: b, names: n, drafts: drafts, headings: map[string][]heading{}}
	if before != nil {
		if c := newChangesChapter(before, set, n, b); c != nil {
			b.Parts = append(b.Parts, Part{Chapters: []*Chapter{c}})
		}
	}
	m.chapters()
	b.collectUses()
	return b
}

// setRulesets lists whose definitions the book contains, the last one's first.
func (b *Book) setRulesets(set *link.Set) {
	for _, name := range slices.Backward(set.Rulesets) {
		r := Ruleset{Name: name}
		if h := set.Headers[name]; h != nil {
			for _, id := range h.Extends {
				r.Extends = append(r.Extends, id.Name)
			}
			if h.Doc != nil {
				r.Doc = h.Doc.Value
			}
		}
		if name == b.Name {
			b.Doc = r.Doc
			b.Preface = prefaceOf(b.ruleBook, name)
		}
		b.Rulesets = append(b.Rulesets, r)
	}
}

// bookBuilder collects entries into chapters.
type bookBuilder struct {
	book     *Book
	names    *nameIndex
	drafts   []*draft
	headings map[string][]heading // of each file
}

// heading is a comment above what follows it: # --- title ---
type heading struct {
	line  int
	title string
}

// titleOf returns the heading above a place, "" if there is none.
func (b *bookBuilder) titleOf(p rulebook.Place) string {
	list, ok := b.headings[p.File]
	if !ok {
		for i, l := range strings.Split(string(b.book.ruleBook.Source(p.File)), "\n") {
			if rest, ok := strings.CutPrefix(l, "# ---"); ok {
				if title := strings.Trim(rest, "- "); title != "" {
					list = append(list, heading{i + 1, title})
				}
			}
		}
		b.headings[p.File] = list
	}
	title := ""
	for _, h := range list {
		if h.line < p.Line {
			title = h.title
		}
	}
	return title
}

// topicOf is the topic of a definition: the name of its file, or "" for a file with the name of its ruleset, if that
// has several.
func (b *bookBuilder) topicOf(p rulebook.Place, alone map[string]bool) string {
	topic := fileTopic(p.File)
	if topic == p.Ruleset && !alone[p.Ruleset] {
		return ""
	}
	return topic
}

// fileTopic is the name of a file without its extension: a function belongs to the rules of the same name.
func fileTopic(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// chapters sorts the drafts into chapters.
func (b *bookBuilder) chapters() {
	files := map[string]map[string]bool{} // of each ruleset, the topics
	for _, d := range b.drafts {
		p := b.firstPlace(d)
		if files[p.Ruleset] == nil {
			files[p.Ruleset] = map[string]bool{}
		}
		files[p.Ruleset][fileTopic(p.File)] = true
	}
	alone := map[string]bool{}
	for ruleset, f := range files {
		alone[ruleset] = len(f) == 1
	}
	settings := &Chapter{Title: "Options", Slug: "options", Lead: "Settings that a table may change. Each has a default, which a house ruleset can override."}
	byTopic := map[string]*Chapter{}
	groups := map[string]*thingGroup{}
	var order []string
	var kinds []string
	for _, d := range b.drafts {
		p := b.firstPlace(d)
		if t, ok := d.defs[0].Node.(*ast.Template); ok {
			k := t.Kind.Name
			if groups[k] == nil {
				groups[k] = &thingGroup{kind: k}
				kinds = append(kinds, k)
			}
			groups[k].things = append(groups[k].things, d)
			continue
		}
		topic := b.topicOf(p, alone)
		c := byTopic[topic]
		if c == nil {
			c = &Chapter{Title: title(topic), Slug: topic}
			if topic == "" {
				c.Title, c.Slug = "Foundations", "foundations"
			}
			byTopic[topic] = c
			order = append(order, topic)
		}
		c.addFile(p.File)
		if _, ok := d.defs[0].Node.(*ast.Option); ok {
			settings.ensureSection(c.Title).Entries = append(settings.ensureSection(c.Title).Entries, d.Entry)
			settings.addFile(p.File)
			continue
		}
		s := c.ensureSection(b.titleOf(p))
		switch d.defs[0].Node.(type) {
		case *ast.Bonus, *ast.Role:
			s.Small = append(s.Small, d.Entry)
		default:
			s.Entries = append(s.Entries, d.Entry)
		}
	}
	if own := byTopic[b.book.Name]; own != nil && own.Sections != nil && b.book.Parts != nil { // house rules in a single file
		b.book.Parts[0].Chapters = append(b.book.Parts[0].Chapters, own)
		delete(byTopic, b.book.Name)
	}
	if settings.Sections != nil {
		b.book.Parts = append(b.book.Parts, Part{Chapters: []*Chapter{settings}})
	}
	b.arrangeTopics(byTopic, order)
	b.arrangeThings(groups, kinds)
	b.finish()
}

// firstPlace is where a definition was first declared.
func (b *bookBuilder) firstPlace(d *draft) rulebook.Place { return placeOf(d.defs[0].Origin.Root()) }

// arrangeTopics sorts the topics in the order of the list; unknown ones come last.
func (b *bookBuilder) arrangeTopics(byTopic map[string]*Chapter, order []string) {
	known := map[string]bool{}
	var part *Part
	flush := func() {
		if part != nil && part.Chapters != nil {
			b.book.Parts = append(b.book.Parts, *part)
		}
	}
	take := func(topic string) {
		if known[topic] {
			return
		}
		known[topic] = true
		if c := byTopic[topic]; c != nil && c.Sections != nil {
			part.Chapters = append(part.Chapters, c)
		}
	}
	for _, l := range strings.Split(topics, "\n") {
		switch {
		case strings.HasPrefix(l, "#") || strings.TrimSpace(l) == "":
		case !strings.HasPrefix(l, " "):
			flush()
			part = &Part{Title: l}
			if !known[""] { // the foundations precede all topics
				take("")
			}
		default:
			for _, topic := range strings.Fields(l) {
				take(topic)
			}
		}
	}
	flush()
	part = &Part{Title: "Other rules"}
	slices.Sort(order)
	for _, topic := range order {
		if !known[topic] {
			take(topic)
		}
	}
	flush()
}

// arrangeThings makes the chapters of things, the kinds with the most things first.
func (b *bookBuilder) arrangeThings(groups map[string]*thingGroup, kinds []string) {
	fields := map[string][]*ast.FieldDecl{}
	for _, d := range b.drafts {
		for _, def := range d.defs {
			if k, ok := def.Node.(*ast.Kind); ok && k.Body != nil {
				for _, cl := range k.Body.Clauses {
					if f, ok := cl.(*ast.FieldDecl); ok {
						fields[k.Name.Name] = append(fields[k.Name.Name], f)
					}
				}
			}
		}
	}
	slices.SortStableFunc(kinds, func(x, y string) int { return cmp.Compare(len(groups[y].things), len(groups[x].things)) })
	part := Part{Title: "Things"}
	for _, k := range kinds {
		sh := groups[k]
		titles := map[*draft]string{}
		c := &Chapter{Title: plural(title(k)), Slug: k}
		for _, d := range sh.things {
			c.addFile(b.firstPlace(d).File)
		}
		for _, d := range sh.things {
			p := b.firstPlace(d)
			if titles[d] = b.titleOf(p); titles[d] == "" && len(c.Files) > 1 {
				titles[d] = title(b.topicOf(p, nil))
			}
		}
		c.Sections = sh.layout(b.book, b.names, fields[k], titles)
		part.Chapters = append(part.Chapters, c)
	}
	if part.Chapters != nil {
		b.book.Parts = append(b.book.Parts, part)
	}
}

// finish gives the chapters unique addresses and links each to its neighbors.
func (b *bookBuilder) finish() {
	taken := map[string]bool{"index": true, "": true}
	var last *Chapter
	for _, c := range b.book.Chapters() {
		slug := plainSlug(c.Slug)
		for taken[slug] {
			slug += "-2"
		}
		c.Slug = slug
		taken[slug] = true
		if last != nil {
			last.Next, c.Previous = c, last
		}
		last = c
		for _, s := range c.Sections {
			for _, e := range s.All() {
				b.book.chapterOf[e.ID] = c
				for _, r := range e.Rows {
					if r.ID != "" {
						b.book.chapterOf[r.ID] = c
					}
				}
			}
		}
	}
	b.buildIndex()
}

// All returns the entries of a section, including things.
func (s *Section) All() []*Entry {
	list := slices.Concat(s.Entries, s.Small)
	if s.Things != nil {
		for _, t := range s.Things.Rows {
			list = append(list, t.Entry)
		}
	}
	return list
}

func (c *Chapter) ensureSection(title string) *Section {
	for _, s := range c.Sections {
		if s.Title == title {
			return s
		}
	}
	c.Sections = append(c.Sections, &Section{Title: title})
	return c.Sections[len(c.Sections)-1]
}

func (c *Chapter) addFile(name string) {
	if !slices.Contains(c.Files, name) {
		c.Files = append(c.Files, name)
	}
}

// title turns a name into a heading: Two weapons.
func title(name string) string {
	text := strings.ReplaceAll(name, "-", " ")
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}

// plural is good enough for the names of kinds.
func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "sh"):
		return word + "es"
	case strings.HasSuffix(word, "y") && !strings.HasSuffix(word, "ay") && !strings.HasSuffix(word, "ey"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

// plainSlug keeps the characters of a name that are safe in an address and in a file name.
func plainSlug(name string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	if slug = strings.Trim(slug, "-"); slug == "" {
		return "chapter"
	}
	return slug
}
