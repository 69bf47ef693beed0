package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a buffer that is written while it is read.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *shared) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *shared) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// A session that somebody leads is watched from elsewhere: what is done, and what is undone.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../../examples/duel/srd35.encounter")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "duel.encounter"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	lead := startCommand(t, dir, "play", "duel.encounter", "--session", "duel.session")
	say := func(line string) {
		t.Helper()
		if _, err := fmt.Fprintln(lead.typed, line); err != nil {
			t.Fatal(err)
		}
	}
	say("begin")
	lead.prints(t, "Round 1")
	follower := startCommand(t, dir, "play", "--session", "duel.session", "--follow")
	follower.prints(t, "Round 1")
	say("attack Bron")
	follower.prints(t, "Alia: attack Bron")
	say(":undo")
	follower.prints(t, "undone, back to:")
	lead.typed.Close()
	if err := lead.Wait(); err != nil {
		t.Errorf("%v: %s", err, lead.out.String())
	}
	if err := follower.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := follower.Wait(); err != nil {
		t.Errorf("%v: %s", err, follower.out.String())
	}

	none := exec.Command("arbiter", "play", "--session", "none.session", "--follow")
	none.Dir = dir
	if out, err := none.CombinedOutput(); err == nil || !strings.Contains(string(out), "none.session") {
		t.Errorf("%v: %s", err, out)
	}
}

// running is a command that runs beside the test.
type running struct {
	*exec.Cmd
	typed io.WriteCloser
	out   *shared
}

func startCommand(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	r := &running{exec.CommandContext(t.Context(), "arbiter", args...), nil, &shared{}}
	r.Dir, r.Stdout, r.Stderr = dir, r.out, r.out
	var err error
	if r.typed, err = r.StdinPipe(); err == nil {
		err = r.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// prints waits until a text is printed.
func (r *running) prints(t *testing.T, what string) {
	t.Helper()
	for began := time.Now(); !strings.Contains(r.out.String(), what); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%q never came:\n%s", what, r.out.String())
		}
	}
}
