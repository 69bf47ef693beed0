package handbook

import (
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file knows what the names of a ruleset refer to.

// namespace is the namespace of a name. One name may be in several, as a type and a stat.
type namespace uint8

const (
	aStat namespace = iota
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
	namespaceCount
)

// nameIndex holds the anchor of everything that can be referred to.
type nameIndex struct {
	byNamespace [namespaceCount]map[string]string
	members     map[string]string          // of a field or a define of a kind, by KIND.NAME
	byBareName  map[string]string          // the same by NAME alone; that of the core's kind takes precedence
	impliedKind map[string]string          // the type that the name of a parameter implies
	bound       map[string]map[string]bool // what a procedure binds, for the rules that interrupt it
	ids         map[string]bool
	scenes      map[string]string // the anchors of the scenes of a story, by path

	registered map[string]function // Starlark registrations, by the linker's name
}

// function is a function in a Starlark file.
type function struct{ name, file string }

// everybody is the kind that the core defines: bare names belong to it unless stated otherwise.
const everybody = "creature"

func newNames() *nameIndex {
	n := &nameIndex{scenes: map[string]string{}, members: map[string]string{}, byBareName: map[string]string{}, impliedKind: map[string]string{}, bound: map[string]map[string]bool{}, ids: map[string]bool{},
		registered: map[string]function{}}
	for i := range n.byNamespace {
		n.byNamespace[i] = map[string]string{}
	}
	return n
}

// find returns the anchor of a name in the first of these namespaces that has it, or "".
func (n *nameIndex) find(name string, as ...namespace) string {
	for _, a := range as {
		if a == namespaceCount {
			continue // found by its kind
		}
		if id, ok := n.byNamespace[a][name]; ok {
			return id
		}
	}
	return ""
}

// anchor gives a definition its id: its name or, if that is taken, the name and the head word.
func (n *nameIndex) anchor(name, word string, a namespace) string {
	id := name
	if n.ids[id] {
		id = name + "~" + word
	}
	n.ids[id] = true
	n.byNamespace[a][name] = id
	return id
}

// isType reports whether a definition yields its plain name to others.
func isType(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Kind, *ast.Enum, *ast.Bonus, *ast.Roll, *ast.Role:
		return true
	}
	return false
}

// namespaceOf returns the namespace of a definition.
func namespaceOf(cl ast.Clause) namespace {
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
			return namespaceCount // found by its kind
		}
	}
	return aDefine
}

// learn records what else a definition declares: the fields of a kind, the values of an enum, what a procedure binds.
func (n *nameIndex) learn(d *link.Def, id string) {
	addMember := func(kind, name, id string) {
		if n.members[kind+"."+name] == "" {
			n.members[kind+"."+name] = id
		}
		if n.byBareName[name] == "" || kind == everybody {
			n.byBareName[name] = id
		}
	}
	switch node := d.Node.(type) {
	case *ast.Define:
		if node.Kind != nil {
			addMember(node.Kind.Name, node.Name.Name, id)
		}
	case *ast.Enum:
		for _, m := range node.Members {
			n.byNamespace[aValue][m.Name] = id
		}
	case *ast.Role:
		for _, r := range node.Names {
			n.impliedKind[r.Name] = node.Type.Name.Name
		}
	case *ast.Procedure:
		n.bound[node.Name.Name] = bindings(node)
		if kind, name, of := strings.Cut(d.Name, "."); of { // of a kind: commands use the bare name
			addMember(kind, name, id)
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
					addMember(d.Name, name.Name, to)
				}
			}
		}
	}
}

// field returns the anchor of a field or a property of a kind; kind is "" if it is unknown.
func (n *nameIndex) field(kind, name string) string {
	if id := n.members[kind+"."+name]; id != "" {
		return id
	}
	if kind == "" || kind == everybody {
		if id := n.members[everybody+"."+name]; id != "" {
			return id
		}
		if id := n.find(name, aStat, aResource); id != "" {
			return id
		}
	}
	if id := n.byBareName[name]; id != "" {
		return id
	}
	return n.find(name, aStat, aResource, anEffect)
}

// kindOf returns the kind that a name implies.
func (n *nameIndex) kindOf(name string) string {
	if n.byNamespace[aKind][name] != "" {
		return name
	}
	return n.impliedKind[name]
}
