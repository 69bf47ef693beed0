package link

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file carries out one change: it finds the definition that a path names, copies it, and edits the part. Every part
// that it puts somewhere gets an origin, so that messages and explanations point to the ruleset that said it.

// editor carries out one change.
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

// find gives the definition and the rest of the path behind it.
func (l *linker) find(p *ast.Path) (*Def, []ast.PathPart) {
	if len(p.Parts) == 0 {
		return nil, nil
	}
	first := p.Parts[0].Name.Name
	if len(p.Parts) > 1 && p.Parts[1].Keys == nil {
		if ds := l.by[first+"."+p.Parts[1].Name.Name]; len(ds) > 0 {
			return ds[len(ds)-1], p.Parts[2:]
		}
	}
	ds := l.by[first]
	if len(ds) == 0 {
		return nil, nil
	}
	// A thing goes before a type of the same name.
	for _, d := range ds {
		switch d.Node.(type) {
		case *ast.Kind, *ast.Enum, *ast.Bonus, *ast.Role, *ast.Roll:
		default:
			return d, p.Parts[1:]
		}
	}
	if len(p.Parts) > 1 { // a kind may be declared in several places: the one that has the field
		for _, d := range ds {
			if k, ok := d.Node.(*ast.Kind); ok && declares(k, p.Parts[1].Name.Name) {
				return d, p.Parts[1:]
			}
		}
	}
	return ds[0], p.Parts[1:]
}

// declares tells whether a kind declares a field.
func declares(k *ast.Kind, field string) bool {
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

// edit makes a change that stands. A definition is copied before its first: the parsed files belong to whoever loaded them.
func (l *linker) edit(e *editor) {
	d, rest := l.target(e.n)
	if d == nil || e.foreign(d) { // whether a sibling's declaration is there yet goes by names only
		l.nothing(e)
		return
	}
	if !l.copied[d] {
		l.copied[d] = true
		d.Node = copyClause(d.Node, l.set.Origins)
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

// intoWay goes on in the way of a thing, whose steps have paths of their own, and gives what is left of the path.
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

// nothing reports a change of what is not there, or no more.
func (l *linker) nothing(e *editor) {
	first := e.n.Path.Parts[0].Name.Name
	if o := l.set.Removed[first]; o != nil {
		message := "removed here"
		if o.Verb == "without" {
			message = "it is declared here, by " + o.Ruleset + ", which is left out"
		}
		l.report(e.origin.File, e.n.Path.Span, "removed", first+" has been removed", "", diag.Related{File: o.File, Span: o.Span, Message: message})
		return
	}
	hint := e.near(first)
	if o := l.declares[first]; o != nil && !l.parents[e.origin.Ruleset][o.Ruleset] {
		hint = o.Ruleset + " declares it: write `ruleset " + e.origin.Ruleset + " extends " + o.Ruleset + "`"
	}
	e.fail("unknown-path", "there is nothing called "+first+" to "+e.n.Word.Name, hint)
}

// near hints at a definition that may have been meant.
func (e *editor) near(name string) string {
	names := slices.Collect(maps.Keys(e.by))
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
	return "paths are listed by `arbiter rules list`"
}

// mark notes where a new clause comes from, and what it replaced.
func (e *editor) mark(now, was ast.Clause) {
	o := *e.origin
	if was != nil {
		o.Was = e.originOf(was)
	}
	e.set.Origins[now] = &o
	e.lose(was, now)
	if e.n.Value != nil {
		e.set.Values[e.n.Value] = e.origin
	}
}

// originOf is where a clause of the definition comes from.
func (e *editor) originOf(cl ast.Clause) *Origin {
	if o := e.set.Origins[cl]; o != nil {
		return o
	}
	root := e.def.Origin.Root()
	return &Origin{File: root.File, Span: cl.Extent(), Ruleset: root.Ruleset, Verb: "declare"}
}

// lose notes the names that a step bound and what stands in its place, if anything does, binds no longer.
func (e *editor) lose(was, now ast.Clause) {
	for _, name := range bound(was) {
		e.set.Lost[e.def.Name+"."+name] = e.origin
	}
	for _, name := range bound(now) {
		delete(e.set.Lost, e.def.Name+"."+name)
	}
}

// bound lists the names that a step binds for later steps.
func bound(cl ast.Clause) (names []string) {
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

// added notes where the clauses of a body come from, and gives them.
func (e *editor) added(b *ast.Block) []ast.Clause {
	for _, cl := range b.Clauses {
		e.set.Origins[cl] = e.origin
	}
	return b.Clauses
}

// whole notes that the definition itself was replaced.
func (e *editor) whole() {
	o := *e.origin
	o.Was = e.def.Origin
	e.def.Origin = &o
	if e.n.Value != nil {
		e.set.Values[e.n.Value] = e.origin
	}
	if e.n.Body != nil {
		e.added(e.n.Body)
	}
}

// --- override ------------------------------------------------------------------------------------------

// override replaces the part that the rest of the path names, or the whole of the definition.
func (e *editor) override(rest []ast.PathPart) {
	n := e.n
	switch {
	case n.Law.Name != "":
		e.overrideLaw()
		return
	case len(rest) == 0:
		e.overrideWhole()
		return
	}
	if t, ok := e.def.Node.(*ast.Table); ok {
		e.overrideCell(t, rest)
		return
	}
	name := rest[0].Name.Name
	if r, ok := e.def.Node.(*ast.Resource); ok && n.Value != nil {
		switch name {
		case "from":
			r.From = n.Value
		case "to":
			r.To = n.Value
		case "starts":
			r.Starts = n.Value
		default:
			e.fail("unknown-path", e.path+" is not part of a resource", "its parts are from, to, starts and its rules")
			return
		}
		e.whole()
		return
	}
	if x, ok := e.def.Node.(*ast.Effect); ok && name == "while" && n.Value != nil {
		x.While = n.Value
		e.whole()
		return
	}
	if s, ok := e.def.Node.(*ast.Stat); ok && name == "base" && s.Value != nil && n.Value != nil {
		s.Value = n.Value
		e.whole()
		return
	}
	body := bodyOf(e.def.Node)
	if body == nil || *body == nil {
		e.addField(name)
		return
	}
	e.splitAll(*body)
	list := (*body).Clauses
	if name == "cost" || name == "needs" {
		if n.Body == nil {
			e.fail("wrong-form", "what replaces the "+name+" stands in brackets", "the form is: override "+e.path+" { "+name+" ... }")
			return
		}
		keep, gone := list[:0:0], list[:0:0]
		for _, cl := range list {
			if partName(cl) == name {
				gone = append(gone, cl)
			} else {
				keep = append(keep, cl)
			}
		}
		e.added(n.Body)
		for i, cl := range n.Body.Clauses {
			if i < len(gone) {
				o := *e.origin
				o.For = e.originOf(gone[i])
				e.set.Origins[cl] = &o
			}
		}
		(*body).Clauses = append(keep, n.Body.Clauses...)
		return
	}
	if several := count(list, name); several > 1 {
		e.fail("ambiguous-path", fmt.Sprintf("%s has %d parts called %s", e.def.Name, several, name), "remove them all and add others with `extend "+e.def.Name+" { ... }`")
		return
	}
	for i, cl := range list {
		if partName(cl) != name {
			continue
		}
		if len(rest) > 1 {
			e.fail("unknown-path", "a path goes no deeper than "+e.def.Name+"."+name, "override the whole of it")
			return
		}
		now := e.replaced(cl)
		if now == nil {
			return
		}
		e.mark(now, cl)
		list[i] = now
		return
	}
	e.addField(name)
}

// addField gives a template, a kind or an action a value that it did not state.
func (e *editor) addField(name string) {
	body := bodyOf(e.def.Node)
	_, isTemplate := e.def.Node.(*ast.Template)
	p, isProc := e.def.Node.(*ast.Procedure)
	if body == nil || e.n.Value == nil || !(isTemplate || isProc && p.Word.Name == "action") {
		e.noPart(name)
		return
	}
	if *body == nil {
		*body = &ast.Block{Span: e.n.Span}
	}
	prop := &ast.Property{Span: e.n.Span, Name: e.n.Path.Parts[len(e.n.Path.Parts)-1].Name, Values: []ast.Expr{e.n.Value}}
	e.mark(prop, nil)
	(*body).Clauses = append((*body).Clauses, prop)
}

// noPart reports that the definition has no such part, or has it no more.
func (e *editor) noPart(name string) {
	if o := e.set.Removed[e.def.Name+"."+name]; o != nil {
		e.report(e.origin.File, e.n.Path.Span, "removed", e.def.Name+"."+name+" has been removed", "add it again with `extend "+e.def.Name+" { ... }`",
			diag.Related{File: o.File, Span: o.Span, Message: "removed here"})
		return
	}
	e.fail("unknown-path", e.def.Name+" has no part "+name, e.partHint(name))
}

// partHint names the part that may have been meant, or all that there are.
func (e *editor) partHint(name string) string {
	if body := bodyOf(e.def.Node); body != nil && *body != nil {
		return hintAmong(*body, e.def.Name, name)
	}
	return hintAmong(&ast.Block{}, e.def.Name, name)
}

// hintAmong does so for the body of what has that path.
func hintAmong(body *ast.Block, path, name string) string {
	var names []string
	for _, cl := range body.Clauses {
		if p := partName(cl); p != "" && !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	if len(names) == 0 {
		return "it has no parts with names"
	}
	if p := words.Nearest(name, names); p != "" {
		return "did you mean `" + path + "." + p + "`?"
	}
	return "its parts: " + strings.Join(names, ", ")
}

// replaced makes the clause that takes the place of cl.
func (e *editor) replaced(cl ast.Clause) ast.Clause {
	n := e.n
	value := func() bool {
		if n.Value == nil {
			e.fail("wrong-form", e.path+" is a value", "the form is: override "+e.path+" = EXPR")
			return false
		}
		return true
	}
	block := func() bool {
		if n.Body == nil {
			e.fail("wrong-form", e.path+" is a body", "the form is: override "+e.path+" { ... }")
			return false
		}
		return true
	}
	switch x := cl.(type) {
	case *ast.Term:
		if value() {
			y := *x
			y.Value, y.Span = n.Value, n.Span
			return &y
		}
	case *ast.Property:
		if value() {
			y := *x
			y.Values, y.Span = []ast.Expr{n.Value}, n.Span
			return &y
		}
	case *ast.Keep:
		if value() {
			y := *x
			y.Value, y.Span = n.Value, n.Span
			return &y
		}
	case *ast.FieldDecl:
		if value() {
			y := *x
			y.Default, y.Span = n.Value, n.Span
			return &y
		}
	case *ast.Modifier:
		if value() {
			y := *x
			y.Amount, y.Span = n.Value, n.Span
			if y.Op.Name == "-" { // the new amount is signed
				y.Op.Name = "+"
			}
			if u, ok := n.Value.(*ast.Unary); ok && u.Op.Name == "-" && y.Op.Name == "+" {
				y.Op.Name, y.Amount = "-", u.X
				e.set.Values[u.X] = e.origin
			}
			return &y
		}
	case *ast.RollClause:
		if value() && x.Die != nil {
			y := *x
			y.Die, y.Span = n.Value, n.Span
			return &y
		}
	case *ast.Is:
		if value() {
			return &ast.Property{Span: n.Span, Name: x.Names[0], Values: []ast.Expr{n.Value}, Tail: x.Tail}
		}
	case *ast.Step:
		if block() {
			y := *x
			y.Body, y.Span = n.Body, n.Span
			e.added(n.Body)
			return &y
		}
	case *ast.Rule:
		if block() {
			y := *x
			y.Body, y.Span = n.Body, n.Span
			e.added(n.Body)
			return &y
		}
	case *ast.Way:
		if block() {
			y := *x
			y.Body, y.Span = n.Body, n.Span
			e.added(n.Body)
			return &y
		}
	}
	if len(e.diags) == 0 || e.diags[len(e.diags)-1].Span != n.Path.Span {
		e.fail("wrong-form", e.path+" cannot be overridden", "remove it and add another")
	}
	return nil
}

// overrideWhole replaces a definition by what has the same form.
func (e *editor) overrideWhole() {
	n := e.n
	e.uncite(e.def.Name, false)
	switch x := e.def.Node.(type) {
	case *ast.Option:
		if n.Value != nil {
			if was, now := literalType(x.Value), literalType(n.Value); was != "" && now != "" && was != now {
				e.report(e.origin.File, n.Value.Extent(), "wrong-type", "this is "+now+", and the option "+e.path+" holds "+was, "an option keeps its type",
					diag.Related{File: e.def.Origin.File, Span: x.Value.Extent(), Message: "it was declared with this"})
				return
			}
			x.Value = n.Value
			e.whole()
			return
		}
	case *ast.Define:
		if n.Value != nil {
			x.Value = n.Value
			e.whole()
			return
		}
	case *ast.Stat:
		if n.Value != nil {
			x.Value, x.Body = n.Value, nil
			e.whole()
			return
		}
		if n.Body != nil {
			x.Value, x.Body = nil, n.Body
			e.whole()
			return
		}
	case *ast.Table:
		if rows := rowsOf(n.Body); rows != nil {
			x.Rows = rows
			for p := range e.set.Cells {
				if within(p, x.Name.Name) {
					delete(e.set.Cells, p)
				}
			}
			e.whole()
			return
		}
	case *ast.Tactics, *ast.Effect, *ast.Procedure, *ast.Rule, *ast.Template, *ast.Roll:
		if n.Body != nil {
			body := bodyOf(e.def.Node)
			for _, cl := range clausesOf(*body) {
				e.lose(cl, nil)
			}
			for _, cl := range n.Body.Clauses {
				e.lose(nil, cl)
			}
			*body = n.Body
			e.whole()
			return
		}
	case *ast.Bonus, *ast.Enum, *ast.Kind, *ast.Resource:
	default:
		e.fail("wrong-form", e.path+" cannot be overridden", anew)
		return
	}
	form := "override " + e.path + " { ... }"
	switch e.def.Node.(type) {
	case *ast.Option, *ast.Define:
		form = "override " + e.path + " = EXPR"
	case *ast.Bonus:
		form = "override " + e.path + ": highest | stacks | stacks by source"
	case *ast.Resource:
		form = "override " + e.path + ".to = EXPR"
	case *ast.Enum, *ast.Kind:
		form = "extend " + e.path + " { ... }"
	}
	e.fail("wrong-form", e.path+" cannot be overridden so", "the form is: "+form)
}

// anew is how one changes what has no path.
const anew = "remove it, and declare it anew as it should be"

func clausesOf(b *ast.Block) []ast.Clause {
	if b == nil {
		return nil
	}
	return b.Clauses
}

// literalType says what a literal is, "" of what only the checker can tell.
func literalType(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Number:
		if n.Unit.Name == "" {
			return "a number"
		}
	case *ast.Unary:
		return literalType(n.X)
	case *ast.Paren:
		return literalType(n.X)
	case *ast.String:
		return "a text"
	case *ast.Dice:
		return "dice"
	case *ast.Literal:
		if n.Word != "none" {
			return "yes or no"
		}
	}
	return ""
}

// --- extend ----------------------------------------------------------------------------------------------

// extend adds to the definition, or to the body of a part.
func (e *editor) extend(rest []ast.PathPart) {
	n := e.n
	if n.Body == nil {
		e.fail("wrong-form", "this adds nothing", "the form is: extend "+e.path+" { ... }, or: extend "+e.path+" cite IDS")
		return
	}
	if len(rest) > 0 {
		e.extendPart(rest)
		return
	}
	switch x := e.def.Node.(type) {
	case *ast.Enum:
		e.extendEnum(x)
		return
	case *ast.Table:
		e.extendTable(x)
		return
	case *ast.Stat:
		if x.Value != nil { // the short form grows into named terms
			x.Body = &ast.Block{Span: x.Value.Extent(), Clauses: []ast.Clause{&ast.Term{Span: x.Value.Extent(), Name: ast.Ident{Span: x.Value.Extent(), Name: "base"}, Value: x.Value}}}
			x.Value = nil
		}
	}
	body := bodyOf(e.def.Node)
	if body == nil {
		hint := "override it"
		switch e.def.Node.(type) {
		case *ast.View, *ast.Permission, *ast.Role:
			hint = anew
		}
		e.fail("wrong-form", e.def.Name+" cannot be extended", hint)
		return
	}
	if *body == nil {
		*body = &ast.Block{Span: n.Body.Span}
	}
	for _, cl := range e.added(n.Body) {
		if e.rivalPart(*body, cl) {
			continue
		}
		e.put(*body, cl)
	}
}

// put adds a clause to a body: a step where it says, anything else at the end.
func (e *editor) put(body *ast.Block, cl ast.Clause) {
	if st, ok := cl.(*ast.Step); ok && st.Where.Name != "" {
		e.insertStep(body, st)
		return
	}
	body.Clauses = append(body.Clauses, cl)
}

func (e *editor) extendEnum(x *ast.Enum) {
	for _, cl := range e.n.Body.Clauses {
		if c, ok := cl.(*ast.Command); ok && c.Who == nil && len(c.Args) == 0 { // a bare name parses as a command
			path := x.Name.Name + "." + c.Name.Name
			if o := e.set.Cells[path]; o != nil && e.beside(o) {
				continue // a sibling adds the same
			}
			x.Members = append(x.Members, c.Name)
			e.set.Cells[path] = e.origin
		} else if _, bad := cl.(*ast.Bad); !bad {
			e.report(e.origin.File, cl.Extent(), "wrong-form", "an enum is extended by names", "the form is: extend "+e.path+" { NAME }")
		}
	}
}

// extendTable adds rows, before the row of all others.
func (e *editor) extendTable(x *ast.Table) {
	rows := slices.DeleteFunc(rowsOf(e.n.Body), func(r ast.Row) bool { return e.hasRow(x, &r) })
	last := len(x.Rows)
	if last > 0 && len(x.Rows[last-1].Cells) > 0 && x.Rows[last-1].Cells[0].Mark == "others" {
		last--
	}
	x.Rows = append(x.Rows[:last:last], append(rows, x.Rows[last:]...)...)
	for i := range rows {
		for ci := range rows[i].Cells[1:] {
			e.set.Cells[CellPath(x.Name.Name, x.Rows[0], &rows[i], ci+1)] = e.origin
		}
	}
}

// hasRow tells that another row has the key of this one, word for word, and deals with that.
func (e *editor) hasRow(x *ast.Table, row *ast.Row) bool {
	for i := 1; i < len(x.Rows) && len(row.Cells) > 0; i++ {
		have := &x.Rows[i]
		if len(have.Cells) == 0 || cellText(&have.Cells[0]) != cellText(&row.Cells[0]) {
			continue
		}
		key := x.Name.Name + "[" + cellText(&row.Cells[0]) + "]"
		related := diag.Related{File: e.def.Origin.File, Span: have.Span, Message: "the row stands here"}
		if o := e.set.Cells[CellPath(x.Name.Name, x.Rows[0], have, 1)]; o != nil {
			if e.beside(o) {
				e.rivalRow(x, have, row, key, o)
				return true
			}
			related.File, related.Span = o.File, o.Span
		}
		e.report(e.origin.File, row.Cells[0].Span, "declared-twice", "there is a row "+key+" already", "to change its cells write: override "+key+" = EXPR", related)
		return true
	}
	return false
}

// insertStep puts a step before or after the one that it names.
func (e *editor) insertStep(body *ast.Block, st *ast.Step) {
	at := -1
	for i, have := range body.Clauses {
		if h, ok := have.(*ast.Step); ok && h.Name.Name == st.Other.Name {
			at = i
		}
	}
	if at < 0 {
		e.report(e.origin.File, st.Other.Span, "unknown-path", e.path+" has no step "+st.Other.Name, hintAmong(body, e.path, st.Other.Name))
		return
	}
	if st.Where.Name == "after" {
		at++
	}
	body.Clauses = slices.Insert(slices.Clip(body.Clauses), at, ast.Clause(st))
}

// extendPart adds to the body of the first part of that name.
func (e *editor) extendPart(rest []ast.PathPart) {
	body := bodyOf(e.def.Node)
	name := rest[0].Name.Name
	if body != nil && *body != nil {
		for _, cl := range (*body).Clauses {
			if partName(cl) != name {
				continue
			}
			inner := bodyOf(cl)
			if inner == nil {
				e.fail("wrong-form", e.path+" has no body to extend", "override it")
				return
			}
			if *inner == nil {
				*inner = &ast.Block{Span: e.n.Body.Span}
			}
			for _, x := range e.added(e.n.Body) {
				e.put(*inner, x)
			}
			return
		}
	}
	e.noPart(name)
}

// --- remove ------------------------------------------------------------------------------------------------

// remove takes the definition away, or every part of that name; a cell is left empty.
func (e *editor) remove(rest []ast.PathPart) {
	if len(rest) == 0 {
		e.uncite(e.def.Name, true)
		e.drop(e.def)
		o := *e.origin
		o.Was = e.def.Origin
		e.set.Removed[e.def.Name] = &o
		return
	}
	if t, ok := e.def.Node.(*ast.Table); ok {
		if cell, path := e.cell(t, rest); cell != nil {
			e.markCell(path, cell)
			*cell = ast.Cell{Span: e.n.Span, Mark: "-"}
			delete(e.set.Cited, path)
		}
		return
	}
	body := bodyOf(e.def.Node)
	name := rest[0].Name.Name
	found := false
	gone := *e.origin
	if body != nil && *body != nil {
		e.splitAll(*body)
		var keep []ast.Clause
		for _, cl := range (*body).Clauses {
			if partName(cl) == name {
				if !found {
					found, gone.Was = true, e.originOf(cl)
				}
				e.lose(cl, nil)
				continue
			}
			keep = append(keep, cl)
		}
		(*body).Clauses = keep
	}
	if !found {
		e.noPart(name)
		return
	}
	e.set.Removed[e.def.Name+"."+name] = &gone
	delete(e.set.Cited, e.def.Name+"."+name)
}
