package langserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file puts lines between the lines of a text: above a command, its odds; above what cites rules of a book, who
// else implements or tests them.

// codeLens is such a line. It has a command only when it has been resolved.
type codeLens struct {
	Range   span         `json:"range"`
	Command *lensCommand `json:"command,omitempty"`
	Data    *lensData    `json:"data,omitempty"`
}

// lensCommand is the text of a lens. Nothing is carried out.
type lensCommand struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

// lensData says what a lens is about: the command that begins at an offset.
type lensData struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Offset  int    `json:"offset"`
}

// maxLenses is how many lenses a document has.
const maxLenses = 500

// lenses lists the lenses of a document. What a lens about a command says takes time, and is told when it is resolved.
func (s *server) lenses(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []codeLens{}
	d, _ := s.documentAt(p)
	if d == nil {
		return list
	}
	for _, c := range commandsOf(d.file) {
		list = append(list, codeLens{Range: d.span(c.Span), Data: &lensData{d.uri, d.version, c.Start.Offset}})
	}
	if m := s.resolverOf(d); m != nil {
		list = append(list, s.citationLenses(d, m)...)
	}
	return list[:min(len(list), maxLenses)]
}

// citationLenses says of each clause that cites rules of a book which parts of the rules implement them.
func (s *server) citationLenses(d *document, m *nameResolver) (list []codeLens) {
	var visit func(clauses []ast.Clause)
	visit = func(clauses []ast.Clause) {
		for _, cl := range clauses {
			name, _, _ := outlineName(cl)
			if ids := citedBy(cl); len(ids) > 0 && name != "" {
				if title := m.implementers(ids, link.NameOf(cl)); title != "" {
					at := d.span(cl.Extent())
					list = append(list, codeLens{Range: span{at.Start, at.Start}, Command: &lensCommand{Title: title}})
				}
			}
			visit(nestedClauses(cl))
		}
	}
	visit(d.file.Body)
	return list
}

// citedBy lists the catalogue rules that a clause cites, without those that clauses with names in it cite.
func citedBy(cl ast.Clause) (ids []string) {
	var named []ast.Span
	for _, inner := range nestedClauses(cl) {
		if name, _, _ := outlineName(inner); name != "" {
			named = append(named, inner.Extent())
		}
	}
	ast.Contains(cl, func(node any) bool {
		if c, ok := node.(*ast.Cite); ok && !slices.ContainsFunc(named, func(x ast.Span) bool { return contains(x, c.Span) }) {
			ids = append(ids, expandCite(c)...)
		}
		return false
	})
	slices.Sort(ids)
	return slices.Compact(ids)
}

// maxCites is how many rules of a run are looked up.
const maxCites = 100

// expandCite lists the ids of a citation: `book.topic.01 to 04` has four.
func expandCite(c *ast.Cite) (ids []string) {
	if c.To == "" {
		return []string{c.ID}
	}
	topic, first := c.ID[:strings.LastIndexByte(c.ID, '.')+1], c.ID[strings.LastIndexByte(c.ID, '.')+1:]
	var from, to int
	if _, err := fmt.Sscan(strings.TrimLeft(first, "0"), &from); err != nil {
		return []string{c.ID}
	}
	if _, err := fmt.Sscan(strings.TrimLeft(c.To, "0"), &to); err != nil {
		return []string{c.ID}
	}
	for n := from; n <= min(to, from+maxCites); n++ {
		ids = append(ids, fmt.Sprintf("%s%0*d", topic, len(first), n))
	}
	return ids
}

// maxImplementers is how many parts of the rules a lens names.
const maxImplementers = 4

// implementers says which parts of the rules implement catalogue rules, besides one of them.
func (m *nameResolver) implementers(ids []string, except string) string {
	var names []string
	for _, id := range ids {
		for _, e := range m.book.Citing(id) {
			if e.Path != except && !strings.HasPrefix(e.Path, except+".") && !slices.Contains(names, e.Path) {
				names = append(names, e.Path)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - maxImplementers; n > 0 {
		names, more = names[:maxImplementers], fmt.Sprintf(" and %d more", n)
	}
	word := "implemented by "
	if except != "" {
		word = "also implemented by "
	}
	return word + strings.Join(names, ", ") + more
}

// resolveLens computes what a lens about a command says: its odds, where it is in the script.
func (s *server) resolveLens(p *documentParams) any {
	var data lensData
	if json.Unmarshal(p.Data, &data) != nil || p.Range == nil {
		return errorResponse("this is no lens of this server")
	}
	lens := codeLens{Range: *p.Range, Command: &lensCommand{Title: "no odds"}}
	return s.withFigures(data.URI, data.Version, lens, func(_ context.Context, f *figures) any {
		if title := f.odds(data.Offset).long; title != "" {
			lens.Command.Title = title
		}
		return lens
	})
}
