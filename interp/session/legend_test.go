package session

import (
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/rules"
)

// On a screen the legend of a map is as wide as the screen.
func TestLegendFits(t *testing.T) {
	s, diags, err := build.Source("test.encounter", []byte(`encounter "a yard" with srd35
creature man { base-attack: 1 }
map """
  A.#T,:=~b
  """ { "#": wall; "T": tree; ",": undergrowth; ":": rubble; "=": low-wall; "~": shallow-water }
side us { man Alexandra at "A" }
side them { man Bartholomew at "b" }
begin
`), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	for width, lines := range map[int]int{0: 2, 40: 3, 200: 1} {
		var out strings.Builder
		Run(s, Options{Out: &out, Width: func() int { return width }})
		_, legend, _ := strings.Cut(out.String(), " 0 A")
		_, legend, _ = strings.Cut(legend, "\n")
		legend, _, _ = strings.Cut(legend, "Bartholomew is no longer")
		for line := range strings.Lines(legend) {
			if width > 0 && len(line)-1 > width {
				t.Errorf("at %d: %q", width, line)
			}
		}
		if n := strings.Count(legend, "\n"); n != lines {
			t.Errorf("%d lines at %d, want %d:\n%s", n, width, lines, legend)
		}
	}
}
