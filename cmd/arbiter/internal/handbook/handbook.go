// Package handbook lays out a ruleset to be read from front to back: chapters of entries that say what each definition
// consists of, where it is, what it replaced, and what refers to it, with every name linked to its own entry.
//
// New makes the book; HTML and Plain print it. Entries are derived from the linked definitions alone, in terms of the
// language: the package must never know a ruleset, nor what a definition means in play.
package handbook

import "arbiter/cmd/arbiter/internal/rulebook"

// Book is a ruleset laid out.
type Book struct {
	Name     string // of the ruleset
	Doc      string
	Preface  []string  // paragraphs about the whole; those that begin with "- " are the points of a list
	Rulesets []Ruleset // whose definitions it contains: its own first, then what that extends
	Parts    []Part
	Names    []Letter // the index

	chapterOf map[string]*Chapter // by id: the chapter that contains it
	ruleBook  *rulebook.Book
}

// Ruleset is one of the linked rulesets.
type Ruleset struct {
	Name, Doc string
	Extends   []string
}

// Part is a group of chapters under a title.
type Part struct {
	Title    string
	Chapters []*Chapter
}

// Chapter is a page.
type Chapter struct {
	Title    string
	Slug     string // its name in links and on the command line
	Lead     string // a sentence about it
	Files    []string
	Changes  []Change
	Sections []*Section

	Previous, Next *Chapter
}

// Section is what is under one heading of a chapter; the first may have no heading.
type Section struct {
	Title   string
	Entries []*Entry
	Small   []*Entry // short entries, a line for each
	Things  *Things
}

// Entry describes a definition.
type Entry struct {
	ID     string // its anchor: its name
	Kind   string // its head word
	Name   string
	Head   Line // what follows the name: parameters, what a view is of, the condition of a derived effect
	Doc    string
	Is     []Line  // the formula, if it is one
	Fields []Field // the fields of a thing that is in no table
	Rows   []Row
	Grid   *Grid
	Provenance
	UsedBy []Ref
}

// Field is a field of a thing.
type Field struct {
	Ref
	Line
}

// Row is a part of a definition that has lines of its own: a term, a step, a cost, a modifier.
type Row struct {
	ID    string // "" if its path is not unique
	Label string // its name, or the kind of clause
	Step  int    // the number of a step, from 1
	Named bool   // Label is a name from the rules
	Kind  string // rule or reaction
	Head  Line   // a trigger, a guard
	Doc   string
	Lines []Line
	Code  string // source of a Starlark function
	Provenance
}

// Provenance is where something is, what it cites, and its history.
type Provenance struct {
	Cites []string
	Place rulebook.Place
	Own   bool // it is in the same file as its definition
	rulebook.History
}

// Grid is a table of the rules.
type Grid struct {
	Head []Line
	Rows [][]Line
}

// Ref names an entry.
type Ref struct{ ID, Name, Kind, Doc string }

// Letter is the names that start with a letter.
type Letter struct {
	Letter string
	Names  []Ref
}

// Line is a line of text in the language. Indent counts levels.
type Line struct {
	Indent int
	Spans  []Span
}

// Span is a piece of a line.
type Span struct {
	Text string
	Kind TokenKind
	To   string // the id of what it names, "" for none
}

// TokenKind is the class of a span.
type TokenKind uint8

const (
	Plain  TokenKind = iota // spaces, punctuation, operators
	Word                    // of the language
	Name                    // of something defined elsewhere, or of a value that is bound here
	Number                  // numbers and dice
	Quote                   // a text
)

// String is the text of the line.
func (l Line) String() string {
	text := ""
	for _, s := range l.Spans {
		text += s.Text
	}
	return text
}

// Outline is what the contents list for the open chapter: nothing if that would be too long.
func (c *Chapter) Outline() (list []*Entry) {
	for _, s := range c.Sections {
		list = append(list, s.All()...)
	}
	if len(list) > 80 {
		return nil
	}
	return list
}

// RemainingCites is what the definition cites and none of its rows does.
func (e *Entry) RemainingCites() (ids []string) {
	shown := map[string]bool{}
	for _, r := range e.Rows {
		for _, id := range r.Cites {
			shown[id] = true
		}
	}
	for _, id := range e.Cites {
		if !shown[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// Chapters lists the chapters in order.
func (b *Book) Chapters() (list []*Chapter) {
	for _, p := range b.Parts {
		list = append(list, p.Chapters...)
	}
	return list
}

// Chapter finds a chapter by its slug, nil if there is none.
func (b *Book) Chapter(slug string) *Chapter {
	for _, c := range b.Chapters() {
		if c.Slug == slug {
			return c
		}
	}
	return nil
}
