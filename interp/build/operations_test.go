package build

import (
	"fmt"
	"strings"
	"testing"
)

// TestOperations checks that scenes are compiled to a sequence of operations, in which blocks follow the operation that
// selects them.
func TestOperations(t *testing.T) {
	const src = `adventure "x" with srd35
creature man { full-hit-points: 9 }
side party { man Alia }
keep gold = 3
scene a {
  "Hello."
  choices {
    "Pay" cost 1 of gold { visit b }
    "Go" { finish won }
  }
  if gold > 1 { more "x" } else { go to a }
  finish
}
scene b {
  cycle {
    then { "x" }
    then { pass 1 hour }
  }
}
`
	s, diags, err := Source("x.adventure", []byte(src), quick)
	if err != nil || s.Story == nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	names := []string{"tell", "do", "jump", "test", "arm", "offer", "go", "visit", "back", "end", "finish", "turn", "pass"}
	var got []string
	for i, o := range s.Story.Code {
		got = append(got, strings.TrimSuffix(fmt.Sprintf("%d %s %d %d %v", i, names[o.Kind], o.A, o.B, o.To), " []"))
	}
	want := `0 go 0 0
1 tell 0 0
2 offer 0 0
3 visit 1 0
4 jump 7 0
5 finish 0 -1
6 jump 7 0
7 test 2 10
8 tell 3 1
9 jump 11 0
10 go 0 0
11 finish 1 -1
12 end 0 0
13 turn 0 0 [14 16]
14 tell 4 0
15 jump 18 0
16 pass 3 0
17 jump 18 0
18 end 1 0`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
