package build

import (
	"slices"

	"arbiter/interp/compile"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file builds a ruleset of several files once for all of them: whichever of them is built, the rules are the same.
// They are shared as those of scripts are, but known by the trees that they were built from: loading keeps one for each
// text, so equal trees are the same.

// wholeOnce is whole for a ruleset. What it returns is for the caller alone.
func (o *Options) wholeOnce(input *buildInput, compileOptions compile.Options) (*Rules, diag.List, error) {
	n := len(input.rulesets)
	if n == 0 || len(input.rulesets[n-1].Files) < 2 || o.Apart || len(o.Without) > 0 || compileOptions.Neutral != nil || usesStarlark(input) {
		return o.whole(input, nil, nil, false, compileOptions)
	}
	var trees []*ast.File
	for _, r := range input.rulesets {
		trees = append(trees, r.Files...)
	}
	e := sharedFor("trees of "+o.key([]string{input.rulesets[n-1].Name}, nil, nil, compileOptions), false)
	known := func() *base { return e.find(func(b *base) bool { return slices.Equal(b.trees, trees) }) }
	b := known()
	if b == nil {
		defer e.lock(o)()
		b = known() // built meanwhile
	}
	if b == nil {
		r, diags, err := o.whole(input, nil, nil, false, compileOptions)
		if r == nil || err != nil {
			return r, diags, err
		}
		b = &base{rules: r, trail: trail{Diags: diags}, trees: trees}
		e.add(b)
	}
	r, _, err := b.rules.with(nil, nil, compileOptions)
	return r, slices.Clone(b.trail.Diags), err
}
