package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/table"
	"arbiter/interp/build"
)

// promptScript is the script of a prompt that starts with nothing but rules.
const promptScript = "prompt.encounter"

// playFlags are those of a session at a prompt.
type playFlags struct {
	scriptFlags
	file       string
	askChoices bool
	follow     bool
}

func (s *playFlags) add(c *cobra.Command) {
	s.scriptFlags.add(c)
	c.Flags().StringVar(&s.file, "session", "", "save the session to `FILE`, or resume it if the file exists")
	c.Flags().BoolVar(&s.askChoices, "ask", false, "when piped, ask for choices too: each answer is a line")
}

func (a *app) playCommand() *cobra.Command {
	var s playFlags
	c := &cobra.Command{
		Use:               "play FILE",
		Short:             "Run an encounter or play an adventure at a prompt",
		Args:              argCount(0, 1),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().BoolVar(&s.follow, "follow", false, "only watch the session that somebody leads elsewhere")
	c.RunE = runFunc(func(args []string) error {
		if s.follow {
			switch {
			case s.file == "":
				return usageError("--follow watches a session: name its file with --session FILE")
			case len(args) > 0 || len(s.with)+len(s.without) > 0 || s.chosenSeed(c) != nil || s.askChoices:
				return usageError("a session has its script, rules and seed already: arbiter play --session %s --follow", s.file)
			}
			return a.follow(s.file)
		}
		t := a.newPromptSession(s.houseRules, s.chosenSeed(c), s.askChoices)
		if err := t.resume(s.file, slices.Concat(args, []string{""})[0]); err != table.ErrNoSession {
			return err
		}
		if len(args) == 0 {
			return usageError("which encounter or adventure? Usage: arbiter play FILE; to start without one, `arbiter repl`")
		}
		if args[0] == stdin {
			return usageError("standard input is for commands: name the file of the script")
		}
		text, err := build.ReadFile(args[0])
		if err != nil {
			return err
		}
		return t.begin(args[0], text, s.file)
	})
	return c
}

func (a *app) replCommand() *cobra.Command {
	var s playFlags
	var rules string
	c := &cobra.Command{
		Use:   "repl",
		Short: "Set up and run a fight at a prompt, from nothing",
		Args:  argCount(0, 0),
	}
	s.add(c)
	c.Flags().StringVar(&rules, "rules", "", "play by the ruleset `NAME`")
	mustComplete(c, "rules", completeRules)
	c.RunE = runFunc(func([]string) error {
		t := a.newPromptSession(s.houseRules, s.chosenSeed(c), s.askChoices)
		if err := t.resume(s.file, ""); err != table.ErrNoSession {
			return err
		}
		if rules == "" {
			return usageError("which rules? `arbiter repl --rules NAME`, one of: %s", strings.Join(rulesetNames(), ", "))
		}
		return t.begin(promptScript, []byte("encounter \"at the table\" with "+rules+"\n"), s.file)
	})
	return c
}
