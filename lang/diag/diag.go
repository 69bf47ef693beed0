// Package diag defines the diagnostic: a code, a place, a message for people, and related places.
//
// Parser, linker, checker and runners create diagnostics; the command line prints them as text or JSON. The package
// must never know what produced them or where they are printed.
package diag

import "arbiter/lang/ast"

// Severity of a diagnostic.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note" // worth knowing; nothing has to be done
)

// Related is another relevant place: the other definition, or where an unclosed bracket was opened.
type Related struct {
	File    string
	Span    ast.Span
	Message string
}

// Diagnostic is one problem to fix. Code is stable (kebab-case: "unknown-name", "expected-word") and documented in
// spec/diagnostics.md. Hint says what to do, often quoting the form of the construct.
type Diagnostic struct {
	File     string
	Span     ast.Span
	Severity Severity
	Code     string
	Message  string
	Hint     string
	Related  []Related
}

// List collects diagnostics.
type List []Diagnostic
