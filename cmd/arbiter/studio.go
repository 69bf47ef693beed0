package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/playground"
	"arbiter/cmd/arbiter/internal/studio"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// studioCommand serves a page to the browser of this machine.
func (a *app) studioCommand() *cobra.Command {
	var port int
	var noOpen bool
	var export string
	c := &cobra.Command{
		Use:        "studio [FILE | FOLDER]",
		SuggestFor: []string{"edit", "gui", "web", "serve"},
		Short:      "Open a page to edit rules, watch the fight and see the balance move",
		Args:       argCount(0, 1),
	}
	c.Flags().IntVar(&port, "port", 0, "serve the page at port `N` (default: any that is free)")
	c.Flags().BoolVar(&noOpen, "no-open", false, "print the address, but do not open it in the browser")
	c.Flags().StringVar(&export, "export", "", "write the page into this `DIR` instead, as files that any web server serves; the program runs in the browser")
	c.RunE = runFunc(func(args []string) error {
		if export != "" {
			if c.Flags().Changed("port") || noOpen {
				return usageError("--export only writes files: leave out --port and --no-open")
			}
			return a.exportStudio(args, export)
		}
		switch {
		case a.json:
			return usageError("the page of `arbiter studio` talks JSON by itself: leave out --json")
		case port < 0 || port > 65535:
			return usageError("--port is %d: it must be from 1 to 65535", port)
		}
		folder, file, err := studioFolder(args)
		if err != nil {
			return err
		}
		server, l, err := studio.Listen(studio.Options{
			Folder: folder, File: file, Library: rules.FS, LibraryPrefix: libraryPrefix, KnownCitation: catalogue.Known, Version: version, Language: languageVersion,
			Cache: cacheFolder(), Pause: checkDelay, Log: a.err,
		}, port)
		switch taken := (*net.OpError)(nil); {
		case errors.As(err, &taken) && errors.Is(err, syscall.EADDRINUSE):
			return usageError("port %d is taken by another program: name another one, or leave out --port for any that is free", port)
		case errors.As(err, &taken):
			return fmt.Errorf("port %d cannot be used: %w", port, taken.Err)
		case err != nil:
			return err
		}
		ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
		defer end()
		signal.Stop(interrupts)
		fmt.Fprintf(a.out, "The studio is at %s\n", a.screen.out.Paint(term.Bold, server.Address()))
		fmt.Fprintln(a.out, "Only this machine can open it. Ctrl-C ends it.")
		if !noOpen {
			if err := openInBrowser(server.Address()); err != nil {
				fmt.Fprintf(a.err, "no browser could be started (%s): open the address yourself\n", err)
			}
		}
		return server.Serve(ctx, l)
	})
	return c
}

// exportStudio writes the studio of a folder as static files.
func (a *app) exportStudio(args []string, to string) error {
	folder, file, err := studioFolder(args)
	if err != nil {
		return err
	}
	texts, err := studio.ReadFolder(folder)
	if err != nil {
		return err
	}
	if err := playground.CheckFolder(to); err != nil {
		return usageError("%s: %s", to, err)
	}
	program, err := a.browserProgram()
	if err != nil {
		return err
	}
	written, err := playground.Export(to, a.inBrowser(file), texts, program)
	if err != nil {
		return err
	}
	if a.json {
		a.printJSON(siteDocument{written})
		return nil
	}
	fmt.Fprintf(a.out, "wrote %d files into %s; any web server can serve them, for instance `python3 -m http.server -d %s`\n", len(written), to, to)
	return nil
}

// siteDocument lists what an export has written.
type siteDocument struct {
	Written []string `json:"written"`
}

// inBrowser is how the program begins in a browser.
func (a *app) inBrowser(file string) playground.Config {
	return playground.Config{
		Folder: "/work", Cache: "/library", File: filepath.ToSlash(file), LibraryPrefix: libraryPrefix, Version: version, Language: languageVersion,
		PauseMillis: int(checkDelay.Milliseconds()),
	}
}

// browserProgram is the program for browsers: the one of a release, beside this command, or built from a checkout.
func (a *app) browserProgram() (*playground.Program, error) {
	if exe, err := os.Executable(); err == nil {
		if p, err := playground.Released(filepath.Dir(exe)); err == nil {
			return p, nil
		}
	}
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	if !a.json {
		fmt.Fprintln(a.err, "building the program for browsers; the first time takes a minute or two")
	}
	p, err := playground.Build(ctx)
	if errors.Is(err, playground.ErrNoProgram) {
		return nil, usageError("%s. Run this in a checkout of Arbiter, or put arbiter.wasm.gz and wasm_exec.js of a release beside the command", err)
	}
	return p, err
}

// studioFolder is the folder that the studio shows, and the file in it that is opened first, if one is named.
func studioFolder(args []string) (folder, file string, err error) {
	path := "."
	if len(args) > 0 {
		path = args[0]
	}
	if folder, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		folder, file = filepath.Split(folder)
	}
	folder, err = filepath.EvalSymlinks(folder) // the same paths as a watcher gives
	return folder, file, err
}

// openInBrowser starts the browser of the system.
func openInBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	go func() { _ = c.Wait() }() // how it ends does not matter
	return nil
}
