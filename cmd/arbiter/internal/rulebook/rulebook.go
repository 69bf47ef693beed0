// Package rulebook presents a built ruleset as a book: its definitions and their parts, with the doc string, the
// citations, the place and the history of each.
//
// It is used to list and show rules. It must never know what a definition means in play.
package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// Book is a ruleset presented as a book.
type Book struct {
	Rules  *build.Rules
	Source func(file string) []byte // the text of a file, nil if it is unavailable

	partsOf map[string][]*ir.Part // the parts of each definition, by name
	shared  map[string]bool       // names of several definitions
}

// Entry is a definition.
type Entry struct {
	Kind  string `json:"kind"` // its head word
	Path  string `json:"path"`
	Doc   string `json:"doc"` // its doc string
	Place Place  `json:"place"`
}

// Place is a position in a file, and the ruleset of that file.
type Place struct {
	Ruleset string `json:"ruleset"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// String is file:line.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Page is a definition, or a part of one, with all changes applied.
type Page struct {
	Entry
	Text  string   `json:"text"`  // as the formatter prints it
	Cites []string `json:"cites"` // of the whole
	History
	Parts []Part `json:"parts"`
}

// Part is a named part of a definition, its place and its history.
type Part struct {
	Path  string   `json:"path"`
	Cites []string `json:"cites"`
	Place Place    `json:"place"`
	History
}

// Entries lists the definitions in the order of their declaration, the parents' first. A kind is listed where it was
// first opened.
func Entries(set *link.Set) []Entry {
	list := []Entry{}
	opened := map[string]bool{}
	for _, d := range set.Defs {
		if k, ok := d.Node.(*ast.Kind); ok {
			if opened[k.Name.Name] {
				continue
			}
			opened[k.Name.Name] = true
		}
		for _, name := range NamesOf(d) {
			list = append(list, newEntry(d, name))
		}
	}
	return list
}

func newEntry(d *link.Def, name string) Entry {
	word, doc := headOf(d.Node)
	return Entry{Kind: word, Path: name, Doc: doc, Place: placeOf(d.Origin)}
}

// NamesOf returns the names that a definition defines: several if one line declares several things.
func NamesOf(d *link.Def) []string {
	var ids []ast.Ident
	switch n := d.Node.(type) {
	case *ast.Bonus:
		ids = n.Names
	case *ast.Role:
		ids = n.Names
	default:
		if d.Name == "" || d.Registered() {
			return nil
		}
		return []string{d.Name}
	}
	var names []string
	for _, id := range ids {
		names = append(names, id.Name)
	}
	return names
}

// Find opens the book at a path: a definition (strike), a part of one (strike.confirm), or a cell, which opens its
// table (size-modifier[large]). One name may be that of several things, such as a type and a stat. If nothing is found,
// near is the path that was probably meant, or "".
func (b *Book) Find(path string) (pages []Page, near string) {
	r := b.Rules
	name, _, _ := strings.Cut(path, "[")
	var kind ast.Clause
	for _, d := range r.Set().Defs {
		if !slices.Contains(NamesOf(d), name) {
			continue
		}
		if _, ok := d.Node.(*ast.Kind); ok {
			if kind != nil { // opened again: the first page already has its fields
				continue
			}
			kind = d.Node
		}
		pages = append(pages, b.DefinitionPage(d, name))
	}
	for _, d := range r.Set().Defs {
		if pages != nil {
			break
		}
		if d.Name != "" && strings.HasPrefix(name, d.Name+".") {
			if p, ok := b.partOf(d, path); ok {
				pages = append(pages, p)
			}
		}
	}
	if o := r.Set().Removed[path]; pages == nil && o != nil && o.Was != nil {
		was := declaration(o.Was)
		pages = append(pages, Page{Entry: Entry{Kind: "removed", Path: path, Place: placeOf(was)}, Text: b.newStage(was).Text, Cites: []string{}, History: b.removalHistory(o), Parts: []Part{}})
	}
	if pages == nil {
		pages = b.ofKinds(path)
	}
	if pages == nil {
		near = b.nearest(name)
	}
	return pages, near
}

// ofKinds returns the pages of what belongs to kinds under a name: rules use it without naming the kind.
func (b *Book) ofKinds(name string) (pages []Page) {
	for _, d := range b.Rules.Set().Defs {
		if _, bare, ok := strings.Cut(d.Name, "."); ok && bare == name {
			pages = append(pages, b.DefinitionPage(d, d.Name))
		}
	}
	return pages
}

// nearest is the name that was most likely meant. Stats and resources take precedence, because those are the names that
// people abbreviate.
func (b *Book) nearest(name string) string {
	var numbers, all []string
	for _, d := range b.Rules.Set().Defs {
		switch d.Node.(type) {
		case *ast.Stat, *ast.Resource, *ast.View:
			numbers = append(numbers, NamesOf(d)...)
		}
		all = append(all, NamesOf(d)...)
	}
	for _, p := range b.Rules.Checked.Parts {
		all = append(all, p.Path)
	}
	for _, names := range [][]string{numbers, all} {
		slices.Sort(names)
		if near := words.Nearest(name, slices.Compact(names)); near != "" {
			return near
		}
	}
	return ""
}

// DefinitionPage is the page of a definition, or of one of those that its line declares. A kind is shown with all its
// fields, wherever they were added.
func (b *Book) DefinitionPage(d *link.Def, name string) Page {
	r := b.Rules
	p := Page{Entry: newEntry(d, name), Text: formatText(b.mergedClause(d)), Cites: []string{}, History: b.HistoryOf(d.Origin), Parts: []Part{}}
	var pieces []*link.Piece
	for _, opened := range b.openings(d) {
		pieces = append(pieces, r.Set().Pieces(opened)...)
	}
	clauses := map[string]map[Place]bool{} // where the clauses of each path are
	for _, x := range pieces {
		if clauses[x.Path] == nil {
			clauses[x.Path] = map[Place]bool{}
		}
		clauses[x.Path][placeOf(declaration(x.Origin))] = true
	}
	for _, part := range b.parts(name) {
		x := b.newPart(pieces, part)
		if b.shared[name] && !liesIn(d, x.Place) && (part.Path == name || clauses[part.Path] == nil) {
			continue // a part of something else with that name
		}
		p.Cites = append(p.Cites, part.Cites...)
		if part.Path == name {
			continue
		}
		// A cited statement is a part of its step, and has the step's path; but two clauses with the same path, such as
		// needs, are two parts.
		i := slices.IndexFunc(p.Parts, func(y Part) bool { return y.Path == x.Path && (y.Place == x.Place || !clauses[x.Path][x.Place]) })
		if i >= 0 {
			p.Parts[i].Cites = unique(append(p.Parts[i].Cites, part.Cites...))
		} else {
			p.Parts = append(p.Parts, x)
		}
	}
	p.Cites = unique(p.Cites)
	for _, cell := range cellsOf(r.Set(), name) {
		if !slices.ContainsFunc(p.Parts, func(x Part) bool { return x.Path == cell }) {
			o := r.Set().Cells[cell]
			p.Parts = append(p.Parts, Part{Path: cell, Cites: []string{}, Place: placeOf(o), History: b.HistoryOf(o)})
		}
	}
	p.Parts = append(p.Parts, b.removedParts(d, pieces)...)
	return p
}

// liesIn reports whether a place is within the original declaration of a definition.
func liesIn(d *link.Def, p Place) bool {
	o := d.Origin.Root()
	return p.File == o.File && o.Span.Start.Line <= p.Line && p.Line <= o.Span.End.Line
}

// openings are the definitions that make up a definition: several for a kind that is opened several times, one for
// anything else.
func (b *Book) openings(d *link.Def) []*link.Def {
	if _, ok := d.Node.(*ast.Kind); !ok {
		return []*link.Def{d}
	}
	var list []*link.Def
	for _, other := range b.Rules.Set().Defs {
		if _, ok := other.Node.(*ast.Kind); ok && other.Name == d.Name {
			list = append(list, other)
		}
	}
	return list
}

// mergedClause is a definition with the contents of all its openings.
func (b *Book) mergedClause(d *link.Def) ast.Clause {
	list := b.openings(d)
	if len(list) == 1 {
		return d.Node
	}
	whole := *d.Node.(*ast.Kind)
	body := ast.Block{Span: ast.Span{End: ast.Pos{Line: 1}}} // on several lines
	for _, opened := range list {
		if more := opened.Node.(*ast.Kind).Body; more != nil {
			for _, cl := range more.Clauses {
				if f, ok := cl.(*ast.FieldDecl); ok { // fields from two files do not share a line
					own := *f
					own.Span = ast.Span{Start: ast.Pos{Line: len(body.Clauses)}, End: ast.Pos{Line: len(body.Clauses)}}
					cl = &own
				}
				body.Clauses = append(body.Clauses, cl)
			}
		}
	}
	whole.Body = &body
	return &whole
}

// parts returns the parts of a definition, itself included, but not those of others that share its prefix, such as the
// properties that are defined for a kind.
func (b *Book) parts(name string) []*ir.Part {
	if b.partsOf == nil {
		b.partsOf, b.shared = map[string][]*ir.Part{}, map[string]bool{}
		defined := map[string]string{}
		for _, d := range b.Rules.Set().Defs {
			for _, name := range NamesOf(d) {
				word := link.HeadWord(d.Node)
				b.shared[name] = b.shared[name] || defined[name] != "" && defined[name] != word
				defined[name] = word
			}
		}
		for _, part := range b.Rules.Checked.Parts {
			owner := part.Path
			for defined[owner] == "" && owner != "" {
				owner = owner[:max(strings.LastIndexAny(owner, ".["), 0)]
			}
			b.partsOf[owner] = append(b.partsOf[owner], part)
		}
	}
	return b.partsOf[name]
}

// partOf is the page of a part of a definition: the clause of its body at the place of the part.
func (b *Book) partOf(d *link.Def, path string) (Page, bool) {
	r := b.Rules
	pieces := r.Set().Pieces(d)
	var page Page
	found := false
	for _, part := range r.Checked.Parts {
		if part.Path != path {
			continue
		}
		page.Cites = append(page.Cites, part.Cites...)
		if found {
			continue
		}
		found = true
		x := b.newPart(pieces, part)
		page.Entry = Entry{Kind: "part of " + d.Name, Path: path, Doc: part.Doc, Place: x.Place}
		page.History, page.Parts = x.History, []Part{}
		cl := clauseAt(d.Node, part.Pos.Span)
		if cl == nil { // it is no clause of its own: the whole definition is shown
			page.Text = formatText(d.Node)
			continue
		}
		page.Text = formatText(cl)
		if _, stat := d.Node.(*ast.Stat); stat { // the parser takes an added term for a property
			page.Kind = "term"
		}
		if word, doc := headOf(cl); word != "" {
			page.Kind = word
			if page.Doc == "" {
				page.Doc = doc
			}
		}
	}
	page.Cites = unique(page.Cites)
	return page, found
}

func placeAt(r *build.Rules, pos ir.Pos) Place {
	file, line, column := r.Where(pos)
	return Place{File: file, Line: line, Column: column}
}

func placeOf(o *link.Origin) Place {
	return Place{o.Ruleset, o.File, o.Span.Start.Line, o.Span.Start.Column}
}

func cellsOf(set *link.Set, table string) []string {
	var cells []string
	for path := range set.Cells {
		if strings.HasPrefix(path, table+"[") {
			cells = append(cells, path)
		}
	}
	slices.Sort(cells)
	return cells
}

// clauseAt finds the clause with a given span in a body or in the bodies nested in it.
func clauseAt(cl ast.Clause, span ast.Span) ast.Clause {
	body := bodyOf(cl)
	if body == nil {
		return nil
	}
	for _, inner := range body.Clauses {
		if inner.Extent() == span {
			return inner
		}
		if found := clauseAt(inner, span); found != nil {
			return found
		}
	}
	return nil
}

func formatText(cl ast.Clause) string { return strings.TrimRight(format.Node(cl), "\n") }

// unique sorts ids and drops duplicates.
func unique(ids []string) []string {
	out := append([]string{}, ids...)
	slices.Sort(out)
	return slices.Compact(out)
}
