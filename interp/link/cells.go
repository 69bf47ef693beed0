package link

import (
	"fmt"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file finds the cell of a table that a path names by its keys. Keys are compared as they are written: only the
// checker knows their values.

func (e *editor) overrideCell(t *ast.Table, rest []ast.PathPart) {
	cell, path := e.cell(t, rest)
	if cell == nil {
		return
	}
	if e.n.Value == nil {
		e.fail("wrong-form", e.path+" is a cell", "the form is: override "+e.path+" = EXPR")
		return
	}
	e.recordCell(path, cell)
	*cell = ast.Cell{Span: e.n.Value.Extent(), From: e.n.Value}
}

// recordCell records where a cell comes from, and what it replaces.
func (e *editor) recordCell(path string, was *ast.Cell) {
	o := *e.origin
	o.Was = e.set.Cells[path]
	if o.Was == nil {
		w := *e.def.Origin
		w.Span = was.Span
		o.Was = &w
	}
	e.set.Cells[path] = &o
}

// cell finds size-modifier[large], weapons[longsword, price], weapons[longsword].price.
func (e *editor) cell(t *ast.Table, rest []ast.PathPart) (*ast.Cell, string) {
	if len(rest) == 0 || len(rest[0].Keys) == 0 || len(t.Rows) < 2 {
		e.fail("unknown-path", e.path+" does not name a cell", "the form is: "+t.Name.Name+"[KEY]")
		return nil, ""
	}
	key := keyText(rest[0].Keys[0])
	column := ""
	if len(rest[0].Keys) > 1 {
		column = keyText(rest[0].Keys[1])
	} else if len(rest) > 1 {
		column = rest[1].Name.Name
	}
	head := t.Rows[0]
	ci := -1
	if column == "" && len(head.Cells) == 2 {
		ci = 1
	}
	for i := 1; i < len(head.Cells) && ci < 0; i++ {
		if matches(&head.Cells[i], column) {
			ci = i
		}
	}
	if ci < 0 {
		e.fail("unknown-path", "the table "+t.Name.Name+" has no column "+column, "the first row of the table names its columns")
		return nil, ""
	}
	for ri := range t.Rows[1:] {
		row := &t.Rows[ri+1]
		if len(row.Cells) > ci && matches(&row.Cells[0], key) {
			return &row.Cells[ci], CellPath(t.Name.Name, head, row, ci)
		}
	}
	hint := "rows that are ranges are overridden by one of their values"
	var keys []string
	for i := range t.Rows[1:] {
		if row := &t.Rows[i+1]; len(row.Cells) > 0 {
			keys = append(keys, cellText(&row.Cells[0]))
		}
	}
	if near := words.Nearest(key, keys); near != "" {
		hint = "did you mean `" + near + "`?"
	}
	e.fail("unknown-path", "the table "+t.Name.Name+" has no row "+key, hint)
	return nil, ""
}

// rowsOf returns the rows of a body, nil if it has none.
func rowsOf(b *ast.Block) []ast.Row {
	if b == nil {
		return nil
	}
	var rows []ast.Row
	for _, cl := range b.Clauses {
		if r, ok := cl.(*ast.RowClause); ok {
			rows = append(rows, r.Row)
		}
	}
	return editableRows(rows)
}

// CellPath is the path of a cell: size-modifier[large], weapons[longsword, price]. Set.Cells is indexed by it.
func CellPath(table string, head ast.Row, row *ast.Row, column int) string {
	p := table + "[" + cellText(&row.Cells[0])
	if len(head.Cells) > 2 && column < len(head.Cells) {
		p += ", " + cellText(&head.Cells[column])
	}
	return p + "]"
}

// cellText returns a key cell as it is written in a path.
func cellText(c *ast.Cell) string {
	if c.Mark != "" {
		return c.Mark
	}
	s := keyText(c.From)
	switch {
	case c.To != nil:
		return s + " to " + keyText(c.To)
	case c.Open != "":
		return s + " or " + c.Open
	}
	return s
}

// matches reports whether a heading or key is, or contains, the value as written.
func matches(c *ast.Cell, text string) bool {
	if c.Mark != "" {
		return c.Mark == text
	}
	if c.From == nil {
		return false
	}
	if cellText(c) == text || keyText(c.From) == text && c.To == nil && c.Open == "" {
		return true
	}
	lo, ok1 := numberOf(c.From)
	var v int64
	if _, err := fmt.Sscan(text, &v); err != nil || !ok1 {
		return false
	}
	switch {
	case c.To != nil:
		hi, ok := numberOf(c.To)
		return ok && lo <= v && v <= hi
	case c.Open == "more":
		return v >= lo
	case c.Open == "less":
		return v <= lo
	}
	return false
}

func numberOf(e ast.Expr) (int64, bool) {
	switch n := e.(type) {
	case *ast.Number:
		return n.Value, true
	case *ast.Unary:
		if v, ok := numberOf(n.X); ok && n.Op.Name == "-" {
			return -v, true
		}
	case *ast.Paren:
		return numberOf(n.X)
	}
	return 0, false
}
