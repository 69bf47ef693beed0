package replaypage

import (
	"arbiter/interp/replay"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// hostile is a text that would leave its place in a page, if it could.
const hostile = `</script></style><!--<script>alert(1)</script>"'>` + "\u2028<img src=x onerror=alert(1)>"

func record(t *testing.T, path string) *replay.Document {
	t.Helper()
	s, diags, err := build.File(path, build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return session.Run(s, session.Options{Record: true}).Replay
}

// documentOf returns the document that a page holds.
func documentOf(t *testing.T, page string) *replay.Document {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<script type="application/json" id="document">`)
	text, _, closed := strings.Cut(rest, "</script>")
	d := new(replay.Document)
	if err := json.Unmarshal([]byte(text), d); !ok || !closed || err != nil {
		t.Fatal(ok, closed, err)
	}
	return d
}

func TestPage(t *testing.T) {
	d := record(t, "../../../../examples/ambush.encounter")
	page, err := Page(d)
	if err != nil {
		t.Fatal(err)
	}
	if most := 400_000; len(page) > most {
		t.Errorf("the page of the ambush has %d bytes, more than %d", len(page), most)
	}
	if again, _ := Page(record(t, "../../../../examples/ambush.encounter")); string(again) != string(page) {
		t.Error("two pages of the same fight differ")
	}
	if got := documentOf(t, string(page)); got.Title != d.Title || len(got.Events) != len(d.Events) {
		t.Errorf("the page holds %q with %d events", got.Title, len(got.Events))
	}
	if !strings.Contains(string(page), `http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`) {
		t.Error("the page is not forbidden to fetch anything")
	}
	if found := regexp.MustCompile(`(?i)(src|href|url|import)\s*[=(]\s*["']?https?:`).Find(page); found != nil {
		t.Errorf("the page fetches something: %s", found)
	}
}

// No text of a fight becomes a part of its page.
func TestHostilePage(t *testing.T) {
	d := record(t, "../../../../examples/duel/srd35.encounter")
	plain, err := Page(d)
	if err != nil {
		t.Fatal(err)
	}
	d.Title, d.Ruleset, d.Sides[0], d.Creatures[0].Name, d.Creatures[0].Sign = hostile, hostile, hostile, hostile, hostile
	d.Events[0].Text, d.Rules[0].Text, d.Numbers[0].Title = hostile, hostile, hostile
	page, err := Page(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<script", "</script", "<style", "</style", "<!--", "<img", "\u2028"} {
		if got, want := strings.Count(string(page), tag), strings.Count(string(plain), tag); got != want {
			t.Errorf("%q occurs %d times, want %d", tag, got, want)
		}
	}
	if got := documentOf(t, string(page)); got.Title != hostile || got.Creatures[0].Name != hostile {
		t.Errorf("the document has lost a text: %q", got.Title)
	}
}

func TestFolder(t *testing.T) {
	d := record(t, "../../../../examples/duel/srd35.encounter")
	dir := filepath.Join(t.TempDir(), "fights")
	x := &Index{
		Title: hostile, About: "3 fights", Warnings: []string{hostile}, Rows: []Row{{hostile, "50 %", "0 % to 100 %"}},
		Chart: Chart{SVG: `<svg xmlns="http://www.w3.org/2000/svg"><style>text{fill:red}</style></svg>`, About: hostile}, Samples: []Sample{{3, hostile, d}, {7, "", d}},
	}
	written, err := WriteFolder(dir, x)
	if err != nil || len(written) != 3 {
		t.Fatal(written, err)
	}
	for _, name := range written {
		if text, err := os.ReadFile(name); err != nil || len(text) == 0 {
			t.Error(name, err)
		}
	}
	index, _ := os.ReadFile(written[0])
	if strings.Contains(string(index), "<script") || strings.Contains(string(index), "<img src=x") || strings.Contains(string(index), "<!--") {
		t.Error("a text has become a part of the index")
	}
	for _, part := range []string{`href="fight-3.html"`, `href="fight-7.html"`, "won by east after 6 rounds", "50 %", "data:image/svg+xml;base64,"} {
		if !strings.Contains(string(index), part) {
			t.Errorf("the index lacks %s", part)
		}
	}
	if strings.Contains(string(index), "</style></") && strings.Count(string(index), "</style>") != 1 {
		t.Error("the style of the index has been left")
	}
	if _, err := WriteFolder(filepath.Join(written[0], "below"), x); err == nil {
		t.Error("a folder in a file was written")
	}
}
