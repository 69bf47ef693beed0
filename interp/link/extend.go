package link

import (
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file extends definitions with clauses, steps, rows and names, and removes definitions and parts.

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
		if x.Value != nil { // expand the short form to named terms
			x.Body = &ast.Block{Span: x.Value.Extent(), Clauses: []ast.Clause{&ast.Term{Span: x.Value.Extent(), Name: ast.Ident{Span: x.Value.Extent(), Name: "base"}, Value: x.Value}}}
			x.Value = nil
		}
	}
	body := bodyOf(e.def.Node)
	if body == nil {
		hint := "override it"
		switch e.def.Node.(type) {
		case *ast.View, *ast.Permission, *ast.Role:
			hint = redeclareHint
		}
		e.fail("wrong-form", e.def.Name+" cannot be extended", hint)
		return
	}
	if *body == nil {
		*body = &ast.Block{Span: n.Body.Span}
	}
	if _, isTactics := e.def.Node.(*ast.Tactics); isTactics { // what is added is preferred: at the end, little would ever come to it
		(*body).Clauses = slices.Concat(e.recordAdded(n.Body), (*body).Clauses)
		return
	}
	for _, cl := range e.recordAdded(n.Body) {
		if e.resolveRivalPart(*body, cl) {
			continue
		}
		e.addClause(*body, cl)
	}
}

// addClause adds a clause to a body: a step at the place it names, anything else at the end.
func (e *editor) addClause(body *ast.Block, cl ast.Clause) {
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
			if o := e.set.Cells[path]; o != nil && e.isFromSibling(o) {
				continue // a sibling adds the same
			}
			x.Members = append(x.Members, c.Name)
			e.set.Cells[path] = e.origin
		} else if _, bad := cl.(*ast.Bad); !bad {
			e.report(e.origin.File, cl.Extent(), "wrong-form", "an enum is extended by names", "the form is: extend "+e.path+" { NAME }")
		}
	}
}

// extendTable adds rows, before the row for all other keys.
func (e *editor) extendTable(x *ast.Table) {
	rows := slices.DeleteFunc(rowsOf(e.n.Body), func(r ast.Row) bool { return e.resolveSameRow(x, &r) })
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

// resolveSameRow reports whether the table already has a row with the same key, as written, and handles that case.
func (e *editor) resolveSameRow(x *ast.Table, row *ast.Row) bool {
	for i := 1; i < len(x.Rows) && len(row.Cells) > 0; i++ {
		have := &x.Rows[i]
		if len(have.Cells) == 0 || cellText(&have.Cells[0]) != cellText(&row.Cells[0]) {
			continue
		}
		key := x.Name.Name + "[" + cellText(&row.Cells[0]) + "]"
		related := diag.Related{File: e.def.Origin.File, Span: have.Span, Message: "the row is here"}
		if o := e.set.Cells[CellPath(x.Name.Name, x.Rows[0], have, 1)]; o != nil {
			if e.isFromSibling(o) {
				e.resolveRivalRow(x, have, row, key, o)
				return true
			}
			related.File, related.Span = o.File, o.Span
		}
		e.report(e.origin.File, row.Cells[0].Span, "declared-twice", "there already is a row "+key, "to change its cells write: override "+key+" = EXPR", related)
		return true
	}
	return false
}

// insertStep inserts a step before or after the one that it names.
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
			for _, x := range e.recordAdded(e.n.Body) {
				e.addClause(*inner, x)
			}
			return
		}
	}
	e.reportMissingPart(name)
}

// remove removes the definition, or every part of that name; a cell becomes empty.
func (e *editor) remove(rest []ast.PathPart) {
	if len(rest) == 0 {
		e.dropCites(e.def.Name, true)
		e.drop(e.def)
		o := *e.origin
		o.Was = e.def.Origin
		e.set.Removed[e.def.Name] = &o
		return
	}
	if t, ok := e.def.Node.(*ast.Table); ok {
		if cell, path := e.cell(t, rest); cell != nil {
			e.recordCell(path, cell)
			*cell = ast.Cell{Span: e.n.Span, Mark: "-"}
			delete(e.set.AddedCites, path)
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
				e.recordUnbound(cl, nil)
				continue
			}
			keep = append(keep, cl)
		}
		(*body).Clauses = keep
	}
	if !found {
		e.reportMissingPart(name)
		return
	}
	e.set.Removed[e.def.Name+"."+name] = &gone
	delete(e.set.AddedCites, e.def.Name+"."+name)
}
