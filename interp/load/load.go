// Package load finds and parses the files of rulesets: embedded ones through an fs.FS, a house ruleset as a file or a
// folder, and everything they extend.
//
// Loading walks the `extends` of the headers depth first, and lists a ruleset after its parents. A missing ruleset is
// reported once, where it is first named, and skipped. A cycle of `extends` is reported and broken where it closes.
//
// The package must never know what a ruleset says beyond its header.
package load

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/lang/words"
)

// Ruleset is a ruleset with its parsed files.
type Ruleset struct {
	Name     string
	Extends  []string
	Depth    int // 0 if it extends nothing, else 1 more than its deepest parent
	Files    []*ast.File
	Excluded bool // see Exclude
}

// Loader searches its places for rulesets, in order. A ruleset NAME is a folder NAME of .rules files, or a file
// NAME.rules.
type Loader struct {
	Places []Place
	// Hooks returns the declarations that a Starlark file registers, for `use hooks` in a ruleset. nil: `use hooks` is
	// ignored.
	Hooks func(user string, use *ast.Use) (*ast.File, diag.List)
	// Scripts name the rulesets that are passed to Load: a missing ruleset is reported there.
	Scripts []*ast.File
	// Between is called between one file and another; it may break off loading by a panic. nil: it is not called.
	Between func()

	sources   []Source            // what was found, by the order in which it was looked for
	checksums []uint32            // of the files that have been read
	placeOf   map[string]Place    // the place of each file that has been read
	added     map[string]*Ruleset // rulesets whose files the caller has parsed, while Add runs
	found     map[string]*Ruleset // by name; nil: missing, and already reported
	order     []*Ruleset
	diags     diag.List
}

// Place is a file system, with a prefix for showing the names of its files.
type Place struct {
	FS     fs.FS
	Prefix string
	Dir    string // folder of the operating system; "" for another kind of file system
	Fixed  bool   // nothing in it changes while the program exists, since it is a part of it
}

// Load returns the named rulesets and all that they extend, parents first, each once.
func (l *Loader) Load(names ...string) ([]*Ruleset, diag.List) {
	l.found, l.order, l.diags = map[string]*Ruleset{}, nil, nil
	for _, n := range names {
		l.loadRuleset(n, nil, l.mentionInScript(n))
	}
	return l.order, l.diags
}

// Also returns the rulesets of Load and Add, and one more with what it extends. The diagnostics are those of this call.
func (l *Loader) Also(name string) ([]*Ruleset, diag.List) {
	before := len(l.diags)
	l.loadRuleset(name, nil, l.mentionInScript(name))
	return l.order, l.diags[before:]
}

// mentionInScript returns where a script names a ruleset.
func (l *Loader) mentionInScript(name string) mention {
	for _, f := range l.Scripts {
		if h := HeaderOf(f); h != nil {
			for _, id := range h.With {
				if id.Name == name {
					return mention{f.Path, id.Span}
				}
			}
		}
	}
	return mention{}
}

// Add adds rulesets that the caller has parsed (such as a file given by its path), with what they extend.
func (l *Loader) Add(files ...*ast.File) ([]*Ruleset, diag.List) {
	if l.found == nil {
		l.found = map[string]*Ruleset{}
	}
	l.added = map[string]*Ruleset{}
	var fresh []*Ruleset // in the order of the files
	for _, f := range files {
		h := HeaderOf(f)
		if h == nil || h.Word.Name != "ruleset" {
			why := "this file has no header"
			if h != nil {
				why = "this is not a ruleset"
			}
			l.report(f.Path, ast.Span{Start: f.Span.Start, End: f.Span.Start}, "no-header", why, "start it with `ruleset NAME extends NAME`")
			continue
		}
		if r := l.added[h.Name.Name]; r != nil {
			r.Files = append(r.Files, f)
		} else if have := l.found[h.Name.Name]; have != nil { // already loaded: add the file to it
			have.Files = append(have.Files, f)
			l.applyHeader(have, f, h, nil)
			l.addHooks(have, f)
		} else {
			r := &Ruleset{Name: h.Name.Name, Files: []*ast.File{f}}
			l.added[r.Name] = r
			fresh = append(fresh, r)
		}
	}
	for _, r := range fresh {
		if l.found[r.Name] == nil { // unless another one that extends it has loaded it
			l.finish(r, nil)
		}
	}
	l.added = nil
	return l.order, l.diags
}

// Names lists the rulesets in the places.
func (l *Loader) Names() []string {
	var names []string
	for _, p := range l.Places {
		entries, err := fs.ReadDir(p.FS, ".")
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() {
				if m, _ := fs.Glob(p.FS, path.Join(e.Name(), FilesPattern)); len(m) > 0 {
					names = append(names, e.Name())
				}
			} else if name, ok := strings.CutSuffix(e.Name(), ".rules"); ok && !strings.HasPrefix(name, ".") {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HeaderOf returns the first clause of a file if it is a header, else nil.
func HeaderOf(f *ast.File) *ast.Header {
	if len(f.Body) == 0 {
		return nil
	}
	h, _ := f.Body[0].(*ast.Header)
	return h
}

// ExtraHeaders reports additional headers of a file, which are ignored: several files may have been pasted into one.
func ExtraHeaders(f *ast.File) (diags diag.List) {
	first := HeaderOf(f)
	for i, cl := range f.Body {
		h, ok := cl.(*ast.Header)
		if !ok || i == 0 || first == nil {
			continue
		}
		hint := "what follows it belongs in a file of its own"
		if h.Word.Name == "ruleset" && h.Name.Name == first.Name.Name {
			hint = "remove it, and put what it says into the first one"
		}
		diags = append(diags, diag.Diagnostic{File: f.Path, Span: h.Span, Severity: diag.Error, Code: "misplaced", Message: "a file has one header, at the top", Hint: hint,
			Related: []diag.Related{{File: f.Path, Span: first.Span, Message: "this one counts"}}})
	}
	return diags
}

// mention is where a ruleset is named.
type mention struct {
	file string
	span ast.Span
}

func (l *Loader) report(file string, span ast.Span, code, message, hint string) {
	l.diags = append(l.diags, diag.Diagnostic{File: file, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint})
}

// loadRuleset loads a ruleset by name; chain is the chain of `extends` that leads to it.
func (l *Loader) loadRuleset(name string, chain []string, from mention) *Ruleset {
	if r, ok := l.found[name]; ok {
		return r
	}
	if i := slices.Index(chain, name); i >= 0 {
		l.report(from.file, from.span, "cycle", "a ruleset extends itself: "+strings.Join(append(slices.Clip(chain[i:]), name), " -> "), "remove one of these `extends`")
		return nil
	}
	if r := l.added[name]; r != nil {
		return l.finish(r, chain)
	}
	files, err := l.read(name)
	if err != nil && err != errNoRuleset {
		l.report(from.file, from.span, "unreadable", fmt.Sprintf("the ruleset %s cannot be read: %s", name, err), "check the names and the permissions of its files")
		l.found[name] = nil // reported once
		return nil
	}
	if err != nil {
		hint := "check the folder of your rulesets: a ruleset is a .rules file or a folder of them"
		if names := l.Names(); len(names) > 0 {
			hint = "there are: " + strings.Join(names, ", ")
			if near := words.Nearest(name, names); near != "" {
				hint = "did you mean `" + near + "`?"
			}
		}
		l.report(from.file, from.span, "unknown-ruleset", fmt.Sprintf("there is no ruleset %s", name), hint)
		l.found[name] = nil // missing: reported once
		return nil
	}
	return l.finish(&Ruleset{Name: name, Files: files}, chain)
}

// finish reads the headers of a ruleset, loads what they extend, and lists it.
func (l *Loader) finish(r *Ruleset, chain []string) *Ruleset {
	chain = append(slices.Clip(chain), r.Name)
	if len(chain) > maxChain {
		f := r.Files[0]
		l.report(f.Path, ast.Span{Start: f.Span.Start, End: f.Span.Start}, "limit", fmt.Sprintf("more than %d rulesets in a chain of `extends`", maxChain), "combine some of them")
		chain = nil
		r.Files = nil
	}
	for _, f := range r.Files {
		h := HeaderOf(f)
		if h == nil || h.Word.Name != "ruleset" {
			l.report(f.Path, ast.Span{Start: f.Span.Start, End: f.Span.Start}, "no-header", "this file has no header", "start it with `ruleset "+r.Name+"`")
			continue
		}
		l.applyHeader(r, f, h, chain)
	}
	for _, f := range r.Files {
		l.addHooks(r, f)
	}
	if l.found[r.Name] == nil {
		l.found[r.Name] = r
		l.order = append(l.order, r)
	}
	return l.found[r.Name]
}

// maxChain limits the length of a chain of `extends`.
const maxChain = 100

// languageVersion is the version of the language that this program reads.
const languageVersion = 1

// applyHeader applies the header of one of its files to a ruleset.
func (l *Loader) applyHeader(r *Ruleset, f *ast.File, h *ast.Header, chain []string) {
	l.diags = append(l.diags, ExtraHeaders(f)...)
	if h.Name.Name != r.Name {
		l.report(f.Path, h.Name.Span, "wrong-header", "this file is in the folder of "+r.Name, "write `ruleset "+r.Name+"`, or move it")
	}
	if h.Language > languageVersion {
		l.report(f.Path, h.Span, "language-version", fmt.Sprintf("this is written for version %d of the language", h.Language), fmt.Sprintf("this version of arbiter knows version %d", languageVersion))
	}
	for _, id := range h.Extends {
		if slices.Contains(r.Extends, id.Name) {
			continue
		}
		r.Extends = append(r.Extends, id.Name)
		if p := l.loadRuleset(id.Name, chain, mention{f.Path, id.Span}); p != nil {
			r.Depth = max(r.Depth, p.Depth+1)
		}
	}
}

// addHooks adds the registrations of the Starlark files that a file of a ruleset uses.
func (l *Loader) addHooks(r *Ruleset, f *ast.File) {
	if l.Hooks == nil {
		return
	}
	for _, cl := range f.Body {
		if u, ok := cl.(*ast.Use); ok && u.Hooks {
			registered, diags := l.Hooks(f.Path, u)
			l.diags = append(l.diags, diags...)
			if registered != nil {
				r.Files = append(r.Files, registered)
			}
		}
	}
}

// PlaceOf returns the place that a file was read from, and whether the loader read it.
func (l *Loader) PlaceOf(path string) (Place, bool) {
	p, ok := l.placeOf[path]
	return p, ok
}

// Checksums returns the checksums of all files that the loader has read.
func (l *Loader) Checksums() []uint32 { return l.checksums }

// Checksum is a checksum of a file's contents, to detect accidental changes.
func Checksum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cachedFile is a file that is parsed when its tree is first asked for.
type cachedFile struct {
	src   []byte
	parse func() (*ast.File, diag.List)
}

// fileCache caches the parsed files of rulesets, by path. Building many scripts reads the same rulesets again and
// again. Trees are immutable, so all builds can share one.
var fileCache sync.Map

// Parse parses a file of a ruleset, using the cache if the contents are unchanged: the same tree is then returned, also
// to builds that ask at the same time.
func Parse(path string, src []byte) (*ast.File, diag.List) {
	fresh := &cachedFile{src, sync.OnceValues(func() (*ast.File, diag.List) { return parse.File(path, src) })}
	for {
		x, known := fileCache.LoadOrStore(path, fresh)
		if r := x.(*cachedFile); known && bytes.Equal(r.src, src) {
			return r.parse()
		}
		if !known || fileCache.CompareAndSwap(path, x, fresh) {
			return fresh.parse()
		}
	}
}

// FilesPattern matches the files of a ruleset in its folder. Hidden ones belong to editors and archives.
const FilesPattern = "[^.]*.rules"

var errNoRuleset = errors.New("there is no ruleset of this name")

// find returns the paths of the files of a ruleset, and the first place that has any.
func (l *Loader) find(name string) (Place, []string) {
	if !fs.ValidPath(name) {
		return Place{}, nil
	}
	for _, p := range l.Places {
		if r := remembered(p, name); r != nil {
			return p, r.paths
		}
		paths, _ := fs.Glob(p.FS, path.Join(name, FilesPattern))
		if len(paths) == 0 {
			if _, err := fs.Stat(p.FS, name+".rules"); err == nil {
				paths = []string{name + ".rules"}
			}
		}
		if len(paths) > 0 {
			return p, paths
		}
	}
	return Place{}, nil
}

// note notes the place and the checksum of a file that has been read.
func (l *Loader) note(p Place, shown string, sum uint32) {
	if l.placeOf == nil {
		l.placeOf = map[string]Place{}
	}
	l.placeOf[shown] = p
	l.checksums = append(l.checksums, sum)
}

// read parses the files of a ruleset, from the first place that has any.
func (l *Loader) read(name string) ([]*ast.File, error) {
	p, paths := l.find(name)
	if r := remembered(p, name); r != nil {
		return l.take(p, r), nil
	}
	key, isFixed := keyIn(p, name)
	parsed := Parse
	if isFixed {
		if r := unpacked(p, name, paths); r != nil {
			x, _ := fixedRulesets.LoadOrStore(key, r)
			return l.take(p, x.(*fixedRuleset)), nil
		}
		parsed = parse.File // whose trees are remembered with the whole
	}
	found := Source{Name: name, Fixed: p.Fixed}
	var files []*ast.File
	before := len(l.diags)
	for _, q := range paths {
		if l.Between != nil {
			l.Between()
		}
		src, err := fs.ReadFile(p.FS, q)
		if err != nil {
			return nil, err
		}
		f, diags := parsed(path.Join(p.Prefix, q), src)
		l.diags = append(l.diags, diags...)
		files = append(files, f)
		sum := SumOf(f.Path, src)
		found.Files = append(found.Files, sum)
		l.note(p, f.Path, sum.Checksum)
	}
	l.sources = append(l.sources, found)
	if files == nil {
		return nil, errNoRuleset
	}
	if isFixed { // another build may have read it meanwhile: all have the same trees
		r, _ := fixedRulesets.LoadOrStore(key, &fixedRuleset{paths, files, slices.Clone(l.diags[before:]), found})
		files = slices.Clip(r.(*fixedRuleset).files)
	}
	return files, nil
}
