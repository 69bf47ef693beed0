package handbook

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file makes an entry from a definition: its head without its body, and a row for each of its parts.

// fill writes an entry.
func (d *draft) fill(b *Book, n *nameIndex) {
	page := b.ruleBook.DefinitionPage(d.defs[0], d.name)
	parts := partsByPath(&page)
	d.parts = parts
	for i, def := range d.defs {
		s := n.scopeOf(def.Node)
		if i == 0 {
			d.Doc = page.Doc
			d.Provenance = Provenance{Cites: page.Cites, Place: page.Place, Own: true, History: page.History}
			d.setHead(s, def)
			for i := range d.Rows {
				d.Rows[i].Place = d.Place
			}
		}
		if !hasNoRows(def.Node) {
			for _, p := range d.pieces[i] {
				d.addRow(b, s, p, parts)
			}
		}
		if t, ok := def.Node.(*ast.Table); ok {
			d.Grid = s.grid(t)
		}
		d.addFunctions(b, n, def)
	}
	d.addChangedParts(parts)
	slices.SortStableFunc(d.Rows, func(x, y Row) int { return cmp.Compare(x.rank(), y.rank()) })
}

// addFunctions shows the Starlark functions that a definition is, or is registered with.
func (d *draft) addFunctions(b *Book, n *nameIndex, def *link.Def) {
	show := func(f function) {
		if code, line := functionIn(string(b.ruleBook.Source(f.file)), f.name); code != "" {
			place := rulebook.Place{Ruleset: def.Origin.Root().Ruleset, File: f.file, Line: line, Column: 1}
			d.Rows = append(d.Rows, Row{Label: "function", Code: code, Provenance: Provenance{Place: place}})
		}
	}
	if u, ok := def.Node.(*ast.Use); ok {
		show(function{strings.ReplaceAll(u.Name.Name, "-", "_"), path.Join(path.Dir(def.Origin.File), u.File.Value)})
		return
	}
	shown := map[string]bool{}
	visitNodes(reflect.ValueOf(def.Node), func(x any) {
		if id, ok := x.(*ast.Ident); ok && !shown[id.Name] {
			if f, ok := n.registered[id.Name]; ok {
				shown[id.Name] = true
				show(f)
			}
		}
	})
}

// functionIn finds the text of a function in a Starlark file, up to the next line that is not indented, and its line
// number.
func functionIn(source, name string) (code string, line int) {
	lines := strings.Split(source, "\n")
	for i, l := range lines {
		if !strings.HasPrefix(l, "def "+name+"(") {
			continue
		}
		end := i + 1
		for end < len(lines) && (lines[end] == "" || strings.IndexByte(" \t)", lines[end][0]) >= 0) {
			end++
		}
		return strings.TrimRight(strings.Join(lines[i:end], "\n"), "\n"), i + 1
	}
	return "", 0
}

// rank orders rows: the costs and requirements of an action come before its steps, wherever a ruleset has added them.
func (r *Row) rank() int {
	switch {
	case r.Label == "costs":
		return 0
	case r.Label == "needs":
		return 1
	case r.Step > 0:
		return 3
	}
	return 2
}

// hasNoRows reports whether a definition has no rows: things, whose values are in the table of their kind, and one-line
// definitions.
func hasNoRows(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Template, *ast.Bonus, *ast.Role:
		return true
	}
	return false
}

// partsByPath are what happened to the parts of a definition, by path.
func partsByPath(p *rulebook.Page) map[string]*rulebook.Part {
	m := map[string]*rulebook.Part{}
	for i := range p.Parts {
		if path := p.Parts[i].Path; m[path] == nil { // of several parts with the same path, the first counts
			m[path] = &p.Parts[i]
		}
	}
	return m
}

// addChangedParts adds a row for each changed part that has no row, such as a cell, and for each removed part.
func (d *draft) addChangedParts(parts map[string]*rulebook.Part) {
	var paths []string
	for path, part := range parts {
		changed := part.Removed != nil || len(part.Replaced)+len(part.Extended) > 0
		if changed && !d.shownPaths[path] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		part := parts[path]
		d.Rows = append(d.Rows, Row{Label: strings.TrimPrefix(path, d.name+"."), Named: true, Provenance: Provenance{Cites: part.Cites, Place: part.Place, History: part.History}})
	}
}

// setHead formats what is before the body.
func (d *draft) setHead(s *scope, def *link.Def) {
	named := 2 // the word and the name; with a kind also the kind and the dot
	if strings.Contains(d.name, ".") {
		named = 4
	}
	rest := func(cl ast.Clause) Line {
		cl = link.WithoutMeta(cl)
		if body := ast.HeadOf(cl).Body; body != nil {
			*body = nil
		}
		return joinLines(dropSpans(s.clause(cl), named))
	}
	switch n := def.Node.(type) {
	case *ast.Option:
		d.Is = s.formula(n.Value)
	case *ast.Bonus:
		d.Is = []Line{{Spans: []Span{{Text: n.Law.Name, Kind: Word}}}}
	case *ast.Role:
		d.Is = dropSpans(s.clause(&ast.Role{Names: n.Names[:1], Type: n.Type}), 3)
	case *ast.Enum:
		var l Line
		for i, m := range n.Members {
			if i > 0 {
				l.Spans = append(l.Spans, Span{Text: separator(n.Ordered)})
			}
			l.Spans = append(l.Spans, Span{Text: m.Name, Kind: Name})
		}
		d.Is = []Line{l}
	case *ast.Stat:
		c := *n
		c.Value = nil
		d.Head = rest(&c)
	case *ast.Define:
		c := *n
		c.Value = nil
		d.Head = rest(&c)
		d.Is = s.formula(n.Value)
	case *ast.Table:
		c := *n
		c.Rows = nil
		lines := s.clause(link.WithoutMeta(&c))
		d.Head = joinLines(dropSpans(lines[:1], 2))
		for i, x := range d.Head.Spans { // the brace of the rows
			if strings.Contains(x.Text, "{") {
				d.Head.Spans = d.Head.Spans[:i]
				break
			}
		}
	case *ast.Rule:
		d.Head = rest(ruleHead(n))
		d.Rows = append(d.Rows, s.ruleRows(n)...)
	case *ast.Template:
		if n.Extends != nil {
			d.Head = rest(n)
		}
	case *ast.Tactics:
		if n.Body != nil {
			d.Rows = append(d.Rows, Row{Label: "in this order", Lines: s.statements(n.Body.Clauses), Provenance: Provenance{Own: true}})
		}
	case *ast.View, *ast.Resource, *ast.Effect, *ast.Procedure, *ast.Use:
		d.Head = rest(n)
	}
}

func separator(ordered bool) string {
	if ordered {
		return " < "
	}
	return ", "
}

// ruleHead is a rule without its body.
func ruleHead(n *ast.Rule) ast.Clause {
	c := *n
	c.Body = nil
	return &c
}

// ruleRows returns the rows of the body of a rule or reaction.
func (s *scope) ruleRows(n *ast.Rule) (rows []Row) {
	if n.Body == nil {
		return nil
	}
	var body []ast.Clause
	for _, cl := range n.Body.Clauses {
		switch cl.(type) {
		case *ast.Cost, *ast.Needs:
			rows = append(rows, Row{Label: rowLabel(cl), Lines: dropSpans(s.clause(link.WithoutMeta(cl)), 1), Provenance: Provenance{Own: true}})
		default:
			body = append(body, cl)
		}
	}
	if lines := s.statements(body); lines != nil {
		rows = append(rows, Row{Lines: lines, Provenance: Provenance{Own: true}})
	}
	return rows
}

// statements formats the statements of a body, without their doc strings and citations.
func (s *scope) statements(list []ast.Clause) (lines []Line) {
	for _, cl := range list {
		if _, ok := cl.(*ast.Documentation); !ok {
			lines = append(lines, s.clause(link.WithoutMeta(cl))...)
		}
	}
	return lines
}

// rowLabel names the kind of a clause, for the margin of its row.
func rowLabel(cl ast.Clause) string {
	switch n := cl.(type) {
	case *ast.Modifier:
		if n.Against {
			return "to foes"
		}
		return "adds"
	case *ast.Denied:
		return "denies"
	case *ast.Cannot:
		return "forbids"
	case *ast.Must:
		return "demands"
	case *ast.Includes:
		return "includes"
	case *ast.Keep:
		return "remembers"
	case *ast.Lasts:
		return "lasts"
	case *ast.Cost:
		return "costs"
	case *ast.Needs:
		return "needs"
	case *ast.RollClause:
		switch {
		case n.Die != nil:
			return "die"
		case n.Natural != nil:
			return "face"
		}
		return "says"
	}
	return ""
}

// addRow adds the row of a piece.
func (d *draft) addRow(b *Book, s *scope, p *link.Piece, parts map[string]*rulebook.Part) {
	if p.Path == d.name || p.Whole == nil {
		return
	}
	r := Row{Label: rowLabel(p.Whole)}
	if d.pathsWithAnchor[p.Path] {
		r.ID = p.Path
	}
	linesFrom := func(pieces int) []Line { return dropSpans(s.clause(p.Clause), pieces) }
	var cites []ast.Cite
	switch n := p.Whole.(type) {
	case *ast.Term:
		r.Label, r.Named = n.Name.Name, true
		r.Lines, cites = linesFrom(2), n.Cites
	case *ast.FieldDecl:
		r.Label, r.Named = n.Names[0].Name, true
		r.Lines, cites = linesFrom(2), n.Cites
	case *ast.Property:
		r.Label, r.Named = n.Name.Name, true
		r.Lines, cites = linesFrom(2), n.Cites
	case *ast.Step:
		r.Label, r.Named = n.Name.Name, true
		r.Step = 1
		for _, x := range d.Rows {
			if x.Step > 0 {
				r.Step = x.Step + 1
			}
		}
		if n.When != nil || n.Unless != nil {
			r.Head = joinLines(dropSpans(s.clause(&ast.Step{Span: n.Span, Name: n.Name, Tail: ast.Tail{When: n.When, Unless: n.Unless}}), 2))
		}
		r.Doc = docOf(n.Meta, n.Body)
		if n.Body != nil {
			r.Lines = s.statements(n.Body.Clauses)
		}
	case *ast.Rule:
		r.Label, r.Named, r.Kind = n.Name.Name, true, n.Word.Name
		r.Head = joinLines(dropSpans(s.clause(link.WithoutMeta(ruleHead(n))), 2))
		r.Doc = docOf(n.Meta, n.Body)
		for _, x := range s.ruleRows(n) {
			if x.Label != "" {
				x.Lines[0].Spans = append([]Span{{Text: x.Label + " ", Kind: Word}}, x.Lines[0].Spans...)
			}
			r.Lines = append(r.Lines, x.Lines...)
		}
	case *ast.Cost, *ast.Needs, *ast.Includes, *ast.Cannot, *ast.Denied, *ast.Keep, *ast.Lasts, *ast.Must, *ast.RollClause:
		r.Lines, cites = linesFrom(1), citesOf(n)
	case *ast.Modifier:
		r.Lines, cites = linesFrom(0), n.Cites
	default: // statements outside any step
		lines := linesFrom(0)
		if k := len(d.Rows); k > 0 && d.Rows[k-1].Label == "does" {
			d.Rows[k-1].Lines = append(d.Rows[k-1].Lines, lines...)
			return
		}
		r.Label, r.Lines = "does", lines
	}
	for _, c := range b.ruleBook.Rules.Set().AddedCites[p.Path] {
		cites = slices.Concat(cites, c.Cites)
	}
	r.Provenance = Provenance{Place: placeOf(p.Origin), Cites: citeIDs(cites), History: b.ruleBook.HistoryOf(p.Origin)}
	if part := parts[p.Path]; part != nil && r.ID != "" {
		r.Provenance.Cites, r.Provenance.Place = part.Cites, part.Place
	}
	d.shownPaths[p.Path] = true
	r.Own = r.Provenance.Place.File == d.Place.File
	d.Rows = append(d.Rows, r)
}

func placeOf(o *link.Origin) rulebook.Place {
	return rulebook.Place{Ruleset: o.Ruleset, File: o.File, Line: o.Span.Start.Line, Column: o.Span.Start.Column}
}

// docOf is the doc string of a part, in its head or in its body.
func docOf(m ast.Meta, body *ast.Block) string {
	if m.Doc != nil {
		return m.Doc.Value
	}
	if body != nil {
		for _, cl := range body.Clauses {
			if d, ok := cl.(*ast.Documentation); ok && d.Doc != nil {
				return d.Doc.Value
			}
		}
	}
	return ""
}

func citesOf(cl ast.Clause) []ast.Cite {
	switch n := cl.(type) {
	case *ast.Cost:
		return n.Cites
	case *ast.Needs:
		return n.Cites
	case *ast.Includes:
		return n.Cites
	case *ast.Cannot:
		return n.Cites
	case *ast.Denied:
		return n.Cites
	case *ast.Keep:
		return n.Cites
	case *ast.Lasts:
		return n.Cites
	case *ast.Must:
		return n.Cites
	case *ast.RollClause:
		return n.Cites
	}
	return nil
}

// citeIDs formats citations as in the source.
func citeIDs(cites []ast.Cite) (ids []string) {
	for _, c := range cites {
		id := c.ID
		if c.To != "" {
			id += " to " + c.To
		}
		ids = append(ids, id)
	}
	return ids
}

// grid formats the rows of a table.
func (s *scope) grid(t *ast.Table) *Grid {
	g := &Grid{}
	for i, row := range t.Rows {
		var cells []Line
		for j := range row.Cells {
			cells = append(cells, s.cell(&row.Cells[j]))
		}
		if i == 0 {
			g.Head = cells
		} else {
			g.Rows = append(g.Rows, cells)
		}
	}
	return g
}

func (s *scope) cell(c *ast.Cell) Line {
	if c.Mark != "" {
		text := map[string]string{"-": "-", "gm": "the game master decides", "others": "all others"}[c.Mark]
		return Line{Spans: []Span{{Text: text, Kind: Word}}}
	}
	l := s.expr(c.From)
	if c.To != nil {
		l.Spans = append(append(l.Spans, Span{Text: " to ", Kind: Word}), s.expr(c.To).Spans...)
	}
	if c.Open != "" {
		l.Spans = append(l.Spans, Span{Text: " or " + c.Open, Kind: Word})
	}
	return l
}
