package main

import (
	"bytes"
	"strings"
	"testing"

	"arbiter/cmd/arbiter/internal/term"
)

// On every screen each row keeps to its line, and no number is lost unless it is wider than the screen on its own.
func TestNarrowTables(t *testing.T) {
	rows := [][]string{{"Alia: attack-of-opportunity", "25.0 %", "19.5 % to 31.4 %", "-1.5"}, {"nobody", "0.1 %", "0.0 % to 1.9 %", "+10.5"}}
	for _, width := range []int{0, 20, 24, 30, 40, 47, 58, 70, 80, 200} {
		var b bytes.Buffer
		a := &app{out: &output{w: &b}}
		a.screen.out = term.Screen{Width: width}
		a.printNumberTable(a.addBarColumn([]string{"action", "takes", "95 % interval", "change"}, [][]string{rows[0], rows[1]}, []float64{0.25, 0.001}), 3)
		text := b.String()
		for line := range strings.Lines(text) {
			if n := term.Columns(strings.TrimRight(line, "\n")); width > 0 && n > width || width == 0 && n > tableWidth {
				t.Errorf("%d columns: %d in %q", width, n, line)
			}
		}
		for _, r := range rows {
			for _, cell := range r[1:] {
				if width != 20 && strings.Count(text, cell) != 1 {
					t.Errorf("%d columns: %q stands %d times in\n%s", width, cell, strings.Count(text, cell), text)
				}
			}
		}
		if bars := strings.Contains(text, "#"); bars != (width == 0 || width >= 70) {
			t.Errorf("%d columns: bars %v in\n%s", width, bars, text)
		}
	}
}
