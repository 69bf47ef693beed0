package build

import (
	"slices"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file finds mistakes in a ruleset while it is typed: what it declares and changes is linked above the rulesets that
// it extends, which stay as they are, and nothing else is checked or compiled.

// Typed is a file that is typed. The zero value is one about which nothing is known yet. Its methods are not for
// concurrent use.
type Typed struct{ foundation *link.Foundation }

// Mistakes finds errors in the text of a ruleset that are in the file itself. There may be others, which File finds: what
// a change means for other definitions, and what only the whole shows; and File may know a better hint, that another
// ruleset declares what is missing here. ok is false where nothing can be said without the whole, as of a script, or of a
// ruleset that another file joins.
func (t *Typed) Mistakes(path string, src []byte, o Options) (errors diag.List, ok bool) {
	o.Stop = nil // it is soon over
	f, diags := parse.File(path, src)
	s := &Script{Path: path, File: f, Head: load.HeaderOf(f)}
	if s.Head == nil || s.Head.Word.Name != "ruleset" || s.IsPart() {
		return nil, false
	}
	input, more, err := o.load([]*ast.File{f}, path, nil, nil)
	if err != nil || more.HasErrors() {
		return nil, false
	}
	set, changed, more, foundation, ok := link.Above(t.foundation, input.rulesets)
	if t.foundation = foundation; !ok || link.Incompatible(more) {
		return nil, false
	}
	diags = append(diags, more...)
	diags = append(diags, check.Mistakes(set, changed, check.Options{KnownCitation: o.KnownCitation, Hook: input.hooks.Mentions})...)
	diags = dropConsequences(diags, []*ast.File{f})
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Severity != diag.Error || d.File != path })
	return sorted(dedupe(diags)), true
}
