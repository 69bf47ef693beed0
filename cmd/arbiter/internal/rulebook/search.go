package rulebook

import (
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file finds what a reader looks for without knowing its name.

// Citing lists the parts that implement a catalogue rule; a topic (book.topic) stands for all its rules. A rule that
// the whole definition cites is listed as the definition.
func (b *Book) Citing(id string) []Entry {
	var list []Entry
	for _, part := range b.Rules.Checked.Parts {
		if !slices.ContainsFunc(part.Cites, func(x string) bool { return x == id || strings.HasPrefix(x, id+".") }) {
			continue
		}
		e := Entry{Kind: "part", Path: part.Path, Doc: part.Doc, Place: placeAt(b.Rules, part.Pos)}
		e.Place.Ruleset = part.From
		if d := b.definitionOf(e.Path, e.Place); d != nil {
			word, doc := headOf(d.Node)
			if e.Kind = word; e.Doc == "" {
				e.Doc = doc
			}
		}
		if !slices.ContainsFunc(list, func(x Entry) bool { return x.Path == e.Path }) {
			list = append(list, e)
		}
	}
	return list
}

// definitionOf is the definition that a path belongs to; of several with the same name, the one at that place.
func (b *Book) definitionOf(path string, at Place) *link.Def {
	var found *link.Def
	for _, d := range b.Rules.Set().Defs {
		rest, ok := strings.CutPrefix(path, d.Name)
		if !ok || d.Name == "" || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		inside := d.Origin.File == at.File && d.Origin.Span.Start.Line <= at.Line && at.Line <= d.Origin.Span.End.Line
		if found == nil || len(d.Name) > len(found.Name) || len(d.Name) == len(found.Name) && inside {
			found = d
		}
	}
	return found
}

// Search lists the definitions about something: those with every word in their name, followed by those with every word
// in the name, the doc string, or the values of an enum. Plurals match their singular.
func (b *Book) Search(text string) []Entry {
	var terms []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '-' || r == ',' }) {
		if w = strings.TrimSuffix(w, "s"); len(w) > 2 { // not "of", "to", "a"
			terms = append(terms, w)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	var named, described []Entry
	for _, d := range b.Rules.Set().Defs {
		if _, silent := d.Node.(*ast.Role); silent {
			continue
		}
		for _, name := range NamesOf(d) {
			e := newEntry(d, name)
			has := func(text string) bool {
				text = strings.ToLower(text)
				return !slices.ContainsFunc(terms, func(w string) bool { return !beginsWord(text, w) })
			}
			switch {
			case has(name):
				named = append(named, e)
			case has(name + " " + e.Doc + values(d)):
				described = append(described, e)
			}
		}
	}
	return append(named, described...)
}

// beginsWord reports whether a word of a text begins so; the parts of a name are words.
func beginsWord(text, start string) bool {
	for i := 0; ; i++ {
		n := strings.Index(text[i:], start)
		if n < 0 {
			return false
		}
		if i += n; i == 0 || text[i-1] < 'a' || text[i-1] > 'z' {
			return true
		}
	}
}

// values are those of an enum, each after a space.
func values(d *link.Def) string {
	text := ""
	if n, ok := d.Node.(*ast.Enum); ok {
		for _, v := range n.Members {
			text += " " + v.Name
		}
	}
	return text
}
