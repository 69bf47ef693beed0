package build

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"arbiter/rules"
	"arbiter/spec/catalogue"
)

// mistakes lists the diagnostics of a source: position, code and message. The lines of head are not counted.
func mistakes(t *testing.T, path, head, body string) string {
	t.Helper()
	_, diags, err := Source(path, []byte(head+body+"\n"), quick)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s %s", d.Span.Start.Line-strings.Count(head, "\n"), d.Span.Start.Column, d.Code, d.Message))
	}
	return strings.Join(got, ", ")
}

// TestWhatAScriptNeverDoes checks that clauses that a kind of script does not execute are not allowed in it.
func TestWhatAScriptNeverDoes(t *testing.T) {
	const tests, adventure, outside, among = "misplaced a test belongs in a file of tests", "misplaced this belongs in an adventure",
		"misplaced this is not allowed outside a test", "misplaced this is not allowed among the statements of a script"
	for _, c := range []struct{ kind, body, want string }{
		{"encounter", "expect 1 = 1", ""},
		{"encounter", "test \"x\" { expect 1 = 2 }\ntest \"y\" { expect 1 = 3 }", "1:1 " + tests},
		{"encounter", "given x { expect 1 = 2 }", "1:1 " + tests},
		{"encounter", "choices { \"x\" { stop } }\ngo to x", "1:1 " + adventure},
		{"encounter", "fight { won { } }", "1:1 " + adventure},
		{"encounter", "if 1 = 1 { test \"x\" { expect 1 = 2 } }\nrepeat 2 times { option a = 3; dice 4 }", "1:12 misplaced this is not allowed among statements, 2:18 " + among},
		{"tests", "test \"x\" { expect 1 + 1 = 2; cite srd35.ac.01 }", ""},
		{"tests", "test \"x\" { expect 1 = 2 when 1 = 3; begin unless 1 = 2 }", "1:30 misplaced a statement of scripts has no condition, 1:50 misplaced a statement of scripts has no condition"},
		{"tests", "test \"x\" { if 1 = 3 { begin; expect 1 = 2 } }", ""},
		{"tests", "seed 4\nfight { won { } }\nlet x = 3", "1:1 " + outside + ", 2:1 " + adventure + ", 3:1 " + outside},
		{"tests", "test \"x\" given g { test \"y\" { expect 1 = 2 }; option a = 3; cost none; include \"x\" }\ngiven g { +1 to attack-bonus }",
			"1:20 " + among + ", 1:47 " + among + ", 1:61 " + among + ", 1:72 " + adventure + ", 2:11 " + among},
		{"adventure", "scene a { finish }\nseed 4", ""},
		{"adventure", "scene a { finish }\ndice 4\ntest \"x\" { expect 1 = 2 }", "2:1 misplaced this belongs in a test, 3:1 misplaced this belongs in a test"},
		{"adventure", "side a { man Bo }\nBo follows default\nscene a { finish }", "2:1 misplaced this is not allowed outside a scene"},
	} {
		head := c.kind + " \"x\" with srd35\ncreature man { full-hit-points: 9 }\n"
		if got := mistakes(t, "x."+c.kind, head, c.body); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.kind, c.body, got, c.want)
		}
	}
}

// TestAnotherNameForAStat checks that a modifier of a stat's other name is not silently without effect.
func TestAnotherNameForAStat(t *testing.T) {
	got := mistakes(t, "x.rules", "ruleset x extends modern\n", "feat sturdy { +2 to defense }")
	if want := "1:21 modified-view defense is a view"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestWhereARulesetIsMissing checks that a missing ruleset is reported where it is named.
func TestWhereARulesetIsMissing(t *testing.T) {
	for kind, want := range map[string]string{
		"encounter": "1:25 unknown-ruleset there is no ruleset srd53",
		"tests":     "1:21 unknown-ruleset there is no ruleset srd53",
		"adventure": "1:25 unknown-ruleset there is no ruleset srd53",
	} {
		if got := mistakes(t, "x."+kind, "", kind+" \"x\" with d20, srd53\nexpect 1 = 1"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", kind, got, want)
		}
	}
}

// TestSaidTwice checks the diagnostics for a second header, which indicates a pasted file, and for other duplicates.
func TestSaidTwice(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"x.rules", "ruleset x extends d20\noption a1 = 3\n\nruleset y extends srd35\noverride massive-damage-threshold = 25", "4:1 misplaced a file has one header, at the top"},
		{"x.encounter", "encounter \"x\" with d20\ntests \"y\" with srd35\ntest \"z\" { expect 1 = 2 }", "2:1 misplaced a file has one header, at the top"},
		{"x.encounter", "encounter \"x\" with srd35\ncreature twin { level: 2; level: 5 }\nside a { twin Al { strength: 3; strength: 4 } }",
			"2:27 declared-twice level is given twice"},
		{"x.tests", "tests \"x\" with d20\ngiven a { seed 1 }\ngiven a { seed 2 }\ntest \"x\" given a { expect 1 = 2 }", "3:7 declared-twice there is a given a already"},
		{"x.tests", "tests \"x\" with d20\ntest \"x\" { expect 1 = 2 }\ntest \"x\" { expect 2 = 3 }", `3:6 declared-twice there is a test "x" already`},
		{"x.adventure", "adventure \"x\" with d20\nscene a {\n  choices {\n    \"go\" when 1 = 1 { finish }\n    \"go\" { finish }\n    once \"go\" { finish }\n    \"go\" { finish }\n  }\n}",
			`7:5 declared-twice there already is a choice "go"`},
		{"x.encounter", "encounter \"x\" with srd35\ncreature twin { level: 2 }\nside a { twin Al { strength: 3; strength: 4; level: 3 } }", "3:33 declared-twice strength is given twice"},
	} {
		if got := mistakes(t, c.path, "", c.src); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

// TestHowLongAFight checks that the limits of `fight on` are checked statically.
func TestHowLongAFight(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"fight on for 3", "4:14 wrong-type this is a number, but duration is expected"},
		{"fight on for 3 rounds turns", "4:14 wrong-type this is a duration, but number is expected"},
		{"fight on until Bo.level", "4:16 wrong-type"},
		{"fight on until Bo is proen", "4:22 unknown-name"},
		{"fight on until Bo is prone", ""},
	} {
		if got := mistakes(t, "x.encounter", "", "encounter \"x\" with srd35\ncreature man { level: 1 }\nside a { man Bo }\n"+c.src); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

// TestMisnamed checks that a keyword used as a name is one mistake, however often the name is used.
func TestMisnamed(t *testing.T) {
	const body = `override strike.confirm {
  let beside = threat
  if beside { note "x {beside}" }
  let critical = beside
  set beside to no
}
rule told after strike { note "{beside}"; stop when beside }
condition odd { keep count = 3; +count to attack-bonus; rule a after strike { set count to 4 } }`
	if got, want := mistakes(t, "x.rules", "ruleset x extends srd35\n", body),
		"2:7 reserved-name `beside` is a word of the language and cannot be a name, 8:22 reserved-name `count` is a word of the language and cannot be a name"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestMistakesInTests checks what authors of tests get wrong, and that each mistake is reported once.
func TestMistakesInTests(t *testing.T) {
	const head = "tests \"x\" with srd35\ncreature man { }\ngiven duel { side us { man Alia }; side them { man Bron } }\n"
	const duel = head + "test \"t\" given duel {\n"
	for _, c := range []struct{ head, body, want string }{
		{duel, "cite srd35.attack.01; dice 3, (4); answer yes, left, \"go\", 3; expect no }", ""},
		{duel, "cite srd35.nowhere.01; expect no }", "1:6 the catalogue has no srd35.nowhere.01: ids are listed in spec/catalogue"},
		{duel, "dice 2d6; dice 3, -4; dice yes }", "1:6 a die shows a number: write the face that it shows, or several: dice 12, 3, 1:19 a die shows a number: write the face that it shows, or several: dice 12, 3, 1:28 a die shows a number: write the face that it shows, or several: dice 12, 3"},
		{duel, "answer 2d6 }", "1:8 an answer is yes, no, a number, a name, a text or a square: computed answers are not possible"},
		{duel, "expect \"Bron is prone\" }", "1:8 this is text, but a condition is expected: write the condition without quotes: expect COND"},
		{duel, "}", "0:6 nothing happens in this test: write what is done, and what must hold then: expect COND"},
		{duel, "cite srd35.attack.01 }", "0:6 nothing happens in this test: write what is done, and what must hold then: expect COND"},
		{duel, "seed 3; Alia: attack Bron }", "0:6 whatever its seed rolls, nothing is expected in this test: write what must hold then: expect COND, or transcript \"\"\" \"\"\""},
		{duel, "seed 3; Alia: attack Bron; expect Bron.hit-points < 20 }", ""},
		{duel, "Alia: move to (3, 4) }", ""}, // it could be refused
		{duel, "expect Bron is prone or (1 >= 1 and yes) }", "1:8 this holds whatever happens: expect something that would be different without the rule"},
		{duel, "expect Bron.hit-points = Bron.hit-points and Bron is prone; expect -7 / 2 = -4 }", ""},
		{head + "test \"t\" given dull {\n", "expect Bron is prone; expect 3 }", "0:16 there is no given dull: did you mean `duel`?, 1:30 this is a number, but yes-no is expected: write `yes` or `no`, or compare it"},
		{head + "test \"t\" {\n", "expect Bron is prone }", "1:8 there is nothing here named Bron: `given duel` places Bron: write test \"TITLE\" given duel { ... }"},
		{head + "test \"t\" {\n", "Cyra: attack Cyra }", "1:1 there is nothing here named Cyra: place them first: side NAME { CREATURE Cyra }, 1:14 there is nothing here named Cyra: place them first: side NAME { CREATURE Cyra }"},
		{"encounter \"x\" with srd35 cite srd35.nowhere.01\n", "expect yes", "0:31 the catalogue has no srd35.nowhere.01: ids are listed in spec/catalogue"},
	} {
		_, diags, err := Source("x.tests", []byte(c.head+c.body+"\n"), Options{Library: rules.FS, KnownCitation: catalogue.Known})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(diags, strings.Count(c.head, "\n")); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
}

// TestHints checks the hints for misspelled words of scripts, units, and misplaced words.
func TestHints(t *testing.T) {
	hint := func(path, src string) string {
		_, diags, err := Source(path, []byte(src+"\n"), quick)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range diags {
			got = append(got, d.Code+" "+d.Hint)
		}
		return strings.Join(got, "\n")
	}
	for src, want := range map[string]string{
		"nxet turn":                  "unknown-command did you mean `next turn`? The form is: next turn [of NAME]",
		"figth on":                   "unknown-command did you mean `fight on`?",
		"sead 4":                     "unknown-command did you mean `seed`?",
		"place Al":                   "unknown-command the form is `place NAME at SQUARE`, `place NAME near PLACE`, `place NAME at none` or `place NAME back`",
		"pas 3 rounds":               "unknown-command did you mean `pass`?",
		"longsword Al":               "unknown-command it is a weapon; a command begins with what is done",
		"dise 4":                     "unknown-command did you mean `dice`?",
		"answr yes":                  "unknown-command did you mean `answer`?",
		"explan Al.attack":           "unknown-command did you mean `explain`?",
		"pass 3 rouds":               "unknown-unit did you mean `rounds`?",
		"Al attacks Bo":              "expected-end put the actor before a colon: `Al: attack Bo ...`",
		"Al takes 3":                 "expected-end write `Al loses 3 RESOURCE` for an amount, or a command: `Al: COMMAND of 3`; a resource is `hit-points`",
		"expect is prone":            "expected say who: `WHO is prone`",
		"expect Al prone":            "expected-end did you mean `expect Al is prone`?",
		"expect Al hit Bo":           "expected-end ask for what is so afterwards: `expect WHO is CONDITION`, ",
		"side a { creature Al { } }": "unknown-template declare what Al is, outside of the side: `creature TEMPLATE { ... }`, and write `TEMPLATE Al`",
		"for each x in creatures { creature dog { } }": "expected-end if this is a declaration, write it at the top level, outside of every block",
		"Al: cast x on Bo": "expected-end a further argument comes after one of these words: against, ",
		"Al: full hit Bo":  "expected-end the words of a name are joined by hyphens: `full-hit Bo`",
		"side a { dog 3 }": "expected each has a name of its own: `dog NAME; dog NAME`",
		"side a { 3 dog }": "expected each has a name of its own: `CREATURE NAME; CREATURE NAME`",
		"Al.attack Bo":     "expected put the actor before a colon: `Al: COMMAND ...`",
		"creature c { }\nside us { c Alia }\nside them { c Bron }\nAlia: attack br":     "unknown-name did you mean `Bron`?",
		"creature c { }\nside us { c Alia; c Bron }\nAlia: attack Bron using longsword": "wrong-type the form is: attack TARGET [with WEAPON] [using GRIP] [for HARM]",
		"creature c { main-weapon: longsword +1 }":                                      "wrong-type if one with other fields is meant, declare it: `weapon NAME extends longsword { FIELD: VALUE }`",
		"creature c { feats: power-attack, cleave }":                                    "unknown-field write `has power-attack, cleave`",
		"creature c { weapons: longsword }":                                             "unknown-field did you mean `main-weapon` or `off-hand-weapon`?",
		"creature c { shield: heavy-shield }":                                           "unknown-field did you mean `carried-shield` or ",
		"creature c { main-weapon: frying-pan }":                                        "unknown-name declare it: `weapon frying-pan { ... }`; `arbiter rules list RULESET --kind weapon` lists",
		"creature c { items: 3 }":                                                       "unknown-field did you mean `magic-items`?",
		"creature c { }\nside us { c Alia }\nc Bron":                                    "unknown-command to place one write `side NAME { c NAME }`",
		"creature c { }\nside us { c Alia }\nAlia gains longsword":                      "unknown-effect it is a weapon: write `set WHO.main-weapon to longsword`",
	} {
		if got := hint("x.encounter", "encounter \"x\" with srd35\n"+src); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
	for src, want := range map[string]string{
		"condition a while self is poisoned { -2 to attack-bonus }":     "unknown-name declare it: `condition poisoned { ... }`, or a field that is yes or no: `kind creature { poisoned: flag }`",
		"define creature.a(w: weapon) = w is hallowed":                  "unknown-name declare it: `kind weapon { hallowed: flag }`",
		"kind creature { rage: int = 0 }":                               "unknown-type the type of whole numbers is `number`",
		"rule a at start of round { ground rubble at (1, 1) }":          "misplaced rules cannot do this; a script can",
		"feat a { +10 to speed }":                                       "unknown-stat speed is a field: modify pace or flight-pace, to which it adds",
		"feat a { +1 to attack }":                                       "unknown-stat did you mean `attack-bonus` or `attack-roll`?",
		"feat a { +1 to saves }":                                        "unknown-stat did you mean `saving-throw`?",
		"extend creature { rage: number = 0 }":                          "misplaced `extend` adds to what a body computes; add a field with `kind creature { NAME: TYPE = EXPR }`",
		"rule a after strike when blow fails { stop }":                  "unknown-name strike has target, weapon, grip, ",
		"rule a after strike when hp > 3 { stop }":                      "unknown-name did you mean `hit-points`?",
		"define creature.a = speed + 5 fet":                             "unknown-unit did you mean `feet`?",
		"define creature.a = max(3 parsecs, 5 ft)":                      "unknown-unit units are ft, squares, ",
		"option a = 3 option b = 4":                                     "expected-end the form is: option NAME",
		"condition a { lasts for (1 + 2) rouds }":                       "unknown-unit did you mean `rounds`?",
		"creature a { level: 3 strength: 4 }":                           "expected-end separate clauses on one line with `;`",
		"rule a after strike when landed by self { note \"x\" }":        "misplaced write `after strike by self when ...`",
		"rule a after strike by self when self is prone { note \"x\" }": "",
		"condition a\n  +1 to attack-bonus\n  lasts for 3 rouds\n}":     "expected the matching `}` is below",
		"creature a\n  level: 3\n  strength: 4\n}":                      "expected the form is: ",
		"action a\n  cost none\n  step b { note \"x\" }\n}":             "expected the matching `}` is below",
		"creature a { hp: 5 }":                                          "unknown-field `hit-points` is a resource, and starts with `max-hit-points`: did you mean `full-hit-points`?",
		"condition a while hp < 5 { -1 to attack-bonus }":               "unknown-name did you mean `hit-points`?",
		"feat a { +2 to hit-points }":                                   "unknown-stat hit-points is a resource: modify max-hit-points, or write `gains`",
		"rule a after strike when damage > 5 { note \"x\" }":            "unknown-name strike has target, weapon, ",
		"rule a after attack when to-hit succeeds { stop }":             "unknown-name a rule `after strike` knows to-hit",
		"override creature.can-ready = not whatever.full-round":         "unknown-name creature.can-ready has chosen-action",
		"creature a { hitpoints: 5 }":                                   "unknown-field `hit-points` is a resource",
		"creature a { str: 12 }":                                        "unknown-field did you mean `strength`?",
		"creature a { ac: 12 }":                                         "unknown-field `armor-class` is computed by the rules",
		"creature a { speed: 30 }":                                      "wrong-type add the unit: `30 ft`",
		"option a = 5 rounds + 3":                                       "wrong-type add the unit: `1 round`",
		"creature a { attack-bonus: 4 }":                                "unknown-field `attack-bonus` is computed by the rules: give a field that it depends on (base-attack, size, main-weapon, strength",
		"creature a { prone: yes }":                                     "unknown-field `prone` is a condition: write `has prone`",
		"action a { cost: standard-action }":                            "unknown-property write it without a colon: `cost ...`",
		"action a { needs self lacks dodge }":                           "expected-end to ask whether an effect is missing, write `X has not NAME`",
		"define creature.a = speed plus 5 ft":                           "expected-end the sign is +",
		"condition a { }\n}":                                            "stray-bracket ",
	} {
		if got := hint("x.rules", "ruleset x extends srd35\n"+src); !strings.HasPrefix(got, want) || want == "" && got != "" || strings.Contains(got, "\n") {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
}

// TestManyMistakes checks that a file with many mistakes is not reread for each, and that names are not searched for
// each.
func TestManyMistakes(t *testing.T) {
	const many = 20000
	for path, x := range map[string]struct{ head, line string }{
		"x.rules":     {"ruleset x extends srd35", "define answer-%d = question-%d"},
		"y.rules":     {"ruleset y extends srd35", "spel thing-%d { damage: question-%d }"},
		"x.encounter": {"encounter \"x\" with srd35", "let answer-%d = question-%d"},
		"x.adventure": {"adventure \"x\" with srd35\ncreature hero { level: 1 }\nside party { hero Alia }", "scene answer-%d { \"{answer}\"; go to question-%d }"},
	} {
		var src strings.Builder
		src.WriteString(x.head)
		for i := range many {
			fmt.Fprintf(&src, "\n"+x.line, i, i)
		}
		start := time.Now()
		_, diags, err := Source(path, []byte(src.String()+"\n"), quick)
		if took := time.Since(start); err != nil || len(diags) < many || took > 30*time.Second {
			t.Errorf("%s: %d mistakes and %v after %v", path, len(diags), err, took)
		} else {
			t.Log(path, took)
		}
	}
}
