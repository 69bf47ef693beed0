package build

import (
	"slices"
	"sync"

	"arbiter/interp/compile"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file builds a ruleset of several files once for all of them: whichever of them is built, the rules are the same.

// latest are the rules of the last ruleset that was built from several files. The trees are those that loading keeps for
// a text, so equal trees are the same.
var latest struct {
	sync.Mutex
	key   string
	files []*ast.File
	rules *Rules
	diags diag.List
}

// wholeOnce is whole for a ruleset. What it returns is for the caller alone.
func (o *Options) wholeOnce(input *buildInput, compileOptions compile.Options) (*Rules, diag.List, error) {
	n := len(input.rulesets)
	if n == 0 || len(input.rulesets[n-1].Files) < 2 || o.Apart || len(o.Without) > 0 || compileOptions.Neutral != nil || usesStarlark(input) {
		return o.whole(input, nil, nil, false, compileOptions)
	}
	var files []*ast.File
	for _, r := range input.rulesets {
		files = append(files, r.Files...)
	}
	key := o.key(nil, nil, nil, compileOptions)
	latest.Lock()
	defer latest.Unlock()
	if latest.key != key || !slices.Equal(latest.files, files) {
		r, diags, err := o.whole(input, nil, nil, false, compileOptions)
		if r == nil || err != nil {
			return r, diags, err
		}
		latest.key, latest.files, latest.rules, latest.diags = key, files, r, diags
	}
	r, _, err := latest.rules.with(nil, nil, compileOptions)
	return r, slices.Clone(latest.diags), err
}

// with returns a copy of rules with the things and tactics of the files of a script; see link.Split.
func (r *Rules) with(additions []*ast.File, creatures map[string]int64, compileOptions compile.Options) (*Rules, diag.List, error) {
	set, added := r.set.With(additions...)
	checked, diags := r.Checked.With(set, added, creatures)
	if diags.HasErrors() {
		return nil, diags, nil
	}
	p, err := compile.With(r.Program, checked.Ruleset, compileOptions)
	if err != nil {
		return nil, diags, err
	}
	again := *r
	again.set, again.Checked, again.Program = set, checked, p
	again.House = slices.Clone(r.House)
	return &again, diags, nil
}
