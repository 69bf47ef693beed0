package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/files"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

type fmtDocument struct {
	Files       []fmtFile         `json:"files"`
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

type fmtFile struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Diff    string `json:"diff"`
}

func (a *app) fmtCommand() *cobra.Command {
	var list, differences, write bool
	c := &cobra.Command{
		Use:        "fmt [PATH...]",
		SuggestFor: []string{"format"},
		Short:      "Format scripts in the canonical style",
	}
	c.Flags().BoolVarP(&list, "list", "l", false, "list the files that are not formatted")
	c.Flags().BoolVarP(&differences, "diff", "d", false, "show what would change")
	c.Flags().BoolVarP(&write, "write", "w", false, "write the files instead of printing them")
	c.RunE = runFunc(func(args []string) error {
		if len(args) == 0 {
			args = []string{"."}
		}
		paths := args
		if len(args) != 1 || args[0] != stdin {
			var err error
			if paths, err = files.Find(args, files.Kinds); err != nil {
				return err
			}
		} else if write {
			return usageError("standard input cannot be rewritten: leave out -w, or name a file")
		}
		d := fmtDocument{Files: []fmtFile{}}
		var allDiags diag.List
		different := false
		for _, path := range paths {
			name, src, err := a.readScript(path)
			if err != nil {
				return err
			}
			a.rememberSource(name, src)
			f, diags := parse.File(name, src)
			allDiags = append(allDiags, diags...)
			if diags.HasErrors() {
				continue // what does not parse cannot be formatted
			}
			text := format.Format(f, src)
			changed := !bytes.Equal(src, text)
			different = different || changed
			difference := string(diff.Diff(name, src, name+" (formatted)", text))
			d.Files = append(d.Files, fmtFile{name, changed, difference})
			if write && changed {
				if err := files.Replace(path, text); err != nil {
					return err
				}
			}
			if a.json {
				continue
			}
			if list && changed {
				fmt.Fprintln(a.out, name)
			}
			if differences {
				a.printFileDiff(difference)
			}
			if !list && !differences && !write {
				a.out.raw = true
				fmt.Fprint(a.out, string(text))
			}
		}
		if a.json {
			d.Diagnostics = show.JSON(allDiags)
			a.printJSON(d)
		} else {
			a.printDiagnostics(allDiags)
		}
		if (list || differences) && !write && different {
			return errMistakes
		}
		return errorIfMistakes(allDiags)
	})
	return c
}

// printFileDiff prints a unified diff, in color where colors are shown.
func (a *app) printFileDiff(text string) {
	a.out.raw = true // a diff can be applied
	if !a.screen.out.Color {
		fmt.Fprint(a.out, text)
		return
	}
	for line := range strings.Lines(text) {
		line, end := strings.CutSuffix(line, "\n")
		style := term.Style("")
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
			style = term.Bold
		case strings.HasPrefix(line, "@@"):
			style = term.Cyan
		case strings.HasPrefix(line, "+"):
			style = term.Green
		case strings.HasPrefix(line, "-"):
			style = term.Red
		}
		if style != "" {
			line = a.screen.out.Paint(style, line)
		}
		fmt.Fprint(a.out, line)
		if end {
			fmt.Fprintln(a.out)
		}
	}
}
