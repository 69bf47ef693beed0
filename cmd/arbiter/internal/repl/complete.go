package repl

import (
	"slices"
	"strings"

	"arbiter/interp/session"
	"arbiter/lang/words"
)

// This file completes what is typed.

// complete completes commands of both kinds, and questions.
func (t *repl) complete(text string, at int) (int, []session.Candidate) {
	before := text[:min(at, len(text))]
	switch {
	case strings.HasPrefix(before, ":why not "):
		return completeFrom(t.Live, text, len(":why not "), at)
	case strings.HasPrefix(before, ":explain "):
		return completeFrom(t.Live, text, len(":explain "), at)
	case strings.HasPrefix(before, ":"):
		return t.completeCommand(before)
	case strings.HasPrefix(before, "?"):
		return completeFrom(t.Live, text, 1, at)
	}
	return t.Live.Complete(text, at)
}

// completeFrom completes a text without its first by bytes.
func completeFrom(l *session.Live, text string, by, at int) (int, []session.Candidate) {
	from, list := l.Complete(text[by:], at-by)
	return from + by, list
}

func (t *repl) completeCommand(before string) (int, []session.Candidate) {
	from := strings.LastIndexAny(before, " :") + 1
	prefix := before[from:]
	var list []session.Candidate
	add := func(text, about string) {
		if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
			list = append(list, session.Candidate{Text: text, About: about})
		}
	}
	files := func() {
		if t.Files != nil {
			for _, f := range t.Files(prefix) {
				add(f, "")
			}
		}
	}
	name, _, hasArg := strings.Cut(before[1:], " ")
	switch {
	case !hasArg:
		for _, c := range commands {
			add(c.name, c.about)
		}
	case name == "auto":
		for _, s := range t.Live.Sides() {
			add(s, "")
		}
		add("off", "")
	case name == "dice":
		add("ask", "")
		add("seed", "")
	case name == "override":
		add("success", "the lowest face that makes one")
		add("failure", "the highest face that makes one")
	case name == "undo":
		add("roll", "the last roll or answer")
		add("turn", "this whole turn")
	case name == "who":
		for _, n := range t.Live.Names() {
			add(n, "")
		}
	case name == "map":
		if strings.Count(before, " ") > 1 {
			for _, n := range t.Live.Names() {
				add(n, "")
			}
		} else {
			add("reach", "where a creature can go")
			add("threat", "the squares it threatens")
		}
	case name == "save" && strings.Count(before, " ") == 1:
		add("as", "")
	case name == "save":
		if strings.Count(before, " ") == 2 {
			add("test", "the game so far as a test")
		}
		files()
	case name == "back" && strings.Count(before, " ") == 1:
		add("to", "")
	case name == "back":
		from = len(":back to ")
		prefix = before[min(from, len(before)):]
		for _, m := range t.marks {
			add(m.name, "")
		}
	case name == "keep":
		add("off", "stop saving")
		files()
	case name == "help":
		for _, c := range commands {
			add(c.name, c.about)
		}
		at, more := t.Live.Complete(before[len(":help "):], len(before)-len(":help "))
		if at == from-len(":help ") {
			list = append(list, more...)
			for _, e := range words.LeadingEntries(words.Script, words.Statement) { // including those that would be refused now
				if c := (session.Candidate{Text: e.Word, About: e.Meaning}); strings.HasPrefix(c.Text, prefix) && !slices.Contains(list, c) {
					list = append(list, c)
				}
			}
		}
	}
	return from, list
}
