package repl

import (
	"strings"
	"testing"

	"arbiter/cmd/arbiter/internal/term"
)

// On every screen the list of commands fits, and on a narrow one nothing stands side by side.
func TestHelpFits(t *testing.T) {
	for _, columns := range []int{30, 45, 50, 67, 68, 79, 80, 120} {
		text := helpText(columns)
		for line := range strings.Lines(text) {
			if term.Columns(strings.TrimRight(line, "\n")) > columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
		if got := strings.Contains(text, "\n  :who NAME\n      everything"); got != (columns < narrowScreen) {
			t.Errorf("%d columns:\n%s", columns, text)
		}
	}
	if wide := helpText(usualScreen); !strings.HasPrefix(wide, introduction) {
		t.Errorf("on a usual screen the beginning is as written:\n%s", wide)
	}
}
