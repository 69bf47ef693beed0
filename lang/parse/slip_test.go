package parse

import (
	"strings"
	"testing"
)

// TestSlips: constructs from other languages get a hint at what this one has instead.
func TestSlips(t *testing.T) {
	for _, c := range []struct{ src, hint string }{
		{"// a comment\noption a = 1", "a comment starts with #"},
		{"rule r after x when a == 20 { stop }", "write equality with a single `=`"},
		{"override p.s { critical = threat }", "`let critical = EXPR` binds a name, `set critical to EXPR` changes one"},
		{"override sword.damage: 1d10", "put the new value after `=`"},
		{"rule r after x { hurt foe of heat * 2 }", "put a computed amount in parentheses: of (A * B)"},
		{"override armor-class { 12 }", "put a new value after `=`"},
		{"override dodge: often", "the form is: override PATH"},
		{"feat iron_nerve", "write iron-nerve"},
		{"define creature.a = self.iron_nerve + 1", "write iron-nerve"},
		{"define creature.a = _ + 1", "a name has letters, digits and inner hyphens"},
		{"use third_wind from \"luck.star\"", "write third-wind"},
		{"effect strong { strength += 2 }", "put the amount before what it changes: +2 to strength"},
		{"effect weak { attack-bonus -2 }", "put the amount before what it changes: -2 to attack-bonus"},
		{"feat bold { +1 to attack-bonus when is brave }", "say who: `self is brave`"},
		{"define creature.a = if is shaken then 1 else 2", "say who: `self is shaken`"},
		{"rule r after x when not has bravado { stop }", "say who: `self has bravado`"},
		{"condition weak { -2 to attack if a > 3 }", "a condition at the end of a clause is written `when COND`"},
	} {
		_, diags := File("slip.rules", []byte("ruleset slip\n"+c.src+"\n"))
		if len(diags) == 0 || !strings.HasPrefix(diags[0].Hint, c.hint) {
			t.Errorf("%q: want the hint %q, got %v", c.src, c.hint, diags)
		}
	}
}
