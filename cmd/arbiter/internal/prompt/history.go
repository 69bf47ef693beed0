package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// This file saves what was typed from one run of the program to the next.

// historyLength is how many entries are kept.
const historyLength = 1000

// maxEntry is the longest entry that is remembered, in bytes.
const maxEntry = 64 << 10

// maxHistoryFile is the largest file that is accepted as a history, in bytes.
const maxHistoryFile = 16 << 20

// HistoryPath is the default path of the history: in $XDG_STATE_HOME or the system's equivalent. It is "" if there is
// none.
func HistoryPath() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "arbiter", "history")
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		if dir, err := os.UserConfigDir(); err == nil {
			return filepath.Join(dir, "arbiter", "history")
		}
	} else if dir, err := os.UserHomeDir(); err == nil && filepath.IsAbs(dir) {
		return filepath.Join(dir, ".local", "state", "arbiter", "history")
	}
	return ""
}

// history is the list of what was typed, oldest first, and the file it is saved in: one entry per line, with a line
// feed in an entry written as \n and a backslash as \\.
//
// Other processes write to the file as well, so adding an entry reads and rewrites the whole file under a lock. The
// list of a process has the entries it found at its start and its own.
type history struct {
	path    string // "" once the file cannot be used
	entries []string
	warn    io.Writer
}

// openHistory reads the file, if it exists. It never fails: without a file the list starts empty and ends with the
// process, and warn gets the reason, once.
func openHistory(path string, warn io.Writer) *history {
	h := &history{path: path, warn: warn}
	if path == "" {
		return h
	}
	if err := h.ensureFile(); err != nil {
		h.giveUp(err)
		return h
	}
	b, err := lockedfile.Read(path)
	if err != nil {
		h.giveUp(err)
	}
	h.entries = decodeEntries(b)
	return h
}

// ensureFile makes the file, readable by its owner only, and checks that it is a regular file of acceptable size.
func (h *history) ensureFile() error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	info, err := os.Stat(h.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		return f.Close()
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", h.path)
	case info.Size() > maxHistoryFile:
		return fmt.Errorf("%s is too large for a history", h.path)
	}
	return nil
}

// add appends an entry, unless it is empty, very long, or the same as the last one. The file keeps only the newest
// entries.
func (h *history) add(entry string) {
	if strings.TrimSpace(entry) == "" || len(entry) > maxEntry {
		return
	}
	h.entries = appendEntry(h.entries, entry)
	if h.path == "" {
		return
	}
	err := h.ensureFile()
	if err == nil {
		err = lockedfile.Transform(h.path, func(b []byte) ([]byte, error) {
			return encodeEntries(appendEntry(decodeEntries(b), entry)), nil
		})
	}
	if err != nil {
		h.giveUp(err)
	}
}

// giveUp gives up on the file.
func (h *history) giveUp(err error) {
	h.path = ""
	if h.warn != nil {
		fmt.Fprintf(h.warn, "arbiter: the prompt's history is not saved: %s\n", err)
	}
}

func appendEntry(entries []string, entry string) []string {
	if n := len(entries); n > 0 && entries[n-1] == entry {
		return entries
	}
	entries = append(entries, entry)
	return entries[max(0, len(entries)-historyLength):]
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

var unescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

func encodeEntries(entries []string) []byte {
	var b strings.Builder
	for _, e := range entries {
		escaper.WriteString(&b, e)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// decodeEntries parses what encodeEntries wrote. A line that was cut off by a crash counts as an entry.
func decodeEntries(b []byte) []string {
	text := strings.ToValidUTF8(string(b), "\ufffd")
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool {
		return strings.TrimSpace(l) == "" || len(l) > 2*maxEntry
	})
	lines = lines[max(0, len(lines)-historyLength):]
	for i, l := range lines {
		lines[i] = unescaper.Replace(l)
	}
	return lines
}
