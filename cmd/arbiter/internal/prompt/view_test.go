package prompt

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"arbiter/cmd/arbiter/internal/term"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name, prompt, line string // | is the cursor
		columns            int
		want               string // rows, with the cursor
	}{
		{"empty", "> ", "|", 10, "> ▮"},
		{"a line", "> ", "ab|c", 10, "> ab▮c"},
		{"a full row", "> ", "abcdefg|", 10, "> abcdefg▮"},
		{"one character more", "> ", "abcdefgh|", 10, "> abcdefg/h▮"},
		{"the cursor where the row broke", "> ", "abcdefg|h", 10, "> abcdefg/▮h"},
		{"a block", "> ", "a\n|\nb", 10, "> a/. ▮/. b"},
		{"the cursor before a line end", "> ", "a|\nb", 10, "> a▮/. b"},
		{"at the end of a full row", "> ", "abcdefg|\nb", 10, "> abcdefg▮/. b"},
		{"wide", "> ", "abcdef鬼|", 10, "> abcdef/鬼▮"},
		{"the cursor before a wide one that did not fit", "> ", "abcdef|鬼", 10, "> abcdef/▮鬼"},
		{"a mark in a full row", "> ", "abcdefe\u0301|", 10, "> abcdefe\u0301▮"},
		{"colored", "\x1b[1;31m> \x1b[0m", "a|", 10, "\x1b[1;31m> \x1b[0ma▮"},
		{"a prompt of two lines", "round 3\n> ", "a|", 10, "round 3/> a▮"},
		{"a prompt that is too long", "a long prompt> ", "a|", 10, "a long pr/ompt> a▮"},
		{"a sequence of a stranger", "> ", "\x1b[2J|", 10, "> ?[2J▮"},
		{"an unfinished sequence", "\x1b[", "|", 10, "?[▮"},
		{"a tab", "> ", "\ta|", 10, ">     a▮"},
		{"two columns", "", "ab|c", 2, "a/b/▮c"},
		{"one column", "", "a鬼|", 1, "a/鬼▮"},
	} {
		at := slices.Index([]rune(c.line), '|')
		line := []rune(strings.Replace(c.line, "|", "", 1))
		r := layout(Prompt{Text: c.prompt, More: ". "}, line, at, c.columns)
		var got []string
		for i, s := range r.text {
			if i == r.cursor.row {
				s = withCursor(s, r.cursor.column)
			}
			got = append(got, s)
		}
		if got := strings.Join(got, "/"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// withCursor inserts the cursor into a row, before the character at a column.
func withCursor(s string, column int) string {
	for i, w := 0, 0; i < len(s); {
		if e := term.EscapeLength(s[i:]); e > 0 {
			i += e
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if w >= column && term.RuneWidth(r) > 0 {
			return s[:i] + "▮" + s[i:]
		}
		w += term.RuneWidth(r)
		i += size
	}
	return s + "▮"
}

// TestGoroutines: a closed editor leaves no goroutines behind.
func TestGoroutines(t *testing.T) {
	before := 0
	for i := range 20 {
		if i == 1 { // by now the goroutine for signals, which stays, has been started
			before = runtime.NumGoroutine()
		}
		e := newTerminal(newFakeDevice("one\r"), true, &history{})
		if text, err := e.Read(Prompt{}); text != "one" || err != nil {
			t.Fatalf("read %q, %v", text, err)
		}
		e.Close()
		newTerminal(newFakeDevice(""), true, &history{}).Close()
		p := newPlain(strings.NewReader("one\n"), nil, false)
		p.Read(Prompt{})
		p.Close()
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			b := make([]byte, 1<<16)
			t.Fatalf("there are %d goroutines, and were %d:\n%s", runtime.NumGoroutine(), before, b[:runtime.Stack(b, true)])
		}
	}
}

// BenchmarkLongLine measures drawing after one key in a line of 10,000 characters.
func BenchmarkLongLine(b *testing.B) { benchmarkDraw(b, 10_000) }

// BenchmarkLongestLine measures the same in the longest possible text.
func BenchmarkLongestLine(b *testing.B) { benchmarkDraw(b, maxText) }

func benchmarkDraw(b *testing.B, length int) {
	dev := newFakeDevice("")
	dev.screen = newScreen(80, 24)
	t := newTerminal(dev, true, &history{})
	defer t.Close()
	t.line = []rune(strings.Repeat("x", length))
	t.at = length / 2
	for b.Loop() {
		t.draw()
	}
}

// BenchmarkBegin measures starting a prompt when the history is full.
func BenchmarkBegin(b *testing.B) {
	h := &history{}
	for range historyLength {
		h.entries = append(h.entries, "Alia: attack Bron with longsword")
	}
	t := newTerminal(newFakeDevice(""), true, h)
	defer t.Close()
	for b.Loop() {
		if err := t.begin(Prompt{}); err != nil {
			b.Fatal(err)
		}
		t.mu.Lock()
		t.reading = false
		t.mu.Unlock()
	}
}
