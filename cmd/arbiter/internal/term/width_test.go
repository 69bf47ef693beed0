package term

import "testing"

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"goblin", 6},
		{"Äöß", 3},
		{"e\u0301", 1},            // a letter with a combining accent
		{"鬼", 2},                  // Han
		{"ｱ", 1},                  // half-width
		{"Ａ", 2},                  // full-width
		{"한", 2},                  // Hangul as one character
		{"\u1112\u1161\u11ab", 2}, // and as three characters
		{"🐉", 2},
		{"│█", 2},
		{"\x1b[1;31mred\x1b[0m", 3},
		{"\x1b", 0},
		{"\x1b[1;", 3}, // an incomplete sequence
		{"a\u200bb", 2},
	} {
		if got := Columns(c.text); got != c.want {
			t.Errorf("%q has %d columns, want %d", c.text, got, c.want)
		}
	}
}

func TestUnstyled(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m ä": "red ä",
		"plain":                  "plain",
		"\x1b[":                  "\x1b[",
	} {
		if got := Unstyled(text); got != want {
			t.Errorf("%q without its look is %q, want %q", text, got, want)
		}
	}
}

func TestVisible(t *testing.T) {
	for r, want := range map[rune]string{
		'a': "a", '\t': "    ", '\x1b': "?", '\u009b': "?", '\u202e': "?", '\ufffd': "?", '\u2028': "?", 'ß': "ß", '\u200d': "\u200d",
	} {
		if got := Visible(r); got != want {
			t.Errorf("%q shows as %q, want %q", r, got, want)
		}
	}
}
