//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestTerminal leads a fight at a terminal as a person does. The editor has tests of its own; this is the whole
// program.
func TestTerminal(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	type step struct{ keys, shows, prompt string }
	runSteps := func(name string, args []string, steps []step) {
		t.Run(name, func(t *testing.T) {
			c := exec.Command("arbiter", args...)
			c.Dir = dir
			c.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "XDG_STATE_HOME="+dir)
			tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 100})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			chunks := make(chan string)
			go func() {
				defer close(chunks)
				b := make([]byte, 4096)
				for {
					n, err := tty.Read(b)
					if err != nil {
						return
					}
					chunks <- string(b[:n])
				}
			}()
			seen := ""
			guard := time.After(time.Minute) // against hanging; nothing is measured
			for _, s := range steps {
				if n, resize := strings.CutPrefix(s.keys, "resize "); resize {
					columns, err := strconv.ParseUint(n, 10, 16)
					if err != nil {
						t.Fatal(err)
					}
					if err := pty.Setsize(tty, &pty.Winsize{Rows: 40, Cols: uint16(columns)}); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if _, err := tty.WriteString(s.keys); err != nil {
					t.Fatal(err)
				}
				// Keys typed before there is a prompt go to the terminal and not to the editor.
				for _, shows := range []string{s.shows, s.prompt} {
					for !strings.Contains(seen, shows) {
						select {
						case text, more := <-chunks:
							if seen += text; !more {
								t.Fatalf("%q was typed, and %q never came:\n%s", s.keys, shows, seen)
							}
						case <-guard:
							c.Process.Kill()
							tty.Close()
							t.Fatalf("%q was typed, and %q did not come:\n%s", s.keys, shows, seen)
						}
					}
					_, seen, _ = strings.Cut(seen, shows)
				}
			}
			go func() {
				for range chunks { // its last output
				}
			}()
			late := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
			defer late.Stop()
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	duel := filepath.Join(root, "examples/duel/srd35.encounter")
	runSteps("a fight", []string{"play", duel, "--session", "friday.log"}, []step{
		{"", "", "> "},
		{"beg\t\r", "Alia's turn, round 1", "Alia> "},
		{"att\tB\tw\tlo\t\r", "Bron hit-points 42 -> 24", "Alia> "},
		{":und\t\r", "Undone: attack Bron with longsword", "Alia> "},
		{"\x1b[A\x1b[A\r", "Bron hit-points 42 -> 24", "Alia> "}, // two lines up in the history
		{"utter nonsense\x03", "^C", "Alia> "},
		{":keep fri\t\x03", "friday.log", "Alia> "},
		{":override 8\r", "Alia strike.damage is now 8 instead of 5", "Alia> "},
		{"note \"a\"; if 1 = 1 {\r", "", "... "},
		{"note \"a block\" }\r", "\na block", "Alia> "},
		{":dice ask\r", "asked for every die", "Alia> "},
		{"next turn\r", "Bron's turn", "Bron> "},
		{"attack Alia with greataxe\r", "", "Bron strike.to-hit, d20 [15]: "},
		{"1\x7f18\r", "", "Bron strike.damage, d12 [5]: "},
		{"back\r", "", "Bron strike.to-hit, d20 [15]: "},
		{"2\r", "misses by", "Bron> "},
		{":status\r", "▶", "Bron> "},
		{"?Bron.armor-class\r", "srd35.ac.11", "Bron> "},
		{"resize 60", "", ""},
		{":order\r", "Order", "Bron> "},
		{":help attack.cost\r", "srd35.action.standard.01, srd35.attack.08,\r\n  srd35.economy.02", "Bron> "},
		{"resize 200", "", ""},
		{":help attack.cost\r", "srd35.action.standard.01, srd35.attack.08, srd35.economy.02, srd35.economy.06", "Bron> "},
		{"\x04", "", ""},
	})
	writeFile(t, filepath.Join(dir, "mill.adventure"), mill)
	runSteps("a story", []string{"play", "mill.adventure", "--session", "mill.log"}, []step{
		{"", "\x1b[1m== The mill ==\x1b[0m\r\n\r\nThe \x1b[1mwheel\x1b[0m stands still, and a \x1b[3mvery\x1b[0m \x1b[3mthin\x1b[0m cat watches you from the sill with eyes as yellow as lamps.\r\n", ""},
		{"", "\x1b[1;36m2.\x1b[0m Knock", "> "},
		{"utter non\x03", "^C", "> "},
		{"7\r", "Refused: there is no choice 7; the last is 3", "> "},
		{":mark s\t the door\x03", "^C", "> "},
		{":mark the door\r", "`:back to the door` returns to it", "> "},
		{"2\r", "\x1b[1m> Knock\x1b[0m\r\n\r\nNobody opens.", "> "},
		{":undo\r", "Undone: take \"Knock\"\r\n\x1b[1m== The mill ==", "> "},
		{"resize 40", "", ""},
		{":look\r", "The \x1b[1mwheel\x1b[0m stands still, and a \x1b[3mvery\x1b[0m \x1b[3mthin\x1b[0m\r\ncat", "> "},
		{"resize 100", "", ""},
		{"go r\t\r", "== Round the back ==", ""},
		{"", "Alia's turn, round 1", "Alia> "},
		{"attack Rat\r", "\x1b[1mThe end: victory.\x1b[0m\r\n", "`:quit` leaves.\r\n"},
		{"", "", "> "},
		{":back to the d\t\r", "Back at the door", ""},
		{"", "\x1b[1;36m1.\x1b[0m Go round the back", "> "},
		{"\x04", "", ""},
	})
	runSteps("a story goes on", []string{"play", "--session", "mill.log"}, []step{
		{"", "mill.log resumed after 0 commands.", ""},
		{"", "\x1b[1m== The mill ==", "> "},
		{":marks\r", "the door: here", "> "},
		{":redo 2\r", "The end: victory.", "> "}, // redone choices are shown with a > before them
		{"\x04", "", ""},
	})
	runSteps("goes on", []string{"play", "--session", "friday.log"}, []step{
		{"", "friday.log resumed after", "Bron> "},
		{":undo\r", "Undone: attack Alia with greataxe", "Bron> "},
		{":quit\r", "", ""},
	})
}

// TestStopped interrupts a simulation at a terminal once it shows its progress: it prints the partial result and says
// that it is partial.
func TestStopped(t *testing.T) {
	c := exec.Command("arbiter", "sim", "../../examples/duel/srd35.encounter", "-n", "100000000")
	c.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	guard := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer guard.Stop()
	seen, stopped := "", false
	for b := make([]byte, 4096); ; {
		n, err := tty.Read(b)
		seen += string(b[:n])
		if err != nil {
			break
		}
		if !stopped && strings.Contains(seen, " a second, ") && strings.Contains(seen, " left") {
			stopped = true
			tty.WriteString("\x03")
		}
	}
	err = c.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v", err)
	}
	tail := seen[max(0, strings.LastIndex(seen, "\x1b[K")):]
	for _, want := range []string{"stopped after ", " of 100000000 fights", "warning:", "west", "rounds"} {
		if !strings.Contains(tail, want) {
			t.Errorf("it does not say %q:\n%s", want, tail)
		}
	}
}

// mill is a story with emphasized words, and a fight that Alia wins.
const mill = `adventure "The mill" with srd35
creature hand { level: 8; base-attack: 8; full-hit-points: 60; strength: 20; dexterity: 20; main-weapon: longsword }
creature vermin { level: 1; base-attack: 0; full-hit-points: 1; dexterity: 3; main-weapon: club }
side party { hand Alia }
scene mill "The mill" {
  "The *wheel* stands still, and a _very thin_ cat watches you from the sill with eyes as yellow as lamps."
  choices {
    "Go round the back" { go to yard }
    once "Knock" { "Nobody opens." }
    "Leave" { finish }
  }
  go to mill
}
scene yard "Round the back" {
  fight {
    side them { vermin Rat }
    won { finish victory "It was only a rat." }
    lost { finish defeat }
    otherwise { finish }
  }
}
`
