package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/story"
	"arbiter/interp/view"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// This file handles stories in interactive play: the current position, the choices, and what the user's input means.

// Story reports whether there is a story.
func (l *Live) Story() bool { return l.p.story != nil }

// Scenes returns the story with its scenes, nil if there is none.
func (l *Live) Scenes() *story.Story { return l.p.script.Story }

// Finished reports whether the story has ended.
func (l *Live) Finished() bool { return l.Story() && l.p.phase() == finished }

// WaitsForChoice reports whether the story waits for a choice.
func (l *Live) WaitsForChoice() bool { return l.Story() && l.p.phase() == choosing }

// KnowsSide reports whether a side is one that the party of a story has met.
func (l *Live) KnowsSide(side string) bool {
	if !l.Story() {
		return false
	}
	for i, s := range l.p.sides {
		if s == side {
			return i > 0 // the first is the party
		}
	}
	return false
}

// openChoices returns the labels of the open choices, including their costs and checks, and their indices; none if
// there is nothing to choose.
func (l *Live) openChoices() (labels []string, open []int) {
	if !l.WaitsForChoice() {
		return nil, nil
	}
	defer l.muteJournal()()
	p := l.p
	before := len(p.result.Failures)
	c := &p.story.Choices[p.currentOp().A]
	open = p.openChoices(c)
	labels = p.choiceLabels(c, open)
	p.result.Failures, p.stopped = p.result.Failures[:before], false // mistakes in labels were reported before
	return labels, open
}

// ChoiceCommand returns the command for the choice that the user means by a number, the beginning of a label or, with
// byWord, words that only one label has. If not ok, the text may be a statement.
func (l *Live) ChoiceCommand(text string, byWord bool) (command string, ok bool) {
	if !l.Story() {
		return "", false
	}
	number, err := strconv.Atoi(text)
	isNumber := err == nil && strconv.Itoa(number) == text
	labels, open := l.openChoices()
	if isNumber && (number < 1 || number > len(open)) {
		return "take " + text, number >= 0
	}
	way := 0
	if isNumber {
		way = open[number-1]
	} else {
		several, begins := 0, false
		for _, label := range labels {
			begun := strings.HasPrefix(plainLabel(label), plainLabel(text))
			begins = begins || begun
			if begun || byWord && hasWords(plainLabel(label), plainLabel(text)) {
				several++
			}
		}
		if !begins && !byWord {
			return "", false
		}
		var why string
		if way, why = matching(labels, open, text); why != "" {
			return "take " + format.Quoted(text), several > 1
		}
	}
	for i := range open {
		if open[i] != way {
			continue
		}
		label := l.p.narrator.plainText(l.p.label(&l.p.story.Choices[l.p.currentOp().A].Ways[way]))
		if meant, why := matching(labels, open, label); why == "" && meant == way && label != "" {
			return "take " + format.Quoted(label), true
		}
		return fmt.Sprintf("take %d", i+1), true
	}
	return "", false
}

// NearestChoice returns the label of the open choice that a misspelled text probably means, or "".
func (l *Live) NearestChoice(text string) string {
	labels, _ := l.openChoices()
	typed := strings.Fields(plainLabel(text))
	var beginnings []string
	for i := range labels {
		labels[i] = l.p.narrator.plainText(labels[i])
		if at := strings.LastIndex(labels[i], " ["); at > 0 && strings.HasSuffix(labels[i], "]") {
			labels[i] = labels[i][:at] // without costs and checks
		}
		own := strings.Fields(plainLabel(labels[i]))
		beginnings = append(beginnings, strings.Join(own[:min(len(typed), len(own))], " "))
	}
	if i := slices.Index(beginnings, words.Nearest(strings.Join(typed, " "), beginnings)); i >= 0 {
		return labels[i]
	}
	return ""
}

// storyPosition returns the current position in the story, or nil if there is no story.
func (l *Live) storyPosition() *view.Story {
	if !l.Story() {
		return nil
	}
	h := &view.Story{Scene: l.p.scene().Path, Visited: []string{}, Title: l.p.story.title, Told: []string{}, Choices: []string{}}
	for i := range l.p.script.Story.Scenes {
		if x := &l.p.script.Story.Scenes[i]; x.Count >= 0 && l.p.m.State().Globals[x.Count] > 0 {
			h.Visited = append(h.Visited, x.Path)
		}
	}
	for _, x := range l.p.narrator.sinceChoice {
		if !x.title {
			h.Told = append(h.Told, l.p.narrator.plainText(x.text))
		}
	}
	labels, _ := l.openChoices()
	for _, label := range labels {
		h.Choices = append(h.Choices, l.p.narrator.plainText(label))
	}
	h.Ending, h.Finished = l.p.ending()
	return h
}

// StoryText shows the current position in the story again: the title, what was told since the last choice, and the open
// choices. The lines are fitted to the current width of the screen.
func (l *Live) StoryText() string {
	if !l.Story() {
		return ""
	}
	t := l.p.narrator
	var parts []string
	told := t.sinceChoice
	if t.previousTitle != "" && (len(told) == 0 || !told[0].title) {
		told = append([]passage{{true, t.previousTitle}}, told...)
	}
	for _, x := range told {
		if x.title {
			parts = append(parts, t.paint(LookTitle, heading(x.text)))
			continue
		}
		_, shown := t.wrap(x.text, t.width(), t.columns)
		parts = append(parts, strings.Join(shown, "\n"))
	}
	if labels, _ := l.openChoices(); len(labels) > 0 {
		parts = append(parts, strings.Join(t.choices(labels), "\n"))
	}
	if name, over := l.p.ending(); over {
		parts = append(parts, t.paint(LookTitle, theEnd(name)))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// prependChoices puts the labels of open choices before the other candidates for the beginning of a line.
func (l *Live) prependChoices(before string, from int, list []Candidate) (int, []Candidate) {
	labels, _ := l.openChoices()
	quoted := false
	begun, inTake := strings.CutPrefix(before, "take ")
	if inTake {
		begun, quoted = strings.CutPrefix(strings.TrimLeft(begun, " "), `"`)
	}
	var out []Candidate
	for _, label := range labels {
		text := l.p.narrator.plainText(label)
		if i := strings.LastIndex(text, " ["); i > 0 && strings.HasSuffix(text, "]") {
			text = text[:i]
		}
		if !strings.HasPrefix(strings.ToLower(text), strings.ToLower(begun)) {
			continue
		}
		if inTake {
			text = format.Quoted(text)
		}
		out = append(out, Candidate{Text: text, About: strings.TrimSuffix(strings.TrimPrefix(label, text), " ")})
	}
	switch {
	case inTake && len(out) > 0:
		at := len(before) - len(begun)
		if quoted {
			at--
		}
		return at, out
	case len(out) == 0:
		return from, list
	case from == 0:
		return 0, append(out, list...)
	}
	return 0, out
}

// Plan returns the story as a test file with one test, to be saved at path: the choices and commands, and the
// transcript.
func (l *Live) Plan(title, path string) (string, error) {
	of, err := filepath.Rel(filepath.Dir(path), l.from)
	if err != nil || !filepath.IsLocal(of) { // it has to be saved next to its adventure
		of = filepath.Base(l.from)
	}
	house := l.p.script.Rules
	var b strings.Builder
	fmt.Fprintf(&b, "tests %s of %s%s%s\n\n", format.Quoted(title), format.Quoted(filepath.ToSlash(of)), wordAndNames(" with ", house.House), wordAndNames(" without ", house.Excluded))
	b.Write(l.setup[l.first:])
	fmt.Fprintf(&b, "\ntest %s {\nseed %d\nstart\n", format.Quoted(title), l.seed)
	err = l.writeCommands(&b)
	b.WriteString("}\n")
	return formatScript("saved.tests", b.String()), err
}
