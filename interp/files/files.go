// Package files finds the scripts that paths on the command line refer to, and replaces files atomically. It must never
// know what a script says.
package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kinds are the suffixes of script files.
var Kinds = []string{".rules", ".encounter", ".adventure", ".tests"}

// Find returns the files at the paths: a file itself; for a folder, its scripts of the kinds, sorted by name. Folders
// named testdata, or starting with a dot or an underscore, are entered only if they are named. Files starting with a dot
// are read only if they are named: editors and archives leave such files.
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
		root = Inside(root)
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != root && hidden(d.Name()):
				return fs.SkipDir
			case !d.IsDir() && !strings.HasPrefix(d.Name(), ".") && slices.Contains(kinds, filepath.Ext(path)):
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

// Inside returns the path of a folder for walking through it, also if it is a link to one.
func Inside(folder string) string {
	return strings.TrimRight(folder, string(filepath.Separator)) + string(filepath.Separator)
}

func hidden(name string) bool {
	return name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// Replace writes a file atomically: an interruption leaves either the old or the new contents.
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
