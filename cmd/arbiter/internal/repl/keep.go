package repl

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file saves the settings of the table with the fight, so that a session resumes with them, and handles failures
// to save.

// setting is the settings of the table as commands, one per line.
func (t *table) setting() string {
	var lines []string
	if t.byHand {
		lines = append(lines, "dice ask")
	}
	if len(t.faces) > 0 {
		lines = append(lines, "dice "+strings.Trim(fmt.Sprint(t.faces), "[]"))
	}
	if len(t.auto) > 0 {
		lines = append(lines, "auto "+strings.Join(slices.Sorted(maps.Keys(t.auto)), " "))
	}
	if t.byUs {
		lines = append(lines, "auto off")
	}
	for _, m := range t.marks {
		lines = append(lines, m.line())
	}
	return strings.Join(lines, "\n")
}

// set restores the settings of the table.
func (t *table) set(setting string) {
	if setting == "" {
		return
	}
	var said []string
	for line := range strings.SplitSeq(setting, "\n") {
		name, arg, _ := strings.Cut(line, " ")
		if m, ok := markOf(line); ok {
			t.marks = append(t.marks, m)
			continue
		}
		said = append(said, line)
		for _, word := range strings.Fields(arg) {
			switch n, err := strconv.ParseInt(word, 10, 64); {
			case name == "auto" && word == "off":
				t.byUs = true
			case name == "auto":
				t.auto[word] = true
			case name == "dice" && word == "ask":
				t.byHand = true
			case name == "dice" && err == nil:
				t.faces = append(t.faces, n)
			}
		}
	}
	if len(said) > 0 {
		t.say("Restored settings: %s.", strings.Join(said, ", "))
	}
}

// change changes settings, and says so once they are saved.
func (t *table) change(set func(), said string) error {
	byHand, faces, auto, byUs, marks := t.byHand, t.faces, t.auto, t.byUs, t.marks
	set()
	if err := t.Live.SaveTable(); err != nil {
		t.byHand, t.faces, t.auto, t.byUs, t.marks = byHand, faces, auto, byUs, marks
		return err
	}
	t.say("%s", said)
	return nil
}

// keep saves the session again in its file, or in another one, or stops saving.
func (t *table) keep(arg string) error {
	if t.Keep == nil {
		return t.wrong("keep")
	}
	said, err := t.Keep(arg)
	if err != nil {
		t.say("%s", err)
		return nil
	}
	t.unkept = nil
	t.say("%s", said)
	return nil
}
