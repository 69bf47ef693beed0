package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

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
	l := &loader{src: src, env: env, limits: limits.orDefaults(), texts: &texts{programs: map[string]*starlark.Program{}}, loaded: map[string]starlark.StringDict{}}
	l.thread = newThread(l.limits)
	l.predeclared = starlark.StringDict{textsName: l.texts}
	for name, f := range functions {
		l.predeclared[name] = f
	}
	maps.Copy(l.predeclared, hidden)
	maps.Copy(l.predeclared, env.Names)
	l.thread.thread.Load = func(_ *starlark.Thread, name string) (starlark.StringDict, error) { return l.file(name) }
	l.thread.meter.reset()
	globals, err := l.guarded(name)
	if err != nil {
		return nil, l.thread.asError(err, l.texts)
	}
	m := &Module{Name: name, Files: l.texts.files, globals: globals}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}

type loader struct {
	src    Source
	env    Env
	limits Limits
	texts  *texts
	thread *Thread
	loaded map[string]starlark.StringDict // nil while the file is being run

	predeclared starlark.StringDict // in every file
}

// guarded converts a panic of the compiler, the interpreter or the host to an error.
func (l *loader) guarded(name string) (globals starlark.StringDict, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = stopped(Internal, "", "internal error: %v", r)
		}
	}()
	return l.file(name)
}

// file returns the globals of a file, which is read and run on first use.
func (l *loader) file(name string) (starlark.StringDict, error) {
	clean, text, err := l.read(name)
	if err != nil {
		return nil, err
	}
	globals, again := l.loaded[clean]
	switch {
	case again && globals == nil:
		return nil, stopped(Failed, "move what both need to a third file", "%s loads itself, by way of the files that it loads", clean)
	case again:
		return globals, nil
	}
	l.loaded[clean] = nil
	l.texts.add(clean, text)
	program, err := l.compile(clean, text)
	if err != nil {
		return nil, l.thread.asError(err, l.texts)
	}
	l.texts.programs[clean] = program
	globals, err = program.Init(l.thread.thread, l.predeclared)
	if err != nil {
		return nil, l.thread.asError(err, l.texts)
	}
	if err := freeze(globals); err != nil {
		e := l.thread.asError(err, l.texts)
		e.Frames = []Frame{{File: clean}}
		return nil, e
	}
	l.loaded[clean] = globals
	return globals, nil
}

// compile checks, rewrites and compiles a file.
func (l *loader) compile(name string, text []byte) (*starlark.Program, error) {
	parsed, err := options.Parse(name, text, 0)
	if err != nil {
		return nil, err
	}
	bound, err := checked(parsed)
	if err != nil {
		return nil, err
	}
	for n := range l.env.Names {
		bound[n] = true
	}
	if !plain {
		rewrite(parsed, bound)
	}
	return compiled(parsed, bound, l.predeclared.Has)
}

// plain disables rewriting, for comparison in tests.
var plain bool

// read returns the contents of a file, or none if it has been read already.
func (l *loader) read(name string) (clean string, text []byte, err error) {
	from, inside := l.src, name
	if rest, ok := strings.CutPrefix(name, Library); ok {
		if l.env.Library == nil {
			return "", nil, stopped(Failed, "", "there are no standard helpers: %s", name)
		}
		from, inside = FS(l.env.Library), rest
	}
	inside, err = Clean(inside)
	if err != nil {
		return "", nil, stopped(Failed, "", "cannot load %q: %v", name, err)
	}
	clean = inside
	if strings.HasPrefix(name, Library) {
		clean = Library + inside
	}
	if _, again := l.loaded[clean]; again {
		return clean, nil, nil
	}
	if len(l.loaded) >= l.limits.Modules {
		return "", nil, stopped(Failed, "combine some of the files", "more than %d files are loaded", l.limits.Modules)
	}
	text, err = from.Read(inside)
	if err == nil && len(text) > l.limits.File {
		err = errTooLarge
	}
	switch {
	case errors.Is(err, errTooLarge):
		return "", nil, stopped(Failed, "split it into several files", "%s has more than %d bytes", clean, l.limits.File)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, stopped(Failed, "files are loaded from the folder of the ruleset", "there is no file %s", clean)
	case err != nil:
		return "", nil, stopped(Failed, "", "cannot load %s: %v", clean, err)
	}
	return clean, bytes.TrimPrefix(text, []byte("\ufeff")), nil // the byte order mark that some editors write
}

// texts are the files of one Load, to show the line of an error. Every module has them under a name that is not a valid
// identifier, so that a call finds those of the callee.
type texts struct {
	files    []File
	programs map[string]*starlark.Program // by name of the file
}

const textsName = "$texts"

func (t *texts) add(name string, text []byte) { t.files = append(t.files, File{name, text}) }

// line returns a line of a file, counted from 1, without its line ending; "" if there is none.
func (t *texts) line(name string, number int) string {
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

func textsOf(fn starlark.Callable) *texts {
	if f, ok := fn.(*starlark.Function); ok {
		t, _ := f.Module().Predeclared()[textsName].(*texts)
		return t
	}
	return nil
}

func (t *texts) String() string        { return "texts" }
func (t *texts) Type() string          { return "texts" }
func (t *texts) Freeze()               {}
func (t *texts) Truth() starlark.Bool  { return true }
func (t *texts) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable") }
