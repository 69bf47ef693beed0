package prompt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

// Completion lists the ways to complete a word.
type Completion struct {
	From       int // the byte where the word starts
	Candidates []Candidate
}

// Candidate can replace the word. A space is added after the only candidate, unless it ends in a space, a slash or an
// open parenthesis: those are to be continued.
type Candidate struct {
	Text  string
	About string // a short description, for the list
}

// apply replaces the word that ends at byte at with the common prefix of all candidates. It returns the text, the place
// after the word, and whether there are several candidates to list.
func (c Completion) apply(text string, at int) (string, int, bool) {
	from := c.From
	if len(c.Candidates) == 0 || from < 0 || from > at || at > len(text) {
		return text, at, false
	}
	word, rest := text[from:at], text[at:]
	if len(c.Candidates) == 1 {
		word = c.Candidates[0].Text
		next, _ := utf8.DecodeRuneInString(rest)
		if !strings.HasSuffix(word, " ") && !strings.HasSuffix(word, "/") && !strings.HasSuffix(word, "(") && !unicode.IsSpace(next) {
			word += " "
		}
		return text[:from] + word + rest, from + len(word), false
	}
	common := c.Candidates[0].Text
	for _, x := range c.Candidates[1:] {
		common = commonPrefix(common, x.Text)
	}
	// Candidates that do not begin with the word, such as search results, must not shorten it.
	if len(common) > len(word) && strings.EqualFold(common[:len(word)], word) {
		word = common
	}
	return text[:from] + word + rest, from + len(word), true
}

// commonPrefix is the common prefix of two texts, in whole characters with their combining marks.
func commonPrefix(a, b string) string {
	n, last := 0, 0
	for n < len(a) {
		_, size := utf8.DecodeRuneInString(a[n:])
		if !strings.HasPrefix(b[n:], a[n:n+size]) {
			break
		}
		n, last = n+size, n
	}
	if startsWithMark(a[n:]) || startsWithMark(b[n:]) { // the last character has a combining mark in one of them
		n = last
	}
	return a[:n]
}

// startsWithMark reports whether a text begins with a combining mark.
func startsWithMark(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && term.RuneWidth(r) == 0
}

// candidateRows shows candidates in rows of fewer than that many columns: one per row if any has a description,
// otherwise in columns, to be read downwards. What does not fit into the room is counted.
func candidateRows(candidates []Candidate, columns, room int, dim func(string) string) []string {
	limit, room := max(1, columns-1), max(1, room)
	widest, about := 0, false
	for _, c := range candidates {
		widest = max(widest, term.Columns(visibleText(c.Text)))
		about = about || c.About != ""
	}
	const gap = 2
	across := 1
	if !about {
		across = max(1, (limit+gap)/(widest+gap))
	}
	down := (len(candidates) + across - 1) / across
	rest := 0
	if down > room {
		down = max(0, room-1)
		rest = len(candidates) - down*across
	}
	var rows []string
	for i := range down {
		var b strings.Builder
		for column := range across {
			j := i + column*down
			if j >= len(candidates) {
				break
			}
			name := cut(candidates[j].Text, limit)
			last := column == across-1 || j+down >= len(candidates)
			if b.WriteString(name); !last || about {
				b.WriteString(strings.Repeat(" ", max(0, min(widest, limit)-term.Columns(name))))
			}
			if !last {
				b.WriteString(strings.Repeat(" ", gap))
			}
			if room := limit - min(widest, limit) - gap; about && candidates[j].About != "" && room > 0 {
				b.WriteString(strings.Repeat(" ", gap) + dim(cut(candidates[j].About, room)))
			}
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	if rest > 0 {
		rows = append(rows, dim(cut(fmt.Sprintf("and %d more", rest), limit)))
	}
	return rows
}

// visibleText makes untrusted text harmless.
func visibleText(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(term.Visible(r))
	}
	return b.String()
}

// cut makes untrusted text harmless and shortens it to that many columns.
func cut(s string, columns int) string { return term.Screen{}.Cut(visibleText(s), columns) }
