package langserver

import (
	"fmt"
	"strings"
	"testing"
)

// TestFolding: blocks, comments and headings fold, the line with the closing bracket stays.
func TestFolding(t *testing.T) {
	e := startEditor(t, utf16Units)
	e.open("x.rules", `ruleset x extends d20
# --- one ---

# A comment
# of two lines.
condition tired {
  cannot act when level > 1 and
      level < 3
}
# --- two ---
condition short { cannot act }
procedure long {
  step a {
    note "x"
  }
}
`)
	var got []foldingRange
	e.call("textDocument/foldingRange", map[string]any{"textDocument": map[string]any{"uri": e.uri("x.rules")}}, &got)
	var texts []string
	for _, r := range got {
		texts = append(texts, fmt.Sprintf("%d-%d%s", r.StartLine, r.EndLine, r.Kind))
	}
	if got, want := strings.Join(texts, " "), "1-8 3-4comment 5-7 9-15 11-14 12-13"; got != want {
		t.Errorf("it folds %s, want %s", got, want)
	}
}
