package main

import (
	"bytes"
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/lang/words"
)

// This file is what a prompt answers about a topic.

// maxFound is how many search results are listed.
const maxFound = 20

// topicText returns what the rules say about a name and the language about a word, or which rules implement a catalogue
// id, or which mention the topic.
func (t *promptSession) topicText(topic string) (string, bool) {
	var b bytes.Buffer
	buffered := t.resizedApp() // prints what the command would
	buffered.out = &output{w: &b}
	book := &rulebook.Book{Rules: t.Live.Rules(), Source: source}
	separate := func() {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
	}
	pages, near := book.Find(topic)
	for _, p := range pages {
		separate()
		buffered.printPage(p)
	}
	for _, e := range words.All() {
		if e.Word == topic {
			separate()
			buffered.printWord(e)
		}
	}
	if eventTopics[topic] {
		separate()
		buffered.printCoreEvents()
	}
	if b.Len() > 0 {
		return b.String(), true
	}
	list := book.Citing(topic)
	if len(list) == 0 {
		list = book.Search(topic)
	}
	if len(list) == 0 {
		if near == "" {
			return "", false
		}
		return fmt.Sprintf("The rules do not mention %s; did you mean %s?\n", term.Clean(topic), near), true
	}
	more := len(list) - maxFound
	var rows [][]string
	for _, e := range list[:min(len(list), maxFound)] {
		rows = append(rows, []string{e.Kind, e.Path, e.Doc})
	}
	buffered.printTable(rows)
	if more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String(), true
}

// printWord prints what a word of the language means and how it is used.
func (a *app) printWord(e words.Entry) {
	fmt.Fprintf(a.out, "%s  (word of the language)\n", a.screen.out.Paint(term.Bold, e.Word))
	if e.Meaning != "" {
		fmt.Fprintf(a.out, "  %s\n", e.Meaning)
	}
	for _, f := range e.Forms {
		fmt.Fprintln(a.out, strings.Join(term.Wrap(f, a.textWidth(), "  ", "      "), "\n"))
	}
}
