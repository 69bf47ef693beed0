package statblock

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/stdlib/pattern"
)

// maxSheets is how many blocks a source may have; what comes after is in the rest.
const maxSheets = 5000

// split finds the blocks in the lines. The rest is what stands before the first block.
func split(lines []Line, v *Vocabulary) (sheets []Sheet, rest []Entry) {
	s := splitter{v: v, labels: v.prepare(), heads: runningHeads(lines)}
	lines = s.spreadColumns(lines)
	s.lines = lines
	s.mark()
	s.walk()
	return s.sheets, s.rest
}

type splitter struct {
	v      *Vocabulary
	labels *labels
	heads  map[string]bool
	lines  []Line
	marks  []mark

	sheets []Sheet
	rest   []Entry
	open   bool // the last entry may go on in the next line
	last   bool // a label of the vocabulary has been seen in this block, and another follows
}

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
	pageNumber = pattern.New(`(?i)^(?:[-—]\s*)?(?:page\s+)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?(?:\s*[-—])?$`)
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
	return heads
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
			if !m.known && !aboveHeading && headLine().MatchString(text) && s.heads[withoutNumber(text)] {
				m.noise, m.labels = true, nil
			}
		}
	}
	previous := -1 // the last line that belongs to an earlier block
	seen := map[string]bool{}
	for i := range s.marks {
		m := &s.marks[i]
		if m.above {
			continue
		}
		inside := false // behind a label of this line that belongs to a block
		for _, l := range m.labels {
			if l.key == "" || slices.Contains(s.v.Above, l.key) {
				continue
			}
			if s.labels.opening[l.key] && (len(seen) == 0 || seen[l.key]) {
				clear(seen)
				if inside { // in the middle of a line: two blocks have run together
					s.marks[i].begins = -1
				} else {
					s.begin(i, previous)
				}
			}
			seen[l.key] = true
			inside = true
		}
		if len(m.labels) > 0 {
			previous = i
		}
	}
}

// onlyAbove reports whether all labels of a line are such as may stand above the first of a block.
func (s *splitter) onlyAbove(labels []found) bool {
	return !slices.ContainsFunc(labels, func(l found) bool { return !slices.Contains(s.v.Above, l.key) })
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
	run := 0
	for i-run > previous && !s.marks[i-run].blank && !s.marks[i-run].noise && run < 4 {
		run++
	}
	free := i-run == previous && previous < 0 || i-run >= 0 && (s.marks[i-run].blank || s.marks[i-run].noise)
	switch {
	case run > 0 && run <= 3 && free && !isProse(s.lines[i].Text):
		top = i - run + 1
	case run > 0 && !isProse(s.lines[i].Text) && (heading < 0 || !s.splitsHeading(heading)):
		top = i
	}
	s.marks[top].begins = 1 + first - top
}

// isHeading reports whether a line is like the heading of a block.
func (s *splitter) isHeading(text string) bool {
	return s.v.Heading != nil && s.v.Heading.MatchString(text)
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

// walk makes the entries.
func (s *splitter) walk() {
	left := 0 // lines of the head of a block that are still to come
	for i := range s.lines {
		m := &s.marks[i]
		if m.begins != 0 && len(s.sheets) < maxSheets {
			if m.begins > 0 {
				s.sheets = append(s.sheets, Sheet{})
				left = m.begins - 1
				s.open = false
			}
		}
		switch {
		case m.blank:
			if left == 0 && !s.unfinished() {
				s.open = false
			}
		case m.noise && !(left == 0 && s.isFigure(i)):
			s.add(Entry{Key: Noise, Text: s.lines[i].Text, At: s.lines[i].At(0)})
		case left > 0 && !m.above:
			s.head(s.lines[i])
		case len(m.labels) > 0 && !s.continues(i):
			s.labelled(i)
		default:
			s.unlabelled(i)
		}
		if left > 0 {
			left--
		}
	}
}

// isFigure reports whether a line that is a number belongs to an entry, instead of to a page: nothing stands behind the
// label yet, or there is no empty line around it.
func (s *splitter) isFigure(i int) bool {
	e := s.current()
	if !s.open || e == nil || e.Key == Prose {
		return false
	}
	alone := i > 0 && s.marks[i-1].blank || i+1 == len(s.marks) || s.marks[i+1].blank
	text := s.lines[i].Text
	return strings.ContainsAny(text, "0123456789") && (e.Text == "" || !alone && strings.Trim(text, "+-0123456789") == "")
}

// head adds a line from above the first label: the name, then the heading.
func (s *splitter) head(l Line) {
	if s.isHeading(l.Text) {
		m := s.v.Heading.FindStringIndex(l.Text)
		if m[0] > 0 && s.sheet().Get(Name) == nil {
			name := l.slice(0, m[0])
			name.Text = strings.TrimRight(name.Text, ",;:—- ")
			s.add(Entry{Key: Name, Text: name.Text, At: name.At(0)})
			for m[0] < len(l.Text) && strings.IndexByte(",;: ", l.Text[m[0]]) >= 0 {
				m[0]++
			}
			l = l.slice(m[0], len(l.Text))
		}
		s.add(Entry{Key: Heading, Text: l.Text, At: l.At(0)})
		return
	}
	key := Heading
	if name := s.sheet().Get(Name); name == nil {
		key = Name
	} else if e := s.current(); e == name && strings.HasSuffix(name.Text, "-") && startsLower(l.Text) {
		name.Text = s.mend(name.Text, strings.Join(strings.Fields(l.Text), " "))
		return
	}
	s.add(Entry{Key: key, Text: l.Text, At: l.At(0)})
}

func (s *splitter) sheet() *Sheet {
	if len(s.sheets) == 0 {
		return &Sheet{}
	}
	return &s.sheets[len(s.sheets)-1]
}

func (s *splitter) add(e Entry) {
	e.Text = strings.Join(strings.Fields(e.Text), " ")
	if len(s.sheets) == 0 {
		s.rest = append(s.rest, e)
		return
	}
	x := s.sheet()
	x.Entries = append(x.Entries, e)
}

// current is the entry that may go on: the last one that is not noise.
func (s *splitter) current() *Entry {
	list := s.rest
	if len(s.sheets) > 0 {
		list = s.sheet().Entries
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Key != Noise {
			return &list[i]
		}
	}
	return nil
}

// unfinished reports whether the current entry has to go on: nothing stands behind its label yet, a bracket is open, or
// it ends in what joins.
func (s *splitter) unfinished() bool {
	e := s.current()
	if e == nil || e.Key == Name || e.Key == Heading {
		return false
	}
	if e.Text == "" {
		return true
	}
	return endsOpen(e.Text)
}

var joins = pattern.New(`(?:[,(/+:-]|\b(?:and|or|plus|of|with|the|against|vs\.?|to|from|in|a|an|at))$`)

// endsOpen reports whether a text breaks off in the middle. Only its end counts.
func endsOpen(text string) bool {
	text = text[max(0, len(text)-1000):]
	return joins().MatchString(text[max(0, len(text)-16):]) || strings.Count(text, "(") > strings.Count(text, ")")
}

// continues reports whether a line with a label that the vocabulary does not have is in fact the rest of an entry.
func (s *splitter) continues(i int) bool {
	m := &s.marks[i]
	return !m.known && s.open && s.unfinished()
}

// labelled adds the entries of a line with labels.
func (s *splitter) labelled(i int) {
	l, m := s.lines[i], &s.marks[i]
	if start := m.labels[0].start; start > 0 && m.begins > 0 {
		s.head(l.slice(0, start))
	} else if start > 0 {
		s.part(l.slice(0, start))
	}
	seen := false
	for k, f := range m.labels {
		end := len(l.Text)
		if k+1 < len(m.labels) {
			end = m.labels[k+1].start
		}
		if m.begins < 0 && s.labels.opening[f.key] && !seen && len(s.sheets) < maxSheets {
			seen = true
			s.sheets = append(s.sheets, Sheet{})
		}
		text := l.slice(f.text, max(f.text, end))
		text.Text = strings.TrimRight(text.Text, "; |\t")
		key := f.key
		if key == "" {
			key = Prose
		}
		at := text.At(0)
		if text.Text == "" {
			at = l.At(f.start)
		}
		s.add(Entry{Key: key, Label: l.Text[f.start:f.end], Text: text.Text, At: at})
	}
	s.open = true
}

// part adds what stands in a line before its first label.
func (s *splitter) part(l Line) {
	if e := s.current(); s.open && e != nil && len(e.Text) < maxEntry {
		s.join(l.Text)
		return
	}
	s.add(Entry{Key: Prose, Text: l.Text, At: l.At(0)})
}

// unlabelled adds a line without a label: the rest of the current entry, or a paragraph.
func (s *splitter) unlabelled(i int) {
	l := s.lines[i]
	e := s.current()
	first, _ := utf8.DecodeRuneInString(l.Text)
	switch {
	case e != nil && s.open && len(e.Text) < maxEntry && (e.Key == Prose || s.unfinished() || !unicode.IsUpper(first) || s.labelFollows(i)):
		if e.Text == "" {
			e.At = l.At(0)
		}
		s.join(l.Text)
	default:
		s.add(Entry{Key: Prose, Text: l.Text, At: l.At(0)})
		s.open = true
	}
}

// maxEntry is how long an entry may be before the next line begins another.
const maxEntry = 8000

// labelFollows reports whether a labelled line of the same block comes soon after the line.
func (s *splitter) labelFollows(i int) bool {
	for n := 0; n < 4 && i+1 < len(s.marks); n++ {
		i++
		switch m := &s.marks[i]; {
		case m.begins != 0:
			return false
		case m.blank:
			return false
		case m.known:
			return true
		}
	}
	return false
}

// join adds text to the current entry, and mends a word that was broken at the end of a line.
func (s *splitter) join(text string) {
	e := s.current()
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case e.Text == "":
		e.Text = text
	case strings.HasSuffix(e.Text, "-") && startsLower(text):
		e.Text = s.mend(e.Text, text)
	case strings.HasSuffix(e.Text, "(") || strings.HasSuffix(e.Text, "/") || strings.HasSuffix(e.Text, "+"):
		e.Text += text
	default:
		e.Text += " " + text
	}
}

func startsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// mend joins the two halves of a word. The hyphen stays if the vocabulary has the word with one.
func (s *splitter) mend(before, after string) string {
	head := before[strings.LastIndexAny(before, " (,;")+1:]
	tail := after
	if i := strings.IndexAny(after, " ,;.:)"); i >= 0 {
		tail = after[:i]
	}
	for _, w := range s.v.Hyphens {
		if strings.EqualFold(w, head+tail) {
			return before + after
		}
	}
	return strings.TrimSuffix(before, "-") + after
}
