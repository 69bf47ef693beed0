package build

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/hook"
	"arbiter/interp/load"
	"arbiter/interp/sandbox"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file finds and loads what a script is built from: the rulesets that it names, and house rules.

// buildInput is the input of a build, before linking.
type buildInput struct {
	rulesets []*load.Ruleset // including those left out
	house    []string        // names of those from With
	hooks    *hook.Library
	sources  map[string][]byte // the files of house rules
	sums     []uint32          // of the files of the others
	trail    trail
	read     func(file string) []byte
}

// load finds the rulesets of a build, and marks those that are left out.
func (o *Options) load(parsed []*ast.File, path string, names []string, script *ast.File, parts ...*ast.File) (*buildInput, diag.List, error) {
	l := o.loader(path)
	if l.Scripts = parts; script != nil {
		l.Scripts = append([]*ast.File{script}, parts...)
	}
	var t trail
	hooks := &hook.Library{Folder: func(user string) (sandbox.Source, error) { return o.folder(l, user) }}
	l.Hooks = hooks.Register
	sources := map[string][]byte{}
	rs, diags := l.Load(names...)
	if parsed != nil {
		var more diag.List
		if h := load.HeaderOf(parsed[0]); h != nil && o.folderName(filepath.Dir(path)) == h.Name.Name {
			parsed, more = o.folderFiles(path, h.Name.Name, parsed[0])
			diags = append(diags, more...)
		}
		rs, more = l.Add(parsed...)
		diags = append(diags, more...)
	}
	named := rs
	for _, w := range o.With {
		if o.isBareName(w) {
			var more diag.List
			rs, more = l.Also(w)
			diags = append(diags, more...)
			continue
		}
		files, dir, more, err := o.house(w, rs, sources, &t)
		if err != nil {
			return nil, diags, err
		}
		t.Houses[len(t.Houses)-1].After = len(l.Sources())
		if len(files) == 1 && load.HeaderOf(files[0]) == nil && len(more) > maxHeadlessErrors {
			more = nil
		}
		diags = append(diags, more...)
		l.Places = append([]load.Place{o.place(o.rulesetsFolder(dir))}, l.Places...)
		rs, more = l.Add(files...)
		diags = append(diags, more...)
	}
	var house []string
	for _, r := range rs {
		if !slices.Contains(named, r) {
			house = append(house, r.Name)
		}
	}
	unknown, more := load.Exclude(rs, o.Without, script)
	for _, name := range unknown {
		e := newAbsentError(name, rs)
		if o.Absent == nil {
			return nil, diags, e
		}
		o.Absent.add(e)
	}
	t.Sources, t.Unsure = l.Sources(), t.Unsure || parsed != nil
	return &buildInput{rs, house, hooks, sources, l.Checksums(), t, func(file string) []byte { return textOf(l, file) }}, dropExcluded(dedupe(append(diags, more...)), rs), nil
}

// loader returns a loader that looks next to a file, and then in the library.
func (o *Options) loader(path string) *load.Loader {
	l := &load.Loader{Between: o.between()}
	if path != "" {
		l.Places = append(l.Places, o.place(o.rulesetsFolder(filepath.Dir(path))))
	}
	if o.Library != nil {
		l.Places = append(l.Places, load.Place{FS: o.Library, Prefix: "rules", Fixed: isFixed(o.Library)})
	}
	return l
}

// isFixed reports whether nothing in a file system changes while the program exists.
func isFixed(library fs.FS) bool {
	_, brings := library.(load.SyntaxFS)
	_, embedded := library.(embed.FS)
	return brings || embedded
}

// isBareName reports whether house rules are named as in a script, not by a path: no such file or folder exists.
func (o *Options) isBareName(w string) bool {
	if strings.ContainsAny(w, `/\.`) {
		return false
	}
	_, err := o.stat(w)
	return err != nil
}

// house reads a file of house rules, with the other files of its folder if the folder has the name of the ruleset, or
// it reads the files of a folder. It skips files that are already loaded, since another house ruleset may extend this
// one.
func (o *Options) house(path string, rs []*load.Ruleset, sources map[string][]byte, t *trail) (files []*ast.File, dir string, diags diag.List, err error) {
	paths, dir, err := o.housePaths(path)
	if err != nil {
		return nil, "", nil, err
	}
	step := houseFiles{With: path, Dir: dir}
	for i := range paths {
		if o.loaded(paths[i], rs) {
			t.Unsure = true
			continue
		}
		src, err := o.read(paths[i])
		if err != nil {
			return nil, "", nil, err
		}
		sources[paths[i]] = src
		step.Files = append(step.Files, load.SumOf(paths[i], src))
		f, more := load.Parse(paths[i], src)
		diags = append(diags, more...)
		files = append(files, f)
		if h := load.HeaderOf(f); h != nil && len(paths) == 1 && o.folderName(dir) == h.Name.Name {
			files, more = o.folderFiles(path, h.Name.Name, f)
			diags = append(diags, more...)
			t.Unsure = true
		}
	}
	t.Houses = append(t.Houses, step)
	return files, dir, diags, nil
}

// housePaths lists the files of house rules that are given by a path, and the folder in which they are.
func (o *Options) housePaths(path string) (paths []string, dir string, err error) {
	if info, err := o.stat(path); err == nil && info.IsDir() {
		dir = filepath.Dir(filepath.Clean(path))
		if paths = o.glob(path); len(paths) == 0 {
			return nil, "", fmt.Errorf("%s: there is no .rules file in this folder", path)
		}
		return paths, dir, nil
	}
	return []string{path}, filepath.Dir(path), nil
}

// loaded reports whether a file is among those of the rulesets, whatever its path.
func (o *Options) loaded(path string, rs []*load.Ruleset) bool {
	info, err := o.stat(path)
	if err != nil {
		return false // reported when it is read
	}
	for _, r := range rs {
		for _, f := range r.Files {
			if have, err := o.stat(f.Path); err == nil && (os.SameFile(info, have) || o.Files != nil && filepath.Clean(path) == filepath.Clean(f.Path)) {
				return true
			}
		}
	}
	return false
}
