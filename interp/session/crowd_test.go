package session

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/machine"
)

// crowded is a script with two sides of n creatures in all.
func crowded(rules string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "encounter \"crowd\" with %s\ncreature man { level: 1 }\n", rules)
	for i, side := range []string{"a", "b"} {
		fmt.Fprintf(&b, "side %s {\n", side)
		for k := i; k < n; k += 2 {
			fmt.Fprintf(&b, "  man %s%d\n", side, k)
		}
		b.WriteString("}\n")
	}
	return b.String() + "seed 1\nbegin\nnote \"{count x in creatures} are there.\"\n"
}

// A fight of a thousand begins in every system. Only what concerns pairs of creatures needs more than twice as many
// instructions for twice as many; no more than the limit of creatures can be placed.
func TestCrowds(t *testing.T) {
	for _, rules := range []string{"modern", "srd35", "starfinder", "true20", "third"} {
		s := opened(t, crowded(rules, 1000))
		if r := Play(s, s.File.Body, Options{}); len(r.Failures) > 0 || !strings.HasSuffix(r.Output, "1000 are there.\n") {
			t.Errorf("%s: %v", rules, r.Failures)
		}
	}
	for n, want := range map[int]string{machine.MaxCreatures: "", machine.MaxCreatures + 1: "more than 2000 creatures in one game", 10_000: "more than 2000 creatures in one game"} {
		_, diags, err := build.Source("test.encounter", []byte(crowded("d20", n)), quick)
		got := ""
		if len(diags) > 0 {
			got = diags[0].Message
		}
		if err != nil || got != want || len(diags) > 1 {
			t.Errorf("%d creatures: %v %v", n, diags, err)
		}
	}
}

// Creatures that are placed together derive the same effects as those that are placed one by one.
func TestPlacedTogether(t *testing.T) {
	const rules = `encounter "together" with d20
condition proud while (count x in allies(self)) >= 2
condition afraid while (some foe in enemies(self) where foe is proud)
stat might = 1
everyone many { +(count x in creatures) to might }
creature man { level: 1 }
`
	const end = `
note "{each x in creatures where x is proud} {each x in creatures where x is afraid} {each x in creatures of x.might}"
`
	together := opened(t, rules+"side us {\n man A\n man B\n man C\n}\nside them { man D }"+end)
	apart := opened(t, rules+"side us { man A }\nside us { man B }\nside us { man C }\nside them { man D }"+end)
	x, y := Play(together, together.File.Body, Options{}), Play(apart, apart.File.Body, Options{})
	if x.Output != y.Output || x.Output == "" || len(x.Failures)+len(y.Failures) > 0 {
		t.Errorf("%s%v, one by one %s%v", x.Output, x.Failures, y.Output, y.Failures)
	}
}
