package piece

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// This file is a file system in memory: the files by their paths, and the folders that these imply.

type memory map[string]*entry

// entry is a file, or a folder while it is open.
type entry struct {
	name    string
	text    []byte
	entries []fs.DirEntry // of a folder
	folder  bool
}

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if e := m[name]; e != nil {
		return &opened{entry: e, Reader: bytes.NewReader(e.text)}, nil
	}
	dir := &entry{name: name[strings.LastIndexByte(name, '/')+1:], folder: true}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	within := map[string]bool{}
	for path, e := range m {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		child, _, deeper := strings.Cut(rest, "/")
		switch {
		case within[child]:
		case deeper:
			dir.entries = append(dir.entries, &entry{name: child, folder: true})
		default:
			dir.entries = append(dir.entries, e)
		}
		within[child] = true
	}
	if dir.entries == nil && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(dir.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return &opened{entry: dir, Reader: bytes.NewReader(nil)}, nil
}

func (e *entry) Name() string               { return e.name }
func (e *entry) Size() int64                { return int64(len(e.text)) }
func (e *entry) ModTime() time.Time         { return time.Time{} }
func (e *entry) IsDir() bool                { return e.folder }
func (e *entry) Sys() any                   { return nil }
func (e *entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e *entry) Info() (fs.FileInfo, error) { return e, nil }

func (e *entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// opened is an open file or folder.
type opened struct {
	*entry
	*bytes.Reader
	listed int
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.entry, nil }
func (o *opened) Close() error               { return nil }
func (o *opened) Size() int64                { return o.entry.Size() }

// ReadDir implements fs.ReadDirFile.
func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := o.entries[o.listed:]
	switch {
	case n <= 0:
	case len(rest) == 0:
		return nil, io.EOF
	default:
		rest = rest[:min(n, len(rest))]
	}
	o.listed += len(rest)
	return slices.Clone(rest), nil
}
