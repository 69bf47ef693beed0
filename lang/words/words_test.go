package words

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	heads := LeadingWords(Declaration, Clause, Statement, Script)
	cases := []struct{ word, want string }{
		{"canot", "cannot"}, {"trat", "trait"}, {"procedur", "procedure"}, {"inclues", "includes"}, {"chek", "check"},
		{"conditoin", "condition"}, {"expct", "expect"}, {"If", "if"}, {"CHECK", "check"}, {"Chek", "check"},
		{"cannot", ""}, {"strike", ""}, {"longsword", ""}, {"x", ""}, {"", ""},
	}
	for _, c := range cases {
		if got := Nearest(c.word, heads); got != c.want {
			t.Errorf("%q: want %q, got %q", c.word, c.want, got)
		}
	}
}

func TestNoWordIsMeantByNonsense(t *testing.T) {
	if got := Nearest(strings.Repeat("a", 100_000), []string{"take-readied-action"}); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestUnfolds(t *testing.T) {
	names := []string{"strength-penalty", "strength", "constitution", "concentration", "armor-class", "hit-points", "action", "dragon", "blinded", "blindsight", "blind-fight"}
	cases := []struct{ word, want string }{
		{"str", "strength"}, {"ac", "armor-class"}, {"hp", "hit-points"}, {"const", "constitution"}, {"strengths", "strength"}, {"AC", "armor-class"}, {"Str", "strength"},
		{"con", ""}, {"blind", "blinded"}, {"bli", ""}, {"st", ""}, {"a", ""}, {"", ""}, {"strength", ""}, {"-", ""},
	}
	for _, c := range cases {
		if got := Nearest(c.word, names); got != c.want {
			t.Errorf("%q: want %q, got %q", c.word, c.want, got)
		}
	}
}

// TestSets: the closed sets agree with each other and with the table.
func TestSets(t *testing.T) {
	for _, l := range Labels() {
		if !Label(l) || !Reserved(l) {
			t.Errorf("%q is no reserved label", l)
		}
	}
	for _, e := range All() {
		if len(e.Forms) > 0 && e.Word == "" {
			t.Errorf("an entry without a word: %v", e.Forms)
		}
		if Quantifier(e.Word) && !Reserved(e.Word) {
			t.Errorf("%q is a quantifier but not reserved", e.Word)
		}
	}
	if forms := Forms("roll", Declaration); len(forms) != 1 || Forms("roll", Statement)[0] == forms[0] {
		t.Errorf("the forms of roll: %q", forms)
	}
}

// Forms of a word have the same stem, and other words another.
func TestStem(t *testing.T) {
	for _, same := range [][]string{{"save", "saves", "saving", "saved"}, {"attack", "attacks", "attacking"}, {"dodge", "dodges", "dodging"}} {
		for _, w := range same {
			if Stem(w) != Stem(same[0]) {
				t.Errorf("%s has the stem %s, %s has %s", w, Stem(w), same[0], Stem(same[0]))
			}
		}
	}
	for _, w := range []string{"ring", "red", "bed", "as", "e", ""} {
		if Stem(w) != w {
			t.Errorf("%q has the stem %q", w, Stem(w))
		}
	}
}
