package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const smallFight = `encounter "small" with srd35
creature man { level: 1; full-hit-points: 8; main-weapon: longsword }
side us { man Alia }
side them { man Bron }
seed 3
fight on
`

// Where the shell allows little memory (Go itself needs about 1.5 GiB of addresses), a command either does its work or says in Arbiter's words that it could not:
// nothing that Go's runtime or a library prints reaches the user.
func TestLittleMemory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "small.encounter"), []byte(smallFight), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"version", "roll 3d6", "run small.encounter", "check small.encounter", "sim small.encounter -n 5", "rules list srd35", "run missing.encounter",
		"odds small.encounter 'Alia: attack Bron' --sample 10", "fmt -l small.encounter", "explain small.encounter Alia.attack-bonus", "play small.encounter < /dev/null", "help",
	} {
		words := map[string]bool{}
		for _, kib := range []string{"4194304", "2000000", "1800000"} {
			c := exec.Command("sh", "-c", "ulimit -v "+kib+"; arbiter "+command)
			c.Dir = dir
			var says, prints strings.Builder
			c.Stderr, c.Stdout = &says, &prints
			err := c.Run()
			exit := (*exec.ExitError)(nil)
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			for _, foreign := range []string{"goroutine", "runtime", "fatal error", "panic", ".go:", "starlark", "mmap"} {
				if strings.Contains(says.String(), foreign) {
					t.Errorf("%s with %s KiB says:\n%s", command, kib, says.String())
				}
			}
			if strings.HasPrefix(says.String(), "arbiter: out of memory: ") {
				if c.ProcessState.ExitCode() != exitIOError {
					t.Errorf("%s with %s KiB: %v", command, kib, err)
				}
				continue
			}
			words[says.String()] = true
		}
		if len(words) != 1 {
			t.Errorf("%s says different things: %v", command, words)
		}
	}
}

func TestPassOn(t *testing.T) {
	for text, want := range map[string]struct {
		passed string
		failed bool
	}{
		"":                                    {"", false},
		"a warning\n":                         {"a warning\n", false},
		"no end":                              {"no end", false},
		"in a fatal error: line\n":            {"in a fatal error: line\n", false},
		strings.Repeat("x", 10_000) + "\ny\n": {strings.Repeat("x", 10_000) + "\ny\n", false},
		strings.Repeat("x", 4096) + "runtime: \n":                          {strings.Repeat("x", 4096) + "runtime: \n", false},
		"a warning\nruntime: out of memory\nfatal error: x\ngoroutine 1\n": {"a warning\n", true},
		"fatal error: out of memory\n":                                     {"", true},
	} {
		var b strings.Builder
		if failed := passOn(&b, strings.NewReader(text)); failed != want.failed || b.String() != want.passed {
			t.Errorf("%.60q: %.60q %v", text, b.String(), failed)
		}
	}
}
