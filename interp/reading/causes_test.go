package reading

import (
	"strings"
	"testing"

	"arbiter/stdlib/statblock"
)

// planted is a block whose figures add up, but for those that a case changes.
const planted = `Fen Brute
Large Giant
Hit Dice: 6d8+15 (42 hp)
Initiative: +3
Speed: 30 ft.
Armor Class: 16 (-1 size, -1 Dex, +5 natural, +3 hide armor), touch 8, flat-footed 16
Base Attack/Grapple: +4/+13
Attack: Greatclub +9 melee (2d8+7)
Full Attack: Greatclub +9 melee (2d8+7); or 2 claws +8 melee (1d6+5) and bite +6 melee (1d8+2)
Space/Reach: 10 ft./10 ft.
Saves: Fort +7, Ref +1, Will +4
Abilities: Str 21, Dex 8, Con 15, Int 6, Wis 10, Cha 7
Feats: Improved Initiative, Iron Will, Multiattack, Toughness, Weapon Focus (greatclub)
Challenge Rating: 4
`

// TestPlanted: one wrong figure in a block is explained by what makes it wrong.
func TestPlanted(t *testing.T) {
	r, diags, err := New(options, ".", "srd35")
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	cases := []struct{ wrong, cause string }{
		{"", ""}, // all of it is right
		{"Initiative: +3 -> Initiative: -1", "leaves out the improved-initiative of +4"},
		{"Class: 16 -> Class: 13", "leaves out the armor of +3"},
		{"Class: 16 -> Class: 11", "leaves out the natural of +5"},
		{"touch 8 -> touch 9", "leaves out the dexterity of -1 or the size of -1"},
		{"footed 16 -> footed 17", "leaves out the dexterity of -1 or the size of -1"},
		{"footed 16 -> footed 15", "counts the dexterity of -1 or the size of -1 twice"},
		{"+4/+13 -> +4/+9", "it reads as if its size were medium"},
		{"+4/+13 -> +6/+13", "it reads as if its base attack were 4, as its hit dice give"},
		{"Attack: Greatclub +9 -> Attack: Greatclub +8", "leaves out the weapon-focus of +1"},
		{"Attack: Greatclub +9 melee (2d8+7) -> Attack: Greatclub +9 melee (2d8+5)", "leaves out the both-hands of +2"},
		{"bite +6 -> bite +3", "it reads as if it had no multiattack"},
		{"2 claws +8 -> 2 claws +9", "leaves out the size of -1; or it reads as if it had Weapon Focus with"},
		{"Str 21 -> Str 23", "the strength of +6 is 1 less in this and in"},
		{"Fort +7 -> Fort +5", "Fort leaves a base of 3, where 6 hit dice give 5 or 2: as if with the Constitution of +2 left out"},
		{"Will +4 -> Will +2", "Will leaves a base of 0, where 6 hit dice give 5 or 2: as if with Iron Will left out"},
		{"Hit Dice: 6d8+15 (42 hp) -> Hit Dice: 8d8+19 (55 hp)", "where a base attack of +6 gives +11/+6"},
	}
	f := &File{Ruleset: "mine", From: "mine.txt"}
	for _, x := range cases {
		from, to, _ := strings.Cut(x.wrong, " -> ")
		text := strings.Replace(planted, from, to, 1)
		if strings.HasPrefix(to, "Hit Dice") { // more hit dice with their base attack and saves, but no second attack
			text = strings.NewReplacer("+4/+13", "+6/+15", "Greatclub +9", "Greatclub +11", "claws +8", "claws +10", "bite +6", "bite +8", "Fort +7", "Fort +8").Replace(text)
		}
		if text == planted && from != "" {
			t.Fatalf("%s: there is nothing to change", x.wrong)
		}
		sheets, _, err := statblock.Read([]byte(text), &r.Vocabulary)
		if err != nil || len(sheets) != 1 {
			t.Fatal(err, len(sheets))
		}
		f.Drafts = append(f.Drafts, r.Read(&sheets[0]))
	}
	if err := r.Settle(f); err != nil {
		t.Fatal(err)
	}
	figures, err := r.Reconcile(f)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range f.Drafts {
		var said []string
		for _, x := range figures[d] {
			if !x.Agrees {
				said = append(said, x.Text())
			}
		}
		for _, item := range d.Body {
			if item.Note == Ambiguous {
				said = append(said, item.Text)
			}
		}
		if i == 0 && len(said) > 0 {
			t.Errorf("the block is wrong in itself: %s", said)
		}
		if !strings.Contains(strings.Join(said, "\n"), cases[i].cause) {
			t.Errorf("%s: %s\nis not in\n%s", cases[i].wrong, cases[i].cause, strings.Join(said, "\n"))
		}
	}
}
