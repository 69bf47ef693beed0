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

// Whatever the untrusted text, none of its control sequences passes through, and nothing exceeds its columns.
func FuzzText(f *testing.F) {
	for _, text := range []string{"plain", "\x1b[31mred\x1b[0m", "\xff\xfe", "漢\u0301", "a\u202eb", "long\u00a0words non\u00a0breaking", strings.Repeat("x ", 50)} {
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
			if Columns(line) > columns && len(strings.FieldsFunc(line, isBreak)) > 1 && line != text {
				t.Errorf("%q takes more than %d columns", line, columns)
			}
		}
	})
}

func TestPercent(t *testing.T) {
	for _, x := range []struct {
		share  float64
		digits int
		want   string
	}{
		{0, 1, "0 %"}, {1, 1, "100 %"}, {0.5, 2, "50 %"}, {0.1, 0, "10 %"}, {0.3475, 1, "34.8 %"}, {0.3475, 2, "34.75 %"},
		{0.0001, 1, "< 0.1 %"}, {0.00001, 2, "< 0.01 %"}, {0.99999, 2, "> 99.99 %"}, {0.9999, 2, "99.99 %"},
	} {
		if got := Percent(x.share, x.digits); got != x.want {
			t.Errorf("%v: %q, want %q", x.share, got, x.want)
		}
	}
}

func TestBar(t *testing.T) {
	for _, x := range []struct {
		part, most float64
		want       string
	}{{1, 2, "##"}, {2, 2, "####"}, {0, 2, ""}, {1, 0, ""}, {9, 2, "####"}, {0.2, 2, ""}} {
		if got := (Screen{}).Bar(x.part, x.most, 4); got != x.want {
			t.Errorf("%v of %v: %q, want %q", x.part, x.most, got, x.want)
		}
	}
}
