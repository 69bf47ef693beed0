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

// mostTrials limits how often the rules are linked and checked again.
const mostTrials = 60

// blamer looks for the changes at fault.
type blamer struct {
	rulesets []*load.Ruleset
	script   *ast.File // nil: there is none
	beside   []*ast.File
	options  check.Options
	set      *link.Set // the linked set
	now      *check.Checked

	list    diag.List            // the remaining diagnostics without the changes found
	told    diag.List            // the diagnostics for the changes found
	without map[*ast.Change]bool // the changes found
	ranks   map[string]int       // by file: rank of its ruleset, in the order of linking
	trials  int
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
	b.list, b.ranks, b.without = list, map[string]int{}, map[*ast.Change]bool{}
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
	for _, f := range b.beside {
		add(f, last)
	}
	for rank := last; rank > 0 && len(b.foreign(rank)) > 0; rank-- { // suspect the last ruleset first
		b.find(slices.DeleteFunc(slices.Clone(all), func(s suspect) bool { return s.rank != rank }))
	}
	if len(b.without) == 0 {
		return list
	}
	known := map[place]bool{}
	for _, d := range list {
		known[placeOf(d)] = true
	}
	for _, d := range b.list {
		if known[placeOf(d)] { // else it is a consequence of leaving out changes
			b.told = append(b.told, d)
		}
	}
	b.told.Sort()
	return b.told
}

// try links and checks the rules without some of the changes.
func (b *blamer) try(without map[*ast.Change]bool) (*check.Checked, diag.List) {
	less := func(files []*ast.File) (list []*ast.File) {
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
		x.Files = less(r.Files)
		rulesets = append(rulesets, &x)
	}
	script := b.script
	if script != nil {
		script = less([]*ast.File{script})[0]
	}
	set, list := link.Link(rulesets, script, less(b.beside)...)
	checked, more := check.Open(set, b.options)
	return checked, append(list, more...)
}

// place identifies a diagnostic by its position and code.
type place struct {
	file string
	at   ast.Pos
	code string
}

func placeOf(d diag.Diagnostic) place { return place{d.File, d.Span.Start, d.Code} }

// mistake identifies a diagnostic, including its message.
type mistake struct {
	place
	message string
}

func idOf(d diag.Diagnostic) mistake { return mistake{placeOf(d), d.Message} }

// foreign returns the errors in the files of rulesets before a rank.
func (b *blamer) foreign(rank int) (found diag.List) {
	for _, d := range b.list {
		if r, ok := b.ranks[d.File]; ok && r < rank && d.Severity == diag.Error {
			found = append(found, d)
		}
	}
	return found
}

// find tests a group of changes of one rank, and bisects it until it has found the changes at fault.
func (b *blamer) find(group []suspect) {
	if len(group) == 0 || b.trials == mostTrials {
		return
	}
	b.trials++
	without := maps.Clone(b.without)
	for _, s := range group {
		without[s.node] = true
	}
	then, list := b.try(without)
	left := map[mistake]bool{}
	for _, d := range list {
		left[idOf(d)] = true
	}
	caused := slices.DeleteFunc(b.foreign(group[0].rank), func(d diag.Diagnostic) bool { return left[idOf(d)] })
	switch {
	case len(caused) == 0:
	case len(group) == 1:
		b.tell(group[0], caused, then)
		b.list, b.without = list, without
	default:
		b.find(group[:len(group)/2])
		b.find(group[len(group)/2:])
	}
}

// tell reports the errors that a change has caused, unless there already is a diagnostic at the change.
func (b *blamer) tell(s suspect, caused diag.List, then *check.Checked) {
	said := false
	if s.node.Body != nil {
		for cl := range ast.Deep(s.node.Body.Clauses...) {
			if _, bad := cl.(*ast.Bad); bad {
				said = true // by the parser
			}
		}
	}
	whole := s.node.Span
	for _, d := range b.list {
		at := d.Span.Start // registrations in Starlark have only a position, no extent
		if d.File == s.file && (at == whole.Start || whole.Start.Offset <= at.Offset && at.Offset < whole.End.Offset) {
			said = true
			b.told = append(b.told, d)
		}
	}
	if !said {
		b.told = append(b.told, b.what(s, caused, then))
	}
}

// mostRelated limits the related places of a diagnostic.
const mostRelated = 3

// what returns the diagnostic for a change: a name that is no longer bound, a different type, or else the errors it has
// caused.
func (b *blamer) what(s suspect, caused diag.List, then *check.Checked) diag.Diagnostic {
	d := diag.Diagnostic{File: s.file, Span: s.node.Path.Span, Severity: diag.Error}
	path := link.PathText(&s.node.Path)
	message := "" // of the related places
	if names := b.lost(s, caused); len(names) > 0 {
		d.Span, d.Code, message = s.node.Span, "unbound-name", "it is used here"
		d.Message = "this no longer declares " + strings.Join(names, ", ") + ", which is still used"
		d.Hint = "declare it: let " + names[0] + " = ..."
	} else if was, now := then.TypeOf(path), b.now.TypeOf(path); was != now && was != "" && now != "" {
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
	for _, x := range caused[:min(len(caused), mostRelated)] {
		d.Related = append(d.Related, diag.Related{File: x.File, Span: x.Span, Message: cmp.Or(message, x.Message)})
	}
	return d
}

// lost returns the names that a step no longer binds because of a change, if possible only those that are missed.
func (b *blamer) lost(s suspect, caused diag.List) []string {
	var names, missed []string
	for _, path := range slices.Sorted(maps.Keys(b.set.Lost)) {
		if o := b.set.Lost[path]; o.File != s.file || o.Span.Start != s.node.Span.Start {
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
