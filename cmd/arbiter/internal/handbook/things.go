package handbook

import (
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file lays things out: all of one kind in one table, a column for each field that some of them state; things of many
// fields each in a block of its own.

// widest is how many columns a table of things may have.
const widest = 9

// Things are the things of one kind that stand under one heading.
type Things struct {
	Kind    Ref
	Columns []Ref // nil: each thing has a block of its own, with its fields
	Rows    []Thing
	File    string // where the first of them stands, and most
}

// Thing is one of them. Its cells stand in the order of the columns.
type Thing struct {
	*Entry
	Cells []Cell
}

// Cell is the value of a field. Stated is false of one that is inherited or left to the kind.
type Cell struct {
	Line
	Stated bool
}

// shelf gathers the things of a kind.
type shelf struct {
	kind   string
	things []*draft
}

// stated are the clauses of a thing: its fields by name, its flags and its effects, and what else stands in its body, such
// as the way in which it works.
type stated struct {
	fields        map[string]*ast.Property
	is, has, more []ast.Clause
}

func statedBy(t *ast.Template) stated {
	s := stated{fields: map[string]*ast.Property{}}
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

// layout makes the tables of a kind, one for each heading.
func (sh *shelf) layout(b *Book, n *names, fields []*ast.FieldDecl, titles map[*draft]string) (sections []*Section) {
	used := map[string]bool{}
	cards := false
	all := map[string]*ast.Template{}
	for _, d := range sh.things {
		t := d.defs[0].Node.(*ast.Template)
		all[t.Name.Name] = t
		s := statedBy(t)
		for name := range s.fields {
			used[name] = true
		}
		used[isColumn] = used[isColumn] || s.is != nil
		used[hasColumn] = used[hasColumn] || s.has != nil
		cards = cards || s.more != nil
	}
	var columns []string
	defaults := map[string]ast.Expr{}
	for _, f := range fields {
		for _, id := range f.Names {
			if used[id.Name] {
				columns = append(columns, id.Name)
				defaults[id.Name] = f.Default
			}
		}
	}
	for _, name := range []string{isColumn, hasColumn} {
		if used[name] {
			columns = append(columns, name)
		}
	}
	var refs []Ref
	for _, name := range columns {
		r := Ref{Name: name}
		if name != isColumn && name != hasColumn {
			r.ID = n.field(sh.kind, name)
		}
		refs = append(refs, r)
	}
	var now *Section
	for _, d := range sh.things {
		title := titles[d]
		if now == nil || now.Title != title {
			i := slices.IndexFunc(sections, func(s *Section) bool { return s.Title == title })
			if i < 0 {
				i = len(sections)
				sections = append(sections, &Section{Title: title, Things: &Things{Kind: Ref{ID: n.find(sh.kind, aKind), Name: sh.kind}, File: d.Place.File}})
				if cards = cards || len(columns) > widest; !cards {
					sections[i].Things.Columns = refs
				}
			}
			now = sections[i]
		}
		thing := Thing{Entry: d.Entry}
		s := n.scopeOf(d.defs[0].Node)
		for i, name := range columns {
			c := sh.cell(s, all, d.defs[0].Node.(*ast.Template), name, defaults[name])
			if now.Things.Columns == nil {
				if c.Stated {
					d.Fields = append(d.Fields, Field{refs[i], c.Line})
				}
				continue
			}
			thing.Cells = append(thing.Cells, c)
		}
		for _, cl := range statedBy(d.defs[0].Node.(*ast.Template)).more {
			label, lines := opened(s.clause(link.Bare(cl)))
			d.Rows = append(d.Rows, Row{Label: label, Named: true, Lines: lines, Fate: Fate{Place: d.Place, Own: true}})
		}
		now.Things.Rows = append(now.Things.Rows, thing)
	}
	return sections
}

// opened takes a clause out of its brackets: what stands before them is its label.
func opened(lines []Line) (label string, inside []Line) {
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

// cell finds the value of a field: the thing's own, that of what it extends, the kind's. Flags and effects add up.
func (sh *shelf) cell(s *scope, all map[string]*ast.Template, t *ast.Template, name string, usual ast.Expr) Cell {
	var list []ast.Clause
	for depth := 0; t != nil && depth < 100; depth++ { // no chain is that long: see the limits of the language
		said := statedBy(t)
		switch p := said.fields[name]; {
		case name == isColumn:
			list = slices.Concat(said.is, list)
		case name == hasColumn:
			list = slices.Concat(said.has, list)
		case p != nil:
			return Cell{joined(after(s.clause(link.Bare(&ast.Property{Name: p.Name, Values: p.Values})), 2)), true}
		}
		if t.Extends == nil {
			break
		}
		t = all[t.Extends.Name]
	}
	if list != nil {
		var l Line
		for i, cl := range list {
			if i > 0 {
				l.Spans = append(l.Spans, Span{Text: ", "})
			}
			l.Spans = append(l.Spans, joined(after(s.clause(link.Bare(cl)), 1)).Spans...)
		}
		return Cell{l, true}
	}
	switch n := usual.(type) {
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
	return Cell{Line: s.expr(usual)}
}
