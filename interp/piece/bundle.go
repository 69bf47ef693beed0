package piece

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"arbiter/lang/parse"
)

// This file carries the files of a script to another machine: all that a build has read, and no others.

// A Recorder is a file system that remembers the files that have been opened. It is safe for concurrent use.
type Recorder struct {
	Files fs.FS

	mu     sync.Mutex
	opened map[string]bool
}

// Open implements fs.FS.
func (r *Recorder) Open(name string) (fs.File, error) {
	f, err := r.Files.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.opened == nil {
			r.opened = map[string]bool{}
		}
		r.opened[name] = true
	}
	return f, nil
}

// maxBundleFiles and maxBundleSize limit the files of a script that are carried to another machine, and their bytes.
const (
	maxBundleFiles = 2000
	maxBundleSize  = 32 << 20
)

// Bundle packs the files that have been opened. The same files give the same bytes.
func (r *Recorder) Bundle() ([]byte, error) {
	r.mu.Lock()
	var names []string
	for name := range r.opened {
		names = append(names, name)
	}
	r.mu.Unlock()
	slices.Sort(names)
	if len(names) > maxBundleFiles {
		return nil, fmt.Errorf("a script and its rules have at most %d files to be carried to other machines: these have %d", maxBundleFiles, len(names))
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	size := 0
	for _, name := range names {
		f, err := r.Files.Open(name)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(f, parse.MaxSource+1))
		f.Close()
		if err != nil {
			return nil, err
		}
		if size += len(text); size > maxBundleSize {
			return nil, fmt.Errorf("a script and its rules have at most %d bytes to be carried to other machines: these have more", maxBundleSize)
		}
		w, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// OpenBundle returns the files of a bundle, which may come from a stranger: they are held in memory, and there are only
// as many as Bundle allows.
func OpenBundle(data []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxBundleFiles {
		return nil, fmt.Errorf("a bundle of more than %d files", maxBundleFiles)
	}
	files, size := memory{}, 0
	for _, f := range z.File {
		if !fs.ValidPath(f.Name) || strings.Contains(f.Name, `\`) || f.FileInfo().IsDir() || files[f.Name] != nil {
			return nil, errors.New("a bundle with a file that has no proper name")
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(r, int64(maxBundleSize-size)+1))
		r.Close()
		if err != nil {
			return nil, err
		}
		if size += len(text); size > maxBundleSize {
			return nil, fmt.Errorf("a bundle of more than %d bytes", maxBundleSize)
		}
		files[f.Name] = &entry{name: path.Base(f.Name), text: text}
	}
	return files, nil
}

// HashOf names bytes by what they are.
func HashOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
