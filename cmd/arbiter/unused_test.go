package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/sim"
)

// Of parts of the rules that no fight used, twenty are printed, or twenty-one if that is all; of more it is said how many.
func TestUnusedLines(t *testing.T) {
	for _, n := range []int{0, 1, maxUnusedLines, maxUnusedLines + 1, maxUnusedLines + 2} {
		r := &sim.ArmReport{Additions: n}
		for i := range n {
			r.Unused = append(r.Unused, sim.Unused{Kind: "action", Path: fmt.Sprintf("a-%d", i), Why: "nobody did it"})
		}
		var out bytes.Buffer
		a := &app{out: &output{w: &out}}
		a.printUnused(r)
		printed, more := strings.Count(out.String(), "nobody did it"), strings.Contains(out.String(), "2 more: --json lists them")
		if want := n > maxUnusedLines+1; more != want || printed != n && !want || want && printed != maxUnusedLines {
			t.Errorf("of %d parts %d are printed, more: %t", n, printed, more)
		}
	}
}
