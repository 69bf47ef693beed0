// Package handbook lays a ruleset out to be read from front to back: chapters of entries that say what each definition
// is made of, where it stands, what it replaced, and who speaks of it, with every name leading to its own entry.
//
// New makes the book; HTML and Plain print it. What an entry shows is read off the linked definitions alone, by the words
// of the language: the package must never know a ruleset, nor what a definition means in play.
package handbook

import "arbiter/cmd/arbiter/internal/rulebook"

// Book is a ruleset laid out.
type Book struct {
	Name     string // of the ruleset
	Doc      string
	Rulesets []Ruleset // whose definitions it holds: its own first, then what that extends
	Parts    []Part
	Names    []Letter // all that can be looked up

	of   map[string]*Chapter // by id: where it stands
	page *rulebook.Book
}

// Ruleset is one of those that were linked.
type Ruleset struct {
	Name, Doc string
	Extends   []string
}

// Part is a part of the book: some chapters under a title.
type Part struct {
	Title    string
	Chapters []*Chapter
}

// Chapter is a page of its own.
type Chapter struct {
	Title    string
	Slug     string // its name in addresses and on the command line
	Lead     string // a sentence on what it is
	Files    []string
	Changes  []Change
	Sections []*Section

	Previous, Next *Chapter
}

// Section is what stands under one heading of a chapter; the first may have none.
type Section struct {
	Title   string
	Entries []*Entry
	Small   []*Entry // of which there is little to say, a line for each
	Things  *Things
}

// Entry is a definition.
type Entry struct {
	ID     string // its anchor: its name
	Kind   string // its head word
	Name   string
	Head   Line // what stands behind the name: parameters, what a view is of, the condition of a derived effect
	Doc    string
	Is     []Line  // the formula of what is one
	Fields []Field // what a thing states that stands in no table
	Rows   []Row
	Grid   *Grid
	Fate
	UsedBy []Ref
}

// Field is a field of a thing.
type Field struct {
	Ref
	Line
}

// Row is a part of a definition that stands on lines of its own: a term, a step, a cost, a modifier.
type Row struct {
	ID    string // "" when its path is not its own
	Label string // its name, or what sort of clause it is
	Step  int    // the number of a step, from 1
	Named bool   // Label is a name of the rules
	Kind  string // rule or reaction
	Head  Line   // a trigger, a guard
	Doc   string
	Lines []Line
	Code  string // of a function in Starlark, as it is written
	Fate
}

// Fate is where something stands, what is cited for it, and how it came to be what it is.
type Fate struct {
	Cites []string
	Place rulebook.Place
	Own   bool // it stands where its definition does
	rulebook.History
}

// Grid is a table of the rules.
type Grid struct {
	Head []Line
	Rows [][]Line
}

// Ref names an entry.
type Ref struct{ ID, Name, Kind, Doc string }

// Letter is the names that begin with a letter.
type Letter struct {
	Letter string
	Names  []Ref
}

// Line is a line of text in the words of the language. Indent counts the steps of its margin.
type Line struct {
	Indent int
	Spans  []Span
}

// Span is a piece of a line.
type Span struct {
	Text string
	Sort Sort
	To   string // the id of what it names
}

// Sort is what a piece of a line is.
type Sort uint8

const (
	Plain  Sort = iota // blanks, brackets, operators
	Word               // of the language
	Name               // of something that stands elsewhere, or of a value that is bound here
	Number             // numbers and dice
	Quote              // a text
)

// String is the line as it is written.
func (l Line) String() string {
	text := ""
	for _, s := range l.Spans {
		text += s.Text
	}
	return text
}

// Outline is what the contents show of the chapter that is open: nothing of one that is too long for them.
func (c *Chapter) Outline() (list []*Entry) {
	for _, s := range c.Sections {
		list = append(list, s.All()...)
	}
	if len(list) > 80 {
		return nil
	}
	return list
}

// Rest is what is cited for the definition and for none of its rows.
func (e *Entry) Rest() (ids []string) {
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

// Chapter finds a chapter by its name, nil if there is none.
func (b *Book) Chapter(slug string) *Chapter {
	for _, c := range b.Chapters() {
		if c.Slug == slug {
			return c
		}
	}
	return nil
}
