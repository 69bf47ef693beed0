package ground

import (
	"strings"
	"testing"
)

// Those who share squares can all be told apart: on the map if they fill enough squares, otherwise in the legend.
func TestShare(t *testing.T) {
	for _, x := range []struct {
		name   string
		list   []Occupant
		want   string // three columns
		behind []int
	}{
		{"a rider fills the squares of the steed", []Occupant{{Width: 2}, {Width: 2}}, "AB. BA.", []int{-1, -1}},
		{"a small one upon a large one", []Occupant{{Width: 1}, {Width: 2}}, "AB. BB.", []int{-1, -1}},
		{"in whichever order", []Occupant{{Width: 2}, {X: 1, Width: 1}}, "AB. AA.", []int{-1, -1}},
		{"two on one square", []Occupant{{Width: 1}, {Width: 1}}, "A.. ...", []int{-1, 0}},
		{"one who is down", []Occupant{{Width: 1, Down: true}, {Width: 2}}, "BB. BB.", []int{1, -1}},
		{"two who are down", []Occupant{{Width: 1, Down: true}, {Width: 1, Down: true}}, "A.. ...", []int{-1, -1}},
		{"off the map", []Occupant{{}, {X: 2, Width: 1}}, "..B ...", []int{-1, -1}},
	} {
		shown, behind := Share(x.list)
		var rows []string
		for y := range 2 {
			row := ""
			for at := range 3 {
				sign := "."
				if i, taken := shown[[2]int{at, y}]; taken {
					sign = string(rune('A' + i))
				}
				row += sign
			}
			rows = append(rows, row)
		}
		if got := strings.Join(rows, " "); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
		for i, want := range x.behind {
			if behind[i] != want {
				t.Errorf("%s: %d is behind %d, want %d", x.name, i, behind[i], want)
			}
		}
	}
}
