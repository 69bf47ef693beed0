package handbook

import (
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file lays out things: all of one kind in a table, with a column for each field that some of them state; things
// with many fields each in a block of its own.

// maxColumns is the maximum number of columns of a table of things.
const maxColumns = 9

// Things are the things of one kind under one heading.
type Things struct {
	Kind    Ref
	Columns []Ref // nil: each thing has a block of its own, with its fields
	Rows    []Thing
	File    string // the file of the first one, and of most
}

// Table reports whether they are in a table.
func (t *Things) Table() bool { return t.Columns != nil }

// Thing is one of them. Its cells are in the order of the columns.
type Thing struct {
	*Entry
	Cells []Cell
}

// Cell is the value of a field. Stated is false if it is inherited or the default of the kind.
type Cell struct {
	Line
	Stated bool
}

// thingGroup collects the things of a kind.
type thingGroup struct {
	kind   string
	things []*draft
}

// templateClauses are the clauses of a thing: its fields by name, its flags and effects, and what else is in its body,
// such as how it works.
type templateClauses struct {
	fields        map[string]*ast.Property
	is, has, more []ast.Clause
}

func clausesOf(t *ast.Template) templateClauses {
	s := templateClauses{fields: map[string]*ast.Property{}}
	if t.Body == nil {
		return s
	}
	for _, cl := range t.Body.Clauses {
		switch n := cl.(type) {
		case *ast.Property:
			s.fields[n.Name.Name] = n
		case *ast.Is:
			s.is = append(s.is, n)
		case *ast.Has:
			s.has = append(s.has, n)
		case *ast.Documentation:
		default:
			s.more = append(s.more, n)
		}
	}
	return s
}

const (
	isColumn  = "is"
	hasColumn = "has"
)

// column is a field that some things of a kind state, and its default.
type column struct {
	Ref
	defaultValue ast.Expr
}

// columns lists what the things of a kind state, in the order of its fields. blocks is set when there are too many
// columns for a table, or when bodies contain more than fields.
func (sh *thingGroup) columns(n *nameIndex, fields []*ast.FieldDecl) (list []column, blocks bool) {
	used := map[string]bool{}
	for _, d := range sh.things {
		s := clausesOf(d.defs[0].Node.(*ast.Template))
		for name := range s.fields {
			used[name] = true
		}
		used[isColumn] = used[isColumn] || s.is != nil
		used[hasColumn] = used[hasColumn] || s.has != nil
		blocks = blocks || s.more != nil
	}
	for _, f := range fields {
		for _, id := range f.Names {
			if used[id.Name] {
				list = append(list, column{Ref{Name: id.Name, ID: n.field(sh.kind, id.Name)}, f.Default})
			}
		}
	}
	for _, name := range []string{isColumn, hasColumn} {
		if used[name] {
			list = append(list, column{Ref: Ref{Name: name}})
		}
	}
	return list, blocks || len(list) > maxColumns
}

// layout makes the tables of a kind, one for each heading.
func (sh *thingGroup) layout(b *Book, n *nameIndex, fields []*ast.FieldDecl, titles map[*draft]string) (sections []*Section) {
	columns, blocks := sh.columns(n, fields)
	parents := map[string]*ast.Template{} // empty for blocks: a block says what it extends instead of inheriting
	for _, d := range sh.things {
		if t := d.defs[0].Node.(*ast.Template); !blocks {
			parents[t.Name.Name] = t
		}
	}
	for _, d := range sh.things {
		i := slices.IndexFunc(sections, func(s *Section) bool { return s.Title == titles[d] })
		if i < 0 {
			i = len(sections)
			sections = append(sections, &Section{Title: titles[d], Things: &Things{Kind: Ref{ID: n.find(sh.kind, aKind), Name: sh.kind}, File: d.Place.File}})
		}
		t := d.defs[0].Node.(*ast.Template)
		thing := Thing{Entry: d.Entry}
		s := n.scopeOf(t)
		for _, col := range columns {
			c := sh.cell(s, parents, t, col)
			switch {
			case !blocks:
				thing.Cells = append(thing.Cells, c)
			case c.Stated:
				d.Fields = append(d.Fields, Field{col.Ref, c.Line})
			}
		}
		for _, p := range d.pieces[0] {
			if r, ok := d.bodyRow(b, s, p); ok {
				d.Rows = append(d.Rows, r)
			}
		}
		sections[i].Things.Rows = append(sections[i].Things.Rows, thing)
	}
	for _, s := range sections {
		if !blocks {
			s.Things.setColumns(columns)
		}
	}
	return sections
}

// bodyRow is the row of a clause of a body that is not a field: how a thing does what its kind does, or anything else
// in braces.
func (d *draft) bodyRow(b *Book, s *scope, p *link.Piece) (Row, bool) {
	r := Row{Named: true, Provenance: Provenance{Place: placeOf(p.Origin), History: b.ruleBook.HistoryOf(p.Origin)}}
	switch n := p.Whole.(type) {
	case nil, *ast.Property, *ast.Is, *ast.Has, *ast.Documentation, *ast.Template:
		return r, false
	case *ast.Way:
		r.ID, r.Label, r.Doc = p.Path, n.Name.Name, docOf(n.Meta, n.Body)
		if n.Body != nil {
			r.Lines = s.statements(n.Body.Clauses)
		}
		if part := d.parts[p.Path]; part != nil {
			r.Cites = part.Cites
		}
	default:
		r.Label, r.Lines = splitBraces(s.clause(p.Clause))
	}
	r.Own = r.Place.File == d.Place.File
	return r, true
}

// setColumns gives a table the columns that something in it states, and drops the cells of the others.
func (t *Things) setColumns(columns []column) {
	t.Columns = []Ref{}
	rows := make([][]Cell, len(t.Rows))
	for i, col := range columns {
		if !slices.ContainsFunc(t.Rows, func(x Thing) bool { return x.Cells[i].Stated }) {
			continue
		}
		t.Columns = append(t.Columns, col.Ref)
		for k := range t.Rows {
			rows[k] = append(rows[k], t.Rows[k].Cells[i])
		}
	}
	for k := range t.Rows {
		t.Rows[k].Cells = rows[k]
	}
}

// splitBraces strips the braces from a clause: what precedes them is its label.
func splitBraces(lines []Line) (label string, inside []Line) {
	for i, x := range lines[0].Spans {
		if x.Text != "{" {
			label += x.Text
			continue
		}
		if len(lines) == 1 {
			inside = []Line{{Spans: lines[0].Spans[i+1 : len(lines[0].Spans)-1]}}
		} else {
			inside = lines[1 : len(lines)-1]
		}
		for k := range inside {
			inside[k].Indent = max(0, inside[k].Indent-1)
		}
		return strings.TrimSpace(label), inside
	}
	return "", lines
}

// cell finds the value of a field: the thing's own, that of what it extends, or the kind's. Flags and effects add up.
func (sh *thingGroup) cell(s *scope, parents map[string]*ast.Template, t *ast.Template, col column) Cell {
	name := col.Name
	var list []ast.Clause
	for depth := 0; t != nil && depth < 100; depth++ { // no chain is that long: see the limits of the language
		clauses := clausesOf(t)
		switch p := clauses.fields[name]; {
		case name == isColumn:
			list = slices.Concat(clauses.is, list)
		case name == hasColumn:
			list = slices.Concat(clauses.has, list)
		case p != nil:
			return Cell{joinLines(dropSpans(s.clause(link.WithoutMeta(&ast.Property{Name: p.Name, Values: p.Values})), 2)), true}
		}
		if t.Extends == nil {
			break
		}
		t = parents[t.Extends.Name]
	}
	if list != nil {
		var l Line
		for i, cl := range list {
			if i > 0 {
				l.Spans = append(l.Spans, Span{Text: ", "})
			}
			l.Spans = append(l.Spans, joinLines(dropSpans(s.clause(link.WithoutMeta(cl)), 1)).Spans...)
		}
		return Cell{l, true}
	}
	switch n := col.defaultValue.(type) {
	case nil:
		return Cell{}
	case *ast.Literal:
		if n.Word != "yes" {
			return Cell{}
		}
	case *ast.List:
		if len(n.Items) == 0 {
			return Cell{}
		}
	}
	return Cell{Line: s.expr(col.defaultValue)}
}
