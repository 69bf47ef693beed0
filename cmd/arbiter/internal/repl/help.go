package repl

import (
	_ "embed"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/stdlib/pattern"
)

// This file is the list of what can be typed.

//go:embed help.txt
var introduction string

const (
	usageColumns = 32                 // for the usage of a command, before what it does
	narrowScreen = 2*usageColumns + 4 // columns below which nothing stands side by side
	usualScreen  = 80
)

var columnGap = pattern.New(` {2,}`)

// helpText lists what can be typed, on a screen of so many columns.
func helpText(columns int) string {
	var b strings.Builder
	put := func(indent, text string) {
		for _, line := range term.Wrap(text, columns, indent, indent) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	pair := func(left, right string) {
		switch gap := usageColumns - len(left); {
		case columns < narrowScreen:
			put("  ", left)
			put("      ", right)
		case gap > 0:
			hanging := strings.Repeat(" ", usageColumns+2)
			lines := term.Wrap(right, columns, hanging, hanging)
			lines[0] = "  " + left + strings.Repeat(" ", gap) + strings.TrimLeft(lines[0], " ")
			b.WriteString(strings.Join(lines, "\n") + "\n")
		default:
			put("  ", left)
			put(strings.Repeat(" ", usageColumns+2), right)
		}
	}
	for line := range strings.Lines(introduction) {
		text := strings.TrimSpace(line)
		parts := columnGap().Split(text, -1)
		switch {
		case line[0] != ' ':
			put("", text)
		case columns >= usualScreen:
			b.WriteString(line)
		case text[0] == '?':
			pair(parts[0], parts[1])
		default: // examples in columns
			for _, x := range parts {
				put("  ", x)
			}
		}
	}
	for _, c := range commands {
		pair(c.usage, c.about)
	}
	return b.String()
}
