package link_test

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// TestSplit tells by name which declarations of a script belong to the rules, and which are added to them.
func TestSplit(t *testing.T) {
	for _, c := range []struct{ name, script, rules, additions string }{
		{"nothing but things", `creature orc { }  weapon club { }  tactics bold { }`, "", "orc club bold"},
		{"a rule that names nobody", `creature orc { }  rule limp on gaining hurt { lose 1 }`, "limp", "orc"},
		{"a rule that names a thing, and what comes before", `weapon club { }  creature orc { }  creature elf { }
			rule fall on gaining hurt when self is orc { lose 1 }`, "club orc fall", "elf"},
		{"what a named thing names, although it comes later", `creature captain extends orc { }  creature orc { weapon: club }  weapon club { }  creature elf { }
			rule fall on gaining hurt when self is captain { lose 1 }`, "captain orc club fall", "elf"},
		{"what stands before a named thing names others", `creature orc { weapon: axe }  creature elf { }  weapon axe { }  creature imp { }
			define weak = self is elf`, "orc elf axe weak", "imp"},
		{"tactics by their name, and their things", `creature orc { }  creature elf { }  tactics bold { attack nearest when self is orc }
			tactics shy { }  define brave = plan = bold`, "orc bold brave", "elf shy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, _ := parse.File("x.encounter", []byte("encounter \"x\" with small\n\n"+strings.ReplaceAll(c.script, "  ", "\n")+"\n"))
			rules, additions := link.Split(f)
			for _, part := range []struct {
				files []*ast.File
				want  string
			}{{rules, c.rules}, {additions, c.additions}} {
				var got []string
				for _, cl := range part.files[0].Body[1:] {
					got = append(got, link.NameOf(cl))
				}
				if !slices.Equal(got, strings.Fields(part.want)) {
					t.Errorf("%v, want %s", got, part.want)
				}
			}
		})
	}
}
