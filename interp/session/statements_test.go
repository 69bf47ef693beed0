package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/diag"
	"arbiter/rules"
)

const twoFighters = `encounter "x" with srd35
creature fighter { full-hit-points: 50; main-weapon: club }
side left { fighter Alia follows stand-and-fight }
side right { fighter Bron follows stand-and-fight }
`

// Statements of a script: what they print, or how they fail.
func TestStatements(t *testing.T) {
	for _, x := range []struct{ name, script, prints, fails string }{
		{"a name is set by a later statement", "let i = 1\nset i to i + 1\nrepeat 3 times { set i to i * 2 }\nnote \"{i}\"", "16\n", ""},
		{"a name is set inside a loop", "let total = 0\nfor each x in creatures { set total to total + x.hit-points }\nnote \"{total}\"", "100\n", ""},
		{"texts that only the script holds", "let s = \"rain\"\nnote \"wind\"\nlet all = [\"hail\", s]\nif s = \"rain\" and s != \"wind\" { note \"{s} {all}\" }", "wind\nrain [hail, rain]\n", ""},
		{"dice that only the script throws", "seed 3\ndice script.x: 2, 3, 4\nlet x = roll 3d17\nnote \"{x}\"", "script.x#1: 3d17 (2, 3, 4) = 9\n9\n", ""},
		{"reckoned durations", "let n = 2\nAlia gains prone for (n) rounds\npass (n - 1) rounds\nnote \"waits\"\npass (n) minutes", "Alia is prone\nwaits\nAlia is no longer prone\n", ""},
		{"no time passes in a fight but by turns", "seed 1\nbegin\npass 1 minute", "", "refused: in a fight, time passes turn by turn"},
		{"after a fight time passes", "seed 1\nbegin\nplace Bron at none\nfight on\npass 1 minute\nnote \"later\"", "later\n", ""},
		{"time does not go back", "pass (0 - 5) rounds", "", "time cannot go backward"},
		{"a fight of so many rounds", "fight on for 0 rounds", "", "a fight can go on for 1 to 10000 rounds, not 0"},
		{"a fight too long", "fight on for 1000000000 rounds", "", "not 1000000000"},
		{"a fight that nobody wins", "tactics idle { move when no }\nAlia follows idle\nBron follows idle\nfight on", "Nobody has done anything for 20 rounds: the fight is over.\n", ""},
		{"steps", "let x = 0\nrepeat 1000000000 times { set x to x + 1 }", "", "more than 10000000 steps in one command: the script"},
		{"events", "repeat 1000000000 times { note \"x\" }", "", "more than 250000 events in one command: the script"},
		{"events of the clock", "everyone tick { rule t every 1 round { note \"tick\" } }\npass 100000 days", "", "more than 250000 events in one command"},
		{"a year", "pass 365 days\nnote \"spring\"", "spring\n", ""},
		{"rules that set each other off", "rule again after take-damage { self: take-damage of 1 }\nBron: take-damage of 1", "", "rules nested more than 16 deep"},
		{"a side is a list", "for each man in left { note \"{man}\" }\nside right { fighter Cole }\nnote \"{length(right)}, {count x in right where x is not prone}, {left}\"", "Alia\n2, 2, [Alia]\n", ""},
		{"a side is not what else is called so", "side prone { fighter Cole }\nCole gains prone\nfor each right in left { note \"{right} {Cole is prone}\" }", "Alia yes\n", ""},
		{"a fight that goes on until help comes", "seed 1\ndefine fight-goes-on = current-round <= 3\nBron loses 100 hit-points\nfight on until current-round = 3\nnote \"{in-fight} {current-round}\"", "yes 3\n", ""},
		{"what a condition forbids", "condition frozen { cannot act }\nAlia gains frozen\nAlia: run", "", "refused: cannot act while frozen"},
		{"what another effect forbids", "effect web { cannot run }\nAlia gains web\nAlia: run", "", "refused: cannot run because of web"},
		{"what is forbidden to everyone", "everyone law { cannot run }\nAlia: run", "", "refused: cannot run"},
		{"a roll beside a check", "dice 19, 4\ncheck Alia.attack-bonus dc 5\nroll d6\n", "script#2: d6 = 4\n", ""},
		{"a face that the die does not have", "dice 20\nroll d6", "", "20 is not a face of the d6 that is rolled for script"},
		{"division by zero", "let x = 1 / 0", "", "division by zero"},
	} {
		s := opened(t, twoFighters+x.script+"\n")
		if s.Rules == nil {
			t.Errorf("%s: not built", x.name)
			continue
		}
		p := Play(s, s.File.Body, Options{})
		if !strings.HasSuffix(p.Output, x.prints) {
			t.Errorf("%s: printed %q, want %q at its end", x.name, p.Output, x.prints)
		}
		var told []string
		for _, d := range p.Failures {
			told = append(told, d.Message)
		}
		if all := strings.Join(told, "; "); x.fails == "" && all != "" || !strings.Contains(all, x.fails) {
			t.Errorf("%s: failed with %q, want %q", x.name, all, x.fails)
		}
	}
}

// An error of the rules is reported where it happened: in the statement or elsewhere.
func TestWhereItHappened(t *testing.T) {
	s := opened(t, twoFighters+"note \"a\"\nif yes { let x = 1 / 0 }\n")
	d := Play(s, s.File.Body, Options{}).Failures
	if len(d) != 1 || d[0].Span.Start.Line != 6 || d[0].Span.Start.Column != 18 {
		t.Errorf("inside the statement: %v", d)
	}
	s = opened(t, twoFighters+"rule again after take-damage { self: take-damage of 1 }\nBron: take-damage of 1\n")
	d = Play(s, s.File.Body, Options{}).Failures
	if len(d) != 1 || d[0].Span.Start.Line != 6 || len(d[0].Related) != 2 || d[0].Related[0].File != "rules/classic/damage.rules" || d[0].Related[1].Span.Start.Line != 5 {
		t.Errorf("in the rules: %v %v", d, d[0].Related)
	}
}

// Hints name what was asked for, and what was probably meant.
func TestHintsOfScripted(t *testing.T) {
	for _, x := range []struct{ script, hint string }{
		{"dice Alia strike.damage: 5\nAlia: attack Bron with club", "write `dice Alia strike.to-hit: N` before it, or state a `seed`"},
		{"dice 2, 3\nAlia: attack Bron with club", "the questions were: Alia strike.to-hit"},
		{"dice 2", "no question was asked"},
		{"dice 15, 5\nbegin\nBron: move", "`next turn of Bron` moves on to it"},
	} {
		s := opened(t, "tests \"x\" with srd35\ncreature fighter { full-hit-points: 50; main-weapon: club }\ntest \"t\" {\nside left { fighter Alia }\nside right { fighter Bron }\n"+x.script+"\n}\n")
		d := Play(s, testBody(s), Options{Strict: true}).Failures
		if len(d) == 0 || d[0].Hint != x.hint {
			t.Errorf("%q: %v, want the hint %q", x.script, d, x.hint)
		}
	}
}

// Under a house rule that the script does not name, a roll that its own rules have may be missing.
func TestHintsOfScriptedUnderHouseRules(t *testing.T) {
	house := filepath.Join(t.TempDir(), "house.rules")
	if err := os.WriteFile(house, []byte("ruleset house extends srd35\noverride strike.confirm { check attack-bonus vs target.armor-class as again; let critical = again succeeds }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ script, hint string }{
		{"dice Alia strike.to-hit: 20; dice Alia strike.confirmation: 9\nAlia: attack Bron with club", "nothing rolls strike.confirmation, for which a die is scripted: did you mean `dice Alia strike.again`?"},
		{"dice Alia strike.to-hit: 20; dice Bron strike.confirmation: 9\nAlia: attack Bron with club", "write `dice Alia strike.again: N` before it, or state a `seed`"},
		{"dice Alia strike.to-hit: 1; dice Alia strike.confirmation: 9\nAlia: attack Bron with club", "nothing rolls strike.confirmation; the questions were: Alia strike.to-hit"},
	} {
		src := "tests \"x\" with srd35\ncreature fighter { full-hit-points: 50; main-weapon: club }\ntest \"t\" {\nside left { fighter Alia }\nside right { fighter Bron }\n" + x.script + "\n}\n"
		s, diags, err := build.Source("x.tests", []byte(src), build.Options{Library: rules.FS, With: []string{house}})
		if err != nil || s.Rules == nil {
			t.Fatal(diags, err)
		}
		if d := Play(s, testBody(s), Options{Strict: true}).Failures; len(d) == 0 || d[0].Hint != x.hint {
			t.Errorf("%q: %v, want the hint %q", x.script, d, x.hint)
		}
	}
}

// A reaction is told as an action.
func TestReactionIsTold(t *testing.T) {
	s := opened(t, twoFighters+"everyone wary {\n  reaction duck before strike.deal to self { cost move-action; note \"{self} ducks.\" }\n}\ndice 15, 3\nAlia: attack Bron with club\n")
	if s.Rules == nil {
		t.Fatal("not built")
	}
	if p := Play(s, s.File.Body, Options{}); !strings.Contains(p.Output, "Bron: duck\n") {
		t.Errorf("%s%v", p.Output, p.Failures)
	}
}

// A number used as dice is rolled as that many points, whatever its sign.
func TestPointsWhereDiceAreWanted(t *testing.T) {
	const src = `encounter "points" with d20
kind creature { hurts: dice = 1d4; bold: yes-no = no }
define thrown(d: dice) = d
define creature.harm = if bold then 1d6 else -1
creature man { hurts: -3 }
side us { man Alia }
let a = roll Alia.hurts
let b = roll Alia.harm
let c = roll thrown(-7)
set Alia.hurts to -2
let d = roll Alia.hurts
let e = roll [1d6, -5][2]
let f = roll 5000000000
note "{a} {b} {c} {d} {e} {f}"
`
	play := func(src string) (*Played, diag.List) {
		s, diags, err := build.Source("points.encounter", []byte(src), quick)
		if err != nil {
			t.Fatal(err)
		}
		if len(diags) > 0 {
			return nil, diags
		}
		return Play(s, s.File.Body, Options{}), nil
	}
	r, diags := play(src)
	if len(diags) > 0 || len(r.Failures) > 0 || !strings.Contains(r.Output, "-3 -1 -7 -2 -5 5000000000\n") {
		t.Fatalf("%v %+v", diags, r)
	}
	if _, diags = play(strings.Replace(src, "hurts: -3", "hurts: 5000000000", 1)); len(diags) != 1 || diags[0].Code != "number-too-large" {
		t.Errorf("too many points: %v", diags)
	}
	if r, _ = play(strings.Replace(src, "else -1", "else if bold then 1d6 else length([1]) * 5000000000", 1)); len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Message, "too many dice, or too much added") {
		t.Errorf("too many points, reckoned: %v", r.Failures)
	}
}
