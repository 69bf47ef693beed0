package build

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/stdlib/snapshot"
)

// This file keeps built rules in a folder, for other processes. Whatever is wrong with it, the rules are built as if
// there were no folder, and nobody is told: there is nothing in it that cannot be made again.

// Store keeps built rules in a folder, one file for each base, those used last. nil keeps nothing.
type Store struct {
	dir      string
	program  string // identifies the program that built the rules
	writing  sync.WaitGroup
	shared   atomic.Int32 // how many bases it has written that rest on embedded rulesets alone
	unshared atomic.Int32 // how many of scripts with rules of their own, or of files
}

// maxStored limits how many bases a store keeps, and with them its size: each takes some megabytes.
const maxStored = 24

// maxWritten and maxUnshared limit how many bases one process writes: of those that all scripts with embedded rulesets share,
// and of those that other scripts hardly share. Whoever builds hundreds of scripts, as tests do, would only push out what
// the next command needs, and spend more on writing than on building: a base is written in the time of two builds.
const (
	maxWritten  = maxStored / 3
	maxUnshared = maxStored / 8
)

// NewStore returns a store in a folder, which it makes when it first writes. It is nil if there is no folder, or if the
// running program cannot be told from others.
func NewStore(dir string) *Store {
	id := programID()
	if dir == "" || id == "" {
		return nil
	}
	return &Store{dir: dir, program: id}
}

// Wait waits until everything has been written.
func (s *Store) Wait() {
	if s != nil {
		s.writing.Wait()
	}
}

// stored is a base as it is written.
type stored struct {
	Key     string
	Trail   trail
	Rules   bool // whether there are any
	Name    string
	House   []string
	Set     *link.Set
	Checked *check.Checked
	AtHand  check.AtHand
	Program *program.Program
}

// storeFormat is how bases are written; nil if they cannot be.
var storeFormat = sync.OnceValue(func() *snapshot.Format[stored] {
	f, err := snapshot.NewFormat[stored](snapshot.Types{Concrete: append(check.Concrete(), ast.Nodes()...), Late: check.IsLate, Program: programID()})
	if err != nil {
		return nil
	}
	return f
})

// suffix ends the names of bases, metSuffix those of notes of what was built once.
const (
	suffix    = ".built"
	metSuffix = ".met"
)

// noteLasts is for how long it is remembered that something was built once.
const noteLasts = 30 * 24 * time.Hour

// path returns the file of a base.
func (s *Store) path(key string) string {
	sum := sha256.Sum256([]byte(s.program + " " + key))
	return filepath.Join(s.dir, fmt.Sprintf("%x", sum[:16])+suffix)
}

// read returns the base with a key, nil if the store does not have it.
func (s *Store) read(key string, o *Options) *base {
	if s == nil {
		return nil
	}
	path := s.path(key)
	text, err := os.ReadFile(path)
	if err != nil || storeFormat() == nil {
		return nil
	}
	x, complete, err := storeFormat().Read(text)
	if err != nil || x.Key != key {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // a store that cannot be written is as good: it forgets others first
	b := &base{trail: x.Trail}
	if x.Rules {
		b.rules = &Rules{Name: x.Name, House: x.House, set: x.Set, Checked: x.Checked, Program: x.Program}
		b.attach(o, complete)
	}
	return b
}

// has reports whether the store has something under a key, which need not be right.
func (s *Store) has(key string) bool {
	if s == nil {
		return false
	}
	_, err := os.Stat(s.path(key))
	return err == nil
}

// hasMet reports whether a base with a key and a trail was built before, and notes it otherwise. Whoever writes a ruleset
// builds it anew with each edit, and keeping it takes longer than building it: it pays only if it is built again.
func (s *Store) hasMet(key string, t *trail) bool {
	if s == nil {
		return false
	}
	h := sha256.New()
	fmt.Fprintf(h, "%v", *t)
	sum, path := h.Sum(nil), s.path(key)+metSuffix
	if text, err := os.ReadFile(path); err == nil && bytes.Equal(text, sum) {
		_ = os.Remove(path)
		return true
	}
	if os.MkdirAll(s.dir, 0o700) == nil {
		s.makeRoom()
		_ = os.WriteFile(path, sum, 0o600) // one that is torn is no note
	}
	return false
}

// keep writes a base if that pays. What only embedded rulesets say does at once, since all scripts share it. A script
// with rules of its own is built again and again while it stays the same; but what rests on files is built anew with each
// edit: it pays from the second time on.
func (s *Store) keep(key string, b *base, own bool) {
	fixed := b.trail.isFixed()
	isShared := fixed && !own
	if s == nil {
		return
	}
	written, most := &s.shared, int32(maxWritten)
	if !isShared {
		written, most = &s.unshared, maxUnshared
	}
	if written.Load() >= most || !fixed && !s.hasMet(key, &b.trail) {
		return
	}
	written.Add(1)
	s.write(key, b)
}

// write writes a base while the program goes on.
func (s *Store) write(key string, b *base) {
	if s == nil || storeFormat() == nil {
		return
	}
	x := &stored{Key: key, Trail: b.trail}
	if r := b.rules; r != nil {
		x.Rules, x.Name, x.House = true, r.Name, r.House
		x.Set, x.Checked, x.AtHand, x.Program = r.set, r.Checked.Detach(), r.Checked.CodeAtHand(), r.Program.Detach()
	}
	s.writing.Go(func() {
		text, err := storeFormat().Write(x)
		if err != nil || os.MkdirAll(s.dir, 0o700) != nil {
			return
		}
		s.makeRoom()
		f, err := os.CreateTemp(s.dir, "*.part")
		if err != nil {
			return
		}
		_, err = f.Write(text)
		if err = cmp.Or(err, f.Close()); err == nil {
			err = os.Rename(f.Name(), s.path(key))
		}
		if err != nil {
			_ = os.Remove(f.Name())
		}
	})
}

// makeRoom removes the files that have not been used for longest, and what a program that was killed has left.
func (s *Store) makeRoom() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	type file struct {
		path string
		used time.Time
	}
	var files []file
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		switch path := filepath.Join(s.dir, e.Name()); filepath.Ext(path) {
		case suffix:
			files = append(files, file{path, info.ModTime()})
		case ".part":
			if time.Since(info.ModTime()) > time.Hour {
				_ = os.Remove(path)
			}
		case metSuffix:
			if time.Since(info.ModTime()) > noteLasts {
				_ = os.Remove(path)
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.used.Compare(a.used) })
	for _, f := range files[min(len(files), maxStored-1):] {
		_ = os.Remove(f.path)
	}
}

// ProgramID identifies the running program: its whole source, the compiler, and the kind of machine that it is for; "" if it
// cannot be told from others.
func ProgramID() string { return programID() }

// programID identifies the running program by the start of its file, where the linker has written an id that depends on
// its whole source and on the compiler; "" if there is none.
var programID = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 32<<10)
	n, _ := io.ReadFull(f, head)
	if head = head[:n]; !slices.ContainsFunc(linkerMarks, func(mark []byte) bool { return bytes.Contains(head, mark) }) {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(head))
})

// linkerMarks stand before the id of a program: in a note of an ELF file, and in the text of others.
var linkerMarks = [][]byte{[]byte("\x04\x00\x00\x00Go\x00\x00"), []byte("\xff Go build ID: \"")}
