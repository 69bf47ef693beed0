package check

import (
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"cmp"
	"fmt"
	"math"
	"slices"
)

// This file checks tables: their keys, their cells, and that the keys neither overlap nor leave gaps.

// table checks the keys, the heading and the cells of a table.
func (c *checker) table(t *ir.Table) {
	if !c.enter(t, "the table "+t.Name) {
		return
	}
	defer c.leave(t)
	defer c.unmute()()
	d := c.defs[t]
	n := d.Node.(*ast.Table)
	s := c.constScope(d.Origin.Root().File, "a table")
	if len(n.Keys) < 1 || len(n.Keys) > 2 {
		s.errHint(n.Name.Span, "wrong-arguments", "a table has one key or two", "the form is: table NAME by KEY, KEY { ... }")
		return
	}
	c.keyTypes(t, n)
	if len(n.Rows) < 2 || len(n.Rows[0].Cells) < 2 {
		s.errHint(n.Name.Span, "incomplete", "the table "+t.Name+" has no rows or no columns", "the first row names the columns, the others have a key and its values")
		return
	}
	head := n.Rows[0]
	width := len(head.Cells)
	two := len(t.Keys) == 2
	nameFile := s.file
	s.file = d.Origin.File  // of the rows: the whole table may have been overridden
	var rows []diag.Related // positions of the keys, in the order of t
	for i := range t.Keys {
		if t.Keys[i].Kind == ir.Invalid {
			t.Keys[i] = s.keyType(n, i)
		}
	}
	columns, whole := s.columns(t, head) // whole: all rows and the heading are correct
	types := make([]ir.Type, max(1, len(t.Columns)))
	var overridden []func()
	if two {
		types = types[:1]
	}
	for ri := range n.Rows[1:] {
		row := &n.Rows[ri+1]
		s := s
		if o := c.addedRow(t.Name, head, row); o != nil {
			rowScope := *s
			rowScope.file, s = o.File, &rowScope
		}
		if len(row.Cells) != width {
			s.errHint(row.Span, "ragged-table", fmt.Sprintf("this row has %d cells, but the heading has %d", len(row.Cells), width), "a cell that does not apply is `-`")
			whole = false
			continue
		}
		r, ok := s.keyRange(&row.Cells[0], t.Keys[0])
		if !ok {
			whole = false
			continue
		}
		t.Rows = append(t.Rows, r)
		rows = append(rows, diag.Related{File: s.file, Span: row.Cells[0].Span})
		t.Cells = append(t.Cells, make([]ir.Cell, width-1))
		for ci := range row.Cells[1:] {
			col := ci
			if two {
				col = 0
			}
			if col >= len(types) {
				continue
			}
			out, typ, cell, path := &t.Cells[len(t.Cells)-1][ci], &types[col], &row.Cells[ci+1], link.CellPath(t.Name, head, row, ci+1)
			if c.set.Cells[path] == nil {
				*out = c.cell(s, d, cell, typ, path)
			} else {
				overridden = append(overridden, func() { *out = c.cell(s, d, cell, typ, path) })
			}
		}
	}
	for _, check := range overridden { // after the others, which determine the type of the column
		check()
	}
	if !whole {
		return // errors have been reported; without types every lookup is accepted
	}
	t.Types = types
	s.file = nameFile
	s.checkCoverage(n, t.Rows, rows, t.Keys[0], "row")
	if two {
		s.checkCoverage(n, t.Columns, columns, t.Keys[1], "column")
	}
	for i := range t.Types {
		if t.Types[i].Kind == ir.Nothing {
			t.Types[i] = invalid
		}
	}
}

// addedRow returns the origin of the change that added a row, nil for an original row.
func (c *checker) addedRow(table string, head ast.Row, row *ast.Row) *link.Origin {
	if len(row.Cells) < 2 {
		return nil
	}
	if o := c.set.Cells[link.CellPath(table, head, row, 1)]; o != nil && o.Root().Verb == "extend" {
		return o.Root()
	}
	return nil
}

// keyTypes resolves the names of the keys as types or roles. If a name is neither, the type is inferred from the
// values.
func (c *checker) keyTypes(t *ir.Table, n *ast.Table) {
	for _, id := range n.Keys {
		kt, ok := c.typeNamed(id.Name)
		if !ok {
			kt = c.roles[id.Name] // ir.Invalid when there is none
		}
		t.Keys = append(t.Keys, kt)
	}
}

// columns reads the heading: values of the second key, or names. It returns the positions of the values, and whether
// all are correct.
func (s *scope) columns(t *ir.Table, head ast.Row) (places []diag.Related, whole bool) {
	whole = true
	for i, cell := range head.Cells[1:] {
		if len(t.Keys) == 2 {
			if r, ok := s.keyRange(&cell, t.Keys[1]); ok {
				t.Columns = append(t.Columns, r)
				places = append(places, diag.Related{File: s.file, Span: cell.Span})
			} else {
				whole = false
			}
			continue
		}
		name, ok := cell.From.(*ast.Name)
		if !ok {
			s.errHint(cell.Span, "wrong-heading", "the heading of a column is a name", "with two keys (`by KEY, KEY`) the headings are values")
			whole = false
			continue
		}
		if first := slices.Index(t.Names, name.Name); first >= 0 {
			s.errDuplicate(cell.Span, head.Cells[first+1].Span, "there already is a column "+name.Name, "give one of them another name")
		}
		t.Names = append(t.Names, name.Name)
		t.Columns = append(t.Columns, ir.Range{Lo: int64(i), Hi: int64(i)})
	}
	return places, whole
}

// keyType infers the type of a key from its first value that has one.
func (s *scope) keyType(n *ast.Table, key int) ir.Type {
	var cells []ast.Cell
	if key == 1 {
		cells = n.Rows[0].Cells[1:]
	} else {
		for _, r := range n.Rows[1:] {
			if len(r.Cells) > 0 {
				cells = append(cells, r.Cells[0])
			}
		}
	}
	for _, cell := range cells {
		if cell.From != nil {
			if x := s.tryExpr(cell.From, nil); x != nil && x.Type.Kind != ir.Nothing {
				return x.Type
			}
		}
	}
	return number
}

// cell checks one cell. typ is the type of its column so far, which it may set or widen.
func (c *checker) cell(s *scope, d *link.Def, cell *ast.Cell, typ *ir.Type, path string) ir.Cell {
	o := d.Origin
	if w := c.set.Cells[path]; w != nil {
		o = w
	}
	out := ir.Cell{Part: &ir.Part{ID: -1, Path: path, Pos: ir.Pos{File: c.file(o.File), Span: cell.Span}, From: o.Ruleset}} // a cell is replaced as a whole
	if c.set.Cells[path] != nil {
		out.Part = c.newPart(path, o, cell.Span, nil, nil)
	} else if p := c.partIfCited(path, o, cell.Span); p != nil {
		out.Part = p
	}
	switch cell.Mark {
	case "-":
		typ.OrNone = true
		return out
	case "gm":
		out.GM = true
		return out
	}
	cs := *s
	cs.file = o.File
	var want *ir.Type
	if typ.Kind != ir.Invalid {
		want = typ
	}
	x := cs.expr(cell.From, want)
	if x.Type.Kind == ir.Nothing {
		typ.OrNone = true
		return out
	}
	if typ.Kind == ir.Invalid {
		none := typ.OrNone
		*typ = x.Type
		typ.OrNone = none
	} else if !sameType(x.Type, *typ) && x.Type.Kind != ir.Invalid {
		if typ.Kind == ir.Number && x.Type.Kind == ir.Dice || typ.Kind == ir.Dice && x.Type.Kind == ir.Number {
			none := typ.OrNone
			*typ = diceType
			typ.OrNone = none
			if x.Type.Kind == ir.Number && x.Op == ir.OpConst {
				x = cs.numberAsDice(x, cell.From)
			}
		} else {
			cs.err(cell.Span, "wrong-type", "this is %s, but the column holds %s", article(typeName(x.Type)), typeName(*typ))
		}
	}
	if k, ok := cs.fold(x, cell.From); ok && !k.IsList {
		x = cs.constant(x.Type, k.Value, cell.Span)
	}
	out.Value = x
	return out
}

// keyRange reads a key: a value, a range, `22 or more`, `others`.
func (s *scope) keyRange(cell *ast.Cell, t ir.Type) (ir.Range, bool) {
	all := ir.Range{Lo: math.MinInt64 + 1, Hi: math.MaxInt64}
	if cell.Mark == "others" {
		return ir.Range{Lo: math.MaxInt64, Hi: math.MinInt64 + 1}, true // empty: all other keys
	}
	if cell.Mark != "" || cell.From == nil {
		s.errHint(cell.Span, "wrong-heading", "a key is a value, a range, or `others`", "the forms are: 3, 1 to 3, 22 or more, 0 or less, others")
		return all, false
	}
	keyValue := func(e ast.Expr) (int64, bool) {
		x := s.expr(e, &t)
		if x.Type.Kind == ir.Number && t.Kind == ir.Quantity { // the heading gives the unit
			x.Type = t
		}
		if x.Type.Kind != ir.Nothing {
			x = s.demand(x, e, notNone(t))
		}
		k, ok := s.fold(x, e)
		return k.Value, ok
	}
	lo, ok := keyValue(cell.From)
	if !ok {
		return all, false
	}
	r := ir.Range{Lo: lo, Hi: lo}
	switch {
	case cell.To != nil:
		if r.Hi, ok = keyValue(cell.To); !ok {
			return all, false
		}
		if r.Hi < r.Lo {
			s.errHint(cell.Span, "empty-range", "this range is empty", "put the lower end first: 1 to 3")
			return all, false
		}
	case cell.Open == "more":
		r.Hi = all.Hi
	case cell.Open == "less":
		r.Lo = all.Lo
	}
	return r, true
}

// checkCoverage checks that keys neither overlap nor leave gaps.
func (s *scope) checkCoverage(n *ast.Table, rs []ir.Range, places []diag.Related, t ir.Type, what string) {
	others := false
	var order []int // indexes of the keys, in ascending order
	for i, r := range rs {
		switch {
		case r.Lo == math.MaxInt64 && r.Lo > r.Hi:
			others = true
		case r.Lo <= r.Hi: // an empty one has been reported
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rs[a].Lo, rs[b].Lo) })
	top := -1 // index of the key so far with the highest upper bound
	for _, i := range order {
		if top >= 0 && rs[i].Lo <= rs[top].Hi {
			first, second := places[min(i, top)], places[max(i, top)]
			first.Message = "the other one"
			s.c.errorAt(second.File, second.Span, "table-overlap", "this "+what+" overlaps another", "each value belongs to one "+what, first)
		}
		if top < 0 || rs[i].Hi > rs[top].Hi {
			top = i
		}
	}
	if others || top < 0 {
		return
	}
	var first, last int64
	var keyText func(v int64) string
	switch t.Kind {
	case ir.EnumType:
		members := s.c.enums[t.Name].Members
		first, last = 0, int64(len(members)-1)
		keyText = func(v int64) string { return members[v] }
	case ir.Number, ir.Quantity: // looking up a value below the first row or above the last is a run-time error
		first, last = rs[order[0]].Lo, rs[top].Hi
		keyText = func(v int64) string { return fmt.Sprint(v) }
	default:
		return
	}
	next := first // the lowest value that no row so far covers
	for _, i := range order {
		if rs[i].Lo > next {
			break
		}
		if rs[i].Hi >= last {
			return
		}
		next = max(next, rs[i].Hi+1)
	}
	s.errHint(n.Name.Span, "table-hole", fmt.Sprintf("the table %s has no row for %s", n.Name.Name, keyText(next)), "add a "+what+" for it, or `others`")
}
