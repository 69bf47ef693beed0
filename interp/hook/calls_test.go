package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/rules"
)

// yard has an example of everything that a function can get or read.
const yard = `ruleset yard extends d20
enum mood ordered: calm, cross, furious
kind gem { worth: number = 3; glow: yes-no = no }
gem ruby { worth: 9 }
kind creature { luck: number = 2; temper: mood = calm; jewel: gem or none; talks: yes-no = yes }
resource blood from 0 to 20
bonus morale: highest
bonus shield: highest
stat aim against foe rolled as plain { level: level; luck: luck }
stat guard against foe = 10
stat poise against foe with gem: gem or none { base: 5; brave: 1 as morale; parry: 2 as shield }
view calmness of poise without brave
define creature.worth-to(other: creature) = other.blood + luck
define creature.friend-of(other: creature) with pay: number = other is not self and pay > 1
define gem.double = 2 * self.worth
define twice(n: number) = 2 * n
define dearest(a: gem, b: gem) = if a.worth >= b.worth then a else b
permission sing "To lift the voice."
condition marked by foe
condition mute { cannot sing }
condition bled-out while blood = 0
condition bound-for turns: number { keep pull: number = 1 }
procedure gem.shines upon target for light: number = gem.worth { step glow { note "dull" } }
gem opal { worth: 5; shines { step glow { set light to light + 1; note "{target} sees {light}" } } }
procedure wound victim for amount: number { step bleed { victim loses amount blood } }
procedure share for parts: number { step cut { note "{12 / parts}" } }
action poke target with gem: gem or none = none {
  cost none
  needs target is not self "not oneself"
  step try { check aim dc 12 as jab }
  step note { note "poked" }
}
use f from "f.star"
`

// acting is an action that runs the function.
const acting = "action answer target { cost none; step answer { let cash = 5; check aim dc 12 as try; f; note \"cash {cash}\" } }\n"

// inYard builds a script with the ruleset yard, a function and a rule that names it.
func inYard(t *testing.T, body, rule, commands string) (*build.Script, diag.List) {
	t.Helper()
	dir := t.TempDir()
	yard, head := yard, "def f(ctx):\n"
	if strings.HasPrefix(rule, "use ") {
		yard, head = strings.Replace(yard, "use f from \"f.star\"\n", "", 1), "def f(ctx, n):\n"
	}
	star := head + "    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
	for name, text := range map[string]string{"yard.rules": yard + rule, "f.star": star} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src := `encounter "in the yard" with yard
creature man { level: 4 }
side us {
  man Alia { jewel: ruby }
  man Bron
}
side them { man Cyra }
Cyra gains marked by Alia
Cyra gains mute
` + commands
	s, diags, err := build.Source(filepath.Join(dir, "yard.encounter"), []byte(src), build.Options{Library: rules.FS})
	if err != nil {
		t.Fatal(err)
	}
	return s, diags
}

// play runs a function: as a define of Alia that is printed, as a modifier of a stat, or in an action.
func play(t *testing.T, use, body string) (output, failure, hint string) {
	t.Helper()
	var rule, command string
	switch use {
	case "reads":
		rule, command = "define creature.answer = f\n", "note \"answer {Alia.answer}\"\n"
	case "adds":
		rule, command = "everyone answering { +f to poise }\n", "note \"answer {Alia.poise}\"\n"
	case "acts":
		rule, command = acting, "Alia: answer Cyra\n"
	case "rolls":
		rule, command = "use f(n: number): number from \"f.star\"\naction answer { cost none; step answer { let x = roll f(2); note \"answer {x}\" } }\n", "Alia: answer\n"
	case "rolls-none":
		rule, command = "use f(n: number): number or none from \"f.star\"\naction answer { cost none; step answer { let x = roll f(2); note \"answer {x}\" } }\n", "Alia: answer\n"
	case "rolls-here":
		rule, command = "action answer { cost none; step answer { let x = roll f; note \"answer {x}\" } }\n", "Alia: answer\n"
	case "instead":
		rule, command = "rule answer instead of wound { f }\n", "Alia: wound Cyra for 3\n"
	}
	s, diags := inYard(t, body, rule, "dice 15, 6, 6, 6, 6, 6\nanswer no, no\n"+command)
	if s.Rules == nil {
		return "", diags[0].Message, diags[0].Hint
	}
	p := session.Play(s, s.File.Body, session.Options{})
	for _, d := range p.Failures {
		if d.Code == "failed" {
			return p.Output, d.Message, d.Hint
		}
	}
	if len(p.Failures) > 0 && p.Failures[0].Code != "left-over" {
		t.Fatal(p.Failures)
	}
	return p.Output, "", ""
}

// TestBoundAndFailed checks that the values that a function bound before it failed are not bound by the next function
// that acts.
func TestBoundAndFailed(t *testing.T) {
	s, diags := inYard(t, "if ctx.self.luck == 2:\n    ctx.bind(\"cash\", 9)\n    fail(\"no luck\")\nctx.note(\"well\")", acting, "")
	if s.Rules == nil {
		t.Fatal(diags)
	}
	l, _ := session.NewLive(s, session.Options{}, nil)
	if out := l.Do("Alia: answer Cyra"); len(out.Failures) != 1 || !strings.Contains(out.Failures[0].Message, "no luck") {
		t.Fatal(out.Failures)
	}
	l.Do("set Alia.luck to 3")
	if out := l.Do("Alia: answer Cyra"); len(out.Failures) > 0 || !strings.Contains(out.Text, "well\n  cash 5\n") {
		t.Errorf("%s%v", out.Text, out.Failures)
	}
}

// TestCalls checks the result of everything that a function can call, and the message for each mistake.
func TestCalls(t *testing.T) {
	for i, x := range []struct{ use, body, want string }{
		// Results and their types.
		{"rolls", "return 3 * n", "answer 6"},
		{"rolls", "ctx.note(\"well\")", "f returned a value that does not fit: a whole number is expected, not None"},
		{"rolls-none", "pass", "answer none"},
		{"rolls-here", "pass", "f returned a value that does not fit: a whole number is expected, not None"},
		{"acts", "return \"what nobody asks for\"", "cash 5"},
		// Reading.
		{"reads", "return len(ctx.self.allies) + 10 * len(ctx.self.enemies) + 100 * len(ctx.creatures)", "answer 311"},
		{"reads", "return [c.name for c in ctx.creatures].index(\"Cyra\")", "answer 2"},
		{"reads", "return ctx.luck + ctx.self.level", "answer 6"},
		{"reads", "return ctx.self.get(\"aim\", against = ctx.self.enemies[0]) + ctx.aim", "answer 12"},
		{"reads", "return ctx.self.get(\"worth-to\", ctx.self.allies[0])", "answer 22"},
		{"reads", "return 1 if ctx.self.get(\"friend-of\", ctx.self.allies[0], with_ = 2) else 0", "answer 1"},
		{"reads", "return ctx.self.jewel.worth + ctx.self.jewel.double", "answer 27"},
		{"reads", "return ctx.call(\"twice\", 21)", "answer 42"},
		{"reads", "return ctx.call(\"dearest\", ctx.self.jewel, ctx.self.jewel).worth", "answer 9"},
		{"reads", "return len(ctx.call(\"enemies\", ctx.self)) + 10 * len(ctx.call(\"creatures\"))", "answer 31"},
		{"reads", "return 1 if ctx.call(\"hostile\", ctx.self, ctx.self.enemies[0]) and not ctx.call(\"mapped\") else 0", "answer 1"},
		{"reads", "return ctx.call(\"hostile\", ctx.self)", "hostile needs b"},
		{"reads", "return ctx.call(\"min\", 1, 2)", "there is no define \"min\""},
		{"reads", "foe = ctx.self.enemies[0]\nreturn 1 if foe.has(\"marked\", by = ctx.self) and foe.has(\"marked\") and not ctx.self.has(\"marked\") else 0", "answer 1"},
		{"reads", "return 1 if ctx.self.can(\"sing\") and not ctx.self.enemies[0].can(\"sing\") else 0", "answer 1"},
		{"reads", "return [\"calm\", \"cross\"].index(ctx.self.temper)", "answer 0"},
		{"reads", "return 1 if ctx.self == ctx.creatures[0] and ctx.self != ctx.creatures[1] and {ctx.self: 1} else 0", "answer 1"},
		{"reads", "return 1 if ctx.self.square == None and not ctx.self.taking_turn and not ctx.in_fight else 0", "answer 1"},
		{"reads", "return ctx.round + ctx.self.side + ctx.creatures[2].side", "answer 1"},
		{"reads", "return len(\"%s %s\" % (ctx.self, ctx.self.jewel))", "answer 9"},
		{"reads", "return 1 if hasattr(ctx.self, \"luck\") and not hasattr(ctx.self, \"luk\") and hasattr(ctx, \"round\") else 0", "answer 1"},
		// Mistakes in reading.
		{"reads", "return ctx.self.get(\"aim\", with_ = ctx.self)", "aim takes no with; it takes: against="},
		{"reads", "return ctx.self.get(\"aim\", against = 3)", "foe: a creature is expected, not int"},
		{"reads", "return ctx.self.get(\"luck\", 3)", "luck is a field and takes no values"},
		{"reads", "return ctx.self.get(\"luk\")", "nothing in the rules has a property \"luk\""},
		{"reads", "x = \"luk\"\nreturn ctx.self.get(x)", "a creature has nothing named luk; did you mean \"luck\"?"},
		{"reads", "return ctx.self.get(\"lu\" + \"cky\")", "\"lucky\" does not appear in the source of f"},
		{"reads", "me = ctx.self\nreturn me.get(\"worth_to\", me)", "\"worth_to\": a string has the name as it is in the rules, \"worth-to\""},
		{"reads", "return ctx.self.get(3)", "get needs the name of a stat, a define, a field or a resource, not int"},
		{"reads", "return ctx.self.get()", "the form is: get(NAME, LABEL = VALUE, ...)"},
		{"reads", "return ctx.self.get(\"worth-to\", ctx.self, ctx.self)", "creature.worth-to takes 1 values, not 2"},
		{"reads", "return ctx.self.jewel.get(\"blood\")", "a gem has nothing named blood"},
		{"reads", "return ctx.self.has(3)", "has needs the name of a condition, a feat, a trait or an effect, not int"},
		{"reads", "return ctx.self.has()", "the form is: has(NAME), or has(NAME, PARAMETER = VALUE, ...)"},
		{"reads", "x = \"marked\"\nreturn ctx.self.has(x, rounds = 3)", "marked takes no rounds; it takes: by="},
		{"reads", "x = \"blood\"\nreturn ctx.self.has(x)", "there is no condition, feat, trait or effect blood"},
		{"reads", "x = \"blood\"\nreturn ctx.self.can(x)", "there is no action or permission blood"},
		{"reads", "return 1 if ctx.self < ctx.creatures[1] else 0", "things have no order; compare a number of them"},
		{"reads", "return ctx.call(\"thrice\", 3)", "there is no define \"thrice\""},
		{"reads", "x = \"thrice\"\nreturn ctx.call(x, 3)", "there is no define thrice without a kind"},
		{"reads", "return ctx.call(\"twice\")", "twice needs n"},
		{"reads", "x = \"twice\"\nreturn ctx.call(x)", "twice needs n"},
		{"reads", "return ctx.call(\"dearest\", ctx.self.jewel)", "dearest needs b"},
		{"reads", "return ctx.call(\"dearest\", ctx.self.jewel, a = ctx.self.jewel)", "dearest is given a twice"},
		{"reads", "return ctx.call(\"dearest\", *[ctx.self.jewel])", "dearest needs b"},
		{"reads", "return ctx.self.worth_to", "creature.worth-to needs other"},
		{"reads", "return getattr(ctx.self, \"worth_to\")", "creature.worth-to needs other"},
		{"reads", "return ctx.self.get(\"friend-of\", ctx.self)", "creature.friend-of needs pay"},
		{"reads", "return {\"twice\": 5, \"worth-to\": 6}.get(\"worth-to\")", "answer 6"},
		{"reads", "return 1 if hasattr(ctx.self, \"worth_to\") else 0", "answer 1"},
		{"reads", "return ctx.call(\"luck\")", "ask a creature for what belongs to it: ctx.self.get(\"luck\")"},
		{"reads", "return ctx.call(3)", "ctx.call needs the name of a define, not int"},
		{"reads", "return ctx.call()", "the form is: ctx.call(NAME, VALUE, ...)"},
		{"reads", "return ctx.call(\"twice\", \"two\")", "n: a whole number is expected, not string"},
		{"reads", "return ctx.call(\"dearest\", ctx.self, ctx.self)", "a: a gem is expected, not creature"},
		{"reads", "return \"many\"", "a whole number is expected, not string"},
		{"reads", "return ctx.foe", "nothing in the rules or in Starlark has the attribute foe"},
		{"reads", "return ctx.add(1)", "ctx.add changes a stat while it is computed"},
		// Adding up.
		{"adds", "ctx.add(3)", "answer 11"},
		{"adds", "return 4", "answer 12"},
		{"adds", "return None", "answer 8"},
		{"adds", "ctx.add(3, \"morale\")\nctx.add(-2, type = \"shield\", reason = \"heavy\")", "answer 8"},
		{"adds", "ctx.times(3)", "answer 24"},
		{"adds", "ctx.times(1, over = 2, reason = \"half\")", "answer 4"},
		{"adds", "ctx.at_least(30)", "answer 30"},
		{"adds", "ctx.at_most(3)", "answer 3"},
		{"adds", "ctx.becomes(17)", "answer 17"},
		{"adds", "ctx.suppress(\"parry\")\nctx.suppress(\"morale\", reason = \"sad\")", "answer 5"},
		{"adds", "ctx.add(*[])", "the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")"},
		{"adds", "ctx.add(*[1, 2, 3, 4])", "the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")"},
		{"adds", "ctx.add(1, 2)", "ctx.add: the type of a bonus is a text, not int"},
		{"adds", "ctx.add(1, reason = 2)", "ctx.add: a reason is a text, not int"},
		{"adds", "ctx.add(2, reason = \"\")", "answer 10"},
		{"adds", "ctx.add(1 << 33)", "answer 8589934600"},
		{"adds", "ctx.add(1, amount = 2)", "ctx.add has been given amount twice"},
		{"adds", "ctx.add(1, **{\"kind\": \"morale\"})", "ctx.add takes no kind; the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")"},
		{"adds", "ctx.times(1, over = 0)", "ctx.times: over is at least 1, not 0"},
		{"adds", "ctx.becomes(\"1\")", "ctx.becomes needs a whole number, not string"},
		{"adds", "ctx.suppress(\"shine\")", "ctx.suppress: \"shine\" is neither a bonus type nor a term of poise; its terms: base, brave, parry"},
		{"adds", "c = ctx\nc.roll(\"d6\")", "ctx.roll acts, but this function only computes a value"},
		// Acting.
		{"acts", "ctx.note(\"%d of %d\" % (ctx.try_.total, ctx.try_.margin))", "21 of 9"},
		{"acts", "ctx.note(\"sum %d\" % ctx.roll(\"2d6\", \"fate\"))", "Alia answer.answer.fate#1: 2d6 (6, 6) = 12\n  sum 12"},
		{"acts", "ctx.roll(\"d6\", who = ctx.target)", "Cyra answer.answer#1: d6 = 6"},
		{"acts", "ctx.note(\"left %d\" % ctx.lose(ctx.target, \"blood\", 25))", "left 5"},
		{"acts", "ctx.lose(ctx.self, \"blood\", 4)\nctx.note(\"over %d, now %d\" % (ctx.gain(ctx.self, \"blood\", 9), ctx.self.blood))", "over 5, now 20"},
		{"acts", "ctx.gain(ctx.target, \"bound-for\", turns = 3, rounds = 2)", "Cyra is bound-for 3"},
		{"acts", "ctx.gain(ctx.target, \"marked\", by = ctx.target, seconds = 12)", "Cyra is marked by Cyra"},
		{"acts", "ctx.lose(ctx.target, \"marked\", by = ctx.self)\nctx.note(\"%s\" % ctx.target.has(\"marked\"))", "False"},
		{"acts", "ctx.set(ctx.self, \"temper\", \"cross\")\nctx.set(ctx.self, \"jewel\", None)\nctx.note(\"%s %s\" % (ctx.self.temper, ctx.self.jewel))", "cross None"},
		{"acts", "ctx.set(ctx.self, \"talks\", False)\nctx.set(ctx.self, \"blood\", 7)\nctx.note(\"%s %d\" % (ctx.self.talks, ctx.self.blood))", "False 7"},
		{"acts", "r = ctx.do(ctx.self, \"wound\", ctx.target, for_ = 6)\nctx.note(\"%d for %s\" % (r.amount, r.victim.name))", "6 for Cyra"},
		{"acts", "r = ctx.do(ctx.self, \"gem.shines\", ctx.opal, upon = ctx.target)\nctx.note(\"%d of %s\" % (r.light, r.gem.name))", "Cyra sees 6\n  6 of opal"},
		{"acts", "ctx.do(ctx.self, \"gem.shines\", ctx.ruby, upon = ctx.target)", "dull"},
		{"acts", "ctx.note(\"%s\" % ctx.do(ctx.self, \"poke\", ctx.self))", "None"},
		{"acts", "ctx.note(\"%s\" % ctx.do(ctx.target, \"poke\", ctx.self).jab.success)", "True"},
		{"acts", "ctx.note(ctx.ask(\"what-now\", [\"run\", \"no\"]))", "Alia answer.answer.what-now: no"},
		{"acts", "ctx.bind(\"cash\", 9)\nctx.note(\"%d\" % ctx.cash)", "9\n  cash 9"},
		{"acts", "ctx.note(\"a\")\nctx.stop()\nctx.note(\"b\")", "a\n"},
		{"instead", "ctx.bind(\"amount\", ctx.amount * 2)\nctx.default()\nctx.note(\"%d\" % ctx.victim.blood)", "Cyra blood 20 -> 14\n  14"},
		{"instead", "ctx.note(\"nothing happens\")", "nothing happens"},
		// Mistakes in acting.
		{"acts", "x = 3\nctx.roll(x)", "ctx.roll needs dice, such as \"2d6\", not int"},
		{"acts", "ctx.roll(\"d7777777777777777777777\")", "cannot be rolled here"},
		{"acts", "ctx.roll(\"d6\", \"a\" + \"b\")", "\"ab\" cannot name a die or a choice: such a name must be spelled out in the call"},
		{"acts", "ctx.roll(\"d6\", \"a\" + \" b\")", "\"a b\" cannot name a die or a choice: a name has letters"},
		{"acts", "ctx.roll(\"d6\", label = \"a b\")", "\"a b\" cannot name a die or a choice: scripts could not name it"},
		{"acts", "ctx.roll(\"d6\", who = 3)", "ctx.roll: a creature is expected, not int"},
		{"acts", "ctx.gain(ctx.self)", "the form is: ctx.gain(WHO, RESOURCE, AMOUNT) or ctx.gain(WHO, EFFECT, rounds = N)"},
		{"acts", "ctx.gain(ctx.self, 3)", "the form is: ctx.gain("},
		{"acts", "ctx.gain(ctx.self.jewel, \"blood\", 3)", "a creature is expected, not gem"},
		{"acts", "ctx.gain(ctx.self, \"blood\")", "the form is: ctx.gain("},
		{"acts", "x = \"3\"\nctx.gain(ctx.self, \"blood\", x)", "an amount is a whole number, not string"},
		{"acts", "x = \"luck\"\nctx.gain(ctx.self, x, 3)", "there is no resource or effect luck"},
		{"acts", "ctx.gain(ctx.self, \"bound-for\")", "bound-for needs turns"},
		{"acts", "x = \"bound-for\"\nctx.gain(ctx.self, x)", "bound-for needs turns"},
		{"acts", "ctx.gain(ctx.self, \"mute\", 3)", "the form is: ctx.gain("},
		{"acts", "ctx.gain(ctx.self, \"blood\", 3, rounds = 2)", "an amount of blood takes no rounds"},
		{"acts", "x = \"blood\"\nctx.lose(ctx.self, x, 3, by = ctx.self)", "an amount of blood takes no by"},
		{"acts", "ctx.gain(ctx.self, \"marked\", whom = ctx.self)", "marked takes no whom; it takes: by="},
		{"acts", "ctx.gain(ctx.self, \"bled-out\")", "bled-out follows its condition and cannot be gained"},
		{"acts", "x = \"bled-out\"\nctx.gain(ctx.self, x)", "bled-out follows its condition and cannot be gained"},
		{"acts", "ctx.gain(ctx.self, \"mute\", rounds = \"two\")", "rounds is a whole number, not string"},
		{"acts", "x = \"blood\"\nctx.lose(ctx.self, x, 1, quietly = 1)", "quietly is True or False, not int"},
		{"acts", "ctx.set(ctx.self, \"temper\", \"cross\", quietly = True)", "the transcript does not tell what becomes of a field: leave out quietly"},
		{"acts", "ctx.lose(ctx.self, \"mute\", 1)", "the form is: ctx.lose(WHO, RESOURCE, AMOUNT) or ctx.lose(WHO, EFFECT)"},
		{"acts", "x = 3\nctx.set(x, \"luck\", 1)", "ctx.set: a creature or a record is expected, not int"},
		{"acts", "ctx.set(ctx.self, \"aim\", 1)", "ctx.set: aim is computed; a field or a resource can be set"},
		{"acts", "ctx.set(ctx.self, \"temper\", \"glad\")", "\"glad\" is not a value of mood: calm, cross, furious"},
		{"acts", "ctx.set(ctx.self, \"jewel\", ctx.target)", "a gem is expected, not creature"},
		{"acts", "ctx.set(ctx.self, \"talks\", 1)", "True or False is expected, not int"},
		{"acts", "ctx.do(ctx.self)", "the form is: ctx.do(WHO, NAME, OBJECT, LABEL = VALUE, ...)"},
		{"acts", "ctx.do(ctx.self, 3)", "the form is: ctx.do("},
		{"acts", "x = \"wounds\"\nctx.do(ctx.self, x)", "there is no action or procedure wounds; did you mean \"wound\"?"},
		{"acts", "ctx.do(ctx.self, \"wound\")", "wound needs victim"},
		{"acts", "ctx.do(ctx.self, \"wound\", ctx.target)", "wound needs amount"},
		{"acts", "x = \"wound\"\nctx.do(ctx.self, x, ctx.target)", "wound needs amount"},
		{"acts", "ctx.do(ctx.self, \"poke\")", "poke needs target"},
		{"acts", "ctx.do(ctx.self, \"poke\", ctx.self, None, 3)", "poke takes 2 values, not 3"},
		{"acts", "ctx.do(ctx.self, \"poke\", ctx.self, using = None)", "poke takes no using; it takes: target, with_="},
		{"acts", "ctx.do(ctx.self, \"poke\", ctx.self, **{\"using\": None})", "poke takes no using; it takes: target, with_="},
		{"acts", "ctx.do(ctx.self, \"wound\", 3, for_ = 2)", "victim: a creature is expected, not int"},
		{"acts", "ctx.ask(\"what\", [])", "ctx.ask: the list is empty"},
		{"acts", "ctx.ask(\"what\", [\"a\" + \"b\"])", "ctx.ask: the choice \"ab\" must be spelled out in the source of the function"},
		{"acts", "ctx.ask(\"what\", [\"%d\" % i for i in range(70)])", "ctx.ask: at most 62 choices"},
		{"acts", "ctx.note(\"a\" * 2000)", "ctx.note: a line has at most 1,000 bytes"},
		{"acts", "ctx.note(3)", "ctx.note: for parameter text: got int, want string"},
		{"acts", "x = \"gold\"\nctx.bind(x, 3)", "ctx.bind: no name gold can be bound here"},
		{"acts", "ctx.bind(\"cash\", \"much\")", "ctx.bind: cash: a whole number is expected, not string"},
		{"acts", "ctx.default()", "`default` is only allowed in an `instead of` rule"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			output, failure, hint := play(t, x.use, x.body)
			if !strings.Contains(output, x.want) && !strings.Contains(failure, x.want) {
				t.Errorf("%s\nwant %q; it prints\n%s\nand fails with %q, hint %q", x.body, x.want, output, failure, hint)
			}
			if failure != "" && strings.Contains(output, x.want) {
				t.Errorf("it fails with %q", failure)
			}
		})
	}
}

// A change that a function makes quietly is not in the transcript, but among the events; only that change is kept out.
func TestQuietChanges(t *testing.T) {
	for _, x := range []struct {
		body  string
		kinds []string // of the changes
		told  []string
	}{
		{"ctx.lose(ctx.self, \"blood\", 4)", []string{"resource"}, []string{"Alia blood 20 -> 16"}},
		{"ctx.lose(ctx.self, \"blood\", 4, quietly = True)", []string{"resource"}, []string{""}},
		{"ctx.lose(ctx.self, \"blood\", 4, quietly = False)", []string{"resource"}, []string{"Alia blood 20 -> 16"}},
		{"ctx.lose(ctx.self, \"blood\", 4)\nctx.gain(ctx.self, \"blood\", 3, quietly = True)\nctx.lose(ctx.self, \"blood\", 1)", []string{"resource", "resource", "resource"}, []string{"Alia blood 20 -> 16", "", "Alia blood 19 -> 18"}},
		{"ctx.set(ctx.self, \"blood\", 7, quietly = True)\nctx.set(ctx.self, \"blood\", 8)", []string{"resource", "resource"}, []string{"", "Alia blood 7 -> 8"}},
		{"ctx.gain(ctx.self, \"mute\", rounds = 2, quietly = True)\nctx.lose(ctx.self, \"mute\", quietly = True)", []string{"gained", "lost"}, []string{"", ""}},
		{"ctx.gain(ctx.self, \"mute\")\nctx.lose(ctx.self, \"mute\")", []string{"gained", "lost"}, []string{"Alia is mute", "Alia is no longer mute"}},
	} {
		s, diags := inYard(t, x.body, acting, "Alia: answer Cyra\n")
		if s.Rules == nil {
			t.Fatal(diags)
		}
		var kinds, told []string
		p := session.Play(s, s.File.Body, session.Options{})
		for _, e := range p.Events {
			if e.Who == "Cyra" { // how she was placed
				continue
			}
			if e.Kind == "resource" || e.Kind == "gained" || e.Kind == "lost" {
				kinds, told = append(kinds, e.Kind), append(told, strings.TrimSpace(e.Text))
			}
		}
		if len(p.Failures) > 0 || !slices.Equal(kinds, x.kinds) || !slices.Equal(told, x.told) {
			t.Errorf("%s\n%v %q, want %v %q; %v", x.body, kinds, told, x.kinds, x.told, p.Failures)
		}
	}
}

// TestWhereRequestsFail checks that a failure of a request is reported with the line of the function that made it, even
// if it failed in the rules.
func TestWhereRequestsFail(t *testing.T) {
	for _, x := range []struct{ body, want string }{
		{"ctx.note(\"a\")\nctx.default()", "f.star:3:16 yard.rules"},
		{"ctx.note(\"a\")\nctx.roll(\"d6\")\nctx.do(ctx.self, \"share\", for_ = 0)", "yard.rules f.star:4:11 yard.rules"},
	} {
		s, diags := inYard(t, x.body, acting, "Alia: answer Cyra\n")
		if s.Rules == nil {
			t.Fatal(diags)
		}
		var got []string
		for _, d := range session.Play(s, s.File.Body, session.Options{}).Failures {
			for _, r := range d.Related {
				at := filepath.Base(r.File)
				if strings.HasSuffix(at, ".star") {
					at = fmt.Sprintf("%s:%d:%d", at, r.Span.Start.Line, r.Span.Start.Column)
				}
				got = append(got, at)
			}
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s\nwant %s, not %s", x.body, x.want, got)
		}
	}
}
