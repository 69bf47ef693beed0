package handbook

import (
	"cmp"
	"slices"
	"strings"
)

// This file makes the indexes of a finished book: all names, and the cross-references.

// buildIndex lists all names.
func (b *bookBuilder) buildIndex() {
	var refs []Ref
	for _, d := range b.drafts {
		refs = append(refs, Ref{d.ID, d.name, d.Kind, d.Doc})
	}
	slices.SortStableFunc(refs, func(x, y Ref) int { return cmp.Compare(bareName(x.Name), bareName(y.Name)) })
	for _, r := range refs {
		first := strings.ToUpper(string([]rune(bareName(r.Name))[:1]))
		if k := len(b.book.Names); k == 0 || b.book.Names[k-1].Letter != first {
			b.book.Names = append(b.book.Names, Letter{Letter: first})
		}
		l := &b.book.Names[len(b.book.Names)-1]
		l.Names = append(l.Names, r)
	}
}

// bareName is the name without its kind, which is what readers look up.
func bareName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// collectUses follows every link once, and lists the references to each entry there.
func (b *Book) collectUses() {
	entries := map[string]*Entry{} // by their own ids and those of their rows
	users := map[*Entry][]Line{}
	for _, c := range b.Chapters() {
		for _, s := range c.Sections {
			for _, e := range s.All() {
				entries[e.ID] = e
				for _, r := range e.Rows {
					if r.ID != "" {
						entries[r.ID] = e
					}
				}
				e.lines(func(l Line) { users[e] = append(users[e], l) })
			}
			if s.Things == nil {
				continue
			}
			for _, t := range s.Things.Rows {
				for _, cell := range t.Cells {
					if cell.Stated {
						users[t.Entry] = append(users[t.Entry], cell.Line)
					}
				}
			}
		}
	}
	for e, lines := range users {
		seen := map[*Entry]bool{e: true}
		for _, l := range lines {
			for _, x := range l.Spans {
				if to := entries[x.To]; to != nil && !seen[to] {
					seen[to] = true
					to.UsedBy = append(to.UsedBy, Ref{ID: e.ID, Name: e.Name, Kind: e.Kind})
				}
			}
		}
	}
	for _, e := range entries {
		slices.SortFunc(e.UsedBy, func(x, y Ref) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID)) })
	}
}

// lines visits every line of an entry.
func (e *Entry) lines(visit func(Line)) {
	visit(e.Head)
	for _, l := range e.Is {
		visit(l)
	}
	for _, f := range e.Fields {
		visit(f.Line)
	}
	for _, r := range e.Rows {
		visit(r.Head)
		for _, l := range r.Lines {
			visit(l)
		}
	}
	if e.Grid != nil {
		for _, row := range append([][]Line{e.Grid.Head}, e.Grid.Rows...) {
			for _, l := range row {
				visit(l)
			}
		}
	}
}
