package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/interp/files"
	"arbiter/interp/reading"
)

// exportForm is the form that is written if none is named.
const exportForm = "statblock"

type exportDocument struct {
	Form      string             `json:"form"`
	Written   string             `json:"written"` // "" if no file was
	Creatures []exportedCreature `json:"creatures"`
}

type exportedCreature struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func (a *app) exportCommand() *cobra.Command {
	var h houseRules
	var form, out string
	c := &cobra.Command{
		Use:   "export FILE|RULESET [NAME ...]",
		Short: "Write creatures as stat blocks and as files of other programs",
		Args:  argCount(1, 1000),
	}
	h.add(c)
	c.Flags().StringVar(&form, "as", exportForm, "the `FORM`, as the rules name it: statblock, json, foundry")
	c.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of standard output")
	c.RunE = runFunc(func(args []string) error {
		r, err := a.buildRuleset(args[0], h)
		if err != nil {
			return err
		}
		dir := "."
		if isPath(args[0]) {
			dir = filepath.Dir(args[0])
		}
		o := h.buildOptions()
		w, err := reading.NewWriter(o, dir, r)
		var none *reading.NoWritingError
		switch {
		case errors.As(err, &none):
			return usageError("%w", err)
		case err != nil:
			return err
		case !slices.Contains(w.Forms, form):
			return usageError("%s has no form %s: use one of %s", w.File, form, strings.Join(w.Forms, ", "))
		}
		names := args[1:]
		if len(names) == 0 {
			if names = w.Creatures(r.Name); len(names) == 0 {
				return usageError("%s declares no creatures: name one", args[0])
			}
		}
		d := exportDocument{Form: form, Written: out, Creatures: []exportedCreature{}}
		var text strings.Builder
		for i, name := range names {
			if r.Checked.Lookup(name) == nil {
				return usageError("%s has no creature %s; `arbiter rules list %s creature` lists them", args[0], name, args[0])
			}
			block, err := w.Write(name, form)
			if err != nil {
				return usageError("%w", err)
			}
			if i > 0 {
				text.WriteString("\n")
			}
			text.Write(block)
			d.Creatures = append(d.Creatures, exportedCreature{name, string(block)})
		}
		if out != "" {
			if err := writeExport(out, []byte(text.String())); err != nil {
				return err
			}
		}
		switch {
		case a.json:
			a.printJSON(d)
		case out == "":
			fmt.Fprint(a.out, text.String())
		default:
			fmt.Fprintf(a.out, "wrote %s\n", out)
		}
		return nil
	})
	return c
}

func writeExport(path string, text []byte) error {
	if _, err := os.Stat(path); err != nil {
		return os.WriteFile(path, text, 0o666)
	}
	return files.Replace(path, text)
}
