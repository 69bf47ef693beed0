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

	"arbiter/cmd/arbiter/internal/prompt"
	"arbiter/cmd/arbiter/internal/term"
)

// runInTerminal runs a command line at a terminal with that many columns and returns the text it shows, without escape
// sequences.
func runInTerminal(t *testing.T, dir string, columns int, args ...string) string {
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
	shown, err := io.ReadAll(tty)
	if err != nil && !errors.Is(err, syscall.EIO) { // reading fails like this when the program has ended
		t.Fatal(err)
	}
	c.Wait()
	return term.Unstyled(strings.ReplaceAll(string(shown), "\r\n", "\n"))
}

// TestManyMistakes shows no more of a file at a terminal than can be read there, unless all mistakes are asked for; a
// pipe and JSON have all of them.
func TestManyMistakes(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("ruleset many extends d20\n")
	for i := range maxShown + 5 {
		fmt.Fprintf(&text, "define answer-%d = question-%d\n", i, i)
	}
	writeFile(t, filepath.Join(dir, "many.rules"), text.String())
	writeFile(t, filepath.Join(dir, "one.rules"), "ruleset one extends d20\ndefine answer = question\n")
	for _, x := range []struct {
		args          []string
		errors, shown int
		more          string
	}{
		{[]string{"check", "many.rules", "one.rules"}, maxShown + 6, maxShown + 1, "many.rules: ... and 5 more; `arbiter check --all` shows them\n"},
		{[]string{"check", "--all", "many.rules"}, maxShown + 5, maxShown + 5, ""},
		{[]string{"rules", "list", "many.rules"}, 0, maxShown, "many.rules: ... and 5 more; `arbiter check --all` shows them\n"},
	} {
		got := runInTerminal(t, dir, 100, x.args...)
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
	if n := strings.Count(string(out), ": error: "); n != maxShown+5 {
		t.Errorf("a pipe gets %d mistakes", n)
	}
	if got := runInTerminal(t, dir, 100, "check", "--json", "many.rules"); strings.Count(got, `"code": "unknown-name"`) != maxShown+5 {
		t.Errorf("a document at a terminal has not all mistakes:\n%s", got)
	}
}

// TestWidth shows nothing wider than the terminal, except for single words.
func TestWidth(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "wide.tests"), `tests "x" with srd35
creature man { base-attack: 5; full-hit-points: 60; main-weapon: longsword }
test "a long sentence that says what should happen when somebody strikes somebody else" { side a { man Alia }; expect Alia.hit-points = 33 and slef.hit-points = 12 and Alia.attack-bonus with longsword = 4 }
`)
	writeFile(t, filepath.Join(dir, "ogre.txt"), "Ogre of the Wide Marsh\nLarge Giant\nHit Dice: 4d8+8 (26 hp)\nArmor Class: 14 (-1 size, -1 Dex, +6 natural), touch 8, flat-footed 13\nSaves: Fort +6, Ref +0, Will +1\nAbilities: Str 21, Dex 8, Con 15, Int 6, Wis 10, Cha 7\n")
	duel := filepath.Join(root, "examples/duel/srd35.encounter")
	for _, x := range []struct {
		args  []string
		shows string // however it is wrapped
	}{
		{args: []string{"run", duel}, shows: "Bron spits into his hands and lifts the axe."},
		{args: []string{"sim", duel, "-n", "50"}, shows: "50 fights, seed 1"},
		{args: []string{"odds", duel, "Alia: attack Bron"}, shows: "128 steps, 20 outcomes"},
		{args: []string{"compare", duel, "--with", filepath.Join(root, "examples/house-rules/fury.rules"), "-n", "50"}, shows: "of the fights"},
		{args: []string{"explain", duel, "Alia.armor-class against Bron"}, shows: "srd35.ac.01, srd35.ac.02, srd35.ac.09, srd35.spell.casting.02"},
		{args: []string{"rules", "show", "srd35", "strike"}, shows: "let threat = to-hit succeeds and to-hit.natural >= weapon.threat"},
		{args: []string{"doc", "srd35", "nowhere", "--plain"}, shows: "srd35 has no chapter nowhere; its chapters are changes"},
		{args: []string{"check", "wide.tests"}, shows: "error: there is nothing here named slef"},
		{args: []string{"import", "ogre.txt", "--check"}, shows: "1 of 7"},
		{args: []string{"sim", "--help"}, shows: "The same seed gives the same result, whatever the number of workers."},
	} {
		for _, columns := range []int{80, 40} {
			shown := runInTerminal(t, dir, columns, x.args...)
			for line := range strings.Lines(shown) {
				line = strings.TrimSuffix(line[strings.LastIndexByte(line, '\r')+1:], "\n")
				if term.Columns(line) > columns && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%v in %d columns: %q", x.args, columns, line)
				}
			}
			if words := strings.Join(strings.Fields(shown), " "); !strings.Contains(words, x.shows) {
				t.Errorf("%v in %d columns does not show %q:\n%s", x.args, columns, x.shows, shown)
			}
		}
	}
	// Output for programs is not wrapped, not even at a terminal.
	if got := runInTerminal(t, dir, 40, "check", "--json", "wide.tests"); !strings.Contains(got, `"message": "there is nothing here named slef"`) {
		t.Errorf("a document is broken into lines:\n%s", got)
	}
}

// narrowEditor is a terminal that records what is printed.
type narrowEditor struct {
	prompt.Editor
	printed string
}

func (n *narrowEditor) Width() int { return 40 }

func (n *narrowEditor) Print(text string) error {
	n.printed += text
	return nil
}

// The output at a prompt is as wide as the terminal, too.
func TestWidthOfThePrompt(t *testing.T) {
	var n narrowEditor
	console{&n}.Show("       +3  armor  armor  rules/classic/armor-class.rules:32  srd35.ac.01\nshort\n")
	if want := "       +3  armor  armor\n      rules/classic/armor-class.rules:32\n      srd35.ac.01\nshort\n"; n.printed != want {
		t.Errorf("got %q, want %q", n.printed, want)
	}
}
