package link

import (
	"maps"
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file applies one change: it finds the definition that a path names, copies it, and edits the part. Every part
// that it inserts gets an origin, so that messages and explanations point to the ruleset it comes from.

// editor applies one change.
type editor struct {
	*linker
	n      *ast.Change
	path   string
	origin *Origin
	def    *Def
}

// fail reports at the path of the change.
func (e *editor) fail(code, message, hint string) {
	e.report(e.origin.File, e.n.Path.Span, code, message, hint)
}

// find returns the definition that a path names, and the rest of the path.
func (l *linker) find(p *ast.Path) (*Def, []ast.PathPart) {
	if len(p.Parts) == 0 {
		return nil, nil
	}
	first := p.Parts[0].Name.Name
	if len(p.Parts) > 1 && p.Parts[1].Keys == nil {
		if ds := l.byName[first+"."+p.Parts[1].Name.Name]; len(ds) > 0 {
			return ds[len(ds)-1], p.Parts[2:]
		}
	}
	ds := l.byName[first]
	if len(ds) == 0 {
		return nil, nil
	}
	// A thing takes precedence over a type of the same name.
	for _, d := range ds {
		switch d.Node.(type) {
		case *ast.Kind, *ast.Enum, *ast.Bonus, *ast.Role, *ast.Roll:
		default:
			return d, p.Parts[1:]
		}
	}
	if len(p.Parts) > 1 { // a kind may have several declarations: find the one with the field
		for _, d := range ds {
			if k, ok := d.Node.(*ast.Kind); ok && hasField(k, p.Parts[1].Name.Name) {
				return d, p.Parts[1:]
			}
		}
	}
	return ds[0], p.Parts[1:]
}

// hasField reports whether the declaration of a kind has a field.
func hasField(k *ast.Kind, field string) bool {
	if k.Body == nil {
		return false
	}
	for _, cl := range k.Body.Clauses {
		if f, ok := cl.(*ast.FieldDecl); ok && slices.ContainsFunc(f.Names, func(id ast.Ident) bool { return id.Name == field }) {
			return true
		}
	}
	return false
}

// edit applies a change without conflicts. A definition is copied before its first change, and so is the body of the
// change: the parsed files belong to the caller.
func (l *linker) edit(e *editor) {
	d, rest := l.findTarget(e.n)
	if d == nil || e.isForeign(d) { // whether a sibling's declaration is already there depends only on the names of the rulesets
		l.reportMissing(e)
		return
	}
	if !l.copied[d] {
		l.copied[d] = true
		d.Node = l.set.editable(d.Node)
	}
	if e.n.Body != nil { // later changes may edit what this one inserts
		n := *e.n
		n.Body = l.set.editableBody(n.Body)
		e.n = &n
	}
	e.def = d
	rest = e.intoWay(rest)
	switch e.n.Word.Name {
	case "override":
		e.override(rest)
	case "extend":
		e.extend(rest)
	case "remove":
		e.remove(rest)
	}
}

// intoWay descends into a way of a thing, whose steps have paths of their own, and returns the rest of the path.
func (e *editor) intoWay(rest []ast.PathPart) []ast.PathPart {
	t, ok := e.def.Node.(*ast.Template)
	if !ok || t.Body == nil || len(rest) < 2 {
		return rest
	}
	for _, cl := range t.Body.Clauses {
		if w, ok := cl.(*ast.Way); ok && w.Name.Name == rest[0].Name.Name {
			e.def = &Def{Name: e.def.Name + "." + w.Name.Name, Node: w, Depth: e.def.Depth, Origin: e.originOf(w)}
			return rest[1:]
		}
	}
	return rest
}

// reportMissing reports a change of something that does not exist, or no longer exists.
func (l *linker) reportMissing(e *editor) {
	first := e.n.Path.Parts[0].Name.Name
	if o := l.set.Removed[first]; o != nil {
		message := "removed here"
		if o.Verb == "without" {
			message = "it is declared here, by " + o.Ruleset + ", which is left out"
		}
		l.report(e.origin.File, e.n.Path.Span, "removed", first+" has been removed", "", diag.Related{File: o.File, Span: o.Span, Message: message})
		return
	}
	hint := e.nearestHint(first)
	if o := l.declaredAt[first]; o != nil && !l.parents[e.origin.Ruleset][o.Ruleset] {
		hint = o.Ruleset + " declares it: write `ruleset " + e.origin.Ruleset + " extends " + o.Ruleset + "`"
	}
	e.fail("unknown-path", "there is nothing named "+first+" to "+e.n.Word.Name, hint)
}

// nearestHint hints at the definition that was probably meant.
func (e *editor) nearestHint(name string) string {
	names := slices.Collect(maps.Keys(e.byName))
	for _, d := range e.set.Defs {
		if b, ok := d.Node.(*ast.Bonus); ok {
			for _, id := range b.Names {
				names = append(names, id.Name)
			}
		}
	}
	slices.Sort(names)
	if n := words.Nearest(name, names); n != "" {
		return "did you mean `" + n + "`?"
	}
	switch paths := e.similarParts(name); len(paths) {
	case 0:
	case 1:
		return "did you mean " + paths[0] + "?"
	default:
		return "did you mean one of " + strings.Join(paths, ", ") + "?"
	}
	return "paths are listed by `arbiter rules list`"
}

// similarParts returns the paths of the parts that share the most words with a name, at least two: flanking-bonus finds
// attack-bonus.flanking. It returns none if there are more than three.
func (e *editor) similarParts(name string) (paths []string) {
	const fewest, most = 2, 3
	wanted, best := strings.Split(name, "-"), fewest
	for _, d := range e.set.Defs {
		body := bodyOf(d.Node)
		if body == nil {
			continue
		}
		for _, cl := range clausesOf(*body) {
			part := partName(cl)
			has, shared := strings.FieldsFunc(d.Name+"."+part, func(r rune) bool { return r == '-' || r == '.' }), 0
			for _, w := range wanted {
				if slices.Contains(has, w) {
					shared++
				}
			}
			if shared > best {
				best, paths = shared, nil
			}
			if shared == best && part != "" && slices.Contains(wanted, part) {
				paths = append(paths, "`"+d.Name+"."+part+"`")
			}
		}
	}
	if len(paths) > most {
		return nil
	}
	return paths
}

// recordOrigin records where a new clause comes from, and what it replaced.
func (e *editor) recordOrigin(now, was ast.Clause) {
	o := *e.origin
	if was != nil {
		o.Was = e.originOf(was)
	}
	e.set.Origins[now] = &o
	e.recordUnbound(was, now)
	if e.n.Value != nil {
		e.set.Values[e.n.Value] = e.origin
	}
}

// originOf returns where a clause of the definition comes from.
func (e *editor) originOf(cl ast.Clause) *Origin {
	if o := e.set.Origins[cl]; o != nil {
		return o
	}
	root := e.def.Origin.Root()
	return &Origin{File: root.File, Span: cl.Extent(), Ruleset: root.Ruleset, Verb: "declare"}
}

// recordUnbound records the names that a step bound and its replacement, if any, no longer binds. It skips changes with
// syntax errors, since it is unknown what they bind.
func (e *editor) recordUnbound(was, now ast.Clause) {
	for _, cl := range clausesOf(e.n.Body) {
		for inner := range ast.WithNested(cl) {
			if _, bad := inner.(*ast.Bad); bad {
				return
			}
		}
	}
	for _, name := range boundNames(was) {
		e.set.Unbound[e.def.Name+"."+name] = e.origin
	}
	for _, name := range boundNames(now) {
		delete(e.set.Unbound, e.def.Name+"."+name)
	}
}

// boundNames lists the names that a step binds for later steps.
func boundNames(cl ast.Clause) (names []string) {
	step, ok := cl.(*ast.Step)
	if !ok || step.Body == nil {
		return nil
	}
	for _, cl := range step.Body.Clauses {
		switch n := cl.(type) {
		case *ast.Let:
			names = append(names, n.Name.Name)
		case *ast.Branch:
			if n.As != nil {
				names = append(names, n.As.Name)
			}
		}
	}
	return names
}

// recordAdded records where the clauses of a body come from, and returns them.
func (e *editor) recordAdded(b *ast.Block) []ast.Clause {
	for _, cl := range b.Clauses {
		e.set.Origins[cl] = e.origin
	}
	return b.Clauses
}

// recordReplaced records that the definition itself was replaced.
func (e *editor) recordReplaced() {
	o := *e.origin
	o.Was = e.def.Origin
	e.def.Origin = &o
	if e.n.Value != nil {
		e.set.Values[e.n.Value] = e.origin
	}
	if e.n.Body != nil {
		e.recordAdded(e.n.Body)
	}
}

// redeclareHint is the hint for changing something that has no path.
const redeclareHint = "remove it, and declare it again the way it should be"
