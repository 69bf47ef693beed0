package langserver

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file finds the files of a folder that rest on another: rulesets that extend the one that it belongs to, scripts
// that use those, the parts and the tests of an adventure.

// maxFolderFiles is how many scripts of a folder are looked through for a name.
const maxFolderFiles = 2000

// levelsAbove is how many folders above a part of an adventure its adventure is looked for.
const levelsAbove = 3

// folder is the scripts that can see each other: those of a folder in which rulesets are looked for, of the rulesets that
// are folders in it, and the parts of its adventures.
type folder struct {
	root  string
	files map[string]*folderFile // by path
	full  bool                   // there are more files
}

// folderFile is a script of a folder as the editor has it or, if it is not open, as it is on the disk.
type folderFile struct {
	path string
	*lines
	parsed *ast.File
	uses   []string // paths of the files that it names itself
}

// folderAround reads the folder of a file. open are the texts of the editor, by path. What is no file has no folder.
func (s *server) folderAround(path string, open map[string]string) *folder {
	f := &folder{files: map[string]*folderFile{}}
	if !filepath.IsAbs(path) {
		return f
	}
	if main := s.adventureOf(path, open); main != "" {
		path = main
	}
	f.root = build.RulesetsFolder(filepath.Dir(path))
	dirs := []string{f.root}
	entries, _ := os.ReadDir(f.root)
	for _, e := range entries {
		if dir := filepath.Join(f.root, e.Name()); e.IsDir() && build.RulesetsFolder(dir) == f.root {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			f.add(s, filepath.Join(dir, e.Name()), open)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(open)) { // those that have not been saved yet
		if slices.Contains(dirs, filepath.Dir(path)) {
			f.add(s, path, open)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(f.files)) {
		f.link(s, f.files[path], open)
	}
	return f
}

// add reads a file, unless it is known or no script.
func (f *folder) add(s *server, path string, open map[string]string) *folderFile {
	if x := f.files[path]; x != nil || !slices.Contains(files.Kinds, filepath.Ext(path)) {
		return x
	}
	if len(f.files) == maxFolderFiles {
		f.full = true
		return nil
	}
	text, ok := open[path]
	if !ok {
		src, err := build.ReadFile(path)
		if err != nil {
			return nil
		}
		text = string(src)
	}
	x := &folderFile{path: path, lines: newLines(text, s.units)}
	x.parsed, _ = parse.File(path, []byte(text))
	f.files[path] = x
	return x
}

// link finds the files that a file names.
func (f *folder) link(s *server, x *folderFile, open map[string]string) {
	h := load.HeaderOf(x.parsed)
	if h == nil || x.uses != nil {
		return
	}
	x.uses = []string{}
	for _, id := range slices.Concat(h.Extends, h.With) {
		x.uses = append(x.uses, f.ruleset(id.Name)...)
	}
	if h.Word.Name == "ruleset" && f.isFolderRuleset(x) {
		x.uses = append(x.uses, f.ruleset(h.Name.Name)...)
	}
	if h.Of != nil {
		x.uses = append(x.uses, beside(x.path, h.Of))
	}
	for _, path := range includes(x.path, x.parsed) {
		x.uses = append(x.uses, path)
		if part := f.add(s, path, open); part != nil {
			f.link(s, part, open)
		}
	}
}

// isFolderRuleset reports whether a file is one of a ruleset that is a folder.
func (f *folder) isFolderRuleset(x *folderFile) bool {
	h := load.HeaderOf(x.parsed)
	return h != nil && h.Word.Name == "ruleset" && filepath.Dir(x.path) == filepath.Join(f.root, h.Name.Name)
}

// ruleset returns the files of a ruleset of the folder.
func (f *folder) ruleset(name string) (list []string) {
	for _, path := range slices.Sorted(maps.Keys(f.files)) {
		if path == filepath.Join(f.root, name+".rules") || filepath.Dir(path) == filepath.Join(f.root, name) && f.isFolderRuleset(f.files[path]) {
			list = append(list, path)
		}
	}
	return list
}

// beside is the path of a file that a script names.
func beside(path string, name *ast.Text) string {
	return filepath.Join(filepath.Dir(path), filepath.FromSlash(name.Value))
}

// includes lists the files that a file of an adventure includes.
func includes(path string, f *ast.File) (list []string) {
	for _, cl := range f.Body {
		if n, ok := cl.(*ast.Include); ok && filepath.IsLocal(filepath.FromSlash(n.File.Value)) {
			list = append(list, beside(path, &n.File))
		}
	}
	return list
}

// adventureOf is the path of the adventure that a file is a part of: next to it, or in a folder above it. It is "" if
// the file is no part, or nothing includes it.
func (s *server) adventureOf(path string, open map[string]string) string {
	f := &folder{files: map[string]*folderFile{}}
	if !filepath.IsAbs(path) {
		return ""
	}
	if part := f.add(s, path, open); part == nil || !isPart(part.parsed) {
		return ""
	}
	dir := filepath.Dir(path)
	for range levelsAbove + 1 {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.adventure"))
		for _, p := range paths {
			if x := f.add(s, p, open); x != nil && !isPart(x.parsed) {
				f.link(s, x, open)
				if f.rests(x, path) {
					return p
				}
			}
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// isPart reports whether a file is for inclusion in an adventure.
func isPart(f *ast.File) bool {
	return (&build.Script{Head: load.HeaderOf(f)}).IsPart()
}

// rests reports whether a file is the one at a path, or uses it, itself or through others.
func (f *folder) rests(x *folderFile, path string) bool {
	seen := map[string]bool{}
	var reach func(x *folderFile) bool
	reach = func(x *folderFile) bool {
		if x == nil || seen[x.path] {
			return false
		}
		seen[x.path] = true
		return x.path == path || slices.ContainsFunc(x.uses, func(p string) bool { return reach(f.files[p]) })
	}
	return reach(x)
}

// reading is files whose names are resolved by one build: a script, all files of a ruleset, or those of an adventure.
type reading struct {
	main  *folderFile
	files []*folderFile // with the main one
	done  bool
	names *handbook.Lookup // nil if nothing can be found by name
	diags diag.List
}

// readings lists those of all files.
func (f *folder) readings() (list []*reading) {
	done := map[string]bool{}
	for _, p := range slices.Sorted(maps.Keys(f.files)) {
		x := f.files[p]
		if done[p] || isPart(x.parsed) {
			continue
		}
		r := &reading{main: x, files: []*folderFile{x}}
		for _, q := range f.readWith(x) {
			if y := f.files[q]; y != x && y != nil {
				r.files, done[q] = append(r.files, y), true
			}
		}
		list = append(list, r)
	}
	return list
}

// file is the one at a path, nil if it is not among those that are read.
func (r *reading) file(path string) *folderFile {
	i := slices.IndexFunc(r.files, func(y *folderFile) bool { return y.path == path })
	if i < 0 {
		return nil
	}
	return r.files[i]
}

// readWith lists the files that are read with one: those of its ruleset, or of its adventure.
func (f *folder) readWith(x *folderFile) (list []string) {
	if f.isFolderRuleset(x) {
		return f.ruleset(load.HeaderOf(x.parsed).Name.Name)
	}
	list = includes(x.path, x.parsed)
	for i := 0; i < len(list); i++ {
		part := f.files[list[i]]
		if part == nil {
			continue
		}
		for _, p := range includes(part.path, part.parsed) {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// read builds the files, unless it has done so, with texts in place of those on the disk. What has mistakes is linked at
// least, so that its names can be found.
func (s *server) read(r *reading, texts map[string]string) {
	if r.done {
		return
	}
	r.done = true
	text, ok := texts[r.main.path]
	if !ok {
		text = r.main.text
	}
	script, diags := s.buildFile(r.main.path, text, texts)
	r.diags = diags
	switch {
	case script == nil:
	case script.Rules != nil:
		r.names = handbook.NewLookup(script.Rules.Set(), script.StoryFiles...)
	default:
		if set := build.Linked(script.File, s.buildOptions(texts), script.StoryFiles...); set != nil {
			r.names = handbook.NewLookup(set, script.StoryFiles...)
		}
	}
}
