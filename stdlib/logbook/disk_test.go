package logbook_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "arbiter/stdlib/logbook"
	"arbiter/stdlib/logbook/faulty"
)

// The tests run their own binary as a second process, whose task is in this variable.
const child = "LOGBOOK_TEST_CHILD"

func TestMain(m *testing.M) {
	what, path, _ := strings.Cut(os.Getenv(child), " ")
	switch what {
	case "":
		os.Exit(m.Run())
	case "write":
		err := keepWriting(path)
		fmt.Println(err)
	case "hold":
		_, _, err := Open(Disk, path)
		fmt.Println(err)
		time.Sleep(time.Hour)
	}
	os.Exit(1)
}

// start runs a child with the given task, and returns its output.
func start(t testing.TB, what, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+what+" "+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// nth is the nth entry written by the processes that are killed. Some are long, so that a kill can hit in the middle of
// a write.
func nth(n int) Entry {
	return Entry{Kind: "say", Text: strconv.Itoa(n) + strings.Repeat(" and\n so on", n*n%7*n%5*1000)}
}

// keepWriting continues a logbook, or begins it, and prints the number of each entry that has been written.
func keepWriting(path string) error {
	b, log, err := Open(Disk, path)
	if isErrorType[*Unfinished](err) || errors.Is(err, fs.ErrNotExist) {
		b, err = Create(Disk, path, nil)
	}
	if err != nil {
		return err
	}
	fmt.Println(len(log.Entries))
	for n := len(log.Entries); ; n++ {
		if err := b.Append(nth(n).Kind, nth(n).Text); err != nil {
			return err
		}
		fmt.Println(n + 1)
	}
}

// TestKilled kills a writing process at random instants and restarts it: all acknowledged entries are there, with at
// most one more, and all are intact.
func TestKilled(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	total, torn, more := 0, 0, 0
	for begin := 0; begin < kills; begin += 20 {
		path := filepath.Join(dir, fmt.Sprint(begin))
		sure := 0
		for range 20 {
			cmd, lines := start(t, "write", path)
			after := time.Duration(r.IntN(20_000)) * time.Microsecond
			if r.IntN(5) > 0 { // most after it has begun, some while it opens
				lines.Scan()
				sure = number(t, lines.Text(), sure)
			}
			time.AfterFunc(after, func() { cmd.Process.Kill() })
			for lines.Scan() {
				sure = number(t, lines.Text(), sure)
			}
			cmd.Wait()
			log, err := Read(Disk, path)
			if sure == 0 && (isErrorType[*Unfinished](err) || errors.Is(err, fs.ErrNotExist)) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if log.Torn != nil {
				torn++
			}
			if n := len(log.Entries); n != sure && n != sure+1 {
				t.Fatalf("%d entries were acknowledged, %d are there", sure, n)
			} else if n > sure {
				more++
			}
			for n, e := range plain(log.Entries) {
				if e != nth(n) {
					t.Fatalf("entry %d is %.40q", n, e.Text)
				}
			}
		}
		total += sure
	}
	t.Logf("%d kills, %d entries acknowledged; %d times one was torn, %d times one was there before it was acknowledged", kills, total, torn, more)
	if total < kills {
		t.Errorf("only %d entries were written between %d kills", total, kills)
	}
}

// number parses a line printed by keepWriting. The first may count one entry more.
func number(t *testing.T, line string, before int) int {
	t.Helper()
	n, err := strconv.Atoi(line)
	if err != nil || n < before || n > before+1 {
		t.Fatalf("after %d it printed %q", before, line)
	}
	return n
}

// TestSecondProcess: a second process is told immediately who holds the lock; when the holder dies, so does the lock.
func TestSecondProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	b, err := Create(Disk, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Append("say", "1"); err != nil {
		t.Fatal(err)
	}
	_, _, err = Open(Disk, path)
	var locked *Locked
	if !errors.As(err, &locked) || locked.PID != 0 && !strings.Contains(err.Error(), "this program") {
		t.Errorf("the same process is told %v", err)
	}
	if log, err := Read(Disk, path); err != nil || len(log.Entries) != 1 {
		t.Errorf("read as %+v, %v", log, err)
	}
	cmd, lines := start(t, "hold", path)
	lines.Scan()
	if !strings.Contains(lines.Text(), "has it open") {
		t.Errorf("another process is told %s", lines.Text())
	}
	cmd.Process.Kill()
	cmd.Wait()
	if err := b.Append("say", "2"); err != nil {
		t.Error(err)
	}
	b.Close()

	cmd, lines = start(t, "hold", path)
	if lines.Scan(); lines.Text() != "<nil>" {
		t.Fatalf("the file is not let go: %s", lines.Text())
	}
	_, _, err = Open(Disk, path)
	if !errors.As(err, &locked) || runtime.GOOS == "linux" && locked.PID != cmd.Process.Pid && locked.PID != 0 {
		t.Errorf("%v; process %d has it", err, cmd.Process.Pid)
	}
	if _, err := Create(Disk, path, nil); !errors.As(err, &locked) {
		t.Errorf("Create says %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	b, log, err := Open(Disk, path)
	if err != nil || len(log.Entries) != 2 {
		t.Fatalf("the dead process holds on: %v", err)
	}
	b.Close()
}

// TestPlaces: other things that can be where a logbook is expected.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("empty"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", at("link")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"new", "empty", "link"} {
		b, err := Create(Disk, at(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Append("say", "1"); err != nil {
			t.Fatal(err)
		}
		b.Close()
	}
	if log, err := Read(Disk, at("elsewhere")); err != nil || len(log.Entries) != 1 {
		t.Errorf("behind the link: %v", err)
	}
	for path, is := range map[string]func(error) bool{
		dir:                 isErrorType[*NotALogbook],
		os.DevNull:          isErrorType[*NotALogbook],
		at("nothing"):       func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
		at("nowhere/there"): func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
	} {
		if _, err := Read(Disk, path); !is(err) {
			t.Errorf("Read says of %s: %v", path, err)
		}
		if _, _, err := Open(Disk, path); !is(err) {
			t.Errorf("Open says of %s: %v", path, err)
		}
	}
	large := at("large")
	if os.WriteFile(large, nil, 0o666) != nil || os.Truncate(large, MaxSize+1) != nil {
		t.Skip("no room")
	}
	if _, err := Read(Disk, large); !isErrorType[*NotALogbook](err) {
		t.Errorf("of a large file: %v", err)
	}
}

// TestEditor: an editor that replaces the file with a copy, or writes into it, is detected.
func TestEditor(t *testing.T) {
	for name, edit := range map[string]func(path string, data []byte) error{
		"replaces": func(path string, data []byte) error {
			return errors.Join(os.WriteFile(path+"~", data, 0o666), os.Rename(path+"~", path))
		},
		"rewrites": func(path string, data []byte) error {
			return os.WriteFile(path, []byte(strings.Replace(string(data), "one", "two", 1)), 0o666)
		},
		"appends":  func(path string, data []byte) error { return os.WriteFile(path, append(data, '\n'), 0o666) },
		"shortens": func(path string, data []byte) error { return os.Truncate(path, int64(len(data)-1)) },
		"deletes":  func(path string, _ []byte) error { return os.Remove(path) },
	} {
		path := filepath.Join(t.TempDir(), "x")
		b, err := Create(Disk, path, nil)
		if err != nil || b.Append("say", "one") != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(path, data, 0o666) != nil || b.Append("say", "the same bytes are no change") != nil {
			t.Error("the same bytes are a change")
		}
		if data, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if err := edit(path, data); err != nil {
			t.Skip(err) // a system that denies access to an open file
		}
		after, _ := os.ReadFile(path)
		if err := b.Append("say", "three"); !isErrorType[*Changed](err) {
			t.Errorf("%s: Append says %v", name, err)
		}
		if now, _ := os.ReadFile(path); !slices.Equal(now, after) {
			t.Errorf("%s: and it was written to", name)
		}
		b.Close()
	}
}

func TestNoPermission(t *testing.T) {
	d := new(faulty.Disk)
	d.Put("x", written(t, nil, nil))
	for _, why := range []error{syscall.EACCES, syscall.EPERM, syscall.EROFS} {
		d.Fail = always(why, 0, faulty.Open).hook()
		if _, _, err := Open(d, "x"); !isErrorType[*ReadOnly](err) {
			t.Errorf("Open says %v", err)
		}
		if _, err := Create(d, "y", nil); !isErrorType[*ReadOnly](err) {
			t.Errorf("Create says %v", err)
		}
	}
}

// unsynced is the file system of the machine without syncs, so that the rest can be measured.
type unsynced struct{ FS }

type unsyncedFile struct{ File }

func (unsyncedFile) Sync() error { return nil }

func (u unsynced) Open(path string, flag int) (File, error) {
	f, err := u.FS.Open(path, flag)
	return unsyncedFile{f}, err
}

func (u unsynced) Names(path string, f File) (bool, error) {
	return u.FS.IsSameFile(path, f.(unsyncedFile).File)
}

// session is a logbook with the given number of entries, as in a game.
func session(b *testing.B, entries int) string {
	path := filepath.Join(b.TempDir(), "x")
	book, err := Create(unsynced{Disk}, path, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	for n := range entries {
		if err := book.Append("command", fmt.Sprintf("Alia: charge goblin %d with longsword", n)); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

func BenchmarkAppend(b *testing.B) {
	for _, bench := range []struct {
		name string
		on   FS
	}{{"synced", Disk}, {"unsynced", unsynced{Disk}}} {
		for _, after := range []int{0, 5000} {
			b.Run(fmt.Sprint(bench.name, "/after", after), func(b *testing.B) {
				path := session(b, after)
				whole, err := os.ReadFile(path)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				book, _, err := Open(bench.on, path)
				for b.Loop() {
					if n++; n%200 == 0 { // or the file would grow with the iterations
						b.StopTimer()
						book.Close()
						if err = os.WriteFile(path, whole, 0o666); err == nil {
							book, _, err = Open(bench.on, path)
						}
						b.StartTimer()
					}
					if err != nil {
						b.Fatal(err)
					}
					err = book.Append("command", "Alia: charge goblin 1 with longsword")
				}
			})
		}
	}
}

func BenchmarkOpen5000(b *testing.B) {
	path := session(b, 5000)
	for b.Loop() {
		book, log, err := Open(Disk, path)
		if err != nil || len(log.Entries) != 5000 {
			b.Fatal(err)
		}
		book.Close()
	}
}

func BenchmarkRead5000(b *testing.B) {
	path := session(b, 5000)
	for b.Loop() {
		if log, err := Read(Disk, path); err != nil || len(log.Entries) != 5000 {
			b.Fatal(err)
		}
	}
}
