package reading

import (
	"slices"
	"strings"
	"testing"

	"arbiter/interp/session"
)

// TestMake compares creatures that are made of others with what the published rules give: worked out by hand, with the
// tables for hit dice, sizes, levels and the dead.
func TestMake(t *testing.T) {
	m := newMaker(t, "srd35-bestiary")
	var drafts []*Draft
	wanted := map[string]string{}
	for _, x := range []struct {
		said, name string
		want       string // figures
		steps      string // a part of one of the steps, for each line
	}{
		{"orc warrior 3", "orc-warrior-3", `level 3; base-attack 3; max-hit-points 16; fortitude 4; reflex 1; will -1; armor-class 13; grapple 6; challenge 2`,
			"weapon focus with falchion\n6 skill points"},
		{"a 4th-level orc warrior", "orc-warrior-4", `level 4; max-hit-points 22; strength 18`, ""},
		{"kobold expert 5", "kobold-expert-5", `level 5; base-attack 3; max-hit-points 17; fortitude 1; reflex 2; will 3; strength 10; challenge 4`, "48 skill points"},
		{"human commoner", "human-commoner-1", `level 1; base-attack 0; fortitude 1; reflex 0; will -1; challenge 1/2`, "8 skill points"},
		{"Half-Orc guards 2", "half-orc-guard-2", `level 2; attack-bonus 4; armor-class 15; challenge 1`, "longsword: what a guard carries"},
		{"halfling warrior 3", "halfling-warrior-3", `level 3; fortitude 5; reflex 3; will 1`, ""},
		{"troll warrior 2", "troll-warrior-2", `level 8; base-attack 6; max-hit-points 84; fortitude 14; reflex 4; will 3; strength 24; challenge 6`, ""},
		{"ogre 8 hd", "ogre-8-hd", `level 8; base-attack 6; max-hit-points 55; fortitude 8; reflex 1; will 2; strength 22; initiative 3; attack-bonus 12; grapple 16; challenge 4`,
			"improved initiative\nstrength\n11 skill points"},
		{"8HD advanced ogre", "advanced-ogre-8-hd", `level 8; strength 22; natural-armor 5; challenge 4`, ""},
		{"wolf 6 hd", "wolf-6-hd", `size large; strength 22; dexterity 13; constitution 19; natural-armor 4; base-attack 4; max-hit-points 54; fortitude 9; reflex 6; will 3; armor-class 14; touch-armor-class 10; grapple 14; attack-bonus 10; damage-bonus 9; reach 5 ft; space 10 ft; self.damage-dice(weapon-in-hand) 1d8; challenge 3`, ""},
		{"large wolf", "large-wolf", `level 4; size large; max-hit-points 37; base-attack 3`, ""},
		{"griffon 12 HD", "griffon-12-hd", `size huge; strength 28; dexterity 13; constitution 20; natural-armor 9; armor-class 18; touch-armor-class 9; attack-bonus 20; grapple 29; max-hit-points 129; reach 10 ft; self.damage-dice(weapon-in-hand) 3d6; challenge 6`, "15 skill points"},
		{"dire rat 6 hd", "dire-rat-6-hd", `size medium; strength 15; dexterity 15; constitution 14; natural-armor 1; max-hit-points 42; fortitude 7; reflex 7; will 6; self.damage-dice(weapon-in-hand) 1d6`, "weapon focus with bite"},
		{"tyrannosaurus 40", "tyrannosaurus-40-hd", `size gargantuan; strength 42; dexterity 12; constitution 25; natural-armor 9; base-attack 30; armor-class 16; self.damage-dice(weapon-in-hand) 4d6`, ""},
		{"giant dire rat", "giant-dire-rat", `size medium; strength 14; dexterity 15; constitution 16; natural-armor 4; challenge 1/2`, ""},
		{"young elite ogre", "young-elite-ogre", `size medium; strength 21; dexterity 16; constitution 13; natural-armor 3; challenge 3`, ""},
		{"advanced ogre", "advanced-ogre", `strength 25; dexterity 12; constitution 19; intelligence 10; wisdom 14; charisma 11; natural-armor 7; challenge 4`, ""},
		{"elite orc", "elite-orc", `strength 19; dexterity 13; constitution 14; intelligence 10; wisdom 8; charisma 6; challenge 1`, ""},
		{"elite goblin archer 5", "elite-goblin-archer-5", `strength 13; dexterity 16; constitution 14; intelligence 12; wisdom 10; charisma 6; attack-bonus 10; armor-class 16; max-hit-points 32; challenge 4`,
			"point blank shot\n24 skill points"},
		{"fiendish dire wolf", "fiendish-dire-wolf", `spell-resistance 11; intelligence 3; challenge 4`, "damage reduction 5/magic\nresistance to cold and fire 5"},
		{"celestial griffon", "celestial-griffon", `spell-resistance 12; intelligence 5; challenge 5`, "resistance to acid and cold and electricity 5"},
		{"owlbear skeleton", "owlbear-skeleton", `level 5; max-hit-points 32; initiative 6; armor-class 13; touch-armor-class 11; unready-armor-class 11; base-attack 2; grapple 11; attack-bonus 6; damage-bonus 5; fortitude 1; reflex 3; will 4; constitution none; challenge 2`, ""},
		{"wyvern zombie", "wyvern-zombie", `level 14; max-hit-points 94; initiative 0; armor-class 20; touch-armor-class 9; base-attack 7; grapple 16; attack-bonus 11; damage-bonus 7; fortitude 4; reflex 4; will 9; maneuverability clumsy; challenge 4`, ""},
		{"zombie troll", "troll-zombie", `level 12; max-hit-points 81; strength 25; armor-class 18; attack-bonus 12; damage-bonus 10; reach 10 ft; challenge 4`, ""},
		{"skeleton 3", "skeleton-3-hd", `level 3; max-hit-points 19; challenge 1`, ""},
		{"young red dragon", "my-young-red-dragon", `level 10; armor-class 18; challenge 7`, "nothing has changed yet"},
		{"orcs", "my-orc", `level 1; armor-class 13`, ""},
	} {
		d, err := m.Make(x.said)
		if err != nil {
			t.Fatalf("%s: %s", x.said, err)
		}
		if d.Name != x.name {
			t.Errorf("%s is called %s instead of %s", x.said, d.Name, x.name)
		}
		for want := range strings.SplitSeq(x.steps, "\n") {
			if !slices.ContainsFunc(d.Steps, func(s Step) bool { return strings.Contains(s.What+": "+s.Why, want) }) {
				t.Errorf("%s: no step says %q: %q", x.said, want, d.Steps)
			}
		}
		drafts = append(drafts, d)
		wanted[d.Name] = x.want
	}
	checkMade(t, m, drafts, wanted)
}

// checkMade compares the figures of creatures with those that are wanted, by their names: expressions and values.
func checkMade(t *testing.T, m *Maker, drafts []*Draft, wanted map[string]string) {
	t.Helper()
	text, _ := m.trial(drafts)
	made, diags, err := m.build(m.Extends, text)
	if err != nil || made.Rules == nil {
		t.Fatal(err, diags)
	}
	for _, d := range drafts {
		s, err := session.NewSpecimen(made.Rules, d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for figure := range strings.SplitSeq(wanted[d.Name], "; ") {
			at := strings.LastIndex(strings.TrimSuffix(figure, " ft"), " ")
			expr, value := figure[:at], figure[at+1:]
			if got, _ := s.Ask(expr); got != value {
				t.Errorf("%s: %s is %s instead of %s", d.Name, expr, got, value)
			}
		}
	}
}

// TestMakeByLevel makes creatures of the systems in which they grow by their level alone: worked out by hand.
func TestMakeByLevel(t *testing.T) {
	for ruleset, cases := range map[string][][3]string{
		"third-bestiary": {
			{"orc warrior 3", "orc-warrior-3", `level 3; base-attack 3; max-hit-points 13; fortitude 3; reflex 1; will 0; attack-bonus 5; challenge 2`},
			{"an 8th-level guard", "guard-8", `level 8; base-attack 8; max-hit-points 44; strength 15; fortitude 7; reflex 2; will 2; grapple 10; challenge 7`},
			{"guards 2", "guard-2", `level 2; base-attack 2; max-hit-points 11; fortitude 4; challenge 1`},
			{"grey wolf 6 hd", "grey-wolf-6", `level 6; base-attack 4; max-hit-points 39; fortitude 7; reflex 7; will 3; challenge 2`},
			{"mage 7", "mage-7", `level 7; base-attack 3; max-hit-points 31; dexterity 15; fortitude 3; reflex 4; will 6; attack-bonus 5; caster-level 7`},
			{"bone soldier 3", "bone-soldier-3", `level 3; base-attack 1; max-hit-points 19; will 3; constitution none`},
			{"orc expert", "orc-expert-1", `level 1; base-attack 0; max-hit-points 3; hit-die 6; will 1; challenge 1/2`},
			{"bone soldiers", "my-bone-soldier", `level 1; max-hit-points 6`},
		},
		"modern-bestiary": {
			{"gangster 5", "gangster-5", `level 5; base-attack 3; max-hit-points 27; fortitude 5; reflex 3; will 1; challenge 4`},
			{"sewer rat 4", "sewer-rat-4", `level 4; base-attack 3; max-hit-points 22; fortitude 5; reflex 7; challenge 1`},
		},
		"true20-bestiary": {
			{"guardsman 7", "guardsman-7", `level 7; combat-bonus 7; fortitude 6; reflex 3; will 2; toughness 4`},
			{"orc adept 4", "orc-adept-4", `level 4; combat-bonus 2; fortitude 2; reflex 1; will 2`},
		},
	} {
		m := newMaker(t, ruleset)
		var drafts []*Draft
		wanted := map[string]string{}
		for _, x := range cases {
			d, err := m.Make(x[0])
			if err != nil {
				t.Fatalf("%s: %s", x[0], err)
			}
			if d.Name != x[1] {
				t.Errorf("%s is called %s instead of %s", x[0], d.Name, x[1])
			}
			drafts = append(drafts, d)
			wanted[d.Name] = x[2]
		}
		checkMade(t, m, drafts, wanted)
	}
}

// TestMakeByLevelProblems: what cannot be made is answered with what can be said instead.
func TestMakeByLevelProblems(t *testing.T) {
	for ruleset, cases := range map[string]map[string]string{
		"third-bestiary": {
			"":                "say which creature",
			"wolf 3":          "did you mean grey wolf?",
			"orc warior 3":    "did you mean warrior?",
			"guard 8 9":       "one number is enough",
			"guard 0":         "a level is 1 to 40",
			"guard warrior 2": `only people of level 1 take up a class: give a guard its level, as in "guard 5"`,
			"troll expert 2":  "only people of level 1 take up a class",
		},
		"modern-bestiary": {"gangster warrior 3": `behind it may stand its level, as in "gangster 5"`},
	} {
		m := newMaker(t, ruleset)
		for said, want := range cases {
			if d, err := m.Make(said); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, %v", said, d, err)
			}
		}
	}
}

// TestUsualMaker: who names no rules gets those of the system that says so.
func TestUsualMaker(t *testing.T) {
	if all := Makers(options.Library); len(all) < 4 || all[0] != "srd35-bestiary" {
		t.Error(all)
	}
}

func newMaker(t *testing.T, ruleset string) *Maker {
	t.Helper()
	m, diags, err := NewMaker(options, ".", ruleset)
	if err != nil || m == nil {
		t.Fatal(err, diags)
	}
	return m
}

// TestMakeProblems: what cannot be made is answered with what can be said instead.
func TestMakeProblems(t *testing.T) {
	m := newMaker(t, "srd35-bestiary")
	for said, want := range map[string]string{
		"":                     "say which creature",
		"warrior 3":            "say which creature",
		"trol 9 hd":            "did you mean troll?",
		"gobln warrior 2":      "did you mean goblin?",
		"giant spider":         "did you mean large monstrous spider or small monstrous spider?",
		"grue":                 "grue names no creature of these rules: they have",
		"half-orc barbarian 2": `nobody knows what barbarian says of a half orc`,
		"advnced ogre":         "did you mean advanced?",
		"orc 5 hd warrior":     "levels of a class or hit dice, not both",
		"orc warrior expert":   "it cannot be both warrior and expert",
		"orc warrior 3 4":      "one number is enough",
		"orc warrior 21":       "levels from 1 to 20",
		"orc 0":                "hit dice are 1 or more",
		"orc hd":               `as in "orc 9 hd"`,
		"huge orc":             "an orc is medium, and no number of hit dice makes it huge",
		"large wolf 3 hd":      "a wolf of 3 hit dice is medium, and not large",
		"ogre 4 hd":            "an ogre has 4 hit dice already",
		"wyvern 40":            "a wyvern advances to 21 hit dice at most",
		"wolf warrior 2":       `a wolf learns no class: give it hit dice, as in "wolf 4 hd"`,
		"troll expert 2":       "the hit dice of a troll are d8, and those of an expert d6",
		"orc warrior 2 zombie": "the dead keep no levels of a class",
		"shadow zombie":        "a shadow has no body that could become a zombie",
		"hill giant zombie":    "what becomes a zombie has 10 at most",
		"monster":              "names no creature",
		"ogre 1000 hd":         "nobody knows what 1000 says of an ogre",
	} {
		d, err := m.Make(said)
		switch {
		case err == nil:
			t.Errorf("%q makes %s", said, d.Name)
		case !strings.Contains(err.Error(), want):
			t.Errorf("%q: %s", said, err)
		}
	}
}
