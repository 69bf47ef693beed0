package handbook

import (
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file knows what the names of a ruleset lead to.

// sort is what a name can be the name of. One name may be that of several things, a type and a stat.
type sort uint8

const (
	aStat sort = iota
	aResource
	anEffect
	aProcedure
	aPermission
	aRule
	anOption
	aDefine // of no kind
	aThing
	aKind
	anEnum
	aValue // of an enum
	aBonus
	aRoll
	aRole
	aTable
	aTactic
	aFunction
	sorts
)

// names holds the anchor of everything that can be spoken of.
type names struct {
	by    [sorts]map[string]string
	of    map[string]string          // of a field or a define of a kind, by KIND.NAME
	any   map[string]string          // the same by NAME alone; that of the core's kind goes before others
	typed map[string]string          // the type that the name of a parameter implies
	bound map[string]map[string]bool // what a procedure binds, for the rules that interrupt it
	ids   map[string]bool

	registered map[string]function // what Starlark has registered, by the name that the linker gave it
}

// function is a function of a file of Starlark.
type function struct{ name, file string }

// everybody is the kind that the core brings: what a bare name belongs to unless something else is said.
const everybody = "creature"

func newNames() *names {
	n := &names{of: map[string]string{}, any: map[string]string{}, typed: map[string]string{}, bound: map[string]map[string]bool{}, ids: map[string]bool{},
		registered: map[string]function{}}
	for i := range n.by {
		n.by[i] = map[string]string{}
	}
	return n
}

// find gives the anchor of a name that is one of these, the first sort that has it, or "".
func (n *names) find(name string, as ...sort) string {
	for _, a := range as {
		if a == sorts {
			continue // found by its kind
		}
		if id, ok := n.by[a][name]; ok {
			return id
		}
	}
	return ""
}

// anchor gives a definition its id: its name, or for a type that shares it with something else, the name and the head word.
func (n *names) anchor(name, word string, a sort) string {
	id := name
	if n.ids[id] {
		id = name + "~" + word
	}
	n.ids[id] = true
	n.by[a][name] = id
	return id
}

// isType tells the definitions that yield their plain name to others.
func isType(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Kind, *ast.Enum, *ast.Bonus, *ast.Roll, *ast.Role:
		return true
	}
	return false
}

// sortOf tells what a definition defines.
func sortOf(cl ast.Clause) sort {
	switch n := cl.(type) {
	case *ast.Option:
		return anOption
	case *ast.Enum:
		return anEnum
	case *ast.Bonus:
		return aBonus
	case *ast.Role:
		return aRole
	case *ast.Permission:
		return aPermission
	case *ast.Kind:
		return aKind
	case *ast.Template:
		return aThing
	case *ast.Roll:
		return aRoll
	case *ast.Stat, *ast.View:
		return aStat
	case *ast.Table:
		return aTable
	case *ast.Resource:
		return aResource
	case *ast.Effect:
		return anEffect
	case *ast.Procedure:
		return aProcedure
	case *ast.Rule:
		return aRule
	case *ast.Tactics:
		return aTactic
	case *ast.Use:
		return aFunction
	case *ast.Define:
		if n.Kind != nil {
			return sorts // found by its kind
		}
	}
	return aDefine
}

// learn notes what else a definition brings: the fields of a kind, the values of an enum, what a procedure binds.
func (n *names) learn(d *link.Def, id string) {
	property := func(kind, name, id string) {
		if n.of[kind+"."+name] == "" {
			n.of[kind+"."+name] = id
		}
		if n.any[name] == "" || kind == everybody {
			n.any[name] = id
		}
	}
	switch node := d.Node.(type) {
	case *ast.Define:
		if node.Kind != nil {
			property(node.Kind.Name, node.Name.Name, id)
		}
	case *ast.Enum:
		for _, m := range node.Members {
			n.by[aValue][m.Name] = id
		}
	case *ast.Role:
		for _, r := range node.Names {
			n.typed[r.Name] = node.Type.Name.Name
		}
	case *ast.Procedure:
		n.bound[node.Name.Name] = bindings(node)
		if kind, name, of := strings.Cut(d.Name, "."); of { // of a kind: a command names it alone
			property(kind, name, id)
		}
	case *ast.Stat, *ast.Table:
		n.bound[d.Name] = bindings(node)
	case *ast.Kind:
		if node.Body == nil {
			return
		}
		for _, cl := range node.Body.Clauses {
			if f, ok := cl.(*ast.FieldDecl); ok {
				for _, name := range f.Names {
					path := d.Name + "." + name.Name
					to := id
					if n.ids[path] {
						to = path
					}
					property(d.Name, name.Name, to)
				}
			}
		}
	}
}

// field gives the anchor of a field or a property of something of a kind; kind is "" where it is not known.
func (n *names) field(kind, name string) string {
	if id := n.of[kind+"."+name]; id != "" {
		return id
	}
	if kind == "" || kind == everybody {
		if id := n.of[everybody+"."+name]; id != "" {
			return id
		}
		if id := n.find(name, aStat, aResource); id != "" {
			return id
		}
	}
	if id := n.any[name]; id != "" {
		return id
	}
	return n.find(name, aStat, aResource, anEffect)
}

// kindOf gives the kind that something is known to be by its name alone.
func (n *names) kindOf(name string) string {
	if n.by[aKind][name] != "" {
		return name
	}
	return n.typed[name]
}
