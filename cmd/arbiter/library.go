package main

import (
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/rules"
)

// libraryPrefix is the prefix under which places in the embedded rulesets are shown.
const libraryPrefix = "rules/"

// rulesetNames lists the embedded rulesets.
func rulesetNames() []string {
	return (&load.Loader{Places: []load.Place{{FS: rules.FS}}}).Names()
}

// rulesetWith returns an embedded ruleset that is not in play, declares a thing of that name, and extends only what is in
// play; or "".
func (t *promptSession) rulesetWith(name string) string {
	inPlay := t.Live.Rules().Rulesets()
	declared := regexp.MustCompile(`(?m)^[a-z-]+ ` + regexp.QuoteMeta(name) + `( |$)`)
	l := &load.Loader{Places: []load.Place{{FS: rules.FS}}}
	for _, ruleset := range rulesetNames() {
		if slices.Contains(inPlay, ruleset) {
			continue
		}
		needed, _ := l.Load(ruleset)
		for _, r := range needed {
			if r.Name != ruleset && !slices.Contains(inPlay, r.Name) {
				break
			}
			if r.Name == ruleset && slices.ContainsFunc(r.Files, func(f *ast.File) bool { return declared.Match(source(libraryPrefix + f.Path)) }) {
				return ruleset
			}
		}
	}
	return ""
}

// source returns the text of a file that a diagnostic names: a file of the user's, or an embedded one.
func source(file string) []byte {
	if text, err := build.ReadFile(file); err == nil {
		return text
	}
	text, _ := fs.ReadFile(rules.FS, strings.TrimPrefix(file, libraryPrefix))
	return text
}

// stdin is the path that means standard input, and stdinName what messages call it.
const stdin, stdinName = "-", "standard input"

// readScript reads a file or standard input, and returns the name that messages use for it.
func (a *app) readScript(path string) (name string, text []byte, err error) {
	if path != stdin {
		text, err = build.ReadFile(path)
		return path, text, err
	}
	if a.typed == nil {
		a.typed, err = io.ReadAll(io.LimitReader(a.in, parse.MaxSource+1))
		a.rememberSource(stdinName, a.typed)
	}
	return stdinName, a.typed, err
}

// build builds a file or standard input, whose rulesets are looked for in the current folder.
func (a *app) build(path string, o build.Options) (*build.Script, diag.List, error) {
	if path != stdin {
		return build.File(path, o)
	}
	name, text, err := a.readScript(path)
	if err != nil {
		return nil, nil, err
	}
	return build.Source(name, text, o)
}

// rememberSource remembers the text of a file so that its lines can be quoted.
func (a *app) rememberSource(file string, text []byte) {
	if a.sources == nil {
		a.sources = map[string][]byte{}
	}
	a.sources[file] = text
}

// maxShown is how many mistakes of one file are shown on a screen: the first ones should be fixed first.
const maxShown = 20

// newPrinter shows diagnostics to a person: on a screen only as many as can be read there, unless all are asked for.
func newPrinter(out io.Writer, screen term.Screen, showAll bool, source func(file string) []byte) *show.Printer {
	p := &show.Printer{Out: out, Screen: screen, Source: source, MoreHint: "; `arbiter check --all` shows them"}
	if screen.Terminal && !showAll {
		p.MaxPerFile = maxShown
	}
	return p
}

// printDiagnostics prints diagnostics for a person. Its error says that the scripts are at fault, if they are.
func (a *app) printDiagnostics(list diag.List) error {
	p := newPrinter(a.err, a.screen.err, a.allMistakes, func(file string) []byte {
		if _, ok := a.sources[file]; !ok {
			a.rememberSource(file, source(file))
		}
		return a.sources[file]
	})
	p.PrintAll(list)
	return errorIfMistakes(list)
}

// errorIfMistakes returns the error that says that the scripts are at fault, if they are.
func errorIfMistakes(list diag.List) error {
	if list.HasErrors() {
		return errMistakes
	}
	return nil
}

// diagnosticsDocument is what a command prints that found mistakes and stopped there.
type diagnosticsDocument struct {
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

// rejectScript ends a command whose script cannot be used.
func (a *app) rejectScript(list diag.List) error {
	if a.json {
		a.printJSON(diagnosticsDocument{show.JSON(list)})
		return errMistakes
	}
	a.printDiagnostics(list)
	return errMistakes
}
