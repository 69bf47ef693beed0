package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"arbiter/interp/files"
	"arbiter/lang/words"
)

// This file says in plain words why a file could not be read or written.

// fileError is an error of the file system in plain words. It unwraps to the error of the system, and to the exit status
// if that had one.
type fileError struct {
	text string
	err  error
}

func (e *fileError) Error() string { return e.text }
func (e *fileError) Unwrap() error { return e.err }

// explainFileError replaces the name of the system call in an error by what can be done about it: a file of a similar
// name, or a file of the folder. Other errors stay as they are.
func explainFileError(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	text := fmt.Sprintf("%s: %s", at.Path, at.Err)
	switch {
	case errors.Is(at, fs.ErrNotExist):
		if near := similarFile(at.Path); near != "" {
			text += "; did you mean " + near + "?"
		}
	case errors.Is(at, syscall.EISDIR):
		text = at.Path + " is a folder: name a file"
		if first := scriptIn(at.Path); first != "" {
			text += ", such as " + first
		}
	}
	return &fileError{strings.Replace(err.Error(), at.Error(), text, 1), err}
}

// similarFile returns an existing file that may have been meant by a path, or "".
func similarFile(path string) string {
	dir, name := filepath.Split(path)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	var names []string
	for _, e := range entries {
		if slices.Contains(files.Kinds, filepath.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	near := words.Nearest(name, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.TrimSuffix(n, filepath.Ext(n)) == name }); i >= 0 {
		near = names[i]
	}
	if near == "" {
		return ""
	}
	return dir + near
}

// scriptIn returns the first script of a folder that can be played, or "".
func scriptIn(folder string) string {
	found, _ := files.Find([]string{folder}, []string{".encounter", ".adventure"})
	if len(found) == 0 {
		return ""
	}
	return found[0]
}
