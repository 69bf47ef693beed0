package compile

import (
	"slices"
	"testing"

	"arbiter/interp/program"
)

// Two scripts that are added to one program have the ways of their own things, though the program has room for more.
func TestWaysOfScriptsAreApart(t *testing.T) {
	ways := append(make([]int32, 0, 8), 7, 3) // of the things of the program; 7 is that of the kind
	script := func(from int32) []program.Template { return []program.Template{{From: -1}, {From: -1}, {From: from}} }
	first := inheritWays(ways, 7, script(1))
	second := inheritWays(ways, 7, script(0))
	if !slices.Equal(first, []int32{7, 3, 3}) || !slices.Equal(second, []int32{7, 3, 7}) {
		t.Errorf("%v, then %v", first, second)
	}
}
