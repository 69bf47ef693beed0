package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
)

// The help is text and not code: its examples are about rulesets, about which no Go file knows anything.
//
//go:embed help/*.txt
var helpTexts embed.FS

// rootCommand builds the whole command tree.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:                        "arbiter",
		Short:                      "Rules as code for d20-family tabletop combat",
		Args:                       rejectUnknownSubcommand,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		SilenceUsage:               true,
	}
	var showVersion bool
	root.Flags().BoolVar(&showVersion, "version", false, "print the versions of the program and the language")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if showVersion {
			a.printVersion()
			return nil
		}
		return c.Help()
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON document on standard output and nothing else")
	root.AddCommand(
		a.runCommand(),
		a.playCommand(),
		a.replCommand(),
		a.checkCommand(),
		a.lintCommand(),
		a.fmtCommand(),
		a.testCommand(),
		a.explainCommand(),
		a.oddsCommand(),
		a.adviseCommand(),
		a.rateCommand(),
		a.simCommand(),
		a.compareCommand(),
		a.balanceCommand(),
		a.sensitivityCommand(),
		a.mergeCommand(),
		a.sweepCommand(),
		a.workerCommand(),
		a.debugCommand(),
		a.profileCommand(),
		a.benchCommand(),
		a.rulesCommand(),
		a.docCommand(),
		a.studioCommand(),
		a.lspCommand(),
		a.newCommand(),
		a.importCommand(),
		a.exportCommand(),
		a.rollCommand(),
		a.versionCommand(),
	)
	root.SetHelpCommand(a.helpCommand())
	root.SetHelpFunc(a.showHelp)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if onlyGroups(c) {
			c.Args = rejectUnknownSubcommand
		}
	}
	addHelp(root, "arbiter")
	if n := a.screen.out.Width; n > 0 {
		wrapHelp(root, n)
	}
	return root
}

// onlyGroups reports whether a command does nothing by itself: what follows it is another command.
func onlyGroups(c *cobra.Command) bool {
	return c.HasSubCommands() && !strings.Contains(c.Use, " ")
}

// addHelp gives a command and its subcommands their help from the file that is named after them. Such a file has what
// the command does, a line with three dashes, and examples.
func addHelp(c *cobra.Command, name string) {
	if text, err := helpTexts.ReadFile("help/" + name + ".txt"); err == nil {
		long, examples, _ := strings.Cut(string(text), "---\n")
		c.Long = c.Short + ".\n\n" + strings.TrimSpace(long)
		c.Example = "  " + strings.ReplaceAll(strings.TrimSpace(examples), "\n", "\n  ")
	}
	for _, sub := range c.Commands() {
		addHelp(sub, strings.TrimPrefix(name+"-"+sub.Name(), "arbiter-"))
	}
}

// wrapHelp wraps the help of a command and its subcommands to the width of the screen.
func wrapHelp(c *cobra.Command, columns int) {
	c.Long = term.Reflow(c.Long, columns)
	for _, sub := range c.Commands() {
		wrapHelp(sub, columns)
	}
}
