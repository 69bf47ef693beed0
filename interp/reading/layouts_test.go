package reading

import (
	"math/rand/v2"
	"strings"
	"testing"

	"arbiter/stdlib/statblock"
)

// block is one in good order.
const block = `Fen Lion
Large Animal
Hit Dice: 5d8+10 (32 hp)
Initiative: +7
Speed: 40 ft. (8 squares), swim 20 ft.
Armor Class: 15 (-1 size, +3 Dex, +3 natural), touch 12, flat-footed 12
Base Attack/Grapple: +3/+12
Attack: Claw +7 melee (1d4+5)
Full Attack: 2 claws +7 melee (1d4+5) and bite +2 melee (1d8+2)
Space/Reach: 10 ft./5 ft.
Special Attacks: Pounce, improved grab
Special Qualities: Low-light vision, scent
Saves: Fort +6, Ref +7, Will +2
Abilities: Str 21, Dex 17, Con 15, Int 2, Wis 12, Cha 6
Feats: Alertness, Improved Initiative
Challenge Rating: 3
`

// TestLayouts reads the same block in the layouts that people paste: it states the same figures in all of them.
func TestLayouts(t *testing.T) {
	r := readerOf(t, "srd35")
	want := claimsOf(t, r, block)
	if len(want) != 19 {
		t.Fatalf("%d figures: %v", len(want), want)
	}
	lines := strings.Split(strings.TrimSpace(block), "\n")
	with := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(block) }
	for name, text := range map[string]string{
		"dashes for minus":             with("-1", "–1", " (-", " (–"),
		"minus signs":                  with("-1", "−1"),
		"hyphens of another kind":      with("flat-footed", "flat‑footed", "Low-light", "Low‐light"),
		"spaces that do not break":     with(" +", "\u00a0+"),
		"tabs behind labels":           with(": ", ":\t"),
		"carriage returns":             with("\n", "\r\n"),
		"a mark of the order of bytes": "\ufeff" + block,
		"HTML":                         "<div><p>" + with("\n", "<br/>") + "</p></div>",
		"bold labels of HTML":          "<p><b>" + with(": ", ":</b> ", "\n", "<br><b>"),
		"Markdown":                     "## " + with("\n", "\n\n", "Hit Dice:", "**Hit Dice:**", "Saves:", "**Saves:**", "Full Attack:", "**Full Attack:**"),
		"a page's head in the middle":  strings.Join(lines[:8], "\n") + "\n\n42\nBeasts of the Fen\n\n" + strings.Join(lines[8:], "\n") + "\n",
		"ligatures":                    with("fl", "ﬂ", "fi", "ﬁ"),
		"words broken at a line's end": with("natural)", "nat-\nural)", "Initiative\nChallenge", "Ini-\ntiative\nChallenge"),
		"lines broken anywhere":        narrow(block, 40),
		"written from right to left":   "\u202b" + block + "\u202c",
		"UTF-16":                       wide(block),
		"labels in capitals":           with("Hit Dice:", "HIT DICE:", "Saves:", "SAVES:", "Abilities:", "ABILITIES:"),
		"labels without colons":        with("Initiative:", "Initiative", "Saves:", "Saves", "Feats:", "Feats", "Speed:", "Speed"),
		"bullets":                      with("\n", "\n• "),
		"quoted like mail":             "> " + with("\n", "\n> "),
		"empty lines everywhere":       with("\n", "\n\n"),
		"flatfooted in one word":       with("flat-footed", "flatfooted"),
		"figures turned around":        with("+3 Dex, +3 natural", "+3 natural, +3 Dex"),
	} {
		t.Run(name, func(t *testing.T) {
			got := claimsOf(t, r, text)
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("the figures are\n%s\nwant\n%s\nof\n%s", strings.Join(got, "; "), strings.Join(want, "; "), text)
			}
		})
	}
}

// damaged is how many blocks TestDamaged reads.
const damaged = 150

// TestDamaged reads blocks that are broken at random: there is a draft of each, or a word about why not, and no word is
// lost.
func TestDamaged(t *testing.T) {
	r := readerOf(t, "srd35")
	rng := rand.New(rand.NewPCG(40, 1))
	for range damaged {
		text := []rune(block)
		for range 1 + rng.IntN(6) {
			i := rng.IntN(len(text))
			j := min(len(text), i+1+rng.IntN(30))
			switch rng.IntN(6) {
			case 0: // a part is missing
				text = append(text[:i:i], text[j:]...)
			case 1: // a part comes twice
				text = append(text[:j:j], text[i:]...)
			case 2: // other letters
				text[i] = []rune("—()/+9;:|\t\n\u00adאß")[rng.IntN(14)]
			case 3: // it breaks off
				text = text[:j]
			case 4: // another one begins
				text = append(text[:i:i], []rune(block)...)
			case 5: // a long number
				text = append(text[:i:i], append([]rune(strings.Repeat("9", 1+rng.IntN(40))), text[i:]...)...)
			}
			if len(text) == 0 {
				text = []rune("x")
			}
		}
		clear(r.taken)
		sheets, rest, err := statblock.Read([]byte(string(text)), &r.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for _, e := range rest {
			words += e.Words()
		}
		for i := range sheets {
			d := r.Read(&sheets[i])
			words += d.Words
			if d.Name == "" {
				t.Errorf("a draft without a name of\n%s", string(text))
			}
			if d.Failure != "" && !strings.Contains(d.Failure, "number") {
				t.Errorf("%s\n%s", d.Failure, string(text))
			}
		}
		lines, err := statblock.Clean([]byte(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		all := 0
		for _, l := range lines {
			all += statblock.Words(l.Text)
		}
		if words < all-all/20 { // words that are broken at the end of a line are one
			t.Errorf("%d words of %d of\n%s", words, all, string(text))
		}
	}
}

// readerOf returns the Reader for a built-in ruleset.
func readerOf(t *testing.T, ruleset string) *Reader {
	t.Helper()
	r, diags, err := New(options, ".", ruleset)
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	return r
}

// claimsOf returns the figures that the one block of a text states.
func claimsOf(t *testing.T, r *Reader, text string) []string {
	t.Helper()
	clear(r.taken)
	sheets, _, err := statblock.Read([]byte(text), &r.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if len(sheets) != 1 {
		t.Fatalf("%d blocks in\n%s", len(sheets), text)
	}
	d := r.Read(&sheets[0])
	var claims []string
	for _, c := range d.Claims {
		claims = append(claims, c.Text)
	}
	return claims
}

// narrow breaks lines at spaces.
func narrow(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for len(line) > width {
			i := strings.LastIndex(line[:width], " ")
			if i < width/2 {
				break
			}
			b.WriteString(line[:i] + "\n")
			line = line[i+1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// wide is a text in the encoding with two bytes for a character.
func wide(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, r := range text {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}
