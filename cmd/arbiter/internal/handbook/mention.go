package handbook

import (
	"reflect"
	"strings"

	"arbiter/interp/link"
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
	isParam  bool // of a parameter: to is the type that the name implies
	isTyped  bool // of a parameter that states its type
}

// scope is the context of names: the definition, and the kind of self.
type scope struct {
	names      *nameIndex
	kind       string          // of self
	bound      map[string]bool // names bound in the definition
	valuesOnly bool            // a bare name is a value of an enum or a thing, because no creature's numbers are in scope
	selfless   bool            // nobody is meant by a bare name: in scripts and stories, what the rules declare comes first
	scene      string          // the path of the scene
}

// scopeOf returns the scope of a definition.
func (n *nameIndex) scopeOf(cl ast.Clause) *scope {
	s := &scope{names: n, kind: everybody, bound: bindings(cl)}
	switch d := cl.(type) {
	case *ast.Define:
		if d.Kind != nil {
			s.kind = d.Kind.Name
		}
	case *ast.Template:
		s.kind, s.valuesOnly = d.Kind.Name, true
	case *ast.Table, *ast.Option:
		s.valuesOnly = true
	case *ast.Kind:
		s.kind = d.Name.Name
	default:
		s.selfless = link.ScriptOnly(cl)
	}
	visitNodes(reflect.ValueOf(cl), func(x any) { // the names bound by what is interrupted, and by the situations of stats
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
	add := func(id *ast.Ident) {
		if id != nil && id.Name != "" {
			bound[id.Name] = true
		}
	}
	visitNodes(reflect.ValueOf(cl), func(x any) {
		switch x := x.(type) {
		case *ast.Param:
			add(&x.Name)
		case *ast.Let:
			add(&x.Name)
		case *ast.Query:
			add(&x.Var)
		case *ast.Keep:
			add(&x.Name)
		case *ast.Branch:
			add(x.As)
		case *ast.Gain:
			add(x.Leaving)
		case *ast.Table:
			for _, id := range columnsOf(x) {
				add(&id)
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

// visitNodes visits the nodes of a tree, by address.
func visitNodes(v reflect.Value, visit func(any)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			visitNodes(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitNodes(v.Index(i), visit)
		}
	case reflect.Struct:
		if skippedTypes[v.Type()] {
			return
		}
		if v.CanAddr() {
			visit(v.Addr().Interface())
		}
		for i := range v.NumField() {
			visitNodes(v.Field(i), visit)
		}
	}
}

// skippedTypes are the parts of nodes that contain no names.
var skippedTypes = map[reflect.Type]bool{
	reflect.TypeFor[ast.Span](): true, reflect.TypeFor[ast.Meta](): true, reflect.TypeFor[ast.Cite](): true, reflect.TypeFor[ast.Text](): true,
}

// mentions lists the names in a clause or an expression.
func (s *scope) mentions(n ast.Node) []mention {
	w := &mentionWalker{scope: s}
	w.visitValue(reflect.ValueOf(n), "")
	return w.collected
}

type mentionWalker struct {
	*scope
	collected []mention
}

func (w *mentionWalker) add(id ast.Ident, to string) {
	for rest := id.Name; rest != ""; { // a registered function may have a name of several words: fury (fury.star)
		n, sort := scanToken(rest)
		if sort == Word {
			w.collected = append(w.collected, mention{name: rest[:n], to: to, at: id.Span})
		}
		rest = rest[n:]
	}
}

var (
	identType = reflect.TypeFor[ast.Ident]()
	tailType  = reflect.TypeFor[ast.Tail]()
)

// visitValue walks by reflection; field is TYPE.FIELD, the location of the value.
func (w *mentionWalker) visitValue(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Kind() == reflect.Pointer && w.visitIrregular(v.Interface()) {
			return
		}
		w.visitValue(v.Elem(), field)
	case reflect.Slice:
		for i := range v.Len() {
			w.visitValue(v.Index(i), field)
		}
	case reflect.Struct:
		switch t := v.Type(); {
		case skippedTypes[t]:
		case t == identType:
			w.visitIdent(v.Interface().(ast.Ident), field)
		case t == tailType:
			tail := v.Interface().(ast.Tail)
			guards := []ast.Expr{tail.When, tail.Unless}
			if tail.When != nil && tail.Unless != nil && tail.Unless.Extent().Start.Offset < tail.When.Extent().Start.Offset {
				guards[0], guards[1] = guards[1], guards[0]
			}
			for _, g := range guards {
				w.visitNode(g)
			}
		default:
			if v.CanAddr() && field != "" && w.visitIrregular(v.Addr().Interface()) {
				return
			}
			for i := range v.NumField() {
				w.visitValue(v.Field(i), t.Name()+"."+t.Field(i).Name)
			}
		}
	}
}

func (w *mentionWalker) visitNode(n ast.Node) {
	if n != nil {
		w.visitValue(reflect.ValueOf(n), "")
	}
}

// visitIdent handles a name in a field of a node.
func (w *mentionWalker) visitIdent(id ast.Ident, field string) {
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
	case "Enum.Members":
		w.add(id, n.find(id.Name, aValue))
	case "Template.Extends", "Member.Template", "LegendEntry.Names", "Directive.Names":
		w.add(id, n.find(id.Name, aThing))
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
			to = n.byBareName[id.Name]
		}
		w.add(id, to)
	default: // a name that is declared here
		w.add(id, "")
	}
}

// visitIrregular walks the nodes whose names depend on each other, or that are printed in a different order. It reports
// whether it did.
func (w *mentionWalker) visitIrregular(x any) bool {
	switch n := x.(type) {
	case *ast.Name:
		w.add(n.Ident, w.resolveBare(n.Name))
	case *ast.TacticsName:
		if n.BestOf == nil {
			w.add(n.Ident, w.names.find(n.Name, aTactic))
		}
	case *ast.Field:
		w.visitNode(n.X)
		w.add(n.Name, w.resolveProperty(n.X, n.Name.Name))
	case *ast.IsTest:
		w.visitNode(n.X)
		for _, word := range n.Words {
			w.visitTestWord(n, word)
		}
	case *ast.Call:
		w.visitCall(n)
	case *ast.Index:
		w.visitIndex(n)
	case *ast.Param:
		w.add(n.Name, w.names.find(n.Name.Name, aKind, anEnum, aRole))
		name := &w.collected[len(w.collected)-1]
		name.isParam, name.isTyped = true, n.Type != nil
		w.visitValue(reflect.ValueOf(n.Type), "Param.Type")
		w.visitNode(n.Default)
	case *ast.Modifier:
		w.visitModifier(n)
	case *ast.Denied:
		for _, id := range n.Names {
			w.add(id, w.resolvePart(id.Name, n.Stats))
		}
		w.visitValue(reflect.ValueOf(n.Stats), "Denied.Stats")
		w.visitValue(reflect.ValueOf(n.Tail), "")
	case *ast.View:
		w.add(n.Name, "")
		w.visitIdent(n.Of, "View.Of")
		for _, id := range n.Losing {
			w.add(id, w.resolvePart(id.Name, []ast.Ident{n.Of}))
		}
	case *ast.Gain:
		if len(n.Effects) < 2 || len(n.Args) == 0 {
			return false
		}
		w.visitNode(n.Who)
		w.visitIdent(n.Effects[0], "Gain.Effects") // the arguments belong to the first effect
		w.visitArgs(n.Args)
		w.visitValue(reflect.ValueOf(n.Effects[1:]), "Gain.Effects")
		w.visitValue(reflect.ValueOf(n.Memory), "")
		w.visitValue(reflect.ValueOf(n.Duration), "")
		w.visitValue(reflect.ValueOf(n.Tail), "")
	case *ast.Scene:
		outer := w.scene
		w.scene = strings.TrimPrefix(outer+"."+n.Name.Name, ".")
		w.add(n.Name, w.names.scenes[w.scene])
		w.visitValue(reflect.ValueOf(n.Body), "")
		w.scene = outer
	case *ast.Divert:
		w.visitScenePath(n.To.Parts)
		w.visitValue(reflect.ValueOf(n.Tail), "")
	case *ast.Directive:
		if n.Scene == nil {
			return false
		}
		w.visitScenePath(n.Scene.Parts)
	case *ast.Expect:
		if n.Scene == nil {
			return false
		}
		w.visitScenePath(n.Scene.Parts)
	case *ast.Arg:
		w.visitArgs([]ast.Arg{*n})
	case *ast.Path:
		w.visitPath(n)
	default:
		return false
	}
	return true
}

// visitCall walks a call; the one argument of seen and visits is a scene.
func (w *mentionWalker) visitCall(n *ast.Call) {
	fn, named := n.Fn.(*ast.Name)
	if named && (fn.Name == "seen" || fn.Name == "visits") && len(n.Args) == 1 && w.visitSceneName(n.Args[0].Value) {
		return
	}
	if named {
		w.add(fn.Ident, w.resolveCall(fn.Name))
	} else {
		w.visitNode(n.Fn)
	}
	w.visitArgs(n.Args)
	w.visitArgs(n.Labelled)
}

// visitIndex walks what stands before brackets, a table or a value, and what stands in them.
func (w *mentionWalker) visitIndex(n *ast.Index) {
	if table, ok := n.X.(*ast.Name); ok && !w.bound[table.Name] && w.names.byNamespace[aTable][table.Name] != "" {
		w.add(table.Ident, w.names.find(table.Name, aTable))
	} else {
		w.visitNode(n.X)
	}
	for i, k := range n.Keys {
		if name, ok := k.(*ast.Name); ok && i > 0 && w.isTableColumn(n, name.Name) {
			w.add(name.Ident, "")
		} else {
			w.visitNode(k)
		}
	}
}

// visitModifier walks a change of stats in the order in which it is printed.
func (w *mentionWalker) visitModifier(n *ast.Modifier) {
	added := n.Op.Name == "+" || n.Op.Name == "-"
	if added {
		w.visitNode(n.Amount)
		w.visitValue(reflect.ValueOf(n.Bonus), "Modifier.Bonus")
	}
	w.visitValue(reflect.ValueOf(n.Stats), "Modifier.Stats")
	if !added {
		w.visitNode(n.Amount)
	}
	if n.Against {
		w.add(ast.Ident{Name: "self"}, "")
	}
	w.visitValue(reflect.ValueOf(n.Tail), "")
}

// isTableColumn reports whether a name is a column of the table that is looked up.
func (w *mentionWalker) isTableColumn(n *ast.Index, name string) bool {
	table, ok := n.X.(*ast.Name)
	return ok && !w.bound[table.Name] && w.names.byNamespace[aTable][table.Name] != "" && w.names.bound[table.Name][name]
}

// visitArgs walks arguments. The label of one in parentheses is a name that belongs to the callee.
func (w *mentionWalker) visitArgs(args []ast.Arg) {
	for _, a := range args {
		if !words.Label(a.Label.Name) {
			w.add(a.Label, "")
		}
		w.visitNode(a.Value)
	}
}

// visitPath is the path of a definition: each part refers to itself, if it has an anchor.
func (w *mentionWalker) visitPath(p *ast.Path) {
	first := ""
	for i, part := range p.Parts {
		for _, k := range part.Keys {
			w.visitNode(k)
		}
		id := part.Name
		name := id.Name
		switch {
		case i == 0:
			first = name
			w.add(id, w.names.find(name, aProcedure, anEffect, aRule, aResource, aStat, aThing, aKind, aTable, anOption, anEnum, aDefine, aPermission, aRoll, aBonus))
		case w.names.ids[first+"."+name]:
			w.add(id, first+"."+name)
		default:
			w.add(id, "")
		}
	}
}

// visitScenePath is the path of a scene: each part refers to the scene that the path up to it leads to.
func (w *mentionWalker) visitScenePath(parts []ast.PathPart) {
	var ids []ast.Ident
	for _, p := range parts {
		ids = append(ids, p.Name)
	}
	w.addScene(ids)
}

// visitSceneName is visitScenePath for the argument of `seen` and `visits`. It reports whether that is a path.
func (w *mentionWalker) visitSceneName(x ast.Expr) bool {
	var ids []ast.Ident
	for {
		switch n := x.(type) {
		case *ast.Name:
			w.addScene(append([]ast.Ident{n.Ident}, ids...))
			return true
		case *ast.Field:
			ids = append([]ast.Ident{n.Name}, ids...)
			x = n.X
			continue
		}
		return false
	}
}

// addScene adds the parts of a path. It is looked for inside the current scene, then beside it, and so on outward.
func (w *mentionWalker) addScene(ids []ast.Ident) {
	path := ""
	for _, id := range ids {
		path = strings.TrimPrefix(path+"."+id.Name, ".")
	}
	prefix := ""
	for within := w.scene; within != ""; {
		if w.names.scenes[within+"."+path] != "" {
			prefix = within + "."
			break
		}
		within = within[:max(0, strings.LastIndexByte(within, '.'))]
	}
	path = prefix
	for i, id := range ids {
		if i > 0 {
			path += "."
		}
		path += id.Name
		w.add(id, w.names.scenes[path])
	}
}

// resolveBare is what a bare name refers to.
func (w *mentionWalker) resolveBare(name string) string {
	n := w.names
	if w.bound[name] || name == "self" {
		return ""
	}
	if id := n.find(name, aValue, aThing, anOption); id != "" && w.valuesOnly {
		return id
	}
	if id := n.members[w.kind+"."+name]; id != "" && !(w.selfless && n.find(name, aDefine, anOption) != "") {
		return id
	}
	return n.find(name, aStat, aResource, anOption, aThing, aDefine, anEffect, aProcedure, aFunction, aValue, aTactic, anEnum, aTable)
}

// resolveCall is what a name before a parenthesis or before labels refers to.
func (w *mentionWalker) resolveCall(name string) string {
	if id := w.names.find(name, aDefine, aFunction); id != "" {
		return id
	}
	if id := w.resolveBare(name); id != "" {
		return id
	}
	return w.names.find(name, aKind)
}

// rollProperties are the properties of a check that has been rolled.
var rollProperties = map[string]bool{"natural": true, "bonus": true, "total": true, "difficulty": true, "margin": true, "success": true}

// resolveProperty is what a name after a dot refers to.
func (w *mentionWalker) resolveProperty(x ast.Expr, name string) string {
	kind := ""
	switch n := x.(type) {
	case *ast.Index:
		if w.isTableColumn(n, name) {
			return ""
		}
	case *ast.Name:
		if kind = w.names.kindOf(n.Name); n.Name == "self" {
			kind = w.kind
		}
		if kind == "" && (w.names.byNamespace[anEffect][n.Name] != "" || w.bound[n.Name] && rollProperties[name]) {
			return "" // a memory, or a property of a roll
		}
	case *ast.Field:
		if kind = w.names.kindOf(n.Name.Name); kind == "" && w.names.byNamespace[anEffect][n.Name.Name] != "" {
			return ""
		}
	}
	return w.names.field(kind, name)
}

// visitTestWord is what follows `is`, `has` or `can`.
func (w *mentionWalker) visitTestWord(test *ast.IsTest, x ast.Expr) {
	var id ast.Ident
	switch n := x.(type) {
	case *ast.Name:
		id = n.Ident
	case *ast.Call:
		if fn, ok := n.Fn.(*ast.Name); ok {
			w.add(fn.Ident, w.names.find(fn.Name, anEffect, aDefine))
			w.visitArgs(n.Args)
			w.visitArgs(n.Labelled)
			return
		}
	}
	name := id.Name
	if name == "" {
		w.visitNode(x)
		return
	}
	n := w.names
	to := ""
	switch test.Verb.Name {
	case "can":
		to = n.find(name, aProcedure, aPermission, aRule)
	case "has":
		if to = n.find(name, anEffect); to == "" {
			to = w.resolveBare(name)
		}
	default:
		subject := ""
		switch s := test.X.(type) {
		case *ast.Name:
			subject = s.Name
		case *ast.Field:
			subject = s.Name.Name
		}
		if n.byNamespace[anEnum][subject] != "" {
			to = n.find(name, aValue)
		}
		if kind := n.kindOf(subject); to == "" && kind != "" && kind != everybody {
			to = n.members[kind+"."+name]
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

// resolvePart is what a name refers to that a stat is denied or a view leaves out: a term of it, or a bonus type.
func (w *mentionWalker) resolvePart(name string, stats []ast.Ident) string {
	for _, stat := range stats {
		if id := stat.Name + "." + name; w.names.ids[id] {
			return id
		}
	}
	return w.names.find(name, aBonus)
}
