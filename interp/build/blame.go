package build

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file finds the change that causes errors in a ruleset that others extend. Such a ruleset is correct by itself,
// but a descendant has overridden or removed something it needs. The change is found by experiment: without it the
// errors disappear.

// maxTrials limits how often the rules are linked and checked again.
const maxTrials = 60

// blamer looks for the changes at fault.
type blamer struct {
	rulesets []*load.Ruleset
	script   *ast.File // nil: there is none
	parts    []*ast.File
	options  check.Options
	set      *link.Set // the linked set
	checked  *check.Checked

	remaining diag.List            // the remaining diagnostics without the changes found
	blamed    diag.List            // the diagnostics for the changes found
	without   map[*ast.Change]bool // the changes found
	ranks     map[string]int       // by file: rank of its ruleset, in the order of linking
	trials    int
}

// suspect is a change that may be at fault.
type suspect struct {
	node *ast.Change
	file string
	rank int // of its ruleset, in the order of linking
}

// blame returns the diagnostics, with those in files of a ruleset that were caused by a descendant's change replaced by
// one at that change.
func (b *blamer) blame(list diag.List) diag.List {
	b.remaining, b.ranks, b.without = list, map[string]int{}, map[*ast.Change]bool{}
	var all []suspect
	add := func(f *ast.File, rank int) {
		b.ranks[f.Path] = rank
		for _, cl := range f.Body {
			if n, ok := cl.(*ast.Change); ok && n.Word.Name != "extend" {
				all = append(all, suspect{n, f.Path, rank})
			}
		}
	}
	for _, r := range b.rulesets {
		if i := slices.Index(b.set.Rulesets, r.Name); i >= 0 {
			for _, f := range r.Files {
				add(f, i)
			}
		}
	}
	last := len(b.set.Rulesets)
	if b.script != nil {
		add(b.script, last)
	}
	for _, f := range b.parts {
		add(f, last)
	}
	for rank := last; rank > 0 && len(b.errorsBefore(rank)) > 0; rank-- { // suspect the last ruleset first
		b.bisect(slices.DeleteFunc(slices.Clone(all), func(s suspect) bool { return s.rank != rank }))
	}
	if len(b.without) == 0 {
		return list
	}
	known := map[diagKey]bool{}
	for _, d := range list {
		known[diagKeyOf(d)] = true
	}
	for _, d := range b.remaining {
		if known[diagKeyOf(d)] { // else it is a consequence of leaving out changes
			b.blamed = append(b.blamed, d)
		}
	}
	b.blamed.Sort()
	return b.blamed
}

// try links and checks the rules without some of the changes.
func (b *blamer) try(without map[*ast.Change]bool) (*check.Checked, diag.List) {
	dropChanges := func(files []*ast.File) (list []*ast.File) {
		for _, f := range files {
			g := *f
			g.Body = slices.DeleteFunc(slices.Clone(f.Body), func(cl ast.Clause) bool {
				n, ok := cl.(*ast.Change)
				return ok && without[n]
			})
			list = append(list, &g)
		}
		return list
	}
	var rulesets []*load.Ruleset
	for _, r := range b.rulesets {
		x := *r
		x.Files = dropChanges(r.Files)
		rulesets = append(rulesets, &x)
	}
	script := b.script
	if script != nil {
		script = dropChanges([]*ast.File{script})[0]
	}
	set, list := link.Link(rulesets, script, dropChanges(b.parts)...)
	checked, more := check.Check(set, b.options)
	return checked, append(list, more...)
}

// diagKey identifies a diagnostic by its position and code.
type diagKey struct {
	file  string
	start ast.Pos
	code  string
}

func diagKeyOf(d diag.Diagnostic) diagKey { return diagKey{d.File, d.Span.Start, d.Code} }

// messageKey identifies a diagnostic, including its message.
type messageKey struct {
	diagKey
	message string
}

func messageKeyOf(d diag.Diagnostic) messageKey { return messageKey{diagKeyOf(d), d.Message} }

// errorsBefore returns the errors in the files of rulesets before a rank.
func (b *blamer) errorsBefore(rank int) (found diag.List) {
	for _, d := range b.remaining {
		if r, ok := b.ranks[d.File]; ok && r < rank && d.Severity == diag.Error {
			found = append(found, d)
		}
	}
	return found
}

// bisect tests a group of changes of one rank, and bisects it until it has found the changes at fault.
func (b *blamer) bisect(group []suspect) {
	if len(group) == 0 || b.trials == maxTrials {
		return
	}
	b.trials++
	without := maps.Clone(b.without)
	for _, s := range group {
		without[s.node] = true
	}
	fixed, list := b.try(without)
	left := map[messageKey]bool{}
	for _, d := range list {
		left[messageKeyOf(d)] = true
	}
	caused := slices.DeleteFunc(b.errorsBefore(group[0].rank), func(d diag.Diagnostic) bool { return left[messageKeyOf(d)] })
	switch {
	case len(caused) == 0:
	case len(group) == 1:
		b.report(group[0], caused, fixed)
		b.remaining, b.without = list, without
	default:
		b.bisect(group[:len(group)/2])
		b.bisect(group[len(group)/2:])
	}
}

// report reports the errors that a change has caused, unless there already is a diagnostic at the change.
func (b *blamer) report(s suspect, caused diag.List, fixed *check.Checked) {
	reported := false
	if s.node.Body != nil {
		for cl := range ast.WithNested(s.node.Body.Clauses...) {
			if _, bad := cl.(*ast.Bad); bad {
				reported = true // by the parser
			}
		}
	}
	whole := s.node.Span
	for _, d := range b.remaining {
		at := d.Span.Start // registrations in Starlark have only a position, no extent
		if d.File == s.file && (at == whole.Start || whole.Start.Offset <= at.Offset && at.Offset < whole.End.Offset) {
			reported = true
			b.blamed = append(b.blamed, d)
		}
	}
	if !reported {
		b.blamed = append(b.blamed, b.diagnose(s, caused, fixed))
	}
}

// maxRelated limits the related places of a diagnostic.
const maxRelated = 3

// diagnose returns the diagnostic for a change: a name that is no longer bound, a different type, or else the errors it
// has caused.
func (b *blamer) diagnose(s suspect, caused diag.List, fixed *check.Checked) diag.Diagnostic {
	d := diag.Diagnostic{File: s.file, Span: s.node.Path.Span, Severity: diag.Error}
	path := link.PathText(&s.node.Path)
	message := "" // of the related places
	if names := b.unboundNames(s, caused); len(names) > 0 {
		d.Span, d.Code, message = s.node.Span, "unbound-name", "it is used here"
		d.Message = "this no longer declares " + strings.Join(names, ", ") + ", which is still used"
		d.Hint = check.UnboundHint(names[0])
	} else if was, now := fixed.TypeOf(path), b.checked.TypeOf(path); was != now && was != "" && now != "" {
		d.Code, message = "wrong-type", "it is used as that here"
		d.Message = fmt.Sprintf("this is %s, but %s is %s", now, path, was)
		d.Hint = "an override keeps the type, since other rules read it"
		if s.node.Value != nil {
			d.Span = s.node.Value.Extent()
		}
	} else {
		d.Code = caused[0].Code
		d.Message = "this change breaks something else: " + caused[0].Message
		d.Hint = "make it fit the code that reads it, or change that too"
		if d.Code == "cycle" {
			d.Message, d.Hint, message = caused[0].Message, caused[0].Hint, "it is declared here"
		}
	}
	for _, x := range caused[:min(len(caused), maxRelated)] {
		d.Related = append(d.Related, diag.Related{File: x.File, Span: x.Span, Message: cmp.Or(message, x.Message)})
	}
	return d
}

// unboundNames returns the names that a step no longer binds because of a change, if possible only those that are
// missed.
func (b *blamer) unboundNames(s suspect, caused diag.List) []string {
	var names, missed []string
	for _, path := range slices.Sorted(maps.Keys(b.set.Unbound)) {
		if o := b.set.Unbound[path]; o.File != s.file || o.Span.Start != s.node.Span.Start {
			continue
		}
		name := path[strings.LastIndexByte(path, '.')+1:]
		names = append(names, name)
		if slices.ContainsFunc(caused, func(d diag.Diagnostic) bool { return slices.Contains(strings.Fields(d.Message), name) }) {
			missed = append(missed, name)
		}
	}
	if missed != nil {
		return missed
	}
	return names
}
