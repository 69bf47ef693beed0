package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/interp/build"
)

// atTheTable is the script of a prompt that begins with nothing but rules.
const atTheTable = "prompt.encounter"

func (a *app) playCommand() *cobra.Command {
	var s scriptFlags
	var file string
	c := &cobra.Command{
		Use:               "play FILE",
		Short:             "Lead an encounter from a prompt",
		Args:              wants(0, 1),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().StringVar(&file, "session", "", "keep the session in `FILE`, and go on with it if it is there")
	c.RunE = carryOut(func(args []string) error {
		t := &sitting{app: a, house: s.house, seed: s.chosen(c)}
		if err := t.resume(file, slices.Concat(args, []string{""})[0]); err != errNone {
			return err
		}
		if len(args) == 0 {
			return misuse("which encounter? The form is: arbiter play FILE; without one there is `arbiter repl`")
		}
		text, err := build.ReadFile(args[0])
		if err != nil {
			return err
		}
		return t.begin(args[0], text, file)
	})
	return c
}

func (a *app) replCommand() *cobra.Command {
	var s scriptFlags
	var file, rules string
	c := &cobra.Command{
		Use:   "repl",
		Short: "Lead a fight from a prompt, beginning with nothing",
		Args:  wants(0, 0),
	}
	s.add(c)
	c.Flags().StringVar(&rules, "rules", "", "play by the ruleset `NAME`")
	c.Flags().StringVar(&file, "session", "", "keep the session in `FILE`, and go on with it if it is there")
	c.RunE = carryOut(func([]string) error {
		t := &sitting{app: a, house: s.house, seed: s.chosen(c)}
		if err := t.resume(file, ""); err != errNone {
			return err
		}
		if rules == "" {
			return misuse("by which rules? `arbiter repl --rules NAME`; there are: %s", strings.Join(rulesetNames(), ", "))
		}
		return t.begin(atTheTable, []byte("encounter \"at the table\" with "+rules+"\n"), file)
	})
	return c
}
