//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"arbiter/cmd/arbiter/internal/term"
)

// onScreen runs a command line at a terminal of so many columns and gives what it shows, without its looks. At a prompt the
// keys are typed, line by line.
func onScreen(t *testing.T, dir string, columns int, keys string, args ...string) string {
	t.Helper()
	c := exec.Command("arbiter", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "COLUMNS=", "XDG_STATE_HOME="+t.TempDir())
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 60, Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	guard := time.AfterFunc(2*time.Minute, func() { c.Process.Kill() })
	defer guard.Stop()
	io.WriteString(tty, keys)
	shown, err := io.ReadAll(tty)
	if err != nil && !errors.Is(err, syscall.EIO) { // so ends a terminal whose program has ended
		t.Fatal(err)
	}
	c.Wait()
	return term.Unstyled(strings.ReplaceAll(string(shown), "\r\n", "\n"))
}

// TestManyMistakes shows no more of a file at a terminal than can be read there, unless all are asked for; a pipe and a
// program get all of them.
func TestManyMistakes(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("ruleset many extends d20\n")
	for i := range mostShown + 5 {
		fmt.Fprintf(&text, "define answer-%d = question-%d\n", i, i)
	}
	lay(t, filepath.Join(dir, "many.rules"), text.String())
	lay(t, filepath.Join(dir, "one.rules"), "ruleset one extends d20\ndefine answer = question\n")
	for _, x := range []struct {
		args          []string
		errors, shown int
		more          string
	}{
		{[]string{"check", "many.rules", "one.rules"}, mostShown + 6, mostShown + 1, "many.rules: ... and 5 more; `arbiter check --all` shows them\n"},
		{[]string{"check", "--all", "many.rules"}, mostShown + 5, mostShown + 5, ""},
		{[]string{"rules", "list", "many.rules"}, 0, mostShown, "many.rules: ... and 5 more; `arbiter check --all` shows them\n"},
	} {
		got := onScreen(t, dir, 100, "", x.args...)
		if n := strings.Count(got, ": error: "); n != x.shown {
			t.Errorf("%v shows %d mistakes, want %d", x.args, n, x.shown)
		}
		if !strings.Contains(got, x.more) || x.more == "" && strings.Contains(got, " more;") {
			t.Errorf("%v does not say %q:\n%s", x.args, x.more, got)
		}
		if verdict := fmt.Sprintf("%d mistakes\n", x.errors); x.errors > 0 && !strings.HasSuffix(got, verdict) {
			t.Errorf("%v does not end with %q", x.args, verdict)
		}
	}
	piped := exec.Command("arbiter", "check", "many.rules")
	piped.Dir = dir
	out, _ := piped.CombinedOutput()
	if n := strings.Count(string(out), ": error: "); n != mostShown+5 {
		t.Errorf("a pipe gets %d mistakes", n)
	}
	if got := onScreen(t, dir, 100, "", "check", "--json", "many.rules"); strings.Count(got, `"code": "unknown-name"`) != mostShown+5 {
		t.Errorf("a document at a terminal has not all mistakes:\n%s", got)
	}
}
