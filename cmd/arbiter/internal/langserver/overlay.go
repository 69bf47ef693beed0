package langserver

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"arbiter/interp/build"
	"arbiter/lang/diag"
)

// This file builds a text beside files that are not there yet.

// overlay is a folder with other texts for some of its files, and with more files.
type overlay struct {
	fs.FS
	texts map[string]string // by name
}

func (o overlay) Open(name string) (fs.File, error) {
	text, ok := o.texts[name]
	if !ok {
		return o.FS.Open(name)
	}
	return &textFile{name, int64(len(text)), bytes.NewReader([]byte(text))}, nil
}

// ReadDir lists a folder with the files that are to be in it.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(o.FS, name)
	for added, text := range o.texts {
		known := slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == path.Base(added) })
		if path.Dir(added) == name && !known {
			list = append(list, fs.FileInfoToDirEntry(textInfo{path.Base(added), int64(len(text))}))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// textFile is an open file of an overlay, and its description.
type textFile struct {
	name string
	size int64
	*bytes.Reader
}

func (f *textFile) Stat() (fs.FileInfo, error) { return textInfo{f.name, f.size}, nil }
func (f *textFile) Close() error               { return nil }

type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) Mode() fs.FileMode  { return 0o444 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }

// buildAmong builds a file with the given texts, by path, for those of its folder and of the rulesets there, whether they
// are on the disk or not.
func (s *server) buildAmong(file string, texts map[string]string) diag.List {
	root := build.RulesetsFolder(filepath.Dir(file))
	among := overlay{os.DirFS(root), map[string]string{}}
	for p, text := range texts {
		if name, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(name) {
			among.texts[filepath.ToSlash(name)] = text
		}
	}
	name, err := filepath.Rel(root, file)
	if err == nil {
		o := s.buildOptions(nil)
		o.ReadFile, o.Files = nil, among
		var diags diag.List
		if _, diags, err = build.Source(name, []byte(texts[file]), o); err == nil {
			return diags
		}
	}
	return diag.List{{File: file, Severity: diag.Error, Code: "unreadable", Message: err.Error()}}
}
