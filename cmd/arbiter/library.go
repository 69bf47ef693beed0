package main

import (
	"io"
	"io/fs"
	"strings"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/load"
	"arbiter/lang/diag"
	"arbiter/rules"
)

// shelf is the prefix under which places in the embedded rulesets are shown.
const shelf = "rules/"

// rulesetNames lists the embedded rulesets.
func rulesetNames() []string {
	return (&load.Loader{Places: []load.Place{{FS: rules.FS}}}).Names()
}

// source returns the text of a file that a diagnostic names: a file of the user's, or an embedded one.
func source(file string) []byte {
	if text, err := build.ReadFile(file); err == nil {
		return text
	}
	text, _ := fs.ReadFile(rules.FS, strings.TrimPrefix(file, shelf))
	return text
}

// keep remembers the text of a file so that its lines can be quoted.
func (a *app) keep(file string, text []byte) {
	if a.texts == nil {
		a.texts = map[string][]byte{}
	}
	a.texts[file] = text
}

// maxShown is how many mistakes of one file are shown on a screen: the first ones should be fixed first.
const maxShown = 20

// printer shows diagnostics to a person: on a screen only as many as can be read there, unless all are asked for.
func printer(out io.Writer, screen term.Screen, all bool, source func(file string) []byte) *show.Printer {
	p := &show.Printer{Out: out, Screen: screen, Source: source, All: "; `arbiter check --all` shows them"}
	if screen.Terminal && !all {
		p.Most = maxShown
	}
	return p
}

// diagnose prints diagnostics for a person. Its error says that the scripts are at fault, if they are.
func (a *app) diagnose(list diag.List) error {
	p := printer(a.err, a.screen.err, a.all, func(file string) []byte {
		if _, ok := a.texts[file]; !ok {
			a.keep(file, source(file))
		}
		return a.texts[file]
	})
	p.PrintAll(list)
	return scriptsFaultOf(list)
}

// scriptsFaultOf returns the error that says that the scripts are at fault, if they are.
func scriptsFaultOf(list diag.List) error {
	if list.HasErrors() {
		return mistakes
	}
	return nil
}

// diagnosticsDocument is what a command prints that found mistakes and stopped there.
type diagnosticsDocument struct {
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

// refuse ends a command whose script cannot be used.
func (a *app) refuse(list diag.List) error {
	if a.json {
		a.document(diagnosticsDocument{show.JSON(list)})
		return mistakes
	}
	a.diagnose(list)
	return mistakes
}
