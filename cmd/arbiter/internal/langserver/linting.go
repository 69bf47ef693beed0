package langserver

import (
	"arbiter/interp/build"
	"arbiter/interp/lint"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file lints documents that have no mistakes, and offers what the linter would mend.

// lintScript examines a file of a script that has been built. What needs all users of a ruleset is left to the command
// line.
func lintScript(script *build.Script, path string) []lint.Finding {
	if script == nil || script.Rules == nil {
		return nil
	}
	file := script.File
	for _, f := range script.StoryFiles {
		if f.Path == path {
			file = f
		}
	}
	var declared []ast.Clause
	for _, d := range script.Rules.Set().Defs {
		declared = append(declared, d.Node)
	}
	in := lint.Input{Alone: true, Files: []lint.File{{Parsed: file, Text: script.Rules.Sources[file.Path], Base: lint.NewBase(declared)}}}
	for _, f := range script.StoryFiles {
		if f != file {
			in.Around = append(in.Around, lint.File{Parsed: f})
		}
	}
	return lint.Run(in, new(lint.Reader).Settings)
}

// diagnosticsOf lists findings beside what a build has found.
func diagnosticsOf(found []lint.Finding) (list diag.List) {
	for _, f := range found {
		list = append(list, f.Diagnostic)
	}
	return list
}

// lintFixes offers what the linter would mend at a diagnostic.
func (d *document) lintFixes(x diagnostic) (list []fix) {
	for _, f := range d.findings {
		if len(f.Fix) == 0 || f.Code != x.Code || d.span(f.Span) != x.Range {
			continue
		}
		a := fix{Title: "Mend: " + f.Message}
		for _, e := range f.Fix {
			a.Edits = append(a.Edits, textEdit{d.span(e.Span), e.Text})
		}
		list = append(list, a)
	}
	return list
}
