package langserver

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
)

// This file turns the number of an override into an option, and moves a declaration to a file of its own.

// overridingNumber is the number with which something is overridden: the one at an offset, or the whole new value.
func overridingNumber(cl ast.Clause, at int) (found *ast.Number) {
	n, ok := cl.(*ast.Change)
	if !ok || n.Word.Name != "override" {
		return nil
	}
	if whole, ok := n.Value.(*ast.Number); ok {
		return whole
	}
	ast.Contains(n, func(node any) bool {
		if x, ok := node.(*ast.Number); ok && x.Start.Offset <= at && at <= x.End.Offset {
			found = x
		}
		return found != nil
	})
	return found
}

// makeOption declares an option above the override, with the number as its value, and names it in its place.
func (r *refactoring) makeOption() any {
	cl := r.d.clauseOver(r.from)
	change, ok := cl.(*ast.Change)
	if !ok {
		return errorResponse("there is no override here")
	}
	name := r.freeName(plainName(link.PathText(&change.Path)))
	before, value := r.d.above(cl), r.d.text[r.from:r.to]
	insertion := "option " + name + " = " + value + "\n\n"
	if x, wrong := r.fails(r.replaced(before, insertion, name)); wrong {
		return errorResponse("%s cannot be an option: %s", value, x.Message)
	}
	return r.edits(before, insertion, name)
}

// plainName makes a name of a path: `strike.damage` becomes strike-damage.
func plainName(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r > 127 || !isNameByte(byte(r)) || r == '_' })
	return strings.Trim(strings.Join(parts, "-"), "-")
}

// nameForFile is the name of the file for a clause.
func nameForFile(cl ast.Clause) string {
	if n, ok := cl.(*ast.Change); ok {
		return plainName(link.PathText(&n.Path))
	}
	return plainName(link.NameOf(cl))
}

// moveOut moves the clause to a new file next to its own. If the ruleset is a folder, the new file is one more of it;
// otherwise it is a ruleset, which the old one extends.
func (r *refactoring) moveOut() any {
	h := load.HeaderOf(r.d.file)
	cl := r.d.clauseOver(r.from)
	if h == nil || cl == nil || h.Word.Name != "ruleset" {
		return errorResponse("there is no declaration of a ruleset here")
	}
	dir := filepath.Dir(r.d.path)
	isFolder := build.RulesetsFolder(dir) != dir && filepath.Base(dir) == h.Name.Name
	name := numbered(nameForFile(cl), func(name string) bool {
		_, err := build.ReadFile(filepath.Join(dir, name+".rules"))
		return err == nil || name == "" || r.open[filepath.Join(dir, name+".rules")] != ""
	})
	from, to := r.d.above(cl), cl.Extent().End.Offset
	taken := strings.TrimSpace(r.d.text[from:to])
	for to < len(r.d.text) && isSpace(r.d.text[to]) {
		to++
	}
	r.from, r.to = from, to
	header, before, insertion := "ruleset "+h.Name.Name, from, ""
	if !isFolder {
		header, before, insertion = r.rulesetBelow(h, name)
	}
	path := filepath.Join(dir, name+".rules")
	text := header + "\n\n" + taken + "\n"
	if x, other := sharedMoment(cl, r.d.file.Body); x != nil && !isFolder { // of two rulesets, the one that is extended is first
		return errorResponse("%s cannot be a ruleset of its own: %s and %s respond to the same moment, and might do so in another order", nameForFile(cl), x.Name.Name, other.Name.Name)
	}
	texts := maps.Clone(r.open)
	texts[r.d.path], texts[path] = r.replaced(before, insertion, ""), text
	for _, p := range []string{r.d.path, path} {
		if x, wrong := firstError(r.s.buildAmong(p, texts)); wrong {
			return errorResponse("%s cannot be moved to a file of its own: %s", nameForFile(cl), x.Message)
		}
	}
	e := r.edits(before, insertion, "")
	old := documentEdit{Edits: slices.DeleteFunc(e.Changes[r.d.uri], func(x textEdit) bool { return x.NewText == "" && x.Range.Start == x.Range.End })}
	old.TextDocument.URI, old.TextDocument.Version = r.d.uri, &r.d.version
	added := documentEdit{Edits: []textEdit{{NewText: text}}}
	added.TextDocument.URI = URIOf(path)
	return &workspaceEdit{DocumentChanges: []any{createFile{"create", added.TextDocument.URI}, added, old}}
}

// sharedMoment finds a rule in a clause, and one in the others, that respond to the same.
func sharedMoment(cl ast.Clause, all []ast.Clause) (x, other *ast.Rule) {
	rules := rulesIn(cl)
	for _, o := range all {
		if o == cl {
			continue
		}
		for _, b := range rulesIn(o) {
			for _, a := range rules {
				if momentOf(&a.Trigger) == momentOf(&b.Trigger) {
					return a, b
				}
			}
		}
	}
	return nil, nil
}

// momentOf names what a rule responds to, whoever does it.
func momentOf(t *ast.Trigger) string {
	text := t.Word.Name + " " + t.Moment.Name
	if t.Path != nil {
		text += " " + link.PathText(t.Path)
	}
	if t.Effect != nil {
		text += " " + t.Effect.Name
	}
	return text
}

// rulesetBelow is the header of a ruleset of its own, and what makes the old one extend it.
func (r *refactoring) rulesetBelow(h *ast.Header, name string) (header string, before int, insertion string) {
	var parents []string
	for _, id := range h.Extends {
		parents = append(parents, id.Name)
	}
	header = "ruleset " + name
	if len(parents) == 0 {
		return header, h.Name.End.Offset, " extends " + name
	}
	return header + " extends " + strings.Join(parents, ", "), h.Extends[len(h.Extends)-1].End.Offset, ", " + name
}
