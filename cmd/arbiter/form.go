package main

import (
	"cmp"

	"github.com/spf13/cobra"
)

// This file is the forms in which numbers are printed.

// form is how numbers are printed: for a person, in columns for another program, and as a chart. JSON is not among
// them: every command has --json.
type form struct {
	csv  bool
	plot string // a file, "" for none
}

// shown adds the flags that choose the form. with is the prefix of their help that names the flag they need, if any.
func (f *form) shown(c *cobra.Command, with string) {
	c.Flags().BoolVar(&f.csv, "csv", false, with+"print the numbers as comma-separated values")
	c.Flags().StringVar(&f.plot, "plot", "", with+"write the chart to `FILE`, .svg or .png")
}

// showing validates these flags.
func (a *app) showing(f *form) error {
	switch {
	case f.csv && a.json:
		return misuse("--csv and --json cannot be combined: each replaces the whole output")
	case f.plot != "":
		return checkPicturePath(f.plot)
	}
	return nil
}

// formed draws a result if that was asked for, and prints it as a document, in columns, or for a person.
func (a *app) formed(f *form, document any, drawn func() *picture, columns func() [][]string, told func()) error {
	var undrawn error // a failed chart must not withhold the numbers
	if f.plot != "" {
		undrawn = drawn().write(f.plot)
	}
	switch {
	case a.json:
		a.document(document)
	case f.csv:
		return cmp.Or(a.separated(columns()), undrawn)
	default:
		told()
	}
	return undrawn
}
