package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Versions of this program and of its language.
const (
	version         = "0.1.0"
	languageVersion = 1
)

type versionDocument struct {
	Version  string `json:"version"`
	Language int    `json:"language"`
	Revision string `json:"revision"` // of the source, when it was built from a checkout
	Go       string `json:"go"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and the language",
		Args:  argCount(0, 0),
		RunE:  runFunc(func([]string) error { a.printVersion(); return nil }),
	}
}

// printVersion prints the versions, and the revision of the source if it is known.
func (a *app) printVersion() {
	v := versionDocument{Version: version, Language: languageVersion, Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Revision = s.Value
			}
		}
	}
	if a.json {
		a.printJSON(v)
		return
	}
	fmt.Fprintf(a.out, "arbiter %s, language %d, %s\n", v.Version, v.Language, v.Go)
	if v.Revision != "" {
		fmt.Fprintf(a.out, "revision %s\n", v.Revision)
	}
}
