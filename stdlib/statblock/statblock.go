// Package statblock reads the figures of creatures as people paste them: text with labels, in any of the shapes that
// books, pages and programs give it.
//
// Clean turns a source into lines of plain characters, each of which still knows where it stood. Split finds the blocks
// and the labelled entries in the lines; a Vocabulary says which labels there are. Attacks, ParseDamage and Items take
// the text of an entry apart. Nothing is dropped on the way: every word of a source is in an entry of a sheet or in the
// rest.
//
// The package must never know what a label means, in which game, or what anybody does with a figure.
package statblock

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Place is a position in a source: line and column, from 1. The column counts characters.
type Place struct {
	Line, Col int
}

// Kinds of entries that have no label of the vocabulary.
const (
	Name    = "name"    // what the block is called
	Heading = "heading" // the line, or the lines, below the name
	Prose   = "text"    // a paragraph, or an entry with a label that the vocabulary does not have
	Noise   = "noise"   // page numbers, running heads, rules of dashes
)

// Entry is a part of a sheet: a label with what stands behind it, or one of the kinds above.
type Entry struct {
	Key   string // of the vocabulary, or one of the kinds above
	Label string // as written; "" if there is none
	Text  string
	At    Place // of the text
	Value any   // of a member of JSON: what encoding/json makes of it, with numbers as json.Number; else nil
}

// Words counts the words of the entry, its label's too.
func (e *Entry) Words() int { return Words(e.Label) + Words(e.Text) }

// Sheet is one block, in the order of its text.
type Sheet struct {
	Entries []Entry
}

// Get returns the first entry with that key, nil if there is none.
func (s *Sheet) Get(key string) *Entry {
	if i := slices.IndexFunc(s.Entries, func(e Entry) bool { return e.Key == key }); i >= 0 {
		return &s.Entries[i]
	}
	return nil
}

// Words counts the words of all entries.
func (s *Sheet) Words() int {
	n := 0
	for i := range s.Entries {
		n += s.Entries[i].Words()
	}
	return n
}

// Vocabulary has the labels of a kind of block. Its zero value knows none.
type Vocabulary struct {
	Labels  map[string][]string // by key: how the label is written
	Columns map[string][]string // by key: further names that only columns of tables and members of objects have
	Bare    []string            // the keys whose labels need no colon
	Numbers []string            // those of Bare behind whose labels a number, or a dash, must stand
	Alone   []string            // the keys whose labels stand alone in a line, as heads of parts
	Opening []string            // the keys with which a block begins; a second one in a block begins another block
	Above   []string            // the keys that may stand above the first label of Opening, next to the heading
	Heading *regexp.Regexp      // a line like this stands between the name of a block and its first label; nil: no such line
	Between *regexp.Regexp      // a line like this may stand between the name and the heading; nil: no such line
	Signs   []*regexp.Regexp    // what only sources of this kind have, see Fit
	BySign  bool                // only sources with a sign are of this kind, see Fit
	Records []string            // elements of XML that are blocks
	Texts   []string            // elements of XML that hold blocks as text
	Needs   []string            // an object or a row without any of these keys is no block; none: any key will do
	Hyphens []string            // words with a hyphen, which stays when a line is broken there

	ready *labels
}

// Words counts words: parts between spaces that have a letter or a digit.
func Words(text string) int {
	n := 0
	for f := range strings.FieldsSeq(text) {
		if strings.IndexFunc(f, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0 {
			n++
		}
	}
	return n
}
