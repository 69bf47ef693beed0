package session

import (
	"os"
	"path/filepath"
	"testing"

	"arbiter/interp/build"
	"arbiter/lang/diag"
	"arbiter/rules"
)

// An interactive fight is reproduced as an encounter and as a test, including dice and answers.
func TestWritten(t *testing.T) {
	n := 0
	l := live(t, liveDuel, asker(func(q *Request) (int64, error) {
		if n++; q.Die && n%3 == 0 {
			return 1 + int64(n)%int64(q.Sides), nil // not from the seed
		}
		return q.Default, nil
	}))
	for _, c := range append([]string{"dice 12, 4", "note \"a \\\"quiet\\\" start\""}, liveCommands...) {
		if out := l.Do(c); len(out.Failures) > 0 || out.Err != nil {
			t.Log(c, out.Failures)
		}
	}
	if l.Done() < 14 {
		t.Fatal(l.Done())
	}
	dir := t.TempDir()
	encounter, err := l.Encounter()
	test, testErr := l.Test("as it was played")
	if err != nil || testErr != nil {
		t.Fatal(err, testErr)
	}
	for name, text := range map[string]string{"saved.encounter": encounter, "saved.tests": test} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, diags, err := build.File(path, build.Options{Library: rules.FS})
		if err != nil || s.Rules == nil {
			t.Fatalf("%s: %v %v\n%s", name, diags, err, text)
		}
		body := s.File.Body
		if name == "saved.tests" {
			body = testBody(s)
		}
		got := Play(s, body, Options{Strict: name == "saved.tests"})
		if bad := diag.List(got.Failures); len(bad) > 0 || got.Output != l.p.narrator.transcript() {
			t.Errorf("%s: %v\n%s\n%s", name, bad, got.Output, text)
		}
		if got.player.m.State().Hash() != l.Hash() {
			t.Errorf("%s: another state", name)
		}
	}
}
