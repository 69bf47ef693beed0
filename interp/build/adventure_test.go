package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// diagnoseStory builds an adventure of one file and lists the diagnostics: line:column code.
func diagnoseStory(t *testing.T, body string) string {
	t.Helper()
	src := "adventure \"x\" with srd35\ncreature man { full-hit-points: 9 }\nside party { man Alia }\nkeep gold = 3; define golden = gold > 1\n" + body
	s, diags, err := Source("x.adventure", []byte(src), quick)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s", d.Span.Start.Line-4, d.Span.Start.Column, d.Code))
	}
	if diags.HasErrors() != (s.Rules == nil) {
		t.Errorf("%s: errors, and rules to play by", body)
	}
	return strings.Join(got, ", ")
}

// fight is a scene with a fight and the given set-up, one line each.
func fight(setUp ...string) string {
	return "scene a { fight {\n  " + strings.Join(setUp, "\n  ") + "\n  won { finish }; lost { finish } }\n  finish }"
}

// TestMistakesOfWriters checks that every mistake of a writer is found statically, at its column.
func TestMistakesOfWriters(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing is wrong", "scene a { \"Hello.\"; finish }", ""},
		{"no scene", "", "-3:1 no-scene"},
		{"a scene that ends nowhere", "scene a {\n  \"Hello.\"\n}", "3:1 dead-end"},
		{"a missing scene", "scene a { go to hal }\nscene hall { finish }", "1:17 unknown-scene"},
		{"a scene that nothing leads to", "scene a { finish }\nscene b { finish }", "2:7 unreachable-scene"},
		{"a scene declared twice", "scene a { finish }\nscene a { finish }", "2:7 declared-twice"},
		{"a scene within, by its short name", "scene a { visit b; if seen(b) { \"{visits(b)}\" }; finish\n  scene b { \"x{visits(b)}{visits(a.b)}\" } }", ""},
		{"a scene within another, from outside", "scene a { visit b; finish\n  scene b { \"x\" } }\nscene c { if seen(b) { finish }; finish }", "3:19 unknown-scene"},
		{"back from where one has gone", "scene a { go to b }\nscene b { back }", "2:11 no-way-back"},
		{"back from a visit", "scene a { visit b; finish }\nscene b { \"x\"; back }", ""},
		{"the end of a visit", "scene a { visit b; finish }\nscene b { \"x\" }", ""},
		{"visited here, gone to there", "scene a { visit b; go to b }\nscene b { \"x\" }", "2:15 dead-end"},
		{"choices that may all be closed", "scene a {\n  choices { once \"x\" { again } }\n}", "3:1 dead-end"},
		{"a fallback is a way out", "scene a {\n  choices { once \"x\" { again }; otherwise { finish } }\n}", ""},
		{"a fallback that is not the last", "scene a {\n  choices { otherwise { finish }; \"x\" { finish } }\n}", "2:13 misplaced"},
		{"no way at all", "scene a { choices { }\n  finish }", "1:11 no-way"},
		{"again, of nothing", "scene a { again }", "1:11 misplaced"},
		{"a wrong type in a condition", "scene a { if gold { \"x\" }\n  finish }", "1:14 wrong-type"},
		{"an unknown name in a condition", "scene a { choices { \"x\" when goold > 2 { finish }; otherwise { finish } } }", "1:30 unknown-name"},
		{"a bracket in a text that is never closed", "scene a { \"You have {gold pieces.\"; finish }", "1:21 unclosed-bracket"},
		{"a wrong name in a text", "scene a {\n  \"\"\"\n  One.\n  You have {gol}.\n  \"\"\"\n  finish\n}", "4:13 unknown-name"},
		{"a condition in a text that is none", "scene a { \"{if gold: a | b}\"; finish }", "1:16 wrong-type"},
		{"a cost that cannot be paid with", "scene a { choices { \"x\" cost 2 of Alia.strenght { finish }; otherwise { finish } } }", "1:40 unknown-name"},
		{"a text outside of scenes", "\"Long ago.\"\nscene a { finish }", "1:1 misplaced"},
		{"a choice without a label", "scene a { choices { \"\" { finish } } }", "1:21 no-way"},
		{"a statement outside of scenes", "set gold to 4\nscene a { finish }", "1:1 misplaced"},
		{"an expectation in a scene", "scene a { expect gold = 3; finish }", "1:11 misplaced"},
		{"a scene within brackets", "scene a { if gold > 1 { scene b { } }\n  finish }", "1:25 misplaced"},
		{"an action of nobody", "scene a { attack Alia; finish }", "1:11 no-self"},
		{"a fight against nobody", "scene a { fight { won { finish }; lost { finish } }\n  finish }", "1:11 nobody"},
		{"a fight of which defeat says nothing", "scene a { fight { side foes { man Bo }; won { finish } }\n  finish }", "1:11 no-defeat"},
		{"the name of a hero for a foe", "scene a { fight { side foes { man Alia }; won { finish }; lost { finish } }\n  finish }", "1:35 declared-twice"},
		{"the set-up behind what comes of it", "scene a { fight { side foes { man Bo }; won { finish }; lost { finish }; Bo gains prone }\n  finish }", "1:74 misplaced"},
		{"a foe outside of the fight", "scene a { fight { side foes { man Bo }; lost { finish } }\n  Bo gains prone\n  finish }", "2:3 unknown-name"},
		{"what is let ends with its brackets", "scene a { if gold > 1 { let x = 1; \"{x}\" }\n  \"{x}\"\n  finish }", "2:5 unknown-name"},
		{"what is let is known below", "scene a { let x = 1\n  if x > 0 { \"{x}\" }\n  finish }", ""},
		{"what a condition makes sure", "keep friend: creature or none = none\nscene a { if friend is not none { \"{friend.level}\" }\n  finish }", ""},
		{"players choose in choices", "scene a { choose { \"x\" { \"y\" } }\n  finish }", "1:11 misplaced"},
		{"what nothing reads", "keep mood = 3\nscene a { let x = 2\n  set mood to 4\n  let y = 3\n  \"{y}\"\n  finish }", "1:6 never-read, 2:15 never-read"},
		{"what a rule reads", "keep mood = 3\ndefine cross = mood > 2\nscene a { set mood to 4\n  \"{cross}\"\n  finish }", ""},
		{"the party has no place yet", "side more { man Bela at (1, 1) }\nscene a { finish }", "1:25 misplaced"},
		{"a way that is never open", "scene a { choices { \"x\" when 1 > 2 { finish }; \"y\" { finish } } }", "1:30 never-runs"},
		{"a condition that never holds", "scene a {\n  if 2 < 1 { \"x\" }\n  finish\n}", "2:6 never-runs"},
		{"what stands behind what leads away", "scene a {\n  go to b\n  \"x\"\n  \"y\"\n}\nscene b { finish }", "3:3 never-runs"},
		{"an end behind both sides of a condition", "scene a {\n  if gold > 1 { finish } else { finish won }\n  finish lost\n}", "3:3 never-runs"},
		{"a ring of scenes", "scene a { go to b }\nscene b { go to a }", "1:7 no-end, 2:7 no-end"},
		{"again and again", "scene a { choices { \"x\" { finish }; \"y\" { go to b } } }\nscene b { choices { \"x\" { again }; once \"y\" { again } } }", "2:7 no-end"},
		{"again, and a way out", "scene a { choices { \"x\" { again }; \"y\" { finish } } }", ""},
		{"a ring that is visited", "scene a { visit b; finish }\nscene b { choices { \"x\" { again } } }", "1:7 no-end, 2:7 no-end"},
		{"a visit that ends the story", "scene a { visit b; go to a }\nscene b { if gold > 1 { finish } }", ""},
		{"a ring around a visit", "scene a { visit b; go to a }\nscene b { \"x\" }", "1:7 no-end"},
		{"a cycle of one way", "scene a { \"{cycle: x}\"; cycle { then { \"x\" } }; finish }", "1:12 one-way, 1:25 one-way"},
		{"what is told once is told in one way", "scene a { \"{first time: x}\"; first time { \"x\" }\n  finish }", ""},
		{"a shuffle of too many ways", "scene a { \"{shuffle: " + strings.Repeat("x | ", 40) + "x}\"; finish }", "1:12 limit"},
		{"a text that makes no difference", "scene a { \"{if gold > 1: x | x}{if gold > 1: x | y}\"; finish }", "1:12 one-way"},
		{"a statement that there is not", "scene a { goto b }\nscene b { finish }", "1:11 unknown-command"},
		{"a scene that cannot be read", "scene a {\n  choices { \"x\" go to b }\n}\nscene b { finish }", "2:17 expected"},
		{"a declaration that there is not", "sceen a {\n  \"Hello.\"\n  choices { \"x\" { go to b } }\n}\nscene b { finish }", "1:1 unknown-kind"},
		{"a fight with a map in order", fight(`map "A.#" { "#": wall }`, `side foes { man Bo at (1, 0) }`, `place Alia at "A"`), ""},
		{"a fight on open ground", fight(`place Alia at (90, 90)`, `side foes { man Bo at (1, 0) }`), ""},
		{"squares for all of a fight without a map, in any order", fight(`side foes { man Bo; man Cy at (1, 0) }`, `place Alia at (0, 0)`, `place Bo at (2, 0)`), ""},
		{"a square for whoever it may be", fight(`map "A."`, `side foes { man Bo at (1, 0) }`, `for each hero in party { place hero at "A" }`), ""},
		{"coordinates that show when it is told", fight(`map "A."`, `side foes { man Bo at (gold, 0) }`, `place Alia at (gold, 9 - 9)`), ""},
		{"a member that has no square", fight(`map "A."`, `side foes { man Bo }`, `place Alia at "A"`), "3:15 no-place"},
		{"a hero that has no square", fight(`map "A."`, `side foes { man Bo at "A" }`), "1:11 no-place"},
		{"a hero that has no square on open ground", fight(`side foes { man Bo at (1, 1) }`), "1:11 no-place"},
		{"a mark that is not on the map", fight(`map "A."`, `side foes { man Bo at "B" }`, `place Alia at "C"`), "3:25 no-place, 4:17 no-place"},
		{"a mark that appears twice on the map", fight(`map "AA."`, `side foes { man Bo at (2, 0) }`, `place Alia at "A"`), "4:17 no-place"},
		{"a mark without a map", fight(`side foes { man Bo at "B" }`, `place Alia at "A"`), "2:25 no-place, 3:17 no-place"},
		{"a square that is not on the map", fight(`map "A."`, `side foes { man Bo at (0, 1) }`, `place Alia at (-1, 0)`), "3:25 no-place, 4:17 no-place"},
		{"a square that is not on open ground", fight(`side foes { man Bo at (0, 100) }`, `place Alia at (0, 0)`), "2:25 no-place"},
		{"a place that is no square", fight(`map "A."`, `side foes { man Bo at 5 }`, `place Alia at (1, 2, 3, 4)`), "3:25 wrong-type, 4:17 wrong-type"},
		{"coordinates that are no numbers", fight(`map "A."`, `side foes { man Bo at (golden, 0) }`, `place Alia at (0, nought)`), "3:26 wrong-type, 4:21 unknown-name"},
		{"a map behind a side", fight(`side foes { man Bo at "B" }`, `map "A.B"`, `place Alia at "A"`), "3:3 misplaced"},
		{"a map behind somebody who is placed", fight(`place Alia at (1, 1)`, `map "A.B"`, `side foes { man Bo at "B" }`), "3:3 misplaced"},
		{"a map drawn twice", fight(`map "A.B"`, `map "B.A"`, `side foes { man Bo at "B" }`, `place Alia at "A"`), "3:3 declared-twice"},
		{"a map without squares", fight(`map " "`, `side foes { man Bo at (1, 0) }`, `place Alia at (2, 0)`), "2:7 bad-map"},
		{"a sign on a map that means nothing", fight(`map "A.%"`, `side foes { man Bo at (1, 0) }`, `place Alia at "A"`), "2:7 bad-map"},
		{"a legend that means nothing", fight(`map "A.#" { "#": wal }`, `side foes { man Bo at (1, 0) }`, `place Alia at "A"`), "2:20 unknown-name"},
		{"a side of nobody", fight(`side foes { }`), "1:11 nobody"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := diagnoseStory(t, c.body+"\n"); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
			}
		})
	}
}

// TestHintsForWriters checks the hints for typos and for the syntax of other languages.
func TestHintsForWriters(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`sceen a { finish }`, "did you mean `scene`?"},
		{`scene the bank { finish }`, "the form is: scene NAME"},
		{`scene a { vist b }; scene b { finish }`, "did you mean `visit`?"},
		{`scene a { goto b }; scene b { finish }`, "write `go to SCENE`"},
		{`scene a { go to "b" }; scene b { finish }`, "name a scene without quotes: go to SCENE"},
		{`scene a { -> b }; scene b { finish }`, "go to another scene with `go to b`"},
		{`scene a { choices { "x" { -> b } } }; scene b { finish }`, "go to another scene with `go to b`"},
		{`scene a { choices { "x" -> b } }; scene b { finish }`, "\"label\" { go to b }"},
		{`scene a { check reflex dc 12 { success { finish }; failure { finish } } }`, "write `check WHO.STAT ...`"},
		{`scene "The attic" { finish }`, "put the name before the title"},
		{`scene a { Hello there }`, "text to be told is in quotes: \"Hello ...\""},
		{`scene a { finish over }`, "the form is: finish [ENDING]"},
		{`scene a { choice { "x" { finish } } }`, "did you mean `choices`?"},
		{`scene a { choices { "x" go to b } }`, "put what a choice leads to in braces: \"label\" { go to SCENE }"},
		{`scene a { choices { "x" cost 1 of gold when golden { finish } } }`, "`when` comes before `cost`"},
		{`scene a { choices { "x" when golden { finish }; else { finish } } }`, "no other is available as `otherwise { }`"},
		{`scene a { choices { "x" cost 5 gp of gold { finish }; otherwise { finish } } }`, "as in `keep gold = 5 gp`"},
		{`scene a { rest 8 hours; finish }`, "write `pass 8 hours`"},
		{`scene a { check Alia.climb dc 12 { success { finish }; failure { finish } } }`, "did you mean `check Alia.skill-check of climb`?"},
		{`scene a { "{keeper} looks up."; finish }`, "`keep keeper = VALUE` remembers a value"},
		{`scene a { "{if golden x | y}"; finish }`, "{if COND: A | B}"},
		{`scene a { choices { "x" cost 5 gp { finish } } }`, "say what it is paid from: cost 5 gp of PATH"},
		{`scene a { choices { "x" cost 5 gold { finish } } }`, "say what it is paid from: cost 5 of gold"},
		{`scene a { choices { "x" once { finish } } }`, "put `once` before the label"},
		{`scene a { choices { 1 "x" { finish } } }`, "a choice begins with its label: \"label\" { }"},
		{`scene a { if golden { finish } elseif gold > 2 { finish } }`, "write `else if COND { }`"},
		{`scene a { finish won when golden "Rich." }`, "put the condition after the last words"},
		{`scene a { "{random: x | y}"; finish }`, "write {shuffle: A | B}"},
		{`scene a { if seen b { finish } }`, "seen(SCENE)"},
		{`scene a { gold += 1; finish }`, "`set gold to gold + ...`"},
		{`scene a { if golden = true { finish } }`, "the word is `yes`"},
		{`scene a { if Alia.name = "Alia" { finish } }`, "`Alia = Alia`"},
		{`scene a { fight { side foes { man Bo }; win { finish } }; finish }`, "write the result of a fight as `won { }`"},
		{`scene a { fight { side foes { man Bo }; break when golden; lost { finish } }; finish }`, "write `break off when COND`"},
		{`scene a { fight { side foes { man Bo }; Bob follows brute; lost { finish } }; finish }`, "did you mean `Bo`?"},
		{`scene a { fight { side foes { man Bo }; if golden { side more { man Cy } }; lost { finish } }; finish }`, "another fight"},
		{`scene a { fight { side foes { man Bo at "b" }; map "A.b"; place Alia at "A"; lost { finish } }; finish }`, "draw the map first"},
		{`scene a { check party.reflex dc 12 { success { finish }; failure { finish } } }`, "a list has many: name one of them, `WHO.reflex`"},
		{`scene a { if party is prone { finish }; finish }`, "`some one in LIST where one is prone`"},
		{`scene a { if a is seen { finish }; finish }`, "write `seen(a)`"},
		{`scene a { if visited(a) { finish }; finish }`, "write `seen(a)`"},
		{`scene a { fight { side foes { man Bo }; lost { finish } }; if Bo is dead { finish }; finish }`, "Bo exists only in its fight"},
	} {
		src := "adventure \"x\" with srd35\ncreature man { full-hit-points: 9 }\nside party { man Alia }\nkeep gold = 3; define golden = gold > 1\n" + c.body + "\n"
		_, diags, err := Source("x.adventure", []byte(src), quick)
		if err != nil || len(diags) == 0 {
			t.Fatal(c.body, err)
		}
		if len(diags) > 1 && !strings.Contains(c.body, "follows") || !strings.Contains(diags[0].Hint, c.want) {
			t.Errorf("%s: %d mistakes, the first of them: %s (%s); want %s", c.body, len(diags), diags[0].Message, diags[0].Hint, c.want)
		}
	}
}

// TestIncludes checks that an adventure can consist of several files, which share names, and that no file of another
// folder is read.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := write("main.adventure", "adventure \"x\" with srd35\ninclude \"parts/two.adventure\"\nkeep gold = 3\nscene a { go to b }\n")
	write("parts/two.adventure", "adventure \"x\"\ninclude \"three.adventure\"\nscene b { \"{gold} {silver}\"; go to c }\n")
	three := write("parts/three.adventure", "adventure \"x\"\ninclude \"two.adventure\"\nkeep silver = 4\nscene c { finish done }\n")
	s, diags, err := File(main, quick)
	if err != nil || len(diags) > 0 || len(s.Story.Scenes) != 3 {
		t.Fatalf("%v %v", err, diags)
	}
	if s, diags, err := File(three, quick); err != nil || len(diags) > 0 || !s.IsPart() || s.Rules != nil {
		t.Errorf("a part by itself: %v %v", err, diags)
	}
	plan := write("main.tests", "tests \"x\" of \"main.adventure\"\ntest \"t\" { expect finished done; expect gold = 3 and silver = 4; start at d; expect finished won }\n")
	_, diags, _ = File(plan, quick)
	if len(diags) != 2 || diags[0].Code != "unknown-scene" || diags[1].Code != "unknown-ending" {
		t.Errorf("the plan: %v", diags)
	}
	write("parts/three.adventure", "adventure \"x\"\nkeep silver = 4\nscene c { finish dun }\nscene e { go to nowhere }\n")
	_, diags, _ = File(main, quick)
	if len(diags) != 1 || diags[0].File != three {
		t.Errorf("a mistake in a part: %v", diags)
	}
	for name, want := range map[string]string{"../other.adventure": "is not next to", "none.adventure": "there is no file", "/etc/passwd": "is not next to"} {
		path := write("bad.adventure", "adventure \"x\" with srd35\ninclude \""+name+"\"\nscene a { go to b }\n")
		_, diags, err := File(path, quick)
		if err != nil || len(diags) != 1 || diags[0].Code != "no-file" || !strings.Contains(diags[0].Message, want) {
			t.Errorf("%s: %v %v", name, err, diags)
		}
	}
	write("plain.adventure", "scene b { finish }\n")
	write("other.rules", "ruleset other extends srd35\n")
	for _, name := range []string{"plain.adventure", "other.rules"} {
		path := write("bad.adventure", "adventure \"x\" with srd35\ninclude \""+name+"\"\nscene a { go to b }\n")
		if _, diags, err := File(path, quick); err != nil || len(diags) != 1 || diags[0].Code != "no-adventure" || diags[0].File != path {
			t.Errorf("%s: %v %v", name, err, diags)
		}
	}
	path := write("of.tests", "tests \"x\" of \"main.tests\"\ntest \"t\" { expect finished }\n")
	if _, diags, _ := File(path, quick); len(diags) == 0 || diags[0].Code != "no-adventure" {
		t.Errorf("tests of tests: %v", diags)
	}
}

// A scene that ends nowhere because nobody may win its fight says so.
func TestDeadEndBehindFight(t *testing.T) {
	for body, want := range map[string]bool{
		`scene a { fight { side foes { man Bo }; won { finish }; lost { finish } } }`: true,
		`scene a { choices { once "x" { again } } }`:                                  false,
	} {
		_, diags, err := Source("x.adventure", []byte("adventure \"x\" with srd35\ncreature man { }\nside party { man Alia }\n"+body), quick)
		if err != nil || len(diags) == 0 || diags[0].Code != "dead-end" || strings.Contains(diags[0].Hint, "A fight that nobody wins") != want {
			t.Errorf("%s: %v %v", body, diags, err)
		}
	}
}
