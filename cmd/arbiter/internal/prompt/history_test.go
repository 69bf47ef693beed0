package prompt

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestHistoryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "arbiter", "history")
	entries := []string{`hit "Sir Robin"`, "a {\n  b\n}", `back\slash \n`, `\\`, "ä 鬼", "twice"}
	h := openHistory(path, io.Discard)
	for _, e := range append(entries, "twice", "", " \n ", strings.Repeat("x", maxEntry+1)) {
		h.add(e)
	}
	if !slices.Equal(h.entries, entries) {
		t.Errorf("kept %q", h.entries)
	}
	if got := openHistory(path, io.Discard).entries; !slices.Equal(got, entries) {
		t.Errorf("came back as %q", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	for i := range historyLength {
		h.add(fmt.Sprint(i))
	}
	b, err := os.ReadFile(path)
	if n := strings.Count(string(b), "\n"); err != nil || n != historyLength || !strings.HasPrefix(string(b), "0\n") {
		t.Errorf("%d entries are kept, from %.20q: %v", n, b, err)
	}
}

// TestHistoryShared: entries that several processes write are all kept.
func TestHistoryShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	const writers, each = 4, 50
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			h := openHistory(path, io.Discard)
			for i := range each {
				h.add(fmt.Sprintf("%d {\n%d", w, i))
			}
		})
	}
	all.Wait()
	got := openHistory(path, io.Discard).entries
	for w := range writers {
		mine := slices.DeleteFunc(slices.Clone(got), func(e string) bool { return !strings.HasPrefix(e, fmt.Sprint(w)) })
		if len(mine) != each || mine[each-1] != fmt.Sprintf("%d {\n%d", w, each-1) {
			t.Errorf("of writer %d there are %d entries", w, len(mine))
		}
	}
}

// TestHistoryBroken: an unusable file is reported once, and nothing else is lost.
func TestHistoryBroken(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	large := filepath.Join(dir, "large")
	for name, size := range map[string]int64{file: 0, large: maxHistoryFile + 1} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, size); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, large, filepath.Join(file, "below a file"), os.DevNull} {
		var told strings.Builder
		h := openHistory(path, &told)
		h.add("one")
		h.add("two")
		if n := strings.Count(told.String(), "\n"); n != 1 || !strings.HasPrefix(told.String(), "arbiter: ") {
			t.Errorf("%s: told %q", path, told.String())
		}
		if !slices.Equal(h.entries, []string{"one", "two"}) {
			t.Errorf("%s: kept %q", path, h.entries)
		}
	}

	// It may become unusable later, too.
	var told strings.Builder
	path := filepath.Join(dir, "later", "history")
	h := openHistory(path, &told)
	h.add("one")
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	h.add("two") // the folder is created again
	if told.Len() > 0 || !slices.Equal(openHistory(path, nil).entries, []string{"two"}) {
		t.Errorf("told %q", told.String())
	}
	if err := os.Rename(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	h.add("three")
	h.add("four")
	if n := strings.Count(told.String(), "\n"); n != 1 || len(h.entries) != 4 {
		t.Errorf("told %q, kept %q", told.String(), h.entries)
	}
}

// TestHistoryForeign: a file that another program wrote does no harm.
func TestHistoryForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte("a\xff\x1b[2J\r\n\n  \nlast\\q"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := openHistory(path, nil).entries, []string{"a\ufffd\x1b[2J\r", `last\q`}; !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
}

func TestHistoryPath(t *testing.T) {
	home, absolute := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	usual := filepath.Join(home, ".local", "state", "arbiter", "history")
	for state, want := range map[string]string{absolute: filepath.Join(absolute, "arbiter", "history"), "relative": usual, "": usual} {
		t.Setenv("XDG_STATE_HOME", state)
		if got := HistoryPath(); got != want && (state == absolute || strings.Contains(got, ".local")) { // other systems have another place
			t.Errorf("with %q it is %s, want %s", state, got, want)
		}
	}
}
