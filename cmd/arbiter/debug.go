package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/debugadapter"
	"arbiter/cmd/arbiter/internal/debugprompt"
	"arbiter/cmd/arbiter/internal/prompt"
	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/lang/diag"
)

// debugCommand talks to an editor, over standard input and output or over a socket of this computer.
func (a *app) debugCommand() *cobra.Command {
	listen, atPrompt := "", false
	c := &cobra.Command{
		Use:               "debug [FILE]",
		SuggestFor:        []string{"dap", "debugger", "gdb"},
		Short:             "Let an editor debug a script: stop in rules, look at everything, go back, set dice",
		Args:              argCount(0, 1),
		ValidArgsFunction: completeScript,
	}
	c.Flags().StringVar(&listen, "listen", "", "wait for editors at `ADDRESS` of this computer, such as 127.0.0.1:4711, instead of standard input and output")
	c.Flags().BoolVar(&atPrompt, "prompt", false, "debug FILE at a prompt, without an editor")
	c.RunE = runFunc(func(args []string) error {
		if a.json {
			return usageError("`arbiter debug` always talks JSON: leave out --json")
		}
		o := debugadapter.Options{Build: a.buildLaunch}
		if len(args) > 0 {
			o.Program = args[0]
			if _, err := a.buildLaunch(debugadapter.Launch{Program: o.Program}); err != nil {
				return &exitError{exitScriptError, err}
			}
		}
		if atPrompt {
			if len(args) == 0 || listen != "" {
				return usageError("--prompt needs a FILE, and no --listen")
			}
			return a.debugAtPrompt(args[0])
		}
		if listen != "" {
			return a.serveEditors(listen, o)
		}
		if f, ok := a.in.(*os.File); ok && term.ScreenOf(f).Terminal {
			fmt.Fprintln(a.err, "Waiting for an editor; spec/debugging.md shows how to set one up. Ctrl-C ends it.")
		}
		return debugadapter.Serve(a.in, a.out.w, o)
	})
	return c
}

// debugAtPrompt debugs a script at a prompt, from its first statement.
func (a *app) debugAtPrompt(path string) error {
	s, err := a.buildLaunch(debugadapter.Launch{Program: path})
	if err != nil {
		return &exitError{exitScriptError, err}
	}
	out := io.Writer(a.out)
	if a.screen.out.Terminal {
		out = a.out.w // the editor wants the terminal itself
	}
	editor := prompt.Open(prompt.Options{In: a.in, Out: out, Err: a.err, History: prompt.HistoryPath()})
	defer editor.Close()
	stopped, end := stopCommandOnInterrupt()
	defer end()
	_, err = debugprompt.Run(s, &debugprompt.Points{}, debugConsole{console{editor}}, debugprompt.Start{Stop: true, Stopped: stopped})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// debugConsole is a console for the debugger.
type debugConsole struct{ console }

func (c debugConsole) Read(question string) (string, error) {
	line, err := c.console.Read(repl.ReadOptions{Prompt: question})
	if errors.Is(err, repl.ErrInterrupted) {
		return "", nil
	}
	return line, err
}

// buildLaunch builds the script of a launch. All its mistakes are in the error.
func (a *app) buildLaunch(l debugadapter.Launch) (*build.Script, error) {
	if l.Program == stdin {
		return nil, usageError("standard input is the editor's: name a file")
	}
	h := houseRules{with: l.With, without: l.Without}
	s, diags, err := a.build(l.Program, h.buildOptions())
	switch {
	case err != nil:
		return nil, err
	case s == nil || s.Rules == nil || diags.HasErrors():
		var text bytes.Buffer
		newPrinter(&text, term.Screen{}, true, source).PrintAll(onlyErrors(h.placeDiagnostics(diags)))
		return nil, errors.New(strings.TrimSpace(text.String()))
	case s.IsPart():
		return nil, rejectIncluded(l.Program)
	case s.Head.Word.Name == "ruleset" || s.Head.Word.Name == "tests":
		return nil, fmt.Errorf("%s is no script that can be played: debug an encounter or an adventure that uses it", l.Program)
	}
	return s, nil
}

func onlyErrors(list diag.List) (errs diag.List) {
	for _, d := range list {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	return errs
}

// serveEditors serves one editor after the other.
func (a *app) serveEditors(address string, o debugadapter.Options) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError("--listen is %s: it must be an address of this computer and a port, such as 127.0.0.1:4711: whoever connects may read files", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "Waiting for an editor at %s. Ctrl-C ends it.\n", l.Addr())
	defer l.Close()
	var one sync.Mutex
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		one.Lock()
		go func() {
			defer one.Unlock()
			defer c.Close()
			if err := debugadapter.Serve(c, c, o); err != nil {
				fmt.Fprintln(a.err, err)
			}
		}()
	}
}
