package term

import (
	"slices"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text           string
		columns        int
		plain, unicode string
	}{
		{"longsword", 9, "longsword", "longsword"},
		{"longsword", 8, "longs...", "longswo…"},
		{"李小龍", 6, "李小龍", "李小龍"},
		{"李小龍", 5, "李...", "李小…"},
		{"李小龍", 4, "...", "李…"},
		{"e\u0301e\u0301e\u0301", 2, "..", "e\u0301…"},
		{"of the road", 7, "of t...", "of the…"},
		{"abcdef", 3, "...", "ab…"},
		{"abcdef", 1, ".", "…"},
		{"abcdef", 0, "", ""},
	} {
		for _, s := range []Screen{{}, {Unicode: true}} {
			want := c.plain
			if s.Unicode {
				want = c.unicode
			}
			if got := s.Cut(c.text, c.columns); got != want {
				t.Errorf("%q in %d columns: %q, want %q", c.text, c.columns, got, want)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{"> "}},
		{"as  it is", []string{"> as  it is"}},
		{"one two three four", []string{"> one two", "..three four"}},
		{"a-word-that-is-too-long and more", []string{"> a-word-that-is-too-long", "..and more"}},
		{"漢字 漢字 漢字", []string{"> 漢字 漢字", "..漢字"}},
	} {
		if got := Wrap(c.text, 12, "> ", ".."); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Whatever a stranger writes, no control sequence of it gets through, and nothing outgrows its columns.
func FuzzText(f *testing.F) {
	for _, text := range []string{"plain", "\x1b[31mred\x1b[0m", "\xff\xfe", "漢\u0301", "a\u202eb", strings.Repeat("x ", 50)} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns %= 200
		text = Clean(text)
		if strings.ContainsAny(text, "\x1b\r\x00\u202e\u009b") {
			t.Errorf("%q is not clean", text)
		}
		for _, s := range []Screen{{}, {Unicode: true}} {
			if cut := s.Cut(text, columns); Columns(cut) > max(columns, 0) && Columns(text) > max(columns, 0) {
				t.Errorf("%q takes more than %d columns", cut, columns)
			}
		}
		for _, line := range Wrap(text, columns, "", "  ") {
			if Columns(line) > columns && len(strings.Fields(line)) > 1 && line != text {
				t.Errorf("%q takes more than %d columns", line, columns)
			}
		}
	})
}
