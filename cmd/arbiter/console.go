package main

import (
	"errors"

	"arbiter/cmd/arbiter/internal/prompt"
	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
)

// console connects the prompt of a fight to the line editor.
type console struct {
	prompt.Editor
}

// Read implements repl.Console.
func (c console) Read(a repl.ReadOptions) (string, error) {
	p := prompt.Prompt{Text: a.Prompt, More: a.More, Unfinished: a.Unfinished, NoHistory: a.IsAnswer}
	if a.Complete != nil {
		p.Complete = func(text string, at int) prompt.Completion {
			from, list := a.Complete(text, at)
			return prompt.Completion{From: from, Candidates: candidates(list)}
		}
	}
	text, err := c.Editor.Read(p)
	switch {
	case errors.Is(err, prompt.ErrInterrupted):
		err = repl.ErrInterrupted
	case errors.Is(err, prompt.ErrTooLong):
		c.Show("Nothing was done: " + err.Error() + ".\n")
		return "", nil
	}
	return text, err
}

// Show implements repl.Console: text too wide for the screen wraps. Errors of the screen are reported by the next Read.
func (c console) Show(text string) {
	if n := c.Editor.Width(); n > 0 {
		text = term.Fold(text, n)
	}
	c.Editor.Print(text)
}

// Page implements repl.Console.
func (c console) Page(text string) {
	if n := c.Editor.Width(); n > 0 {
		text = term.Fold(text, n)
	}
	c.Editor.Page(text)
}

func candidates(list []session.Candidate) []prompt.Candidate {
	out := make([]prompt.Candidate, len(list))
	for i, x := range list {
		out[i] = prompt.Candidate{Text: x.Text, About: x.About}
	}
	return out
}
