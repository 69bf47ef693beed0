package studio

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/files"
	"arbiter/lang/parse"
)

// This file is the folder whose files the page shows. Its paths are relative and have slashes; none leads out of it, not
// even by a symbolic link.

// maxFiles bounds the files that are shown.
const maxFiles = 5000

// folder is an open folder.
type folder struct {
	dir  string // absolute
	root *os.Root
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{dir, root}, nil
}

func (f *folder) close() { f.root.Close() }

// fileKinds are the extensions of files that are shown and may be written.
var fileKinds = append(slices.Clone(files.Kinds), ".star", ".md")

// sessionKind is the extension of the sessions that are played here.
const sessionKind = ".session"

// isShown reports whether a file is shown.
func isShown(name string) bool {
	ext := path.Ext(name)
	return slices.Contains(fileKinds, ext) || ext == sessionKind
}

// isPassed reports whether a folder is not looked into.
func isPassed(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || name == "node_modules"
}

// list returns the paths of all files that are shown, sorted, and whether there are more.
func (f *folder) list() (paths []string, more bool) {
	paths = []string{}
	// What cannot be read is not shown.
	_ = fs.WalkDir(f.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case d.IsDir() && isPassed(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !isShown(p):
			return nil
		case len(paths) == maxFiles:
			more = true
			return fs.SkipAll
		}
		paths = append(paths, p)
		return nil
	})
	return paths, more
}

// maxTexts bounds the texts of a folder that is read as a whole, in bytes.
const maxTexts = 32 << 20

// ReadFolder returns the texts of all files of a folder that a studio would show, by path, except sessions.
func ReadFolder(dir string) (map[string]string, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.close()
	paths, more := f.list()
	texts, size := map[string]string{}, 0
	for _, p := range paths {
		if path.Ext(p) == sessionKind {
			continue
		}
		text, err := f.read(p)
		if err != nil {
			return nil, err
		}
		texts[p] = text
		size += len(text)
	}
	if more || size > maxTexts {
		return nil, fmt.Errorf("%s has more than a page can hold, %d files or %d bytes: export a smaller folder", dir, maxFiles, maxTexts)
	}
	return texts, nil
}

// folders returns the paths of the folder and those in it that are looked into.
func (f *folder) folders() (list []string) {
	_ = fs.WalkDir(f.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil
		case isPassed(d.Name()) || len(list) == maxFiles:
			return fs.SkipDir
		}
		list = append(list, p)
		return nil
	})
	return list
}

// checkPath refuses a path that leads out of the folder, or to a file of another kind.
func checkPath(p string) error {
	switch {
	case !fs.ValidPath(p) || p == ".":
		return fmt.Errorf("%s is not a path in the folder of the studio", p)
	case !slices.Contains(fileKinds, path.Ext(p)):
		return fmt.Errorf("%s is not a file that the studio opens: those end in %s", p, strings.Join(fileKinds, ", "))
	}
	return nil
}

// absolute is the path of a file for the packages that read files themselves.
func (f *folder) absolute(p string) string { return filepath.Join(f.dir, filepath.FromSlash(p)) }

// read returns the text of a file.
func (f *folder) read(p string) (string, error) {
	if err := checkPath(p); err != nil {
		return "", err
	}
	if info, err := f.root.Stat(filepath.FromSlash(p)); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", p)
	}
	file, err := f.root.Open(filepath.FromSlash(p))
	if err != nil {
		return "", fmt.Errorf("%s: %w", p, cause(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, parse.MaxSource+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", p, cause(err))
	case len(text) > parse.MaxSource:
		return "", fmt.Errorf("%s is larger than %d bytes, the limit of a script", p, parse.MaxSource)
	}
	return string(text), nil
}

// changedNote says that a file has another text; the sum is empty if it is gone.
type changedNote struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// changedError says that a file is no longer what the page has read.
type changedError struct {
	Text string `json:"text"` // what it has now
	Sum  string `json:"sum"`
}

func (*changedError) Error() string { return "the file has changed on the disk since it was opened" }

// write replaces the text of a file, if it still has the sum of the text that was read; "" means that it must not exist.
// The file has either text at any time.
func (f *folder) write(p, text, sum string) error {
	switch now, err := f.read(p); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil && sum != "": // removed since: saving brings it back
	case err == nil && sum != sumOf(now):
		return &changedError{now, sumOf(now)}
	}
	name := filepath.FromSlash(p)
	if dir := filepath.Dir(name); dir != "." {
		if err := f.root.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("%s: %w", p, cause(err))
		}
	}
	mode := fs.FileMode(0o666)
	if info, err := f.root.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	draft := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".saving")
	if err := f.root.WriteFile(draft, []byte(text), mode); err != nil {
		return fmt.Errorf("%s: %w", p, cause(err))
	}
	if err := f.root.Rename(draft, name); err != nil {
		_ = f.root.Remove(draft) // the other error counts
		return fmt.Errorf("%s: %w", p, cause(err))
	}
	return nil
}

// cause is an error of a file without the name of the system call and of the file.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// sumOf identifies a text.
func sumOf(text string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, text) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}
