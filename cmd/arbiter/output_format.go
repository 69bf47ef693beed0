package main

import (
	"cmp"

	"github.com/spf13/cobra"
)

// This file is the forms in which numbers are printed.

// outputFormat is how numbers are printed: for a person, in columns for another program, and as a chart. JSON is not
// among them: every command has --json.
type outputFormat struct {
	csv  bool
	plot string // a file, "" for none
}

// addFormatFlags adds the flags that choose the form. prefix is the part of their help that names the flag they need,
// if any.
func (f *outputFormat) addFormatFlags(c *cobra.Command, prefix string) {
	c.Flags().BoolVar(&f.csv, "csv", false, prefix+"print the numbers as comma-separated values")
	c.Flags().StringVar(&f.plot, "plot", "", prefix+"write the chart to `FILE`, .svg or .png")
}

// checkFormat validates these flags.
func (a *app) checkFormat(f *outputFormat) error {
	switch {
	case f.csv && a.json:
		return usageError("--csv and --json cannot be combined: each replaces the whole output")
	case f.plot != "":
		return checkPicturePath(f.plot)
	}
	return nil
}

// outputResult draws a result if that was asked for, and prints it as a document, in columns, or for a person.
func (a *app) outputResult(f *outputFormat, doc any, draw func() *picture, csvRows func() [][]string, printText func()) error {
	var drawErr error // a failed chart must not withhold the numbers
	if f.plot != "" {
		drawErr = draw().write(f.plot)
	}
	switch {
	case a.json:
		a.printJSON(doc)
	case f.csv:
		return cmp.Or(a.printCSV(csvRows()), drawErr)
	default:
		printText()
	}
	return drawErr
}
