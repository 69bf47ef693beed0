package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Tests run again when a file changes, until the user ends it.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(level string) {
		t.Helper()
		text := "tests \"x\" with d20\n\ntest \"a number\" {\n  expect " + level + " = 2\n}\n"
		if err := os.WriteFile(filepath.Join(dir, "x.tests"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1 + 1")
	c := startCommand(t, dir, "test", "--watch", ".")
	c.prints(t, "1 passed, 0 failed")
	c.prints(t, "waiting for a change")
	write("1 + 2")
	c.prints(t, "0 passed, 1 failed")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, c.out.String())
	}
}
