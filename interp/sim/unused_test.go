package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// withAdditions is like ruled with one house rule, of which it is counted what is used. without leaves out a ruleset.
func withAdditions(t testing.TB, src, house string, without ...string) []Variant {
	t.Helper()
	path := filepath.Join(t.TempDir(), "house.rules")
	if err := os.WriteFile(path, []byte("ruleset house extends srd35\n"+house+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	own := func(ruleset string) bool { return ruleset == "house" }
	trialsOf := func(o build.Options, additions func(string) bool) *session.Trials {
		o.Library = rules.FS
		s, diags, err := build.Source("test.encounter", []byte(src), o)
		if err != nil || s.Rules == nil {
			t.Fatal(diags, err)
		}
		x, err := session.NewTrials(s, session.Options{Additions: additions})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	plain, with := build.Options{}, build.Options{With: []string{path}}
	if len(without) > 0 {
		return []Variant{{Trials: trialsOf(with, own)}, {Rules: "without house", Without: without, Trials: trialsOf(plain, nil)}}
	}
	return []Variant{{Trials: trialsOf(plain, nil)}, {Rules: "house", Trials: trialsOf(with, own)}}
}

const brawl = `encounter "two strike at each other" with srd35
creature frail { full-hit-points: 4; main-weapon: greatsword }
side left { frail Alia { base-attack: 5 } }
side right { frail Bron }
fight on
`

// What no fight used is named, with the first thing on the way to it that did not happen.
func TestUnused(t *testing.T) {
	const strike = "attack first-foe with greatsword when first-foe is not none"
	for _, c := range []struct {
		house string
		of    int
		want  []string
	}{
		{"action leap target { cost standard-action; step z { target gains prone } }", 1, []string{
			"action leap: the tactics that are followed (default) do not name it; `tactics NAME { leap TARGET }` and `WHO follows NAME` would have it used"}},
		{"action leap target { cost standard-action; step z { target gains prone } }\nrule reckless at end of turn when current-round > 50 { if first-foe is not none { leap first-foe } }", 0, []string{
			"action leap: the tactics that are followed (default) do not name it, and what else does it was never reached: reckless; `tactics NAME { leap TARGET }` and `WHO follows NAME` would have it used",
			"rule reckless: its condition never held"}},
		{"action leap target { cost standard-action; step z { target gains prone } }\noverride default { leap first-foe when current-round > 50 and first-foe is not none; " + strike + " }", 0, []string{
			"action leap: the tactics default name it, but never came to it: the lines before it were always taken, its condition did not hold, or its cost could not be paid"}},
		{"action leap target { cost standard-action; needs 1 = 2 \"no\"; step z { target gains prone } }\noverride default { leap first-foe when first-foe is not none; " + strike + " }", 0, []string{
			"action leap: it was never possible when tactics would have done it"}},
		{"action leap target {\n  cost standard-action\n  step z { note \"hop\" }\n  step w when 1 = 2 { note \"never\" }\n}\noverride default { leap first-foe when current-round = 1 and first-foe is not none; " + strike + " }", 0, []string{
			"step leap.w: its condition never held"}},
		{"rule gloat after heal { note \"!\" }", 1, []string{"rule gloat: its trigger never happened: after heal"}},
		{"rule gloat after attack when current-round > 90 { note \"!\" }", 1, []string{"rule gloat: its condition never held"}},
		{"rule gloat after attack { note \"!\" }", 1, nil},
		{"extend dying { rule falls after attack { note \"!\" } }\nextend blinded { rule snores at start of turn { note \"!\" } }", 2, []string{
			"rule blinded.snores: nobody had blinded"}},
		{"condition giddy { -2 to attack-bonus; rule falls at start of turn { self gains prone } }", 1, []string{"condition giddy: nobody had it"}},
		{"condition giddy { -2 to attack-bonus }\nrule spins after heal { actor gains giddy }", 0, []string{
			"condition giddy: nobody gained it; what gives it: spins", "rule spins: its trigger never happened: after heal"}},
		{"condition giddy while hit-points > 99 { -2 to attack-bonus }\ncondition hale while hit-points > 0 { -2 to attack-bonus; +1 to will }", 0, []string{
			"condition giddy: its condition never held", "modifier hale.will: nothing asked for will"}},
		{"option calm = 3\noverride massive-damage-threshold = 40", 2, []string{"option calm: nothing asked for it"}},
		{"override size-modifier[large] = -2\noverride size-modifier[medium] = 1", 2, []string{"cell size-modifier[large]: nothing looked it up"}},
		{"weapon fullblade extends greatsword { damage: 2d8 }\noverride greatsword.damage = 2d8", 0, []string{"weapon fullblade: nobody has it"}},
		{"creature ogre { strength: 21 }\ntactics brutal { " + strike + " }", 0, []string{
			"creature ogre: no combatant is one", "tactics brutal: nobody follows them; `WHO follows brutal` in the script would"}},
		{"override strike.confirm { let critical = threat }", 1, nil},
		{"define creature.tall = size > medium", 1, []string{"define creature.tall: nothing asked for it"}},
		{"stat poise { base: 2 }", 1, []string{"stat poise: nothing asked for it"}},
	} {
		r := NewComparison(1, compare(t, withAdditions(t, brawl, c.house), Options{Seed: 1, Fights: 100, Workers: 2})).Rules[0]
		var got []string
		for _, x := range r.Unused {
			got = append(got, fmt.Sprintf("%s %s: %s", x.Kind, x.Path, x.Why))
			if x.Ruleset != "house" || filepath.Base(x.File) != "house.rules" || x.Line < 2 {
				t.Errorf("%s: %+v", c.house, x)
			}
		}
		if !slices.Equal(got, c.want) || c.of > 0 && r.Additions != c.of {
			t.Errorf("%s: of %d:\n%s\nwant:\n%s", c.house, r.Additions, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// The sentence that nothing changed says how much was used; rules that are left out are told of, too.
func TestNothingChanged(t *testing.T) {
	const leap = "action leap target { cost standard-action; step z { target gains prone } }\n"
	for _, c := range []struct {
		house   string
		without []string
		want    string
	}{
		{leap, nil, "house changes nothing that is measured: all 20 fights went the same way, and nothing of it was ever used."},
		{leap + "rule gloat after attack { note \"!\" }", nil, "house changes nothing that is measured: all 20 fights went the same way, although 1 of its 2 parts were used."},
		{"rule gloat after attack { note \"!\" }", nil, "house changes nothing that is measured: all 20 fights went the same way, although all of it was used."},
		{leap, []string{"house"}, "without house changes nothing that is measured: all 20 fights went the same way, and nothing of what it leaves out was ever used."},
	} {
		r := NewComparison(1, compare(t, withAdditions(t, brawl, c.house, c.without...), Options{Seed: 1, Fights: 20, Workers: 1})).Rules[0]
		if len(r.Summary) != 1 || r.Summary[0] != c.want {
			t.Errorf("%s: %q, want %q", c.house, r.Summary, c.want)
		}
	}
}

// What parts of a comparison used is added up, for any number of workers.
func TestUnusedDivided(t *testing.T) {
	const seed, fights, house = 5, 60, "rule gloat after attack when current-round > 1 { note \"!\" }\nrule sigh after heal { note \"!\" }"
	list := withAdditions(t, brawl, house)
	report := func(arms []*Arm) string {
		data, err := json.Marshal(NewComparison(seed, arms))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := report(compare(t, list, Options{Seed: seed, Fights: fights, Workers: 3}))
	if !strings.Contains(want, `"path":"sigh"`) || strings.Contains(want, `"path":"gloat"`) {
		t.Error(want[strings.Index(want, `"unused":`):])
	}
	var parts []*Shard
	for part := 1; part <= 2; part++ {
		from, count := Range(fights, part, 2)
		arms := compare(t, withAdditions(t, brawl, house), Options{Seed: seed, From: from, Fights: count, Workers: part}) // in another folder
		parts = append(parts, written(t, fmt.Sprintf("part%d.json", part), &Shard{Kind: "shard", Version: ShardVersion, Seed: seed, Fights: fights, Part: part, Of: 2,
			Cast: arms[0].Cast, Tally: arms[0].Tally, Others: arms[1:]}))
	}
	whole, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	cut := func(s string) string { return s[:strings.Index(s, `"file":`)] }
	if got := report(whole.Arms()); cut(got) != cut(want) {
		t.Errorf("merged: %s\nwant %s", got, want)
	}
}
