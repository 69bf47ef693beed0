package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/diag"
)

type runDocument struct {
	*session.Result
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

func (a *app) runCommand() *cobra.Command {
	var s scriptFlags
	var takes []string
	var habit, page string
	c := &cobra.Command{
		Use:               "run FILE",
		SuggestFor:        []string{"fight", "start"},
		Short:             "Run an encounter or an adventure to its end",
		Args:              argCount(1, 1),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.Flags().StringArrayVar(&takes, "take", nil, "in an adventure, take the choice labelled `LABEL`, or number N; repeat it for later choices")
	c.Flags().StringVar(&habit, "habit", "curious", "how other choices are made, a `HABIT`: curious (the least taken), first, chance")
	c.Flags().StringVar(&page, "html", "", "write a page to `FILE` that shows the run step by step, on the map, with every number explained")
	c.RunE = runFunc(func(args []string) error {
		if err := checkPagePath("--html", page); err != nil {
			return err
		}
		how, known := session.Habits[habit]
		if !known {
			return usageError("there is no habit %s; use curious, first or chance", habit)
		}
		script, warnings, err := a.buildScript(args[0], s.houseRules)
		if err != nil {
			return err
		}
		if script.Story == nil && (c.Flags().Changed("take") || c.Flags().Changed("habit")) {
			return usageError("%s is not an adventure: there is nothing to choose", args[0])
		}
		if script.Story == nil && session.OnlySetsUp(script.File.Body) {
			return usageError("%s sets up a fight, but nothing happens in it: end it with `fight on` to let tactics play, or play it yourself with `arbiter play %s`", args[0], args[0])
		}
		// The expectations of the script were written for its own seed and rules.
		o := session.Options{Seed: s.chosenSeed(c), Unchecked: s.chosenSeed(c) != nil || s.changesRules(), Takes: takes, Habit: how, Record: page != ""}
		if !a.json {
			a.printDiagnostics(warnings)
			o.Out, o.Paint, o.Forgetful = a.out, a.paint, true
			o.Width, o.Columns = a.width, term.Columns
		}
		result := session.Run(script, o)
		pageErr := a.writeReplay(page, result.Replay)
		if a.json {
			a.printJSON(runDocument{result, show.JSON(append(warnings, result.Failures...))})
			return cmp.Or(errorIfMistakes(result.Failures), pageErr)
		}
		return cmp.Or(a.printDiagnostics(result.Failures), pageErr)
	})
	return c
}

// transcriptStyles are the colors of a transcript.
var transcriptStyles = map[session.Look]term.Style{
	session.LookRound: term.Yellow, session.LookAction: term.Bold, session.LookFailure: term.Dim, session.LookLoss: term.Red,
	session.LookGain: term.Green, session.LookGround: term.Dim, session.LookFriend: term.Cyan, session.LookFoe: term.Red, session.LookFallen: term.Dim,
	session.LookTitle: term.Bold, session.LookChoice: term.Cyan, session.LookStrong: term.Bold, session.LookEmphasis: term.Italic,
}

// paint colors a transcript, where colors are shown.
func (a *app) paint(look session.Look, text string) string {
	return a.screen.out.Paint(transcriptStyles[look], text)
}

// width of the screen in columns, 0 for a pipe.
func (a *app) width() int { return a.screen.out.Width }

// scriptFlags are the flags of commands that play a script.
type scriptFlags struct {
	seed uint64
	houseRules
}

func (s *scriptFlags) add(c *cobra.Command) {
	c.Flags().Uint64Var(&s.seed, "seed", 0, "the seed `N` of the dice (default: the script's)")
	s.houseRules.add(c)
}

// chosenSeed returns the seed if one was given, else nil.
func (s *scriptFlags) chosenSeed(c *cobra.Command) *uint64 {
	if c.Flags().Changed("seed") {
		return &s.seed
	}
	return nil
}

// rejectIncluded rejects a file that another one includes.
func rejectIncluded(path string) error {
	return usageError("%s is part of an adventure: name the file that includes it; or give it rules of its own: adventure \"TITLE\" with NAME", path)
}

// buildScript builds the file of an encounter; the diagnostics that it returns are warnings.
func (a *app) buildScript(path string, h houseRules) (*build.Script, diag.List, error) {
	s, diags, err := a.build(path, h.buildOptions())
	diags = h.placeDiagnostics(diags)
	switch {
	case err != nil:
		return nil, nil, err
	case s != nil && s.IsPart():
		return nil, nil, rejectIncluded(path)
	case diags.HasErrors() || s == nil || s.Rules == nil:
		return nil, nil, a.rejectScript(diags)
	}
	switch word := s.Head.Word.Name; word {
	case "ruleset":
		return nil, nil, usageError("%s is a ruleset, not a fight: check it with `arbiter check`, or add it to an encounter with --with", path)
	case "tests":
		return nil, nil, usageError("%s is a file of tests: run it with `arbiter test`", path)
	}
	return s, diags, nil
}

// buildFight is like buildScript, but for a fight that is played many times: it rejects stories, and optimizes.
func (a *app) buildFight(path string, h houseRules) (*build.Script, diag.List, error) {
	h.optimized = true
	s, diags, err := a.buildScript(path, h)
	if err == nil && s.Story != nil {
		return nil, nil, usageError("%s is an adventure, but an encounter is needed here; `arbiter sim %s` plays an adventure and its fights many times", path, path)
	}
	return s, diags, err
}

// completeScript lets the shell complete one file.
func completeScript(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"encounter", "adventure"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeScripts lets the shell complete any number of files.
func completeScripts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return completeScript(nil, nil, "")
}
