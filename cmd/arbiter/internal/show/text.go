// Package show renders diagnostics for a person and for a program.
//
// For a person it quotes the line of the source and marks the place; for a program it gives the structure that
// spec/json.md describes. The package must never know who found the mistake, nor whether it is fatal.
package show

import (
	"fmt"
	"io"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// Printer writes diagnostics as text.
type Printer struct {
	Out    io.Writer
	Screen term.Screen
	Source func(file string) []byte // the text of a file, nil if it cannot be had
}

// Print writes a diagnostic: place and message, the line with its mark, the hint, related places, an empty line.
//
//	house.rules:3:13: error: nothing is called armour
//	    +2 dodge to armour
//	                ^^^^^^
//	hint: did you mean armor?
//	rules/base.rules:12:6: note: this is the nearest
func (p *Printer) Print(d diag.Diagnostic) {
	style := term.Red
	if d.Severity != diag.Error {
		style = term.Yellow
	}
	p.head(d.File, d.Span, style, string(d.Severity), d.Message)
	p.excerpt(d.File, d.Span, style)
	if d.Hint != "" {
		fmt.Fprintf(p.Out, "%s %s\n", p.Screen.Paint(term.Green, "hint:"), term.Clean(d.Hint))
	}
	for _, r := range d.Related {
		p.head(r.File, r.Span, term.Blue, "note", r.Message)
		p.excerpt(r.File, r.Span, term.Blue)
	}
	fmt.Fprintln(p.Out)
}

// PrintAll writes a list in its order.
func (p *Printer) PrintAll(list diag.List) {
	for _, d := range list {
		p.Print(d)
	}
}

func (p *Printer) head(file string, span ast.Span, style term.Style, word, message string) {
	place := ""
	if file != "" && span.Start.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d: ", term.Clean(file), span.Start.Line, span.Start.Column)
	} else if file != "" {
		place = term.Clean(file) + ": "
	}
	fmt.Fprintf(p.Out, "%s%s %s\n", p.Screen.Paint(term.Bold, place), p.Screen.Paint(style, word+":"), term.Clean(message))
}

func (p *Printer) excerpt(file string, span ast.Span, style term.Style) {
	if p.Source == nil || span.Start.Line <= 0 {
		return
	}
	line, ok := lineOf(p.Source(file), span.Start.Line)
	if !ok {
		return
	}
	from, to := span.Start.Column-1, span.End.Column-1
	if span.End.Line > span.Start.Line {
		to = len(line)
	}
	text, marks := excerpt(line, from, to)
	bar := "    "
	if p.Screen.Unicode {
		bar = "  " + p.Screen.Paint(term.Dim, "│") + " "
	}
	fmt.Fprintf(p.Out, "%s%s\n", bar, text)
	fmt.Fprintf(p.Out, "%s%s%s\n", bar, marks[:strings.IndexByte(marks, '^')], p.Screen.Paint(style, strings.TrimLeft(marks, " ")))
}

// lineOf gives a line of a text, counted from 1, without its end.
func lineOf(src []byte, n int) (string, bool) {
	rest := string(src)
	for ; n > 1; n-- {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return "", false
		}
		rest = after
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(line, "\r"), src != nil
}
