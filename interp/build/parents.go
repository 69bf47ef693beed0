package build

import (
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// Parents links the rules that a file builds on, without itself: what its ruleset extends, or the rules of a script.
// Nothing is checked, and conflicts that the ruleset would settle remain.
func Parents(path string, o Options) (*link.Set, diag.List, error) {
	src, err := o.read(path)
	if err != nil {
		return nil, nil, err
	}
	f, diags := parse.File(path, src)
	h := load.HeaderOf(f)
	var set *link.Set
	var more diag.List
	switch {
	case h == nil:
		return nil, diags, nil
	case h.Word.Name == "ruleset":
		set, more, err = o.parents([]*ast.File{f}, path, nil)
	default:
		set, more, err = o.linkNamed(path, withNames(h))
	}
	return set, append(diags, more...), err
}

// ParentsNamed is Parents for a ruleset by name or, without a name, for the last house ruleset of the options.
func ParentsNamed(o Options, names ...string) (*link.Set, diag.List, error) {
	return o.parents(nil, "", names)
}

// parents links all rulesets except the last.
func (o *Options) parents(parsed []*ast.File, path string, names []string) (*link.Set, diag.List, error) {
	input, diags, err := o.load(parsed, path, names, nil)
	if err != nil || diags.HasErrors() || len(input.rulesets) == 0 {
		return nil, diags, err
	}
	rs := input.rulesets
	last := rs[len(rs)-1]
	extends := strings.Join(last.Extends, ", ")
	load.Exclude(rs, []string{last.Name}, nil)
	set, more := link.Link(rs, nil)
	set.Name = extends
	more = slices.DeleteFunc(more, func(d diag.Diagnostic) bool { return d.Code == "conflict" })
	return set, append(diags, more...), nil
}

// linkNamed links the rulesets that the script at a path names.
func (o *Options) linkNamed(path string, names []string) (*link.Set, diag.List, error) {
	input, diags, err := o.load(nil, path, names, nil)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	set, more := link.Link(input.rulesets, nil)
	set.Name = strings.Join(names, ", ")
	return set, append(diags, more...), nil
}

// Linked links a file with the rules that it builds on, whatever mistakes there are, so that what it declares can be
// found by name. files are the others of its adventure. Nothing is checked. It returns nil for a file without a header.
func Linked(f *ast.File, o Options, files ...*ast.File) *link.Set {
	h := load.HeaderOf(f)
	if h == nil {
		return nil
	}
	var input *buildInput
	var set *link.Set
	if h.Word.Name == "ruleset" {
		if input, _, _ = o.load([]*ast.File{f}, f.Path, nil, nil); input != nil {
			set, _ = link.Link(input.rulesets, nil)
		}
	} else if input, _, _ = o.load(nil, f.Path, withNames(h), f, files...); input != nil {
		set, _ = link.Link(input.rulesets, f, files...)
	}
	return set
}
