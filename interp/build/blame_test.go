package build

import (
	"strings"
	"testing"
)

// TestWhatAChangeBreaks checks that a change that causes errors in the rules it extends is reported once, at the
// change.
func TestWhatAChangeBreaks(t *testing.T) {
	for _, c := range []struct{ name, extends, body, want string }{
		{"an option of another type", "srd35", "override massive-damage-threshold = 25 ft", "1:37 wrong-type this is a distance, but the option massive-damage-threshold holds a number"},
		{"a term of another type", "srd35", "override armor-class.base = 10 ft", "1:29 wrong-type this is a distance, but armor-class.base is a number"},
		{"a define of another type", "srd35", "override creature.shield-bonus = yes", "1:34 wrong-type this is a yes-no, but creature.shield-bonus is a number"},
		{"a stat that needs itself", "srd35", "override armor-class.dexterity = armor-class / 2", "1:10 cycle the stat armor-class needs itself: armor-class -> armor-class"},
		{"a name that is bound no longer, and set elsewhere", "true20", "override take-damage.result { let mrk = hurt }", "1:1 unbound-name this no longer declares mark, which is still used"},
		{"a name that is read in records, too", "srd35", "override strike.confirm { }", "1:1 unbound-name this no longer declares critical, which is still used"},
		{"a name of another type", "srd35", "override strike.roll { let to-hit = 5 }", "1:10 wrong-type this change breaks something else: this is a number, but the outcome of a check is expected"},
		{"a define that is gone", "srd35", "remove creature.shield-bonus", "1:8 unknown-name this change breaks something else: there is nothing here named shield-bonus"},
		{"several changes, of which two are wrong", "srd35", "override massive-damage-threshold = 30\noverride armor-class.base = 10 ft\noverride armor-class.size = 2\noverride creature.shield-bonus = yes",
			"2:29 wrong-type this is a distance, but armor-class.base is a number, 4:34 wrong-type this is a yes-no, but creature.shield-bonus is a number"},
		{"a change with a mistake of its own", "srd35", "override strike.confirm { let critical = thraet }", "1:42 unknown-name there is nothing here named thraet"},
		{"a change that cannot be read", "srd35", "override strike.confirm { let beside = threat }", "1:31 reserved-name `beside` is a word of the language and cannot be a name"},
		{"two changes that need one another", "srd35", "override creature.shield-bonus = yes\noverride armor-class.shield = if shield-bonus then 2 else 0", ""},
	} {
		if got := mistakes(t, "x.rules", "ruleset x extends "+c.extends+"\n", c.body); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.body, got, c.want)
		}
	}
	head := "encounter \"x\" with srd35\n"
	if got, want := mistakes(t, "x.encounter", head, "override armor-class.base = 10 ft"), "1:29 wrong-type this is a distance, but armor-class.base is a number"; got != want {
		t.Errorf("in a script: got %s, want %s", got, want)
	}
	_, diags, err := Source("x.rules", []byte("ruleset x extends srd35\noverride armor-class.base = 10 ft\n"), quick)
	if err != nil || len(diags) != 1 || len(diags[0].Related) != maxRelated || !strings.HasPrefix(diags[0].Related[0].File, "rules/") {
		t.Errorf("%v: places where it is read are shown: %v", err, diags)
	}
}
