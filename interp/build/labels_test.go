package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/lang/diag"
	"arbiter/rules"
)

// rolls is a ruleset in which everything that can have a label rolls or asks.
const rolls = `ruleset rolls
use starry from "rolls.star"
kind creature { might: number = 0; full-hit-points: number = 9 }
roll plain { die d20 }
stat strength rolled as plain { base: self.might }
resource points from 0 to 99 starts 0
table fate by number {
  | number | value |
  | 1      | gm    |
  | others | 3     |
}
condition dazed { }
condition cursed {
  rule weaken after shove { self loses 1d4 points }
  reaction flinch before shove.push to self { note "no" }
}
action attack target: creature { step deal { self: shove target } }
procedure shove target: creature {
  step push { check strength opposed by target.strength as push }
  step force { let force = roll d6 }
  step mud { chance 10% as slip { success: stop } }
  step fall { roll d8 as height { 1: stop; otherwise: stop } }
  step daze { target gains dazed for (roll 1d6) rounds }
  step victim { let victim = pick c in creatures by chance }
  step helper { let helper = pick c in creatures }
  step brace { target may "brace" { note "x" } }
  step way { choose { "left" { }; "right" { } } }
  step omen { let omen = fate[1] }
  step star { starry }
}
`

// star rolls and asks in a function.
const star = `def starry(ctx):
    ctx.roll("1d6", "spark")
    ctx.ask("warm", ["yes", "no"])
`

// tale rolls in its scenes.
const tale = `adventure "a tale" with rolls
creature man { }
side us { man Alia }
scene bridge {
  shuffle {
    then { "a" }
    then { "b" }
  }
  check Alia.strength dc 12 { success: note "over"; otherwise: note "in" }
  let depth = roll d6
  "{depth}"
  visit bank
  finish
  scene bank { Alia: shove Alia }
}
`

// TestLabels checks that dice and answers are reported if no code rolls or asks for them, and no others.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"rolls.rules": rolls, "rolls.star": star, "tale.adventure": tale,
		"house.rules": "ruleset house extends rolls\noverride shove.force { }\nextend shove { step luck after star { let luck = roll d6 } }\n",
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const (
		tests   = "tests \"x\" with rolls\ncreature man { }\nprocedure own { let die = roll d4 }\ngiven duel { side us { man Alia }; side them { man Bron } }\ntest \"t\" given duel {\n"
		ofStory = "tests \"x\" of \"tale.adventure\"\n\n\n\ntest \"t\" {\n"
		form    = "the form is PROCEDURE.NAME, where NAME is that of its `let`, its `as` or its step"
	)
	for _, c := range []struct{ head, body, want string }{
		{tests, "dice Alia shove.push: 3; dice Bron shove.push.opposed: 4; dice shove.force: 5; dice shove.slip: 50; dice shove.height: 2; dice shove.daze: 3; dice shove.victim: 1", ""},
		{tests, "dice cursed.weaken: 3; dice own.die: 2; dice Alia shove.star: 4; dice shove.star.spark: 3; answer shove.star.warm: \"yes\"", ""},
		{tests, "answer shove.helper: Bron; answer Bron shove.brace: yes; answer shove.way: \"left\"; answer fate: 2; answer cursed.flinch: no", ""},
		{tests, "dice script.x: 3; let x = roll d6", ""},
		{ofStory, "dice bridge: 9; dice bridge.depth: 3; dice bridge.shuffle: 1; dice Alia shove.push: 3", ""},

		{tests, "dice Alia shove.pusch: 3", "1:11 nothing rolls shove.pusch: did you mean `shove.push`?"},
		{tests, "dice shov.push: 3", "1:6 nothing rolls shov.push: did you mean `shove.push`?"},
		{tests, "dice Alia attack.force: 3", "1:11 nothing rolls attack.force: did you mean `shove.force`?"},
		{tests, "dice Alia force: 3", "1:11 nothing rolls force: did you mean `shove.force`?"},
		{tests, "dice own: 3", "1:6 nothing rolls own: did you mean `own.die`?"},
		{tests, "dice own.luck: 3", "1:6 nothing rolls own.luck: did you mean `own.die`?"},
		{tests, "dice Alia initiative: 3", "1:11 nothing rolls initiative: " + form},
		{tests, "answer shove.push: yes", "1:8 nothing asks for shove.push: it is a roll: write `dice`"},
		{tests, "dice Alia shove.brace: 3", "1:11 nothing rolls shove.brace: it is a choice: write `answer`"},
		{tests, "dice script.y: 3; let x = roll d6", "1:6 nothing rolls script.y: did you mean `script.x`?"},
		{tests, "if yes { dice shove.pusch: 3; begin }", "1:15 nothing rolls shove.pusch: did you mean `shove.push`?"},
		{ofStory, "dice bridge.deph: 9", "1:6 nothing rolls bridge.deph: did you mean `bridge.depth`?"},
		{ofStory, "dice bridge.sequence: 9", "1:6 nothing rolls bridge.sequence: did you mean `bridge.depth` or `bridge.shuffle`?"},

		// What depends on code that could not be understood is assumed to be correct.
		{tests, "let x = rol d6; dice script.x: 3; dice shove.pusch: 3", "1:9 there is no action or procedure rol: did you mean `roll`?, 1:40 nothing rolls shove.pusch: did you mean `shove.push`?"},
	} {
		_, diags, err := Source(path("x.tests"), []byte(c.head+c.body+"\n}\n"), quick)
		if err != nil {
			t.Fatal(err)
		}
		if got := told(diags, strings.Count(c.head, "\n")); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}

	// Under a house rule that is not the script's own, a roll may be missing, or there may be another.
	src := []byte(tests + "dice shove.force: 3; dice shove.luck: 3\n}\n")
	for _, c := range []struct {
		with []string
		want string
	}{{nil, "1:27 nothing rolls shove.luck: " + form}, {[]string{path("house.rules")}, ""}} {
		_, diags, err := Source(path("x.tests"), src, Options{Library: rules.FS, With: c.with})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(diags, strings.Count(tests, "\n")); got != c.want {
			t.Errorf("with %v: got %s, want %s", c.with, got, c.want)
		}
	}
}

// told lists diagnostics with their hints; the first lines are not counted.
func told(diags diag.List, lines int) string {
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d:%d %s: %s", d.Span.Start.Line-lines, d.Span.Start.Column, d.Message, d.Hint))
	}
	return strings.Join(got, ", ")
}
