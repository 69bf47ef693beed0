package langserver

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file finds definitions by name: in the open documents and in the rulesets that they use.

// maxSymbols is how many definitions are returned. More would not be read.
const maxSymbols = 200

// match is a definition whose name matches a query.
type match struct {
	symbolInformation
	rank int // of the match: see matches
	file string
	at   ast.Span // in a file that is not open
}

// search answers a query with the matching definitions, the best matches first. An editor may ask while no document
// has been built; then it gets what can be read from the text.
func (s *server) search(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []match
	open := map[string]bool{} // by path: the text in the editor counts
	for _, d := range s.docs {
		open[d.path] = true
		list = d.search(list, p.Query, d.file.Body, "")
	}
	seen := map[link.Origin]bool{} // documents share rulesets
	for _, uri := range slices.Sorted(maps.Keys(s.docs)) {
		m := s.resolverOf(s.docs[uri])
		if m == nil {
			continue
		}
		for _, d := range m.book.Rules.Set().Defs {
			from := d.Origin.Root()
			rank, ok := matches(d.Name, p.Query)
			if !ok || d.Name == "" || d.Registered() || open[from.File] || seen[*from] {
				continue
			}
			seen[*from] = true
			_, detail, kind := outlineName(d.Node)
			list = append(list, match{symbolInformation{Name: d.Name, Kind: kind, Container: detail + ", " + from.Ruleset}, rank, from.File, from.Span})
		}
	}
	slices.SortFunc(list, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Location.URI, b.Location.URI), cmp.Compare(a.file, b.file), cmp.Compare(a.Location.Range.Start.Line, b.Location.Range.Start.Line))
	})
	answer := []symbolInformation{}
	for _, f := range list {
		if f.file != "" {
			var ok bool
			if f.Location, ok = s.locate(f.file, f.at); !ok {
				continue
			}
		}
		if answer = append(answer, f.symbolInformation); len(answer) == maxSymbols {
			break
		}
	}
	return answer
}

// search adds the matching names of a document's outline.
func (d *document) search(list []match, query string, clauses []ast.Clause, within string) []match {
	for _, cl := range clauses {
		name, detail, kind := outlineName(cl)
		if rank, ok := matches(name, query); ok && name != "" {
			where := detail
			if within != "" {
				where += ", " + within
			}
			at := d.span(cl.Extent())
			list = append(list, match{symbolInformation: symbolInformation{name, kind, location{d.uri, span{at.Start, at.Start}}, where}, rank: rank})
		}
		if name == "" {
			name = within
		}
		list = d.search(list, query, nestedClauses(cl), name)
	}
	return list
}

// locate returns a place in a file that is not open.
func (s *server) locate(file string, at ast.Span) (location, bool) {
	at.End = at.Start
	if uri, l := s.fileLines(&document{}, file); l != nil {
		return location{uri, l.span(at)}, true
	}
	return s.embedded(file, at)
}

// matches reports whether a name has the letters of a query in their order, in either case, and how well: 0 for the
// name itself, 1 for its beginning, 2 for the beginning of a word in it, 3 for a piece of it, 4 for scattered letters.
func matches(name, query string) (rank int, ok bool) {
	name, query = strings.ToLower(name), strings.ToLower(query)
	switch at := strings.Index(name, query); {
	case name == query:
		return 0, true
	case at == 0:
		return 1, true
	case at > 0:
		if strings.Contains(name, "-"+query) || strings.Contains(name, "."+query) || strings.Contains(name, " "+query) {
			return 2, true
		}
		return 3, true
	}
	for _, r := range query {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return 0, false
		}
		_, n := utf8.DecodeRuneInString(name[i:])
		name = name[i+n:]
	}
	return 4, true
}
