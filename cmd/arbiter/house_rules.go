package main

import (
	"errors"

	"github.com/spf13/cobra"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/sweep"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// houseRules is the house rules that a command adds and the rulesets that it leaves out.
type houseRules struct {
	with, without []string
	swept         []sweptValue // values that replace the script's own
	optimized     bool         // for many fights, or a long session
}

// sweptValue is one value of a sweep.
type sweptValue struct {
	*sweep.Sweep
	value     int // which of its values
	amendment build.Amendment
}

// add gives a command the flags for house rules.
func (h *houseRules) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&h.with, "with", nil, "add house rules, a `FILE`, a folder or a ruleset by name; may be repeated")
	c.Flags().StringArrayVar(&h.without, "without", nil, "leave out the ruleset `NAME`; may be repeated")
	mustComplete(c, "with", completeRules)
	mustComplete(c, "without", completeRules)
}

// changesRules reports whether the rules differ from the script's own.
func (h *houseRules) changesRules() bool { return len(h.with)+len(h.without) > 0 }

// flagText are the flags for the same house rules, each preceded by a space.
func (h *houseRules) flagText() string {
	text := ""
	for _, name := range h.with {
		text += " --with " + name
	}
	for _, name := range h.without {
		text += " --without " + name
	}
	return text
}

// buildOptions is what every build of a script starts from.
func (h *houseRules) buildOptions() build.Options {
	return build.Options{
		Library: rules.FS, KnownCitation: catalogue.Known, Store: ruleStore(), With: h.with, Without: h.without, Amend: h.amendments(),
		Compile: compile.Options{Unoptimized: !h.optimized},
	}
}

// amendments are the changes to the script that a sweep makes.
func (h *houseRules) amendments() (list []build.Amendment) {
	for _, t := range h.swept {
		list = append(list, t.amendment)
	}
	return list
}

// placeDiagnostics moves diagnostics about swept values to their places on the command line.
func (h *houseRules) placeDiagnostics(list diag.List) diag.List {
	for _, t := range h.swept {
		list = t.Place(list)
	}
	return list
}

// asUsageError turns the error about a ruleset that was to be left out but takes no part into a mistake of the command
// line.
func asUsageError(err error) error {
	if e := (*build.AbsentError)(nil); errors.As(err, &e) {
		return usageError("--without: %w", e)
	}
	return err
}
