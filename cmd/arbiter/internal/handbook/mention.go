package handbook

import (
	"reflect"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file walks a tree and says what each name in it refers to, in the order in which the formatter prints them. With
// a few exceptions that is the order of the fields of the nodes, so a new kind of node needs a line here only to say
// what its names mean.

// mention is a name found in a text, the anchor of what it names or "", and its position.
type mention struct {
	name, to string
	at       ast.Span
	given    bool // to a parameter: to is what the name implies
}

// scope is the context of names: the definition, and the kind of self.
type scope struct {
	names *names
	kind  string          // of self
	bound map[string]bool // names bound in the definition
	fixed bool            // a bare name is a value of an enum or a thing, because no creature's numbers are in scope
}

// scopeOf returns the scope of a definition.
func (n *names) scopeOf(cl ast.Clause) *scope {
	s := &scope{names: n, kind: everybody, bound: bindings(cl)}
	switch d := cl.(type) {
	case *ast.Define:
		if d.Kind != nil {
			s.kind = d.Kind.Name
		}
	case *ast.Template:
		s.kind, s.fixed = d.Kind.Name, true
	case *ast.Table, *ast.Option:
		s.fixed = true
	case *ast.Kind:
		s.kind = d.Name.Name
	}
	each(reflect.ValueOf(cl), func(x any) { // the names bound by what is interrupted, and by the situations of stats
		switch x := x.(type) {
		case *ast.Rule:
			if p := x.Trigger.Path; p != nil && len(p.Parts) > 0 {
				s.bind(n.bound[p.Parts[0].Name.Name])
			}
		case *ast.Modifier:
			for _, id := range x.Stats {
				s.bind(n.bound[id.Name])
			}
		case *ast.Denied:
			for _, id := range x.Stats {
				s.bind(n.bound[id.Name])
			}
		case *ast.Way:
			s.bind(n.bound[x.Name.Name])
		}
	})
	return s
}

func (s *scope) bind(names map[string]bool) {
	for name := range names {
		s.bound[name] = true
	}
}

// bindings are the names that a definition binds.
func bindings(cl ast.Clause) map[string]bool {
	bound := map[string]bool{}
	note := func(id *ast.Ident) {
		if id != nil && id.Name != "" {
			bound[id.Name] = true
		}
	}
	each(reflect.ValueOf(cl), func(x any) {
		switch x := x.(type) {
		case *ast.Param:
			note(&x.Name)
		case *ast.Let:
			note(&x.Name)
		case *ast.Query:
			note(&x.Var)
		case *ast.Keep:
			note(&x.Name)
		case *ast.Branch:
			note(x.As)
		case *ast.Gain:
			note(x.Leaving)
		case *ast.Table:
			for _, id := range columnsOf(x) {
				note(&id)
			}
		}
	})
	return bound
}

// columnsOf are the names of the columns of a table. A table with two keys has none: its columns are values of the
// second key.
func columnsOf(t *ast.Table) (names []ast.Ident) {
	if len(t.Keys) != 1 || len(t.Rows) == 0 {
		return nil
	}
	for _, cell := range t.Rows[0].Cells[min(1, len(t.Rows[0].Cells)):] {
		if name, ok := cell.From.(*ast.Name); ok {
			names = append(names, name.Ident)
		}
	}
	return names
}

// each visits the nodes of a tree, by address.
func each(v reflect.Value, visit func(any)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			each(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), visit)
		}
	case reflect.Struct:
		if skipped[v.Type()] {
			return
		}
		if v.CanAddr() {
			visit(v.Addr().Interface())
		}
		for i := range v.NumField() {
			each(v.Field(i), visit)
		}
	}
}

// skipped are the parts of nodes that contain no names.
var skipped = map[reflect.Type]bool{
	reflect.TypeFor[ast.Span](): true, reflect.TypeFor[ast.Meta](): true, reflect.TypeFor[ast.Cite](): true, reflect.TypeFor[ast.Text](): true,
}

// mentions lists the names in a clause or an expression.
func (s *scope) mentions(n ast.Node) []mention {
	w := &walk{scope: s}
	w.value(reflect.ValueOf(n), "")
	return w.found
}

type walk struct {
	*scope
	found []mention
}

func (w *walk) add(id ast.Ident, to string) {
	for rest := id.Name; rest != ""; { // a registered function may have a name of several words: fury (fury.star)
		n, sort := token(rest)
		if sort == Word {
			w.found = append(w.found, mention{name: rest[:n], to: to, at: id.Span})
		}
		rest = rest[n:]
	}
}

var (
	identType = reflect.TypeFor[ast.Ident]()
	tailType  = reflect.TypeFor[ast.Tail]()
)

// value walks by reflection; field is TYPE.FIELD, the location of the value.
func (w *walk) value(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Kind() == reflect.Pointer && w.byHand(v.Interface()) {
			return
		}
		w.value(v.Elem(), field)
	case reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i), field)
		}
	case reflect.Struct:
		switch t := v.Type(); {
		case skipped[t]:
		case t == identType:
			w.ident(v.Interface().(ast.Ident), field)
		case t == tailType:
			tail := v.Interface().(ast.Tail)
			guards := []ast.Expr{tail.When, tail.Unless}
			if tail.When != nil && tail.Unless != nil && tail.Unless.Extent().Start.Offset < tail.When.Extent().Start.Offset {
				guards[0], guards[1] = guards[1], guards[0]
			}
			for _, g := range guards {
				w.node(g)
			}
		default:
			if v.CanAddr() && field != "" && w.byHand(v.Addr().Interface()) {
				return
			}
			for i := range v.NumField() {
				w.value(v.Field(i), t.Name()+"."+t.Field(i).Name)
			}
		}
	}
}

func (w *walk) node(n ast.Node) {
	if n != nil {
		w.value(reflect.ValueOf(n), "")
	}
}

// ident handles a name in a field of a node.
func (w *walk) ident(id ast.Ident, field string) {
	n := w.names
	if strings.HasSuffix(field, ".Word") {
		return // of the language
	}
	switch field {
	case "Modifier.Op", "RollClause.Verdict", "Trigger.Moment", "Rule.Once", "Step.Where", "Number.Unit", "Quantity.Unit", "Bonus.Law", "Change.Law",
		"Branch.Versus", "Arm.Label", "Param.Label", "Verdict.Verb", "Unary.Op", "Binary.Op", "IsTest.Verb", "Expect.Story":
		return // likewise
	case "Template.Kind", "Type.Name", "Table.Keys", "Define.Kind", "Procedure.Kind":
		w.add(id, n.find(id.Name, aKind, anEnum, aRole))
	case "Param.Name":
		w.add(id, n.find(id.Name, aKind, anEnum, aRole))
		w.found[len(w.found)-1].given = true
	case "Template.Extends", "Member.Template", "LegendEntry.Names", "Directive.Names":
		w.add(id, n.find(id.Name, aThing))
	case "Follows.Tactics", "Member.Follows":
		w.add(id, n.find(id.Name, aTactic))
	case "Stat.Rolled", "Branch.Rolled":
		w.add(id, n.find(id.Name, aRoll))
	case "View.Of", "Modifier.Stats", "Denied.Stats":
		w.add(id, n.find(id.Name, aStat, aRoll))
	case "Modifier.Bonus", "Property.As", "Term.As":
		w.add(id, n.find(id.Name, aBonus))
	case "Cannot.Names":
		w.add(id, n.find(id.Name, aProcedure, aPermission, aRule))
	case "Includes.Names", "Has.Names", "GivenEffect.Name", "Gain.Effects", "Trigger.Effect":
		w.add(id, n.find(id.Name, anEffect))
	case "Is.Names", "Property.Name":
		w.add(id, n.field(w.kind, id.Name))
	case "CostPart.Resource", "Gain.Resource", "Spent.Resource":
		w.add(id, n.find(id.Name, aResource))
	case "Moves.By":
		w.add(id, n.find(id.Name, aValue))
	case "Command.Name":
		to := n.find(id.Name, aProcedure, aFunction)
		if to == "" {
			to = n.any[id.Name]
		}
		w.add(id, to)
	default: // a name that is declared here
		w.add(id, "")
	}
}

// byHand walks the nodes whose names depend on each other, or that are printed in a different order. It reports whether
// it did.
func (w *walk) byHand(x any) bool {
	switch n := x.(type) {
	case *ast.Name:
		w.add(n.Ident, w.bare(n.Name))
	case *ast.Field:
		w.node(n.X)
		w.add(n.Name, w.property(n.X, n.Name.Name))
	case *ast.IsTest:
		w.node(n.X)
		for _, word := range n.Words {
			w.word(n, word)
		}
	case *ast.Call:
		if fn, ok := n.Fn.(*ast.Name); ok {
			w.add(fn.Ident, w.called(fn.Name))
		} else {
			w.node(n.Fn)
		}
		w.args(n.Args)
		w.args(n.Labelled)
	case *ast.Index:
		if table, ok := n.X.(*ast.Name); ok && !w.bound[table.Name] && w.names.by[aTable][table.Name] != "" {
			w.add(table.Ident, w.names.find(table.Name, aTable))
		} else {
			w.node(n.X)
		}
		for i, k := range n.Keys {
			if name, ok := k.(*ast.Name); ok && i > 0 && w.column(n, name.Name) {
				w.add(name.Ident, "")
			} else {
				w.node(k)
			}
		}
	case *ast.Modifier:
		added := n.Op.Name == "+" || n.Op.Name == "-"
		if added {
			w.node(n.Amount)
			w.value(reflect.ValueOf(n.Bonus), "Modifier.Bonus")
		}
		w.value(reflect.ValueOf(n.Stats), "Modifier.Stats")
		if !added {
			w.node(n.Amount)
		}
		if n.Against {
			w.add(ast.Ident{Name: "self"}, "")
		}
		w.value(reflect.ValueOf(n.Tail), "")
	case *ast.Denied:
		for _, id := range n.Names {
			w.add(id, w.part(id.Name, n.Stats))
		}
		w.value(reflect.ValueOf(n.Stats), "Denied.Stats")
		w.value(reflect.ValueOf(n.Tail), "")
	case *ast.View:
		w.add(n.Name, "")
		w.ident(n.Of, "View.Of")
		for _, id := range n.Losing {
			w.add(id, w.part(id.Name, []ast.Ident{n.Of}))
		}
	case *ast.Gain:
		if len(n.Effects) < 2 || len(n.Args) == 0 {
			return false
		}
		w.node(n.Who)
		w.ident(n.Effects[0], "Gain.Effects") // the arguments belong to the first effect
		w.args(n.Args)
		w.value(reflect.ValueOf(n.Effects[1:]), "Gain.Effects")
		w.value(reflect.ValueOf(n.Memory), "")
		w.value(reflect.ValueOf(n.Duration), "")
		w.value(reflect.ValueOf(n.Tail), "")
	case *ast.Arg:
		w.args([]ast.Arg{*n})
	case *ast.Path:
		w.path(n)
	default:
		return false
	}
	return true
}

// column reports whether a name is a column of the table that is looked up.
func (w *walk) column(n *ast.Index, name string) bool {
	table, ok := n.X.(*ast.Name)
	return ok && !w.bound[table.Name] && w.names.by[aTable][table.Name] != "" && w.names.bound[table.Name][name]
}

// args walks arguments. The label of one in parentheses is a name that belongs to the callee.
func (w *walk) args(args []ast.Arg) {
	for _, a := range args {
		if !words.Label(a.Label.Name) {
			w.add(a.Label, "")
		}
		w.node(a.Value)
	}
}

// path is the path of a definition: each part refers to itself, if it has an anchor.
func (w *walk) path(p *ast.Path) {
	first := ""
	for i, part := range p.Parts {
		for _, k := range part.Keys {
			w.node(k)
		}
		id := part.Name
		name := id.Name
		switch {
		case i == 0:
			first = name
			w.add(id, w.names.find(name, aProcedure, anEffect, aRule, aResource, aStat, aThing, aKind))
		case w.names.ids[first+"."+name]:
			w.add(id, first+"."+name)
		default:
			w.add(id, "")
		}
	}
}

// bare is what a bare name refers to.
func (w *walk) bare(name string) string {
	n := w.names
	if w.bound[name] || name == "self" {
		return ""
	}
	if id := n.find(name, aValue, aThing, anOption); id != "" && w.fixed {
		return id
	}
	if id := n.of[w.kind+"."+name]; id != "" {
		return id
	}
	return n.find(name, aStat, aResource, anOption, aThing, aDefine, anEffect, aProcedure, aFunction, aValue, aTactic, anEnum, aTable)
}

// called is what a name before a parenthesis or before labels refers to.
func (w *walk) called(name string) string {
	if id := w.names.find(name, aDefine, aFunction); id != "" {
		return id
	}
	if id := w.bare(name); id != "" {
		return id
	}
	return w.names.find(name, aKind)
}

// outcome are the properties of a check that has been rolled.
var outcome = map[string]bool{"natural": true, "bonus": true, "total": true, "difficulty": true, "margin": true, "success": true}

// property is what a name after a dot refers to.
func (w *walk) property(x ast.Expr, name string) string {
	kind := ""
	switch n := x.(type) {
	case *ast.Index:
		if w.column(n, name) {
			return ""
		}
	case *ast.Name:
		if kind = w.names.kindOf(n.Name); n.Name == "self" {
			kind = w.kind
		}
		if kind == "" && (w.names.by[anEffect][n.Name] != "" || w.bound[n.Name] && outcome[name]) {
			return "" // a memory, or a property of a roll
		}
	case *ast.Field:
		if kind = w.names.kindOf(n.Name.Name); kind == "" && w.names.by[anEffect][n.Name.Name] != "" {
			return ""
		}
	}
	return w.names.field(kind, name)
}

// word is what follows `is`, `has` or `can`.
func (w *walk) word(test *ast.IsTest, x ast.Expr) {
	var id ast.Ident
	switch n := x.(type) {
	case *ast.Name:
		id = n.Ident
	case *ast.Call:
		if fn, ok := n.Fn.(*ast.Name); ok {
			w.add(fn.Ident, w.names.find(fn.Name, anEffect, aDefine))
			w.args(n.Args)
			w.args(n.Labelled)
			return
		}
	}
	name := id.Name
	if name == "" {
		w.node(x)
		return
	}
	n := w.names
	to := ""
	switch test.Verb.Name {
	case "can":
		to = n.find(name, aProcedure, aPermission, aRule)
	case "has":
		if to = n.find(name, anEffect); to == "" {
			to = w.bare(name)
		}
	default:
		subject := ""
		switch s := test.X.(type) {
		case *ast.Name:
			subject = s.Name
		case *ast.Field:
			subject = s.Name.Name
		}
		if n.by[anEnum][subject] != "" {
			to = n.find(name, aValue)
		}
		if kind := n.kindOf(subject); to == "" && kind != "" && kind != everybody {
			to = n.of[kind+"."+name]
		}
		if to == "" {
			to = n.find(name, anEffect, aThing, aKind)
		}
		if to == "" {
			if to = n.field("", name); to == "" {
				to = n.find(name, aValue)
			}
		}
	}
	w.add(id, to)
}

// part is what a name refers to that a stat is denied or a view leaves out: a term of it, or a bonus type.
func (w *walk) part(name string, stats []ast.Ident) string {
	for _, stat := range stats {
		if id := stat.Name + "." + name; w.names.ids[id] {
			return id
		}
	}
	return w.names.find(name, aBonus)
}
