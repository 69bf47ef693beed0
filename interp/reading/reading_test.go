package reading

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/stdlib/statblock"
)

var options = build.Options{Library: rules.FS}

// imported reads a text and returns the rules and how the figures compare.
func imported(t *testing.T, r *Reader, text string) (*File, string, map[*Draft][]Figure) {
	t.Helper()
	sheets, rest, err := statblock.Read([]byte(text), &r.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	f := &File{Ruleset: "mine", From: "mine.txt", Rest: rest}
	for i := range sheets {
		f.Drafts = append(f.Drafts, r.Read(&sheets[i]))
	}
	if err := r.Settle(f); err != nil {
		t.Fatal(err)
	}
	figures, err := r.Reconcile(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, string(r.Text(f)), figures
}

// houseReader returns a reader for a house ruleset of its own, with a reading.
func houseReader(t *testing.T, star string) (*Reader, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"heart.rules": "ruleset heart extends d20\n", "heart.reading.star": star} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, diags, err := New(options, dir, "heart")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return r, err
}

// TestPage uses the reading that spec/import.md shows, for a house ruleset.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../spec/import.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```starlark\n(.*?)```.*```starlark\n(.*?)```").FindSubmatch(page)
	r, err := houseReader(t, string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	f, text, figures := imported(t, r, "Bog Hand\nGrit: 3\nSpeed: 20 ft.\nLoves: mud\n")
	if !strings.Contains(text, "creature bog-hand {\n  level: 3\n  speed: 20 ft\n  # Loves: mud\n  printed {\n    level = 3\n  }\n}") {
		t.Error(text)
	}
	if list := figures[f.Drafts[0]]; len(list) != 1 || !list[0].Agrees || list[0].Kind != "grit" {
		t.Error(list)
	}
	if d := f.Drafts[0]; d.Words != 9 || d.Understood != 7 {
		t.Errorf("%d words, %d understood", d.Words, d.Understood)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "heart.writing.star"), m[2], 0o666); err != nil {
		t.Fatal(err)
	}
	s, diags, err := r.build([]string{"heart"}, "creature bog-hand { level: 3; speed: 20 ft }\n")
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	w, err := NewWriter(options, r.dir, s.Rules)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := w.Write("bog-hand", "statblock"); err != nil || string(text) != "bog-hand\nGrit: 3\nSpeed: 20 ft\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestMistakes: whatever a reading does wrong, every word is in the file, and the file has no mistakes.
func TestMistakes(t *testing.T) {
	const head = "labels = {\"grit\": [\"Grit\"]}\nopening = [\"grit\"]\ndef read(entries):\n"
	for body, want := range map[string]string{
		"    return {\"name\": fresh(\"x\"), \"body\": [\"level: nonsense\", \"speed: 20 ft\"]}": "# not accepted: level: nonsense",
		"    return {\"name\": fresh(\"x\"), \"body\": [\"level: 3 }\"]}":                        "# not accepted: level: 3 }",
		"    return {\"name\": fresh(\"x\"), \"has\": [\"nonesuch\"]}":                           "# not accepted: nonesuch",
		"    return {\"name\": fresh(\"x\"), \"declare\": [\"weapon {\"]}":                       "# not accepted: weapon {",
		"    return {\"name\": fresh(\"x\"), \"claims\": [(\"a\", \"nonesuch = 3\", 1)]}":        "# nonesuch = 3 (",
		"    return {\"problem\": \"it is a tune\"}":                                             "# Not understood: it is a tune\ncreature bog-hand {\n  # Bog Hand\n  # Grit: 3",
		"    return {\"name\": fresh(\"x\"), \"extends\": \"nonesuch\"}":                         "# Not understood: ",
		"    return {\"name\": \"x\", \"extends\": \"nonesuch }\"}":                              "# Not understood: ",
		"    return {\"name\": fresh(\"x\"), \"borrows\": [\"srd35\"]}":                          "heart.reading.star: borrows: srd35 is not among",
		"    return {}":                      "# Grit: 3",
		"    return 7":                       "# Grit: 3",
		"    fail(\"no idea\")":              "# Grit: 3",
		"    return [0][7]":                  "# Grit: 3",
		"    for i in range(10000000): pass": "# Grit: 3",
	} {
		r, err := houseReader(t, head+body+"\n")
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := imported(t, r, "Bog Hand\nGrit: 3\n")
		if !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", body, text)
		}
		if _, diags := parse.File("mine.rules", []byte(text)); diags.HasErrors() {
			t.Errorf("%s: %s\n%s", body, diags[0], text)
		}
	}
}

// TestBadReadings are refused with their place.
func TestBadReadings(t *testing.T) {
	for star, want := range map[string]string{
		"labels = 3\ndef read(e): pass\n":                                                  "defines no dict labels",
		"labels = {}\n":                                                                    "defines no function read",
		"labels = {\"a\": 3}\ndef read(e): pass\n":                                         "labels is not a list of strings",
		"labels = {}\nheading = \"(\"\ndef read(e): pass\n":                                "heading: ",
		"labels = {}\nx = kind_of(\"a\")\ndef read(e): pass\n":                             "heart.reading.star:2:12: kind_of: the rules are not there yet",
		"labels = {}\nx = attacks(\"bite +1\", \"a \" * 501)\ndef read(e): pass\n":         "attacks: the words are too long",
		"labels = {}\nx = replace(\"a\", \"b\" * 2000, \"a\" * 2000)\ndef read(e): pass\n": "replace: the texts are too long",
		"labels = {}\nwhile True: pass\n":                                                  "heart.reading.star:2:1: ",
		"labels = {}\nx = find(\"(\", \"\")\ndef read(e): pass\n":                          "heart.reading.star:2:9: ",
	} {
		if _, err := houseReader(t, star); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", star, err, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	for text, want := range map[string]string{
		"Fen Cow": "fen-cow", "Will-o'-Light, Élder": "will-o-light-elder", "  (7) Men ": "the-7-men", "—": "", "and": "the-and", strings.Repeat("ab ", 99): strings.Repeat("ab-", 19) + "ab-a",
	} {
		if got := nameOf(text); got != want || got != "" && !parse.IsName(got) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzDraft reads anything as a block: each time there is a file, and the language accepts its form.
func FuzzDraft(f *testing.F) {
	fuzzDrafts(f, "srd35",
		"Fen Cow\nLarge Animal\nHit Dice: 5d8+15 (37 hp)\nInitiative: +0\nSpeed: 40 ft., swim 20 ft.\nArmor Class: 14 (-1 size, +5 natural), touch 9, flat-footed 14\nBase Attack/Grapple: +3/+12\nAttack: Gore +7 melee (1d8+7 plus 1d6 fire)\nFull Attack: Gore +7 melee (1d8+7) and 2 hooves +2 melee (1d4+2)\nSpace/Reach: 10 ft./5 ft.\nSpecial Qualities: DR 5/magic, immunity to fire, resistance to cold 5 and acid 5, regeneration 3\nSaves: Fort +7, Ref +4, Will +2\nAbilities: Str 20, Dex 10, Con 17, Int 2, Wis 12, Cha 4\nFeats: Weapon Focus (gore), Toughness (2)\nChallenge Rating: 2\n",
		"REED GUARD CR 1\nLN Small humanoid\nInit +1; Senses Listen +2\nAC 17, touch 12, flat-footed 16 (+1 size, +1 Dex, +3 studded leather, +2 heavy shield)\nhp 13 (2 HD)\nFort +4, Ref +1, Will +0\nSpeed 20 ft.\nMelee masterwork short sword +6/+1 (1d4+1/19-20)\nBase Atk +2; Grp -1\nStr 13, Dex 12, Con —, Int 10, Wis 11, Cha 8\n",
		"{\"name\": \"Cow\", \"system\": {\"abilities\": {\"str\": {\"value\": 12}}, \"attributes\": {\"hp\": {\"max\": 3}}}, \"items\": [{\"name\": \"Bite\", \"type\": \"attack\", \"system\": {\"actionType\": \"mwak\", \"damage\": {\"parts\": [[\"1d4\"]]}}}]}",
		"Bog Imp\nSmall Outsider\nHit Dice: 3d8+3 (16 hp)\nArmor Class: 17 (+1 size, +3 Dex, +3 natural), touch 14, flat-footed 14\nFull Attack: 2 claws +7 melee (1d4 plus trip) and bite +2 melee (1d4)\nSpecial Attacks: Pounce, rake 1d4+1, rend (2 claws, 2d4+2), constrict 1d6, trample 1d6+3 (DC 15), spell-like abilities (at will—blur; CL 3rd)\nSaves: Fort +4, Ref +6, Will +4\nAbilities: Str 10, Dex 17, Con 12, Int 10, Wis 12, Cha 14\nSpell-Like Abilities (Sp): At will—invisibility (self only); 1/day—suggestion (DC 15), fireball (DC 15, caster level 9th). Caster level 6th. The save DCs are Charisma-based.\n",
		"CHARACTERNAME:Tam\nSTAT:STR|SCORE:15\nCLASS:Fighter|LEVEL:3\n",
		"<character name=\"A\"><health hitdice=\"1d8\" hitpoints=\"4\"/><armorclass ac=\"12\" fromdexterity=\"+1\"/></character>",
	)
}

// FuzzDraftOfFoe is FuzzDraft for a system whose foes state all their figures.
func FuzzDraftOfFoe(f *testing.F) {
	fuzzDrafts(f, "starfinder",
		"ASH CAT CR 3\nN Large animal\nInit +2; Perception +8\nHP 40\nEAC 14; KAC 16\nFort +5; Ref +5; Will +1\nSpeed 40 ft.\nMelee bite +11 (1d6+7 P plus 1d4 F; critical bleed 1d6)\nSpace 10 ft.; Reach 10 ft.\nStr +4; Dex +2; Con +2; Int -4; Wis +1; Cha +0\n",
		"{\"name\": \"Cow\", \"cr\": 0.5, \"eac\": 10, \"kac\": 12, \"fort\": 2, \"ability_mods\": {\"str\": 3, \"dex\": null}, \"attacks\": [{\"name\": \"Gore\", \"bonus\": \"+7\", \"target\": \"kac\", \"kind\": \"mwak\", \"damage\": [[\"1d6 +4\", [\"piercing\"]]]}]}",
	)
}

// FuzzDraftOfTerms is FuzzDraft for a system whose blocks state the terms of each figure.
func FuzzDraftOfTerms(f *testing.F) {
	fuzzDrafts(f, "true20",
		"Fen Cow\nType: 2nd-level animal\nSize: Large\nAbilities: Str +4, Dex +0, Con +3, Int -5, Wis +0, Cha -3\nCombat: Attack +0 (-1 size, +1 base), Damage +6 (gore) Crit 19-20, Defense Dodge/Parry +0/+4 (-1 size, +1 base), Initiative +0\nSaving Throws: Toughness +7/+5 flat-footed (+3 Con, +2 size, +2 natural), Fortitude +6 (+3 base, +3 Con), Reflex +3, Will Immune\n",
		"{\"name\": \"Cow\", \"abilities\": {\"Str\": 4, \"Dex\": null}, \"combat_fields\": [\"+1!(+1 base)\", \"+4!(horn)\", \"12/--!(+1 base)\", \"+0\"], \"saves\": {\"toughness\": {\"total\": 3, \"terms\": [[3, \"Con\"]]}, \"will\": {\"total\": null, \"terms\": []}}}",
	)
}

func fuzzDrafts(f *testing.F, ruleset string, seeds ...string) {
	for _, text := range seeds {
		f.Add([]byte(text))
	}
	r, diags, err := New(options, ".", ruleset)
	if err != nil || len(diags) > 0 {
		f.Fatal(err, diags)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sheets, rest, err := statblock.Read(src, &r.Vocabulary)
		if err != nil || len(sheets) > 5 {
			return
		}
		clear(r.taken)
		file := &File{Ruleset: "mine", From: "mine.txt", Rest: rest}
		for i := range sheets {
			d := r.Read(&sheets[i])
			if d.Failure != "" {
				t.Errorf("%q: %s", src, d.Failure)
			}
			file.Drafts = append(file.Drafts, d)
		}
		text := r.Text(file)
		if _, diags := parse.File("mine.rules", text); diags.HasErrors() {
			t.Errorf("%q: %s\n%s", src, diags[0], text)
		}
	})
}

// TestBadWritings are refused with their place.
func TestBadWritings(t *testing.T) {
	r, err := houseReader(t, "labels = {}\ndef read(e): pass\n")
	if err != nil {
		t.Fatal(err)
	}
	s, diags, err := r.build([]string{"heart"}, "creature x { }\n")
	if err != nil || s.Rules == nil {
		t.Fatal(err, diags)
	}
	for star, want := range map[string]string{
		"forms = 3\n":          "defines no dict forms",
		"forms = {\"a\": 3}\n": "the form a is no function",
		"x = ask(\"level\")\n": "heart.writing.star:1:8: ask: the rules are not there yet",
		"def a(c): return c[\"no\"]\nforms = {\"a\": a}\n":                                                      "heart.writing.star:1:",
		"def a(c): return a\nforms = {\"a\": a}\n":                                                              "a function cannot be written",
		"def a(c): return {3: 4}\nforms = {\"a\": a}\n":                                                         "a key is a int",
		"def a(c):\n    x = []\n    x.append(x)\n    return x\nforms = {\"a\": a}\n":                            "nested more than 60 deep",
		"def a(c):\n    while True: pass\nforms = {\"a\": a}\n":                                                 "heart.writing.star:2:",
		"load(\"@arbiter//srd35/writing.star\", \"figures_of\")\ndef a(c): pass\nforms = {\"a\": a}\n":          "figures_of",
		"load(\"@arbiter//classic/figures.star\", \"shown\")\ndef a(c): return shown(\"\")\nforms = {\"a\": a}": "classic/figures.star:",
	} {
		if err := os.WriteFile(filepath.Join(r.dir, "heart.writing.star"), []byte(star), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := NewWriter(options, r.dir, s.Rules)
		if err == nil {
			_, err = w.Write("x", "a")
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", star, err, want)
		}
	}
}
