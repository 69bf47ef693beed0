package sessionfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// This file plays sessions on a disk that fails.

const duel = `encounter "a duel" with srd35
creature duelist { base-attack: 5; full-hit-points: 300; strength: 14; main-weapon: longsword }
side left { duelist Alia }
side right { duelist Bron }
seed 3
`

var duelScript = sync.OnceValue(func() *build.Script {
	s, diags, err := rebuild([]byte(duel))
	if err != nil || s.Rules == nil {
		panic(fmt.Sprint(diags, err))
	}
	return s
})

func rebuild(text []byte) (*build.Script, diag.List, error) {
	return build.Source("test.encounter", text, build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
}

var duelHead = Head{Path: "test.encounter", Script: duel, Language: "1", RuleHashes: []string{"a 1", "b 2"}}

// lookingAnswers answers every question with the default, but looks at what has happened so far, so each step is saved
// before.
type lookingAnswers struct{}

func (lookingAnswers) Answer(q *session.Request) (int64, error) {
	_, err := q.SoFar()
	return q.Default, err
}

func newDuel(t testing.TB) *session.Live {
	t.Helper()
	l, out := session.NewLive(duelScript(), session.Options{}, lookingAnswers{})
	if len(out.Failures) > 0 {
		t.Fatal(out.Failures)
	}
	l.AllowDeclarations(rebuild)
	return l
}

// A step is one command of the user.
type step struct {
	name string
	do   func(l *session.Live) error // returns errors of the recorder
}

func command(text string) step {
	return step{text, func(l *session.Live) error {
		r := l.Do(text)
		if len(r.Failures) > 0 {
			return errors.New(r.Failures[0].Message)
		}
		if r.Err != nil && r.Text != "" {
			return fmt.Errorf("not kept, but shown: %q", r.Text)
		}
		return r.Err
	}}
}

var (
	undo = step{"undo", func(l *session.Live) error { _, err := l.Undo(); return err }}
	redo = step{"redo", func(l *session.Live) error { _, err := l.Redo(); return err }}
)

var steps = []step{
	command("begin"), command("next turn of Alia"), command("attack Bron with longsword"), undo, redo, command("next turn of Bron"),
	command("Bron gains prone"), command("attack Alia with longsword"), undo, command("next turn"),
}

// reopen resumes from what is on a disk. Nil: no session was started there.
func reopen(t *testing.T, d *faulty.Disk) (*File, *session.Live, *session.Pending, string) {
	t.Helper()
	f, head, notes, tornText, err := Open(d, "x")
	if unfinished := (*logbook.Unfinished)(nil); errors.As(err, &unfinished) || d.Seen("x") == nil {
		return nil, nil, nil, ""
	}
	if err != nil {
		t.Fatal(err)
	}
	if head.Script != duel || head.Path != duelHead.Path || fmt.Sprint(head.RuleHashes) != fmt.Sprint(duelHead.RuleHashes) {
		t.Fatalf("it begins with %+v", head)
	}
	l := newDuel(t)
	pending, err := l.Replay(notes)
	if err != nil {
		t.Fatal(err)
	}
	l.RecordTo(f)
	return f, l, pending, tornText
}

// Every disk operation fails, one at a time, in every way. A command that could not be saved has not happened and was
// not shown. It is tried again, on the same file if that works, or else on the file opened again. After a power cut
// everything that was shown is on the disk, and at most the one step that could not be saved.
func TestFaults(t *testing.T) {
	faults := map[string]struct { // of an operation; if none is named, of a write and of whatever would undo it

		err  error
		half int
		op   faulty.Op
		all  bool // from then on, until the test repairs the disk
	}{
		"a short write":        {io.ErrShortWrite, 20, faulty.Write, false},
		"a full disk":          {syscall.ENOSPC, 9, faulty.Write, true},
		"a read-only disk":     {syscall.EROFS, 0, faulty.Write, true},
		"a sync":               {syscall.EIO, 0, faulty.Sync, false},
		"all syncs":            {syscall.EIO, 0, faulty.Sync, true},
		"a write, and to undo": {syscall.EIO, 30, "", true},
		"to read":              {syscall.EIO, 0, faulty.Read, false},
		"to look":              {syscall.EIO, 0, faulty.Names, false},
	}
	cuts := []string{"none", "little kept", "much kept"}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			ran := 0
			for n := 1; ; n++ {
				for _, cut := range cuts[:len(cuts)-bool2int(testing.Short())] {
					d := new(faulty.Disk)
					count, broken := 0, false
					fail := func(op faulty.Op) (int, error) {
						if fault.op == "" && broken && op != faulty.Open && op != faulty.Lock && op != faulty.Read && op != faulty.Names || broken && fault.all && op == fault.op {
							return 0, fault.err
						}
						if op != fault.op && (fault.op != "" || op != faulty.Write) {
							return 0, nil
						}
						if count++; count != n {
							return 0, nil
						}
						broken = true
						return fault.half, fault.err
					}
					d.Fail = fail
					if !playSteps(t, d, &broken, cut) {
						if ran == 0 {
							t.Error("nothing ever failed")
						}
						return
					}
					ran++
				}
			}
		})
	}
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// playSteps plays all steps on a failing disk, and reports whether anything failed.
func playSteps(t *testing.T, d *faulty.Disk, broken *bool, cut string) bool {
	f, err := Create(d, "x", duelHead)
	if err != nil { // the error is reported, and nothing was started
		repairDisk(d, broken)
		exists := (*logbook.Exists)(nil)
		if f, err = Create(d, "x", duelHead); errors.As(err, &exists) { // it was written, but not synced
			f, _, _, _, err = Open(d, "x")
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return true
	}
	l := newDuel(t)
	l.RecordTo(f)
	for i, s := range steps {
		hash, printed := l.Hash(), l.Transcript()
		err := s.do(l)
		if err == nil {
			continue
		}
		unsaved := (*session.UnsavedError)(nil)
		if !errors.As(err, &unsaved) {
			t.Fatalf("%s: %v", s.name, err)
		}
		if l.Hash() != hash || l.Transcript() != printed {
			t.Fatalf("%s could not be kept, and has happened", s.name)
		}
		if !strings.Contains(err.Error(), "earlier entries are safe") {
			t.Errorf("it says %v", err)
		}
		// The next step without any repair, as an impatient user would try.
		if i%2 == 0 {
			s.do(l)
		}
		shown, happened := l.Hash(), l.Hash() != hash
		repairDisk(d, broken)
		switch cut {
		case "none":
			if !happened {
				if err := s.do(l); err != nil {
					if again := f.Reopen(); again != nil {
						t.Logf("%s: %v", s.name, again) // the file has more than was shown
						f.Close()
						return checkDisk(t, d, hash, s, false)
					}
					if err := s.do(l); err != nil {
						t.Fatalf("%s, opened again: %v", s.name, err)
					}
				}
			}
			for _, s := range steps[i+1:] {
				if err := s.do(l); err != nil {
					t.Fatalf("%s, later: %v", s.name, err)
				}
			}
			want := l.Hash()
			f.Close()
			_, again, pending, _ := reopen(t, d)
			if pending != nil || again.Hash() != want || again.Transcript() != l.Transcript() {
				t.Fatalf("after %s failed and was done again, the file says otherwise", s.name)
			}
			return true
		case "much kept":
			d.Chance = func() bool { return true }
		}
		d.PowerCut()
		return checkDisk(t, d, shown, s, happened)
	}
	return *broken
}

// repairDisk makes the disk work again.
func repairDisk(d *faulty.Disk, broken *bool) { d.Fail, *broken = nil, false }

// checkDisk compares the disk with what was shown: it must have that, possibly along with the step that could not be
// saved, or with the part of it before its next question. And the session resumes.
func checkDisk(t *testing.T, d *faulty.Disk, shown uint64, s step, happened bool) bool {
	_, l, pending, _ := reopen(t, d)
	if l == nil {
		t.Fatal("the session is gone")
	}
	if l.Hash() != shown {
		if !isOneStepAhead(t, l, shown, s) {
			t.Fatalf("after %s failed, the disk has neither what was shown nor that", s.name)
		}
		return true
	}
	if pending != nil {
		if r := l.Continue(pending); r.Err != nil || len(r.Failures) > 0 {
			t.Fatalf("%s cannot go on: %+v", s.name, r)
		}
		return true
	}
	if happened {
		s = undo
	}
	if err := s.do(l); err != nil {
		t.Fatalf("%s, on what was kept: %v", s.name, err)
	}
	return true
}

// isOneStepAhead reports whether a fight is one step further than shown.
func isOneStepAhead(t *testing.T, l *session.Live, shown uint64, s step) bool {
	t.Helper()
	var err error
	if s.name == "undo" {
		_, err = l.Redo()
	} else {
		_, err = l.Undo()
	}
	return err == nil && l.Hash() == shown
}

// A file cut off at any byte still has all complete entries, and reports the rest.
func TestCut(t *testing.T) {
	d := new(faulty.Disk)
	f, err := Create(d, "x", duelHead)
	if err != nil {
		t.Fatal(err)
	}
	l := newDuel(t)
	l.RecordTo(f)
	type state struct {
		size int
		hash uint64
	}
	begun := len(d.Seen("x"))
	states := []state{{begun, l.Hash()}}
	for n := 0; len(d.Seen("x")) < begun+2000; n++ {
		if err := steps[n%len(steps)].do(l); err != nil && !strings.Contains(err.Error(), "twice") && !strings.Contains(err.Error(), "fight") {
			t.Fatal(err)
		}
		states = append(states, state{len(d.Seen("x")), l.Hash()})
	}
	f.Close()
	whole := d.Seen("x")
	hashes := map[int]uint64{} // by number of notes: the hash of the replayed state
	for size := begun; size <= len(whole); size++ {
		d := new(faulty.Disk)
		d.Put("x", whole[:size])
		f, _, notes, tornText, err := Open(d, "x")
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if torn := !bytes.Equal(d.Seen("x"), whole[:size]) && d.Seen("x")[len(d.Seen("x"))-1] == '\n' && len(d.Seen("x")) < size; torn != (tornText != "") {
			t.Fatalf("%d of %d bytes stay, and it says %q", len(d.Seen("x")), size, tornText)
		}
		if _, again := hashes[len(notes)]; !again {
			l := newDuel(t)
			pending, err := l.Replay(notes)
			if err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			hashes[len(notes)] = l.Hash()
			l.RecordTo(f)
			if pending != nil {
				if r := l.Continue(pending); r.Err != nil {
					t.Fatal(r.Err)
				}
			} else if err := command("note \"on\"").do(l); err != nil {
				t.Fatal(err)
			}
			f.Close()
			if _, again, _, _ := reopen(t, d); again.Hash() != l.Hash() {
				t.Fatalf("%d bytes: gone on, it comes to another state", size)
			}
		}
		want := states[0].hash
		for _, s := range states {
			if s.size <= size+1 { // only the end of the last line may be missing
				want = s.hash
			}
		}
		if got := hashes[len(notes)]; got != want {
			t.Fatalf("%d bytes: %016x, not %016x", size, got, want)
		}
	}
	if len(hashes) < 20 {
		t.Errorf("only %d states", len(hashes))
	}
}

// A declaration that cannot be saved is not made, and can be repeated.
func TestDeclarationFails(t *testing.T) {
	d := new(faulty.Disk)
	f, err := Create(d, "x", duelHead)
	if err != nil {
		t.Fatal(err)
	}
	l := newDuel(t)
	l.RecordTo(f)
	declare := command("condition odd { +1 to attack-bonus }")
	d.Fail = func(op faulty.Op) (int, error) {
		if op == faulty.Write {
			return 7, syscall.ENOSPC
		}
		return 0, nil
	}
	if err := declare.do(l); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	d.Fail = nil
	if err := command("Bron gains odd").do(l); err == nil {
		t.Error("it is declared all the same")
	}
	for _, s := range []step{declare, command("Bron gains odd")} {
		if err := s.do(l); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	if _, again, _, _ := reopen(t, d); again.Hash() != l.Hash() {
		t.Error("another state")
	}
}

// If its file takes no more entries, a session is saved in another, including what was undone.
func TestAnother(t *testing.T) {
	d := new(faulty.Disk)
	f, err := Create(d, "y", duelHead)
	if err != nil {
		t.Fatal(err)
	}
	l := newDuel(t)
	l.RecordTo(f)
	setting := ""
	l.OnTableState(func() string { return setting })
	for _, s := range []step{command("begin"), command("attack Bron with longsword"), command("next turn"), undo, undo} {
		if err := s.do(l); err != nil {
			t.Fatal(err)
		}
	}
	d.Remove("y")
	changed := (*logbook.Changed)(nil)
	if err := redo.do(l); !errors.As(err, &changed) {
		t.Fatal(err)
	}
	if err := f.Reopen(); err == nil {
		t.Error("a file that is gone is opened again")
	}
	setting = "dice ask"
	other, err := Create(d, "x", duelHead)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Rewrite(other); err != nil {
		t.Fatal(err)
	}
	if err := redo.do(l); err != nil {
		t.Fatal(err)
	}
	hash := l.Hash()
	other.Close()
	_, again, pending, _ := reopen(t, d)
	if again.Hash() != hash || pending != nil || again.TableState() != setting || again.Undone() != 1 {
		t.Errorf("%016x, not %016x; %v; %q; %d taken back", again.Hash(), hash, pending, again.TableState(), again.Undone())
	}
	if err := redo.do(again); err != nil || again.Turn() != "Bron" {
		t.Error(err, again.Turn())
	}
}
