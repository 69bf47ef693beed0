package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// This file opens session files that have been damaged or changed.

// runPlay runs `arbiter play` in a folder, and returns its output and its exit status.
func runPlay(t *testing.T, dir, typed string, args ...string) (out, errs string, status int) {
	t.Helper()
	cmd := exec.Command("arbiter", append([]string{"play"}, args...)...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(typed)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	exit := (*exec.ExitError)(nil)
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const (
	yard = `encounter "in the yard" with srd35
creature man { base-attack: 5; full-hit-points: 60; main-weapon: longsword }
side us { man Ann }
side them { man Bo }
seed 1
`
	grim = `ruleset grim extends srd35
use hooks "grim.star"
feat grudge { +1 to attack-bonus }
override massive-damage-threshold = 25
`
	grimStar = `def fury(ctx):
    if ctx.self.hit_points < 10:
        ctx.add(1, reason = "fury")

modify("attack-bonus", fury)
`
	inTheYard = "begin\nattack Ann with longsword\nnext turn\nattack Bo with longsword\nnext turn\n"
)

// A session resumes where it was left, unless its file or the rules that it is played by have changed. Then the message
// names the change, and the file stays as it is.
func TestSession(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, dir string) // x.log, or the files next to it
		args   []string
		typed  string
		out    string // part of what is printed
		errs   string // likewise
		status int
		may    bool // the file may change
	}{
		"as it was left": {typed: "attack Ann with longsword\n", out: "x.log resumed after 5 commands.\n", may: true},
		"a torn end": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/x.log", readFile(t, dir+"/x.log")+"do: next tu")
		}, out: "the last entry is incomplete and was ignored: \"do: next tu\"\nx.log resumed after 5 commands.", may: true},
		"a damaged line": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/x.log", strings.Replace(readFile(t, dir+"/x.log"), "do: next turn", "do: next tern", 1))
		}, errs: "the line is damaged", status: 1},
		"a line that is missing": {change: func(t *testing.T, dir string) {
			text := readFile(t, dir+"/x.log")
			i := strings.Index(text, "do: next turn")
			writeFile(t, dir+"/x.log", text[:i]+text[i+strings.Index(text[i:], "\ndo:")+1:])
		}, errs: "the line is damaged", status: 1},
		"another house rule": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/grim.rules", strings.Replace(grim, "+1", "+2", 1))
		}, errs: "rules that have changed since: grudge. Restore them", status: 1},
		"a house rule more": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/grim.rules", grim+"feat spite { +1 to attack-bonus }\n")
		}, errs: "rules that have changed since: spite. Restore them", status: 1},
		"another function": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/grim.star", strings.Replace(grimStar, "10", "11", 1))
		}, errs: "rules that have changed since: grim.star. Restore them", status: 1},
		"a comment is no change": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/grim.rules", strings.Replace(grim, "feat", "# Grim.\nfeat", 1))
		}, out: "resumed after"},
		"house rules that are gone": {change: func(t *testing.T, dir string) {
			if err := os.Remove(dir + "/grim.rules"); err != nil {
				t.Fatal(err)
			}
		}, errs: "grim.rules: no such file", status: 3},
		"a newer format": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/x.log", strings.Replace(readFile(t, dir+"/x.log"), "logbook 1", "logbook 2", 1))
		}, errs: "a logbook of version 2", status: 1},
		"a newer language": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/x.log", "")
			b, err := logbook.Create(logbook.Disk, dir+"/x.log", []logbook.Entry{{Kind: "language", Text: "2"}, {Kind: "path", Text: "yard.encounter"}, {Kind: "script", Text: yard}})
			if err != nil {
				t.Fatal(err)
			}
			b.Close()
		}, errs: "is a session in version 2 of the language", status: 1},
		"a logbook of something else": {change: func(t *testing.T, dir string) {
			writeFile(t, dir+"/x.log", "")
			b, err := logbook.Create(logbook.Disk, dir+"/x.log", nil)
			if err != nil {
				t.Fatal(err)
			}
			b.Close()
		}, errs: "is not a session", status: 1},
		"something else": {change: func(t *testing.T, dir string) { writeFile(t, dir+"/x.log", yard) }, errs: "not a logbook", status: 1},
		"a directory": {change: func(t *testing.T, dir string) {
			if err := errors.Join(os.Remove(dir+"/x.log"), os.Mkdir(dir+"/x.log", 0o777)); err != nil {
				t.Fatal(err)
			}
		}, errs: "not a logbook", status: 1, may: true},
		"nothing":             {change: func(t *testing.T, dir string) { writeFile(t, dir+"/x.log", "") }, args: []string{"yard.encounter"}, may: true},
		"a header torn":       {change: func(t *testing.T, dir string) { writeFile(t, dir+"/x.log", readFile(t, dir+"/x.log")[:70]) }, args: []string{"yard.encounter"}, may: true},
		"nothing, nor script": {change: func(t *testing.T, dir string) { writeFile(t, dir+"/x.log", "") }, errs: "which encounter or adventure?", status: 2},
		"no folder":           {args: []string{"yard.encounter", "--session", "nowhere/x.log"}, errs: "nowhere/x.log: no such file", status: 3},
		"another script":      {args: []string{"duel.encounter"}, errs: "is a session of yard.encounter, not of duel.encounter", status: 2},
		"another seed":        {args: []string{"--seed", "4"}, errs: "is a session already", status: 2},
		"an entry that cannot be": {change: func(t *testing.T, dir string) { // its checksums are right: somebody has recomputed them
			b, log, err := logbook.Open(logbook.Disk, dir+"/x.log")
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Append("do", strings.Replace(log.Entries[1].Text, "Bo", "Cy", 1)); err != nil {
				t.Fatal(err)
			}
			b.Close()
		}, errs: "x.log cannot be resumed: entry", status: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, dir+"/yard.encounter", yard)
			writeFile(t, dir+"/grim.rules", grim)
			writeFile(t, dir+"/grim.star", grimStar)
			if _, errs, status := runPlay(t, dir, inTheYard, "yard.encounter", "--with", "grim.rules", "--session", "x.log"); status != 0 {
				t.Fatal(errs)
			}
			if test.change != nil {
				test.change(t, dir)
			}
			before, _ := os.ReadFile(dir + "/x.log")
			out, errs, status := runPlay(t, dir, test.typed, append([]string{"--session", "x.log"}, test.args...)...)
			if status != test.status || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || test.errs == "" && errs != "" {
				t.Errorf("status %d\n%s\n%s", status, out, errs)
			}
			if after, _ := os.ReadFile(dir + "/x.log"); !test.may && !bytes.Equal(before, after) {
				t.Error("the file was written to")
			}
			if name == "a damaged line" {
				line := strings.Count(string(before[:bytes.Index(before, []byte("next tern"))]), "\n") + 1
				if want := "x.log:" + strconv.Itoa(line) + ": "; !strings.Contains(errs, want) {
					t.Errorf("%s\nnot %s", errs, want)
				}
			}
		})
	}
}

// A second process is refused, and the first one continues.
func TestTwo(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/yard.encounter", yard)
	first := exec.Command("arbiter", "play", "yard.encounter", "--session", "x.log", "--json")
	first.Dir = dir
	in, err := first.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // from here on it has the file
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--session", "x.log"}, {"yard.encounter", "--session", "x.log"}} {
		if _, errs, status := runPlay(t, dir, "begin\n", args...); status != 3 || !strings.Contains(errs, "has it open") {
			t.Errorf("the second ends with %d: %s", status, errs)
		}
	}
	io.WriteString(in, "begin\n")
	in.Close()
	io.Copy(io.Discard, out)
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
	if out, _, status := runPlay(t, dir, "", "--session", "x.log"); status != 0 || !strings.Contains(out, "after 1 command.") {
		t.Errorf("%d %s", status, out)
	}
}

// The test of an adventure is saved where its adventure is found; elsewhere, a warning says where that is.
func TestSaveTale(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/tale.adventure", "adventure \"A tale\" with srd35\ncreature man { level: 1 }\nside us { man Ann }\nscene here { choices { \"Go\" { finish } } }\n")
	if err := os.Mkdir(dir+"/elsewhere", 0o777); err != nil {
		t.Fatal(err)
	}
	out, errs, _ := runPlay(t, dir, "go\n:save as test here\n:save as test elsewhere/there\n", "tale.adventure")
	const want = `Written to here.tests.
Written to elsewhere/there.tests.
Its adventure is not found from there: save it in the folder of tale.adventure, or one above.
`
	if !strings.HasSuffix(out, want) {
		t.Errorf("%s%s", out, errs)
	}
}

// A saved script names its house rules, and uses them if they are next to it; elsewhere, a warning says that they are
// missing.
func TestSaveWithHouseRules(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/yard.encounter", yard)
	writeFile(t, dir+"/grim.rules", grim)
	writeFile(t, dir+"/grim.star", grimStar)
	if err := os.Mkdir(dir+"/elsewhere", 0o777); err != nil {
		t.Fatal(err)
	}
	out, errs, _ := runPlay(t, dir, inTheYard+":save as here\n:save as test here\n:save as elsewhere/there\n:save as here\n", "yard.encounter", "--with", "grim.rules", "--seed", "9")
	const want = `Written to here.encounter.
Written to here.tests.
Written to elsewhere/there.encounter.
Not all rulesets that it uses can be found from there: put their files in the same folder, those of grim.
here.encounter already exists: name another file
`
	if !strings.HasSuffix(out, want) {
		t.Errorf("%s%s", out, errs)
	}
	cmd := exec.Command("arbiter", "test", "here.encounter", "here.tests")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "2 passed") {
		t.Errorf("%v %s\n%s", err, out, readFile(t, dir+"/here.tests"))
	}
}

// typist types lines. Some are not typed but carried out.
type typist struct {
	lines []string
	do    map[string]func()
}

func (f *typist) Read(p []byte) (int, error) {
	for len(f.lines) > 0 {
		line := f.lines[0]
		f.lines = f.lines[1:]
		if f.do[line] == nil {
			return copy(p, line+"\n"), nil
		}
		f.do[line]()
	}
	return 0, io.EOF
}

// What a game master reads when nothing can be saved, and what can be done then.
func TestKeepingFails(t *testing.T) {
	full := func(op faulty.Op) (int, error) {
		if op == faulty.Write {
			return 3, syscall.ENOSPC
		}
		return 0, nil
	}
	unsynced := func(op faulty.Op) (int, error) {
		if op == faulty.Sync {
			return 0, syscall.EIO
		}
		return 0, nil
	}
	writes := 0
	later := func(op faulty.Op) (int, error) {
		if op == faulty.Write {
			writes++
		}
		if op != faulty.Write || writes <= 3 {
			return 0, nil
		}
		return 3, syscall.ENOSPC
	}
	const lost = "Not saved, so not done: x.log: "
	tests := map[string]struct {
		fail   func(faulty.Op) (int, error)
		typed  []string // fail: from here on the disk fails; mend: it works again
		shows  []string // in this order
		status int
		file   string // the file that is resumed
		left   string // how many commands it has
	}{
		"a full disk, and room is made": {full, []string{"begin", "fail", "next turn", "mend", "next turn"},
			[]string{"Round 1", lost, "make room on the disk", "Try again"}, 0, "x.log", "2 commands"},
		"a full disk to the end": {full, []string{"begin", "fail", "next turn", ":undo", ":dice ask"}, []string{"Round 1", lost, lost, lost}, 3, "x.log", "1 command"},
		"a sync, opened again": {unsynced, []string{"begin", "fail", "next turn", "mend", "next turn", ":keep", "next turn"},
			[]string{lost + "syncing failed", lost + "syncing failed", "The session is saved again."}, 0, "x.log", "2 commands"},
		"another file": {unsynced, []string{"begin", "attack Ann with longsword", ":undo", "fail", "next turn", "mend", ":keep y.log", ":redo"},
			[]string{lost, "The session is saved in y.log, from its start.", "strike.to-hit"}, 0, "y.log", "2 commands"},
		"nothing more is kept": {unsynced, []string{"begin", "fail", "next turn", ":keep off", "next turn"},
			[]string{lost, "The session is no longer saved.\n"}, 0, "x.log", "1 command"},
		"tactics stop":                {later, []string{"begin", "fail", ":auto us them", "mend"}, []string{"Played by tactics", lost, "No side is played by tactics any more"}, 3, "x.log", "3 commands"},
		"what is not kept is not set": {full, []string{"begin", "fail", ":dice 4", "mend", ":dice"}, []string{lost, "The dice are rolled by the seed"}, 3, "x.log", "1 command"},
		"an answer":                   {full, []string{"begin", ":dice ask", "attack Ann with longsword", "15", "fail", "", "mend", "attack Ann with longsword", "12", "3"}, []string{"15 +", lost, "12 +"}, 0, "x.log", "2 commands"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "yard.encounter")
			writeFile(t, path, yard)
			d := new(faulty.Disk)
			run := func(typed []string, args ...string) (string, int) {
				var out, errs bytes.Buffer
				in := &typist{typed, map[string]func(){"fail": func() { d.Fail = test.fail }, "mend": func() { d.Fail = nil }}}
				a := &app{in: in, disk: d, out: &output{w: &out}, err: &errs}
				root := a.rootCommand()
				root.SetArgs(append([]string{"play"}, args...))
				_, err := root.ExecuteC()
				return out.String(), exitStatusOf(err)
			}
			out, status := run(test.typed, path, "--session", "x.log")
			rest := out
			for _, want := range test.shows {
				i := strings.Index(rest, want)
				if i < 0 {
					t.Fatalf("no %q in\n%s", want, out)
				}
				rest = rest[i+len(want):]
			}
			if status != test.status {
				t.Errorf("status %d, not %d\n%s", status, test.status, out)
			}
			d.Fail = nil
			d.PowerCut()
			if out, _ := run(nil, "--session", test.file); !strings.Contains(out, "after "+test.left) {
				t.Errorf("it goes on with %s, not after %s", out, test.left)
			}
		})
	}
}
