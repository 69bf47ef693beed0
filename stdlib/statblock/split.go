package statblock

import (
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
	lines = s.mendLabels(s.plainLabels(lines))
	s.lines = s.spreadColumns(s.spreadPages(lines))
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
	broken bool // a semicolon has been dropped at its end: it was that of the line, too
	fresh  bool // no label of this block has been seen yet
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
				s.open, s.fresh = false, true
			}
		}
		switch {
		case m.blank:
			if left == 0 && !s.unfinished() && !s.turning(i) {
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
	alone := i > 0 && s.apart(i-1) || i+1 == len(s.marks) || s.apart(i+1)
	text := s.lines[i].Text
	return strings.ContainsAny(text, "0123456789") && (e.Text == "" || !alone && strings.Trim(text, "+-0123456789") == "")
}

// apart reports whether a line has nothing that belongs to a block.
func (s *splitter) apart(i int) bool { return s.marks[i].blank || s.marks[i].noise }

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
	if e.Key == Name {
		e.Text = closeUp(e.Text)
	}
	e.Text = strings.Join(strings.Fields(e.Text), " ")
	if e.Key != Noise {
		s.broken = false
	}
	if len(s.sheets) == 0 {
		s.rest = append(s.rest, e)
		return
	}
	x := s.sheet()
	x.Entries = append(x.Entries, e)
}

var spaced = pattern.New(`^(?:\pL )+\pL$`)

// closeUp takes the spaces out of words whose letters stand apart, with wider spaces between the words.
func closeUp(text string) string {
	words := strings.Split(text, "  ")
	for i, w := range words {
		if w = strings.TrimSpace(w); len(w) >= leastSpaced && spaced().MatchString(w) {
			words[i] = strings.ReplaceAll(w, " ", "")
		}
	}
	return strings.Join(words, "  ")
}

// leastSpaced is how long a word with its letters apart must be, to be none of several words of one letter.
const leastSpaced = 5

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
	if start := m.labels[0].start; start > 0 && (m.begins > 0 || s.fresh) {
		s.head(l.slice(0, start))
	} else if start > 0 {
		s.part(l.slice(0, start))
	}
	s.fresh = false
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
		whole := text.Text
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
		s.broken = text.Text != "" && strings.HasSuffix(whole, ";")
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
	case e != nil && s.open && len(e.Text) < maxEntry && (e.Key == Prose || s.unfinished() || !unicode.IsUpper(first) || s.labelFollows(i) || s.wraps(i)):
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
	if s.broken {
		e.Text += ";"
	}
	s.broken = false
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
