package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Source reads the files of one folder, and nothing else. A name is a path inside the folder, with forward slashes, in
// the form returned by Clean: Load passes no other. An implementation must still prevent a name from leading out of the
// folder in ways that are not visible in the name, such as a symbolic link.
type Source interface {
	Read(name string) ([]byte, error)
}

// maxRead limits what Folder and FS read of one file, in bytes, whatever the limits of Load.
const maxRead = 1 << 20

// errTooLarge is returned by a Source for a file that is too large to read.
var errTooLarge = errors.New("the file is too large")

// Folder is the Source of a folder of the operating system. A symbolic link that leads out of it is not followed.
func Folder(dir string) Source { return folderSource(dir) }

type folderSource string

func (f folderSource) Read(name string) ([]byte, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for a writer
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a file")}
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file)
}

// FS is the Source of a file system, such as an embedded one.
func FS(fsys fs.FS) Source { return fsSource{fsys} }

type fsSource struct{ fs.FS }

func (f fsSource) Read(name string) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file)
}

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRead+1))
	if err == nil && len(text) > maxRead {
		err = errTooLarge
	}
	return text, err
}

// Suffix is the suffix of the names of Starlark files.
const Suffix = ".star"

// Clean returns the canonical form of the name of a file inside a folder. It refuses a name that is absolute, that
// leads out of the folder (or could on some system), or that does not end in Suffix.
func Clean(name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("the name is empty")
	case strings.ContainsAny(name, "\\:\x00"):
		return "", errors.New("a name has no back slash and no colon: write a path inside the folder, with forward slashes")
	case strings.HasPrefix(name, "/"):
		return "", errors.New("the path is absolute: write a path inside the folder")
	case !strings.HasSuffix(name, Suffix):
		return "", errors.New("the name does not end with " + Suffix)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", errors.New("the path leads out of the folder: `..` is not allowed")
		}
	}
	name = path.Clean(name)
	if !fs.ValidPath(name) {
		return "", errors.New("the name is not a path")
	}
	return name, nil
}
