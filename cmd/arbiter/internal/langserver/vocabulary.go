package langserver

import (
	"maps"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file sorts the names of a ruleset by where they can be used.

// candidate is a completion candidate.
type candidate struct {
	name, kind, doc string // kind is the head word of its definition
	itemKind        int    // the completion kind
}

// vocabulary is everything that can be offered under a ruleset.
type vocabulary struct {
	definitions, parts                       []candidate // of any sort, by path
	stats, effects, actions, values, tactics []candidate
	bonuses, resources, options, things      []candidate
	tables, rolls, types                     []candidate
	fields                                   map[string][]candidate // by kind: fields and definitions
	fieldType                                map[string]string      // by KIND.FIELD
	members                                  map[string][]candidate // values by enum, things by kind
	functions                                []candidate
}

// itemKinds are the completion kinds of definitions, by head word.
var itemKinds = map[string]int{
	"stat": completeProperty, "view": completeProperty, "resource": completeProperty, "define": completeFunction, "action": completeFunction,
	"procedure": completeFunction, "option": completeConstant, "enum": completeEnum, "kind": completeClass, "rule": completeEvent, "reaction": completeEvent,
	"condition": completeClass, "feat": completeClass, "trait": completeClass, "effect": completeClass, "everyone": completeClass,
}

// vocabularyOf sorts the names of a linked ruleset.
func vocabularyOf(set *link.Set, between func()) *vocabulary {
	v := &vocabulary{fields: map[string][]candidate{}, fieldType: map[string]string{}, members: map[string][]candidate{}}
	docs := map[string]rulebook.Entry{}
	for _, e := range rulebook.Entries(set) {
		docs[e.Kind+" "+e.Path] = e
	}
	for _, d := range set.Defs {
		between()
		head := link.HeadWord(d.Node)
		for _, path := range rulebook.NamesOf(d) {
			w := candidate{path, head, docs[head+" "+path].Doc, completeVariable}
			if kind, ok := itemKinds[head]; ok {
				w.itemKind = kind
			}
			v.definitions = append(v.definitions, w)
			v.add(d, w)
		}
		for _, p := range set.Pieces(d) {
			if p.Path != d.Name && !strings.Contains(p.Path, "[") {
				v.parts = append(v.parts, candidate{p.Path, "part of " + d.Name, "", completeField})
			}
		}
	}
	return v
}

// withDeclarations adds what a document declares, which need not have been built yet.
func (v *vocabulary) withDeclarations(clauses []ast.Clause) *vocabulary {
	more := *v
	for _, list := range []*[]candidate{&more.definitions, &more.stats, &more.effects, &more.actions, &more.values, &more.tactics, &more.bonuses, &more.resources,
		&more.options, &more.things, &more.tables, &more.rolls, &more.types, &more.functions} {
		*list = slices.Clip(*list) // so that appending does not overwrite the shared array
	}
	more.fields, more.fieldType, more.members = cloneMap(v.fields), cloneMap(v.fieldType), cloneMap(v.members)
	for key, list := range more.fields {
		more.fields[key] = slices.Clip(list)
	}
	for key, list := range more.members {
		more.members[key] = slices.Clip(list)
	}
	for _, cl := range clauses {
		if name := link.NameOf(cl); name != "" {
			d := &link.Def{Name: name, Node: cl}
			w := candidate{name, link.HeadWord(cl), "", completeVariable}
			more.definitions = append(more.definitions, w)
			more.add(d, w)
		}
	}
	return &more
}

func cloneMap[V any](m map[string]V) map[string]V {
	c := make(map[string]V, len(m)+1)
	maps.Copy(c, m)
	return c
}

// add adds a definition to the lists of the places where it can be used.
func (v *vocabulary) add(d *link.Def, w candidate) {
	switch n := d.Node.(type) {
	case *ast.Stat, *ast.View:
		v.stats = append(v.stats, w)
	case *ast.Resource:
		v.resources = append(v.resources, w)
	case *ast.Option:
		v.options = append(v.options, w)
	case *ast.Effect:
		v.effects = append(v.effects, w)
	case *ast.Procedure:
		if n.Word.Name == "action" {
			v.actions = append(v.actions, w)
		} else {
			v.functions = append(v.functions, w)
		}
	case *ast.Tactics:
		v.tactics = append(v.tactics, w)
	case *ast.Bonus:
		v.bonuses = append(v.bonuses, w)
	case *ast.Roll:
		v.rolls = append(v.rolls, w)
	case *ast.Table:
		v.tables = append(v.tables, w)
	case *ast.Define:
		if n.Kind == nil {
			v.functions = append(v.functions, w)
			return
		}
		w.name = n.Name.Name
		v.fields[n.Kind.Name] = append(v.fields[n.Kind.Name], w)
	case *ast.Enum:
		v.types = append(v.types, w)
		for _, m := range n.Members {
			x := candidate{m.Name, "of " + d.Name, "", completeMember}
			v.values = append(v.values, x)
			v.members[d.Name] = append(v.members[d.Name], x)
		}
	case *ast.Template:
		w.itemKind = completeConstant
		v.things = append(v.things, w)
		v.members[n.Kind.Name] = append(v.members[n.Kind.Name], w)
	case *ast.Kind:
		v.types = append(v.types, w)
		if n.Body == nil {
			return
		}
		for _, cl := range n.Body.Clauses {
			f, ok := cl.(*ast.FieldDecl)
			if !ok {
				continue
			}
			for _, id := range f.Names {
				x := candidate{id.Name, "field of " + d.Name, "", completeField}
				x.kind += ": " + f.Type.Name.Name
				v.fieldType[d.Name+"."+id.Name] = f.Type.Name.Name
				v.fields[d.Name] = append(v.fields[d.Name], x)
			}
		}
	}
}
