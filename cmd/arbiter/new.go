package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/start"
	"arbiter/interp/build"
	"arbiter/lang/parse"
)

type newDocument struct {
	Written []string `json:"written"`
	Next    []string `json:"next"` // commands
}

func (a *app) newCommand() *cobra.Command {
	c := &cobra.Command{
		Use:                        "new",
		Short:                      "Create a house ruleset, an encounter, an adventure, a file of tests or a creature",
		Args:                       rejectUnknownSubcommand,
		SuggestionsMinimumDistance: 2,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.newFileCommand("ruleset", "extends", "Create a house ruleset, with its first test"),
		a.newFileCommand("encounter", "with", "Create an encounter that runs"),
		a.newFileCommand("adventure", "with", "Create an adventure, with its first test"),
		a.newFileCommand("tests", "with", "Create a file of golden tests"),
		a.newCreatureCommand(),
	)
	return c
}

// newFileCommand makes the command that starts one kind of file; flag names the ruleset that it is based on.
func (a *app) newFileCommand(kind, flag, short string) *cobra.Command {
	var base string
	c := &cobra.Command{Use: kind + " NAME", Short: short, Args: argCount(1, 1)}
	c.Flags().StringVar(&base, flag, start.DefaultBase(), "the `RULESET` it builds on: a built-in one or one in the same folder")
	mustComplete(c, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return rulesetNames(), noFiles
	})
	c.RunE = runFunc(func(args []string) error {
		p, err := a.plan(kind, args[0], base)
		if err != nil {
			return err
		}
		files, next, err := start.Files(p)
		if err != nil {
			return usageError("%w", err)
		}
		d := newDocument{Written: []string{}, Next: next}
		if err := createFiles(files); err != nil {
			return err
		}
		for _, f := range files {
			d.Written = append(d.Written, f.Path)
		}
		if a.json {
			a.printJSON(d)
			return nil
		}
		fmt.Fprintf(a.out, "wrote %s\n\nnext:\n", strings.Join(d.Written, " and "))
		for _, command := range next {
			fmt.Fprintf(a.out, "  %s\n", command)
		}
		return nil
	})
	return c
}

// plan finds out what the file will be based on.
func (a *app) plan(kind, path, base string) (start.Plan, error) {
	path = strings.TrimSuffix(path, filepath.Ext(path))
	base = strings.TrimSuffix(base, ".rules")
	name := filepath.Base(path)
	if !parse.IsName(name) {
		return start.Plan{}, usageError("%q is not a name: use letters, digits and hyphens, as in my-house", name)
	}
	if kind == "ruleset" && (isEmbedded(name) || name == base) {
		return start.Plan{}, usageError("there already is a ruleset %s: choose another name", name)
	}
	if !parse.IsName(base) {
		return start.Plan{}, usageError("there is no ruleset %q: a house ruleset is in the same folder, in a file of its name", base)
	}
	// Read as if the new file were already there, so that rulesets next to it are found.
	s, diags, err := build.Source(filepath.Join(filepath.Dir(path), "begun.rules"), []byte("ruleset begun extends "+base), (&houseRules{}).buildOptions())
	switch {
	case err != nil:
		return start.Plan{}, err
	case len(diags) > 0 && diags[0].Code == "unknown-ruleset":
		return start.Plan{}, unknownRulesetError(base)
	case s.Rules == nil:
		return start.Plan{}, a.rejectScript(diags)
	}
	return start.Plan{Kind: kind, Path: path, Base: base, Chain: s.Rules.Rulesets()}, nil
}

// createFiles creates all the files or none. None of them may exist.
func createFiles(files []start.File) error {
	for _, f := range files {
		if _, err := os.Lstat(f.Path); err == nil {
			return usageError("%s already exists: choose another name, or move it away", f.Path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for i, f := range files {
		if err := createFile(f); err != nil {
			for _, done := range files[:i] {
				os.Remove(done.Path)
			}
			return err
		}
	}
	return nil
}

func createFile(f start.File) error {
	file, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(f.Text)
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}
