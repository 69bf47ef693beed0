package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/lang/words"
	"arbiter/stdlib/logbook"
)

// app is what all commands share: where and how they print.
type app struct {
	in          io.Reader
	disk        logbook.FS // where sessions are kept
	out         *output
	err         io.Writer
	screen      struct{ out, err term.Screen }
	json        bool              // one JSON document on out, and nothing else
	allMistakes bool              // all mistakes are shown, however many there are
	sources     map[string][]byte // the source of the files that messages quote, by name
	helpErr     error             // why the help that was asked for is not the right one
	typed       []byte            // all of standard input, once it has been read as a script
}

// Main runs a command line and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr *os.File) (status int) {
	a := &app{in: stdin, disk: logbook.Disk}
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		if os.Getenv("GOTRACEBACK") != "" { // somebody looks for the bug
			panic(x)
		}
		status = exitIOError
		a.printError(fmt.Errorf("this is a bug in arbiter: %v; please report it, with the command and its files", x), wantsJSON(args))
	}()
	a.screen.out, a.screen.err = term.ScreenOf(stdout), term.ScreenOf(stderr)
	a.out = &output{w: stdout, folder: &term.Folder{Out: stdout, Screen: a.screen.out}}
	a.err = &term.Folder{Out: stderr, Screen: a.screen.err}
	root := a.rootCommand()
	args = addSecondDashes(root, args)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	c, err := root.ExecuteC()
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		err = badValueError(wrong.GetFlag(), wrong.GetValue())
	}
	if wrong := (*pflag.NotExistError)(nil); errors.As(err, &wrong) {
		err = unknownFlagError(c, err, wrong)
	}
	if err != nil && !hasExitStatus(err) { // from cobra itself: an unknown command or flag, a wrong number of arguments
		err = usageError("%w\n%s\n`%s --help` shows more", err, usage(c), c.CommandPath())
	}
	if err == nil {
		err = a.out.err
	}
	if err == nil {
		err = a.helpErr
	}
	a.printError(explainFileError(err), wantsJSON(args))
	ruleStore().Wait()
	return exitStatusOf(err)
}

// usage says how a command is called, or lists the subcommands of a command that only groups others.
func usage(c *cobra.Command) string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if len(names) == 0 {
		return "usage: " + c.UseLine()
	}
	return "the commands of " + c.CommandPath() + " are " + strings.Join(names, ", ")
}

// flagTypeHelp describes what a flag takes, by pflag's type name, with an example.
var flagTypeHelp = map[string][2]string{
	"uint64": {"a whole number, 0 or more", " 7"}, "int": {"a whole number", " 4"}, "int64": {"a whole number", " 4"},
	"count": {"a whole number, such as 5000, 10k or 1m", " 10k"}, "float64": {"a number", " 95"}, "bool": {"true or false", "=true"},
}

// badValueError says what is wrong with the value of a flag, and what the flag takes.
func badValueError(f *pflag.Flag, value string) error {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	kind, known := flagTypeHelp[f.Value.Type()]
	if !known {
		return fmt.Errorf("%s cannot be %q: it is %s", name, value, f.Usage)
	}
	return fmt.Errorf("%s needs %s, not %q, as in `--%s%s`", name, kind[0], value, f.Name, kind[1])
}

// unknownFlagError adds to the error about an unknown flag the nearest flag that the command has.
func unknownFlagError(c *cobra.Command, err error, wrong *pflag.NotExistError) error {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := words.Nearest(wrong.GetSpecifiedName(), names)
	if wrong.GetSpecifiedShortnames() != "" {
		return err
	}
	if near == "" {
		for _, other := range c.Root().Commands() {
			if other.Flags().Lookup(wrong.GetSpecifiedName()) != nil {
				return fmt.Errorf("%w; `%s` has one", err, other.CommandPath())
			}
		}
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, near)
}

// printError prints the error that ended a command, unless the command has already said everything.
func (a *app) printError(err error, asJSON bool) {
	var f *exitError
	if err == nil || errors.As(err, &f) && f.err == nil {
		return
	}
	fmt.Fprintf(a.err, "%s %s\n", a.screen.err.Paint(term.Bold, "arbiter:"), err)
	if asJSON && a.out.err == nil && !a.out.used {
		a.printJSON(struct {
			Error errorDocument `json:"error"`
		}{errorDocument{exitStatusOf(err), err.Error()}})
	}
}

type errorDocument struct {
	Status  int    `json:"status"`
	Message string `json:"message"`
}

// addSecondDashes adds the second dash to a long flag that was written with one, as Go's own commands allow.
func addSecondDashes(root *cobra.Command, args []string) []string {
	known := map[string]bool{}
	var gather func(c *cobra.Command)
	gather = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range c.Commands() {
			gather(sub)
		}
	}
	gather(root)
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && known[name] {
			out[i] = "-" + arg
		}
	}
	return out
}

// wantsJSON looks for the flag when the command line could not be parsed.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// printJSON prints a command's single JSON document.
func (a *app) printJSON(v any) {
	a.out.raw = true
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil && a.out.err == nil {
		a.out.err = err
	}
}

// runFunc makes the function of a cobra command. An error from do is not a mistake in the command line unless it is
// marked as one.
func runFunc(do func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		err := asUsageError(do(args))
		if err != nil && !hasExitStatus(err) {
			err = &exitError{exitIOError, err}
		}
		return err
	}
}

func hasExitStatus(err error) bool {
	var f *exitError
	return errors.As(err, &f)
}

// output remembers the first error of standard output: a full disk must not go unnoticed.
type output struct {
	w      io.Writer
	folder io.Writer // breaks lines for a screen; nil leaves them as they are
	raw    bool      // the output is not only for reading: lines stay as they are
	used   bool
	err    error
}

func (o *output) Write(p []byte) (int, error) {
	o.used = true
	w := o.w
	if o.folder != nil && !o.raw {
		w = o.folder
	}
	n, err := w.Write(p)
	if err != nil && o.err == nil {
		o.err = &exitError{exitIOError, err}
	}
	return n, err
}

// argCount accepts between least and most arguments.
func argCount(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < least:
			return fmt.Errorf("%s expected, %d given", countText(least, "argument"), n)
		case n > most && filepath.Ext(args[most]) == ".rules" && c.Flags().Lookup("with") != nil:
			return fmt.Errorf("unexpected argument %q; add house rules by `--with %s`", args[most], args[most])
		case n > most:
			return fmt.Errorf("unexpected argument %q", args[most])
		}
		return nil
	}
}

// rejectUnknownSubcommand rejects arguments of a command that only groups others: they are misspelled names.
func rejectUnknownSubcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	switch ext := filepath.Ext(args[0]); {
	case ext == ".encounter" || ext == ".adventure":
		hint = fmt.Sprintf("; `arbiter run %s` plays it to its end, `arbiter play %s` lets you lead", args[0], args[0])
	case ext == ".rules":
		hint = fmt.Sprintf("; `arbiter check %s` looks for mistakes", args[0])
	case ext == ".tests":
		hint = fmt.Sprintf("; `arbiter test %s` runs the tests", args[0])
	case isEmbedded(args[0]):
		hint = fmt.Sprintf("; `arbiter rules list %s` lists what this ruleset defines", args[0])
	default:
		if near := suggestedCommands(c, args[0]); len(near) > 0 {
			hint = "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return fmt.Errorf("there is no command %s%s", args[0], hint)
}

// suggestedCommands lists the subcommands that a word most likely means: those that it is another word for, else those
// that are similar.
func suggestedCommands(c *cobra.Command, word string) []string {
	for _, sub := range c.Commands() {
		if slices.Contains(sub.SuggestFor, word) {
			return []string{sub.Name()}
		}
	}
	return c.SuggestionsFor(word)
}

// countText formats a count: 1 file, 2 files, 3 losses.
func countText[N int | int64 | uint64](n N, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
