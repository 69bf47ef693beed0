package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/board"
	"arbiter/cmd/arbiter/internal/show"
	"arbiter/interp/session"
	"arbiter/lang/diag"
)

type explainDocument struct {
	*session.Explanation
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

func (a *app) explainCommand() *cobra.Command {
	var s scriptFlags
	deep := ""
	c := &cobra.Command{
		Use:               "explain FILE STAT or ROLL or NAME",
		SuggestFor:        []string{"why"},
		Short:             "Explain why a number is what it is",
		Args:              argCount(2, math.MaxInt),
		ValidArgsFunction: a.completeQuestion("explain "),
	}
	s.add(c)
	c.Flags().StringVar(&deep, "depth", "", "how many stats below one another to explain, or `all`; otherwise those that are a single expression of others")
	c.RunE = runFunc(func(args []string) error {
		depth, err := session.ParseDepth(deep)
		if err != nil {
			return usageError("--depth %w", err)
		}
		script, warnings, err := a.buildScript(args[0], s.houseRules)
		switch {
		case err != nil:
			return err
		case script.Story != nil:
			return usageError("%s is an adventure, where numbers change as the story goes on: `arbiter play %s` plays it, and `?NAME` explains a number there", args[0], args[0])
		}
		what := strings.Join(args[1:], " ")
		explanation, diags, err := session.Explain(script, session.Options{Seed: s.chosenSeed(c)}, what, depth)
		if err != nil { // nothing more is read or written: there is nothing of that name to explain
			return usageError("%w", err)
		}
		if explanation == nil {
			a.rememberSource(session.Question, []byte(what))
			return a.rejectQuestion(diags)
		}
		if a.json {
			a.printJSON(explainDocument{explanation, show.JSON(append(warnings, diags...))})
			return errorIfMistakes(diags)
		}
		text := explanation.Text()
		if explanation.Sheet != nil {
			text = board.New(a.screen.out).Who(explanation.Sheet)
		}
		fmt.Fprintln(a.out, strings.TrimRight(text, "\n"))
		return a.printDiagnostics(append(warnings, diags...))
	})
	return c
}

// rejectQuestion ends a command whose question has no answer. A mistake in the question is not the script's.
func (a *app) rejectQuestion(diags diag.List) error {
	err := a.rejectScript(diags)
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.File == session.Question }) {
		return &exitError{status: exitUsageError}
	}
	return err
}
