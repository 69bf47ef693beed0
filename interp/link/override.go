package link

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file overrides parts and whole definitions.

// override replaces the part that the rest of the path names, or the whole definition.
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
		e.recordReplaced()
		return
	}
	if x, ok := e.def.Node.(*ast.Effect); ok && name == "while" && n.Value != nil {
		x.While = n.Value
		e.recordReplaced()
		return
	}
	if s, ok := e.def.Node.(*ast.Stat); ok && name == "base" && s.Value != nil && n.Value != nil {
		e.replaceValue(&s.Value)
		e.recordReplaced()
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
			e.fail("wrong-form", "what replaces the "+name+" is in braces", "the form is: override "+e.path+" { "+name+" ... }")
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
		e.recordAdded(n.Body)
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
	if several := countParts(list, name); several > 1 {
		e.fail("ambiguous-path", fmt.Sprintf("%s has %d parts named %s", e.def.Name, several, name), "remove them all and add others with `extend "+e.def.Name+" { ... }`")
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
		now := e.replacement(cl)
		if now == nil {
			return
		}
		e.recordOrigin(now, cl)
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
		e.reportMissingPart(name)
		return
	}
	if *body == nil {
		*body = &ast.Block{Span: e.n.Span}
	}
	prop := &ast.Property{Span: e.n.Span, Name: e.n.Path.Parts[len(e.n.Path.Parts)-1].Name, Values: []ast.Expr{e.n.Value}}
	e.recordOrigin(prop, nil)
	(*body).Clauses = append((*body).Clauses, prop)
}

// reportMissingPart reports that the definition has no such part, or no longer has it.
func (e *editor) reportMissingPart(name string) {
	if o := e.set.Removed[e.def.Name+"."+name]; o != nil {
		e.report(e.origin.File, e.n.Path.Span, "removed", e.def.Name+"."+name+" has been removed", "add it again with `extend "+e.def.Name+" { ... }`",
			diag.Related{File: o.File, Span: o.Span, Message: "removed here"})
		return
	}
	hint := e.partHint(name)
	if others := e.set.withPart(name); !strings.HasPrefix(hint, "did you mean") && len(others) > 0 && len(others) <= maxNamesakes {
		hint = "did you mean `" + strings.Join(others, "`, `") + "`? " + strings.ToUpper(hint[:1]) + hint[1:] + " (" + e.def.Name + ")"
	}
	e.fail("unknown-path", e.def.Name+" has no part "+name, hint)
}

// maxNamesakes are the most parts of one name that are suggested.
const maxNamesakes = 3

// withPart lists the paths of the parts of all definitions that have this name.
func (s *Set) withPart(name string) (paths []string) {
	for _, d := range s.Defs {
		if body := bodyOf(d.Node); body != nil && *body != nil &&
			slices.ContainsFunc((*body).Clauses, func(cl ast.Clause) bool { return partName(cl) == name }) {
			paths = append(paths, d.Name+"."+name)
		}
	}
	return paths
}

// partHint names the part that was probably meant, or all parts.
func (e *editor) partHint(name string) string {
	if body := bodyOf(e.def.Node); body != nil && *body != nil {
		return hintAmong(*body, e.def.Name, name)
	}
	return hintAmong(&ast.Block{}, e.def.Name, name)
}

// hintAmong is partHint for the parts in a body, whose path is given.
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

// replacement creates the clause that replaces cl.
func (e *editor) replacement(cl ast.Clause) ast.Clause {
	n := e.n
	value := func() bool {
		if n.Value == nil {
			e.fail("wrong-form", e.path+" is a value", "the form is: override "+e.path+" = EXPR")
			return false
		}
		return true
	}
	body := func(now ast.Clause, at **ast.Block, span *ast.Span) ast.Clause {
		if n.Body == nil {
			e.fail("wrong-form", e.path+" has a body", "the form is: override "+e.path+" { ... }")
			return nil
		}
		*at, *span = n.Body, n.Span
		e.recordAdded(n.Body)
		return now
	}
	switch x := cl.(type) {
	case *ast.Term:
		if value() {
			y := *x
			e.replaceValue(&y.Value)
			y.Span = n.Span
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
			e.replaceValue(&y.Value)
			y.Span = n.Span
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
			}
			switch y.Amount.(type) {
			case *ast.Binary, *ast.Unary, *ast.Cond, *ast.Quantified, *ast.RollExpr, *ast.Within, *ast.IsTest: // an amount is a single operand
				y.Amount = &ast.Paren{Span: y.Amount.Extent(), X: y.Amount}
			}
			e.set.Values[y.Amount] = e.origin
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
		y := *x
		return body(&y, &y.Body, &y.Span)
	case *ast.Rule:
		y := *x
		return body(&y, &y.Body, &y.Span)
	case *ast.Way:
		y := *x
		return body(&y, &y.Body, &y.Span)
	}
	if len(e.diags) == 0 || e.diags[len(e.diags)-1].Span != n.Path.Span {
		e.fail("wrong-form", e.path+" cannot be overridden", "remove it and add another")
	}
	return nil
}

// overrideWhole replaces a whole definition with one of the same form.
func (e *editor) overrideWhole() {
	n := e.n
	e.dropCites(e.def.Name, false)
	switch x := e.def.Node.(type) {
	case *ast.Option:
		if n.Value != nil {
			if was, now := literalType(x.Value), literalType(n.Value); was != "" && now != "" && was != now {
				e.report(e.origin.File, n.Value.Extent(), "wrong-type", "this is "+now+", but the option "+e.path+" holds "+was, "an option keeps its type",
					diag.Related{File: e.def.Origin.File, Span: x.Value.Extent(), Message: "it was declared with this"})
				return
			}
			e.replaceValue(&x.Value)
			e.recordReplaced()
			return
		}
	case *ast.Define:
		if n.Value != nil {
			e.replaceValue(&x.Value)
			e.recordReplaced()
			return
		}
	case *ast.Stat:
		if n.Value != nil {
			if x.Value == nil {
				x.Value = firstTerm(x.Body)
			}
			x.Body = nil
			e.replaceValue(&x.Value)
			e.recordReplaced()
			return
		}
		if n.Body != nil {
			x.Value, x.Body = nil, n.Body
			e.recordReplaced()
			return
		}
	case *ast.Table:
		if rows := rowsOf(n.Body); rows != nil {
			x.Rows = rows
			for p := range e.set.Cells {
				if isInside(p, x.Name.Name) {
					delete(e.set.Cells, p)
				}
			}
			e.recordReplaced()
			return
		}
	case *ast.Tactics, *ast.Effect, *ast.Procedure, *ast.Rule, *ast.Template, *ast.Roll:
		if n.Body != nil {
			body := bodyOf(e.def.Node)
			for _, cl := range clausesOf(*body) {
				e.recordUnbound(cl, nil)
			}
			for _, cl := range n.Body.Clauses {
				e.recordUnbound(nil, cl)
			}
			*body = n.Body
			e.recordReplaced()
			return
		}
	case *ast.Bonus, *ast.Enum, *ast.Kind, *ast.Resource:
	default:
		e.fail("wrong-form", e.path+" cannot be overridden", redeclareHint)
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
	e.fail("wrong-form", e.path+" cannot be overridden like that", "the form is: "+form)
}

// replaceValue replaces a value, and records the old one.
func (e *editor) replaceValue(value *ast.Expr) {
	if *value != nil {
		e.set.Replaced[e.n.Value] = *value
	}
	*value = e.n.Value
}

// firstTerm is the value that determines the type of a stat, nil if there is none.
func firstTerm(b *ast.Block) ast.Expr {
	for _, cl := range clausesOf(b) {
		switch t := cl.(type) {
		case *ast.Term:
			return t.Value
		case *ast.Property:
			if len(t.Values) == 1 {
				return t.Values[0]
			}
		}
	}
	return nil
}

func clausesOf(b *ast.Block) []ast.Clause {
	if b == nil {
		return nil
	}
	return b.Clauses
}

// literalType describes the type of a literal, "" if only the checker can tell.
func literalType(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Number:
		if n.Unit.Name == "" {
			return "a number"
		}
		return "a " + words.Units[n.Unit.Name].Dimension
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
