package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"arbiter/interp/machine"
	"arbiter/stdlib/journal"
)

// This file writes the text of a story: titles, paragraphs, choices.

// usualWidth is the line width of a story in the transcript, and the default for screens. The transcript does not
// depend on the width of the screen.
const usualWidth = 78

// passage is a title, or a paragraph with its emphasis marks.
type passage struct {
	title bool
	text  string
}

// turnOver starts a new page, after a choice.
func (t *teller) turnOver() { t.lately, t.headed = nil, t.p.tale.title }

// raw writes lines in their plain form to the transcript and in their shown form to the screen.
func (t *teller) raw(plain, shown string) {
	t.all = append(t.all, plain+"\n"...)
	if t.p.o.Out != nil {
		fmt.Fprint(t.p.o.Out, shown+"\n")
	}
}

// width returns the width of the screen.
func (t *teller) width() int {
	if t.p.o.Width != nil {
		if n := t.p.o.Width(); n > 0 {
			return n
		}
	}
	return usualWidth
}

// columns returns the number of columns that a text takes.
func (t *teller) columns(text string) int {
	if t.p.o.Columns != nil {
		return t.p.o.Columns(text)
	}
	return utf8.RuneCountInString(text)
}

// apart writes an empty line, except at the beginning.
func (t *teller) apart() {
	if len(t.all) > 0 {
		t.raw("", "")
	}
}

// noted records a piece of the story as an event.
func (t *teller) noted(kind, text string) {
	j := t.p.m.Journal
	if !j.On() {
		return
	}
	upToDate := t.read == j.Mark()
	id := j.Append(journal.Event{Kind: machine.Recounted, Who: -1})
	if upToDate { // otherwise it is skipped when the journal is read
		t.read = j.Mark()
	}
	t.p.told[id] = true
	t.p.result.Events = append(t.p.result.Events, Event{ID: id, Kind: kind, Round: int(t.p.m.State().Order.Round()), Text: text})
}

// title writes the title of a scene, unless it is the same as the last.
func (t *teller) title(text string) {
	if t.p.quiet || t.p.tale.title == text {
		return
	}
	t.flushParagraph()
	t.p.tale.title = text
	t.apart()
	line := heading(text)
	t.lately = append(slices.Clip(t.lately), passage{title: true, text: text})
	t.raw(line, t.paint(LookTitle, line))
	t.noted("scene", text)
}

func heading(title string) string { return "== " + title + " ==" }

// narrate tells a text: one paragraph, or several separated by blank lines. With more, it continues the last paragraph.
func (t *teller) narrate(text string, more bool) {
	if t.p.quiet {
		return
	}
	if !more {
		t.flushParagraph()
	} else if len(t.para) > 0 && text != "" {
		t.para = append(t.para, ' ')
	}
	for i, para := range strings.Split(text, "\n\n") {
		if i > 0 {
			t.flushParagraph()
		}
		t.para = append(t.para, para...)
	}
}

// flushParagraph writes the pending paragraph.
func (t *teller) flushParagraph() {
	text := strings.TrimSpace(string(t.para))
	if t.para = t.para[:0]; text == "" {
		return
	}
	t.apart()
	t.lately = append(slices.Clip(t.lately), passage{text: text})
	plain, _ := t.wrap(text, usualWidth, utf8.RuneCountInString)
	_, shown := t.wrap(text, t.width(), t.columns)
	t.raw(strings.Join(plain, "\n"), strings.Join(shown, "\n"))
	t.noted("told", strings.Join(plain, " "))
}

// wrap breaks a paragraph into lines of the given width and removes the emphasis marks: *words* are strong, _words_
// emphasized. A word longer than a line gets a line of its own.
func (t *teller) wrap(text string, width int, columns func(string) int) (plain, shown []string) {
	var line, painted strings.Builder
	n := 0
	look := LookPlain
	for _, word := range strings.Fields(text) {
		var bare, dressed string
		bare, dressed, look = t.stressed(word, look)
		size := columns(bare)
		if n > 0 && n+1+size > width {
			plain, shown = append(plain, line.String()), append(shown, painted.String())
			line.Reset()
			painted.Reset()
			n = 0
		}
		if n > 0 {
			line.WriteByte(' ')
			painted.WriteByte(' ')
			n++
		}
		line.WriteString(bare)
		painted.WriteString(dressed)
		n += size
	}
	return append(plain, line.String()), append(shown, painted.String())
}

// bare returns a text on one line, without emphasis marks.
func (t *teller) bare(text string) string {
	plain, _ := t.wrap(text, usualWidth, utf8.RuneCountInString)
	return strings.Join(plain, " ")
}

// stress maps emphasis marks to looks.
var stress = map[byte]Look{'*': LookStrong, '_': LookEmphasis}

// stressed removes the marks from a word, which can begin or end an emphasized phrase; look is that of the surrounding
// phrase.
func (t *teller) stressed(word string, look Look) (bare, dressed string, next Look) {
	const before, behind = `"'([`, `"'.,;:!?)]`
	head := len(word) - len(strings.TrimLeft(word, before))
	if next = look; look == LookPlain && head < len(word)-1 && stress[word[head]] != LookPlain && word[head+1] != word[head] {
		mark := word[head]
		if rest := word[head+1:]; strings.IndexByte(rest, mark) != 0 {
			word, look, next = word[:head]+rest, stress[mark], stress[mark]
		}
	}
	tail := len(strings.TrimRight(word, behind))
	if look != LookPlain && tail > head && stress[word[tail-1]] == look {
		word = word[:tail-1] + word[tail:]
		tail--
		next = LookPlain
	}
	if look == LookPlain {
		return word, word, next
	}
	from := min(head, tail)
	if next != LookPlain { // the phrase continues
		tail = len(word)
	}
	return word, word[:from] + t.paint(look, word[from:tail]) + word[tail:], next
}

// offer shows the choices.
func (t *teller) offer(labels []string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.apart()
	t.ways = labels
	shown := t.choices(labels)
	for i, label := range labels {
		bare := t.bare(label)
		t.raw(fmt.Sprintf("  %d. %s", i+1, bare), shown[i])
		t.noted("offered", bare)
	}
}

// choices formats the choices for the screen, with a hanging indent.
func (t *teller) choices(labels []string) (shown []string) {
	for i, label := range labels {
		number := fmt.Sprintf("%d.", i+1)
		margin := 2 + len(number) + 1
		_, lines := t.wrap(label, max(t.width()-margin, 1), t.columns)
		shown = append(shown, "  "+t.paint(LookChoice, number)+" "+strings.Join(lines, "\n"+strings.Repeat(" ", margin)))
	}
	return shown
}

// took shows what was chosen.
func (t *teller) took(label string) {
	bare := t.bare(label)
	line := "> " + bare
	t.apart()
	t.raw(line, t.paint(LookDeed, line))
	t.noted("took", bare)
}

// ended writes the ending of a story.
func (t *teller) ended(name string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.apart()
	line := theEnd(name)
	t.raw(line, t.paint(LookTitle, line))
	t.noted("finished", name)
}

func theEnd(name string) string {
	if name == "" {
		return "The end."
	}
	return "The end: " + name + "."
}
