package link

import "arbiter/lang/ast"

// This file adds citations: `extend strike.confirm cite IDS` adds the ids to those of the part, without copying or
// editing it. Citations are stored by path, so they stay with the part when it is replaced.

// Citation is the citations of a change, and its file.
type Citation struct {
	File  string
	Cites []ast.Cite
}

// CitePath returns the key of a whole definition in Set.AddedCites: its kind of definition and its name, since a type
// and a thing may share a name. The key of a part is its path.
func CitePath(cl ast.Clause, name string) string {
	switch cl.(type) {
	case *ast.Kind:
		return "kind " + name
	case *ast.Bonus:
		return "bonus " + name
	case *ast.Enum:
		return "enum " + name
	case *ast.Roll:
		return "roll " + name
	}
	return "the " + name
}

// onlyCites reports whether a change only adds citations. Such a change is compatible with any other.
func onlyCites(n *ast.Change) bool {
	return n.Word.Name == "extend" && n.Body == nil && n.Value == nil && len(n.Cites) > 0
}

// addCites adds the citations of a change to its part.
func (l *linker) addCites(e *editor) {
	if len(e.n.Cites) == 0 {
		return
	}
	d, rest := l.find(&e.n.Path)
	first := e.n.Path.Parts[0].Name.Name
	if d == nil || e.n.Law.Name != "" {
		d = l.findBonus(first)
	}
	e.def = d
	switch {
	case d == nil:
		if o := l.set.Removed[first]; o == nil || !e.isFromSibling(o) {
			l.reportMissing(e)
		}
		return
	case len(rest) == 0:
		if _, role := d.Node.(*ast.Role); role {
			e.fail("wrong-form", first+" is a role, which cannot be cited for", "cite for the declaration that has the parameter")
			return
		}
		name := d.Name
		if _, bonus := d.Node.(*ast.Bonus); bonus {
			name = first
		}
		e.recordCites(CitePath(d.Node, name))
		return
	}
	if t, ok := d.Node.(*ast.Table); ok {
		before := len(l.diags)
		if cell, path := e.cell(t, rest); cell != nil {
			e.recordCites(path)
		} else if e.isFromSibling(d.Origin) {
			l.diags = l.diags[:before] // another ruleset has replaced the whole table
		}
		return
	}
	rest = e.intoWay(rest)
	d = e.def
	name := rest[0].Name.Name
	path := d.Name + "." + name
	switch {
	case !e.hasPart(name):
		if o := l.set.Removed[path]; o != nil && e.isFromSibling(o) || e.isFromSibling(d.Origin) {
			return // another ruleset has removed it, or replaced the definition: there is nothing left to cite for
		}
		e.reportMissingPart(name)
	case len(rest) > 1:
		e.fail("unknown-path", "a path goes no deeper than "+path, "cite for the whole of it")
	default:
		e.recordCites(path)
	}
}

func (e *editor) recordCites(path string) {
	e.set.AddedCites[path] = append(e.set.AddedCites[path], Citation{e.origin.File, e.n.Cites})
}

// dropCites drops the citations of the parts of a definition, and with itself those of the definition.
func (e *editor) dropCites(name string, itself bool) {
	for p := range e.set.AddedCites {
		if isInside(p, name) {
			delete(e.set.AddedCites, p)
		}
	}
	if itself {
		delete(e.set.AddedCites, CitePath(e.def.Node, name))
	}
}

// isFromSibling reports whether something comes from a ruleset that this one does not extend.
func (e *editor) isFromSibling(o *Origin) bool {
	return o.Ruleset != e.origin.Ruleset && !e.parents[e.origin.Ruleset][o.Ruleset]
}

// hasPart reports whether the definition has a part of that name, in a clause of its own or together with others.
func (e *editor) hasPart(name string) bool {
	switch n := e.def.Node.(type) {
	case *ast.Resource:
		if name == "from" && n.From != nil || name == "to" && n.To != nil || name == "starts" && n.Starts != nil {
			return true
		}
	case *ast.Effect:
		if name == "while" && n.While != nil {
			return true
		}
	case *ast.Stat:
		if name == "base" && n.Value != nil {
			return true
		}
	}
	body := bodyOf(e.def.Node)
	if body == nil || *body == nil {
		return false
	}
	for _, cl := range (*body).Clauses {
		for _, part := range split(cl) {
			if n := partName(part); n == name && n != "" {
				return true
			}
		}
	}
	return false
}
