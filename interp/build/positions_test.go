package build

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhoStandsWhere checks that impossible positions in an encounter are reported statically. adventure_test.go has
// the same for the fights of a story.
func TestWhoStandsWhere(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"everybody on a map", `map "A.#" { "#": wall }; side a { man Alia at "A" }; side b { man Bo at (1, 0) }; place Bo at (2, 0); ground wall at (0, 0), "A"`, ""},
		{"everybody on open ground", `side a { man Alia at (3, 3) }; side b { man Bo at (1, 0) }; place Bo at (99, 99)`, ""},
		{"nobody anywhere", `side a { man Alia }; side b { man Bo }`, ""},
		{"coordinates that show when it is played", `let x = 1; side a { man Alia at (x, 100 - x) }`, ""},
		{"only one of a fight without a map", `side a { man Alia; man Cy }; side b { man Bo at (1, 0); man Dee at (2, 0) }`, "1:49 no-place Alia has no square"},
		{"one who has no square", `side a { man Alia at (1, 0); man Bo }`, "1:30 no-place no square is given for Bo"},
		{"a map behind a side", `side a { man Alia at "A" }; map "A"`, "1:29 misplaced Alia has been placed before there was a map"},
		{"off the map", `map "A."; side a { man Alia at (2, 0) }; place Alia at (0, 1); ground wall at (0, 0), (5, 0)`,
			"1:32 no-place (2, 0) is not on the map, which has 2 by 1 squares, 1:56 no-place (0, 1) is not on the map, which has 2 by 1 squares, 1:87 no-place (5, 0) is not on the map, which has 2 by 1 squares"},
		{"beside somebody", `map "A."; side a { man Alia at "A"; man Bo near Alia }; for each x in a { x gains prone }; place Bo near Alia.square`, ""},
		{"on top of somebody", `side a { man Alia at (1, 0) }; place Alia at Alia; place Alia near 5`,
			"1:46 wrong-type this is a creature, but square is expected, 1:68 wrong-type this is a number, but place is expected"},
		{"a square of three", `side a { man Alia at (1, 2, 3, 4) }`, "1:22 wrong-type a square has two or three coordinates"},
		{"no square", `side a { man Alia at 5 }; place Alia at (1, Alia)`, "1:22 wrong-type this is a number, but square is expected, 1:45 wrong-type this is a creature, but number is expected"},
	} {
		src := "encounter \"x\" with srd35\ncreature man { full-hit-points: 9 }\n" + c.body + "\n"
		_, diags, err := Source("x.encounter", []byte(src), quick)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range diags {
			got = append(got, fmt.Sprintf("%d:%d %s %s", d.Span.Start.Line-2, d.Span.Start.Column, d.Code, d.Message))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.body, got, c.want)
		}
	}
}
