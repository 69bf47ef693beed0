package build

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"arbiter/interp/load"
	"arbiter/interp/sandbox"
	"arbiter/lang/parse"
)

// This file is where a build finds files: those of the operating system, or those of Options.Files and no others.

// read reads a file, up to one byte more than the limit of a source.
func (o *Options) read(path string) ([]byte, error) {
	switch {
	case o.ReadFile != nil:
		return o.ReadFile(path)
	case o.Files == nil:
		return ReadFile(path)
	}
	if info, err := fs.Stat(o.Files, inFiles(path)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a " + kindOf(info.Mode()) + ", not a file")}
	}
	f, err := o.Files.Open(inFiles(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, parse.MaxSource+1))
}

// inFiles is the name in Options.Files of a path as builds make it. A path that leads out has none, and is refused by
// the file system.
func inFiles(path string) string { return filepath.ToSlash(filepath.Clean(path)) }

func (o *Options) stat(path string) (fs.FileInfo, error) {
	if o.Files == nil {
		return os.Stat(path)
	}
	return fs.Stat(o.Files, inFiles(path))
}

// glob lists the files of rules in a folder.
func (o *Options) glob(dir string) (paths []string) {
	if o.Files == nil {
		paths, _ = filepath.Glob(filepath.Join(dir, load.FilesPattern))
		return paths
	}
	names, _ := fs.Glob(o.dirFS(dir), load.FilesPattern)
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return paths
}

// dirFS is a folder; a folder that is not there has no files.
func (o *Options) dirFS(dir string) fs.FS {
	if o.Files == nil {
		return os.DirFS(dir)
	}
	sub, err := fs.Sub(o.Files, inFiles(dir))
	if err != nil {
		return noFiles{}
	}
	return sub
}

// starlarkFolder is a folder from which Starlark files are read.
func (o *Options) starlarkFolder(dir string) (sandbox.Source, error) {
	if o.Files == nil {
		return sandbox.Folder(dir), nil
	}
	return sandbox.FS(o.dirFS(dir)), nil
}

// noFiles is a folder outside of Options.Files.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
