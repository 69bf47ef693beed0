package reading

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"arbiter/interp/build"
	"arbiter/interp/sandbox"
	"arbiter/interp/session"
)

// This file writes creatures of the language in the forms that other people use, as the rules say.

// writingName is the name of the file with the forms, in the folder of its ruleset.
const writingName = "writing" + sandbox.Suffix

// Writer writes creatures of one ruleset. It must not be used by two goroutines at the same time.
type Writer struct {
	File  string   // of the forms, as shown
	Forms []string // their names

	leavesOut *regexp.Regexp // names of creatures that are there for others to extend; nil for none

	tools
	rules *build.Rules
	forms map[string]*sandbox.Func
	shown *session.Specimen
}

// NoWritingError says that nothing tells how creatures of a ruleset are written.
type NoWritingError struct{ Ruleset string }

func (e *NoWritingError) Error() string {
	return fmt.Sprintf("%s does not say how its creatures are written, nor does any ruleset that it extends: write a file %s in its folder", e.Ruleset, writingName)
}

// NewWriter returns the Writer for the creatures of rules whose files are embedded or in the folder dir.
func NewWriter(o build.Options, dir string, r *build.Rules) (*Writer, error) {
	w := &Writer{tools: newTools(), rules: r, forms: map[string]*sandbox.Func{}}
	p := place{o, dir}
	src, name := p.nearest(r.Rulesets(), writingName)
	if src == nil {
		return nil, &NoWritingError{r.Name}
	}
	w.File = name
	more := map[string]function{"terms": w.terms}
	m, err := sandbox.Load(src, path.Base(name), sandbox.Env{Names: w.functions(more), Library: o.Library}, limits)
	if err != nil {
		return nil, failed(name, err)
	}
	forms, ok := m.Value("forms").(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("%s defines no dict forms", name)
	}
	for _, item := range forms.Items() {
		fn, ok := item[1].(starlark.Callable)
		if !ok {
			return nil, fmt.Errorf("%s: the form %s is no function", name, str(item[0]))
		}
		w.forms[str(item[0])] = sandbox.Prepare(fn)
	}
	w.Forms = slices.Sorted(maps.Keys(w.forms))
	if pattern, ok := starlark.AsString(m.Value("leaves_out")); ok {
		if w.leavesOut, err = regexp.Compile(pattern); err != nil {
			return nil, fmt.Errorf("%s: leaves_out: %w", name, err)
		}
	}
	return w, nil
}

// Creatures lists those that a ruleset declares in its own files and that are worth writing, sorted.
func (w *Writer) Creatures(ruleset string) []string {
	return slices.DeleteFunc(session.Creatures(w.rules, ruleset), func(name string) bool {
		return w.leavesOut != nil && w.leavesOut.MatchString(name)
	})
}

// Write returns a creature in one of the forms: as text, or as JSON if the form is a value.
func (w *Writer) Write(creature, form string) ([]byte, error) {
	s, err := session.NewSpecimen(w.rules, creature)
	if err != nil {
		return nil, err
	}
	w.oracle, w.shown = s, s
	defer func() { w.oracle, w.shown = nil, nil }()
	x := dict("name", starlark.String(creature), "doc", starlark.String(s.Doc), "chain", list(s.Chain), "ruleset", starlark.String(s.From), "traits", traitValues(s.Traits()))
	v, err := w.thread.Run(w.forms[form], starlark.Tuple{x}, nil)
	if err != nil {
		return nil, failed(w.File, err)
	}
	if text, ok := starlark.AsString(v); ok {
		return []byte(text), nil
	}
	plain, err := plainValue(v, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", w.File, form, err)
	}
	text, err := json.MarshalIndent(plain, "", "  ")
	return append(text, '\n'), err
}

func traitValues(list []session.Trait) *starlark.List {
	var values []starlark.Value
	for _, t := range list {
		with := starlark.NewDict(len(t.With))
		for _, v := range t.With {
			with.SetKey(starlark.String(v.Name), starlark.String(v.Value))
		}
		values = append(values, dict("name", starlark.String(t.Name), "word", starlark.String(t.Word), "doc", starlark.String(t.Doc), "with", with))
	}
	return starlark.NewList(values)
}

// terms(expression) returns the terms of a number of the creature that count, each with its name, its value and the type
// of bonus; None if the rules cannot say it.
func (w *Writer) terms(args starlark.Tuple) (starlark.Value, error) {
	var expr string
	if err := texts("terms", args, &expr); err != nil {
		return nil, err
	}
	if w.shown == nil {
		return nil, sandbox.Refuse("ask inside of a function", "terms: the creature is not there yet")
	}
	if err := w.thread.Charge(8192, 4000); err != nil {
		return nil, err
	}
	parts, ok := w.shown.Parts(expr)
	if !ok {
		return starlark.None, nil
	}
	var all []starlark.Value
	for _, p := range parts {
		n, err := strconv.Atoi(p.Value)
		if err != nil {
			continue
		}
		all = append(all, dict("name", starlark.String(p.Name), "value", starlark.MakeInt(n), "type", starlark.String(p.Type)))
	}
	return starlark.NewList(all), nil
}

// plainValue makes a value for encoding/json of one of Starlark.
func plainValue(v starlark.Value, depth int) (any, error) {
	if depth > maxValueDepth {
		return nil, fmt.Errorf("a value is nested more than %d deep", maxValueDepth)
	}
	switch x := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(x), nil
	case starlark.String:
		return string(x), nil
	case starlark.Int:
		return json.Number(x.String()), nil
	case starlark.Float:
		return float64(x), nil
	case *starlark.Dict:
		m := map[string]any{}
		for _, item := range x.Items() {
			key, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("a key is a %s, and not a string", item[0].Type())
			}
			inner, err := plainValue(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			m[key] = inner
		}
		return m, nil
	case starlark.Indexable:
		values := []any{}
		for i := range x.Len() {
			inner, err := plainValue(x.Index(i), depth+1)
			if err != nil {
				return nil, err
			}
			values = append(values, inner)
		}
		return values, nil
	}
	return nil, fmt.Errorf("a %s cannot be written", v.Type())
}
