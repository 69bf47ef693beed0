// Package build turns source text into a program: it loads, links, checks and compiles in one call, and returns all
// diagnostics.
//
// It is the only place that knows the order of the passes. It must never know what is done with the result.
package build

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/hook"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/interp/program"
	"arbiter/interp/sandbox"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// Options are the options of a build. The zero value has no library.
type Options struct {
	Library       fs.FS                // the embedded rulesets, one folder each
	KnownCitation func(id string) bool // the catalogue; nil: every citation is known
	With          []string             // files, folders or names of house rules, in addition to those the script names
	Without       []string             // names of rulesets to leave out
	// Absent counts the builds that lack a ruleset of Without, when there are many builds; nil: such a build fails.
	Absent  *AbsentCounter
	Amend   []Amendment // modifications of the script
	Compile compile.Options

	amendApart bool // modifications keep their own place, for what is wrong with them
	// ReadFile reads a file by its path; nil: the ReadFile of this package.
	ReadFile func(path string) ([]byte, error)
	// Files holds all files that there are besides the library, by paths with forward slashes; nil: those of the operating
	// system. Whatever a script names, nothing outside is read.
	Files fs.FS

	// Store keeps built rules for other processes; nil: none does.
	Store *Store

	// Stop is asked again and again while something is built, at most some milliseconds apart; true breaks the build off
	// with ErrStopped. It may let others work meanwhile. nil: nothing breaks it off.
	Stop func() bool

	// Apart builds the rules of each script anew, though another script has the same; see shared.go.
	Apart bool

	// Unsaved says that no state of a fight is saved or compared with that of another process, as in tests: then rules of
	// scripts may be built on those of others, which gives texts and dice other numbers. See own.go.
	Unsaved bool

	trying bool // this build tests whether another ruleset helps; see addLibraryHints
}

// Rules is a linked, checked and compiled ruleset, alone or with a script's own declarations.
type Rules struct {
	Name     string   // of the last ruleset
	House    []string // names of the rulesets from Options.With
	Excluded []string // names of Options.Without
	Checked  *check.Checked
	Program  *program.Program
	Hooks    *hook.Functions   // the Starlark functions; nil: none
	Sources  map[string][]byte // the files that were read, by path, for showing lines
	onTop    bool              // they were checked on top of others; see own.go
	set      *link.Set
	complete func()        // reads what a store has left for later; nil: everything is there
	sums     []uint32      // checksums of the rulesets that were found by name
	library  *hook.Library // from which Hooks were bound
	read     func(file string) []byte
}

// Set returns the linked set of the rules, with the trees of all definitions.
func (r *Rules) Set() *link.Set {
	r.Complete()
	return r.set
}

// WithSet returns the rules with another linked set, for answers about a text that has mistakes.
func (r *Rules) WithSet(set *link.Set) *Rules {
	r.Complete()
	x := *r
	x.set = set
	return &x
}

// Rulesets lists the names of the rulesets, parents first.
func (r *Rules) Rulesets() []string { return r.set.Rulesets }

// Complete makes sure that the trees and the code of the rules are there, which running a script does not need.
func (r *Rules) Complete() {
	if r.complete != nil {
		r.complete()
	}
}

// Script is an encounter, an adventure or a file of tests, with the rules that it names. Rules is nil if there were
// errors.
type Script struct {
	Path           string
	File           *ast.File
	Head           *ast.Header
	Rules          *Rules
	Story          *story.Story     // of an adventure and of its tests; else nil
	StoryFiles     []*ast.File      // the files of the adventure, the main one first
	storyCreatures map[string]int64 // the creatures of the story
	labeled        []*ast.Scripted  // that name the roll or the choice
}

// ReadFile reads a source file, up to one byte more than the limit. What is no file is refused: opening a pipe waits for
// a writer, and a device can be endless.
func ReadFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a " + kindOf(info.Mode()) + ", not a file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, parse.MaxSource+1))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// Named builds rulesets of the library by name.
func Named(o Options, names ...string) (*Rules, diag.List, error) {
	return NamedIn("", o, names...)
}

// NamedIn builds rulesets by name as a file at a path would find them: next to it, and then in the library.
func NamedIn(path string, o Options, names ...string) (_ *Rules, _ diag.List, err error) {
	defer o.endStopped(&err)
	return o.build(nil, path, names, nil, nil)
}

// File builds a file: rules alone (a Script without tests or fights), or a script with its rules.
func File(path string, o Options) (*Script, diag.List, error) {
	src, err := o.read(path)
	if err != nil {
		return nil, nil, err
	}
	return Source(path, src, o)
}

// maxHeadlessErrors is how many syntax errors are reported in a file without a header; a file with more is not a
// script.
const maxHeadlessErrors = 5

// beginsWithHeader reports whether a file has a header, which may be broken.
func beginsWithHeader(src []byte) bool {
	for line := range bytes.Lines(src) {
		if word, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); len(word) > 0 && word[0] != '#' {
			return slices.Contains([]string{"ruleset", "encounter", "tests", "adventure"}, string(word))
		}
	}
	return false
}

// Source is File for source text that has been read already.
func Source(path string, src []byte, o Options) (_ *Script, _ diag.List, err error) {
	defer o.endStopped(&err)
	f, diags := parseOnce(path, src)
	s := &Script{Path: path, File: f, Head: load.HeaderOf(f)}
	if s.Head == nil {
		if len(diags) > maxHeadlessErrors && !beginsWithHeader(src) {
			diags = nil
		}
		if !diags.HasErrors() {
			diags = append(diags, diag.Diagnostic{File: path, Span: ast.Span{Start: f.Span.Start, End: f.Span.Start}, Severity: diag.Error, Code: "no-header",
				Message: "this file has no header", Hint: "start it with `ruleset NAME extends NAME`, `encounter \"title\" with NAME`, `adventure \"title\" with NAME` or `tests \"title\" with NAME`"})
		}
		return s, diags, nil
	}
	if s.IsPart() {
		return s, diags, nil // the file that includes it is checked with it
	}
	var more diag.List
	var parts []*ast.File // the other files of an adventure
	if s.Head.Word.Name == "ruleset" {
		s.Rules, more, err = o.build([]*ast.File{f}, path, nil, nil, nil)
	} else {
		if extra := load.ExtraHeaders(f); extra != nil {
			return s, append(diags, extra...), nil // what follows it is of another kind, or uses other rules
		}
		diags = append(diags, s.misplaced()...)
		var storyFiles []story.File
		storyFiles, more, err = o.adventure(s, src, diags.HasErrors())
		if diags = append(diags, more...); err != nil {
			return s, sorted(diags), err
		}
		names := withNames(s.Head)
		s.File, parts = amend(f, o.Amend, o.amendApart)
		for i, t := range storyFiles {
			s.StoryFiles = append(s.StoryFiles, t.Parsed)
			if t.Parsed != f {
				parts = append(parts, t.Parsed)
			}
			if h := load.HeaderOf(t.Parsed); i == 0 && t.Parsed != f && h != nil { // tests: they use the rules of their adventure
				names = append(withNames(h), names...)
			}
		}
		s.Rules, more, err = o.build(nil, path, names, s.File, parts)
		if s.Rules != nil {
			for _, t := range storyFiles {
				s.Rules.Sources[t.Path] = t.Text
			}
			if storyFiles != nil {
				var storyDiags diag.List
				s.Story, storyDiags = story.Build(storyFiles, s.Rules.Checked)
				s.storyCreatures = Creatures(append([]*ast.File{f}, parts...)...)
				s.Story.Title = title(storyFiles[0].Parsed)
				more = append(append(more, storyDiags...), checkFights(s.Story, s.Rules.Program)...)
			}
		}
	}
	if s.Rules != nil {
		s.Rules.Sources[path] = src
	}
	diags = append(diags, more...)
	if s.Rules != nil {
		understood := !diags.HasErrors()
		statements := s.checkStatements()
		diags = append(diags, statements...)
		if understood && len(o.With)+len(o.Without) == 0 { // a house rule may do without a roll of the script's own rules
			diags = append(diags, s.checkLabels(statements.HasErrors())...)
		}
		diags = append(diags, s.checkPrinted()...)
	}
	if s.Rules != nil {
		nameResources(diags, s.Rules.Checked.Ruleset)
	}
	diags = dropConsequences(diags, append([]*ast.File{s.File}, parts...))
	if diags.HasErrors() {
		if len(o.Amend) > 0 && !o.amendApart {
			o.amendApart = true
			return Source(path, src, o)
		}
		s.Rules = nil
		o.addLibraryHints(path, src, diags)
	}
	return s, sorted(diags), err
}

// parseOnce parses a file. The tree of a ruleset is the one that other files of its folder find.
func parseOnce(path string, src []byte) (*ast.File, diag.List) {
	if filepath.Ext(path) == ".rules" {
		f, diags := load.Parse(path, src)
		return f, slices.Clone(diags)
	}
	return parse.File(path, src)
}

// Digest identifies a script with its rules. It depends on the contents of all files, but not on their paths.
func (s *Script) Digest() string {
	sums := slices.Clone(s.Rules.sums)
	for _, text := range s.Rules.Sources {
		sums = append(sums, load.Checksum(text))
	}
	slices.Sort(sums)
	return fmt.Sprintf("%08x", load.Checksum(fmt.Append(nil, sums)))
}

// dropConsequences drops diagnostics that follow from other mistakes: inside a declaration with an unknown first word,
// in texts that use a name that is a reserved word, and of unknown names whose declarations could not be parsed.
func dropConsequences(list diag.List, files []*ast.File) diag.List {
	type place struct {
		file   string
		offset int
	}
	unknown := map[place]bool{}
	for _, d := range list {
		if d.Code == "unknown-kind" {
			unknown[place{d.File, d.Span.Start.Offset}] = true
		}
	}
	unknownDecls := map[string][]ast.Span{} // by file, in source order
	for _, f := range files {
		for _, cl := range f.Body {
			if x := cl.Extent(); unknown[place{f.Path, x.Start.Offset}] {
				unknownDecls[f.Path] = append(unknownDecls[f.Path], x)
			}
		}
	}
	misnamed := map[string]bool{} // by file and reserved word
	for _, d := range list {
		if d.Code == "reserved-name" {
			word, _, _ := strings.Cut(strings.TrimPrefix(d.Message, "`"), "`")
			misnamed[d.File+"`"+word+"`"] = true
		}
	}
	unparsed := map[string]bool{} // names
	for _, f := range files {
		for _, name := range f.UnparsedNames {
			unparsed[name] = true
		}
	}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		if strings.HasPrefix(d.Code, "unknown-") && unparsed[d.Message[strings.LastIndexByte(d.Message, ' ')+1:]] {
			return true
		}
		if d.Code == "no-place" && strings.HasPrefix(d.Message, "there is no map") && unparsed["map"] {
			return true
		}
		if at := strings.Index(d.Message, "found `"); d.Code == "bad-text" && at >= 0 && misnamed[d.File+d.Message[at+len("found "):]] {
			return true
		}
		if d.Code == "unknown-kind" {
			return false
		}
		in := unknownDecls[d.File]
		next := sort.Search(len(in), func(i int) bool { return in[i].Start.Offset > d.Span.Start.Offset })
		return next > 0 && d.Span.Start.Offset < in[next-1].End.Offset
	})
}

// sorted sorts diagnostics by position, regardless of the pass that made them.
func sorted(d diag.List) diag.List {
	sort.SliceStable(d, func(i, j int) bool {
		if d[i].File != d[j].File {
			return d[i].File < d[j].File
		}
		return d[i].Span.Start.Offset < d[j].Span.Start.Offset
	})
	return d
}

// build runs the passes. given are parsed files of the ruleset at path; script and beside are a script and its other
// files, whose declarations are added.
func (o *Options) build(parsed []*ast.File, path string, names []string, script *ast.File, parts []*ast.File) (*Rules, diag.List, error) {
	var files []*ast.File
	if script != nil {
		files = append([]*ast.File{script}, parts...)
	}
	compileOptions := o.Compile
	compileOptions.AnnounceAll = compileOptions.AnnounceAll || waitsForEvents(files)
	r, diags, input := o.addToShared(path, names, files, compileOptions)
	if r != nil {
		return r, diags, nil
	}
	if diags = nil; input == nil {
		var err error
		if input, diags, err = o.load(parsed, path, names, script, parts...); err != nil || diags.HasErrors() {
			return nil, diags, err
		}
	}
	var more diag.List
	var err error
	if script == nil {
		r, more, err = o.wholeOnce(input, compileOptions)
	} else {
		r, more, err = o.whole(input, files, scenePaths(files), true, compileOptions)
	}
	if diags = append(diags, more...); r == nil || err != nil {
		return nil, diags, err
	}
	name := r.Name
	if r.finish(input, names); script == nil {
		r.Name = name
	}
	return r, diags, nil
}

// whole builds rules and the declarations of a script's files, if there are any, in one go. Without an error it returns
// nil if there are mistakes.
func (o *Options) whole(input *buildInput, files []*ast.File, scenes []string, scripted bool, compileOptions compile.Options) (*Rules, diag.List, error) {
	var script *ast.File
	var parts []*ast.File
	if len(files) > 0 {
		script, parts = files[0], files[1:]
	}
	set, diags := link.LinkBetween(o.between(), input.rulesets, script, parts...)
	if link.Incompatible(diags) {
		return nil, diags, nil
	}
	checkOptions := check.Options{KnownCitation: o.KnownCitation, Hook: input.hooks.Mentions, Scripted: scripted, Between: o.between()}
	compileOptions.Between = o.between()
	if script != nil {
		checkOptions.Creatures = Creatures(files...)
		checkOptions.Scenes = scenes
	}
	checked, more := check.Check(set, checkOptions)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, (&blamer{rulesets: input.rulesets, script: script, parts: parts, options: checkOptions, set: set, checked: checked}).blame(diags), nil
	}
	p, err := compile.Compile(checked.Ruleset, compileOptions)
	if err != nil {
		return nil, append(diags, fromCompiler(err)), nil
	}
	r := &Rules{Name: set.Name, set: set, Checked: checked, Program: p, Excluded: o.Without, library: input.hooks}
	if r.Hooks, err = input.hooks.Bind(checked.Ruleset, p); err != nil {
		return nil, diags, err
	}
	if diags = append(diags, input.hooks.CheckMentions(r.Hooks, checked.Ruleset, p)...); diags.HasErrors() {
		return nil, diags, nil
	}
	return r, diags, nil
}

// folder returns the folder of a file that uses Starlark files, for reading those and no others.
func (o *Options) folder(l *load.Loader, user string) (sandbox.Source, error) {
	p, read := l.PlaceOf(user)
	if !read || p.Dir != "" {
		return o.starlarkFolder(filepath.Dir(filepath.FromSlash(user)))
	}
	inside, err := filepath.Rel(filepath.FromSlash(p.Prefix), filepath.FromSlash(user))
	if err != nil {
		return nil, err
	}
	sub, err := fs.Sub(p.FS, path.Dir(filepath.ToSlash(inside)))
	if err != nil {
		return nil, err
	}
	return sandbox.FS(sub), nil
}

// textOf reads a file again that a loader has read; nil if it cannot.
func textOf(l *load.Loader, file string) []byte {
	p, read := l.PlaceOf(file)
	if !read {
		return nil
	}
	inside, err := filepath.Rel(filepath.FromSlash(p.Prefix), filepath.FromSlash(file))
	if err != nil {
		return nil
	}
	text, err := fs.ReadFile(p.FS, filepath.ToSlash(inside))
	if err != nil || len(text) > parse.MaxSource {
		return nil
	}
	return text
}

// dropExcluded drops diagnostics in the files of rulesets that are left out, and in the Starlark files that they use.
func dropExcluded(list diag.List, rs []*load.Ruleset) diag.List {
	excluded := map[string]bool{}
	for _, r := range rs {
		for _, f := range r.Files {
			excluded[f.Path] = r.Excluded
		}
	}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		used := d.Code == "starlark" && slices.ContainsFunc(d.Related, func(r diag.Related) bool { return excluded[r.File] })
		return excluded[d.File] || used
	})
}

// withNames lists the rulesets that a script names.
func withNames(h *ast.Header) []string {
	var names []string
	for _, id := range h.With {
		names = append(names, id.Name)
	}
	return names
}

// dedupe drops duplicate diagnostics: a file may be read twice.
func dedupe(list diag.List) diag.List {
	seen := map[diagKey]bool{}
	out := list[:0:0]
	for _, d := range list {
		if k := diagKeyOf(d); !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	return out
}

// fromCompiler converts an error of the compiler, with its position if it has one.
func fromCompiler(err error) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Error, Code: "too-large", Message: err.Error()}
	if e, ok := err.(*compile.Error); ok {
		d.File, d.Span, d.Message = e.File, e.Pos.Span, e.Message
	}
	return d
}

// Creatures returns the values in the machine of the members of a script's sides, which are numbered in order. In each
// fight of an adventure, numbering continues after the party. A creature that gets two different numbers is omitted.
func Creatures(files ...*ast.File) map[string]int64 {
	names := map[string]int64{}
	next := int64(0)
	member := func(cl ast.Clause, into map[string]int64) {
		if side, ok := cl.(*ast.Side); ok {
			for m := range ast.Members(side) {
				into[m.Name.Name] = next
				next++
			}
		}
	}
	for _, f := range files {
		for _, cl := range f.Body {
			member(cl, names)
		}
	}
	party := next
	inFights, ambiguous := map[string]int64{}, map[string]bool{}
	for _, f := range files {
		story.Battles(f.Body, func(b *ast.Battle) {
			next = party
			here := map[string]int64{}
			for _, cl := range b.Body.Clauses {
				member(cl, here)
			}
			for name, ref := range here {
				if old, ok := inFights[name]; ok && old != ref {
					ambiguous[name] = true
				}
				inFights[name] = ref
			}
		})
	}
	for name, ref := range inFights {
		if _, ok := names[name]; !ok && !ambiguous[name] {
			names[name] = ref
		}
	}
	return names
}

// Text returns the text of a file of the rules or the script, nil if it is not known.
func (r *Rules) Text(file string) []byte {
	if text, ok := r.Sources[file]; ok || r.read == nil {
		return text
	}
	return r.read(file)
}

// Where returns the file, the line and the column of a position in the rules.
func (r *Rules) Where(p ir.Pos) (file string, line, column int) {
	if int(p.File) < len(r.Checked.Files) {
		file = r.Checked.Files[p.File]
	}
	return file, p.Span.Start.Line, p.Span.Start.Column
}
