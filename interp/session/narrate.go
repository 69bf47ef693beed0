package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"arbiter/interp/machine"
	"arbiter/stdlib/journal"
)

// This file writes what a story tells: titles, paragraphs, choices.

// usualWidth is how long the lines of a story are, where no screen says otherwise.
const usualWidth = 78

// raw writes lines as they are.
func (t *teller) raw(plain, shown string) {
	t.all = append(t.all, plain+"\n"...)
	if t.p.o.Out != nil {
		fmt.Fprint(t.p.o.Out, shown+"\n")
	}
}

// apart leaves a line free, but not at the beginning.
func (t *teller) apart() {
	if len(t.all) > 0 {
		t.raw("", "")
	}
}

// noted keeps a piece of the story among the events.
func (t *teller) noted(kind, text string) {
	j := t.p.m.Journal
	if !j.On() {
		return
	}
	id := j.Append(journal.Event{Kind: machine.Recounted, Who: -1, Whom: -1})
	t.read = j.Mark()
	t.p.told[id] = true
	t.p.result.Events = append(t.p.result.Events, Event{ID: id, Kind: kind, Round: int(t.p.m.State().Order.Round()), Text: text})
}

// title heads a scene, unless it headed the last.
func (t *teller) title(text string) {
	if t.p.quiet || t.p.tale.title == text {
		return
	}
	t.flushParagraph()
	t.p.tale.title = text
	t.apart()
	line := "== " + text + " =="
	t.raw(line, t.paint(LookTitle, line))
	t.noted("scene", text)
}

// narrate tells a text: a paragraph, or several with blank lines between them; more goes on in the last paragraph.
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

// flushParagraph writes the paragraph that may have gone on.
func (t *teller) flushParagraph() {
	text := strings.TrimSpace(string(t.para))
	if t.para = t.para[:0]; text == "" {
		return
	}
	t.apart()
	plain, shown := t.wrap(text)
	for i := range plain {
		t.raw(plain[i], shown[i])
	}
	t.noted("told", strings.Join(plain, " "))
}

// wrap breaks a paragraph into lines, and takes the marks of stress off: *words* are strong, _words_ set apart.
func (t *teller) wrap(text string) (plain, shown []string) {
	width := t.p.o.Width
	if width <= 0 {
		width = usualWidth
	}
	var line, painted strings.Builder
	n := 0
	look := LookPlain
	for _, word := range strings.Fields(text) {
		var bare, dressed string
		bare, dressed, look = t.stressed(word, look)
		size := utf8.RuneCountInString(bare)
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

// marks of stress, by their sign.
var stress = map[byte]Look{'*': LookStrong, '_': LookEmphasis}

// stressed takes the marks off a word, which may begin or end a stretch of words; look is that of the stretch around it.
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
	if next != LookPlain { // the stretch goes on
		tail = len(word)
	}
	return word, word[:from] + t.paint(look, word[from:tail]) + word[tail:], next
}

// offer shows what can be chosen.
func (t *teller) offer(labels []string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.apart()
	for i, label := range labels {
		plain, shown := t.wrap(label)
		line := fmt.Sprintf("  %d. %s", i+1, strings.Join(plain, " "))
		t.raw(line, fmt.Sprintf("  %d. %s", i+1, t.paint(LookChoice, strings.Join(shown, " "))))
		t.noted("offered", strings.Join(plain, " "))
	}
}

// took shows what was chosen.
func (t *teller) took(label string) {
	plain, _ := t.wrap(label)
	line := "> " + strings.Join(plain, " ")
	t.apart()
	t.raw(line, t.paint(LookDeed, line))
	t.noted("took", strings.Join(plain, " "))
}

// ended tells the end of a story.
func (t *teller) ended(name string) {
	if t.p.quiet {
		return
	}
	t.flushParagraph()
	t.apart()
	line := "The end."
	if name != "" {
		line = "The end: " + name + "."
	}
	t.raw(line, t.paint(LookTitle, line))
	t.noted("finished", name)
}
