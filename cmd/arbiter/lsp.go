package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/langserver"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// lspCommand talks to an editor. --stdio is accepted because many editors add it; there is no other transport.
func (a *app) lspCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: mistakes as you type, definitions, completion, highlighting",
		Args:  argCount(0, 0),
		RunE: runFunc(func([]string) error {
			if a.json {
				return usageError("`arbiter lsp` always talks JSON: leave out --json")
			}
			if f, ok := a.in.(*os.File); ok && term.ScreenOf(f).Terminal {
				fmt.Fprintln(a.err, "Waiting for an editor; spec/editors.md shows how to set one up. Ctrl-C ends it.")
			}
			return langserver.Serve(context.Background(), editorStream{a.in, a.out.w}, langserver.Options{
				Library: rules.FS, LibraryPrefix: libraryPrefix, KnownCitation: catalogue.Known, Version: version, Log: a.err, Pause: checkDelay, Cache: cacheFolder(),
			})
		}),
	}
	c.Flags().Bool("stdio", true, "talk over standard input and output (always on)")
	return c
}

// checkDelay is how long a text must have been left alone before it is checked.
const checkDelay = 150 * time.Millisecond

// cacheFolder is where embedded rules are written for an editor to open: one folder per version, "" if there is no
// place.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "arbiter", version, "rules")
}

// editorStream is the stream to and from an editor.
type editorStream struct {
	io.Reader
	io.Writer
}

// Close ends the connection. The editor closes what it has opened.
func (editorStream) Close() error { return nil }
