package build

import (
	"io/fs"
	"path/filepath"
	"slices"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file finds rulesets in the folders of the user.

// folderFiles returns the files of the folder of a ruleset, of which one is given, in the order in which they are read
// when the ruleset is named, and the diagnostics of the others.
func (o *Options) folderFiles(path, name string, given *ast.File) (files []*ast.File, diags diag.List) {
	paths := o.glob(filepath.Dir(path))
	for _, p := range paths {
		if filepath.Base(p) == filepath.Base(path) {
			files = append(files, given)
			continue
		}
		src, err := o.read(p)
		if err != nil {
			continue
		}
		f, more := load.Parse(p, src)
		if h := load.HeaderOf(f); h != nil && h.Name.Name == name {
			files = append(files, f)
			diags = append(diags, more...)
		}
	}
	if !slices.Contains(files, given) { // not saved yet, or under another extension
		files = append(files, given)
	}
	return files, diags
}

// folderName is the name of a folder, also of the current one; the topmost of Options.Files has none.
func (o *Options) folderName(dir string) string {
	if o.Files != nil {
		return filepath.Base(dir)
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	return filepath.Base(dir)
}

// RulesetsFolder returns the folder in which the rulesets of a file in a folder are looked for: the same, or the one
// above if the folder is itself a ruleset.
func RulesetsFolder(dir string) string { return new(Options).rulesetsFolder(dir) }

func (o *Options) rulesetsFolder(dir string) string {
	paths := o.glob(dir)
	if len(paths) == 0 {
		return dir
	}
	read := ReadFile // what is on the disk, whatever an editor has changed
	if o.Files != nil {
		read = o.read
	}
	src, err := read(paths[0]) // all files of a ruleset have its name
	if err != nil {
		return dir
	}
	f, _ := parse.File(paths[0], src)
	if h := load.HeaderOf(f); h != nil && h.Word.Name == "ruleset" && h.Name.Name == o.folderName(dir) {
		return filepath.Join(dir, "..")
	}
	return dir
}

// place returns a folder of the user as a place for rulesets.
func (o *Options) place(dir string) load.Place {
	return load.Place{FS: readerFS{o.dirFS(dir), dir, o.read}, Prefix: displayPrefix(dir), Dir: dir}
}

// readerFS is a folder whose files are read by a function.
type readerFS struct {
	fs.FS
	dir  string
	read func(path string) ([]byte, error)
}

func (r readerFS) ReadFile(name string) ([]byte, error) {
	return r.read(filepath.Join(r.dir, filepath.FromSlash(name)))
}

// Stat does not open the file: opening a pipe waits for a writer.
func (r readerFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

// displayPrefix returns how a folder is shown before the names of its files: as the user wrote it, "" for the current
// one.
func displayPrefix(dir string) string {
	if dir == "." {
		return ""
	}
	return filepath.ToSlash(dir)
}
