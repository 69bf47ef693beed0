package golden

import (
	"fmt"
	"strings"
)

// This file writes a report in the Test Anything Protocol, version 14.

// TAP returns the report as lines of the protocol. A file that could not be run is a test that failed.
func (r *Report) TAP() []byte {
	var b strings.Builder
	broken := r.BrokenFiles()
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(r.Tests)+len(broken))
	n := 0
	for _, list := range broken {
		n++
		fmt.Fprintf(&b, "not ok %d - %s can be run\n", n, tapText(list[0].File))
		for i := range list {
			tapFailure(&b, list[i].File, list[i].Span.Start.Line, list[i].Message, i == 0, i == len(list)-1)
		}
	}
	for i := range r.Tests {
		t := &r.Tests[i]
		n++
		word := "ok"
		if !t.Passed {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s # time=%.3fs\n", word, n, tapText(fmt.Sprintf("%s:%d %s", t.File, t.Line, t.Title)), t.Seconds)
		for k := range t.Failures {
			f := &t.Failures[k]
			tapFailure(&b, f.File, f.Span.Start.Line, f.Message, k == 0, k == len(t.Failures)-1)
		}
	}
	return []byte(b.String())
}

// tapText escapes what would begin a directive, and keeps a description on its line.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`, "\n", " ").Replace(s)
}

// tapFailure writes one failure of a YAML block.
func tapFailure(b *strings.Builder, file string, line int, message string, first, last bool) {
	if first {
		b.WriteString("  ---\n  failures:\n")
	}
	fmt.Fprintf(b, "    - at: %q\n      message: |\n", fmt.Sprintf("%s:%d", file, line))
	for text := range strings.Lines(message) {
		b.WriteString("        " + strings.TrimRight(text, "\n") + "\n")
	}
	if last {
		b.WriteString("  ...\n")
	}
}
