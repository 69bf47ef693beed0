// Package catalogue is the requirement as data: the id of every rule of the five rulebooks, which rules and tests cite.
//
// It has the ids, the kind of each rule, and whether the book is ambiguous there, so that a ruleset must offer an
// option. It contains no text of the books and must never know how a rule is written or run.
package catalogue

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.tsv
var files embed.FS

// System is one rulebook.
type System struct {
	Name    string
	Entries []Entry // in the order of the book
}

// Entry is one rule of a book.
type Entry struct {
	ID        string // srd35.ac.01
	Kind      string // formula, procedure, condition, table and so on
	Ambiguous bool   // the book can be read in several ways: each reading is a value of an option
}

// names of the systems, in the order of publication of their texts.
var names = []string{"modern", "srd35", "starfinder", "true20", "third"}

type index struct {
	systems []System
	known   map[string]Entry
}

var read = sync.OnceValue(func() index {
	ix := index{known: map[string]Entry{}}
	for _, name := range names {
		text, err := files.ReadFile(name + ".tsv")
		if err != nil {
			continue // the embedding of exactly these files is tested
		}
		s := System{Name: name}
		for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
			columns := strings.Split(line, "\t")
			if i == 0 || len(columns) != 3 {
				continue // the header; the shape of the others is tested
			}
			e := Entry{ID: columns[0], Kind: columns[1], Ambiguous: columns[2] == "option"}
			s.Entries = append(s.Entries, e)
			ix.known[e.ID] = e
		}
		ix.systems = append(ix.systems, s)
	}
	return ix
})

// Systems returns the five books with all their rules. The slices are shared and must not be changed.
func Systems() []System { return read().systems }

// Known reports whether id is a rule of one of the books.
func Known(id string) bool {
	_, ok := read().known[id]
	return ok
}

// Find returns the rule with that id.
func Find(id string) (Entry, bool) {
	e, ok := read().known[id]
	return e, ok
}
