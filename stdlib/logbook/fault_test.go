package logbook_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	. "arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// A fail makes operations fail: all of these, or only the first. A failing write still writes half bytes.
type fail struct {
	err  error
	half int
	once bool
	ops  []faulty.Op
}

func (f fail) hook() func(faulty.Op) (int, error) {
	over := false
	return func(op faulty.Op) (int, error) {
		if over || !slices.Contains(f.ops, op) {
			return 0, nil
		}
		over = f.once
		return f.half, f.err
	}
}

func once(err error, half int, op faulty.Op) fail { return fail{err, half, true, []faulty.Op{op}} }

func always(err error, half int, ops ...faulty.Op) fail { return fail{err, half, false, ops} }

// TestAppendFails checks what Append returns when something fails while the third entry is written, whether the book
// then takes a fourth, what is in the file, and what the next Open finds: immediately, and after a power cut that kept
// as little or as much as possible.
func TestAppendFails(t *testing.T) {
	const third = "three, which is lost"
	tests := map[string]struct {
		fail   fail
		meddle func(*faulty.Disk)
		says   string
		full   bool // the error is a *Full
		ro     bool // a *ReadOnly
		goesOn bool // the fourth entry is taken once nothing fails anymore
		left   string
		found  string // by Open, one character per entry; x may be there or not
	}{
		"a short write":            {fail: once(io.ErrShortWrite, 5, faulty.Write), says: "writing failed: short write; earlier entries are safe", goesOn: true, found: "124"},
		"a write of nothing":       {fail: once(syscall.EIO, 0, faulty.Write), says: "writing failed: input/output error", goesOn: true, found: "124"},
		"the disk full":            {fail: once(syscall.ENOSPC, 9, faulty.Write), says: "make room on the disk", full: true, goesOn: true, found: "124"},
		"the quota full":           {fail: once(syscall.EDQUOT, 9, faulty.Write), says: "make room on the disk", full: true, goesOn: true, found: "124"},
		"made read only":           {fail: once(syscall.EROFS, 0, faulty.Write), says: "permissions", ro: true, goesOn: true, found: "124"},
		"not to be cut off":        {fail: always(syscall.ENOSPC, 9, faulty.Write, faulty.Truncate), says: "nothing more is written", full: true, left: "say: thre", found: "12"},
		"cut off, and not synced":  {fail: always(syscall.ENOSPC, 9, faulty.Write, faulty.Sync), says: "nothing more is written", full: true, found: "12"},
		"a sync":                   {fail: once(syscall.EIO, 0, faulty.Sync), says: "syncing failed: input/output error; earlier entries are safe, nothing more is written", found: "12"},
		"all syncs":                {fail: always(syscall.EIO, 0, faulty.Sync), says: "syncing failed", found: "12"},
		"a sync, and to cut off":   {fail: always(syscall.EIO, 0, faulty.Sync, faulty.Truncate), says: "syncing failed", left: "say: " + third, found: "12x"},
		"a sync of a full disk":    {fail: once(syscall.ENOSPC, 0, faulty.Sync), says: "nothing more is written", full: true, found: "12"},
		"to read":                  {fail: once(syscall.EIO, 0, faulty.Read), says: "reading failed", found: "12"},
		"to look":                  {fail: once(syscall.EIO, 0, faulty.Names), says: "looking for the file failed", found: "12"},
		"the file written to":      {meddle: func(d *faulty.Disk) { d.Overwrite("x", []byte("z"), len(d.Seen("x"))) }, says: "another program wrote to it", left: "z", found: "12"},
		"a byte of it changed":     {meddle: func(d *faulty.Disk) { d.Overwrite("x", []byte("O"), len(d.Seen("x"))-15) }, says: "another program wrote to it", left: "say: ", found: "?"},
		"the file gone":            {meddle: func(d *faulty.Disk) { d.Remove("x") }, says: "moved, deleted or replaced", found: "-"},
		"another file in its name": {meddle: func(d *faulty.Disk) { d.Put("x", d.Seen("x")) }, says: "moved, deleted or replaced", found: "12"},
	}
	for name, test := range tests {
		for _, cut := range []string{"no power cut", "little kept", "much kept"} {
			t.Run(name+"/"+cut, func(t *testing.T) {
				d := new(faulty.Disk)
				b, err := Create(d, "x", nil)
				if err != nil || b.Append("say", "1") != nil || b.Append("say", "2") != nil {
					t.Fatal(err)
				}
				whole := string(d.Seen("x"))
				if d.Fail = test.fail.hook(); test.meddle != nil {
					test.meddle(d)
				}
				err = b.Append("say", third)
				d.Fail = nil
				var full *Full
				var readOnly *ReadOnly
				if err == nil || !strings.Contains(err.Error(), test.says) || errors.As(err, &full) != test.full || errors.As(err, &readOnly) != test.ro {
					t.Fatalf("Append says %v", err)
				}
				if test.meddle == nil {
					if rest, ok := strings.CutPrefix(string(d.Seen("x")), whole); !ok || !strings.HasPrefix(rest, test.left) || (rest == "") != (test.left == "") {
						t.Errorf("in the file is %q after %q", rest, whole)
					}
				}
				before := string(d.Seen("x"))
				if again := b.Append("say", "4"); (again == nil) != test.goesOn || !test.goesOn && again != err {
					t.Errorf("the next Append says %v", again)
				}
				if !test.goesOn && string(d.Seen("x")) != before {
					t.Error("it wrote all the same")
				}
				b.Close()
				switch cut {
				case "little kept":
					d.PowerCut()
				case "much kept":
					d.Chance = func() bool { return true }
					d.PowerCut()
				}
				if cut != "no power cut" && test.meddle != nil {
					return // changes by others are theirs to sync
				}
				b, log, err := Open(d, "x")
				found := ""
				for _, e := range log.Entries {
					found += strings.ReplaceAll(e.Text, third, "x")
				}
				var damaged *Damaged
				switch {
				case test.found == "?":
					if !errors.As(err, &damaged) {
						t.Errorf("Open says %v", err)
					}
				case test.found == "-":
					if err == nil {
						t.Error("Open finds a file")
					}
				case err != nil || found != test.found && found+"x" != test.found:
					t.Errorf("Open finds %q, %v", found, err)
				case b.Append("say", "5") != nil:
					t.Error("the book does not go on")
				}
			})
		}
	}
}

// TestBeginFails: what Create and Open return when something fails, and that they succeed once nothing does.
func TestBeginFails(t *testing.T) {
	header := []Entry{{Kind: "rules", Text: strings.Repeat("of the house ", 100)}}
	for _, op := range []faulty.Op{faulty.Open, faulty.Lock, faulty.Read, faulty.Write, faulty.Truncate, faulty.Sync, faulty.SyncDir} {
		for _, torn := range []bool{false, true} {
			t.Run(fmt.Sprint(op, torn), func(t *testing.T) {
				d := new(faulty.Disk)
				if torn {
					d.Put("x", []byte("arbiter logbook 1\nrules: of"))
				}
				d.Fail = always(syscall.ENOSPC, 600, op).hook()
				var full *Full
				b, err := Create(d, "x", header)
				if failed := op != faulty.Truncate || torn; failed != errors.As(err, &full) {
					t.Fatalf("Create says %v", err)
				}
				d.Fail = nil
				if err != nil {
					// A header that was not synced may be there all the same.
					var exists *Exists
					b, err = Create(d, "x", header)
					if err != nil && !((op == faulty.Sync || op == faulty.SyncDir) && errors.As(err, &exists)) {
						t.Fatal(err)
					}
				}
				if b != nil {
					b.Close()
				}
				b, _, err = Open(d, "x")
				if err != nil || b.Append("say", "1") != nil {
					t.Fatal(err)
				}
				b.Close()
				if torn {
					d.Overwrite("x", []byte("say: tw"), len(d.Seen("x")))
				}
				d.Fail = always(syscall.ENOSPC, 10, op).hook()
				_, _, err = Open(d, "x")
				if failed := op != faulty.Truncate || torn; failed != errors.As(err, &full) {
					t.Fatalf("Open says %v", err)
				}
				d.Fail = nil
				d.PowerCut()
				if _, log, err := Open(d, "x"); err != nil || len(log.Entries) != 1 {
					t.Fatalf("%+v, %v", log, err)
				}
			})
		}
	}
}

// TestOrder: nothing is acknowledged before the sync, and a new file's name is synced too.
func TestOrder(t *testing.T) {
	d := new(faulty.Disk)
	b, err := Create(d, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	ends := func(ops ...faulty.Op) {
		t.Helper()
		if !slices.Equal(d.Log[max(0, len(d.Log)-len(ops)):], ops) {
			t.Errorf("%v does not end in %v", d.Log, ops)
		}
	}
	ends(faulty.Write, faulty.Sync, faulty.SyncDir)
	if err := b.Append("say", "1"); err != nil {
		t.Fatal(err)
	}
	ends(faulty.Write, faulty.Sync)
	b.Close()
	if _, _, err := Open(d, "x"); err != nil {
		t.Fatal(err)
	}
	ends(faulty.Write, faulty.Sync, faulty.SyncDir)
}

func TestSecondIsTold(t *testing.T) {
	d := new(faulty.Disk)
	b, err := Create(d, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	var locked *Locked
	if _, _, err := Open(d, "x"); !errors.As(err, &locked) {
		t.Errorf("Open says %v", err)
	}
	if _, err := Create(d, "x", nil); !errors.As(err, &locked) {
		t.Errorf("Create says %v", err)
	}
	if _, err := Read(d, "x"); err != nil {
		t.Error(err)
	}
	b.Close()
	var exists *Exists
	if _, err := Create(d, "x", nil); !errors.As(err, &exists) {
		t.Errorf("Create says %v", err)
	}
	if err := b.Append("say", "1"); err == nil {
		t.Error("a closed book takes an entry")
	}
	if _, _, err := Open(d, "x"); err != nil {
		t.Error(err)
	}
}

// TestLives takes books through long random lives: faults of all kinds, power cuts that keep random sectors, and
// reopening. Every acknowledged entry is there at the next opening, in order, followed by at most the entry being
// written, complete.
func TestLives(t *testing.T) {
	for seed := range uint64(300) {
		if err := life(rand.New(rand.NewPCG(seed, 1)), 60); err != nil {
			t.Fatalf("life %d: %v", seed, err)
		}
	}
}

func life(r *rand.Rand, events int) error {
	d := &faulty.Disk{Chance: func() bool { return r.IntN(2) == 0 }}
	storm := func(op faulty.Op) (int, error) {
		switch {
		case r.IntN(4) > 0, op == faulty.Lock, op == faulty.Open:
			return 0, nil
		case op == faulty.Write:
			return r.IntN(2000), []error{syscall.ENOSPC, syscall.EIO}[r.IntN(2)]
		}
		return 0, syscall.EIO
	}
	var book *Book
	var sure []Entry // acknowledged
	var open *Entry  // being written
	begun := false   // the header was acknowledged
	for n := range events {
		if d.Fail = nil; r.IntN(3) == 0 {
			d.Fail = storm
		}
		switch {
		case book == nil && !begun:
			var err error
			if book, err = Create(d, "x", []Entry{{Kind: "rules", Text: strings.Repeat("of the house\n", r.IntN(100))}}); err == nil {
				begun = true
				continue
			}
			if isErrorType[*Failed](err) {
				if r.IntN(2) == 0 {
					d.PowerCut()
				}
				continue
			}
			if !isErrorType[*Exists](err) {
				return fmt.Errorf("event %d: %w", n, err)
			}
			fallthrough // it may be there, though not acknowledged
		case book == nil:
			b, log, err := Open(d, "x")
			if !begun && (isErrorType[*Damaged](err) || isErrorType[*NotALogbook](err)) {
				d.Remove("x") // a header with holes: the book was never acknowledged
				d.Fail = nil
				d.SyncDir("x")
				continue
			}
			if isErrorType[*Failed](err) {
				if r.IntN(2) == 0 {
					d.PowerCut()
				}
				continue
			}
			if err != nil {
				return fmt.Errorf("event %d: %w", n, err)
			}
			if got := plain(log.Entries); open != nil && slices.Equal(got, append(slices.Clone(sure), *open)) {
				sure = append(sure, *open) // Open has shown it now
			} else if !slices.Equal(got, sure) {
				return fmt.Errorf("event %d: %d entries of %d", n, len(got), len(sure))
			}
			book, open, begun = b, nil, true
		case r.IntN(8) == 0:
			d.PowerCut()
			book.Close()
			book = nil
		case r.IntN(8) == 0:
			book.Close()
			book = nil
		default:
			e := Entry{Kind: "say", Text: fmt.Sprint(n) + strings.Repeat([]string{"\n", " and on", "\\", "\n\n\n"}[r.IntN(4)], r.IntN(300))}
			err := book.Append(e.Kind, e.Text)
			if err == nil {
				sure, open = append(sure, e), nil
				continue
			}
			var failed *Failed
			if !errors.As(err, &failed) {
				return fmt.Errorf("event %d: %w", n, err)
			}
			if open = nil; failed.Refuses { // otherwise nothing of it may be left
				open = &e
				book.Close()
				if book = nil; r.IntN(2) == 0 {
					d.PowerCut()
				}
			}
		}
	}
	return nil
}

func isErrorType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
