// Command trees writes the trees of the built-in rulesets for the program of a page, one file for each, so that it need
// not parse the texts inside the browser. It is built from the same sources as that program, by playground.Build.
//
// It must never know what a ruleset says.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"arbiter/cmd/arbiter/internal/playground"
	"arbiter/interp/load"
	"arbiter/rules"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: trees PROGRAM FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write writes the trees for a program into a folder.
func write(program, folder string) error {
	place := load.Place{FS: rules.FS, Prefix: "rules", Fixed: true}
	for _, name := range (&load.Loader{Places: []load.Place{place}}).Names() {
		text, err := load.PackTrees(place, name)
		if err == nil {
			text, err = playground.Pack(playground.Mark(program, text))
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+playground.TreesSuffix), text, 0o666)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
