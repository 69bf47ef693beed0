package statblock

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "update the golden files")

// vocabulary reads the labels that the tests use.
func vocabulary(t testing.TB) *Vocabulary {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "vocabulary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Labels                                          map[string][]string
		Bare, Numbers, Opening, Above, Records, Hyphens []string
		Heading, Between                                string
	}
	if err := json.Unmarshal(src, &x); err != nil {
		t.Fatal(err)
	}
	return &Vocabulary{Labels: x.Labels, Bare: x.Bare, Numbers: x.Numbers, Opening: x.Opening, Above: x.Above, Records: x.Records, Hyphens: x.Hyphens, Heading: regexp.MustCompile(x.Heading), Between: regexp.MustCompile(x.Between)}
}

// show writes what has been read of a source.
func show(sheets []Sheet, rest []Entry) []byte {
	var b bytes.Buffer
	entry := func(e Entry) {
		fmt.Fprintf(&b, "%3d:%-3d %-12s %-18q %s\n", e.At.Line, e.At.Col, e.Key, e.Label, e.Text)
	}
	for _, e := range rest {
		entry(e)
	}
	for _, s := range sheets {
		b.WriteString("----\n")
		for _, e := range s.Entries {
			entry(e)
		}
	}
	return b.Bytes()
}

// TestSheets reads blocks in the shapes in which people paste them.
func TestSheets(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "sheets", "*.txt"))
	if err != nil || len(paths) < 8 {
		t.Fatal(paths, err)
	}
	v := vocabulary(t)
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sheets, rest, err := Read(src, v)
		if err != nil {
			t.Fatal(err)
		}
		got := show(sheets, rest)
		golden := strings.TrimSuffix(path, ".txt") + ".golden"
		if *update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(golden)
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", path, got, want)
		}
	}
}

// letters are the letters and digits of a text, sorted: what must not be lost, however the words are joined.
func letters(text string) string {
	var list []rune
	for _, r := range text {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			list = append(list, r)
		}
	}
	slices.Sort(list)
	return string(list)
}

// kept checks that nothing of the cleaned text is missing. A table may tell something more than once.
func kept(t testing.TB, src []byte, sheets []Sheet, rest []Entry) {
	t.Helper()
	lines, err := Clean(src)
	if err != nil || looksLikeJSON(src) || hasElement(src, vocabulary(t).Records) { // whose names and words are other ones
		return
	}
	if _, _, table := csvSheets(decode(src), vocabulary(t)); table { // which names its columns once
		return
	}
	count := map[rune]int{}
	for _, l := range lines {
		for _, r := range letters(l.Text) {
			count[r]--
		}
	}
	tell := func(e Entry) {
		for _, r := range letters(e.Label + e.Text) {
			count[r]++
		}
	}
	for _, e := range rest {
		tell(e)
	}
	for _, s := range sheets {
		for _, e := range s.Entries {
			tell(e)
		}
	}
	for r, n := range count {
		if n < 0 {
			t.Errorf("%q: %d of the letter %c are lost", src, -n, r)
		}
	}
}

func TestNothingIsLost(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "sheets", "*.txt"))
	v := vocabulary(t)
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sheets, rest, err := Read(src, v)
		if err != nil {
			t.Fatal(err)
		}
		kept(t, src, sheets, rest)
	}
}

func TestTooLarge(t *testing.T) {
	if _, _, err := Read(make([]byte, MaxSource+1), vocabulary(t)); err == nil || !strings.Contains(err.Error(), "more than 4 MB") {
		t.Error(err)
	}
}

// TestNoise reads half a megabyte of labels, brackets and signs.
func TestNoise(t *testing.T) {
	v := vocabulary(t)
	for _, unit := range []string{"Attack: +1 (", "((((((+1 ", "Hit Dice: ", "|a|b|c|\n", "-", "x\t", "Small Animal\n", "<td>", "AC 1; ", "{\"name\": [[[[", "{\"AC\": 1}\n"} {
		src := []byte(strings.Repeat(unit, (1<<19)/len(unit)))
		sheets, rest, err := Read(src, v)
		if err != nil || len(sheets) == 0 && len(rest) == 0 && unit != "-" && unit != "<td>" && unit[0] != '{' {
			t.Error(unit, len(sheets), len(rest), err)
		}
		lines.Read(string(src))
	}
}

func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "sheets", "*.txt"))
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	v := vocabulary(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		sheets, rest, err := Read(src, v)
		if err != nil {
			return
		}
		kept(t, src, sheets, rest)
		for _, s := range sheets {
			for _, e := range s.Entries {
				if e.At.Line < 1 || e.At.Col < 1 {
					t.Errorf("%q: %+v is nowhere", src, e)
				}
			}
		}
	})
}
