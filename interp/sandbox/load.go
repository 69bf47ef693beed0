package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Env is what the host provides to the scripts of one Load.
type Env struct {
	// Names are predeclared in every file. A value must be immutable, or safe for every worker that calls the functions
	// of the Module; see the obligations of the host in the package comment.
	Names starlark.StringDict

	// Library contains the standard helpers: load("@arbiter//NAME.star", ...) reads its NAME.star. Nil: there are none.
	Library fs.FS
}

// Library is the prefix of the names of the standard helpers.
const Library = "@arbiter//"

// Module is a file that was run once, and the files that it loads. It is frozen, so workers share it.
type Module struct {
	Name  string
	Files []File // the file and all that it loads, sorted by name

	globals starlark.StringDict
}

// File is a file of a Module, with its original contents.
type File struct {
	Name string
	Text []byte
}

// Names lists the global names that the file binds, sorted.
func (m *Module) Names() []string { return m.globals.Keys() }

// Value returns the value of a global name of the file, nil if there is none.
func (m *Module) Value(name string) starlark.Value { return m.globals[name] }

// options are those of standard Starlark: no recursion, no while, no sets, no reassignment of globals.
var options = &syntax.FileOptions{}

// Load reads a file and the files it loads, runs the top level of each once, and freezes the results. The limits apply
// to all of them together. An error is always an *Error.
func Load(src Source, name string, env Env, limits Limits) (*Module, error) {
	l := &loader{src: src, env: env, limits: limits.orDefaults(), fileSet: &fileSet{programs: map[string]*starlark.Program{}}, loaded: map[string]starlark.StringDict{}}
	l.thread = newThread(l.limits)
	l.predeclared = starlark.StringDict{fileSetName: l.fileSet}
	for name, f := range functions {
		l.predeclared[name] = f
	}
	maps.Copy(l.predeclared, internalFuncs)
	maps.Copy(l.predeclared, env.Names)
	l.thread.thread.Load = func(_ *starlark.Thread, name string) (starlark.StringDict, error) { return l.loadFile(name) }
	l.thread.meter.reset()
	globals, err := l.loadRecovered(name)
	if err != nil {
		return nil, l.thread.asError(err, l.fileSet)
	}
	m := &Module{Name: name, Files: l.fileSet.files, globals: globals}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}

type loader struct {
	src     Source
	env     Env
	limits  Limits
	fileSet *fileSet
	thread  *Thread
	loaded  map[string]starlark.StringDict // nil while the file is being run

	predeclared starlark.StringDict // in every file
}

// loadRecovered converts a panic of the compiler, the interpreter or the host to an error.
func (l *loader) loadRecovered(name string) (globals starlark.StringDict, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = rawErrorf(Internal, "", "internal error: %v", r)
		}
	}()
	return l.loadFile(name)
}

// loadFile returns the globals of a file, which is read and run on first use.
func (l *loader) loadFile(name string) (starlark.StringDict, error) {
	clean, text, err := l.read(name)
	if err != nil {
		return nil, err
	}
	globals, seen := l.loaded[clean]
	switch {
	case seen && globals == nil:
		return nil, rawErrorf(Failed, "move what both need to a third file", "%s loads itself, by way of the files that it loads", clean)
	case seen:
		return globals, nil
	}
	l.loaded[clean] = nil
	l.fileSet.add(clean, text)
	program, err := l.compile(clean, text)
	if err != nil {
		return nil, l.thread.asError(err, l.fileSet)
	}
	l.fileSet.programs[clean] = program
	globals, err = program.Init(l.thread.thread, l.predeclared)
	if err != nil {
		return nil, l.thread.asError(err, l.fileSet)
	}
	if err := freeze(globals); err != nil {
		e := l.thread.asError(err, l.fileSet)
		e.Frames = []Frame{{File: clean}}
		return nil, e
	}
	l.loaded[clean] = globals
	return globals, nil
}

// compile checks, rewrites and compiles a file.
func (l *loader) compile(name string, text []byte) (*starlark.Program, error) {
	if i := bytes.IndexByte(text, 0); i >= 0 { // for the parser, the file would end there
		line, start := bytes.Count(text[:i], []byte("\n")), bytes.LastIndexByte(text[:i], '\n')+1
		return nil, syntax.Error{Pos: syntax.MakePosition(&name, int32(line+1), int32(utf8.RuneCount(text[start:i])+1)), Msg: "a NUL character is not text"}
	}
	parsed, err := options.Parse(name, text, 0)
	if err != nil {
		return nil, err
	}
	bound, err := checkFile(parsed)
	if err != nil {
		return nil, err
	}
	for n := range l.env.Names {
		bound[n] = true
	}
	if !noRewrite {
		rewrite(parsed, bound)
	}
	return compileFile(parsed, bound, l.predeclared.Has)
}

// noRewrite disables rewriting, for comparison in tests.
var noRewrite bool

// read returns the contents of a file, or none if it has been read already.
func (l *loader) read(name string) (clean string, text []byte, err error) {
	from, inside := l.src, name
	if rest, ok := strings.CutPrefix(name, Library); ok {
		if l.env.Library == nil {
			return "", nil, rawErrorf(Failed, "", "there are no standard helpers: %s", name)
		}
		from, inside = FS(l.env.Library), rest
	}
	inside, err = Clean(inside)
	if err != nil {
		return "", nil, rawErrorf(Failed, "", "cannot load %q: %v", name, err)
	}
	clean = inside
	if strings.HasPrefix(name, Library) {
		clean = Library + inside
	}
	if _, seen := l.loaded[clean]; seen {
		return clean, nil, nil
	}
	if len(l.loaded) >= l.limits.Modules {
		return "", nil, rawErrorf(Failed, "combine some of the files", "more than %d files are loaded", l.limits.Modules)
	}
	text, err = from.Read(inside)
	if err == nil && len(text) > l.limits.File {
		err = errTooLarge
	}
	switch {
	case errors.Is(err, errTooLarge):
		return "", nil, rawErrorf(Failed, "split it into several files", "%s has more than %d bytes", clean, l.limits.File)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, rawErrorf(Failed, "files are loaded from the folder of the ruleset", "there is no file %s", clean)
	case err != nil:
		return "", nil, rawErrorf(Failed, "", "cannot load %s: %v", clean, err)
	}
	return clean, bytes.TrimPrefix(text, []byte("\ufeff")), nil // the byte order mark that some editors write
}

// fileSet are the files of one Load, to show the line of an error. Every module has them under a name that is not a
// valid identifier, so that a call finds those of the callee.
type fileSet struct {
	files    []File
	programs map[string]*starlark.Program // by name of the file
}

const fileSetName = "$texts"

func (t *fileSet) add(name string, text []byte) { t.files = append(t.files, File{name, text}) }

// line returns a line of a file, counted from 1, without its line ending; "" if there is none.
func (t *fileSet) line(name string, number int) string {
	if t == nil {
		return ""
	}
	for _, f := range t.files {
		if f.Name != name {
			continue
		}
		// The scanner ends a line at \n, \r\n and \r.
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(f.Text)), "\n")
		if number <= len(lines) {
			return lines[number-1]
		}
	}
	return ""
}

func fileSetOf(fn starlark.Callable) *fileSet {
	if f, ok := fn.(*starlark.Function); ok {
		t, _ := f.Module().Predeclared()[fileSetName].(*fileSet)
		return t
	}
	return nil
}

func (t *fileSet) String() string        { return "texts" }
func (t *fileSet) Type() string          { return "texts" }
func (t *fileSet) Freeze()               {}
func (t *fileSet) Truth() starlark.Bool  { return true }
func (t *fileSet) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable") }
