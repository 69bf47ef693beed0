package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/stdlib/journal"
)

// This file writes the text of a story: titles, paragraphs, choices.

// defaultWidth is the line width of a story in the transcript, and the default for screens. The transcript does not
// depend on the width of the screen.
const defaultWidth = 78

// passage is a title, or a paragraph with its emphasis marks.
type passage struct {
	title bool
	text  string
}

// turnOver starts a new page, after a choice.
func (t *narrator) turnOver() { t.sinceChoice, t.previousTitle = nil, t.p.story.title }

// writeRaw writes lines in their plain form to the transcript and in their shown form to the screen.
func (t *narrator) writeRaw(plain, shown string) {
	t.output.Append([]byte(plain + "\n")...)
	if t.p.o.Out != nil {
		fmt.Fprint(t.p.o.Out, shown+"\n")
	}
}

// width returns the width of the screen.
func (t *narrator) width() int {
	if t.p.o.Width != nil {
		if n := t.p.o.Width(); n > 0 {
			return n
		}
	}
	return defaultWidth
}

// columns returns the number of columns that a text takes.
func (t *narrator) columns(text string) int {
	if t.p.o.Columns != nil {
		return t.p.o.Columns(text)
	}
	return utf8.RuneCountInString(text)
}

// blankLine writes an empty line, except at the beginning.
func (t *narrator) blankLine() {
	if t.output.Len() > 0 {
		t.writeRaw("", "")
	}
}

// recordStoryEvent records a piece of the story as an event.
func (t *narrator) recordStoryEvent(kind, text string) {
	t.recordHostEvent(view.Event{Kind: kind, Text: text})
}

// recordHostEvent records something that the machine does not know as an event.
func (t *narrator) recordHostEvent(x view.Event) {
	j := t.p.m.Journal
	if !j.On() {
		return
	}
	upToDate := t.position == j.Mark()
	id := j.Append(journal.Event{Kind: machine.StoryEvent, Who: -1})
	if upToDate { // otherwise it is skipped when the journal is read
		t.position = j.Mark()
	}
	t.p.recordedEvents[id] = true
	x.ID, x.Round = id, int(t.p.m.State().Order.Round())
	t.p.result.Events = append(t.p.result.Events, x)
	t.p.recorder.host(&x)
}

// title writes the title of a scene, unless it is the same as the last.
func (t *narrator) title(text string) {
	if t.p.quiet || t.p.story.title == text {
		return
	}
	t.flushParagraph()
	t.p.story.title = text
	t.blankLine()
	line := heading(text)
	t.sinceChoice = append(t.sinceChoice, passage{title: true, text: text})
	t.writeRaw(line, t.paint(LookTitle, line))
	t.recordStoryEvent("scene", text)
}

func heading(title string) string { return "== " + title + " ==" }

// narrate tells a text: one paragraph, or several separated by blank lines. With more, it continues the last paragraph.
func (t *narrator) narrate(text string, more bool) {
	if t.p.quiet {
		return
	}
	if !more {
		t.flushParagraph()
	} else if len(t.paragraph) > 0 && text != "" {
		t.paragraph = append(t.paragraph, ' ')
	}
	for i, para := range strings.Split(text, "\n\n") {
		if i > 0 {
			t.flushParagraph()
		}
		t.paragraph = append(t.paragraph, para...)
	}
}

// flushParagraph writes the pending paragraph.
func (t *narrator) flushParagraph() {
	text := strings.TrimSpace(string(t.paragraph))
	if t.paragraph = t.paragraph[:0]; text == "" {
		return
	}
	t.blankLine()
	t.sinceChoice = append(t.sinceChoice, passage{text: text})
	plain, _ := t.wrap(text, defaultWidth, utf8.RuneCountInString)
	_, shown := t.wrap(text, t.width(), t.columns)
	t.writeRaw(strings.Join(plain, "\n"), strings.Join(shown, "\n"))
	t.recordStoryEvent("told", strings.Join(plain, " "))
}

// wrap breaks a paragraph into lines of the given width and removes the emphasis marks: *words* are strong, _words_
// emphasized. A word longer than a line gets a line of its own.
func (t *narrator) wrap(text string, width int, columns func(string) int) (plain, shown []string) {
	var line, painted strings.Builder
	n := 0
	look := LookPlain
	for _, word := range strings.Fields(text) {
		var bare, dressed string
		bare, dressed, look = t.parseEmphasis(word, look)
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

// plainText returns a text on one line, without emphasis marks.
func (t *narrator) plainText(text string) string {
	plain, _ := t.wrap(text, defaultWidth, utf8.RuneCountInString)
	return strings.Join(plain, " ")
}

// emphasis maps emphasis marks to looks.
var emphasis = map[byte]Look{'*': LookStrong, '_': LookEmphasis}

// parseEmphasis removes the marks from a word, which can begin or end an emphasized phrase; look is that of the
// surrounding phrase.
func (t *narrator) parseEmphasis(word string, look Look) (bare, dressed string, next Look) {
	const before, behind = `"'([`, `"'.,;:!?)]`
	head := len(word) - len(strings.TrimLeft(word, before))
	if next = look; look == LookPlain && head < len(word)-1 && emphasis[word[head]] != LookPlain && word[head+1] != word[head] {
		mark := word[head]
		if rest := word[head+1:]; strings.IndexByte(rest, mark) != 0 {
			word, look, next = word[:head]+rest, emphasis[mark], emphasis[mark]
		}
	}
	tail := len(strings.TrimRight(word, behind))
	if look != LookPlain && tail > head && emphasis[word[tail-1]] == look {
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

// showChoices shows the choices.
func (t *narrator) showChoices(labels []string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.blankLine()
	t.lastChoices = labels
	shown := t.choices(labels)
	for i, label := range labels {
		bare := t.plainText(label)
		t.writeRaw(fmt.Sprintf("  %d. %s", i+1, bare), shown[i])
		t.recordStoryEvent("offered", bare)
	}
}

// choices formats the choices for the screen, with a hanging indent.
func (t *narrator) choices(labels []string) (shown []string) {
	for i, label := range labels {
		number := fmt.Sprintf("%d.", i+1)
		margin := 2 + len(number) + 1
		_, lines := t.wrap(label, max(t.width()-margin, 1), t.columns)
		shown = append(shown, "  "+t.paint(LookChoice, number)+" "+strings.Join(lines, "\n"+strings.Repeat(" ", margin)))
	}
	return shown
}

// took shows what was chosen.
func (t *narrator) took(label string) {
	bare := t.plainText(label)
	line := "> " + bare
	t.blankLine()
	t.writeRaw(line, t.paint(LookAction, line))
	t.recordStoryEvent("took", bare)
}

// showEnding writes the ending of a story.
func (t *narrator) showEnding(name string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.blankLine()
	line := theEnd(name)
	t.writeRaw(line, t.paint(LookTitle, line))
	t.recordStoryEvent("finished", name)
}

func theEnd(name string) string {
	if name == "" {
		return "The end."
	}
	return "The end: " + name + "."
}
