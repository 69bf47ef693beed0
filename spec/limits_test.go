package spec

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"arbiter/interp/machine"
	"arbiter/interp/odds"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/modifier"
)

// The table of limits says what the code does.
func TestLimits(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	_, table, _ := strings.Cut(string(text), "## 13. Limits")
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			rows[strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[2])
		}
	}
	for what, want := range map[string]string{
		"nested rules": grouped(machine.MaxRuleDepth),
		"rules in one command": fmt.Sprintf("%s, or %d for each creature of a fight of more than %d",
			grouped(machine.MaxRules), machine.RulesPerCreature, machine.MaxRules/machine.RulesPerCreature),
		"nested procedures, rules and interruptions": grouped(machine.MaxFrames),
		"nested stats and defines":                   grouped(machine.MaxDepth),
		"machine steps in one command, including those of functions in Starlark": fmt.Sprintf("%s, or %s for each creature of a fight of more than %d",
			grouped(machine.MaxSteps), grouped(machine.StepsPerCreature), machine.MaxSteps/machine.StepsPerCreature),
		"machine words of lists and records in one command": grouped(machine.MaxArena),
		"a number":             fmt.Sprintf("%d to %d", int64(exact.Min), int64(exact.Max)),
		"a modifier of a stat": fmt.Sprintf("%d to %d", -int64(modifier.Limit), int64(modifier.Limit)),
		"creatures of a game, those that are out of the fight included": grouped(machine.MaxCreatures),
		"effects on one creature": grouped(machine.MaxEffectsOfOne),
		"effects in one game": fmt.Sprintf("%s, or %d for each creature of a game of more than %d",
			grouped(machine.MaxEffects), machine.EffectsPerCreature, machine.MaxEffects/machine.EffectsPerCreature),
	} {
		if rows[what] != want {
			t.Errorf("%s: %q, want %q", what, rows[what], want)
		}
	}
	numbers, err := os.ReadFile("numbers.md")
	if want := fmt.Sprintf("at most %d MiB of memory", odds.DefaultMemory>>20); err != nil || !strings.Contains(strings.Join(strings.Fields(string(numbers)), " "), want) {
		t.Errorf("numbers.md does not say: %s", want)
	}
}

func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
