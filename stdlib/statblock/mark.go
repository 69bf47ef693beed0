package statblock

import (
	"slices"
	"strings"

	"arbiter/stdlib/pattern"
)

// This file says of each line what it is, and where the blocks begin.

// mark is what a line is.
type mark struct {
	labels []found
	blank  bool
	noise  bool
	begins int // a block begins here; its number of lines above the first label
	known  bool
	above  bool // a label that may stand above the first one
}

var (
	pageNumber = pattern.New(`(?i)^(?:[-—=*~]{1,5}\s*)?(?:(?:page|pg\.?|p\.)\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?(?:\s*[-—=*~]{1,5})?$`)
	rule       = pattern.New(`^[-—_=*~.\s]{3,}$`)
	headLine   = pattern.New(`^(?:\d{1,4}\s+\p{Lu}[\p{L} '&:-]*|\p{Lu}[\p{L} '&:-]*\s\d{1,4})$`)
)

// runningHeads finds the short lines that come again and again, page after page, with or without a number.
func runningHeads(lines []Line) map[string]bool {
	count := map[string]int{}
	for i := range lines {
		if headLine().MatchString(lines[i].Text) {
			count[withoutNumber(lines[i].Text)]++
		}
	}
	heads := map[string]bool{}
	for text, n := range count {
		heads[text] = n > 1
	}
	// A line that stands beside the number of the page each time it comes.
	beside := map[string]int{}
	for i := range lines {
		if text := lines[i].Text; text != "" && (i > 0 && isPageNumber(lines[i-1].Text) || i+1 < len(lines) && isPageNumber(lines[i+1].Text)) {
			beside[text]++
		}
	}
	for text, n := range beside {
		if n >= leastHeads {
			heads[atNumber+text] = true
		}
	}
	return heads
}

// leastHeads is how often a line must stand beside the number of a page to be a running head.
const leastHeads = 3

// atNumber marks the running heads that have no number in them.
const atNumber = "\x00"

func isPageNumber(text string) bool {
	return strings.ContainsAny(text, "0123456789") && pageNumber().MatchString(text)
}

func withoutNumber(text string) string {
	return strings.ToLower(strings.Trim(text, "0123456789 "))
}

// mark says of each line what it is, and where the blocks begin.
func (s *splitter) mark() {
	s.marks = make([]mark, len(s.lines))
	for i := range s.lines {
		text := s.lines[i].Text
		m := &s.marks[i]
		switch {
		case text == "":
			m.blank = true
		case pageNumber().MatchString(text), rule().MatchString(text):
			m.noise = true
		default:
			m.labels = s.labels.find(text)
			m.known = len(m.labels) > 0 && m.labels[0].key != ""
			m.above = m.known && s.onlyAbove(m.labels)
			if m.above && m.labels[0].start > 0 && s.beforeHeading(i) { // a name, with a label behind it
				m.labels, m.known, m.above = nil, false, false
			}
			aboveHeading := i+1 < len(s.lines) && s.isHeading(s.lines[i+1].Text) // it belongs to a block
			if !m.known && (!aboveHeading && headLine().MatchString(text) && s.heads[withoutNumber(text)] || s.heads[atNumber+text]) {
				m.noise, m.labels = true, nil
			}
			s.dropBroken(i)
		}
	}
	previous := -1 // the last line that belongs to an earlier block
	named := -1    // a line with a name in front of labels that stand above others, in a block that is one paragraph
	seen := map[string]bool{}
	for i := range s.marks {
		m := &s.marks[i]
		if m.above {
			continue
		}
		anew := i > 0 && s.apart(i-1) && len(m.labels) > 0 && m.labels[0].key == "" && slices.ContainsFunc(m.labels, func(l found) bool { return s.labels.opening[l.key] && seen[l.key] })
		inside := false // behind a label of this line that belongs to a block
		for _, l := range m.labels {
			if l.key == "" || slices.Contains(s.v.Above, l.key) {
				continue
			}
			if s.labels.opening[l.key] && (len(seen) == 0 || seen[l.key] || !inside && (anew || s.belowHeading(i, previous))) {
				clear(seen)
				switch {
				case inside: // in the middle of a line: two blocks have run together
					s.marks[i].begins = -1
				case named >= 0 && named == previous:
					s.marks[named].begins = 1
				default:
					s.begin(i, previous)
				}
			}
			seen[l.key] = true
			inside = true
		}
		if len(m.labels) > 0 {
			previous = i
			if s.namesAbove(i) {
				named = i
			}
		}
	}
}

// leastCapitals is how many capitals make a line of its own a heading; fewer may be an abbreviation in a name.
const leastCapitals = 6

// dropBroken takes back a label at the end of a line that needs a number, if the next line does not begin with one: it is
// the end of a name that was broken, such as Improved Initiative. A line of capitals is none.
func (s *splitter) dropBroken(i int) {
	m := &s.marks[i]
	n := len(m.labels)
	if n == 0 {
		return
	}
	l, text := m.labels[n-1], s.lines[i].Text
	if l.start == 0 && l.text == len(text) && slices.Contains(s.v.Alone, l.key) {
		return
	}
	if l.start == 0 && len(text) >= leastCapitals && text == strings.ToUpper(text) || l.text < len(text) || !s.labels.number[l.key] || strings.Contains(text[l.end:], ":") {
		return
	}
	for i++; i < len(s.lines); i++ {
		if next := s.lines[i].Text; next != "" {
			if startsNumber(next) && !s.turnsPage(i) {
				return
			}
			break
		}
	}
	m.labels = m.labels[:n-1]
	m.known = len(m.labels) > 0 && m.labels[0].key != ""
}

// turnsPage reports whether a line is the number of a page, with a running head beside it.
func (s *splitter) turnsPage(i int) bool {
	return isPageNumber(s.lines[i].Text) && (s.heads[atNumber+s.lines[i-1].Text] || i+1 < len(s.lines) && s.heads[atNumber+s.lines[i+1].Text])
}

// onlyAbove reports whether all labels of a line are such as may stand above the first of a block.
func (s *splitter) onlyAbove(labels []found) bool {
	return !slices.ContainsFunc(labels, func(l found) bool { return !slices.Contains(s.v.Above, l.key) })
}

// namesAbove reports whether a line begins with a name in front of a colon, with labels behind it that all stand above the
// first of a block.
func (s *splitter) namesAbove(i int) bool {
	labels := s.marks[i].labels
	return (i == 0 || s.apart(i-1)) && len(labels) > 1 && labels[0].key == "" && labels[0].start == 0 && s.onlyAbove(labels[1:])
}

// beforeHeading reports whether the lines below one are labels that stand above the first of a block, and then a heading.
func (s *splitter) beforeHeading(i int) bool {
	for i++; i < len(s.lines); i++ {
		text := s.lines[i].Text
		if s.isHeading(text) {
			return true
		}
		if text == "" || rule().MatchString(text) {
			continue
		}
		key, _, n := s.labels.match(text, true)
		if n == 0 || !slices.Contains(s.v.Above, key) {
			return false
		}
	}
	return false
}

// maxAbove is how many lines of a heading are looked for above the first label of a block.
const maxAbove = 8

// begin finds the first line of a block whose first label is in a line: above it stand the heading and the name.
func (s *splitter) begin(first, previous int) {
	top := first
	if first > 0 && s.apart(first-1) && len(s.marks[first].labels) > 0 && s.marks[first].labels[0].start > 0 {
		s.marks[first].begins = 1 // the name is in the line itself
		return
	}
	heading := -1
	for i, n := first-1, 0; i > previous && n < maxAbove; i-- {
		if s.marks[i].blank || s.marks[i].noise || s.marks[i].above {
			continue
		}
		n++
		if s.isHeading(s.lines[i].Text) {
			heading = i
			break
		}
	}
	below := first
	if heading >= 0 {
		below, top = heading, heading
	}
	// The name: the lines directly above, up to three if an empty line is above them, else one.
	i := below - 1
	for i > previous && (s.marks[i].blank || s.marks[i].noise || s.marks[i].above) {
		i--
	}
	for k := i; k > previous && s.fitsBelowName(s.lines[k].Text); { // the name is above it, perhaps with an empty line between
		for k--; k > previous && (s.marks[k].blank || s.marks[k].noise || s.marks[k].above); {
			k--
		}
		if k > previous && !isProse(s.lines[k].Text) {
			i = k
		}
	}
	run, names := 0, 0
	for i-run > previous && !s.marks[i-run].blank && !s.marks[i-run].noise && names < 4 {
		if !s.marks[i-run].above {
			names++
		}
		run++
	}
	free := i-run == previous && previous < 0 || i-run >= 0 && (s.marks[i-run].blank || s.marks[i-run].noise)
	switch {
	case run > 0 && names <= 3 && free && !isProse(s.lines[i].Text):
		top = i - run + 1
	case run > 0 && !isProse(s.lines[i].Text) && (heading < 0 || !s.splitsHeading(heading)):
		top = i
	}
	s.marks[top].begins = 1 + first - top
}

// belowHeading reports whether the heading of a block stands directly above a line, with an empty line somewhere above it.
func (s *splitter) belowHeading(i, previous int) bool {
	found := false
	for i--; i > previous; i-- {
		switch m := &s.marks[i]; {
		case m.noise || m.above:
		case m.blank:
			if found {
				return true
			}
		case !found:
			if found = s.isHeading(s.lines[i].Text); !found {
				return false
			}
		}
	}
	return false
}

// isHeading reports whether a line is like the heading of a block.
func (s *splitter) isHeading(text string) bool {
	return s.v.Heading != nil && s.v.Heading.MatchString(text)
}

// fitsBelowName reports whether a line is one of those that stand between the name of a block and its heading.
func (s *splitter) fitsBelowName(text string) bool {
	return s.v.Between != nil && s.v.Between.MatchString(text)
}

// splitsHeading reports whether the heading line has the name in front.
func (s *splitter) splitsHeading(i int) bool {
	m := s.v.Heading.FindStringIndex(s.lines[i].Text)
	return m != nil && m[0] > 0
}

// isProse reports whether a line reads like the end of a paragraph rather than like a name.
func isProse(text string) bool {
	return strings.HasSuffix(text, ".") || len(text) > 90
}
