package repl

import (
	"errors"
	"slices"
	"strings"

	"arbiter/interp/session"
)

// This file is what can be typed in place of an answer, while a command waits for a die or a choice: whatever does not
// change the fight.

// runAside runs a command of the prompt, or answers a question, that was typed in place of an answer. It reports whether
// the text was one.
func (t *repl) runAside(q *session.Request, text string) bool {
	if rest, is := strings.CutPrefix(text, "?"); is {
		t.aside(func() { t.answerQuestion(strings.TrimSpace(rest)) })
		return true
	}
	rest, colon := strings.CutPrefix(text, ":")
	name, arg, _ := strings.Cut(strings.TrimSpace(rest), " ")
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 { // a beginning that only one command has
		if n := commandsBeginning(name); colon && len(n) == 1 {
			i = n[0]
		}
	}
	switch {
	case i < 0 && !colon:
		return false
	case i < 0:
		t.mistakes++
		t.showLine("There is no :%s; %s", name, answerHelp(q))
		return true
	case !commands[i].anytime && !colon:
		return false
	case !commands[i].anytime:
		t.mistakes++
		t.showLine(":%s has to wait for the answer; `drop` cancels the command.", commands[i].name)
		return true
	}
	if commands[i].name == "help" && arg == "" {
		t.showLine("Now: %s.", answerHelp(q))
	}
	t.aside(func() {
		if err := commands[i].run(t, strings.TrimSpace(arg)); err != nil {
			if unsaved := (*session.UnsavedError)(nil); errors.As(err, &unsaved) {
				t.saveError = unsaved.Err
				return
			}
			t.showLine("%s", err)
		}
	})
	return true
}

// aside runs something that only reads, while a command is half done.
func (t *repl) aside(do func()) {
	end := t.Live.Aside()
	defer end()
	do()
}

// commandsBeginning lists the indexes of the commands whose names begin so.
func commandsBeginning(name string) (list []int) {
	for i, c := range commands {
		if name != "" && strings.HasPrefix(c.name, name) {
			list = append(list, i)
		}
	}
	return list
}

// worksAnytime reports whether a command can be typed in place of an answer.
func worksAnytime(name string) bool {
	return slices.ContainsFunc(commands, func(c command) bool { return c.name == name && c.anytime })
}
