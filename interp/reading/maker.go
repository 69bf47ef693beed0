package reading

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"go.starlark.net/starlark"

	"arbiter/interp/build"
	"arbiter/interp/sandbox"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"
)

// This file makes creatures of others that the rules have, as the rules say.

// makingName is the name of the file that says how, in the folder of its ruleset.
const makingName = "making" + sandbox.Suffix

// Maker makes creatures of the words that describe them. It must not be used by two goroutines at the same time.
type Maker struct {
	Reader
	rules *build.Rules
}

// Step is one thing that was done to make a creature, and why.
type Step struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// NoMakingError says that nothing tells how creatures of a ruleset are made.
type NoMakingError struct {
	Ruleset string
	Others  []string // the built-in rulesets of which something does
}

func (e *NoMakingError) Error() string {
	text := e.Ruleset + " does not say how creatures are made of others, nor does any ruleset that it extends: "
	if len(e.Others) > 0 {
		text += "name one that does, such as --with " + e.Others[0] + ", or "
	}
	return text + fmt.Sprintf("write a file %s in its folder", makingName)
}

// usual is the line of a file that says how creatures are made for whoever names no ruleset.
var usual = pattern.New(`(?m)^usual\s*=\s*True\b`)

// Makers lists the rulesets of a library that say themselves how creatures are made of others: first the usual ones, then
// the others, each sorted.
func Makers(library fs.FS) (rulesets []string) {
	files, _ := fs.Glob(library, "*/"+makingName) // the pattern is no broken one
	var others []string
	for _, name := range files {
		if text, err := fs.ReadFile(library, name); err == nil && usual().Match(text) {
			rulesets = append(rulesets, path.Dir(name))
		} else {
			others = append(others, path.Dir(name))
		}
	}
	return append(rulesets, others...)
}

// NewMaker returns the Maker for a ruleset, embedded or in the folder dir.
func NewMaker(o build.Options, dir, ruleset string) (*Maker, diag.List, error) {
	m := &Maker{Reader: Reader{Ruleset: ruleset, Extends: []string{ruleset}, tools: newTools(), place: place{o, dir}, taken: map[string]bool{}}}
	s, diags, err := m.build(m.Extends, "")
	if err != nil || s.Rules == nil {
		return nil, diags, err
	}
	src, name := m.nearest(s.Rules.Rulesets(), makingName)
	if src == nil {
		return nil, nil, &NoMakingError{ruleset, Makers(o.Library)}
	}
	m.File = name
	f, err := sandbox.Load(src, path.Base(name), sandbox.Env{Names: m.functions(map[string]function{"fresh": m.fresh, "traits": m.traits, "creatures": m.creatures, "like": like}), Library: o.Library}, limits)
	if err != nil {
		return nil, nil, failed(name, err)
	}
	fn, ok := f.Value("make").(starlark.Callable)
	if !ok {
		return nil, nil, fmt.Errorf("%s defines no function make", name)
	}
	m.function = sandbox.Prepare(fn)
	m.oracle, m.rules = session.NewOracle(s), s.Rules
	return m, nil, nil
}

// traits(creature) lists the effects that a creature of the rules has by itself, as those of a writing.
func (m *Maker) traits(args starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := texts("traits", args, &name); err != nil {
		return nil, err
	}
	if m.rules == nil {
		return nil, sandbox.Refuse("ask inside of a function", "traits: the rules are not there yet")
	}
	s, err := session.NewSpecimen(m.rules, name)
	if err != nil {
		return nil, sandbox.Refuse("", "traits: %s", err)
	}
	return traitValues(s.Traits()), nil
}

// creatures() lists the names of all creatures of the rules, sorted.
func (m *Maker) creatures(args starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, sandbox.Refuse("", "creatures takes no arguments")
	}
	if m.rules == nil {
		return nil, sandbox.Refuse("ask inside of a function", "creatures: the rules are not there yet")
	}
	var names []string
	for _, ruleset := range m.rules.Rulesets() {
		names = append(names, session.Creatures(m.rules, ruleset)...)
	}
	slices.Sort(names)
	return list(names), nil
}

// like(word, words) returns the one of the words that a word may be a misspelling of, "" if there is none.
func like(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, sandbox.Refuse("", "like takes a string and a list of strings")
	}
	word, ok := starlark.AsString(args[0])
	among, isList := args[1].(starlark.Indexable)
	if !ok || !isList {
		return nil, sandbox.Refuse("", "like takes a string and a list of strings, and not a %s and a %s", args[0].Type(), args[1].Type())
	}
	names := make([]string, among.Len())
	for i := range names {
		names[i] = str(among.Index(i))
	}
	return starlark.String(words.Nearest(word, names)), nil
}

// Rules builds the rules with a creature that has been made.
func (m *Maker) Rules(d *Draft) (*build.Rules, error) {
	text, _ := m.trial([]*Draft{d})
	s, diags, err := m.build(m.Extends, text)
	switch {
	case err != nil:
		return nil, err
	case s.Rules == nil:
		return nil, errors.New(diags[0].Message)
	}
	return s.Rules, nil
}

// Make makes a creature. The rules of the result extend those of the maker.
func (m *Maker) Make(description string) (*Draft, error) {
	v, err := m.thread.Run(m.function, starlark.Tuple{starlark.String(description)}, nil)
	if err != nil {
		return nil, failed(m.File, err)
	}
	x, ok := v.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: make returned a %s instead of a dict", m.File, v.Type())
	}
	if problem := text(x, "problem"); problem != "" {
		return nil, errors.New(problem)
	}
	d, err := m.draftOf(x)
	if err != nil {
		return nil, err
	}
	for _, v := range elements(x, "steps") {
		parts, err := tuple(v, 2)
		if err != nil {
			return nil, fmt.Errorf("%s: steps: %w", m.File, err)
		}
		d.Steps = append(d.Steps, Step{str(parts[0]), str(parts[1])})
	}
	for _, v := range elements(x, "figures") {
		d.Figures = append(d.Figures, str(v))
	}
	return d, nil
}
