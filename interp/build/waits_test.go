package build

import (
	"testing"

	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// TestWaits checks that events are announced only for scripts that wait for procedures or checks, however deeply nested
// that is.
func TestWaits(t *testing.T) {
	for src, want := range map[string]bool{
		"Alia gains prone until before attack by Alia":                                   true,
		"if yes { repeat 2 times { Alia gains prone for 2 rounds until after check } }":  true,
		"let p = plan before attack by Bron { note \"now\" }":                            true,
		"Alia gains prone until end of next turn":                                        false,
		"rule r before attack { note \"it is in the rules\" }\nAlia gains prone":         false,
		"Alia gains prone for 3 rounds":                                                  false,
		"condition dazed { rule r at start of turn { self gains prone until after r } }": true,
	} {
		f, _ := parse.File("x.encounter", []byte("encounter \"x\" with d20\n"+src+"\n"))
		if got := waitsForEvents([]*ast.File{f}); got != want {
			t.Errorf("%s: %t", src, got)
		}
	}
}
