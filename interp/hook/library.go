// Package hook lets rules use Starlark functions.
//
// It has three parts. A Library loads the files (in the sandbox) and lists the names in the source of each function, so
// that the dependencies of numbers are known statically. What a file registers when it is loaded (`modify`, `before`,
// ...) becomes declarations in the language of rules, which are linked, conflict, and are explained and compared like
// all others. Runners execute the functions for a running machine: a modifier hook reads and adds, an acting hook
// returns a request and receives the answer.
//
// The package must never know a rule, and no state of a function may outlive a call: everything that a fight needs is
// in the state of the machine.
package hook

import (
	"errors"
	"path"
	"slices"
	"strings"

	"arbiter/interp/hook/helpers"
	"arbiter/interp/ir"
	"arbiter/interp/sandbox"
	"arbiter/lang/ast"
	"arbiter/lang/diag"

	"go.starlark.net/starlark"
)

// Library loads Starlark files for the rulesets of one build.
type Library struct {
	// Folder returns the folder of a file that uses Starlark. user is the path of that file, as shown.
	Folder func(user string) (sandbox.Source, error)

	modules map[string]*module // by path, as shown
}

// module is a loaded file, or the error that prevented loading.
type module struct {
	path          string
	name          string // identifies its functions in messages: base name of the file, or the path if the base name is not unique
	err           *sandbox.Error
	loaded        *sandbox.Module
	index         *sourceIndex
	registrations []registration
	funcs         map[string]starlark.Callable // what rules can name: its globals, and what it registers
}

// load loads a file once.
func (l *Library) load(user, file string) *module {
	at := path.Join(path.Dir(user), file)
	if m := l.modules[at]; m != nil {
		return m
	}
	m := &module{path: at, name: path.Base(at), funcs: map[string]starlark.Callable{}}
	for _, other := range l.modules {
		if other.name == m.name {
			m.name = at
		}
	}
	if l.modules == nil {
		l.modules = map[string]*module{}
	}
	l.modules[at] = m
	name, err := sandbox.Clean(file)
	if err != nil {
		m.err = &sandbox.Error{Kind: sandbox.Failed, Message: "cannot load \"" + file + "\": " + err.Error()}
		return m
	}
	src, err := l.Folder(user)
	if err != nil {
		m.err = &sandbox.Error{Kind: sandbox.Failed, Message: err.Error()}
		return m
	}
	r := &registrar{}
	files, err := sandbox.Load(src, name, sandbox.Env{Names: r.functions(), Library: helpers.Files}, sandbox.Limits{})
	r.closed = true
	if err != nil {
		if !errors.As(err, &m.err) {
			m.err = &sandbox.Error{Kind: sandbox.Internal, Message: err.Error()}
		}
		return m
	}
	for _, reg := range r.list { // a nested function is not a global, and could keep a list
		for _, fn := range reg.funcs {
			if err := sandbox.Freeze(fn); err != nil {
				at := reg.at.Pos
				m.err = &sandbox.Error{Kind: sandbox.Failed, Message: fn.Name() + ": " + err.Error(), Frames: []sandbox.Frame{{File: at.Filename(), Line: int(at.Line), Col: int(at.Col)}}}
				return m
			}
		}
	}
	m.loaded, m.registrations = files, r.list
	m.index = indexSource(files, name)
	for _, n := range files.Names() {
		if fn, ok := files.Value(n).(starlark.Callable); ok {
			m.funcs[n] = fn
		}
	}
	return m
}

// displayPath is the path of a file of the module, as shown.
func (m *module) displayPath(file string) string {
	if strings.HasPrefix(file, sandbox.Library) {
		return file
	}
	base := strings.TrimSuffix(m.path, path.Clean(ownFile(m)))
	return base + file
}

// ownFile is the name of the module's own file in its folder.
func ownFile(m *module) string {
	if m.loaded != nil {
		return m.loaded.Name
	}
	return path.Base(m.path)
}

// Mentions finds a function of the file that use names, and returns what its source mentions, or what is wrong.
func (l *Library) Mentions(user string, use *ast.Use, function string) (string, ir.Mentions, *diag.Diagnostic) {
	m := l.load(user, use.File.Value)
	if m.err != nil {
		d := m.diagnostic(user, use)
		return m.path, ir.Mentions{}, &d
	}
	if fn := m.function(function); fn != nil {
		return m.path, m.index.mentionsOf(fn), nil
	}
	d := diag.Diagnostic{File: user, Span: use.File.Span, Severity: diag.Error, Code: "starlark"}
	names := m.functions()
	if len(names) == 0 {
		d.Message, d.Hint = m.path+" defines no function", "define it: def "+toStarlarkName(function)+"(ctx): ..."
	} else {
		d.Message, d.Hint = "there is no function "+function+" in "+m.path+"; there are: "+strings.Join(names, ", "), "use the name of the function in its file, with `-` for `_`"
	}
	return m.path, ir.Mentions{}, &d
}

// function finds a function by its name in rules, which has `-` instead of `_`.
func (m *module) function(name string) starlark.Callable {
	if fn := m.funcs[name]; fn != nil {
		return fn
	}
	return m.funcs[strings.ReplaceAll(name, "-", "_")]
}

// functions lists the functions that rules can name.
func (m *module) functions() []string {
	var names []string
	for n := range m.funcs {
		if !strings.HasPrefix(n, "_") && !strings.Contains(n, " ") {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// Register turns what the file of a `use hooks` registers into declarations. They are in a file of their own, and have
// the positions of the calls.
func (l *Library) Register(user string, use *ast.Use) (*ast.File, diag.List) {
	m := l.load(user, use.File.Value)
	if m.err != nil {
		return nil, diag.List{m.diagnostic(user, use)}
	}
	return m.declarations(user, use)
}

// diagnostic says why a file could not be loaded, with the position in that file if there is one.
func (m *module) diagnostic(user string, use *ast.Use) diag.Diagnostic {
	e := m.err
	d := diag.Diagnostic{File: user, Span: use.File.Span, Severity: diag.Error, Code: "starlark", Message: e.Message, Hint: e.Hint}
	if at := e.At(); at.Line > 0 {
		d.File, d.Span = m.displayPath(at.File), spanAt(at.Line, at.Col)
		d.Related = append(d.Related, diag.Related{File: user, Span: use.File.Span, Message: "used here"})
		for i := len(e.Frames) - 2; i >= 0; i-- {
			f := e.Frames[i]
			d.Related = append(d.Related, diag.Related{File: m.displayPath(f.File), Span: spanAt(f.Line, f.Col), Message: "called here"})
		}
	}
	return d
}

// spanAt is a span of one character.
func spanAt(line, column int) ast.Span {
	start := ast.Pos{Line: line, Column: column}
	end := start
	end.Column++
	return ast.Span{Start: start, End: end}
}

// Sources returns the contents of all files that were read, by path, as shown.
func (l *Library) Sources() map[string][]byte {
	all := map[string][]byte{}
	for _, m := range l.modules {
		if m.loaded == nil {
			continue
		}
		for _, f := range m.loaded.Files {
			all[m.displayPath(f.Name)] = f.Text
		}
	}
	return all
}
