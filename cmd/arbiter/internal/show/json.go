package show

import (
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// Diagnostic is a diagnostic in the JSON output.
type Diagnostic struct {
	Place
	Severity string    `json:"severity"`
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Hint     string    `json:"hint"`
	Related  []Related `json:"related"`
}

// Related is another relevant place, and why it matters.
type Related struct {
	Place
	Message string `json:"message"`
}

// Place is a range in a file. Lines and columns count from 1, columns in bytes; the end is exclusive.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// JSON converts a list for marshaling; the result is never nil.
func JSON(list diag.List) []Diagnostic {
	out := make([]Diagnostic, 0, len(list))
	for _, d := range list {
		j := Diagnostic{Place: newPlace(d.File, d.Span), Severity: string(d.Severity), Code: d.Code, Message: d.Message, Hint: d.Hint, Related: []Related{}}
		for _, r := range d.Related {
			j.Related = append(j.Related, Related{newPlace(r.File, r.Span), r.Message})
		}
		out = append(out, j)
	}
	return out
}

func newPlace(file string, s ast.Span) Place {
	return Place{File: file, Line: s.Start.Line, Column: s.Start.Column, EndLine: s.End.Line, EndColumn: s.End.Column}
}
