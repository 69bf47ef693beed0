package dice

import (
	"strings"
	"testing"
)

// Each die shows what happened to it.
func TestString(t *testing.T) {
	for _, c := range []struct {
		text  string
		faces []int32
		want  string
	}{
		{"4d6kh3", []int32{5, 1, 2, 5}, "5 (1) 2 5"},
		{"2d6!r", []int32{1, 6, 3, 4}, "1r 6! 3 4"},
		{"2d20cs>=19cf", []int32{19, 1}, "19** 1__"},
		{"3d6>=5", []int32{6, 2, 5}, "6* 2 5*"},
		{"3d6mi2ma5kl1", []int32{1, 6, 3}, "1->2 (6->5) (3)"},
		{"1d6!mi3>=5", []int32{6, 1}, "6!* 1->3"},
		{"3dFkh2 + 1d3", []int32{1, 2, 3, 1}, "(-) 0 + 1"},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var dice []string
		for _, d := range e.Trace(c.faces) {
			dice = append(dice, d.String())
		}
		if got := strings.Join(dice, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
