package main

import (
	"bufio"
	"io"
	"strings"

	"arbiter/cmd/arbiter/internal/repl"
)

// plainConsole reads lines without any editing.
type plainConsole struct {
	in  *bufio.Reader
	out io.Writer
}

func newLines(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }

func (c *plainConsole) Read(a repl.Ask) (string, error) {
	text := ""
	for {
		line, err := c.in.ReadString('\n')
		text += line
		switch {
		case err != nil && strings.TrimSpace(text) == "":
			return "", err
		case err != nil || a.Unfinished == nil || !a.Unfinished(text):
			return text, nil
		}
	}
}

func (c *plainConsole) Show(text string) { io.WriteString(c.out, text) }
