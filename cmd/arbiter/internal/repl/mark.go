package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file names moments to return to.

// mark is a named moment: the number of commands that had been done, and the hash of the state after the last one. Once
// commands have been undone and others done, the moment may no longer exist.
type mark struct {
	name string
	done int
	hash uint64 // 0 at the start
}

// savedLine is a mark as it is saved.
func (m *mark) savedLine() string { return fmt.Sprintf("mark %d %016x %s", m.done, m.hash, m.name) }

// parseMark parses a saved mark.
func parseMark(line string) (m mark, ok bool) {
	words := strings.SplitN(line, " ", 4)
	if len(words) != 4 || words[0] != "mark" {
		return m, false
	}
	done, err := strconv.Atoi(words[1])
	hash, hashErr := strconv.ParseUint(words[2], 16, 64)
	return mark{words[3], done, hash}, err == nil && hashErr == nil && done >= 0
}

// hashAfter is the hash after the first n commands, including undone ones.
func (t *repl) hashAfter(n int) (hash uint64, ok bool) {
	if n == 0 || n > t.Live.Done()+t.Live.Undone() {
		return 0, n == 0
	}
	d, err := t.Live.Command(n - 1)
	if err != nil {
		return 0, false
	}
	return d.Hash, true
}

func (t *repl) markExists(m mark) bool {
	hash, ok := t.hashAfter(m.done)
	return ok && hash == m.hash
}

func (t *repl) addMark(name string) error {
	if name == "" {
		return t.showUsage("mark")
	}
	m := mark{name: name, done: t.Live.Done()}
	m.hash, _ = t.hashAfter(m.done)
	marks := slices.DeleteFunc(slices.Clone(t.marks), func(x mark) bool { return x.name == name || !t.markExists(x) })
	return t.changeSettings(func() { t.marks = append(marks, m) }, fmt.Sprintf("This moment is marked %s: `:back to %s` returns to it.", name, name))
}

func (t *repl) listMarks(string) error {
	none := true
	for _, m := range t.marks {
		if !t.markExists(m) {
			continue
		}
		none = false
		where := "here"
		switch n := t.Live.Done() - m.done; {
		case n > 0:
			where = fmt.Sprintf("%d back", n)
		case n < 0:
			where = fmt.Sprintf("%d ahead", -n)
		}
		t.showLine("%s: %s", m.name, where)
	}
	if none {
		t.showLine("There are no marks: `:mark NAME` sets one.")
	}
	return nil
}

// backToMark goes to a named moment.
func (t *repl) backToMark(arg string) error {
	name := strings.TrimSpace(strings.TrimPrefix(arg, "to "))
	if name == "" || arg == "to" {
		return t.showUsage("back")
	}
	i := slices.IndexFunc(t.marks, func(m mark) bool { return m.name == name })
	if i < 0 {
		t.showLine("There is no mark %s; `:marks` lists them.", name)
		return nil
	}
	m := t.marks[i]
	if !t.markExists(m) {
		t.showLine("The mark %s is gone: it was undone, and something else was done.", name)
		return nil
	}
	if m.done < t.Live.Done() {
		if err := t.Live.UndoTo(m.done); err != nil {
			return err
		}
	}
	for m.done > t.Live.Done() {
		if out, err := t.Live.Redo(); err != nil || out == nil || !changedAnything(out) {
			return err
		}
	}
	t.saveError = nil
	t.showLine("Back at %s; `:redo` does again what was undone.", name)
	if t.JSON != nil {
		t.showEvents(noReply)
	}
	t.showPlaceAgain()
	return nil
}
