package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/files"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file reads what one run needs: the files, those beside them, the rulesets on which they build, and settings.

// maxAround is how many files beside the linted ones are read.
const maxAround = 5000

// Reader reads files for a run. The zero value has no library; its caches are kept between runs.
type Reader struct {
	Library fs.FS // the embedded rulesets, one folder each; nil: none
	Prefix  string
	bases   map[string]*Base
	folders map[string]*Settings
	Wrong   diag.List // what is wrong with files of settings
}

// Read parses files and finds what lies around them. A file with mistakes is left out, and its mistakes are returned.
func (r *Reader) Read(paths []string) (in Input, wrong diag.List, err error) {
	named := map[string]bool{}
	folders := map[string]bool{}
	for _, path := range paths {
		text, err := build.ReadFile(path)
		if err != nil {
			return in, nil, err
		}
		named[filepath.Clean(path)] = true
		parsed, diags := parse.File(path, text)
		if diags.HasErrors() {
			wrong = append(wrong, diags...)
			continue
		}
		in.Files = append(in.Files, File{Parsed: parsed, Text: text, Base: r.baseOf(parsed)})
		dir := filepath.Dir(path)
		folders[dir] = true
		if h := load.HeaderOf(parsed); h != nil && h.Word.Name == "ruleset" {
			above := build.RulesetsFolder(dir)
			folders[above] = true
			if above != dir { // the rulesets beside it may build on it
				list, _ := os.ReadDir(above)
				for _, e := range list {
					if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
						folders[filepath.Join(above, e.Name())] = true
					}
				}
			}
		}
	}
	for dir := range folders {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			path := filepath.Join(dir, e.Name())
			script := slices.Contains(files.Kinds, filepath.Ext(path))
			if named[path] || !e.Type().IsRegular() || !script && filepath.Ext(path) != ".star" || len(in.Around)+len(in.Foreign) >= maxAround {
				continue
			}
			text, err := build.ReadFile(path)
			if err != nil {
				continue
			}
			if !script {
				in.Foreign = append(in.Foreign, text)
				continue
			}
			parsed, _ := parse.File(path, text)
			in.Around = append(in.Around, File{Parsed: parsed, Text: text})
		}
	}
	return in, wrong, nil
}

// baseOf learns what the rulesets declare that a file names, nil if it names none.
func (r *Reader) baseOf(parsed *ast.File) *Base {
	h := load.HeaderOf(parsed)
	if h == nil || h.Word.Name != "ruleset" {
		return nil // only rules are examined for it
	}
	var names []string
	for _, id := range slices.Concat(h.Extends, h.With) {
		names = append(names, id.Name)
	}
	dir := build.RulesetsFolder(filepath.Dir(parsed.Path))
	key := dir + "\x00" + h.Name.Name + "\x00" + strings.Join(names, ",")
	if b, known := r.bases[key]; known {
		return b
	}
	l := &load.Loader{Places: []load.Place{{FS: os.DirFS(dir), Prefix: dir}}}
	if r.Library != nil {
		l.Places = append(l.Places, load.Place{FS: r.Library, Prefix: r.Prefix, Fixed: true})
	}
	rulesets, _ := l.Load(append(names, h.Name.Name)...) // its other files, if it is in a folder
	var clauses [][]ast.Clause
	for _, rs := range rulesets {
		for _, f := range rs.Files {
			clauses = append(clauses, f.Body)
		}
	}
	b := NewBase(append(clauses, parsed.Body)...)
	if r.bases == nil {
		r.bases = map[string]*Base{}
	}
	r.bases[key] = b
	return b
}

// maxDepth is how many folders are asked for settings, from that of a file outward.
const maxDepth = 64

// Settings returns what the files of settings in the folder of a file, and in those around it, say. What is wrong with
// them is added to Wrong, once each.
func (r *Reader) Settings(path string) *Settings {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return &Settings{}
	}
	shown := filepath.Dir(path)
	return r.settingsOf(dir, shown, maxDepth)
}

func (r *Reader) settingsOf(dir, shown string, depth int) *Settings {
	if s, known := r.folders[dir]; known {
		return s
	}
	own := &Settings{}
	path := filepath.Join(shown, settingsFile)
	if text, err := build.ReadFile(filepath.Join(dir, settingsFile)); err == nil {
		var diags diag.List
		own, diags = parseSettings(path, text)
		r.Wrong = append(r.Wrong, diags...)
	}
	if above := filepath.Dir(dir); !own.Root && above != dir && depth > 0 {
		own = r.settingsOf(above, filepath.Join(shown, ".."), depth-1).under(own)
	}
	if r.folders == nil {
		r.folders = map[string]*Settings{}
	}
	r.folders[dir] = own
	return own
}
