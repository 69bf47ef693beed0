package main

import (
	"strings"

	"github.com/spf13/cobra"

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

// help prints the help of the command or of the word of the language that args names.
func (a *app) help(root *cobra.Command, args []string) error {
	if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
		return c.Help()
	}
	topic := strings.Join(args, " ")
	known := false
	for _, e := range words.All() {
		if e.Word == topic {
			a.printWord(e)
			known = true
		}
	}
	if known {
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
