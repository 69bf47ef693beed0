package reading

import (
	"strings"
	"unicode"

	"arbiter/stdlib/statblock"
)

// This file sees to it that no word of a sheet goes without a trace: what a reading has dropped, on purpose or not,
// becomes a comment, unless the reading says that the word means nothing by itself.

// leastUnused is how many letters a word must have to be missed.
const leastUnused = 3

// keepUnused adds a comment for the words of each entry that occur nowhere in the draft. A reading without a list of
// silent words is trusted.
func (r *Reader) keepUnused(sheet *statblock.Sheet, d *Draft) {
	if len(r.silent) == 0 {
		return
	}
	var b strings.Builder
	for _, items := range [][]Item{d.Declared, d.Body, d.Has} {
		for _, x := range items {
			b.WriteString(x.Text)
			b.WriteString(x.Why)
		}
	}
	for _, c := range d.Claims {
		b.WriteString(c.Text)
	}
	written := letters(b.String() + d.Title + d.Doc + d.Name)
	for _, e := range sheet.Entries {
		if e.Value != nil {
			continue
		}
		var unused []string
		for _, w := range strings.FieldsFunc(e.Text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
			if l := letters(w); len(l) >= leastUnused && !r.silent[l] && !strings.Contains(written, l) && !strings.Contains(written, singular(l)) {
				unused = append(unused, w)
			}
		}
		if len(unused) > 0 {
			text := strings.Join(unused, " ")
			if e.Label != "" {
				text = e.Label + ": " + text
			}
			d.Body = append(d.Body, Item{Text: text, Line: e.At.Line, Note: Kept, Why: "nothing was made of it"})
		}
	}
}

// letters returns the letters of a text, small, without anything between them.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// singular drops the ending of a plural.
func singular(word string) string {
	for _, end := range []string{"es", "s"} {
		if w, ok := strings.CutSuffix(word, end); ok && len(w) >= leastUnused {
			return w
		}
	}
	return word
}
