package session

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/build"
)

// The rest of an amount is stored in the right register, even if computing a bound moves the registers.
func TestLeftOverWhileRegistersGrow(t *testing.T) {
	const src = `encounter "deep" with d20
define creature.low = sum x in [1, 2, 3] of (sum y in [x, x + 1] of (sum z in [y, x] of (z - x) * 0))
resource pool from low to 10 starts 0
procedure dig depth: number {
  step one {
%s    self loses 7 pool leaving rest
    if rest != 7 { note "at {depth} and {rest} are left over" }
    if depth > 0 { dig (depth - 1) }
  }
}
creature digger { }
side us { digger Alia }
Alia: dig 450
`
	lets := ""
	for i := range 11 { // where the registers grow depends on their number
		s, diags, err := build.Source("deep.encounter", fmt.Appendf(nil, src, lets), quick)
		if err != nil || len(diags) > 0 {
			t.Fatal(diags, err)
		}
		r := Play(s, s.File.Body, Options{})
		if len(r.Failures) > 0 || strings.Contains(r.Output, "left over") {
			t.Errorf("with %d names: %v", i, r.Failures)
		}
		lets += fmt.Sprintf("    let p%d = depth + 1\n", i)
	}
}

// A list held by a question or by an undone statement leaves no trace: later commands have the same results.
func TestQuestionsWithListsLeaveNoTrace(t *testing.T) {
	l, k := live(t, liveDuel, nil), live(t, liveDuel, nil)
	for _, text := range []string{"count n in [7, 8] where n > 7", "Alia.armor-class"} {
		if _, diags, err := l.Explain(text, UsualDepth); err != nil || len(diags) > 0 {
			t.Fatal(text, diags, err)
		}
	}
	l.Do("let x = [1, 2]")
	if _, err := l.Undo(); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Live{l, k} {
		if out := x.Do("let x = [3, 4, 5]"); len(out.Failures) > 0 {
			t.Fatal(out.Failures)
		}
	}
	if l.Hash() != k.Hash() {
		t.Error("another state")
	}
}
