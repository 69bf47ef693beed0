package main

import (
	"errors"

	"github.com/spf13/cobra"

	"arbiter/interp/build"
	"arbiter/interp/sweep"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// house is which house rules a command adds, and which rulesets it leaves out.
type house struct {
	with, without []string
	tried         []trial // values that the script is to have instead of its own
}

// trial is one value of a sweep.
type trial struct {
	*sweep.Sweep
	amendment build.Amendment
}

// add gives a command the flags for house rules.
func (h *house) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&h.with, "with", nil, "add house rules, a `FILE` or a folder; may be repeated")
	c.Flags().StringArrayVar(&h.without, "without", nil, "leave out the ruleset `NAME`; may be repeated")
	// The flag exists: it was added two lines before.
	_ = c.MarkFlagFilename("with", "rules")
}

// any tells whether the rules are others than the script's own.
func (h *house) any() bool { return len(h.with)+len(h.without) > 0 }

// flags are those that ask for the same house rules once more, each behind a space.
func (h *house) flags() string {
	text := ""
	for _, name := range h.with {
		text += " --with " + name
	}
	for _, name := range h.without {
		text += " --without " + name
	}
	return text
}

// library gives what every build of a script starts from.
func (h *house) library() build.Options {
	return build.Options{Library: rules.FS, Known: catalogue.Known, With: h.with, Without: h.without, Amend: h.amendments()}
}

// amendments are what a script says otherwise.
func (h *house) amendments() (list []build.Amendment) {
	for _, t := range h.tried {
		list = append(list, t.amendment)
	}
	return list
}

// placed gives diagnostics of values that are tried the places of the command line.
func (h *house) placed(list diag.List) diag.List {
	for _, t := range h.tried {
		list = t.Place(list)
	}
	return list
}

// absent makes a mistake of the command line of a ruleset that was to be left out and takes no part.
func absent(err error) error {
	if e := (*build.AbsentError)(nil); errors.As(err, &e) {
		return misuse("--without: %w", e)
	}
	return err
}
