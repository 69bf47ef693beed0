package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	of := func(texts ...string) (c []Candidate) {
		for _, s := range texts {
			c = append(c, Candidate{Text: s})
		}
		return c
	}
	for _, c := range []struct {
		name, text string // | is the cursor
		from       int
		candidates []Candidate
		want       string
		several    bool
	}{
		{"none", "go al|", 3, nil, "go al|", false},
		{"one", "go al|", 3, of("Alia"), "go Alia |", false},
		{"one, before a space", "al| x", 0, of("Alia"), "Alia| x", false},
		{"one, before a word", "al|x", 0, of("Alia"), "Alia |x", false},
		{"one with its own space", "al|", 0, of("Alia: "), "Alia: |", false},
		{"a folder", "run ma|", 4, of("maps/"), "run maps/|", false},
		{"a bracket", "(|", 0, of("(3,"), "(3, |", false},
		{"an open bracket", "m|", 0, of("max("), "max(|", false},
		{"one that is there", "Alia|", 0, of("Alia"), "Alia |", false},
		{"with quotes", `hit "Sir|`, 4, of(`"Sir Robin"`), `hit "Sir Robin" |`, false},
		{"several", "a|", 0, of("attack", "attend"), "att|", true},
		{"several in another case", "A|", 0, of("attack", "attend"), "att|", true},
		{"several with nothing in common", "|", 0, of("a", "b"), "|", true},
		{"several without the word", "ck|", 0, of("attack", "check"), "ck|", true},
		{"one begins another", "a|", 0, of("axe", "axes"), "axe|", true},
		{"a mark is not divided", "e|", 0, of("e\u0301a", "e\u0300a"), "e|", true},
		{"nor taken from its letter", "|", 0, of("xe\u0301", "xe"), "x|", true},
		{"a wide character", "鬼|", 0, of("鬼火", "鬼灯"), "鬼|", true},
		{"bytes that are no text", "|", 0, of("a\xffb", "a\ufffdb"), "a|", true},
		{"a place before the text", "a|", -1, of("ab"), "a|", false},
		{"a place behind the cursor", "a|b", 2, of("ab"), "a|b", false},
	} {
		at := strings.Index(c.text, "|")
		text, place, several := Completion{c.from, c.candidates}.apply(strings.Replace(c.text, "|", "", 1), at)
		if got := text[:place] + "|" + text[place:]; got != c.want || several != c.several {
			t.Errorf("%s: %q becomes %q (several: %v), want %q", c.name, c.text, got, several, c.want)
		}
	}
}

func TestList(t *testing.T) {
	numbers := func(n int) (c []Candidate) {
		for i := range n {
			c = append(c, Candidate{Text: fmt.Sprintf("n%02d", i)})
		}
		return c
	}
	dim := func(s string) string { return "(" + s + ")" }
	for _, c := range []struct {
		name          string
		candidates    []Candidate
		columns, room int
		want          string
	}{
		{"in columns", numbers(5), 14, 5, "n00  n02  n04|n01  n03"},
		{"exactly as wide", numbers(5), 13, 5, "n00  n03|n01  n04|n02"},
		{"too many", numbers(9), 9, 3, "n00  n02|n01  n03|(and 5...)"},
		{"no room", numbers(9), 30, 1, "(and 9 more)"},
		{"about", []Candidate{{"a", "first"}, {"bcd", ""}, {"鬼火", "will-o'-wisp"}}, 15, 9, "a     (first)|bcd|鬼火  (will-...)"},
		{"about, too narrow", []Candidate{{"abcdef", "first"}}, 9, 9, "abcdef"},
		{"too wide", []Candidate{{"abcdefghij", "x"}}, 8, 9, "abcd..."},
		{"of a stranger", []Candidate{{"a\x1b[2J\nb", ""}}, 20, 9, "a?[2J?b"},
		{"one column", []Candidate{{"abc", "x"}, {"鬼", ""}}, 1, 9, ".|."},
	} {
		rows := candidateRows(c.candidates, c.columns, c.room, dim)
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if len(rows) > c.room {
			t.Errorf("%s: %d rows, and room for %d", c.name, len(rows), c.room)
		}
	}
}

// BenchmarkComplete measures completion with many candidates, from the key to the bytes for the screen. The budget for
// all of it is 20 ms.
func BenchmarkComplete(b *testing.B) {
	var many []Candidate
	for i := range 2000 {
		many = append(many, Candidate{Text: fmt.Sprintf("candidate-%04d", i), About: "one of very many of them"})
	}
	dev := newFakeDevice("")
	t := newTerminal(dev, true, &history{})
	defer t.Close()
	t.prompt = Prompt{Text: "> ", Complete: func(string, int) Completion { return Completion{0, many} }}
	for b.Loop() {
		t.line, t.at = []rune("candidate-"), 10
		t.mu.Lock()
		t.complete()
		t.draw()
		t.mu.Unlock()
	}
	if !slices.ContainsFunc(t.candidates, func(c Candidate) bool { return c.Text == "candidate-1999" }) {
		b.Fatal("nothing is listed")
	}
}
