package format

import (
	"strings"
	"unicode/utf8"

	"arbiter/lang/ast"
)

// This file prints tables: the pipes aligned, columns of numbers to the right, words to the left.

func (p *printer) table(c *ast.Table) doc {
	head := concat{wordAndName("table", c.Span, c.Name), word(" by "), idents(c.Keys)}
	var rows []doc
	for i, s := range p.rows(c.Rows, 1) {
		if i > 0 {
			rows = append(rows, lineEnd)
		}
		rows = append(rows, begin{offsetOf(c.Rows[i])}, text{s, offsetOf(c.Rows[i])})
	}
	b := braces(0, nil, rows, c.End.Offset, false)
	return concat{group(indent(wrapIndent, group(head)), p.meta(c.Meta, nil), space, b.open), b.rest}
}

// rowClauses prints the rows among the clauses of a body that extends a table, by their index.
func (p *printer) rowClauses(clauses []ast.Clause) map[int]string {
	var rows []ast.Row
	var at []int
	for i, c := range clauses {
		if r, ok := c.(*ast.RowClause); ok {
			rows, at = append(rows, r.Row), append(at, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	table := map[int]string{}
	for i, s := range p.rows(rows, 0) {
		table[at[i]] = s
	}
	return table
}

// rows prints the rows of one table; the first names of them name the columns.
func (p *printer) rows(rows []ast.Row, names int) []string {
	var widths []int
	var words []bool // the columns with a word below the header
	cells := make([][]string, len(rows))
	for i, row := range rows {
		cells[i] = make([]string, len(row.Cells))
		for j := range row.Cells {
			if j == len(widths) {
				widths, words = append(widths, 0), append(words, false)
			}
			cells[i][j] = p.flat(p.cell(&row.Cells[j]))
			widths[j] = max(widths[j], utf8.RuneCountInString(cells[i][j]))
			words[j] = words[j] || i >= names && !isNumeric(&row.Cells[j])
		}
	}
	lines := make([]string, len(rows))
	for i := range rows {
		var b strings.Builder
		b.WriteByte('|')
		for j, s := range cells[i] {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(s))
			if words[j] {
				b.WriteString(" " + s + pad + " |")
			} else {
				b.WriteString(" " + pad + s + " |")
			}
		}
		lines[i] = b.String()
	}
	return lines
}

// flat prints a document on one line.
func (p *printer) flat(d doc) string {
	r := &renderer{width: 1 << 30}
	r.render(group(d))
	return strings.TrimSuffix(r.finish(), "\n")
}

// isNumeric reports whether a cell may be in a column of numbers: numbers, dice, ranges and marks.
func isNumeric(c *ast.Cell) bool {
	if c.Mark != "" {
		return true
	}
	e := c.From
	if u, ok := e.(*ast.Unary); ok {
		e = u.X
	}
	switch e.(type) {
	case *ast.Number, *ast.Dice:
		return true
	}
	return false
}

// cell prints a cell of a table or a value before an arm.
func (p *printer) cell(c *ast.Cell) doc {
	if c.Mark != "" {
		return text{c.Mark, c.Start.Offset}
	}
	d := concat{p.expr(c.From)}
	if c.To != nil {
		d = append(d, word(" to "), p.expr(c.To))
	}
	if c.Open != "" {
		d = append(d, word(" or "), text{c.Open, max(c.End.Offset-len(c.Open), 0)})
	}
	return d
}
