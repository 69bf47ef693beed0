package prompt

import (
	"os"
	"os/exec"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
)

// This file shows text that is longer than the screen with the pager of the user, as other commands do: $PAGER, or less
// if it is installed. An empty PAGER means that nobody wants one.

// pager shows a text, and reports whether it could.
type pager func(text string) bool

// pagerAt returns the pager of a terminal, nil if there is none.
func pagerAt(out *os.File) pager {
	command, set := os.LookupEnv("PAGER")
	switch path, err := exec.LookPath("less"); {
	case set && command == "":
		return nil
	case !set && err != nil:
		return nil
	case !set:
		command = path
	}
	return func(text string) bool {
		c := exec.Command("sh", "-c", command)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), out, out
		c.Env = os.Environ()
		if os.Getenv("LESS") == "" { // colors stay, the text stays on the screen, and what fits needs no key
			c.Env = append(c.Env, "LESS=FRX")
		}
		return c.Run() == nil
	}
}

// Page implements Editor.
func (t *terminal) Page(text string) error {
	t.mu.Lock()
	columns, rows := t.view.size()
	alone := !t.reading
	t.mu.Unlock()
	if alone && t.pager != nil && rowsOf(text, columns) >= rows && t.pager(text) {
		return nil
	}
	return t.Print(text)
}

// rowsOf counts the rows that a text takes.
func rowsOf(text string, columns int) (rows int) {
	for line := range strings.Lines(text) {
		rows += 1 + max(0, term.Columns(term.Unstyled(strings.TrimRight(line, "\n")))-1)/max(1, columns)
	}
	return rows
}

// Page implements Editor: a pipe needs no pager.
func (p *plain) Page(text string) error { return p.Print(text) }
