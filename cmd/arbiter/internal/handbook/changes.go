package handbook

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
)

// This file tells what a ruleset makes otherwise than those that it extends: the first chapter of its book.

// Change is one part that differs.
type Change struct {
	Ref         // the definition
	Path string // of the part
	What string // added, overridden, extended, changed, removed
	Was  *Saying
	Now  *Saying
	By   *rulebook.Place // of what was removed
}

// Saying is what one of two rulesets says.
type Saying struct {
	Lines []Line
	Place rulebook.Place
}

// Otherwise is the chapter of what the ruleset changes, nil if it changes nothing.
func (b *Book) Otherwise() *Chapter {
	for _, c := range b.Chapters() {
		if c.Changes != nil {
			return c
		}
	}
	return nil
}

// Whole tells a definition that came or went from a part of one.
func (c *Change) Whole() bool {
	return c.Path == c.Name && (c.What == link.Added || c.What == link.Removed)
}

// changes makes the chapter, nil when nothing differs.
func changes(before, set *link.Set, n *names, b *Book) *Chapter {
	c := &Chapter{Title: "What it changes", Slug: "changes"}
	over := before.Name
	if over == "" && len(b.Rulesets) > 0 {
		over = strings.Join(b.Rulesets[0].Extends, ", ")
	}
	if over == "" {
		return nil
	}
	c.Lead = fmt.Sprintf("What %s changes in %s.", b.Name, over)
	if over == b.Name { // a script that is played by it
		c.Lead = fmt.Sprintf("What differs from %s.", over)
	}
	docs := map[string]string{}
	for _, e := range rulebook.Entries(set) {
		docs[e.Kind+" "+e.Path] = e.Doc
	}
	for _, d := range link.Diff(before, set) {
		x := Change{Path: d.Path, What: d.What}
		x.Ref = Ref{Name: d.Definition, Kind: d.Word, Doc: docs[d.Word+" "+d.Definition]}
		for _, id := range []string{d.Path, d.Definition + "~" + d.Word, d.Definition} {
			if x.ID == "" && n.ids[id] && (d.What != link.Removed || d.Path != d.Definition) { // a definition that is gone has no entry
				x.ID = id
			}
		}
		if d.By != nil {
			by := placeOf(d.By)
			x.By = &by
		}
		if !x.Whole() {
			x.Was, x.Now = n.saying(d.Was), n.saying(d.Now)
		}
		c.Changes = append(c.Changes, x)
	}
	if c.Changes == nil {
		return nil
	}
	return c
}

func (n *names) saying(p *link.Piece) *Saying {
	if p == nil {
		return nil
	}
	s := &Saying{Place: placeOf(p.Origin)}
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

// Altered, Extended, Added and Gone divide the changes of a chapter: parts that became otherwise or went, parts that were
// added to definitions, and whole definitions that came and that went.
func (c *Chapter) Altered() []Change {
	return c.those(func(x *Change) bool { return !x.Whole() && x.What != link.Added })
}

// Extended is described at Altered.
func (c *Chapter) Extended() []Change {
	return c.those(func(x *Change) bool { return !x.Whole() && x.What == link.Added })
}

// Added is described at Altered.
func (c *Chapter) Added() []Change {
	return c.those(func(x *Change) bool { return x.Whole() && x.What == link.Added })
}

// Gone is described at Altered.
func (c *Chapter) Gone() []Change {
	return c.those(func(x *Change) bool { return x.Whole() && x.What == link.Removed })
}

func (c *Chapter) those(which func(*Change) bool) (list []Change) {
	for i := range c.Changes {
		if which(&c.Changes[i]) {
			list = append(list, c.Changes[i])
		}
	}
	return list
}
