package term

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPipe wants a stream that is no terminal to be plain, whatever the environment says.
func TestPipe(t *testing.T) {
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("COLUMNS", "80")
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s := ScreenOf(f); s != (Screen{}) {
		t.Errorf("a file is %+v", s)
	}
	if got := (Screen{}).Paint(Red, "x"); got != "x" {
		t.Errorf("painted %q", got)
	}
	if got := (Screen{Color: true}).Paint(Red, "x"); got != "\x1b[1;31mx\x1b[0m" {
		t.Errorf("painted %q", got)
	}
}

func TestUnicode(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", false},
		{"", "", "en_US.UTF-8", true},
		{"C", "", "en_US.UTF-8", false},
		{"", "de_DE.utf8", "C", true},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_CTYPE", c.ctype)
		t.Setenv("LANG", c.lang)
		if got := hasUnicodeLocale(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := Progress{Out: &b, Noun: "files"}
	p.Set(1, 2)
	p.Clear()
	if b.Len() > 0 {
		t.Errorf("a pipe got %q", b.String())
	}
	p.Screen = Screen{Terminal: true}
	p.Set(0, 2) // the work has just started: nobody is waiting yet
	p.nextDraw = time.Now()
	p.Set(1, 2)
	p.Set(2, 2) // too soon after the previous one
	p.Clear()
	if want := "\r\x1b[K###############............... 1 of 2 files\r\x1b[K"; b.String() != want {
		t.Errorf("drew %q, want %q", b.String(), want)
	}
	p.Set(5, 0)
	p.Set(9, 3)
}

// The rate is an average from the start; if the total may not be reached, the remaining time is an upper bound. On a
// narrow screen the time left is the last to go. A line never wraps, not even when a ^C is echoed after it.
func TestProgressTellsTheTruth(t *testing.T) {
	for _, x := range []struct {
		p     *Progress
		spent time.Duration
		done  int
		want  string
	}{
		{&Progress{}, 10 * time.Second, 12345, "###........................... 12345 of 100000 fights, 1200 a second, 71 s left"},
		{&Progress{}, 10 * time.Second, 50, ".............................. 50 of 100000 fights, 5.0 a second, 5 h left"},
		{&Progress{AtMost: true}, 10 * time.Second, 50000, "###############............... 50000 of at most 100000 fights, 5000 a second, at most 10 s left"},
		{&Progress{}, 900 * time.Millisecond, 50000, "###############............... 50000 of 100000 fights"},
		{&Progress{Screen: Screen{Width: 80}, AtMost: true}, 10 * time.Second, 50000, "######...... 50000 of at most 100000 fights, 5000 a second, at most 10 s left"},
		{&Progress{Screen: Screen{Width: 50}}, 10 * time.Second, 50000, "######....... 50000 of 100000 fights, 10 s left"},
		{&Progress{Screen: Screen{Width: 50}, AtMost: true}, 10 * time.Second, 50000, "#######........ 50000 fights, at most 10 s left"},
		{&Progress{Screen: Screen{Width: 30}}, 10 * time.Second, 50000, "#####..... 50000 fights,..."},
		{&Progress{Screen: Screen{Width: 5}}, 10 * time.Second, 50000, "#."},
	} {
		var b bytes.Buffer
		p := x.p
		p.Out, p.Noun, p.Screen.Terminal = &b, "fights", true
		p.Set(0, 100_000)
		p.began, p.nextDraw = time.Now().Add(-x.spent), time.Now()
		p.Set(x.done, 100_000)
		if got := strings.TrimPrefix(b.String(), "\r\x1b[K"); got != x.want {
			t.Errorf("drew %q, want %q", got, x.want)
		}
	}
}

func TestLeft(t *testing.T) {
	for _, x := range []struct {
		spent       time.Duration
		done, total int
		want        string
	}{
		{time.Second, 0, 10, ""}, {time.Second, 9, 10, ""}, {time.Second, 1, 10, "9 s left"}, {time.Minute, 1, 10, "9 min left"}, {time.Hour, 1, 10, "9 h left"}, {time.Second, 10, 10, ""},
	} {
		if got := timeLeft(x.spent, x.done, x.total); got != x.want {
			t.Errorf("%v, %d of %d: %q, want %q", x.spent, x.done, x.total, got, x.want)
		}
	}
}
