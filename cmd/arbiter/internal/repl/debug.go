package repl

import (
	"errors"
	"io"
	"strings"

	"arbiter/cmd/arbiter/internal/debugprompt"
	"arbiter/interp/session"
)

// This file debugs the game so far: it is played up to now once more, as a script with the dice that fell, beside the
// game itself, which does not change.

// setBreakpoint sets a breakpoint, removes some, or lists them.
func (t *repl) setBreakpoint(arg string) error {
	if err := t.points.Set(arg); err != nil {
		t.mistakes++
		t.showLine("%s", err)
		return nil
	}
	debugConsole{t}.Show(t.points.Text())
	return nil
}

// stepThrough goes through the last command.
func (t *repl) stepThrough(string) error {
	if t.Live.Done() == 0 {
		t.mistakes++
		t.showLine("Nothing has been done yet.")
		return nil
	}
	t.debug(debugprompt.Start{Stop: true})
	return nil
}

// rewind goes back to the last breakpoint.
func (t *repl) rewind(string) error {
	t.debug(debugprompt.Start{Back: true})
	return nil
}

// debug runs the debugger. It stops nowhere before the last command, unless it is to go back.
func (t *repl) debug(at debugprompt.Start) {
	if t.Debugged == nil || t.Live.Story() {
		t.mistakes++
		t.showLine("A story is debugged from its file: `arbiter debug FILE --prompt`.")
		return
	}
	script, line, err := t.Debugged()
	if err != nil {
		t.mistakes++
		t.showLine("The game cannot be gone through again: %s.", err)
		return
	}
	if !at.Back {
		at.Line = line
	}
	at.Stopped, at.Session = t.Stopped, session.Options{Unchecked: true}
	changed, err := debugprompt.Run(script, &t.points, debugConsole{t}, at)
	if err != nil && !errors.Is(err, io.EOF) {
		t.mistakes++
		t.showLine("%s", err)
	}
	if changed {
		t.showLine("The game itself has not changed: `:override` changes a roll of it.")
	}
}

// debugConsole is the prompt's console for the debugger.
type debugConsole struct{ t *repl }

func (c debugConsole) Read(prompt string) (string, error) {
	line, err := c.t.Console.Read(ReadOptions{Prompt: prompt, IsAnswer: true})
	if errors.Is(err, ErrInterrupted) {
		return "", nil
	}
	return line, err
}

func (c debugConsole) Show(text string) {
	if c.t.JSON != nil {
		for line := range strings.Lines(text) {
			c.t.showLine("%s", strings.TrimSuffix(line, "\n"))
		}
		return
	}
	c.t.show(text)
}
