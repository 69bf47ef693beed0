package langserver

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
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

// buildAmong builds a file with the given texts, by path, for those of its folder, whether they are there or not.
func (s *server) buildAmong(path string, texts map[string]string) diag.List {
	dir := filepath.Dir(path)
	among := overlay{os.DirFS(dir), map[string]string{}}
	for p, text := range texts {
		if filepath.Dir(p) == dir {
			among.texts[filepath.Base(p)] = text
		}
	}
	o := s.buildOptions(nil)
	o.ReadFile, o.Files = nil, among
	_, diags, err := build.Source(filepath.Base(path), []byte(texts[path]), o)
	if err != nil {
		diags = append(diags, diag.Diagnostic{File: path, Severity: diag.Error, Code: "unreadable", Message: err.Error()})
	}
	return diags
}
