package term

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// TestPipe wants a stream that nobody looks at to be plain, whatever the environment says.
func TestPipe(t *testing.T) {
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("COLUMNS", "80")
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s := Of(f); s != (Screen{}) {
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
		if got := speaksUnicode(); got != c.want {
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
	p.Set(0, 2) // the work has only begun: nobody waits for it yet
	p.next = time.Now()
	p.Set(1, 2)
	p.Set(2, 2) // too soon after the one before
	p.Clear()
	if want := "\r\x1b[K###############............... 1 of 2 files\r\x1b[K"; b.String() != want {
		t.Errorf("drew %q, want %q", b.String(), want)
	}
	p.Set(5, 0)
	p.Set(9, 3)
}

func TestLeft(t *testing.T) {
	for _, x := range []struct {
		spent       time.Duration
		done, total int
		want        string
	}{
		{time.Second, 0, 10, ""}, {time.Second, 9, 10, ""}, {time.Second, 1, 10, ", 9 s left"}, {time.Minute, 1, 10, ", 9 min left"}, {time.Hour, 1, 10, ", 9 h left"}, {time.Second, 10, 10, ""},
	} {
		if got := left(x.spent, x.done, x.total); got != x.want {
			t.Errorf("%v, %d of %d: %q, want %q", x.spent, x.done, x.total, got, x.want)
		}
	}
}
