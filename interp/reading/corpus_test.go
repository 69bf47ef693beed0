package reading

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/lang/diag"
	"arbiter/stdlib/statblock"
)

// TestCorpus reads blocks and files of all forms, with the oddities that they have: each creature is read, each figure
// that it states is the computed one, and no word is lost.
func TestCorpus(t *testing.T) {
	readers := map[string]*Reader{}
	for _, x := range []struct {
		file               string
		creatures, figures int
		says               string // in the rules; "" for nothing in particular
	}{
		{"srd35/labelled.txt", 15, 260, ""},
		{"srd35/poison.txt", 1, 16, "has constitution-poison of 1d6 at 10 with reed-adder-bite"},
		{"srd35/compact.txt", 7, 110, "swarm-space: 10 ft"},
		{"srd35/pages.txt", 3, 45, ""},
		{"srd35/sections.txt", 5, 75, ""},
		{"srd35/heads.txt", 3, 50, "spell-resistance: 18"},
		{"srd35/strange.txt", 11, 220, "weapon-focus with mire-gryph-bite"},
		{"srd35/marks.txt", 7, 125, "\"Wither Mantis V, Tiny undead\""},
		{"srd35/many.txt", 11, 180, "\"MUCK LURKER, Large Aberration (Aquatic)\""},
		{"srd35/untold.txt", 2, 24, "max-dexterity: "},
		{"srd35/absurd.txt", 1, 5, "Hit Dice has a number of 20 digits"},
		{"srd35/broken.txt", 2, 35, ""},
		{"srd35/columns.txt", 3, 40, ""},
		{"srd35/actor.json", 1, 11, ""},
		{"srd35/lines.db", 2, 15, ""},
		{"srd35/character.pcg", 1, 2, ""},
		{"srd35/crafted.pcg", 1, 2, "armor dorn-full-plate extends full-plate { enhancement: 2 }"},
		{"srd35/small.pcg", 1, 2, "strength: 13; dexterity: 14"},
		{"srd35/character.xml", 1, 14, ""},
		{"srd35/companion.xml", 2, 36, "\"Tor, Medium Humanoid"},
		{"srd35/companion.xml", 2, 37, "special-ability tor-fireball { nature: spell-like; like: fireball; is counted }"},
		{"srd35/forms.txt", 5, 80, "+1 to attack-bonus when weapon = fell-tosser-rock"},
		{"srd35/paragraphs.txt", 4, 55, ""},
		{"srd35/guarded.txt", 1, 16, "uncanny-dodge"},
		{"srd35/parts.db", 7, 60, ""},
		{"srd35/portfolio.por", 2, 34, ""},
		{"srd35/generator.xml", 1, 18, ""},
		{"srd35/stale.db", 4, 43, "fen-griffon extends magical-beast-type"},
		{"srd35/grown.json", 1, 13, "secondary-attacks: claw, claw"},
		{"srd35/riders.txt", 3, 50, "has paralyzing-touch of (1d4 + 1) at 12"},
		{"srd35/mauling.txt", 9, 160, "has pounce, improved-grab, rake with fen-lion-rake beside claw"},
		{"srd35/spells.txt", 18, 295, "key-ability: wisdom; is counted"},
		{"srd35/gifts.json", 1, 10, "special-ability bog-imp-fireball {\n  nature: spell-like; like: fireball; caster-level: 5; key-ability: wisdom; is counted\n}"},
		{"srd35/gifts.json", 1, 10, "# Gear: Silver Lantern"},
		{"srd35/table.csv", 2, 35, "Tiny Outsider (Evil, Lawful)"},
		{"srd35/objects.json", 2, 33, "maneuverability: good"},
		{"srd35/keyed.json", 1, 17, "natural-armor:     3"},
		{"srd35/licensed.json", 1, 6, "# license: Open Content 1.0"},
		{"srd35/table.md", 1, 14, "natural-armor:     3"},
		{"starfinder/table.csv", 2, 22, ""},
		{"starfinder/objects.json", 1, 15, "meets-kinetic"},
		{"starfinder/lines.txt", 2, 22, "reach: 15 ft"},
		{"starfinder/old.db", 1, 16, "overcome: magic"},
		{"true20/table.csv", 2, 16, ""},
		{"true20/paragraphs.txt", 4, 28, "\"Zephyr slime, Small 1st-level Plant\""},
		{"starfinder/attacks.csv", 3, 36, "types: fire"},
		{"starfinder/commas.txt", 1, 14, "Male human soldier"},
		{"true20/broken.txt", 1, 8, ""},
		{"starfinder/sections.txt", 3, 44, "1/day—mind thrust"},
		{"starfinder/rows.jsonl", 10, 120, ""},
		{"true20/forms.txt", 4, 30, ""},
		{"modern/paragraphs.txt", 4, 60, ""},
		{"starfinder/foes.txt", 5, 70, ""},
		{"starfinder/actor.json", 1, 11, ""},
		{"true20/creatures.txt", 4, 31, ""},
		{"third/creatures.txt", 2, 23, ""},
		{"modern/people.txt", 2, 31, ""},
	} {
		t.Run(x.file, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join("testdata/corpus", x.file))
			if err != nil {
				t.Fatal(err)
			}
			system := filepath.Dir(x.file)
			r := readers[system]
			if r == nil {
				var diags diag.List
				if r, diags, err = New(options, ".", system); err != nil || len(diags) > 0 {
					t.Fatal(err, diags)
				}
				readers[system] = r
			}
			clear(r.taken)
			f, text, figures := imported(t, r, string(src))
			if len(f.Drafts) != x.creatures {
				t.Errorf("%d creatures, want %d\n%s", len(f.Drafts), x.creatures, text)
			}
			if !strings.Contains(text, x.says) {
				t.Errorf("it does not say %s\n%s", x.says, text)
			}
			n := 0
			for _, d := range f.Drafts {
				if d.Failure != "" {
					t.Errorf("%s: %s", d.Name, d.Failure)
				}
				for _, items := range [][]Item{d.Declared, d.Body, d.Has} {
					for _, item := range items {
						if item.Note == Refused {
							t.Errorf("%s: refused %s: %s", d.Name, item.Text, item.Why)
						}
					}
				}
				for _, fig := range figures[d] {
					n++
					if !fig.Agrees {
						t.Errorf("%s:%d: %s: %s", x.file, fig.Line, d.Name, fig.Text())
					}
				}
			}
			if n < x.figures {
				t.Errorf("%d figures, want %d\n%s", n, x.figures, text)
			}
			if filepath.Ext(x.file) == ".txt" {
				lines, err := statblock.Clean(src)
				if err != nil {
					t.Fatal(err)
				}
				words, read := 0, 0
				for _, l := range lines {
					words += statblock.Words(l.Text)
				}
				for _, d := range f.Drafts {
					read += d.Words
				}
				for _, e := range f.Rest {
					read += e.Words()
				}
				if read < words-words/50 { // words broken by hyphens are one
					t.Errorf("%d words of %d", read, words)
				}
			}
		})
	}
}
