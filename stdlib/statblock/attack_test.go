package statblock

import (
	"fmt"
	"strings"
	"testing"
)

// lines reads what the tests of this package read.
var lines = NewAttackLines([]string{"melee", "ranged", "touch", "incorporeal", "thrown", "each"})

func TestAttacks(t *testing.T) {
	for line, want := range map[string]string{
		"Bite +5 melee (1d8+3)": "0: 1 Bite [5] melee (1d8+3)",
		"2 hooks +7 melee (1d6+2) and tail +2 melee (1d8+1 plus venom)":  "0: 2 hooks [7] melee (1d6+2); 0: 1 tail [2] melee (1d8+1 plus venom)",
		"Club +7/+2 melee (1d6+4), 2 bites +2 melee (1d4)":               "0: 1 Club [7 2] melee (1d6+4); 0: 2 bites [2] melee (1d4)",
		"Horn +3 melee (1d6); or +1 wet club +4 melee (1d6+3/19-20/x3)":  "0: 1 Horn [3] melee (1d6); 1: 1 +1 wet club [4] melee (1d6+3/19-20/x3)",
		"Reed bow (+2 Str bonus) +5 ranged (1d8+2/x3) or spit +4 ranged": "0: 1 Reed bow (+2 Str bonus) [5] ranged (1d8+2/x3); 1: 1 spit [4] ranged ()",
		"Three lashes +9 melee touch (1d4-2)":                            "0: 3 lashes [9] melee touch (1d4-2)",
		"Swarm (2d6 plus itch)":                                          "0: 1 Swarm []  (2d6 plus itch)",
		"Dart +6 ranged (1d4)/19-20":                                     "0: 1 Dart [6] ranged (1d4/19-20)",
		"Kick +1 melee (1)":                                              "0: 1 Kick [1] melee (1)",
		"Kick +1 (1d3":                                                   "0: 1 Kick [1]  (1d3)",
		"dagger +2 (1d4/19-20) and\nbite -3 (1d2)":                       "0: 1 dagger [2]  (1d4/19-20); 0: 1 bite [-3]  (1d2)",
		"Slam +4 melee (1d6+3)), kick +4 melee (1d3)":                    "0: 1 Slam [4] melee (1d6+3); 0: 1 kick [4] melee (1d3)",
		"none to speak of":                                               "rest none to speak of",
		"Bite +4 melee (1d6), which hurts":                               "0: 1 Bite [4] melee (1d6); rest which hurts",
		"—":                                                              "",
	} {
		blows, rest := lines.Read(strings.ReplaceAll(line, "\n", " "))
		var parts []string
		for _, b := range blows {
			parts = append(parts, fmt.Sprintf("%d: %d %s %v %s (%s)", b.Alternative, b.Count, b.Name, b.Bonuses, b.Mode, b.Damage))
		}
		for _, r := range rest {
			parts = append(parts, "rest "+r)
		}
		if got := strings.Join(parts, "; "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestParseDamage(t *testing.T) {
	for text, want := range map[string]string{
		"1d8+3":                         "{1d8 3 0 0  []}",
		"d6":                            "{1d6 0 0 0  []}",
		"2d6 + 4/19-20/x3 plus 1d6 wet": "{2d6 4 19 3  [1d6 wet]}",
		"1d4-2/x3":                      "{1d4 -2 0 3  []}",
		"1d6+1d6 wet":                   "{1d6 0 0 0  [1d6 wet]}",
		"1 plus venom":                  "{1 0 0 0  [venom]}",
		"3":                             "{3 0 0 0  []}",
		"1d6 Foo":                       "{1d6 0 0 0 Foo []}",
		"1d6 Foo plus bar and baz":      "{1d6 0 0 0 Foo [bar baz]}",
		"hold":                          "{ 0 0 0  [hold]}",
		"—":                             "{ 0 0 0  []}",
	} {
		if got := fmt.Sprint(ParseDamage(text)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestItems(t *testing.T) {
	for text, want := range map[string]string{
		"One (a, b), two; and three":   "One (a, b)|two|three",
		"1,000 gp, —, none":            "1,000 gp|none",
		"Left (open, never closed":     "Left (open, never closed",
		"stray) bracket, then another": "stray) bracket|then another",
	} {
		if got := strings.Join(Items(text, ",;"), "|"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func FuzzAttacks(f *testing.F) {
	for _, line := range []string{"Bite +5 melee (1d8+3 plus venom) and 2 hooks +0 melee (1d6); or +1 club +6/+1 melee (1d6+4/19-20/x3)", "Swarm (2d6 plus itch)", "—", "((((+1 (", "+1/+2/+3 (d"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		blows, _ := lines.Read(line)
		for _, b := range blows {
			if b.Count < 1 || b.At < 0 || b.At > len(line) {
				t.Errorf("%q: %+v", line, b)
			}
			ParseDamage(b.Damage)
		}
		Items(line, ",;")
	})
}
