package handbook

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
)

// This file compares a ruleset with those that it extends: the first chapter of its book.

// Change is one part that differs.
type Change struct {
	Ref         // the definition
	Path string // of the part
	What string // added, overridden, extended, changed or removed
	Was  *Wording
	Now  *Wording
	By   *rulebook.Place // which removed it
}

// Wording is what one of two rulesets says about a part.
type Wording struct {
	Lines []Line
	Place rulebook.Place
}

// ChangesChapter is the chapter about what the ruleset changes, nil if it changes nothing.
func (b *Book) ChangesChapter() *Chapter {
	for _, c := range b.Chapters() {
		if c.Changes != nil {
			return c
		}
	}
	return nil
}

// Whole reports whether a whole definition was added or removed, as opposed to a part of one.
func (c *Change) Whole() bool {
	return c.Path == c.Name && (c.What == link.Added || c.What == link.Removed)
}

// newChangesChapter makes the chapter, or returns nil if nothing differs.
func newChangesChapter(before, set *link.Set, n *nameIndex, b *Book) *Chapter {
	c := &Chapter{Title: "What it changes", Slug: "changes"}
	baseName := before.Name
	if baseName == "" && len(b.Rulesets) > 0 {
		baseName = strings.Join(b.Rulesets[0].Extends, ", ")
	}
	if baseName == "" {
		return nil
	}
	c.Lead = fmt.Sprintf("What %s changes in %s.", b.Name, baseName)
	if baseName == b.Name { // a script that uses the ruleset
		c.Lead = fmt.Sprintf("What differs from %s.", baseName)
	}
	docs := map[string]string{}
	for _, e := range rulebook.Entries(set) {
		docs[e.Kind+" "+e.Path] = e.Doc
	}
	for _, d := range link.Diff(before, set) {
		x := Change{Path: d.Path, What: d.What}
		x.Ref = Ref{Name: d.Definition, Kind: d.Word, Doc: docs[d.Word+" "+d.Definition]}
		for _, id := range []string{d.Path, d.Definition + "~" + d.Word, d.Definition} {
			if x.ID == "" && n.ids[id] && (d.What != link.Removed || d.Path != d.Definition) { // a removed definition has no entry
				x.ID = id
			}
		}
		if d.By != nil {
			by := placeOf(d.By)
			x.By = &by
		}
		if !x.Whole() {
			x.Was, x.Now = n.wording(d.Was), n.wording(d.Now)
		}
		c.Changes = append(c.Changes, x)
	}
	if c.Changes == nil {
		return nil
	}
	return c
}

func (n *nameIndex) wording(p *link.Piece) *Wording {
	if p == nil {
		return nil
	}
	s := &Wording{Place: placeOf(p.Origin)}
	switch {
	case p.Clause != nil:
		s.Lines = n.scopeOf(p.Clause).clause(p.Clause)
	case p.Value != nil:
		s.Lines = []Line{(&scope{names: n, kind: everybody}).expr(p.Value)}
	default:
		s.Lines = []Line{{Spans: []Span{{Text: p.Text}}}}
	}
	return s
}

// Altered, Extended, Added and Gone partition the changes of a chapter: parts that were changed or removed, parts that
// were added to definitions, whole definitions that were added, and whole definitions that were removed.
func (c *Chapter) Altered() []Change {
	return c.changesWhere(func(x *Change) bool { return !x.Whole() && x.What != link.Added })
}

// Extended is described at Altered.
func (c *Chapter) Extended() []Change {
	return c.changesWhere(func(x *Change) bool { return !x.Whole() && x.What == link.Added })
}

// Added is described at Altered.
func (c *Chapter) Added() []Change {
	return c.changesWhere(func(x *Change) bool { return x.Whole() && x.What == link.Added })
}

// Gone is described at Altered.
func (c *Chapter) Gone() []Change {
	return c.changesWhere(func(x *Change) bool { return x.Whole() && x.What == link.Removed })
}

func (c *Chapter) changesWhere(which func(*Change) bool) (list []Change) {
	for i := range c.Changes {
		if which(&c.Changes[i]) {
			list = append(list, c.Changes[i])
		}
	}
	return list
}
