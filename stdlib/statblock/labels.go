package statblock

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/stdlib/pattern"
)

// labels is a Vocabulary made ready for searching.
type labels struct {
	forms   []form // the longest first
	opening map[string]bool
	number  map[string]bool // keys behind whose labels a number stands
	firsts  []string        // how labels of several words may begin, the longest first
	rows    map[string]bool // labels that are the heads of several columns
}

// leastHeadings is how many words a label must have to be the heads of columns.
const leastHeadings = 4

// form is one way to write a label.
type form struct {
	key, text, lower string
	bare, number     bool
}

func (v *Vocabulary) prepare() *labels {
	if v.ready != nil {
		return v.ready
	}
	p := &labels{opening: map[string]bool{}, number: map[string]bool{}}
	for key, written := range v.Labels {
		for _, w := range written {
			p.forms = append(p.forms, form{key, w, strings.ToLower(w), slices.Contains(v.Bare, key), slices.Contains(v.Numbers, key)})
		}
	}
	slices.SortFunc(p.forms, func(a, b form) int {
		if n := len(b.text) - len(a.text); n != 0 {
			return n
		}
		return strings.Compare(a.text, b.text)
	})
	firsts := map[string]bool{}
	p.rows = map[string]bool{}
	for _, f := range p.forms {
		if strings.Count(f.text, " ") >= leastHeadings-1 {
			p.rows[f.text] = true
		}
		for i, r := range f.text {
			if r == ' ' {
				firsts[f.text[:i]] = true
			} else if r == '/' {
				firsts[f.text[:i+1]] = true
			}
		}
	}
	p.firsts = slices.SortedFunc(maps.Keys(firsts), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, key := range v.Numbers {
		p.number[key] = true
	}
	for _, key := range v.Opening {
		p.opening[key] = true
	}
	v.ready = p
	return p
}

// match finds a label at the start of a text: its key, and how long the label and what separates it are. At the start of
// a line or of a part, letters may be large or small, and the labels that need no colon are found too; within, only what
// is written exactly like a label and has a colon.
func (p *labels) match(text string, atStart bool) (key string, label, length int) {
	for _, f := range p.forms {
		n := len(f.text)
		if len(text) < n || !(text[:n] == f.text || atStart && strings.EqualFold(text[:n], f.text)) {
			continue
		}
		rest := text[n:]
		behind := strings.TrimLeft(rest, " ")
		switch {
		case strings.HasPrefix(behind, ":"):
			return f.key, n, len(text) - len(strings.TrimLeft(behind[1:], " \t"))
		case strings.HasPrefix(rest, "\t") && atStart:
			return f.key, n, len(text) - len(strings.TrimLeft(rest, " \t"))
		case f.bare && atStart && text[:n] == f.text && (rest == "" || rest[0] == ' ') && (!f.number || startsNumber(behind)):
			return f.key, n, len(text) - len(behind)
		}
	}
	return "", 0, 0
}

// startsNumber reports whether a text begins with a number or a dash, or is empty: the number is in the next line.
func startsNumber(text string) bool {
	return text == "" || strings.ContainsRune("0123456789+-—(", rune(text[0])) || strings.HasPrefix(text, "—")
}

// otherLabel is a label that no vocabulary knows: a few words in front of a colon, or one in capitals.
var otherLabel = pattern.New(`^(?:(\*?\p{Lu}[\p{L}'/-]*(?: [\p{L}\d'/-]+){0,5}(?: \([^()]{1,30}\))?)\s*:(?:\s+|$)|([A-Z][A-Z0-9]{2,}):)`)

// found is a label within a line.
type found struct {
	key        string
	start, end int // of the label
	text       int // where the text behind it begins
}

// find lists the labels of a line, from left to right.
func (p *labels) find(text string) []found {
	var list []found
	fresh := true   // at the start of the line or of a part of it
	inside := false // right behind a label without a colon
	runs := p.runsOn(text)
	depth := 0 // of brackets
	for i := 0; i < len(text); {
		if runs && !fresh && depth == 0 && text[i-1] == ' ' {
			if key, n, length := p.within(text[i:]); n > 0 {
				list = append(list, found{key, i, i + n, i + length})
				i += length
				continue
			}
		}
		if fresh || i > 0 && startsWord(text, i) {
			key, label, n := p.match(text[i:], fresh)
			colon := strings.Contains(text[i+label:i+n], ":")
			if n > 0 && (!inside || colon || p.number[key]) {
				list = append(list, found{key, i, i + label, i + n})
				// Without a colon it may be the head of a section, with a label right behind it that needs a number.
				fresh = fresh && !colon
				inside = fresh
				i += n
				continue
			}
		}
		inside = false
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		switch r, n := utf8.DecodeRuneInString(text[i:]); {
		case r == ';' || r == '\t':
			fresh = true
			i++
		case r == ' ':
			i++
		default:
			fresh = false
			i += n
		}
	}
	if len(list) == 0 || list[0].start > 0 {
		if m := otherLabel().FindStringSubmatchIndex(text); m != nil {
			start, end := max(m[2], m[4]), max(m[3], m[5]) // of the form that it has
			if len(list) == 0 || end <= list[0].start {
				list = slices.Insert(list, 0, found{"", start, end, m[1]})
			}
		}
	}
	return list
}

// startsWord reports whether a capital word begins at the offset.
func startsWord(text string, i int) bool {
	if text[i-1] != ' ' && text[i-1] != '\t' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsUpper(r)
}

// Limits for lines in which one label follows the other with nothing between them.
const (
	leastRun  = 200 // characters
	leastKeys = 5   // labels with numbers
)

// runsOn reports whether a line is a whole block, without anything between its parts.
func (p *labels) runsOn(text string) bool {
	if len(text) < leastRun {
		return false
	}
	keys := map[string]bool{}
	for i := 1; i < len(text) && len(keys) < leastKeys; i++ {
		if text[i-1] == ' ' && text[i] != ' ' && !strings.ContainsRune(";.,:\t", rune(text[max(0, i-2)])) {
			if key, n, _ := p.within(text[i:]); n > 0 && p.number[key] {
				keys[key] = true
			}
		}
	}
	return len(keys) == leastKeys
}

// within finds a label without a colon at the start of a text that may stand in the middle of a line. In front of a word
// it is none if another label such as it follows, or a bracket: then it is the end of a name.
func (p *labels) within(text string) (key string, label, length int) {
	for _, f := range p.forms {
		n := len(f.text)
		if !f.bare || len(text) <= n+1 || text[:n] != f.text || text[n] != ' ' {
			continue
		}
		behind := strings.TrimLeft(text[n:], " ")
		if f.number {
			if behind == "" || behind[0] == '(' || !startsNumber(behind) {
				continue
			}
		} else if r, _ := utf8.DecodeRuneInString(behind); behind == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '—' {
			continue
		} else if key, _, _ := p.match(behind, true); key != "" && !p.number[key] {
			continue
		}
		return f.key, n, len(text) - len(behind)
	}
	return "", 0, 0
}
