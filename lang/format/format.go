// Package format prints a syntax tree in the one canonical form of the language.
//
// It provides the formatter of files, and the short texts that messages and explanations quote. It decides only white
// space: words, their order, brackets and comments are the author's. The package must never know what a word means in
// play, and never know about Starlark or files.
//
// A pass over the tree builds a document (layout.go) of texts and possible line breaks; the renderer then fills lines
// of at most 100 columns. Each text knows its source position, so that a comment is printed before the first text that
// followed it there (comments.go). Three choices of the author are kept: a blank line between clauses, a short body on
// one line, and whether the sentence and the citations of a header are on lines of their own.
package format

import (
	"strings"

	"arbiter/lang/ast"
)

const (
	width      = 100
	bodyIndent = 2 // the indentation of a body
	wrapIndent = 4 // the indentation of a continuation line
)

// Format prints a file. Comments, strings and the text of Bad nodes are taken from the source.
func Format(f *ast.File, src []byte) []byte { return formatToWidth(width, f, src) }

func formatToWidth(width int, f *ast.File, src []byte) []byte {
	if f == nil {
		return nil
	}
	p := &printer{src: string(src)}
	r := &renderer{width: width, comments: cursor{src: p.src, list: f.Comments}}
	for i, c := range f.Body {
		separate := i > 0 && isDeclaration(f.Body[i-1]) && isDeclaration(c)
		r.clause(offsetOf(c), p.clause(c), separate)
	}
	r.flushComments(len(p.src)+1, 0)
	return []byte(r.finish())
}

// Node prints one clause, without a line end.
func Node(n ast.Clause) string { return NodeToWidth(n, width) }

// NodeToWidth is Node for lines of at most the given number of columns.
func NodeToWidth(n ast.Clause, columns int) string {
	r := &renderer{width: columns}
	r.render((&printer{}).clause(n))
	return strings.TrimSuffix(r.finish(), "\n")
}

// Expr prints an expression on one line, unless it contains a block of text.
func Expr(e ast.Expr) string {
	r := &renderer{width: 1 << 30}
	r.render(group(new(printer).expr(e)))
	return strings.TrimSuffix(r.finish(), "\n")
}

// A printer converts nodes to documents. Without a source it prints from the tree alone.
type printer struct{ src string }

// source is the text of a span, or "" if the span is outside the source.
func (p *printer) source(s ast.Span) string {
	from, to := s.Start.Offset, s.End.Offset
	if from < 0 || to > len(p.src) || from >= to {
		return ""
	}
	return p.src[from:to]
}

// isDeclaration reports whether a blank line separates a clause from its neighbors when both take several lines.
func isDeclaration(c ast.Clause) bool {
	switch c.(type) {
	case *ast.Kind, *ast.Template, *ast.Roll, *ast.Stat, *ast.View, *ast.Define, *ast.Table, *ast.Resource, *ast.Effect,
		*ast.Procedure, *ast.Rule, *ast.Change, *ast.Tactics, *ast.Option, *ast.Enum, *ast.Bonus, *ast.Permission,
		*ast.Header, *ast.Given, *ast.Test, *ast.Scene:
		return true
	}
	return false
}
