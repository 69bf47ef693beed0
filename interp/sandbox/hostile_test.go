package sandbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

// hostile is a program of testdata/hostile. Its first line lists the kinds of error of which one must end it, and what
// it tries:
//
//	# memory steps: a list that grows
//
// A line that ends with #! is where the error must be.
type hostile struct {
	name, text string
	kinds      []string
	line       int
}

func hostiles(t testing.TB) (all []hostile) {
	paths, _ := filepath.Glob("testdata/hostile/*.star")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		h := hostile{name: filepath.Base(path), text: string(text)}
		lines := strings.Split(h.text, "\n")
		kinds, _, ok := strings.Cut(strings.TrimPrefix(lines[0], "# "), ": ")
		if h.kinds = strings.Fields(kinds); !ok {
			t.Fatalf("%s does not say what error it wants", path)
		}
		for i, line := range lines {
			if strings.HasSuffix(line, "#!") {
				h.line = i + 1
			}
		}
		all = append(all, h)
	}
	if len(all) < 60 {
		t.Fatalf("only %d hostile programs", len(all))
	}
	return all
}

// host is a value of a host: `list` is a tuple of ten elements, for which it charges, and hp is a number.
type host struct{ thread *Thread }

func (host) String() string        { return "host" }
func (host) Type() string          { return "host" }
func (host) Freeze()               {}
func (host) Truth() starlark.Bool  { return true }
func (host) Hash() (uint32, error) { return 0, errors.New("unhashable") }
func (host) AttrNames() []string   { return []string{"hp", "list"} }
func (h host) Attr(name string) (starlark.Value, error) {
	switch name {
	case "hp":
		return starlark.MakeInt(7), nil
	case "list":
		if err := h.thread.Charge(10*16, 1); err != nil {
			return nil, err
		}
		return make(starlark.Tuple, 10), nil
	}
	return nil, nil
}

// outcomeOf loads a program and calls its main, if that takes no arguments, under the limits. It returns the total time
// and the number of bytes allocated, including freed ones.
func outcomeOf(src Source, name string, limits Limits) (err error, took time.Duration, allocated int64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	thread := NewThread(limits)
	m, err := Load(src, name, Env{Names: starlark.StringDict{"host": host{thread}}}, limits)
	if err == nil {
		if f, ok := m.Value("main").(*starlark.Function); ok {
			_, err = thread.Call(f, nil)
		}
	}
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return err, took, int64(after.TotalAlloc - before.TotalAlloc)
}

// TestHostilePrograms checks that each program ends with the expected error, at its line, using at most a small
// multiple of the memory budget. The time limit is for programs that hang.
func TestHostilePrograms(t *testing.T) {
	const (
		short = 4        // by what factor the meter may count too little
		text  = 8 << 20  // extra bytes for reading, compiling and the error
		bytes = 16 << 20 // the memory budget
		hangs = time.Minute
	)
	for _, h := range hostiles(t) {
		t.Run(strings.TrimSuffix(h.name, ".star"), func(t *testing.T) {
			err, took, allocated := outcomeOf(Folder("testdata/hostile"), h.name, Limits{Bytes: bytes})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("nothing stops it: %v", err)
			}
			if !contains(h.kinds, e.Kind.String()) {
				t.Errorf("stopped by %v: %v", e.Kind, e)
			}
			if h.line > 0 && e.At().Line != h.line {
				t.Errorf("stopped at line %d, not %d: %v", e.At().Line, h.line, e)
			}
			if e.Message == "" || len(e.Message) > 2*maxMessageLength {
				t.Errorf("a message of %d bytes", len(e.Message))
			}
			if most := int64(short*bytes + text); allocated > most {
				t.Errorf("%d bytes allocated, of at most %d: %v", allocated, most, e)
			}
			if took > hangs {
				t.Errorf("it took %v", took)
			}
			t.Logf("%v, %d KiB: %v: %v", took.Round(time.Millisecond), allocated>>10, e.Kind, e)
		})
	}
}

// TestHostileProgramsWithLittle repeats that with budgets so small that everything reaches them.
func TestHostileProgramsWithLittle(t *testing.T) {
	for _, limits := range []Limits{
		{Steps: 50, Bytes: 1 << 10, Depth: 2},
		{Steps: 1000, Bytes: 16 << 10, Depth: 5},
		{Steps: 30_000, Bytes: 64 << 10},
		{Steps: 1 << 40, Bytes: 256 << 10}, // only memory ends them
	} {
		for _, h := range hostiles(t) {
			if limits.Steps > 1<<30 && !contains(h.kinds, "memory") {
				continue
			}
			err, took, allocated := outcomeOf(Folder("testdata/hostile"), h.name, limits)
			if err == nil {
				t.Errorf("%s: nothing stops it", h.name)
			}
			if most := 4*limits.Bytes + 64*int64(len(h.text)) + 8<<20; allocated > most || took > time.Minute {
				t.Errorf("%s: %d bytes allocated, of at most %d, in %v", h.name, allocated, most, took)
			}
		}
	}
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

// FuzzPrograms checks that no source panics or exceeds its budgets.
func FuzzPrograms(f *testing.F) {
	for _, h := range hostiles(f) {
		f.Add([]byte(h.text))
	}
	for _, body := range ordinary {
		f.Add([]byte("def main():\n    log = []\n" + indent(body) + "\n"))
	}
	limits := Limits{Steps: 20_000, Bytes: 256 << 10}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("range")) && len(text) > 4<<10 {
			t.Skip() // slow, and covers nothing new
		}
		err, took, allocated := outcomeOf(folderOf(map[string]string{"main.star": string(text)}), "main.star", limits)
		var e *Error
		if errors.As(err, &e) && e.Kind == Internal {
			t.Errorf("%v", e)
		}
		if most := 4*limits.Bytes + 2048*int64(len(text)) + 4<<20; allocated > most || took > 10*time.Second {
			t.Errorf("%d bytes allocated, of at most %d, in %v", allocated, most, took)
		}
	})
}
