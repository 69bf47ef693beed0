// Package words is the single table of the words of the language: what each means and the form it is used in.
//
// Error messages quote the forms, and misspelled words are compared with the words. The first section of
// spec/language.md shows the same table; a test there checks that it, this table and the parser agree. The package must
// never know how a form is parsed or what it does.
package words

import (
	"cmp"
	"slices"
	"strings"
)

// Group says where a word has its meaning.
type Group uint8

const (
	Declaration Group = iota // begins a clause at the top level of a file
	Clause                   // begins, or occurs in, a clause of an effect, an action or a procedure
	Statement                // begins, or occurs in, a statement
	Script                   // begins a statement of an encounter, of a test, or at the prompt
	Story                    // begins a statement of a scene
	Trigger                  // begins a trigger or a duration
	Expression               // occurs in an expression
	Part                     // begins a clause of a template, a roll or a branch
)

// Entry is a row of the table.
type Entry struct {
	Group   Group
	Word    string // "KIND", "NAME:" and "COMMAND" stand for names chosen by the author
	Meaning string
	Forms   []string
}

// All returns the whole table in the order of the specification. The caller must not change it.
func All() []Entry { return table }

// Forms returns the forms of a word in the first of the groups that contains it.
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

// LeadingEntries returns the entries of some groups that can begin a clause.
func LeadingEntries(groups ...Group) []Entry {
	var out []Entry
	for _, e := range table {
		for _, g := range groups {
			if e.Group == g && e.canLead() {
				out = append(out, e)
			}
		}
	}
	return out
}

// LeadingWords returns the first words of some groups that can begin a clause.
func LeadingWords(groups ...Group) []string {
	var out []string
	for _, e := range LeadingEntries(groups...) {
		first, _, _ := strings.Cut(e.Word, " ")
		out = append(out, first)
	}
	return out
}

// canLead reports whether some form of the entry begins with its word.
func (e Entry) canLead() bool {
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

// maxWordLength is the length up to which a word is checked for a misspelling.
const maxWordLength = 64

// Nearest returns the candidate that a misspelled or shortened word most likely means, or "". Case is ignored; words of
// three to five letters may have one edit, with one more for every three further letters.
func Nearest(word string, candidates []string) string {
	if len(word) > maxWordLength || slices.Contains(candidates, word) {
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
		if d := editDistance(small, strings.ToLower(c)); d < distance && len(word) >= 3 {
			best, distance = c, d
		}
	}
	if best == "" {
		best = cmp.Or(expandAbbreviation(word, candidates), expandAbbreviation(small, candidates))
	}
	return best
}

// expandAbbreviation returns the candidate that a word abbreviates, by its first letters or by the initials of its
// parts: proc for procedure, ff for far-field. If several match, it is the one that all others begin with, or else the
// only one that adds no more than an ending: blinded for blind, although there is also blindsight.
func expandAbbreviation(word string, candidates []string) string {
	best, ending, unclear, endings := "", "", false, 0
	for _, c := range candidates {
		if len(word) < 2 || !(initials(c) == word || len(word) >= 3 && strings.HasPrefix(c, word)) {
			continue
		}
		if strings.HasPrefix(c, word) && len(c) <= len(word)+maxEndingLength && !strings.Contains(c[len(word):], "-") {
			ending = c
			endings++
		}
		switch {
		case best == "", strings.HasPrefix(best, c):
			best = c
		case !strings.HasPrefix(c, best):
			unclear = true
		}
	}
	switch {
	case !unclear:
		return best
	case endings == 1:
		return ending
	}
	return ""
}

// maxEndingLength is how many letters an ending such as -ned may have.
const maxEndingLength = 3

// Stem cuts the ending off a word, for comparing its forms: save, saves and saving have the same stem.
func Stem(word string) string {
	const shortest = 3
	for _, ending := range []string{"ing", "es", "ed", "s", "e"} {
		if stem, found := strings.CutSuffix(word, ending); found && len(stem) >= shortest {
			return stem
		}
	}
	return word
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

// Suggestion returns the hint for the clause in these groups whose first word a misspelled word most likely means, or
// "".
func Suggestion(word string, groups ...Group) string {
	near := Nearest(word, LeadingWords(groups...))
	for _, e := range LeadingEntries(groups...) {
		if first, _, _ := strings.Cut(e.Word, " "); first == near {
			return "did you mean `" + e.Word + "`? The" + strings.TrimPrefix(FormHint(e.Forms), "the")
		}
	}
	return ""
}

// FormHint is the hint that says how something is written, "" if that is not known.
func FormHint(forms []string) string {
	switch n := len(forms) - 1; n {
	case -1:
		return ""
	case 0:
		return "the form is: " + forms[0]
	default:
		return "the form is `" + strings.Join(forms[:n], "`, `") + "` or `" + forms[n] + "`"
	}
}

// editDistance counts the insertions, deletions, replacements and swaps of neighbors that turn a into b.
func editDistance(a, b string) int {
	if n := len(a) - len(b); n > 3 || n < -3 || len(a) > maxWordLength {
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
