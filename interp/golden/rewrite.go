package golden

import (
	"bytes"
	"sort"
	"strings"

	"arbiter/interp/session"
	"arbiter/lang/ast"
)

// This file rewrites the transcripts of a file and leaves everything else as it is.

// edit is a text that replaces a span.
type edit struct {
	span ast.Span
	text string
}

// editsOf returns the transcripts of a test that differ from the output.
func editsOf(p *session.Played) []edit {
	var edits []edit
	for _, t := range p.Transcripts {
		if strings.Contains(t.Got, `"""`) {
			continue // it cannot be written between triple quotes: the test keeps failing
		}
		edits = append(edits, edit{t.Node.Text.Span, t.Got})
	}
	return edits
}

// rewrite replaces old texts with new ones, indented relative to the line that they begin on.
func rewrite(src []byte, edits []edit) []byte {
	newline := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	sort.Slice(edits, func(i, j int) bool { return edits[i].span.Start.Offset > edits[j].span.Start.Offset })
	last := -1 // tests that share a given rewrite it only once
	for _, e := range edits {
		if e.span.Start.Offset == last || e.span.End.Offset > len(src) {
			continue
		}
		last = e.span.Start.Offset
		begin := bytes.LastIndexByte(src[:e.span.Start.Offset], '\n') + 1
		indent := ""
		for _, c := range string(src[begin:e.span.Start.Offset]) {
			if c != ' ' && c != '\t' {
				break
			}
			indent += string(c)
		}
		indent += "  "
		var b strings.Builder
		b.WriteString(`"""` + newline)
		for _, line := range strings.Split(strings.TrimRight(e.text, "\n"), "\n") {
			if line != "" {
				b.WriteString(indent + line)
			}
			b.WriteString(newline)
		}
		b.WriteString(indent + "\"\"\"")
		src = append(append(append([]byte{}, src[:e.span.Start.Offset]...), b.String()...), src[e.span.End.Offset:]...)
	}
	return src
}
