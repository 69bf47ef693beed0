package handbook

import (
	"path"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
)

// This file finds what the authors of a ruleset say about it as a whole: the comment that stands alone below the head of
// the file of its name.

// prefaceOf returns the preface of a ruleset by paragraphs, nil if it has none.
func prefaceOf(b *rulebook.Book, ruleset string) []string {
	for _, d := range b.Rules.Set().Defs {
		if o := d.Origin.Root(); o.Ruleset == ruleset {
			return preface(string(b.Source(path.Join(path.Dir(o.File), ruleset+".rules"))))
		}
	}
	return nil
}

// preface splits the comment into paragraphs, at its empty lines and before each point of a list.
func preface(source string) (list []string) {
	_, rest, _ := strings.Cut(source, "\n\n") // the head
	comment, _, _ := strings.Cut(rest, "\n\n")
	begins := true
	for _, l := range strings.Split(strings.TrimSpace(comment), "\n") {
		text, ok := strings.CutPrefix(l, "#")
		if !ok || strings.HasPrefix(text, " ---") { // it belongs to what follows it
			return nil
		}
		switch text = strings.TrimSpace(text); {
		case text == "":
			begins = true
		case begins || strings.HasPrefix(text, "- "):
			list, begins = append(list, text), false
		default:
			list[len(list)-1] += " " + text
		}
	}
	return list
}
