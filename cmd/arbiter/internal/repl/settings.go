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

// settingsText is the settings of the table as commands, one per line.
func (t *repl) settingsText() string {
	var lines []string
	if t.diceByHand {
		lines = append(lines, "dice ask")
	}
	if len(t.nextFaces) > 0 {
		lines = append(lines, "dice "+strings.Trim(fmt.Sprint(t.nextFaces), "[]"))
	}
	if len(t.autoSides) > 0 {
		lines = append(lines, "auto "+strings.Join(slices.Sorted(maps.Keys(t.autoSides)), " "))
	}
	if t.playsFoes {
		lines = append(lines, "auto off")
	}
	for _, m := range t.marks {
		lines = append(lines, m.savedLine())
	}
	return strings.Join(lines, "\n")
}

// applySettings restores the settings of the table.
func (t *repl) applySettings(setting string) {
	if setting == "" {
		return
	}
	var restored []string
	for line := range strings.SplitSeq(setting, "\n") {
		name, arg, _ := strings.Cut(line, " ")
		if m, ok := parseMark(line); ok {
			t.marks = append(t.marks, m)
			continue
		}
		restored = append(restored, line)
		for _, word := range strings.Fields(arg) {
			switch n, err := strconv.ParseInt(word, 10, 64); {
			case name == "auto" && word == "off":
				t.playsFoes = true
			case name == "auto":
				t.autoSides[word] = true
			case name == "dice" && word == "ask":
				t.diceByHand = true
			case name == "dice" && err == nil:
				t.nextFaces = append(t.nextFaces, n)
			}
		}
	}
	if len(restored) > 0 {
		t.showLine("Restored settings: %s.", strings.Join(restored, ", "))
	}
}

// changeSettings changes settings, and says so once they are saved.
func (t *repl) changeSettings(set func(), message string) error {
	byHand, faces, auto, foes, marks := t.diceByHand, t.nextFaces, t.autoSides, t.playsFoes, t.marks
	set()
	if err := t.Live.SaveTable(); err != nil {
		t.diceByHand, t.nextFaces, t.autoSides, t.playsFoes, t.marks = byHand, faces, auto, foes, marks
		return err
	}
	t.showLine("%s", message)
	return nil
}

// saveTo saves the session again in its file, or in another one, or stops saving.
func (t *repl) saveTo(arg string) error {
	if t.SaveTo == nil {
		return t.showUsage("keep")
	}
	message, err := t.SaveTo(arg)
	if err != nil {
		t.showLine("%s", err)
		return nil
	}
	t.saveError = nil
	t.showLine("%s", message)
	return nil
}
