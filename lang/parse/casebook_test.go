package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/lang/diag"
)

// TestCasebook: one broken file for each kind of mistake, with a golden file of its diagnostics.
func TestCasebook(t *testing.T) {
	inputs, err := filepath.Glob("testdata/casebook/*.*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no cases", err)
	}
	for _, input := range inputs {
		if strings.HasSuffix(input, ".golden") {
			continue
		}
		t.Run(filepath.Base(input), func(t *testing.T) {
			src, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			_, diags := File(filepath.Base(input), src)
			golden(t, input+".golden", excerpts(string(src), diags))
		})
	}
}

// excerpts prints diagnostics as the command line does: place, source line with a caret, hint, related places.
func excerpts(src string, diags diag.List) string {
	var b strings.Builder
	lines := strings.Split(src, "\n")
	for _, d := range diags {
		start, end := d.Span.Start, d.Span.End
		width := 1
		if end.Line == start.Line && end.Column > start.Column {
			width = end.Column - start.Column
		}
		fmt.Fprintf(&b, "%s [%s]\n  %s\n  %s%s\n", d, d.Code, lines[start.Line-1], strings.Repeat(" ", start.Column-1), strings.Repeat("^", width))
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %d:%d: %s\n", r.Span.Start.Line, r.Span.Start.Column, r.Message)
		}
	}
	return b.String()
}
