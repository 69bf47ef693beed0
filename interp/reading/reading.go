// Package reading makes creatures of the language from sheets, and compares what the rules compute for them with what
// the sheets state.
//
// What a label means is not known here. It stands beside the rules, in a file reading.star of the ruleset: which labels
// there are, and a function that turns a sheet into a draft, the parts of a creature. The package runs that function in
// the sandbox of Starlark, writes the drafts as a file of rules in canonical form, and tries it: what the rules do not
// accept becomes a comment, so that a file that has been read always checks. A ruleset without a reading of its own
// uses that of the ruleset it extends. The way back is the same: a file writing.star says in which forms a creature is
// written.
//
// The package must never know a label, a figure or a rule, and never know how anything is shown.
package reading

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"arbiter/interp/build"
	"arbiter/interp/sandbox"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/stdlib/statblock"
)

// fileName is the name of the file with the reading, in the folder of its ruleset.
const fileName = "reading" + sandbox.Suffix

// Reader reads sheets for one ruleset. It must not be used by two goroutines at the same time.
type Reader struct {
	Ruleset    string   // for which it reads
	Extends    []string // what the rules that it writes extend
	Vocabulary statblock.Vocabulary
	File       string // of the reading, as shown

	tools
	place
	function  *sandbox.Func
	lends     []string        // rulesets of which a creature may need something
	onRequest bool            // the reading fits other systems' blocks as well, and is not chosen by what is in a source
	taken     map[string]bool // names that have been given
	silent    map[string]bool // words that mean nothing by themselves, as letters
}

// place is where rulesets are looked for.
type place struct {
	options build.Options
	dir     string
}

// limits of a reading, which is larger and works longer than a hook.
var limits = sandbox.Limits{Steps: 20_000_000, Bytes: 256 << 20, File: 256 << 10}

// NoReadingError says that nothing tells how blocks are read for a ruleset.
type NoReadingError struct{ Ruleset string }

func (e *NoReadingError) Error() string {
	return fmt.Sprintf("%s has no reading of its own, nor has any ruleset that it extends: write a file %s in its folder", e.Ruleset, fileName)
}

// New returns the Reader for a ruleset, embedded or in the folder dir.
func New(o build.Options, dir, ruleset string) (*Reader, diag.List, error) {
	r := &Reader{Ruleset: ruleset, tools: newTools(), place: place{o, dir}, taken: map[string]bool{}}
	s, diags, err := r.build([]string{ruleset}, "")
	if err != nil || s.Rules == nil {
		return nil, diags, err
	}
	if src, name := r.nearest(s.Rules.Rulesets(), fileName); src != nil {
		r.File = name
		if err := r.load(src, path.Base(name)); err != nil {
			return nil, nil, err
		}
		r.Extends = r.extends()
		if s, diags, err = r.build(slices.Concat(r.Extends, r.lends), ""); err != nil || s.Rules == nil {
			return nil, diags, err
		}
		r.oracle = session.NewOracle(s)
		return r, nil, nil
	}
	return nil, nil, &NoReadingError{ruleset}
}

// trial is the name of the rulesets that are built to try what has been read.
const trial = "reading-trial"

// build builds a ruleset of that name, with a text behind the header.
func (p *place) build(extends []string, text string) (*build.Script, diag.List, error) {
	src := "ruleset " + trial + " extends " + strings.Join(extends, ", ") + "\n" + text
	return build.Source(filepath.Join(p.dir, trial+".rules"), []byte(src), p.options)
}

// nearest returns the source with a file of that name of the last of the rulesets that has one, and the file's name as
// shown. nil if none has.
func (p *place) nearest(rulesets []string, file string) (sandbox.Source, string) {
	for i := len(rulesets) - 1; i >= 0; i-- {
		if rulesets[i] == trial { // the file of the trial stands in the same folder
			continue
		}
		if src, name := p.source(rulesets[i], file); src != nil {
			return src, name
		}
	}
	return nil, ""
}

// source returns where a file of a ruleset is: in the library, in the user's folder, or beside the user's file. nil if
// it has none.
func (p *place) source(ruleset, file string) (sandbox.Source, string) {
	if lib := p.options.Library; lib != nil {
		if sub, err := fs.Sub(lib, ruleset); err == nil {
			if _, err := fs.Stat(sub, file); err == nil {
				return sandbox.FS(sub), ruleset + "/" + file
			}
		}
	}
	folder := filepath.Join(p.dir, ruleset)
	if _, err := sandbox.Folder(folder).Read(file); err == nil {
		return sandbox.Folder(folder), filepath.ToSlash(filepath.Join(folder, file))
	}
	beside := ruleset + "." + file
	if _, err := sandbox.Folder(p.dir).Read(beside); err == nil {
		return sandbox.Folder(p.dir), filepath.ToSlash(filepath.Join(p.dir, beside))
	}
	return nil, ""
}

// load runs the file of the reading, and takes what it defines.
func (r *Reader) load(src sandbox.Source, name string) error {
	more := map[string]function{"attacks": r.attacks, "damage": r.damage, "leaves": r.leaves, "fresh": r.fresh}
	m, err := sandbox.Load(src, name, sandbox.Env{Names: r.functions(more), Library: r.options.Library}, limits)
	if err != nil {
		return failed(r.File, err)
	}
	fn, ok := m.Value("read").(starlark.Callable)
	if !ok {
		return fmt.Errorf("%s defines no function read", r.File)
	}
	r.function = sandbox.Prepare(fn)
	r.onRequest = bool(orNone(m.Value("on_request")).Truth())
	v := &r.Vocabulary
	labels, ok := m.Value("labels").(*starlark.Dict)
	if !ok {
		return fmt.Errorf("%s defines no dict labels", r.File)
	}
	if v.Labels, err = namesOf(labels, "labels"); err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	if columns, ok := m.Value("columns").(*starlark.Dict); ok {
		if v.Columns, err = namesOf(columns, "columns"); err != nil {
			return fmt.Errorf("%s: %w", r.File, err)
		}
	}
	for _, x := range []struct {
		name string
		to   *[]string
	}{{"bare", &v.Bare}, {"numbers", &v.Numbers}, {"alone", &v.Alone}, {"opening", &v.Opening}, {"hyphens", &v.Hyphens}, {"above", &v.Above}, {"records", &v.Records}, {"texts", &v.Texts}, {"needs", &v.Needs}, {"writes", &r.Extends}, {"lends", &r.lends}} {
		if *x.to, err = stringsOf(m.Value(x.name), x.name); err != nil {
			return fmt.Errorf("%s: %w", r.File, err)
		}
	}
	silent, err := stringsOf(m.Value("silent"), "silent")
	if err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	r.silent = map[string]bool{}
	for _, w := range silent {
		r.silent[letters(w)] = true
	}
	signs, err := stringsOf(m.Value("signs"), "signs")
	if err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	for _, pattern := range signs {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return fmt.Errorf("%s: signs: %w", r.File, err)
		}
		v.Signs = append(v.Signs, re)
	}
	for _, x := range []struct {
		name string
		to   **regexp.Regexp
	}{{"heading", &v.Heading}, {"between", &v.Between}} {
		if pattern, ok := starlark.AsString(orNone(m.Value(x.name))); ok {
			if *x.to, err = regexp.Compile(pattern); err != nil {
				return fmt.Errorf("%s: %s: %w", r.File, x.name, err)
			}
		}
	}
	return nil
}

// extends lists what the rules that are written extend: what the reading says, and the ruleset itself if that does not
// contain it.
func (r *Reader) extends() []string {
	if len(r.Extends) == 0 {
		return []string{r.Ruleset}
	}
	s, _, err := r.build(r.Extends, "")
	if err == nil && s.Rules != nil {
		for _, name := range s.Rules.Rulesets() {
			if name == r.Ruleset {
				return r.Extends
			}
		}
	}
	return append([]string{r.Ruleset}, r.Extends...)
}

// bases lists what rules with these drafts extend: what all do, and what one of the drafts needs besides.
func (r *Reader) bases(drafts []*Draft) []string {
	return append(slices.Clone(r.Extends), slices.DeleteFunc(slices.Clone(r.lends), func(name string) bool {
		return !slices.ContainsFunc(drafts, func(d *Draft) bool { return slices.Contains(d.Borrows, name) })
	})...)
}

// failed puts an error of the sandbox into words, with the place in the file.
func failed(file string, err error) error {
	var e *sandbox.Error
	if !errors.As(err, &e) {
		return err
	}
	text := e.Message
	if at := e.At(); at.Line > 0 {
		name := path.Join(path.Dir(file), at.File)
		if shared, ok := strings.CutPrefix(at.File, sandbox.Library); ok {
			name = shared
		}
		text = fmt.Sprintf("%s:%d:%d: %s", name, at.Line, at.Col, text)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return errors.New(text)
}

// namesOf returns the lists of strings of a dict.
func namesOf(d *starlark.Dict, what string) (map[string][]string, error) {
	names := map[string][]string{}
	for _, item := range d.Items() {
		key, ok := starlark.AsString(item[0])
		if !ok {
			return nil, fmt.Errorf("a key of %s is not a string", what)
		}
		list, err := stringsOf(item[1], what)
		if err != nil {
			return nil, err
		}
		names[key] = list
	}
	return names, nil
}

// stringsOf returns the strings of a list or a tuple; none for a value that is missing.
func stringsOf(v starlark.Value, what string) ([]string, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("%s is not a list of strings", what)
	}
	var list []string
	it := seq.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		s, ok := starlark.AsString(x)
		if !ok {
			return nil, fmt.Errorf("%s is not a list of strings", what)
		}
		list = append(list, s)
	}
	return list, nil
}

func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}
