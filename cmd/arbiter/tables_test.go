package main

import (
	"bytes"
	"strings"
	"testing"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/sim"
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

// Where there is room, the columns before and after have their intervals as well.
func TestIntervalsOfComparison(t *testing.T) {
	f := sim.FigureReport{Of: "east", What: "wins", Share: true, Different: 3, Change: 0.01, Low: -0.01, High: 0.03,
		Before: sim.Estimate{Value: 0.5, Low: 0.4, High: 0.6}, After: sim.Estimate{Value: 0.51, Low: 0.41, High: 0.61}}
	for width, shown := range map[int]bool{0: false, 80: false, 120: true} {
		var b bytes.Buffer
		a := &app{out: &output{w: &b}}
		a.screen.out = term.Screen{Width: width}
		a.printAllChanges(&sim.ArmReport{Figures: []sim.FigureReport{f}})
		if got := strings.Contains(b.String(), "40.0 % to 60.0 %") && strings.Contains(b.String(), "41.0 % to 61.0 %"); got != shown {
			t.Errorf("%d columns: %v in\n%s", width, got, b.String())
		}
	}
}
