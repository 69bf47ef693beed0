package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/stdlib/logbook"
)

// This file kills `arbiter play` in the middle of a session, and resumes it.

var killsPerRun = flag.Int("kills", 15, "how often TestKilled kills the program in each of its six runs")

const duelAtTheFord = "../../examples/duel/srd35.encounter"

// fightLines is a typed session: commands that succeed and that are refused, dice that are asked for, a ruling of the
// game master, undo and redo, declarations. A line that is not a whole command is an answer. No line adds more than one
// entry, unless tactics play, so every entry of the file shows how far the typing got.
func fightLines() []string {
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }
	add("table omen by number {\n  | sign | worth |\n  | 1 | 4 |\n  | 2 | gm |\n}")
	add("begin", "attack Bron with longsword", "attack Bron with longsword", "dance")
	for n := range 9 {
		if n%4 == 0 {
			add(fmt.Sprintf("condition grudge-%d { +%d to attack-bonus }", n, 1+n%2))
		}
		add(
			"next turn",
			fmt.Sprintf("Bron gains grudge-%d", n/4*4),
			":undo", ":redo", ":undo", ":redo",
			":dice ask",
			"attack Alia with greataxe", fmt.Sprint(19-n%4), "back", fmt.Sprint(20-2*n), "9", "1", "1", "1", // more numbers than dice if the attack misses
			":dice seed",
			"set Alia.hit-points to 34",
			fmt.Sprintf("let omen-%d = omen[2]", n), fmt.Sprint(n), // the game master's ruling
			":dice 11 4",
			"next turn",
			"?attack Bron with longsword",
			"attack Bron with longsword",
			"attack Cyra with longsword",
			"set Bron.hit-points to 42",
			fmt.Sprintf("choose by Bron {\n  \"stay\" { Bron gains prone }\n  \"go\" { note \"Bron looks about, %d\" }\n}", n),
		)
	}
	add(":auto west", "next turn", "attack Bron with longsword", "next turn", "attack Bron with longsword", "next turn", ":auto off", "set Alia.hit-points to 34")
	return lines
}

const cellar = `adventure "The cellar" with srd35
keep barrels = 0
creature hand { level: 3; base-attack: 3; full-hit-points: 40; strength: 14; main-weapon: longsword }
creature rat { level: 1; base-attack: 2; full-hit-points: 9; dexterity: 16; main-weapon: club }
side party { hand Alia }
scene stairs "The stairs" {
  "It is dark. {cycle: Something squeaks. | Nothing squeaks. | You hear water.}"
  choices {
    "Down" { go to floor }
    "Feel along the wall" check Alia.skill-check of climb dc 12 {
      success { set barrels to barrels + 1 }
      failure { "Cobwebs." }
    }
    once "Shout" { "Nobody answers." }
    "Rest" { set Alia.hit-points to 40 }
  }
  go to stairs
}
scene floor "The floor" {
  fight "Teeth" {
    map """
      ......
      .A..r.
      .....s
      """
    side pack { rat Grey at "r"; rat Red at "s" }
    place Alia at "A"
    won { "Quiet." }
    lost { set Alia.hit-points to 40; "Somebody drags you out." }
  }
  go to stairs
}
`

// storyLines is a typed session in the cellar: choices by number and by label, fights led and by tactics, dice that are
// asked for, named moments. The creatures met there are always played by tactics.
func storyLines() []string {
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }
	for n := range 12 {
		add(
			"set Alia.hit-points to 40",
			":dice ask", "feel", fmt.Sprint(1+n), "2", fmt.Sprint(18-n), ":dice seed",
			fmt.Sprintf(":mark deep %d", n), "rest", ":undo", ":redo", "nonsense",
			":mark here",
			"1", "attack Grey", "next turn", "move to (3, 2)", "attack Red", "next turn", "7",
			"fight on", "sho", "9",
		)
		if n%3 == 2 {
			add("rest", ":back to here", "2", fmt.Sprintf(":back to deep %d", n), "down", "fight on")
		}
	}
	return lines
}

func isAnswer(line string) bool { return line == "back" || strings.Trim(line, "0123456789") == "" }

// printedReply is a printed reply: how many lines had been typed then, and how many entries the file had.
type printedReply struct {
	hash           string
	typed, entries int
}

// A baseline is an undisturbed session, to compare with.
type baseline struct {
	script  string
	lines   []string
	entries []int // of the file, when each line was read
	replies []printedReply
	file    []byte
	states  []string // hash after that many entries
	final   string   // hash
}

// recordingPipe is an input and an output that record the number of entries on each use.
type recordingPipe struct {
	baseline
	path  string
	typed int
}

func (w *recordingPipe) count() int {
	log, err := logbook.Read(logbook.Disk, w.path)
	if err != nil {
		return 0
	}
	return len(log.Entries)
}

func (w *recordingPipe) Read(p []byte) (int, error) {
	w.entries = append(w.entries, w.count())
	if w.typed == len(w.lines) {
		return 0, io.EOF
	}
	w.typed++
	return copy(p, w.lines[w.typed-1]+"\n"), nil
}

func (w *recordingPipe) Write(p []byte) (int, error) {
	if hash, ok := hashOf(p); ok {
		w.replies = append(w.replies, printedReply{hash, w.typed, w.count()})
		w.final = hash
	}
	return len(p), nil
}

// hashOf parses the line that ends a reply.
func hashOf(line []byte) (string, bool) {
	var r struct{ Kind, Hash string }
	return r.Hash, json.Unmarshal(line, &r) == nil && r.Kind == "reply"
}

// recordBaseline plays all lines in this process.
func recordBaseline(t *testing.T, script string, lines []string) *baseline {
	t.Helper()
	w := &recordingPipe{path: filepath.Join(t.TempDir(), "whole.log")}
	w.script, w.lines = script, lines
	var errs bytes.Buffer
	a := &app{in: w, disk: logbook.Disk, out: &output{w: w}, err: &errs}
	root := a.rootCommand()
	root.SetArgs([]string{"play", script, "--json", "--session", w.path})
	refused := (*repl.MistakesError)(nil) // some of the lines are to be refused
	if _, err := root.ExecuteC(); err != nil && !errors.As(err, &refused) {
		t.Fatal(err, errs.String())
	}
	var err error
	if w.file, err = os.ReadFile(w.path); err != nil {
		t.Fatal(err)
	}
	log, err := logbook.Read(logbook.Disk, w.path)
	if err != nil {
		t.Fatal(err)
	}
	w.computeStates(log.Entries)
	for _, r := range w.replies { // replies are compared with these states below, so they must be right
		if w.states[r.entries] != r.hash {
			t.Fatalf("after %d entries the state is %s, and %s was printed", r.entries, w.states[r.entries], r.hash)
		}
	}
	return &w.baseline
}

// nextLine is the line to be typed when the file has that many entries: the first that was read with at least as many.
func (c *baseline) nextLine(entries int) int {
	return slices.IndexFunc(c.entries, func(n int) bool { return n >= entries })
}

// repliesAfter are the replies of a session that resumes after that many entries, from that line on.
func (c *baseline) repliesAfter(entries, line int) []printedReply {
	i := slices.IndexFunc(c.replies, func(r printedReply) bool { return r.typed > line || r.typed == line && r.entries > entries })
	if i < 0 {
		return nil
	}
	return c.replies[i:]
}

// computeStates computes the states: an entry that ends a command has its hash; undo and redo go to an earlier one.
// After a declaration it is the one that was printed.
func (c *baseline) computeStates(list []logbook.Entry) {
	c.states = []string{c.replies[0].hash}
	done, undone := slices.Clone(c.states), []string(nil)
	for i, e := range list {
		hash := hashAfter(e)
		top := len(done) - 1
		switch {
		case e.Kind == "undo":
			for range 1 + strings.Count(e.Text, "\nundo") { // `:back to` writes several at once
				top = len(done) - 1
				done, undone = done[:top], append(undone, done[top])
			}
		case e.Kind == "redo":
			done, undone = append(done, undone[len(undone)-1]), undone[:len(undone)-1]
		case hash != "":
			done = append(done, hash)
		case e.Kind == "declare":
			for _, r := range c.replies {
				if r.entries == i+1 {
					done[top] = r.hash
				}
			}
		}
		c.states = append(c.states, done[len(done)-1])
	}
}

// hashAfter is the hash after the command that an entry ends, "" if it ends none.
func hashAfter(e logbook.Entry) string {
	for line := range strings.Lines(e.Text) {
		if hash, ok := strings.CutPrefix(line, "done "); ok {
			return strings.TrimSpace(hash)
		}
	}
	return ""
}

// The program is killed at random moments and resumed. Nothing that was printed is lost: the entries are a prefix of
// those of the undisturbed session, and cover at least what was printed; the state is the one after the last of them.
// At the end the file equals the undisturbed one byte for byte.
func TestKilled(t *testing.T) {
	story := filepath.Join(t.TempDir(), "cellar.adventure")
	writeFile(t, story, cellar)
	for _, c := range []struct {
		name, script string
		lines        []string
		runs         int // in parallel, to use several processors
	}{
		{"a fight", duelAtTheFord, fightLines(), 4},
		{"a story", story, storyLines(), 2},
	} {
		if len(c.lines) < 200 {
			t.Fatalf("only %d lines", len(c.lines))
		}
		whole := recordBaseline(t, c.script, c.lines)
		for k := range c.runs {
			t.Run(fmt.Sprintf("%s, %d", c.name, k), func(t *testing.T) {
				t.Parallel()
				killRepeatedly(t, whole, rand.New(rand.NewPCG(uint64(k), 7)), *killsPerRun)
			})
		}
	}
}

func killRepeatedly(t *testing.T, whole *baseline, r *rand.Rand, kills int) {
	path := filepath.Join(t.TempDir(), "x.log")
	var early, ahead, atQuestion, ends int
	for done := 0; ; {
		last := done == kills // then it plays to the end
		entries := countEntries(t, path, whole)
		line := whole.nextLine(entries)
		cmd := exec.Command("arbiter", "play", whole.script, "--json", "--session", path)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		typed := whole.lines[line:]
		waiting := !last && r.IntN(2) == 0 && len(typed) > 12
		if waiting { // for the next line, preferably at a question
			n := 1 + r.IntN(12)
			if i := slices.IndexFunc(typed[1:12], isAnswer); i >= 0 && r.IntN(4) > 0 {
				n = 1 + i
			}
			typed = typed[:n]
		}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, strings.Join(typed, "\n")+"\n") // fits into the buffer of a pipe
		if !waiting {
			in.Close()
		}
		kill := func(after time.Duration) {
			if !last {
				time.AfterFunc(after, func() { cmd.Process.Kill() })
			}
		}
		if r.IntN(5) == 0 { // while it opens its file and replays what was done
			kill(time.Duration(r.IntN(200_000)) * time.Microsecond)
		}
		var printed []string
		for s := bufio.NewScanner(out); s.Scan(); {
			if hash, ok := hashOf(s.Bytes()); ok {
				if printed = append(printed, hash); len(printed) == 1 {
					kill(time.Duration(r.IntN(80_000)) * time.Microsecond)
				}
			}
		}
		cmd.Wait()
		if cmd.ProcessState.Exited() {
			if code := cmd.ProcessState.ExitCode(); code != 0 && code != exitScriptError { // some of the lines are refused
				t.Fatalf("it ended by itself, with %d: %s", code, &errs)
			}
			file, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(file, whole.file) {
				t.Fatalf("after %d kills the file is another one than without, %v", done, err)
			}
			if hash := printed[len(printed)-1]; hash != whole.final {
				t.Fatalf("the end is %s, without a kill %s", hash, whole.final)
			}
			ends++
			if last {
				break
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		done++
		if len(printed) == 0 {
			early++
			continue
		}
		if entries > 0 || line > 0 {
			if want := whole.states[entries]; printed[0] != want {
				t.Fatalf("after %d entries it goes on with %s, not %s", entries, printed[0], want)
			}
		}
		want := whole.repliesAfter(entries, line)
		for i, hash := range printed[1:] {
			if i >= len(want) || hash != want[i].hash {
				t.Fatalf("from entry %d, line %d (%s), reply %d is %s, not %+v", entries, line, whole.lines[line], i, hash, want[min(i, len(want)-1)])
			}
		}
		now := countEntries(t, path, whole)
		if n := len(printed) - 1; n > 0 {
			if now < want[n-1].entries {
				t.Fatalf("%d entries are there, and what was printed stood on %d", now, want[n-1].entries)
			}
			if now > want[n-1].entries {
				ahead++
			}
		}
		if endsAtQuestion(t, path) {
			atQuestion++
		}
	}
	t.Logf("%d kills, %d before anything was printed, %d with an entry more than what was printed, %d at a question; %d sessions came to their end", kills, early, ahead, atQuestion, ends)
}

// countEntries counts the entries of a file, which must be a prefix of those of the undisturbed session.
func countEntries(t *testing.T, path string, whole *baseline) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err != nil || len(data) == 0 {
		return 0
	}
	log, err := logbook.Read(logbook.Disk, path)
	if err != nil && !bytes.HasPrefix(whole.file, data) {
		t.Fatal(err)
	}
	good := len(data)
	if log.Torn != nil {
		good -= len(log.Torn.Cut)
	}
	if !bytes.HasPrefix(whole.file, data[:good]) {
		t.Fatalf("the file is not a part of what it should become: %d bytes, of which %d are whole", len(data), good)
	}
	return len(log.Entries)
}

// endsAtQuestion reports whether the file ends in an unfinished command.
func endsAtQuestion(t *testing.T, path string) bool {
	t.Helper()
	log, err := logbook.Read(logbook.Disk, path)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for _, e := range log.Entries {
		switch {
		case e.Kind == "dropped", hashAfter(e) != "":
			open = false
		case e.Kind == "do":
			open = true
		}
	}
	return open
}
