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

// house is the house rules that a command adds and the rulesets that it leaves out.
type house struct {
	with, without []string
	tried         []trial // values that replace the script's own
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
	// The flag exists: it was added two lines above.
	_ = c.MarkFlagFilename("with", "rules")
}

// any reports whether the rules differ from the script's own.
func (h *house) any() bool { return len(h.with)+len(h.without) > 0 }

// flags are the flags for the same house rules, each preceded by a space.
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

// library is what every build of a script starts from.
func (h *house) library() build.Options {
	return build.Options{Library: rules.FS, KnownCitation: catalogue.Known, With: h.with, Without: h.without, Amend: h.amendments()}
}

// amendments are the changes to the script that a sweep makes.
func (h *house) amendments() (list []build.Amendment) {
	for _, t := range h.tried {
		list = append(list, t.amendment)
	}
	return list
}

// placed moves diagnostics about swept values to their places on the command line.
func (h *house) placed(list diag.List) diag.List {
	for _, t := range h.tried {
		list = t.Place(list)
	}
	return list
}

// asMisuse turns the error about a ruleset that was to be left out but takes no part into a mistake of the command
// line.
func asMisuse(err error) error {
	if e := (*build.AbsentError)(nil); errors.As(err, &e) {
		return misuse("--without: %w", e)
	}
	return err
}
