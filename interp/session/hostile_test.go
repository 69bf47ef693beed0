package session

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/diag"
)

// failing matches the mark of the line at which a hostile file fails, with a part of the message: # FAILS "memory".
var failing = regexp.MustCompile(`# FAILS ("(?:[^"\\]|\\.)*")`)

// mostAllocated limits the bytes allocated by one hostile file: a small multiple of what one call of a function may
// use.
const mostAllocated = 256 << 20

// Each file of testdata/hostile attacks in its own way. It ends in the error that it states, at the line that it
// states. The state, the draws and the scripted dice are as before, and the next command works.
func TestHostile(t *testing.T) {
	for _, pattern := range []string{"*.star", "*.rules"} {
		paths, err := filepath.Glob("testdata/hostile/" + pattern)
		if err != nil || len(paths) < 5 {
			t.Fatal(err, len(paths))
		}
		for _, path := range paths {
			if filepath.Base(path) != "arena.rules" {
				t.Run(filepath.Base(path), func(t *testing.T) { hostile(t, path) })
			}
		}
	}
}

func hostile(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line, says := 0, ""
	for i, l := range strings.Split(string(text), "\n") {
		if m := failing.FindStringSubmatch(l); m != nil {
			if line > 0 {
				t.Fatal("two lines that fail")
			}
			line = i + 1
			if says, err = strconv.Unquote(m[1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if line == 0 {
		t.Fatal("no line says that it fails")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	at, said := attack(t, path)
	runtime.ReadMemStats(&after)
	if want := fmt.Sprintf("%s:%d", path, line); at != want || !strings.Contains(said, says) {
		t.Errorf("at %s: %s\nwant it at %s: %s", at, said, want, says)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > mostAllocated {
		t.Errorf("%d MiB have been allocated", n>>20)
	}
}

// attack plays a fight with a hostile file, and returns where it fails and with which message.
func attack(t *testing.T, path string) (at, said string) {
	ruleset := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	src := "encounter \"attacked\" with " + ruleset + "\n"
	o := quick
	if filepath.Ext(path) == ".star" {
		with := filepath.Join("testdata/hostile", "attacked.rules")
		o.ReadFile = func(name string) ([]byte, error) {
			if name == with {
				return []byte("ruleset attacked extends arena\nuse hooks \"" + filepath.Base(path) + "\"\n"), nil
			}
			return os.ReadFile(name)
		}
		o.With, src = []string{with}, "encounter \"attacked\" with arena\n"
	}
	s, diags, err := build.Source("testdata/hostile/fight.encounter", []byte(src+`
creature man { level: 4 }
side us {
  man Alia
  man Bron
}
side them {
  man Cyra
  man Dorn
}
Alia loses 3 blood
dice Alia strike.to-hit: 15, 15
dice Alia strike.harm: 3, 3
Alia: strike Cyra
Bron: wave
`), o)
	if err != nil {
		t.Fatal(err)
	}
	if diags.HasErrors() {
		return where(&diags[0]), diags[0].Message
	}
	p := newPlayer(s, Options{})
	body := s.File.Body
	for _, cl := range body[:len(body)-2] {
		p.clause(cl)
	}
	if len(p.result.Failures) > 0 {
		t.Fatal(p.result.Failures)
	}
	hash, dice := p.m.State().Hash(), fmt.Sprint(p.dice.named)
	p.clause(body[len(body)-2])
	if len(p.result.Failures) != 1 {
		t.Fatalf("%d failures, not one: %v", len(p.result.Failures), p.result.Failures)
	}
	d := &p.result.Failures[0]
	if len(d.Related) == 0 {
		t.Fatalf("nothing says where in the file: %v", d)
	}
	if p.m.State().Hash() != hash {
		t.Error("the state has changed")
	}
	if got := fmt.Sprint(p.dice.named); got != dice {
		t.Errorf("scripted dice have been used up: %s, before %s", got, dice)
	}
	p.result.Failures, p.stopped = nil, false
	p.clause(body[len(body)-1])
	if out := p.narrator.transcript(); len(p.result.Failures) > 0 || !strings.HasSuffix(out, "Bron waves.\n") {
		t.Errorf("the next command does not work: %v\n%s", p.result.Failures, out)
	}
	for _, r := range d.Related { // what it called may have failed in another file
		if r.File == path {
			return fmt.Sprintf("%s:%d", r.File, r.Span.Start.Line), d.Message
		}
	}
	return "elsewhere", d.Message
}

func where(d *diag.Diagnostic) string { return fmt.Sprintf("%s:%d", d.File, d.Span.Start.Line) }
