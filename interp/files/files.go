// Package files finds the scripts that paths of the command line mean, and replaces a file in one piece.
// It must never know what a script says.
package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kinds are the endings of the files that hold scripts.
var Kinds = []string{".rules", ".encounter", ".adventure", ".tests"}

// Find gives the files at the paths: a file as it is named, a folder's scripts of the kinds, in the order of their
// names. Folders that are called testdata, or begin with a dot or an underscore, are entered only when named.
func Find(paths []string, kinds []string) ([]string, error) {
	var found []string
	for _, root := range paths {
		info, err := os.Stat(root)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			found = append(found, filepath.Clean(root))
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != root && hidden(d.Name()):
				return fs.SkipDir
			case !d.IsDir() && slices.Contains(kinds, filepath.Ext(path)):
				found = append(found, filepath.Clean(path))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(path string) bool {
		again := seen[path]
		seen[path] = true
		return again
	}), nil
}

func hidden(name string) bool {
	return name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// Replace writes a file whole or not at all: an interruption leaves the old text or the new.
func Replace(path string, text []byte) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(real), "."+filepath.Base(real)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if e := tmp.Chmod(info.Mode().Perm()); err == nil {
		err = e
	}
	if e := tmp.Sync(); err == nil {
		err = e
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), real)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
