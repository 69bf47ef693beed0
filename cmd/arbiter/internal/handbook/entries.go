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
func (d *draft) fill(b *Book, n *names) {
	page := b.page.Whole(d.defs[0], d.name)
	own := fates(&page)
	d.own = own
	for i, def := range d.defs {
		s := n.scopeOf(def.Node)
		if i == 0 {
			d.Doc = page.Doc
			d.Fate = Fate{Cites: page.Cites, Place: page.Place, Own: true, History: page.History}
			d.head(s, def)
			for i := range d.Rows {
				d.Rows[i].Place = d.Place
			}
		}
		if !hasNoRows(def.Node) {
			for _, p := range d.pieces[i] {
				d.row(b, s, p, own)
			}
		}
		if t, ok := def.Node.(*ast.Table); ok {
			d.Grid = s.grid(t)
		}
		d.functions(b, n, def)
	}
	d.fates(own)
	slices.SortStableFunc(d.Rows, func(x, y Row) int { return cmp.Compare(x.rank(), y.rank()) })
}

// functions shows the Starlark functions that a definition is, or is registered with.
func (d *draft) functions(b *Book, n *names, def *link.Def) {
	show := func(f function) {
		if code, line := functionIn(string(b.page.Source(f.file)), f.name); code != "" {
			place := rulebook.Place{Ruleset: def.Origin.Root().Ruleset, File: f.file, Line: line, Column: 1}
			d.Rows = append(d.Rows, Row{Label: "function", Code: code, Fate: Fate{Place: place}})
		}
	}
	if u, ok := def.Node.(*ast.Use); ok {
		show(function{strings.ReplaceAll(u.Name.Name, "-", "_"), path.Join(path.Dir(def.Origin.File), u.File.Value)})
		return
	}
	shown := map[string]bool{}
	each(reflect.ValueOf(def.Node), func(x any) {
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

// fates are what happened to the parts of a definition, by path.
func fates(p *rulebook.Page) map[string]*rulebook.Part {
	m := map[string]*rulebook.Part{}
	for i := range p.Parts {
		if path := p.Parts[i].Path; m[path] == nil { // of several parts with the same path, the first counts
			m[path] = &p.Parts[i]
		}
	}
	return m
}

// fates adds a row for each changed part that has no row, such as a cell, and for each removed part.
func (d *draft) fates(own map[string]*rulebook.Part) {
	var paths []string
	for path, part := range own {
		changed := part.Removed != nil || len(part.Replaced)+len(part.Extended) > 0
		if changed && !d.told[path] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		part := own[path]
		d.Rows = append(d.Rows, Row{Label: strings.TrimPrefix(path, d.name+"."), Named: true, Fate: Fate{Cites: part.Cites, Place: part.Place, History: part.History}})
	}
}

// head formats what is before the body.
func (d *draft) head(s *scope, def *link.Def) {
	named := 2 // the word and the name; with a kind also the kind and the dot
	if strings.Contains(d.name, ".") {
		named = 4
	}
	rest := func(cl ast.Clause) Line { return joined(after(s.clause(link.WithoutMeta(cl)), named)) }
	switch n := def.Node.(type) {
	case *ast.Option:
		d.Is = s.formula(n.Value)
	case *ast.Bonus:
		d.Is = []Line{{Spans: []Span{{Text: n.Law.Name, Sort: Word}}}}
	case *ast.Role:
		d.Is = after(s.clause(&ast.Role{Names: n.Names[:1], Type: n.Type}), 3)
	case *ast.Enum:
		var l Line
		for i, m := range n.Members {
			if i > 0 {
				l.Spans = append(l.Spans, Span{Text: separator(n.Ordered)})
			}
			l.Spans = append(l.Spans, Span{Text: m.Name, Sort: Name})
		}
		d.Is = []Line{l}
	case *ast.Stat:
		c := *n
		c.Value, c.Body = nil, nil
		d.Head = rest(&c)
	case *ast.View:
		d.Head = rest(n)
	case *ast.Define:
		c := *n
		c.Value = nil
		d.Head = rest(&c)
		d.Is = s.formula(n.Value)
	case *ast.Table:
		c := *n
		c.Rows = nil
		lines := s.clause(link.WithoutMeta(&c))
		d.Head = joined(after(lines[:1], 2))
		for i, x := range d.Head.Spans { // the brace of the rows
			if strings.Contains(x.Text, "{") {
				d.Head.Spans = d.Head.Spans[:i]
				break
			}
		}
	case *ast.Resource:
		c := *n
		c.Body = nil
		d.Head = rest(&c)
	case *ast.Effect:
		c := *n
		c.Body = nil
		d.Head = rest(&c)
	case *ast.Procedure:
		c := *n
		c.Body = nil
		d.Head = rest(&c)
	case *ast.Rule:
		d.Head = rest(ruleHead(n))
		d.Rows = append(d.Rows, s.rule(n)...)
	case *ast.Template:
		if n.Extends != nil {
			c := *n
			c.Body = nil
			d.Head = rest(&c)
		}
	case *ast.Tactics:
		if n.Body != nil {
			d.Rows = append(d.Rows, Row{Label: "in this order", Lines: s.statements(n.Body.Clauses), Fate: Fate{Own: true}})
		}
	case *ast.Use:
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

// rule returns the rows of the body of a rule or reaction.
func (s *scope) rule(n *ast.Rule) (rows []Row) {
	if n.Body == nil {
		return nil
	}
	var deeds []ast.Clause
	for _, cl := range n.Body.Clauses {
		switch cl.(type) {
		case *ast.Cost, *ast.Needs:
			rows = append(rows, Row{Label: sorted(cl), Lines: after(s.clause(link.WithoutMeta(cl)), 1), Fate: Fate{Own: true}})
		default:
			deeds = append(deeds, cl)
		}
	}
	if lines := s.statements(deeds); lines != nil {
		rows = append(rows, Row{Lines: lines, Fate: Fate{Own: true}})
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

// sorted names the kind of a clause, for the margin of its row.
func sorted(cl ast.Clause) string {
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

// row adds the row of a piece.
func (d *draft) row(b *Book, s *scope, p *link.Piece, own map[string]*rulebook.Part) {
	if p.Path == d.name || p.Whole == nil {
		return
	}
	r := Row{Label: sorted(p.Whole)}
	if d.rows[p.Path] {
		r.ID = p.Path
	}
	spell := func(pieces int) []Line { return after(s.clause(p.Clause), pieces) }
	var cites []ast.Cite
	switch n := p.Whole.(type) {
	case *ast.Term:
		r.Label, r.Named = n.Name.Name, true
		r.Lines, cites = spell(2), n.Cites
	case *ast.FieldDecl:
		r.Label, r.Named = n.Names[0].Name, true
		r.Lines, cites = spell(2), n.Cites
	case *ast.Property:
		r.Label, r.Named = n.Name.Name, true
		r.Lines, cites = spell(2), n.Cites
	case *ast.Step:
		r.Label, r.Named = n.Name.Name, true
		r.Step = 1
		for _, x := range d.Rows {
			if x.Step > 0 {
				r.Step = x.Step + 1
			}
		}
		if n.When != nil || n.Unless != nil {
			r.Head = joined(after(s.clause(&ast.Step{Span: n.Span, Name: n.Name, Tail: ast.Tail{When: n.When, Unless: n.Unless}}), 2))
		}
		r.Doc = docOf(n.Meta, n.Body)
		if n.Body != nil {
			r.Lines = s.statements(n.Body.Clauses)
		}
	case *ast.Rule:
		r.Label, r.Named, r.Kind = n.Name.Name, true, n.Word.Name
		r.Head = joined(after(s.clause(link.WithoutMeta(ruleHead(n))), 2))
		r.Doc = docOf(n.Meta, n.Body)
		for _, x := range s.rule(n) {
			if x.Label != "" {
				x.Lines[0].Spans = append([]Span{{Text: x.Label + " ", Sort: Word}}, x.Lines[0].Spans...)
			}
			r.Lines = append(r.Lines, x.Lines...)
		}
	case *ast.Cost, *ast.Needs, *ast.Includes, *ast.Cannot, *ast.Denied, *ast.Keep, *ast.Lasts, *ast.Must, *ast.RollClause:
		r.Lines, cites = spell(1), citesOf(n)
	case *ast.Modifier:
		r.Lines, cites = spell(0), n.Cites
	default: // statements outside any step
		lines := spell(0)
		if k := len(d.Rows); k > 0 && d.Rows[k-1].Label == "does" {
			d.Rows[k-1].Lines = append(d.Rows[k-1].Lines, lines...)
			return
		}
		r.Label, r.Lines = "does", lines
	}
	for _, c := range b.page.Rules.Set.AddedCites[p.Path] {
		cites = slices.Concat(cites, c.Cites)
	}
	r.Fate = Fate{Place: placeOf(p.Origin), Cites: citeIDs(cites), History: b.page.Follow(p.Origin)}
	if part := own[p.Path]; part != nil && r.ID != "" {
		r.Fate.Cites, r.Fate.Place = part.Cites, part.Place
	}
	d.told[p.Path] = true
	r.Own = r.Fate.Place.File == d.Place.File
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
		return Line{Spans: []Span{{Text: text, Sort: Word}}}
	}
	l := s.expr(c.From)
	if c.To != nil {
		l.Spans = append(append(l.Spans, Span{Text: " to ", Sort: Word}), s.expr(c.To).Spans...)
	}
	if c.Open != "" {
		l.Spans = append(l.Spans, Span{Text: " or " + c.Open, Sort: Word})
	}
	return l
}
