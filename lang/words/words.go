// Package words is the one table of the words of the language: what each means and the form it is used in.
//
// Error messages quote the forms, and a misspelt word is compared with the words. The first section of
// spec/language.md shows the same table; a test there holds the two, and the parser, to one another.
// The package must never know how a form is parsed or what it does.
package words

import (
	"slices"
	"strings"
)

// Group says where a word is a word.
type Group uint8

const (
	Declaration Group = iota // begins a clause at the top level of a file
	Clause                   // begins, or stands in, a clause of an effect, an action or a procedure
	Statement                // begins, or stands in, a statement
	Script                   // begins a statement of an encounter, of a test, at the prompt
	Story                    // begins a statement of a scene
	Trigger                  // begins a trigger or a duration
	Expression               // stands in an expression
	Part                     // begins a clause of a template, a roll or a branch
)

// Entry is a line of the table.
type Entry struct {
	Group   Group
	Word    string // "KIND", "NAME:" and "COMMAND" stand for what the author names
	Meaning string
	Forms   []string
}

// All returns the whole table in the order of the specification. The caller must not change it.
func All() []Entry { return table }

// Forms returns the forms of a word in the first of the groups that knows it.
func Forms(word string, groups ...Group) []string {
	for _, g := range groups {
		for _, e := range table {
			if e.Group == g && e.Word == word {
				return e.Forms
			}
		}
	}
	return nil
}

// Begin returns the entries of some groups that can begin a clause.
func Begin(groups ...Group) []Entry {
	var out []Entry
	for _, e := range table {
		for _, g := range groups {
			if e.Group == g && e.heads() {
				out = append(out, e)
			}
		}
	}
	return out
}

// Heads returns the first words of some groups that can begin a clause.
func Heads(groups ...Group) []string {
	var out []string
	for _, e := range Begin(groups...) {
		first, _, _ := strings.Cut(e.Word, " ")
		out = append(out, first)
	}
	return out
}

// heads tells whether some form of the entry begins with its word.
func (e Entry) heads() bool {
	if strings.ContainsAny(e.Word, ":+-") || strings.ToUpper(e.Word) == e.Word {
		return false
	}
	for _, f := range e.Forms {
		if strings.HasPrefix(f, e.Word) {
			return true
		}
	}
	return false
}

// longestWord is how long a word may be that somebody might have meant by another.
const longestWord = 64

// Nearest returns the candidate that a misspelt or shortened word most likely meant, or "": capitals are, and one slip in words of
// three to five letters, one more for every three letters beyond.
func Nearest(word string, candidates []string) string {
	if len(word) > longestWord || slices.Contains(candidates, word) {
		return ""
	}
	for _, c := range candidates {
		if strings.EqualFold(c, word) {
			return c
		}
	}
	best, distance := "", max(1, len(word)/3)+1
	small := strings.ToLower(word)
	for _, c := range candidates {
		if d := edits(small, strings.ToLower(c)); d < distance && len(word) >= 3 {
			best, distance = c, d
		}
	}
	if best == "" {
		best = unfold(word, candidates)
	}
	return best
}

// unfold returns the candidate that a word is short for, by its first letters or by those of its parts: proc of procedure,
// ff of far-field. Of several it is the one with which all others begin, if there is one.
func unfold(word string, candidates []string) string {
	best := ""
	for _, c := range candidates {
		switch {
		case len(word) < 2 || !(initials(c) == word || len(word) >= 3 && strings.HasPrefix(c, word)):
		case best == "", strings.HasPrefix(best, c):
			best = c
		case !strings.HasPrefix(c, best):
			return ""
		}
	}
	return best
}

// initials are the first letters of the parts of a name.
func initials(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteByte(part[0])
		}
	}
	return b.String()
}

// Meant is the hint of the clause of some groups whose first word a misspelt one most likely meant, or "".
func Meant(word string, groups ...Group) string {
	near := Nearest(word, Heads(groups...))
	for _, e := range Begin(groups...) {
		if first, _, _ := strings.Cut(e.Word, " "); first == near {
			return "did you mean `" + e.Word + "`? The form is: " + strings.Join(e.Forms, "  or  ")
		}
	}
	return ""
}

// edits counts the insertions, deletions, replacements and swaps of neighbours that turn a into b.
func edits(a, b string) int {
	if n := len(a) - len(b); n > 3 || n < -3 || len(a) > longestWord {
		return 99
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
