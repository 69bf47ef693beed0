package term

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"it fits in its line\nand so does this\n", "it fits in its line\nand so does this\n"},
		{"what does not fit goes on below", "what does not fit\n    goes on below"},
		{"  --flag  what it does and why", "  --flag  what it\n          does and\n          why"},
		{"   +4  base  rules/a.rules:38", "   +4  base\n    rules/a.rules:38"},
		{"   +4  base  armor  rules:38\n   +4  base         rules:38", "   +4  base  armor\n       rules:38\n   +4  base\n       rules:38"},
		{"a-word-that-is-longer-than-a-line and more", "a-word-that-is-longer-than-a-line\nand more"},
		{"\x1b[1mbold\x1b[0m words count only their letters", "\x1b[1mbold\x1b[0m words count\n    only their\n    letters"},
		{"漢字 漢字 漢字 漢字 漢字", "漢字 漢字 漢字 漢字\n    漢字"},
		{"in  columns\n", "in  columns\n"},
		{"no blanks at the end   \n", "no blanks at the end\n"},
	} {
		if got := Fold(c.text, 20); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A stream is wrapped line by line, however it is chunked; a line written in pieces passes through unchanged.
func TestFolder(t *testing.T) {
	long := "what does not fit goes on below"
	folded := "what does not fit\n    goes on below"
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{long + "\n", long + "\n"}, folded + "\n" + folded + "\n"},
		{[]string{"Alia> ", long + "\n" + long + "\n"}, "Alia> " + long + "\n" + folded + "\n"},
		{[]string{clearLine + "1 of 2, and it takes a while yet", clearLine + "2 of 2", clearLine, long + "\n"}, clearLine + "1 of 2, and it takes a while yet" + clearLine + "2 of 2" + clearLine + folded + "\n"},
	} {
		for width, want := range map[int]string{20: c.want, 0: strings.Join(c.pieces, "")} {
			var b bytes.Buffer
			f := &Folder{Out: &b, Screen: Screen{Width: width}}
			for _, p := range c.pieces {
				if n, err := io.WriteString(f, p); n != len(p) || err != nil {
					t.Fatal(n, err)
				}
			}
			if b.String() != want {
				t.Errorf("%q in %d columns: %q, want %q", c.pieces, width, b.String(), want)
			}
		}
	}
}

func TestReflow(t *testing.T) {
	const text = "One two three\nfour five.\n\nSix:\n  as it is\nseven"
	if got, want := Reflow(text, 10), "One two\nthree four\nfive.\n\nSix:\n  as it is\nseven"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzFold(f *testing.F) {
	f.Add("   +4  base          rules/classic/attack.rules:38  srd35.attack.04, srd35.attack.05\n\x1b[1mx\x1b[0m", 40)
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns %= 200
		text = Clean(text)
		got := Fold(text, columns)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("%q became %q", text, got)
		}
		for line := range strings.Lines(got) {
			if columns >= 8 && Columns(strings.TrimSuffix(line, "\n")) > columns && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%q takes more than %d columns", line, columns)
			}
		}
	})
}
