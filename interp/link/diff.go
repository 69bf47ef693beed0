package link

import (
	"reflect"
	"slices"
	"strings"

	"arbiter/lang/ast"
)

// This file compares two linked sets: a house ruleset with what it extends, or any two. Definitions are split into the
// parts that paths reach, and each part is compared with the one of the same path. Doc strings and citations are
// ignored.

// How a part differs. Between unrelated sets, Added is what only the second has, Removed what only the first has, and
// Changed what differs.
const (
	Added      = "added"
	Overridden = "overridden"
	Extended   = "extended"
	Changed    = "changed" // differs, but not by a change of the second set
	Removed    = "removed"
)

// Difference is a part in which two sets differ.
type Difference struct {
	Definition string // its path
	Word       string // the head word of the definition: stat, action
	Path       string // of the part; for the whole definition or its head, that of the definition
	What       string
	Was, Now   *Piece  // nil where there is none
	By         *Origin // of a removed part: the change that removed it, nil if there is none
}

// Piece is a part as one set has it: a Clause (without doc strings and citations), a Value, or a Text.
type Piece struct {
	Path   string
	Clause ast.Clause
	Whole  ast.Clause // Clause with its doc strings and citations
	Value  ast.Expr   // of a cell or a bound
	Text   string     // the name or mark of a part that is neither
	Origin *Origin    // File and Span are its position; for an extended part, that of the last addition
}

// Related reports whether b builds on a: it has all of its rulesets.
func Related(a, b *Set) bool {
	for _, name := range a.Rulesets {
		if !slices.Contains(b.Rulesets, name) {
			return false
		}
	}
	return true
}

// Diff lists the differences of b from a, in the order of b's definitions; definitions that b lacks come last.
func Diff(a, b *Set) []Difference {
	var list []Difference
	was, now := a.index(), b.index()
	for _, key := range now.order {
		n := now.entries[key]
		w := was.entries[key]
		if w == nil {
			list = append(list, Difference{n.name, n.word, n.name, Added, nil, n.wholePiece(), nil})
			continue
		}
		list = append(list, n.diff(w, b)...)
	}
	for _, key := range was.order {
		if w := was.entries[key]; now.entries[key] == nil {
			list = append(list, Difference{w.name, w.word, w.name, Removed, w.wholePiece(), nil, b.Removed[w.name]})
		}
	}
	return list
}

// defIndex is an index of the definitions of a set, by what they are and their names.
type defIndex struct {
	entries map[string]*entry
	order   []string
}

type entry struct {
	name, word string
	whole      ast.Clause
	origin     *Origin
	pieces     []*Piece
}

func (e *entry) wholePiece() *Piece { return &Piece{Path: e.name, Clause: e.whole, Origin: e.origin} }

// diff compares an entry with that of another set. Equal parts of the same path are paired first; then, if one is
// left on each side, these two.
func (e *entry) diff(was *entry, set *Set) []Difference {
	old, now := map[string][]*Piece{}, map[string][]*Piece{}
	for _, p := range was.pieces {
		old[p.Path] = append(old[p.Path], p)
	}
	for _, p := range e.pieces {
		if i := slices.IndexFunc(old[p.Path], p.equal); i >= 0 {
			old[p.Path] = slices.Delete(old[p.Path], i, i+1)
			continue
		}
		now[p.Path] = append(now[p.Path], p)
	}
	var list []Difference
	for _, p := range e.pieces {
		if !slices.Contains(now[p.Path], p) {
			continue
		}
		d := Difference{Definition: e.name, Word: e.word, Path: p.Path, What: Added, Now: p}
		if len(now[p.Path]) == 1 && len(old[p.Path]) == 1 {
			d.Was, d.What = old[p.Path][0], p.kindOfChange()
			old[p.Path] = nil
		}
		list = append(list, d)
	}
	for _, p := range was.pieces {
		if !slices.Contains(old[p.Path], p) {
			continue
		}
		by := set.Removed[p.Path]
		if by == nil && e.origin.Was != nil {
			by = e.origin // the whole definition was replaced
		}
		list = append(list, Difference{e.name, e.word, p.Path, Removed, p, nil, by})
	}
	return list
}

// kindOfChange returns the kind of change that made a part differ.
func (p *Piece) kindOfChange() string {
	switch {
	case p.Origin.Verb == "override":
		return Overridden
	case p.Origin.Verb == "extend":
		return Extended
	}
	return Changed
}

func (p *Piece) equal(q *Piece) bool {
	return p.Text == q.Text && sameValue(reflect.ValueOf(p.Clause), reflect.ValueOf(q.Clause)) && sameValue(reflect.ValueOf(p.Value), reflect.ValueOf(q.Value))
}

func (s *Set) index() *defIndex {
	b := &defIndex{entries: map[string]*entry{}}
	for _, d := range s.Defs {
		switch n := d.Node.(type) {
		case *ast.Bonus:
			for _, id := range n.Names {
				e := b.entry("bonus "+id.Name, id.Name, d)
				one := *n
				one.Names = []ast.Ident{id}
				e.whole = WithoutMeta(&one)
				e.pieces = append(e.pieces, &Piece{Path: id.Name, Clause: e.whole, Origin: d.Origin})
			}
		case *ast.Role:
			for _, id := range n.Names {
				e := b.entry("role "+id.Name, id.Name, d)
				e.whole = &ast.Role{Span: n.Span, Names: []ast.Ident{id}, Type: n.Type}
				e.pieces = append(e.pieces, &Piece{Path: id.Name, Clause: e.whole, Origin: d.Origin})
			}
		default:
			if d.Name == "" || d.Registered() {
				continue
			}
			e := b.entry(CitePath(d.Node, d.Name), d.Name, d)
			pieces := s.Pieces(d)
			if len(e.pieces) > 0 { // a kind that several rulesets declare: one head is enough
				pieces = pieces[1:]
			}
			e.pieces = append(e.pieces, pieces...)
		}
	}
	return b
}

// entry returns the entry of a definition, which it creates if need be. A kind that several rulesets declare has one
// entry.
func (b *defIndex) entry(key, name string, d *Def) *entry {
	e := b.entries[key]
	if e == nil {
		e = &entry{name: name, word: HeadWord(d.Node), whole: WithoutMeta(d.Node), origin: d.Origin}
		b.entries[key] = e
		b.order = append(b.order, key)
	}
	return e
}

// HeadWord returns the first word of a declaration.
func HeadWord(cl ast.Clause) string {
	if word := ast.HeadOf(cl).Word; word != "" {
		return word
	}
	return strings.ToLower(reflect.TypeOf(cl).Elem().Name())
}

// Pieces splits a definition into its parts, the head first.
func (s *Set) Pieces(d *Def) []*Piece {
	root := d.Origin.Root()
	at := func(path string, span ast.Span) *Piece {
		o := *root
		o.Span = span
		return &Piece{Path: d.Name + "." + path, Origin: &o}
	}
	value := func(path string, e ast.Expr) *Piece {
		p := at(path, e.Extent())
		p.Value = e
		if o := s.Values[e]; o != nil {
			p.Origin = o
		}
		return p
	}
	head := shallowCopy(d.Node)
	var out []*Piece
	switch n := head.(type) {
	case *ast.Enum:
		for _, m := range n.Members {
			p := at(m.Name, m.Span)
			p.Text = m.Name
			if x := s.Cells[p.Path]; x != nil {
				p.Origin.File, p.Origin.Ruleset, p.Origin.Verb = x.File, x.Ruleset, x.Verb
			}
			out = append(out, p)
		}
		n.Members = nil
	case *ast.Table:
		out = s.cells(d, n)
		n.Rows = n.Rows[:min(1, len(n.Rows))]
	case *ast.Resource:
		for _, b := range []struct {
			name string
			e    *ast.Expr
		}{{"from", &n.From}, {"to", &n.To}, {"starts", &n.Starts}} {
			if *b.e != nil {
				out = append(out, value(b.name, *b.e))
			}
		}
		n.From, n.To, n.Starts = nil, nil, nil
	case *ast.Effect:
		if n.While != nil {
			out = append(out, value("while", n.While))
		}
		n.While = nil
	case *ast.Stat:
		if n.Value != nil { // the short form for a single term
			p := at("base", n.Value.Extent())
			p.Whole = &ast.Term{Span: n.Value.Extent(), Name: ast.Ident{Name: "base"}, Value: n.Value}
			p.Clause = WithoutMeta(p.Whole)
			if o := s.Values[n.Value]; o != nil {
				p.Origin = o
			}
			out = append(out, p)
		}
		n.Value = nil
	}
	if hasPathParts(head) {
		if body := bodyOf(head); *body != nil {
			for _, cl := range (*body).Clauses {
				out = append(out, s.clauses(d, cl)...)
			}
			*body = nil
		}
	}
	return append([]*Piece{{Path: d.Name, Clause: WithoutMeta(head), Whole: head, Origin: d.Origin}}, out...)
}

// hasPathParts reports whether the body of a definition has parts with paths of their own. The order of tactics, and of
// the statements of a rule or a step, matters, so they are not split.
func hasPathParts(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Rule, *ast.Tactics, *ast.Step:
		return false
	}
	return bodyOf(cl) != nil
}

// clauses returns the parts of one clause of a body.
func (s *Set) clauses(d *Def, cl ast.Clause) (out []*Piece) {
	if _, ok := cl.(*ast.Documentation); ok {
		return nil
	}
	o := s.Origins[cl]
	if o == nil {
		root := *d.Origin.Root()
		root.Span = cl.Extent()
		o = &root
	} else if o.Verb == "extend" { // point to the clause, not to the whole `extend`
		o = &Origin{File: o.File, Span: cl.Extent(), Ruleset: o.Ruleset, Verb: o.Verb, Was: o.Was}
	}
	for _, part := range split(cl) {
		name := partName(part)
		if name == "" {
			name = strings.ToLower(reflect.TypeOf(part).Elem().Name())
		}
		p := &Piece{Path: d.Name + "." + name, Clause: WithoutMeta(part), Whole: part, Origin: o}
		if body := bodyOf(part); body != nil && *body != nil {
			var by *Origin
			for _, inner := range (*body).Clauses {
				if x := s.Origins[inner]; x != nil && x.Verb == "extend" && x != by {
					by = x
					p.Origin = &Origin{File: x.File, Span: inner.Extent(), Ruleset: x.Ruleset, Verb: x.Verb, Was: p.Origin}
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// cells returns the cells of a table.
func (s *Set) cells(d *Def, t *ast.Table) (out []*Piece) {
	for i := 1; i < len(t.Rows); i++ {
		row := &t.Rows[i]
		for j := 1; j < len(row.Cells); j++ {
			cell := &row.Cells[j]
			o := *d.Origin
			o.Span = cell.Span
			p := &Piece{Path: CellPath(d.Name, t.Rows[0], row, j), Value: cell.From, Text: cell.Mark, Origin: &o}
			if x := s.Cells[p.Path]; x != nil {
				o = *x
				if x.Verb == "extend" {
					o.Span = cell.Span
				}
			}
			out = append(out, p)
		}
	}
	return out
}
