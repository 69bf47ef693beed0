//go:build unix

package build

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"arbiter/rules"
)

// A pipe, a socket, a device or a folder where a script is expected is refused, also next to what is read.
func TestNoFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pipe := func(name string) {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
	}
	write("named.encounter", "encounter \"x\" with piped\n")
	write("whole.encounter", "encounter \"x\" with several\n")
	write("several/a.rules", "ruleset several extends d20\n")
	write("hooked.rules", "ruleset hooked extends d20\nuse hooks \"piped.star\"\n")
	write("told.adventure", "adventure \"x\" with d20\ninclude \"piped.adventure\"\nscene a { finish }\n")
	for _, name := range []string{"piped.rules", "several/b.rules", "piped.star", "piped.adventure"} {
		pipe(name)
	}
	if err := os.Mkdir("folder.rules", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"piped.rules": "is a pipe, not a file", "/dev/zero": "is a device, not a file", "folder.rules": "is a directory",
		"named.encounter": "is a pipe, not a file", "whole.encounter": "is a pipe, not a file",
		"hooked.rules": "not a file", "told.adventure": "is a pipe, not a file",
	} {
		_, diags, err := File(name, Options{Library: rules.FS})
		said := ""
		if err != nil {
			said = err.Error()
		}
		for _, d := range diags {
			said += d.Message
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", name, said, want)
		}
	}
}
