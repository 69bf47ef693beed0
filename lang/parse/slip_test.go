package parse

import (
	"strings"
	"testing"
)

// TestSlips: constructs from other languages get a hint at what this one has instead.
func TestSlips(t *testing.T) {
	for _, c := range []struct{ src, hint string }{
		{"// a comment\noption a = 1", "a comment starts with #"},
		{"-- a comment\noption a = 1", "a comment starts with #: `# a comment`"},
		{"/* a comment */\noption a = 1", "a comment starts with #: `# a comment`"},
		{"option a = 1 // why", "`/` rounds down already; a comment starts with #"},
		{"feat b { +1 to attack-bonus } // why", "a comment starts with #: `# why`"},
		{"feat b { +1 to attack-bonus whne self is shaken }", "did you mean `when`?"},
		{"feat b { +1 to attack-bonus unles self is shaken }", "did you mean `unless`?"},
		{"feat b { +1 to attack-bonus when self isn't shaken }", "write `is not`"},
		{"feat b { +1 to attack-bonus when self hasn't dodge }", "write `has not`, or `is not`"},
		{"feat b { +1 to attack-bonus when self can't move }", "write `not (WHO can NAME)`"},
		{"feat d4luck { +1 to attack-bonus }", "a name cannot begin like dice: `d4` is a die; write another word before it, such as `luck-d4`"},
		{"weapon d6blade { damage: 1d6 }", "a name cannot begin like dice: `d6` is a die"},
		{"feat b { +1 to attack-bonus, when foe is prone }", "no `,` before `when`: remove it"},
		{"feat b { +1 to attack-bonus; unless foe is prone }", "no `;` before `unless`: remove it"},
		{"feat b { +1 to attack-bonus: when foe is prone }", "no `:` before `when`: remove it"},
		{"feat b { +1 to attack-bonus. when foe is prone }", "no `.` before `when`: remove it"},
		{"feat b { +1 to attack-bonus - when foe is prone }", "no `-` before `when`: remove it"},
		{"feat b { +1 to attack-bonus (when foe is prone) }", "`when` takes no parentheses around it: remove them"},
		{"feat b { +1 to attack-bonus, if foe is prone }", "a condition at the end of a clause is written `when COND`, without a `,` before it"},
		{"feat b { +1 to attack-bonus, cite a.b.01 }", "no `,` before `cite`: remove it"},
		{"feat b { +1, to attack-bonus }", "no `,` before `to`: remove it"},
		{"feat b { +1 to attack-bonus, and armor-class }", "no `and` after `,`: remove it"},
		{"feat b { +1 to attack-bonus and armor-class }", "a list has commas in place of `and`"},
		{"feat b: { +1 to attack-bonus }", "no `:` before `{`: remove it"},
		{"rule r: after x { stop }", "no `:` before `after`: remove it"},
		{"rule r after x, when a > 3 { stop }", "no `,` before `when`: remove it"},
		{"rule r after x when a > 3: { stop }", "no `:` before `{`: remove it"},
		{"rule r after x { self gains prone, for 3 rounds }", "no `,` before `for`: remove it"},
		{"rule r after x { self gains prone, until end of turn }", "no `,` before `until`: remove it"},
		{"rule r after x { check fortitude, dc 15 as s }", "no `,` before `dc`: remove it"},
		{"rule r after x { for each y in list, where y > 3 { stop } }", "no `,` before `where`: remove it"},
		{"rule r after x { let y = 3, z = 4 }", "bind each name by itself: `let z = ...`"},
		{"rule r after x { let y = roll {2d6, 1d8}kh1 }", "anything that `arbiter roll` takes is rolled in quotes: roll \"{2d6, 1d8}kh1"},
		{"rule r after x { let y = roll 2d6 % 2 }", "anything that `arbiter roll` takes is rolled in quotes: roll \"2d6 % 2"},
		{"rule r after x { let y = roll 2d6 * 1.5 }", "anything that `arbiter roll` takes is rolled in quotes: roll \"2d6 * 1.5"},
		{"keep purse: number", "a memory begins with a value. The form is: keep NAME[: TYPE] = EXPR"},
		{"rule r after x { choose { \"Row\" if a > 3 { stop } } }", "a condition of a choice follows `when`: \"label\" when a > 3 { ... }"},
		{"rule r after x when a == 20 { stop }", "write equality with a single `=`"},
		{"override p.s { critical = threat }", "`let critical = EXPR` binds a name, `set critical to EXPR` changes one"},
		{"override sword.damage: 1d10", "put the new value after `=`"},
		{"rule r after x { hurt foe of heat * 2 }", "put a computed amount in parentheses: of (A * B)"},
		{"override armor-class { 12 }", "put a new value after `=`"},
		{"override dodge: often", "a bonus type has one of three laws"},
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
		{"feat b { +1 to attack-bonus with longsword }", "what a modifier depends on is written `when COND`"},
		{"feat b { +1 to attack-bonus against foe }", "what a modifier depends on is written `when COND`"},
		{"feat b { +1 to attack-bonus vs giants }", "what a modifier depends on is written `when COND`"},
		{"feat b { +1 morale to attack-bonus for 3 rounds }", "a modifier holds as long as its effect"},
		{"feat b { +1/2 level to attack-bonus }", "put a computed amount in parentheses: +(A / B) to STAT"},
		{"feat b { +1 dodge bonus to armor-class }", "the sign says so: `+1 dodge to STAT`"},
		{"feat b { +4 natural armor to armor-class }", "the type of a bonus is one name: `+4 natural to STAT`, `+4 natural-armor to STAT`"},
		{"feat b { +2 damage-bonus when a = 1 }", "say what it changes: `+2 to damage-bonus`"},
		{"condition worse extends bad { }", "effects do not extend each other: `includes bad`"},
		{"override dodge: lowest", "a bonus type has one of three laws"},
		{"override dodge = highest", "how a bonus type stacks is written after a colon: override dodge: highest"},
		{"override strike.deal when critical { note \"x\" }", "a part keeps its guard"},
		{"procedure splash at: square { }", "the name of a parameter follows its label: at NAME: TYPE"},
		{"rule slow when blood < 5 { stop }", "a trigger starts with `before`, `after`, `instead of`, `at start of`, `at end of`, `every`, `on gaining` or `on losing`; what is so"},
		{"rule slow on hit { stop }", "the form is: on gaining [EFFECT]; what is done triggers `before NAME` or `after NAME`"},
		{"rule slow every round { stop }", "write `every 1 round`"},
		{"stat a = 2 if blood > 10 else 0", "choose between two values by `if COND then EXPR else EXPR`"},
		{"stat a = blood // 10", "`/` rounds down already; a comment starts with #"},
		{"rule r after x { self.blood = 3 }", "change a value with `set self.blood to 3`"},
		{"rule r after x { self.blood -= 3 }", "change a value with `set self.blood to self.blood - 3`"},
		{"rule r after x { var y = 3 }", "`let NAME = EXPR` binds a name"},
		{"rule r after x { note \"has \" + blood }", "a text shows values in braces"},
		{"rule r after x { if blood > 3: stop }", "put what happens in braces"},
		{"rule r after x {\n  stop\n  while blood > 3 { stop }\n}", "there is no loop of this kind"},
		{"rule r after x { for each c in creatures within 10 ft of self { stop } }", "what they are chosen by follows `where`: for each c in creatures where c within 10 ft of self"},
		{"rule r after x { self gain prone }", "did you mean `gains`?"},
		{"rule r after x { target takes 2d6 fire }", "write `target loses 2d6 RESOURCE` for an amount, or a command: `target: COMMAND of 2d6`"},
		{"rule r after x { heal self 3 }", "write `self gains 3 RESOURCE` for an amount"},
		{"rule r after x { damage target 2d6 }", "write `target loses 2d6 RESOURCE` for an amount"},
		{"condition c {\n  when hit-points < 5\n  -1 to speed\n}", "the condition of an effect stands in its head"},
		{"everyone e { at start of turn lose 1 hp }", "use a rule for what happens then: the form is: rule NAME TRIGGER"},
		{"rule r after x { hurt foe for heat * 2 }", "put a computed amount in parentheses: for (A * B)"},
		{"rule r after x { hurt heat * 2 }", "put a computed amount in parentheses: (A * B)"},
		{"action a { needs self threatens target \"too far\" }", "what is asked of two is written `self.threatens(target)`, or `threatens(self, target)`"},
		{"condition scared { -2 to attack rolls and damage }", "the words of a name are joined by hyphens: `attack-rolls`"},
		{"override a.b = count ally in allies(self) where ally adjacent foe", "what is asked of two is written `ally.adjacent(foe)`"},
		{"action a { cost breath, 1 blood }", "costs that are paid together are joined by `and`"},
		{"effect slow { speed = 10 ft }", "`speed becomes EXPR` replaces what the stat sums up"},
		{"effect slow { speed * 1/2 }", "`speed times N` or `times N/M` multiplies the stat"},
	} {
		_, diags := File("slip.rules", []byte("ruleset slip\n"+c.src+"\n"))
		if len(diags) == 0 || !strings.HasPrefix(diags[0].Hint, c.hint) {
			t.Errorf("%q: want the hint %q, got %v", c.src, c.hint, diags)
		}
	}
}

// TestStorySlips: choices of other tools for stories get a hint at what they are here.
func TestStorySlips(t *testing.T) {
	for _, c := range []struct{ src, hint string }{
		{"choices { \"Fight\" { fight { } -> loft } }", "go to another scene with `go to loft`"},
		{"\"Fight\" { finish }", "choices are written `choices { \"Fight\" { ... } }`"},
		{"choice \"Pay him\" if coins > 2 { finish }", "choices are written `choices { \"Pay him\" { ... } }`"},
		{"\"Rain.\"\n* [Turn back] -> quay", "choices are written `choices { \"Turn back\" { go to quay } }`"},
		{"\"Rain.\"\n  + Turn back", "choices are written `choices { \"Turn back\" { go to SCENE } }`"},
		{"* [Turn back] -> quay", "choices are written `choices { \"Turn back\" { go to quay } }`"},
		{"+ Go on -> quay", "choices are written `choices { \"Go on\" { go to quay } }`"},
		{"[[Turn back->quay]]", "choices are written `choices { \"Turn back\" { go to quay } }`"},
		{"choices { \"Row out\" if lantern { go to quay } }", "a condition of a choice follows `when`: \"label\" when lantern { ... }"},
		{"-> quay", "go to another scene with `go to quay`"},
	} {
		_, diags := File("slip.adventure", []byte("adventure \"Slip\" with x\nscene start {\n  "+c.src+"\n}\n"))
		if len(diags) == 0 || !strings.HasPrefix(diags[0].Hint, c.hint) {
			t.Errorf("%q: want the hint %q, got %v", c.src, c.hint, diags)
		}
	}
}

// TestFieldsBetweenCommas: fields may be separated by commas, which are not values then.
func TestFieldsBetweenCommas(t *testing.T) {
	for commas, lines := range map[string]string{
		"creature x { strength: 16, level: 3 }":                     "creature x { strength: 16; level: 3 }",
		"creature x { attacks: claw, claw, level: 3, is small, }":   "creature x { attacks: claw, claw; level: 3; is small }",
		"creature x { has dodge, mobility, level: 3,\n size: tiny}": "creature x { has dodge, mobility; level: 3; size: tiny }",
		"creature x { is undead, evil, has dodge }":                 "creature x { is undead, evil; has dodge }",
	} {
		a, diags := File("commas.rules", []byte("ruleset commas\n"+commas+"\n"))
		b, _ := File("lines.rules", []byte("ruleset commas\n"+lines+"\n"))
		if len(diags) > 0 || dump(a.Body[1]) != dump(b.Body[1]) {
			t.Errorf("%s: %v\n%s\n%s", commas, diags, dump(a.Body[1]), dump(b.Body[1]))
		}
	}
}
