// Package show renders diagnostics as text and as JSON.
//
// The text quotes the line of the source and marks the place; the JSON has the structure that spec/json.md describes.
// The package must never know who found the mistake, nor whether it is fatal.
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
	Out        io.Writer
	Screen     term.Screen
	Source     func(file string) []byte // the text of a file, nil if it is unavailable
	MaxPerFile int                      // how many diagnostics of one file PrintAll prints; 0 for all
	MoreHint   string                   // how to see all of them, appended when there are more

	sources map[string]*sourceLines
}

// Print writes a diagnostic: place and message, the line with its mark, the hint, related places, an empty line.
//
//	house.rules:3:13: error: nothing is called armour
//	    +2 dodge to armour
//	                ^^^^^^
//	hint: did you mean armor?
//	rules/base.rules:12:6: note: this is the nearest
func (p *Printer) Print(d diag.Diagnostic) {
	p.printMessage(d)
	p.printExcerpt(d.File, d.Span, styleOf(d))
	if d.Hint != "" {
		fmt.Fprintf(p.Out, "%s %s\n", p.Screen.Paint(term.Green, "hint:"), term.Clean(d.Hint))
	}
	for _, r := range d.Related {
		p.printHead(r.File, r.Span, term.Blue, "note", r.Message)
		p.printExcerpt(r.File, r.Span, term.Blue)
	}
	fmt.Fprintln(p.Out)
}

func (p *Printer) printMessage(d diag.Diagnostic) {
	p.printHead(d.File, d.Span, styleOf(d), string(d.Severity), d.Message)
}

func styleOf(d diag.Diagnostic) term.Style {
	switch d.Severity {
	case diag.Error:
		return term.Red
	case diag.Note:
		return term.Blue
	}
	return term.Yellow
}

// maxInFull is how many diagnostics of one file with the same message and hint PrintAll prints in full. The others are a
// line each: their excerpts and hints would tell nothing new, and hide other mistakes.
const maxInFull = 2

// PrintAll prints a list in its order and, after the last diagnostic printed for a file, how many more it has.
func (p *Printer) PrintAll(list diag.List) {
	type text struct{ file, message, hint string }
	all, written, inFull := map[string]int{}, map[string]int{}, map[text]int{}
	for _, d := range list {
		all[d.File]++
	}
	openRun := false // the last line printed is a diagnostic of one line, without an empty line
	endRun := func() {
		if openRun {
			fmt.Fprintln(p.Out)
		}
		openRun = false
	}
	defer endRun()
	for _, d := range list {
		if p.MaxPerFile > 0 && written[d.File] == p.MaxPerFile {
			continue
		}
		same := text{d.File, d.Message, d.Hint}
		if inFull[same] == maxInFull && len(d.Related) == 0 {
			p.printMessage(d)
			openRun = true
		} else {
			inFull[same]++
			endRun()
			p.Print(d)
		}
		if written[d.File]++; written[d.File] == p.MaxPerFile && all[d.File] > p.MaxPerFile {
			endRun()
			fmt.Fprintf(p.Out, "%s and %d more%s\n\n", p.Screen.Paint(term.Bold, term.Clean(d.File)+": ..."), all[d.File]-p.MaxPerFile, p.MoreHint)
		}
	}
}

func (p *Printer) printHead(file string, span ast.Span, style term.Style, word, message string) {
	place := ""
	if file != "" && span.Start.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d: ", term.Clean(file), span.Start.Line, span.Start.Column)
	} else if file != "" {
		place = term.Clean(file) + ": "
	}
	fmt.Fprintf(p.Out, "%s%s %s\n", p.Screen.Paint(term.Bold, place), p.Screen.Paint(style, word+":"), term.Clean(cutLongWords(message)))
}

// longestWord is the length beyond which a word of a message is cut, in characters.
const longestWord = 100

// cutLongWords cuts overlong words of a message.
func cutLongWords(message string) string {
	if len(message) <= longestWord {
		return message
	}
	parts := strings.Split(message, " ")
	for i, w := range parts {
		if r := []rune(w); len(r) > longestWord {
			parts[i] = string(r[:longestWord/2]) + "..."
		}
	}
	return strings.Join(parts, " ")
}

func (p *Printer) printExcerpt(file string, span ast.Span, style term.Style) {
	if p.Source == nil || span.Start.Line <= 0 {
		return
	}
	line, ok := p.lineOf(file, span.Start.Line)
	if !ok {
		return
	}
	from, to := span.Start.Column-1, span.End.Column-1
	if span.End.Line > span.Start.Line {
		to = len(line)
	}
	bar := "    "
	room := maxExcerptWidth
	if p.Screen.Width > 0 {
		room = min(maxExcerptWidth, max(minExcerptWidth, p.Screen.Width-len(bar)))
	}
	text, marks := excerpt(line, from, to, room)
	if p.Screen.Unicode {
		bar = "  " + p.Screen.Paint(term.Dim, "│") + " "
	}
	fmt.Fprintf(p.Out, "%s%s\n", bar, text)
	fmt.Fprintf(p.Out, "%s%s%s\n", bar, marks[:strings.IndexByte(marks, '^')], p.Screen.Paint(style, strings.TrimLeft(marks, " ")))
}

// sourceLines is a source and the offsets of its lines.
type sourceLines struct {
	source     string
	lineStarts []int
}

// lineOf returns a line of a file, counted from 1, without its end. The file is read once and cached.
func (p *Printer) lineOf(file string, n int) (string, bool) {
	t := p.sources[file]
	if t == nil {
		t = &sourceLines{}
		if src := p.Source(file); src != nil {
			t.source, t.lineStarts = string(src), []int{0}
		}
		for i := 0; i < len(t.source); i++ {
			if t.source[i] == '\n' {
				t.lineStarts = append(t.lineStarts, i+1)
			}
		}
		if p.sources == nil {
			p.sources = map[string]*sourceLines{}
		}
		p.sources[file] = t
	}
	if n > len(t.lineStarts) {
		return "", false
	}
	line, _, _ := strings.Cut(t.source[t.lineStarts[n-1]:], "\n")
	return strings.TrimSuffix(line, "\r"), true
}
