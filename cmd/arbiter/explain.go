package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	c := &cobra.Command{
		Use:               "explain FILE STAT or ROLL",
		Short:             "Explain why a number is what it is",
		Args:              argCount(2, math.MaxInt),
		ValidArgsFunction: completeScript,
	}
	s.add(c)
	c.RunE = runFunc(func(args []string) error {
		script, warnings, err := a.script(args[0], s.house)
		switch {
		case err != nil:
			return err
		case script.Story != nil:
			return misuse("%s is an adventure, where numbers change as the story goes on: `arbiter play %s` plays it, and `?NAME` explains a number there", args[0], args[0])
		}
		what := strings.Join(args[1:], " ")
		explanation, found, err := session.Explain(script, session.Options{Seed: s.chosen(c)}, what)
		if err != nil { // nothing more is read or written: there is nothing of that name to explain
			return misuse("%w", err)
		}
		if explanation == nil {
			a.keep(session.Question, []byte(what))
			return a.unexplained(found)
		}
		if a.json {
			a.document(explainDocument{explanation, show.JSON(append(warnings, found...))})
			return scriptsFaultOf(found)
		}
		fmt.Fprintln(a.out, strings.TrimRight(explanation.Text(), "\n"))
		return a.diagnose(append(warnings, found...))
	})
	return c
}

// unexplained ends a command whose question has no answer. A mistake in the question is not the script's.
func (a *app) unexplained(found diag.List) error {
	err := a.refuse(found)
	if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.File == session.Question }) {
		return &fault{status: commandsFault}
	}
	return err
}
