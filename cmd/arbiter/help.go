package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arbiter/cmd/arbiter/internal/term"

	"arbiter/lang/words"
)

// This file is `arbiter help`: about a command or a word of the language.

func (a *app) helpCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND | WORD]",
		Short: "Help about a command or a word of the language",
		ValidArgsFunction: func(c *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
			at, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, name := range topicsOf(at) {
				if strings.HasPrefix(name, prefix) {
					names = append(names, name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.RunE = runFunc(func(args []string) error { return a.help(c.Root(), args) })
	return c
}

// showHelp prints the help of a command, also with --help. Arguments of a command that only groups others are misspelled
// commands: they have no help.
func (a *app) showHelp(c *cobra.Command, _ []string) {
	if args := c.Flags().Args(); onlyGroups(c) && len(args) > 0 && c.Name() != "help" {
		if err := rejectUnknownSubcommand(c, args); err != nil {
			a.helpErr = usageError("%w\n%s\n`%s --help` shows more", err, usage(c), c.CommandPath())
			return
		}
	}
	if a.json {
		a.printJSON(newHelpDocument(c))
		return
	}
	if text := cmp.Or(c.Long, c.Short); text != "" {
		fmt.Fprintf(a.out, "%s\n\n", strings.TrimSpace(text))
	}
	fmt.Fprint(a.out, a.paintHelp(c.UsageString()))
}

// paintHelp colors the headings of the usage of a command, the names of commands and flags, and the examples.
func (a *app) paintHelp(text string) string {
	if !a.screen.out.Color {
		return text
	}
	lines, inExamples := strings.Split(text, "\n"), false
	for i, line := range lines {
		name := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(name)]
		switch {
		case line == "" || indent == "" && !strings.HasSuffix(line, ":"):
		case indent == "":
			inExamples = line == "Examples:"
			lines[i] = a.screen.out.Paint(term.Bold, line)
		case inExamples:
			lines[i] = indent + a.screen.out.Paint(term.Cyan, name)
		case strings.Contains(name, "  "):
			name, rest, _ := strings.Cut(name, "  ")
			lines[i] = indent + a.screen.out.Paint(term.Cyan, name) + "  " + rest
		}
	}
	return strings.Join(lines, "\n")
}

// helpDocument is the help of a command.
type helpDocument struct {
	Command  string         `json:"command"`
	Usage    string         `json:"usage"`
	Short    string         `json:"short"`
	Long     string         `json:"long"`
	Examples []string       `json:"examples"`
	Commands []commandEntry `json:"commands"`
	Flags    []flagEntry    `json:"flags"`
}

type commandEntry struct {
	Name  string `json:"name"`
	Short string `json:"short"`
}

type flagEntry struct {
	Name      string `json:"name"`
	Shorthand string `json:"shorthand"`
	Value     string `json:"value"` // what it takes; "" is nothing
	Default   string `json:"default"`
	About     string `json:"about"`
}

func newHelpDocument(c *cobra.Command) helpDocument {
	d := helpDocument{Command: c.CommandPath(), Usage: c.UseLine(), Short: c.Short, Long: c.Long, Examples: []string{}, Commands: []commandEntry{}, Flags: []flagEntry{}}
	for line := range strings.Lines(c.Example) {
		d.Examples = append(d.Examples, strings.TrimSpace(line))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			d.Commands = append(d.Commands, commandEntry{sub.Name(), sub.Short})
		}
	}
	c.InitDefaultHelpFlag()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		value, about := pflag.UnquoteUsage(f)
		d.Flags = append(d.Flags, flagEntry{f.Name, f.Shorthand, value, f.DefValue, about})
	})
	return d
}

// wordsDocument is the help about a word of the language.
type wordsDocument struct {
	Words []wordEntry `json:"words"`
}

type wordEntry struct {
	Word    string   `json:"word"`
	Meaning string   `json:"meaning"`
	Forms   []string `json:"forms"`
}

// eventTopics are words under which one looks for what rules can respond to.
var eventTopics = map[string]bool{"event": true, "events": true, "trigger": true, "triggers": true, "hook": true, "on": true}

// help prints the help of the command or of the word of the language that args names.
func (a *app) help(root *cobra.Command, args []string) error {
	if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
		return c.Help()
	}
	topic := strings.Join(args, " ")
	if eventTopics[topic] && !a.json {
		a.printCoreEvents()
		return nil
	}
	var d wordsDocument
	for _, e := range words.All() {
		if e.Word == topic {
			d.Words = append(d.Words, wordEntry{e.Word, e.Meaning, append([]string{}, e.Forms...)})
			if !a.json {
				a.printWord(e)
			}
		}
	}
	switch {
	case d.Words != nil && a.json:
		a.printJSON(d)
		return nil
	case d.Words != nil:
		return nil
	}
	near := suggestedCommands(root, topic)
	if word := words.Nearest(topic, topicsOf(root)); len(near) == 0 && word != "" {
		near = []string{word}
	}
	if len(near) > 0 {
		return usageError("there is no command or word %s; did you mean %s?", topic, strings.Join(near, " or "))
	}
	return usageError("there is no command or word %s; `arbiter help` lists the commands, spec/language.md the words, and `arbiter rules list RULESET %s` the rules about it", topic, topic)
}

// topicsOf lists the commands below a command and, at the root, the words of the language.
func topicsOf(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if !c.HasParent() {
		for _, e := range words.All() {
			names = append(names, e.Word)
		}
	}
	return names
}
