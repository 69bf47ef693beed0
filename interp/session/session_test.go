package session

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/rules"
)

var duels = []string{"../../examples/duel/srd35.encounter", "../../examples/duel/true20.encounter", "../golden/testdata/tiny/duel.encounter"}

// ambush is four against six on a map; fights lists it and the duels.
const ambush = "../../examples/ambush.encounter"

var fights = append([]string{ambush}, duels...)

// quick are the options of most tests, whose fights take less time than optimizing their rules; open optimizes.
var quick = build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}

func open(t testing.TB, path string, with ...string) *build.Script {
	t.Helper()
	s, diags, err := build.File(path, build.Options{Library: rules.FS, With: with})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rules == nil {
		t.Fatalf("%v", diags)
	}
	return s
}

func opened(t testing.TB, src string) *build.Script {
	t.Helper()
	s, diags, err := build.Source("test.encounter", []byte(src), quick)
	if err != nil || s.Rules == nil {
		t.Fatal(diags, err)
	}
	return s
}

func seed(n uint64) *uint64 { return &n }

// The same seed gives the same bytes, another seed another fight.
func TestSameSeedSameBytes(t *testing.T) {
	for _, path := range fights {
		s := open(t, path)
		a, b := Play(s, s.File.Body, Options{Seed: seed(11)}), Play(open(t, path), s.File.Body, Options{Seed: seed(11)})
		if a.Output != b.Output || a.Hash != b.Hash {
			t.Errorf("%s: two runs of one seed differ", path)
		}
		if c := Play(s, s.File.Body, Options{Seed: seed(12)}); c.Output == a.Output {
			t.Errorf("%s: two seeds give one fight", path)
		}
	}
}

// A state that is stopped at each die and choice, cloned, and resumed in another machine has the same final hash.
func TestStoppedAtEachQuestion(t *testing.T) {
	for _, path := range fights {
		for n := uint64(1); n <= 5; n++ {
			s := open(t, path)
			want := Play(s, s.File.Body, Options{Seed: seed(n)})
			p := newPlayer(s, Options{Seed: seed(n)})
			p.dice.strict, p.hasSeed = true, true // every die is asked for, and answered from the seed
			stops := 0
			p.atQuestion = func() {
				stops++
				other := machine.New(p.m.Program())
				if p.field != nil {
					f, err := ground.Attach(other, p.field.Map)
					if err != nil {
						t.Fatal(err)
					}
					p.field = f
				}
				other.Journal, other.EventTexts, other.AskDice = p.m.Journal, p.m.EventTexts, true
				other.Restore(p.m.State())
				p.m = other
			}
			p.run(s.File.Body)
			p.collectResult()
			if stops < 3 {
				t.Fatalf("%s: only %d stops", path, stops)
			}
			if p.result.Hash != want.Hash {
				t.Errorf("%s, seed %d: stopped %d times it ends in %s, else in %s", path, n, stops, p.result.Hash, want.Hash)
			}
		}
	}
}

// Recording changes nothing: runs with and without a journal have the same final state.
func TestPlainAndRecorded(t *testing.T) {
	for _, path := range fights {
		s := open(t, path)
		for n := uint64(1); n <= 20; n++ {
			want := Play(s, s.File.Body, Options{Seed: seed(n)})
			p := newPlayer(s, Options{Seed: seed(n)})
			p.m.Journal = nil
			p.run(s.File.Body)
			p.collectResult()
			if p.result.Hash != want.Hash {
				t.Errorf("%s, seed %d: plain ends in %s, recorded in %s", path, n, p.result.Hash, want.Hash)
			}
		}
	}
}

// A house rule that adds a die in one place does not change any other die.
func TestHouseRuleShiftsNoDie(t *testing.T) {
	for _, x := range []struct{ path, base string }{
		{duels[0], "srd35"},
		{duels[1], "true20"},
	} {
		s := open(t, x.path)
		house := filepath.Join(t.TempDir(), "house.rules")
		src := fmt.Sprintf("ruleset house extends %s\nrule omen after strike { let omen = roll d100 }\n", x.base)
		if err := os.WriteFile(house, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		before, after := faces(Play(s, s.File.Body, Options{})), faces(Play(open(t, x.path, house), s.File.Body, Options{}))
		if len(before) < 5 {
			t.Fatalf("%s: only %d throws", x.path, len(before))
		}
		for address, face := range before {
			if got, ok := after[address]; !ok || got != face {
				t.Errorf("%s: %s was %s, with the house rule %s", x.path, address, face, got)
			}
		}
		omens := 0
		for address := range after {
			if strings.HasPrefix(address, "omen.omen#") {
				omens++
			}
		}
		if omens == 0 {
			t.Errorf("%s: the house rule threw nothing", x.path)
		}
	}
}

// faces returns the faces of all rolls by address.
func faces(p *Played) map[string]string {
	m := map[string]string{}
	for _, e := range p.Events {
		if e.Roll != "" {
			m[e.Roll] = fmt.Sprint(e.Faces, strings.TrimSuffix(e.Text, "success"))
		}
	}
	return m
}

// A refused command changes nothing, not even the draws, and the values scripted for it stay available.
func TestRefusalTakesNothing(t *testing.T) {
	src := `encounter "refusals" with srd35
creature duelist { base-attack: 5; full-hit-points: 30; main-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
Alia: attack Bron with club
expect refused { Alia: attack Bron with club }
`
	s := opened(t, src)
	p := newPlayer(s, Options{})
	for _, cl := range s.File.Body[:len(s.File.Body)-1] {
		p.clause(cl)
	}
	before := p.m.State().Hash()
	p.clause(s.File.Body[len(s.File.Body)-1])
	if len(p.result.Failures) > 0 {
		t.Fatalf("%v", p.result.Failures)
	}
	if after := p.m.State().Hash(); after != before {
		t.Errorf("a refusal changed the state")
	}
}

// A refusal names its rule and the rule's position, even if an effect forbids the action.
func TestRefusalNamesItsRule(t *testing.T) {
	for _, x := range []struct{ script, hint string }{
		{"condition muddy { cannot full-attack }\nAnn gains muddy\nAnn: full-attack Bo with club", "the rule is muddy, at test.encounter:5"},
		{"Ann: attack Bo with club\nAnn: full-attack Bo with club", "the rule is full-attack, at rules/classic/attack.rules:"},
	} {
		s := opened(t, "encounter \"x\" with srd35\ncreature one { base-attack: 5; full-hit-points: 90; main-weapon: club }\nside a { one Ann }\nside b { one Bo }\n"+x.script+"\n")
		d := Play(s, s.File.Body, Options{}).Failures
		if len(d) != 1 || !strings.HasPrefix(d[0].Hint, x.hint) {
			t.Errorf("%v, want the hint %q", d, x.hint)
		}
	}
}

// Explanations give the same numbers as the rules, for every stat of all combatants.
func TestExplainAgrees(t *testing.T) {
	for _, path := range duels {
		s := open(t, path)
		p := newPlayer(s, Options{})
		p.run(s.File.Body)
		for who := range p.members {
			for i, st := range p.checked.Stats {
				v, err := p.m.Stat(int32(who), int32(i))
				x, err2 := p.m.Explain(int32(who), int32(i))
				if (err == nil) != (err2 == nil) {
					t.Fatalf("%s: %v, explained: %v", st.Name, err, err2)
				}
				if err == nil && x.Total != v {
					t.Errorf("%s of %s is %d, explained as %d", st.Name, p.members[who].name, v, x.Total)
				}
			}
		}
	}
}

// A roll is explained by its address, with what decided it.
func TestExplainThrow(t *testing.T) {
	s := opened(t, `encounter "why" with srd35
creature duelist { base-attack: 5; strength: 12; full-hit-points: 30; main-weapon: club }
side left { duelist Alia }
side right { duelist Bron }
dice 4, 3
Alia: attack Bron with club
`)
	x, failures, err := Explain(s, Options{}, "strike.to-hit#1", UsualDepth)
	if err != nil || len(failures) > 0 {
		t.Fatal(err, failures)
	}
	text := x.Text()
	for _, want := range []string{"4 + 6 = 10 against 10", "* ", "+5  base", "+1  strength", "srd35.attack.04", "decided by each of"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if _, _, err := Explain(s, Options{}, "strike.to-hit#2", UsualDepth); err == nil || !strings.Contains(err.Error(), "strike.to-hit#1") {
		t.Errorf("an unknown address: %v", err)
	}
}

// The roll of the other side of an opposed check shows what is added to the die, and is explained by it.
func TestExplainOpposed(t *testing.T) {
	s := opened(t, `encounter "why" with srd35
creature giant { strength: 18; full-hit-points: 30 }
stat sway rolled as plain { strength: strength-modifier; feet: -6 }
action push target { cost none; step it { check sway opposed by target.sway } }
side left { giant Alia }
side right { giant Bron }
dice 12, 7
Alia: push Bron
`)
	x, failures, err := Explain(s, Options{}, "push.it.opposed#1", UsualDepth)
	if err != nil || len(failures) > 0 {
		t.Fatal(err, failures)
	}
	text := x.Text()
	for _, want := range []string{"Bron push.it.opposed#1: 7 - 2 = 5\n", "Bron.sway = -2", "+4  strength", "-6  feet"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// Dice to which a stat is added are explained with it, if it is certain which stat that is.
func TestExplainAddedToDice(t *testing.T) {
	for name, x := range map[string]struct{ body, added string }{
		"the stat itself":        {"let n = roll (1d6 + fury)", "Alia.fury = 3"},
		"times":                  {"let n = roll ((1d6 + fury) * 2)", "Alia.fury = 3"},
		"through a name":         {"let b = fury; let n = roll (1d6 + b)", "Alia.fury = 3"},
		"nothing, or the stat":   {"let b = 0; set b to fury when hit-points > 0; let n = roll (1d6 + b)", "Alia.fury = 3"},
		"two names":              {"let a = fury; let b = 0; set b to a; let n = roll (1d6 + b)", "Alia.fury = 3"},
		"nothing this time":      {"let b = 0; set b to fury when hit-points < 0; let n = roll (1d6 + b)", ""},
		"one of two stats":       {"let b = fury; set b to spite when hit-points < 0; let n = roll (1d6 + b)", ""},
		"two stats":              {"let n = roll (1d6 + fury + spite)", ""},
		"what is computed of it": {"let b = fury + 1; let n = roll (1d6 + b)", ""},
		"a field, equal to it":   {"let f = fury; let n = roll (1d6 + level)", ""},
		"after the roll":         {"let f = fury; let n = roll 1d6 + f", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, `encounter "why" with srd35
creature duelist { base-attack: 5; level: 3; full-hit-points: 30 }
stat fury { always: 3 }
stat spite { always: 3 }
action rave { cost none; step on { `+x.body+` } }
side left { duelist Alia }
Alia: rave
`)
			e, failures, err := Explain(s, Options{}, "rave.n#1", UsualDepth)
			if err != nil || len(failures) > 0 {
				t.Fatal(err, failures)
			}
			if text := e.Text(); x.added == "" && len(e.More) > 0 || !strings.Contains(text, x.added) {
				t.Errorf("want %q in\n%s", x.added, text)
			}
		})
	}
}

// A resource is explained by what has changed it: actions, rules, the script itself; not by what has been undone.
func TestExplainResource(t *testing.T) {
	l := live(t, `encounter "why" with srd35
creature duelist { base-attack: 5; strength: 12; full-hit-points: 30; main-weapon: club }
procedure prick victim { step sting { victim loses 2 hit-points } }
condition thorny { rule pricks after strike to self { self: prick actor } }
side left { duelist Alia }
side right { duelist Bron }
Bron gains thorny
`, nil)
	for _, line := range []string{"set Bron.hit-points to 5", "begin", "next turn of Alia", "dice 19, 6", "attack Bron with club", "set Alia.hit-points to 3"} {
		if out := l.Do(line); len(out.Failures) > 0 {
			t.Fatal(out.Failures)
		}
	}
	want := `Bron.hit-points = -2
  between -10 and 30
     resource      rules/classic/hit-points.rules:N  srd35.injury.01
           30 -> 5   a statement
  round 1   5 -> -2  Alia: attack Bron with club
`
	explained := func(what string) string {
		x, diags, err := l.Explain(what, UsualDepth)
		if err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		return regexp.MustCompile(`rules:\d+`).ReplaceAllString(x.Text(), "rules:N")
	}
	if got := explained("Bron.hit-points"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := explained("Alia.hit-points"); !strings.Contains(got, "round 1  30 -> 28  Bron: prick\n") {
		t.Errorf("what Bron did in the middle of Alia's attack:\n%s", got)
	}
	for range 2 {
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if got := explained("Bron.hit-points"); strings.Contains(got, "attack") || !strings.Contains(got, "30 -> 5") {
		t.Errorf("after undoing the attack:\n%s", got)
	}
}

func testBody(s *build.Script) []ast.Clause {
	for _, cl := range s.File.Body {
		if n, ok := cl.(*ast.Test); ok {
			return n.Body.Clauses
		}
	}
	return nil
}

// Mistakes in scripted values are reported with the name of the roll.
func TestScriptedMistakes(t *testing.T) {
	head := `tests "x" with srd35
creature duelist { base-attack: 5; full-hit-points: 30; main-weapon: club }
test "t" {
side left { duelist Alia }
side right { duelist Bron }
`
	for _, x := range []struct{ body, want string }{
		{"Alia: attack Bron with club", "no die is scripted"},
		{"dice 21\nAlia: attack Bron with club", "21 is not a face of the d20"},
		{"dice 2, 3\nAlia: attack Bron with club", "the dice 3"},
		{"dice Alia strike.to-hit: 2\ndice Bron strike.to-hit: 5\nAlia: attack Bron with club", "the dice Bron strike.to-hit: 5"},
		{"attack Bron with club", "who is to do this?"},
		{"dice 2\nAlia: attack Bron with club\nAlia: attack Bron with club", "refused"},
		{"next turn", "there are no turns yet"},
		{"expect Alia.armor-class = 12", "this does not hold"},
		{"expect refused { Alia: move }", "this was not refused"},
		{"expect refused { Alia: attack Bron with club }", "this was not refused: Alia rolls d20 for strike.to-hit"},
	} {
		s := opened(t, head+x.body+"\n}\n")
		var found bool
		p := Play(s, testBody(s), Options{Strict: true})
		for _, d := range p.Failures {
			found = found || strings.Contains(d.Message, x.want)
		}
		if !found {
			t.Errorf("%q: no %q in %v", x.body, x.want, p.Failures)
		}
	}
}
