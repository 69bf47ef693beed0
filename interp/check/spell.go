package check

import (
	"slices"
	"strings"

	"arbiter/lang/words"
)

// This file finds the name that was meant.

// ManyMistakes are so many that nobody reads the hints: looking for the nearest name is then not worth its time.
const ManyMistakes = 100

// hinting tells whether names are worth gathering for a hint.
func (c *checker) hinting() bool { return c.muted == 0 && c.before+len(c.diags) <= ManyMistakes }

// nearest makes the hint of the nearest name, or "" when none is near.
func (c *checker) nearest(name string, names []string) string {
	if !c.hinting() {
		return ""
	}
	slices.Sort(names) // the order of maps must not show
	n := words.Nearest(name, names)
	if n == "" {
		n = whole(name, names)
	}
	if n == "" {
		return ""
	}
	return "did you mean `" + n + "`?"
}

// whole is the one name of which the word is the first or the last: move-action of move.
func whole(word string, names []string) string {
	found := ""
	for _, n := range names {
		if n == found || !strings.HasPrefix(n, word+"-") && !strings.HasSuffix(n, "-"+word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}
